//! `dalang demo`: three short programs that look right, and what is wrong with them.

use crate::check::Session;
use crate::config::Plan;
use crate::flags::{self, Objects, Options};
use crate::scratch::Scratch;
use crate::streams::{Printer, complain};
use crate::{code, interrupt};
use anyhow::Context;
use dalang_explore::{Exploration, Violation};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// A program, the method that is explored, and what to say of it.
struct Example {
    file: &'static str,
    source: &'static str,
    method: &'static str,
    says: &'static str,
}

const EXAMPLES: [Example; 3] = [
    Example {
        file: "Playlist.java",
        source: include_str!("../../../subjects/demo/Playlist.java"),
        method: "demo.Playlist.remove",
        says: "A linked list of songs, and a method that takes one out. Nothing was said about what \
               it must do; that it must not fail on any playlist goes without saying.",
    },
    Example {
        file: "Meeting.java",
        source: include_str!("../../../subjects/demo/Meeting.java"),
        method: "demo.Meeting.coffeeIsDuringTheMeeting",
        says: "The middle of two numbers. The method at the end says what must hold: \
               Verify.assume restricts the inputs, Verify.check must be true for all that are left.",
    },
    Example {
        file: "Scores.java",
        source: include_str!("../../../subjects/demo/Scores.java"),
        method: "demo.Scores.enteringIsSafe",
        says: "A table of the three best scores. The check is that entering a score works for every \
               table and every score.",
    },
];

const BEGIN: &str = "\
dalang runs Java bytecode on inputs that stand for all values at once. Wherever the code could go two
ways, it follows both, and it keeps those ways that some input can take. If one of them fails, dalang
computes an input that fails, and runs the code again on that input to be sure.
";

const END: &str = "\
Each bug comes with an input that shows it, as a picture where it has objects in it, and `confirmed`
says that the code did fail when it was run on this very input. Now try your own:

    dalang check YourClass.java
    dalang check your.jar --class your.pkg.YourClass --time 10
";

/// Shows the examples.
///
/// # Errors
/// There is no JDK, or no compiler in it.
pub fn demo(flags: &flags::Plain) -> anyhow::Result<ExitCode> {
    let printer = Printer::new(flags.color);
    interrupt::listen();
    let folder = Scratch::new("the examples")?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for example in &EXAMPLES {
        let path = folder.path().join(example.file);
        fs::write(&path, example.source).context("no room for the examples")?;
        paths.push(path);
    }
    let options = Options {
        method: EXAMPLES.iter().map(|example| example.method.to_owned()).collect(),
        jdk: flags.jdk.clone(),
        color: Some(flags.color),
        // Small inputs will do, and nobody wants to wait.
        n: Some(Objects { each: Some(3), of: Vec::new() }),
        time: Some(20.0),
        ..Options::default()
    };
    let mut plan = Plan::plain(options)?;
    let session = Session::open(&mut plan, &paths)?;
    printer.print(BEGIN)?;
    let mut examples = EXAMPLES.iter().zip(1..);
    let run = session.explore(&plan.config, plan.output, |exploration| {
        if let Some((example, number)) = examples.next() {
            printer.print(&show(example, number, exploration))?;
        }
        Ok(())
    })?;
    let found = run.methods.iter().all(|method| !method.violations.is_empty());
    if !found {
        if let Some(code) = interrupt::code() {
            return Ok(ExitCode::from(code));
        }
        complain("a bug of the examples was not found: this is a defect of dalang");
        return Ok(ExitCode::from(code::DEFECT));
    }
    printer.print(&format!("\n{END}"))?;
    Ok(ExitCode::SUCCESS)
}

fn show(example: &Example, number: u32, exploration: &Exploration) -> String {
    let mut text = format!("\n{number}. {}\n\n{}\n\n", example.file, wrapped(example.says));
    for violation in &exploration.violations {
        text.push_str(&excerpt(example.source, violation));
        text.push_str(&dalang_report::violation_text(violation, exploration));
    }
    text
}

/// The lines around the one that fails, which is marked.
fn excerpt(source: &str, violation: &Violation) -> String {
    const AROUND: u32 = 4;
    let Some(line) = violation.outcome.at.as_ref().and_then(|at| at.line) else {
        return String::new();
    };
    let mut text = String::new();
    for (number, content) in (1..).zip(source.lines()) {
        if number + AROUND >= line && number <= line + 1 {
            let mark = if number == line { ">" } else { " " };
            let shown = format!("  {mark} {number:>3} | {content}");
            text.push_str(shown.trim_end());
            text.push('\n');
        }
    }
    text.push('\n');
    text
}

/// The text in lines that are not too long.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 100;
    let mut wrapped = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        if width > 0 && width + 1 + word.len() > WIDTH {
            wrapped.push('\n');
            width = 0;
        } else if width > 0 {
            wrapped.push(' ');
            width += 1;
        }
        wrapped.push_str(word);
        width += word.len();
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_texts_are_broken_between_words() {
        let text = "word ".repeat(50);
        let wrapped = wrapped(&text);
        assert_eq!(wrapped.lines().count(), 3);
        assert!(wrapped.lines().all(|line| line.len() <= 100 && !line.ends_with(' ')));
        assert_eq!(wrapped.split_whitespace().count(), 50);
    }
}
