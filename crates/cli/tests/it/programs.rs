//! The project's Java programs, with every JDK of this machine: `dalang` does what `java` does.
//!
//! A program is run with each JDK that is new enough. One that names replaced methods of the JDK
//! (`//@ replaces: ...`) is run with the replacements and without them.

use crate::directives::{Fixture, fixtures};
use crate::verdict::{self, Verdict};
use crate::{machines, oracle, process};
use dalang_classes::path::Jdk;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// One program, one JDK, one way to run it.
pub struct Run<'a> {
    pub area: &'a str,
    pub fixture: &'a Fixture,
    pub jdk: &'a Jdk,
    /// The compiled programs first, then libraries.
    pub class_path: Vec<PathBuf>,
    /// Whether the JDK's own bytecode is run where we have a replacement for it.
    pub plain: bool,
}

impl Run<'_> {
    fn verdict(&self) -> Verdict {
        let expected = match oracle::java(self.jdk, &self.class_path, self.fixture) {
            Ok(expected) => expected,
            Err(error) => return Verdict::Differs(format!("  {error}\n")),
        };
        let mut command = machines::dalang(self.jdk, &self.class_path);
        if self.plain {
            command.arg("--no-replacements");
        }
        let ended = process::run(command.arg(&self.fixture.name), b"");
        verdict::compare(&expected, ended.as_ref(), self.fixture.may_stop)
    }

    fn title(&self) -> String {
        let plain = if self.plain { ", no replacements" } else { "" };
        format!("{}/{} with JDK {}{plain}", self.area, self.fixture.name, self.jdk.version)
    }
}

/// The runs of some programs with one class path: as they are, and without replacements where that
/// can make a difference.
pub fn runs<'a>(
    area: &'a str,
    jdk: &'a Jdk,
    fixtures: &[&'a Fixture],
    class_path: &[PathBuf],
) -> Vec<Run<'a>> {
    let run = |(&fixture, plain): (&&'a Fixture, bool)| {
        let class_path = class_path.to_vec();
        let wanted = !plain || !fixture.replaces.is_empty();
        wanted.then_some(Run { area, fixture, jdk, class_path, plain })
    };
    fixtures
        .iter()
        .flat_map(|fixture| [(fixture, false), (fixture, true)])
        .filter_map(run)
        .collect()
}

/// Runs everything on all cores, and fails with a list of every disagreement.
pub fn assert_agreement(runs: &[Run<'_>]) {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::new());
    let work = || {
        while let Some((number, run)) = Some(next.fetch_add(1, Ordering::Relaxed))
            .and_then(|number| Some((number, runs.get(number)?)))
        {
            let verdict = run.verdict();
            verdicts.lock().unwrap().push((number, verdict));
        }
    };
    thread::scope(|scope| {
        for _ in 0..process::cores() {
            scope.spawn(work);
        }
    });
    let mut verdicts = verdicts.into_inner().unwrap();
    verdicts.sort_by_key(|(number, _)| *number);
    let (mut stopped, mut differences) = (0, Vec::new());
    for (number, verdict) in verdicts {
        let title = runs[number].title();
        match verdict {
            Verdict::Agrees => {}
            Verdict::Stopped(why) => {
                stopped += 1;
                eprintln!("{title}: stopped as it may: {why}");
            }
            Verdict::Differs(text) => differences.push(format!("{title}:\n{text}")),
        }
    }
    let agree = runs.len() - stopped - differences.len();
    eprintln!("{agree} of {} runs agree, {stopped} more until they stop", runs.len());
    assert!(
        differences.is_empty(),
        "{} of {} runs disagree with java:\n{}",
        differences.len(),
        runs.len(),
        differences.concat()
    );
}

#[test]
fn every_fixture_does_what_it_does_under_java() {
    let areas = ["jvms", "jdk"].map(|area| (area, fixtures(area)));
    let jdks = machines::jdks();
    let mut all = Vec::new();
    for (jdk, (area, fixtures)) in jdks.iter().flat_map(|jdk| areas.iter().map(move |a| (jdk, a))) {
        let (fit, left): (Vec<&Fixture>, Vec<&Fixture>) =
            fixtures.iter().partition(|fixture| fixture.jdk <= jdk.feature);
        eprintln!(
            "{} programs of {area} with JDK {} in {}; {} need a newer one",
            fit.len(),
            jdk.version,
            jdk.home.display(),
            left.len()
        );
        let classes = oracle::classes(jdk, &jdks, &fit, &[]);
        all.extend(runs(area, jdk, &fit, &[classes]));
    }
    let newest = jdks.iter().map(|jdk| jdk.feature).max().unwrap();
    let programs = areas.iter().flat_map(|(_, fixtures)| fixtures);
    let run = programs.filter(|fixture| fixture.jdk <= newest).count();
    assert!(run >= 120, "only {run} programs can be run with the JDKs of this machine");
    assert_agreement(&all);
}
