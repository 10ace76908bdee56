//! Do two runs of a program agree, and if not, where do they part?

use crate::oracle::Expected;
use crate::process::Ended;

/// How a run of ours compares with Java's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same output and the same exit code.
    Agrees,
    /// We gave up, as we may for this program, and all was right until then: why.
    Stopped(String),
    /// Something else: what.
    Differs(String),
}

/// The exit code of a run that we gave up on.
const STOPPED: i32 = 3;
/// What such a run says.
const STOP: &str = "dalang: stopped: ";

/// Compares a run of ours with what Java does.
pub fn compare(expected: &Expected, ended: Option<&Ended>, may_stop: bool) -> Verdict {
    let Some(ended) = ended else {
        return Verdict::Differs("  dalang does not end\n".to_owned());
    };
    if ended.out == expected.out && ended.code == Some(expected.code) {
        return Verdict::Agrees;
    }
    let stop = stop_message(ended);
    match stop {
        Some(stop) if may_stop && expected.out.starts_with(&ended.out) => Verdict::Stopped(stop),
        _ => Verdict::Differs(difference(expected, ended)),
    }
}

fn stop_message(ended: &Ended) -> Option<String> {
    let text = String::from_utf8_lossy(&ended.err);
    let message = text.lines().find_map(|line| line.strip_prefix(STOP));
    message.filter(|_| ended.code == Some(STOPPED)).map(str::to_owned)
}

fn difference(expected: &Expected, ended: &Ended) -> String {
    let mut parts: Vec<String> = first_difference(&expected.out, &ended.out).into_iter().collect();
    if ended.code != Some(expected.code) {
        let ours = ended.code.map_or("a signal".to_owned(), |code| code.to_string());
        parts.push(format!("  java ends with {}, dalang with {ours}\n", expected.code));
    }
    // The first lines say what went wrong and where.
    let errors = String::from_utf8_lossy(&ended.err);
    let lines = errors.lines().filter(|line| !line.trim().is_empty()).take(5);
    parts.extend(lines.map(|line| format!("  on standard error: {}\n", cut(line))));
    parts.concat()
}

/// The first line that is not the same.
fn first_difference(java: &[u8], dalang: &[u8]) -> Option<String> {
    let [mut java, mut dalang] = [java, dalang].map(|out| out.split_inclusive(|&b| b == b'\n'));
    for number in 1.. {
        let (theirs, ours) = (java.next(), dalang.next());
        if theirs != ours {
            let [theirs, ours] = [theirs, ours].map(show);
            return Some(format!(
                "  line {number}, java:   {theirs}\n  line {number}, dalang: {ours}\n"
            ));
        }
        theirs?;
    }
    None
}

fn show(line: Option<&[u8]>) -> String {
    let quoted = |line: &[u8]| format!("{:?}", cut(&String::from_utf8_lossy(line)));
    line.map_or("(the output has ended)".to_owned(), quoted)
}

/// A line that is not too long to be read.
fn cut(line: &str) -> String {
    const MOST: usize = 300;
    if line.chars().count() <= MOST {
        return line.to_owned();
    }
    line.chars().take(MOST).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Verdict, compare};
    use crate::oracle::Expected;
    use crate::process::Ended;

    fn verdict(java: (&str, i32), dalang: (&str, &str, i32), may_stop: bool) -> Verdict {
        let expected = Expected { out: java.0.into(), code: java.1 };
        let ended = Ended { out: dalang.0.into(), err: dalang.1.into(), code: Some(dalang.2) };
        compare(&expected, Some(&ended), may_stop)
    }

    fn differs(verdict: &Verdict, what: &str) {
        match verdict {
            Verdict::Differs(text) => assert!(text.contains(what), "{text}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn output_and_code_count_and_errors_do_not() {
        assert_eq!(verdict(("a\n", 1), ("a\n", "whatever", 1), false), Verdict::Agrees);
        differs(&verdict(("a\n", 0), ("a\n", "", 1), false), "java ends with 0, dalang with 1");
        differs(&verdict(("a\nb\n", 0), ("a\nc\n", "", 0), false), "line 2, dalang: \"c\\n\"");
        differs(&verdict(("a\nb\n", 0), ("a\n", "", 0), false), "line 2, dalang: (the output");
        differs(&verdict(("a\n", 0), ("a", "", 0), false), "line 1, dalang: \"a\"");
        differs(&verdict(("", 0), ("\r", "", 0), false), "line 1, java:   (the output");
    }

    #[test]
    fn giving_up_needs_leave_and_a_reason_and_must_not_be_wrong() {
        let stop = "dalang: stopped: A.b()V is not supported\n";
        let allowed = verdict(("a\nb\n", 0), ("a\n", stop, 3), true);
        assert_eq!(allowed, Verdict::Stopped("A.b()V is not supported".to_owned()));
        differs(&verdict(("a\nb\n", 0), ("a\n", stop, 3), false), "A.b()V is not supported");
        differs(&verdict(("a\nb\n", 0), ("a\n", "", 3), true), "dalang with 3");
        differs(&verdict(("a\nb\n", 0), ("a\n", stop, 4), true), "dalang with 4");
        differs(&verdict(("a\nb\n", 0), ("c\n", stop, 3), true), "line 1");
        // Who need not stop is still compared to the end.
        assert_eq!(verdict(("a\n", 0), ("a\n", "", 0), true), Verdict::Agrees);
    }

    #[test]
    fn not_ending_is_a_difference() {
        let expected = Expected { out: Vec::new(), code: 0 };
        differs(&compare(&expected, None, true), "does not end");
    }
}
