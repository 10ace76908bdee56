//! With bounds: heaps are left out just where a run without bounds has used more.

use super::graphs::{Reading, graphs, kinds};
use super::programs::{SOURCES, Subject};
use super::symbolic;
use super::world;
use dalang_classes::{ClassId, Program};
use dalang_heap::{Bounds, Policy};
use dalang_interp::{Machine, State};
use std::collections::BTreeMap;

/// D11 of summaries: what is plainly the same need not be counted where it is compared, and whether it is
/// follows from what happens to be settled. That an object more is compared with itself is found to be
/// beyond a bound, the answer settles that it is the same, the comparison starts again, and a summary does
/// not count it.
const FORGOTTEN: [&str; 1] = ["swap"];

/// D10 of POSE: the field of one object is compared with itself, through two inputs of which it is open
/// whether they are that object, and what the field leads to counts.
const TOO_FAR: [&str; 1] = ["same_next"];

#[test]
fn a_bound_on_objects_leaves_out_the_same_heaps_under_every_policy() {
    for most in [1, 2] {
        let bounds = Bounds { n: Some(most), ..Bounds::default() };
        // A lazy path counts what it reads, used or not.
        for (name, [_, lazier, lazier_sharp, summary, pose]) in left_out(&bounds) {
            assert!(lazier == lazier_sharp && lazier == pose, "{name}, {most} objects");
            let is_known = most == 2 && FORGOTTEN.contains(&name);
            assert_eq!(lazier != summary, is_known, "{name}, {most} objects");
        }
    }
}

#[test]
fn a_bound_on_chains_leaves_out_the_same_heaps_under_lazier_lazier_sharp_and_pose() {
    for most in [0, 1] {
        let bounds = Bounds { k: Some(most), ..Bounds::default() };
        // A location of a summary is as far away as the input that it was first read from.
        for (name, [_, lazier, lazier_sharp, _, pose]) in left_out(&bounds) {
            assert_eq!(lazier, lazier_sharp, "{name}, chains of {most}");
            let is_known = most == 0 && TOO_FAR.contains(&name);
            assert_eq!(lazier != pose, is_known, "{name}, chains of {most}");
        }
    }
}

/// The heaps that bounds leave out, of each program and under each policy.
fn left_out(bounds: &Bounds) -> Vec<(&'static str, [Vec<usize>; 5])> {
    let mut all = Vec::new();
    let mut count = 0;
    for source in &SOURCES {
        let program = world::program(source.file);
        for subject in source.programs {
            let out = Policy::ALL.map(|policy| heaps_left_out(&program, subject, policy, bounds));
            count += out[1].len();
            all.push((subject.method, out));
        }
    }
    assert!(count > 300, "{count} heaps are too few to tell anything");
    println!("n {:?}, k {:?}: {count} heaps left out", bounds.n, bounds.k);
    all
}

/// The heaps that bounds leave out. For the lazy family, they are those on which a run without bounds
/// has more in the end.
fn heaps_left_out(
    program: &Program,
    subject: &Subject,
    policy: Policy,
    bounds: &Bounds,
) -> Vec<usize> {
    let kinds = kinds(program, subject.sizes);
    let graphs = graphs(&kinds, &subject.roots);
    let method = world::method(program, subject.class, subject.method);
    let run = |bounds: &Bounds| {
        let mut machine = world::machine(program, policy, bounds);
        let mut readings: Vec<Reading<'_>> =
            graphs.iter().map(|graph| Reading::new(graph, &kinds)).collect();
        let mut run = symbolic::Run::new(&mut machine, method, &kinds, &mut readings);
        let paths = run.paths();
        let mut cut = run.cut;
        cut.sort_unstable();
        (machine, paths, cut)
    };
    let (_, _, cut) = run(bounds);
    if !policy.is_optimal() {
        let (machine, paths, none) = run(&Bounds::default());
        assert_eq!(none, [0; 0], "there are no bounds");
        let beyond = paths.iter().filter(|path| is_beyond(&machine, &path.state, bounds));
        let mut expected: Vec<usize> = beyond.flat_map(|path| path.heaps.clone()).collect();
        expected.sort_unstable();
        assert_eq!(cut, expected, "{} under {policy:?}, {bounds:?}", subject.method);
    }
    cut
}

/// Whether a state of the lazy family has more objects than bounds allow.
fn is_beyond(machine: &Machine<'_>, state: &State<'_>, bounds: &Bounds) -> bool {
    let mut counts: BTreeMap<ClassId, u32> = BTreeMap::new();
    state.knowledge.objects().iter().any(|object| {
        let count = counts.entry(state.heap.class(object.reference)).or_default();
        *count += 1;
        let depth = machine.unknowns.inputs.get(object.input).depth;
        bounds.n.is_some_and(|most| *count > most) || bounds.k.is_some_and(|most| depth > most)
    })
}
