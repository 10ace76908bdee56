//! Without bounds: on every heap, a path ends as the run on that heap does.

use super::compare::Comparison;
use super::concrete;
use super::graphs::{Graph, Kind, Reading, graphs, kinds};
use super::programs::{SOURCES, Source, Subject};
use super::symbolic;
use super::world;
use dalang_classes::Program;
use dalang_heap::{Bounds, Policy};
use std::collections::BTreeSet;

#[test]
fn lists_are_as_on_every_heap() {
    check_all(&SOURCES[0]);
}

#[test]
fn trees_are_as_on_every_heap() {
    check_all(&SOURCES[1]);
}

#[test]
fn objects_of_several_classes_are_as_on_every_heap() {
    check_all(&SOURCES[2]);
}

fn check_all(source: &Source) {
    let program = world::program(source.file);
    let (mut heaps, mut paths) = (0, 0);
    for subject in source.programs {
        let kinds = kinds(&program, subject.sizes);
        let graphs = graphs(&kinds, &subject.roots);
        let found = Policy::ALL.map(|policy| count(&program, subject, policy, &kinds, &graphs));
        let name = subject.method;
        println!("{name}: {} heaps, {found:?} paths", graphs.len());
        let [lazy, lazier, lazier_sharp, ..] = found;
        assert!(lazy >= lazier && lazier >= lazier_sharp, "{name}: {found:?}");
        heaps += graphs.len();
        paths += found.iter().sum::<usize>();
    }
    println!("{}: {} programs, {heaps} heaps, {paths} paths", source.file, source.programs.len());
}

/// How many paths a program has under a policy, all of which end as they should.
fn count(
    program: &Program,
    subject: &Subject,
    policy: Policy,
    kinds: &[Kind],
    graphs: &[Graph],
) -> usize {
    let name = format!("{}.{} under {policy:?}", subject.class, subject.method);
    let method = world::method(program, subject.class, subject.method);
    let mut machine = world::machine(program, policy, &Bounds::default());
    let runs: Vec<concrete::Run> =
        graphs.iter().map(|graph| concrete::run(&mut machine, method, kinds, graph)).collect();
    let mut readings: Vec<Reading<'_>> =
        graphs.iter().map(|graph| Reading::new(graph, kinds)).collect();
    let mut all = symbolic::Run::new(&mut machine, method, kinds, &mut readings);
    let paths = all.paths();
    assert_eq!(all.untaken, [""; 0], "{name}: no heap goes there");
    assert_eq!(all.cut, [0; 0], "{name}: there are no bounds");
    for path in &paths {
        for &heap in &path.heaps {
            let comparison = Comparison::new(&machine, path, &runs[heap], &mut readings[heap]);
            let wrong = comparison.differences();
            assert!(wrong.is_empty(), "{name}, on {}: {wrong:#?}", graphs[heap]);
        }
    }
    let taken: usize = paths.iter().map(|path| path.heaps.len()).sum();
    assert_eq!(taken, graphs.len(), "{name}: each heap goes one way");
    let ways: BTreeSet<u64> = runs.iter().map(|run| run.trace).collect();
    if policy.is_optimal() {
        assert_eq!(paths.len(), ways.len(), "{name}: a path for each way of the program");
    }
    paths.len()
}
