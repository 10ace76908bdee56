//! Texts of hand-made results.

use super::{Manner, method, summary};
use crate::run::Unloaded;
use crate::sample::{self, plain};
use dalang_explore::{Config, Exploration, Kinds, Replay, StopKind, Verdict, ViolationKind};
use expect_test::{Expect, expect};

fn config() -> Config {
    Config { n: Some(5), given: vec![StopKind::N], ..Config::default() }
}

fn check(exploration: &Exploration, manner: Manner, expected: &Expect) {
    expected.assert_eq(&plain(&method(exploration, &config(), manner)));
}

#[test]
fn a_violation_is_a_line_a_picture_and_an_account() {
    check(
        &sample::violating(),
        Manner::Full,
        &expect![[r#"
            Playlist.java:22: null: NullPointerException in demo.Playlist.remove, with this = #1, id = 0 (confirmed)

                           ┌─────────────┐
                  this ───▶│ #1 Playlist │   ┌──────────────────┐
                           │ first ─────────▶│ #2 Playlist$Song │
                           └─────────────┘   │ id = 1           │
                                             │ next = null      │
                                             └──────────────────┘

                whenever this.first.id != id && this.first.next == null
            demo.Playlist.remove(int): unsafe: some input makes it go wrong
                followed 11 paths through the code: 8 to a normal end, 1 to an exception that the code throws itself or expects, 2 to a violation; left 4 paths alone that an assumption rules out
                covered 5 of 6 branches, all lines, 40 of 44 instructions; no followed path takes the other branches
                left out: 3 paths given up
                    2 because this is not supported: a.B.c()V
                    1 because a loop went round more than 10 times (--loop 10)
                assumed: demo.Shape is one of demo.Circle, demo.Square
        "#]],
    );
}

#[test]
fn every_path_is_there_if_asked_for() {
    check(
        &sample::violating(),
        Manner::Verbose,
        &expect![[r#"
            Playlist.java:22: null: NullPointerException in demo.Playlist.remove, with this = #1, id = 0 (confirmed)

                           ┌─────────────┐
                  this ───▶│ #1 Playlist │   ┌──────────────────┐
                           │ first ─────────▶│ #2 Playlist$Song │
                           └─────────────┘   │ id = 1           │
                                             │ next = null      │
                                             └──────────────────┘

                whenever this.first.id != id && this.first.next == null
            demo.Playlist.remove(int): unsafe: some input makes it go wrong
                followed 11 paths through the code: 8 to a normal end, 1 to an exception that the code throws itself or expects, 2 to a violation; left 4 paths alone that an assumption rules out
                covered 5 of 6 branches, all lines, 40 of 44 instructions; no followed path takes the other branches
                left out: 3 paths given up
                    2 because this is not supported: a.B.c()V
                    1 because a loop went round more than 10 times (--loop 10)
                assumed: demo.Shape is one of demo.Circle, demo.Square
                path 1: returns id + 1 if this.first == null
                path 2: violation (null): NullPointerException if this.first.id != id && this.first.next == null; for example this = #1, id = 0
        "#]],
    );
}

#[test]
fn one_line_will_do_for_many() {
    check(
        &sample::safe(),
        Manner::Brief,
        &expect![[r#"
        safe      demo.Meeting.middle(): 1 path
    "#]],
    );
    let mut method = sample::safe();
    method.assumptions = vec!["one".to_owned(), "two".to_owned()];
    check(
        &method,
        Manner::Brief,
        &expect![[r#"
            safe      demo.Meeting.middle(): 1 path; 2 assumptions
        "#]],
    );
    check(
        &sample::undecided(),
        Manner::Brief,
        &expect![[r#"
            undecided demo.Slow.loop(long): 0 paths; 2 given up: this is not supported: a.B.c()V (and 1 other reason)
        "#]],
    );
}

#[test]
fn safety_within_bounds_names_the_bounds() {
    let mut method = sample::safe();
    method.exhaustive = false;
    method.paths.stopped = 3;
    method.stops = vec![sample::stop(StopKind::N, "", 3)];
    check(
        &method,
        Manner::Full,
        &expect![[r#"
            demo.Meeting.middle(): safe: no input within the bounds that were given (--n 5) makes it go wrong
                followed 1 path through the code: 1 to a normal end
                covered all lines, all instructions
                left out: 3 paths given up
                    3 because there are too many input objects of a class (--n 5)
        "#]],
    );
}

#[test]
fn quiet_leaves_only_what_is_wrong() {
    assert_eq!(method(&sample::undecided(), &config(), Manner::Quiet), "");
    let text = plain(&method(&sample::violating(), &config(), Manner::Quiet));
    assert!(text.starts_with("Playlist.java:22: null: NullPointerException in "), "{text}");
    assert_eq!(summary(&sample::run(vec![sample::safe()]), Manner::Quiet), "");
}

#[test]
fn quiet_counts_what_safety_rests_on() {
    let mut safe = sample::safe();
    safe.assumptions = vec!["no class extends A".to_owned()];
    let text = plain(&summary(&sample::run(vec![safe]), Manner::Quiet));
    let line = "safe: 1 method: 1 safe, 0 unsafe, 0 undecided; no violation; under 1 assumption (-v shows it)\n";
    assert_eq!(text, line);
}

#[test]
fn quiet_says_what_is_open_also_if_something_is_wrong() {
    let run = sample::run(vec![sample::violating(), sample::undecided()]);
    let text = plain(&summary(&run, Manner::Quiet));
    assert!(text.contains("the time was up (--time 60)"), "{text}");
    assert!(text.contains("unsafe: 2 methods: 0 safe, 1 unsafe, 1 undecided"), "{text}");
    let mut safe = sample::safe();
    safe.assumptions = vec!["no class extends A".to_owned()];
    let text = plain(&summary(&sample::run(vec![sample::violating(), safe]), Manner::Quiet));
    assert!(text.starts_with("unsafe: 2 methods: 1 safe, 1 unsafe, 0 undecided"), "{text}");
    assert_eq!(summary(&sample::run(vec![sample::violating()]), Manner::Quiet), "");
}

#[test]
fn what_was_not_looked_for_is_named() {
    let violations = Kinds::NONE.with(ViolationKind::Assert).with(ViolationKind::Throw);
    let mut run = sample::run(vec![sample::safe()]);
    run.config.violations = violations;
    let text = plain(&method(&sample::safe(), &run.config, Manner::Full));
    assert!(text.contains("in the ways that were looked for (assert, throw)\n"), "{text}");
    assert!(text.contains("left out: violations of the kinds contract, null"), "{text}");
    let text = plain(&summary(&run, Manner::Quiet));
    assert!(text.ends_with("; looked only for assert, throw (--violations)\n"), "{text}");
    run.violations_from = Some("x/dalang.toml".to_owned());
    let text = plain(&summary(&run, Manner::Quiet));
    assert!(text.ends_with("; looked only for assert, throw (x/dalang.toml)\n"), "{text}");
}

#[test]
fn what_was_not_executed_again_is_listed_and_decides_nothing() {
    let mut open = sample::violating();
    open.verdict = Verdict::Undecided;
    open.violations[0].outcome.replay = Replay::Off;
    let text = plain(&method(&open, &config(), Manner::Full));
    assert!(text.contains("(not executed again)"), "{text}");
    assert!(text.contains("undecided: something seems to go wrong, but it could not"), "{text}");
    let text = plain(&method(&open, &config(), Manner::Brief));
    assert!(text.contains(", 1 violation not executed again; "), "{text}");
    let mut run = sample::run(vec![open]);
    assert!(!run.is_violated());
    run.config.replay = false;
    assert!(run.is_violated());
}

#[test]
fn our_own_mistakes_are_loud() {
    let mut method = sample::violating();
    method.violations[0].outcome.replay = Replay::Refuted;
    method.violations[0].outcome.witness = None;
    method.stops = vec![sample::stop(StopKind::Bug, "index\nout of range", 1)];
    check(
        &method,
        Manner::Quiet,
        &expect![[r#"
            Playlist.java:22: null: NullPointerException in demo.Playlist.remove, on some input that could not be computed (REFUTED: it did not happen again; a defect of dalang)
                whenever this.first.id != id && this.first.next == null
            DEFECT OF DALANG in demo.Playlist.remove(int): index\u000aout of range (1 time)
            DEFECT OF DALANG in demo.Playlist.remove(int): a violation (null) did not happen when it was executed again
        "#]],
    );
}

#[test]
fn a_summary_has_totals_and_reasons() {
    let mut run = sample::run(vec![sample::safe(), sample::violating(), sample::undecided()]);
    run.unloaded =
        vec![Unloaded { class: "p.C".to_owned(), reason: "NoClassDefFoundError: q.D".to_owned() }];
    run.interrupted = true;
    let expected = expect![[r#"
        1 class could not be analysed:
            p.C: NoClassDefFoundError: q.D
        Why paths were given up, most methods first:
            2 methods, 3 paths: this is not supported: a.B.c()V
            1 method, 1 path: a loop went round more than 10 times (--loop 10)
            1 method, 1 path: the time was up (--time 60)
        interrupted: not everything was explored
        unsafe: 3 methods: 1 safe, 1 unsafe, 1 undecided; 1 violation, 1 confirmed; under 1 assumption (-v shows it)
    "#]];
    expected.assert_eq(&plain(&summary(&run, Manner::Brief)));
    assert_eq!(run.verdict(), Verdict::Unsafe);
}

#[test]
fn what_was_not_looked_at_is_not_safe() {
    let mut run = sample::run(vec![sample::safe()]);
    assert_eq!(run.verdict(), Verdict::Safe);
    run.interrupted = true;
    assert_eq!(run.verdict(), Verdict::Undecided);
}

#[test]
fn no_escape_code_of_a_class_file_gets_through() {
    let mut method_ = sample::violating();
    method_.method = "p.\u{1b}[31mC.m()V".to_owned();
    let outcome = &mut method_.violations[0].outcome;
    outcome.message = Some("a\u{1b}]0;title\u{7}".to_owned());
    outcome.condition = "x\u{9b}2J".to_owned();
    if let Some(at) = &mut outcome.at {
        at.file = Some("\u{1b}c.java".to_owned());
        at.class = "\u{1b}".to_owned();
    }
    method_.stops[1].detail = "\u{1b}".to_owned();
    method_.assumptions = vec!["\u{1b}".to_owned()];
    method_.outcomes =
        method_.violations.iter().map(|violation| violation.outcome.clone()).collect();
    let text = plain(&method(&method_, &config(), Manner::Verbose));
    let run = plain(&summary(&sample::run(vec![method_, sample::undecided()]), Manner::Brief));
    assert!(text.contains("p.\\u001b[31mC.m()"), "{text:?}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert!(!run.contains(|c: char| c.is_control() && c != '\n'), "{run:?}");
}
