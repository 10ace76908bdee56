//! What verdicts, stops and numbers are called when people are spoken to.

use dalang_classes::one_line;
use dalang_explore::{
    Config, Exploration, Kinds, MADE, StopCount, StopKind, Verdict, ViolationKind,
};

/// The name of a verdict, in reports of every kind.
pub const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Undecided => "undecided",
        Verdict::Unsafe => "unsafe",
    }
}

/// The verdict of a name.
pub fn verdict_of(name: &str) -> Option<Verdict> {
    let all = [Verdict::Safe, Verdict::Undecided, Verdict::Unsafe];
    all.into_iter().find(|&each| verdict(each) == name)
}

/// `1 path`, `2 paths`.
pub fn count(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {one}{plural}")
}

/// Why something was left out, to follow the word "because".
pub fn because(kind: StopKind, detail: &str, config: &Config) -> String {
    let detail = one_line(detail);
    let limit = |number: Option<u64>| number.map_or(String::new(), |number| format!(" {number}"));
    match kind {
        StopKind::K => {
            format!(
                "an input object is too far from the inputs (--k{})",
                limit(config.k.map(u64::from))
            )
        }
        StopKind::N => {
            format!("there are too many input objects of a class (--n{})", objects(config))
        }
        StopKind::Loop => {
            format!("a loop went round more than {0} times (--loop {0})", config.loops)
        }
        StopKind::Calls => {
            format!("calls were nested more than {0} deep (--calls {0})", config.calls)
        }
        StopKind::Array => {
            format!("an input array is longer than {0} (--array {0})", config.array)
        }
        StopKind::String => {
            format!("an input string is longer than {0} (--string {0})", config.string)
        }
        StopKind::Paths => {
            format!("there are more paths than allowed (--paths{})", limit(config.paths))
        }
        StopKind::Time => {
            let seconds =
                config.time.map_or(String::new(), |time| format!(" {}", time.as_secs_f64()));
            join(&format!("the time was up (--time{seconds})"), &detail)
        }
        StopKind::Memory => {
            let limit = limit(config.memory.map(|bytes| bytes >> 20));
            format!("the memory was used up (--memory{limit})")
        }
        StopKind::Stdin => {
            format!("the standard input is longer than {0} bytes (--stdin {0})", config.stdin)
        }
        StopKind::Steps => {
            format!("a path executed too many instructions (--steps{})", limit(config.steps))
        }
        StopKind::Missing => format!("something is missing: {detail}"),
        StopKind::Allocation => {
            format!(
                "the program makes an array or string whose length depends on the input, and where all \
                 its elements are needed it is not followed beyond {MADE}"
            )
        }
        StopKind::Interrupted => join("the run was interrupted", &detail),
        StopKind::Unsupported => format!("this is not supported: {detail}"),
        StopKind::Solver => join("the solver gave no answer", &detail),
        StopKind::Bug => format!("dalang has a defect: {detail}"),
    }
}

fn join(text: &str, detail: &str) -> String {
    if detail.is_empty() { text.to_owned() } else { format!("{text}: {detail}") }
}

/// What a verdict means.
pub fn meaning(method: &Exploration, config: &Config) -> String {
    match method.verdict {
        Verdict::Unsafe => "some input makes it go wrong".to_owned(),
        Verdict::Undecided if method.unreachable => unreachable(method).to_owned(),
        Verdict::Undecided if !method.violations.is_empty() => {
            "something seems to go wrong, but it could not be executed again".to_owned()
        }
        Verdict::Undecided => "nothing went wrong, but not everything could be explored".to_owned(),
        Verdict::Safe if method.exhaustive => {
            format!("no input makes it go wrong{}{}", where_it_ends(method), in_ways(config))
        }
        Verdict::Safe => {
            format!(
                "no input within the bounds that were given ({}) makes it go wrong{}{}",
                bounds(&method.stops, config),
                where_it_ends(method),
                in_ways(config)
            )
        }
    }
}

/// What a verdict speaks of, if that is less than by default.
fn in_ways(config: &Config) -> String {
    if not_looked_for(config).is_empty() {
        return String::new();
    }
    format!(" in the ways that were looked for ({})", looked_for(config).join(", "))
}

/// The kinds of violations that were looked for.
pub fn looked_for(config: &Config) -> Vec<&'static str> {
    kinds(|kind| config.violations.contains(kind))
}

/// Those that are looked for by default, and were not.
pub fn not_looked_for(config: &Config) -> Vec<&'static str> {
    kinds(|kind| Kinds::DEFAULT.contains(kind) && !config.violations.contains(kind))
}

fn kinds(are_meant: impl Fn(ViolationKind) -> bool) -> Vec<&'static str> {
    let kinds = ViolationKind::ALL.into_iter().filter(|&kind| are_meant(kind));
    kinds.map(ViolationKind::name).collect()
}

/// Why there is no path through a method.
pub const fn unreachable(method: &Exploration) -> &'static str {
    if method.paths.assumed_away > 0 {
        "unreachable: every path was assumed away, so nothing was checked"
    } else {
        "unreachable: no path exists, because no input leads to it, so nothing was checked"
    }
}

/// What a verdict does not speak of, if paths do not end.
pub fn where_it_ends(method: &Exploration) -> &'static str {
    if method.paths.diverging > 0 { " where it ends" } else { "" }
}

/// The bounds that cut something, as they are typed.
fn bounds(stops: &[StopCount], config: &Config) -> String {
    let mut kinds: Vec<StopKind> = stops.iter().map(|stop| stop.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().map(|kind| bound(kind, config)).collect::<Vec<String>>().join(", ")
}

/// The bound on objects, as it is typed, after a blank.
fn objects(config: &Config) -> String {
    let each = config.n.map(|most| most.to_string());
    let of = config.n_of.iter().map(|(class, most)| format!("{}={most}", class.replace('/', ".")));
    let parts: Vec<String> = each.into_iter().chain(of).collect();
    if parts.is_empty() { String::new() } else { format!(" {}", parts.join(",")) }
}

fn bound(kind: StopKind, config: &Config) -> String {
    let value = match kind {
        StopKind::K => config.k.map(|k| k.to_string()),
        StopKind::N => Some(objects(config).trim_start().to_owned()),
        StopKind::Loop => Some(config.loops.to_string()),
        StopKind::Calls => Some(config.calls.to_string()),
        StopKind::Array => Some(config.array.to_string()),
        StopKind::String => Some(config.string.to_string()),
        StopKind::Stdin => Some(config.stdin.to_string()),
        // What is no bound is named, never forgiven.
        _ => None,
    };
    value.map_or_else(|| kind.name().to_owned(), |value| format!("--{} {value}", kind.name()))
}

#[cfg(test)]
mod tests {
    use super::{because, count};
    use dalang_explore::{Config, StopKind};

    #[test]
    fn one_is_not_many() {
        assert_eq!([count(0, "path"), count(1, "path")], ["0 paths", "1 path"]);
    }

    #[test]
    fn bounds_are_named_as_they_are_typed() {
        let config = Config { n: Some(3), ..Config::default() };
        let words = because(StopKind::N, "", &config);
        assert_eq!(words, "there are too many input objects of a class (--n 3)");
        assert_eq!(because(StopKind::Time, "", &config), "the time was up (--time 60)");
        let words = because(StopKind::Unsupported, "a.B.c()V\n", &config);
        assert_eq!(words, "this is not supported: a.B.c()V\\u000a");
    }
}
