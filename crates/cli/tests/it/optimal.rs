//! Every program of `subjects` under the policies that do not divide paths: every path's witness goes
//! its way, no program path is found twice, and the program paths are those that lazier# finds.
//!
//! `cargo xtask experiments witnesses` does the same with larger bounds.

use crate::counts::{OPTIMAL, Row, explore, programs};
use crate::ways::{COMPARING, GROWING, is_too_large, is_whole, missing, repeated, strays};
use dalang_explore::{Exploration, StopKind};
use dalang_heap::Policy;

/// Programs for which two objects of a class, or elements of an array, are too few or too many.
const SIZES: [(&str, u32); 11] = [
    ("arrays.BinaryHeap", 3),
    ("library.ArrayListChecks", 3),
    ("demo.Scores", 3),
    ("trees.BinarySearchTree", 3),
    ("trees.AvlTree", 3),
    ("trees.AATree", 3),
    // Any list, which may be a circle; it is followed as far as loops and calls may go.
    ("ContainsList", 1),
    ("Node.contains", 1),
    ("papers.ContainsList", 1),
    ("papers.Marking$Cells.has", 1),
    ("demo.Playlist", 1),
];

fn size(program: &str) -> u32 {
    let known = SIZES.iter().find(|(name, _)| program.starts_with(name));
    known.map_or(2, |&(_, size)| size)
}

/// Whether a program is explored here and not only by the chore: not searches for many objects in long
/// lists, and no operations on any input, circles included, that take long.
fn is_affordable(program: &str) -> bool {
    const STRUCTURES: [&str; 3] = ["trees.", "lists.", "library."];
    const SHORT: [&str; 2] = ["papers.ContainsList.atMost1", "papers.ContainsList.atMost2"];
    let name = program.split('.').next_back().unwrap_or(program);
    if name.starts_with("atMost") {
        return SHORT.contains(&program);
    }
    if COMPARING.contains(&program) {
        return false;
    }
    name.starts_with("check") || !STRUCTURES.iter().any(|folder| program.starts_with(folder))
}

fn row((class, method): (&'static str, &str), policy: Policy) -> Row {
    let size = size(&spelled(class, method));
    let row = Row::new(class, method, policy);
    Row { n: Some(size), array: Some(size), retrace: true, followed: true, ..row }
}

/// `trees/AvlTree` and `checkFind` as Java spells them.
fn spelled(class: &str, method: &str) -> String {
    format!("{}.{method}", class.replace('/', "."))
}

/// What is wrong with an exploration, beside one under lazier#.
fn wrong(program: &str, found: &Exploration, lazy: &Exploration) -> Vec<String> {
    let mut wrong = Vec::new();
    let paths = found.paths.completed() + found.paths.diverging;
    if paths == 0 || found.outcomes.len() as u64 != paths {
        wrong.push(format!(
            "{} paths and {} outcomes",
            found.paths.completed(),
            found.outcomes.len()
        ));
    }
    wrong.extend(strays(found).into_iter().map(|path| format!("a witness strays: {path}")));
    let twice = repeated(found).into_iter().filter(|path| !is_too_large(program, path));
    wrong.extend(twice.map(|path| format!("a path is found twice: {path}")));
    let is_bad = |kind| {
        !matches!(
            kind,
            StopKind::N | StopKind::Array | StopKind::Allocation | StopKind::Loop | StopKind::Calls
        )
    };
    wrong.extend(
        found.stops.iter().filter(|stop| is_bad(stop.kind)).map(|stop| format!("{stop:?}")),
    );
    assert!(is_whole(lazy), "{program}: {:?}", lazy.stops);
    let lost = missing(found, lazy).into_iter().map(|path| format!("only lazier# has {path}"));
    wrong.extend(lost);
    wrong.extend(missing(lazy, found).into_iter().map(|path| format!("lazier# lacks {path}")));
    wrong
}

#[test]
fn every_program_path_is_found_once_and_its_witness_goes_it() {
    let mut programs = programs();
    programs.retain(|(class, method)| is_affordable(&spelled(class, method)));
    let policies = [Policy::LazierSharp, OPTIMAL[0], OPTIMAL[1]];
    let mut rows = Vec::new();
    for (class, method) in &programs {
        rows.extend(policies.map(|policy| row((class, method), policy)));
    }
    let found = explore(&rows);
    let (mut complaints, mut paths, mut twice) = (Vec::new(), 0, Vec::new());
    for ((class, method), found) in programs.iter().zip(found.chunks(policies.len())) {
        let program = &spelled(class, method);
        for (policy, one) in OPTIMAL.into_iter().zip(&found[1..]) {
            paths += one.paths.completed();
            let name = policy.name();
            complaints.extend(
                wrong(program, one, &found[0])
                    .iter()
                    .map(|what| format!("{program} {name}: {what}\n")),
            );
            twice.extend((!repeated(one).is_empty()).then(|| program.clone()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.concat());
    // Whoever is excepted needs it.
    twice.dedup();
    assert_eq!(twice, GROWING);
    // Every folder has its programs; the numbers are for whoever makes the bounds smaller.
    println!("{} programs, {paths} paths", programs.len());
    assert!(programs.len() >= 150 && paths >= 2400, "{} programs, {paths} paths", programs.len());
}
