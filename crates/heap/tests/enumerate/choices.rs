//! The alternatives of the lazy family: on each heap there is exactly one, none is in vain, and when all
//! references have been decided, a state is one heap.

use super::graphs::{Datum, Graph, Kind, Reading};
use super::world::{State, World, heaps, program};
use dalang_classes::Program;
use dalang_heap::{Alternative, Body, Bounds, Effect, InputId, Need, Policy, Resolution, Value};
use std::collections::VecDeque;

/// The most objects of a heap.
const MOST: usize = 3;

/// The order in which references are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Those of the object that was met first come first.
    Nearest,
    /// Those of the object that was met last come first.
    Deepest,
}

/// A state, with the references that are yet to be decided, and the heaps that agree with it.
struct Node {
    state: State,
    waiting: VecDeque<InputId>,
    heaps: Vec<usize>,
}

struct Run<'a, 'p> {
    world: World<'p>,
    order: Order,
    needs: &'static [Need],
    readings: Vec<Reading<'a>>,
    /// Heaps that a bound leaves out.
    cut: Vec<usize>,
}

impl Run<'_, '_> {
    /// The states in which everything is decided.
    fn run(&mut self, names: &[&str]) -> Vec<Node> {
        let waiting = self.world.nodes(names).into();
        let all = (0..self.readings.len()).collect();
        let mut nodes = vec![Node { state: self.world.state(), waiting, heaps: all }];
        let mut ended = Vec::new();
        while let Some(mut node) = nodes.pop() {
            match self.question(&mut node) {
                Some(alternatives) => nodes.extend(self.divide(&node, &alternatives)),
                None => ended.push(node),
            }
        }
        ended
    }

    /// What is asked next; none if everything is decided.
    fn question(&mut self, node: &mut Node) -> Option<Vec<Alternative>> {
        while let Some(&input) = node.waiting.front() {
            for &need in self.needs {
                let World { program, unknowns, .. } = &mut self.world;
                let State { heap, knowledge, .. } = &node.state;
                let asked = unknowns.alternatives(program, heap, knowledge, input, need);
                if asked.is_some() {
                    return asked;
                }
            }
            node.waiting.pop_front();
        }
        None
    }

    fn divide(&mut self, node: &Node, alternatives: &[Alternative]) -> Vec<Node> {
        let mut groups = vec![Vec::new(); alternatives.len()];
        for &heap in &node.heaps {
            groups[self.chosen(node, alternatives, heap)].push(heap);
        }
        let mut nodes = Vec::new();
        for (alternative, heaps) in alternatives.iter().zip(groups) {
            if heaps.is_empty() {
                self.assert_one_too_many(node, alternative);
            } else if let Effect::Cut(_) = alternative.effect {
                self.cut.extend(heaps);
            } else {
                nodes.push(self.choose(node, alternative.effect, heaps));
            }
        }
        nodes
    }

    /// The only alternative that agrees with a heap. Beyond a bound, it is that there is none.
    fn chosen(&self, node: &Node, alternatives: &[Alternative], heap: usize) -> usize {
        let (reading, knowledge) = (&self.readings[heap], &node.state.knowledge);
        let agrees = |&place: &usize| {
            reading.agrees(&self.world.unknowns, knowledge, alternatives[place].effect)
        };
        let mut agree: Vec<usize> = (0..alternatives.len()).filter(agrees).collect();
        let is_cut = |alternative: &Alternative| matches!(alternative.effect, Effect::Cut(_));
        if agree.is_empty() {
            agree.extend(alternatives.iter().position(is_cut));
        }
        let graph = reading.graph;
        assert_eq!(agree.len(), 1, "of {alternatives:?}, {agree:?} agree with {graph}");
        agree[0]
    }

    /// Nothing is proposed that no heap is like, but for one object more than heaps here have.
    fn assert_one_too_many(&self, node: &Node, alternative: &Alternative) {
        let is_known = match alternative.effect {
            Effect::Fresh(..) => node.state.knowledge.objects().len() >= MOST,
            effect => matches!(effect, Effect::Cut(_)),
        };
        assert!(is_known, "no heap is like {alternative:?}");
    }

    fn choose(&mut self, node: &Node, effect: Effect, heaps: Vec<usize>) -> Node {
        let (mut state, mut waiting) = (node.state.clone(), node.waiting.clone());
        let World { program, unknowns, .. } = &mut self.world;
        assert!(!unknowns.is_beyond(program, &state.heap, &state.knowledge, effect));
        let facts = self.world.choose(&mut state, effect);
        assert!(facts.holds.is_empty() && facts.bounds.is_empty(), "nothing is to be said");
        if let Effect::Fresh(..) = effect {
            let place = state.knowledge.objects().last().unwrap().reference;
            let Some(Value::Term(next)) = state.heap.get(place, 0) else {
                panic!("the fields of an input are inputs");
            };
            let next = self.world.unknowns.inputs.of_term(&self.world.pool, next).unwrap();
            match self.order {
                Order::Nearest => waiting.push_back(next),
                Order::Deepest => waiting.push_front(next),
            }
        }
        Node { state, waiting, heaps }
    }

    /// What a state knows is what the heap is.
    fn compare(&self, node: &Node) {
        let [heap] = node.heaps[..] else { panic!("one state for {} heaps", node.heaps.len()) };
        let (reading, inputs) = (&self.readings[heap], &self.world.unknowns.inputs);
        let State { heap, knowledge, .. } = &node.state;
        for &(input, known) in knowledge.resolutions() {
            match (known, reading.datum(inputs, input)) {
                (Resolution::Null, Some(Datum::Null)) => {}
                (Resolution::Object(place), Some(Datum::Object(object))) => {
                    let led = knowledge.object(place).unwrap().input;
                    assert_eq!(reading.object(inputs, led), Some(object), "{}", reading.graph);
                    assert!(matches!(heap.object(place).body, Body::Fields(_)));
                }
                other => panic!("{other:?} on {}", reading.graph),
            }
        }
        let places = knowledge.objects().len();
        assert_eq!(places, reading.graph.objects.len(), "{}", reading.graph);
    }
}

const DIRECTLY: &[Need] = &[Need::Object];
const STEP_BY_STEP: &[Need] = &[Need::Read, Need::Nullness, Need::Object];

/// Runs a policy, and gives the states in which everything is decided and the heaps that were left out.
fn decide(
    program: &Program,
    policy: Policy,
    bounds: &Bounds,
    order: Order,
    kinds: &[Kind],
    graphs: &[Graph],
) -> (usize, Vec<usize>) {
    let mut found = None;
    for needs in [DIRECTLY, STEP_BY_STEP] {
        let world = World::new(program, policy, bounds.clone());
        let readings = graphs.iter().map(|graph| Reading::new(graph, kinds)).collect();
        let mut run = Run { world, order, needs, readings, cut: Vec::new() };
        let ended = run.run(&["a", "b"]);
        for node in &ended {
            run.compare(node);
        }
        run.cut.sort_unstable();
        let states = (ended.len(), run.cut);
        assert!(found.is_none_or(|found| found == states), "{policy:?} by {needs:?}");
        found = Some(states);
    }
    found.unwrap()
}

const LAZY: [Policy; 3] = [Policy::Lazy, Policy::Lazier, Policy::LazierSharp];

#[test]
fn each_heap_agrees_with_one_alternative_and_each_alternative_with_a_heap() {
    let program = program();
    let (kinds, graphs) = heaps(&program, MOST, 2);
    for policy in LAZY {
        for order in [Order::Nearest, Order::Deepest] {
            let none = Bounds::default();
            let (states, cut) = decide(&program, policy, &none, order, &kinds, &graphs);
            assert_eq!((states, cut), (graphs.len(), Vec::new()), "{policy:?}, {order:?}");
        }
    }
}

#[test]
fn bounds_cut_the_heaps_that_have_more_objects_or_longer_chains_and_no_others() {
    let program = program();
    let (kinds, graphs) = heaps(&program, MOST, 2);
    let all = [Some(0), Some(1), Some(2), Some(3), None];
    for (policy, order) in
        LAZY.into_iter().flat_map(|policy| [(policy, Order::Nearest), (policy, Order::Deepest)])
    {
        for (k, n) in all.into_iter().flat_map(|k| all.map(|n| (k, n))) {
            let bounds = Bounds { k, n, ..Bounds::default() };
            let (states, cut) = decide(&program, policy, &bounds, order, &kinds, &graphs);
            let beyond: Vec<usize> = (0..graphs.len())
                .filter(|&heap| {
                    let depths = depths(&graphs[heap], order);
                    k.is_some_and(|k| depths.iter().any(|&depth| depth > k))
                        || n.is_some_and(|n| depths.len() > n as usize)
                })
                .collect();
            assert_eq!(cut, beyond, "{policy:?}, {order:?}, {k:?}, {n:?}");
            assert_eq!(states, graphs.len() - cut.len(), "{policy:?}, {order:?}, {k:?}, {n:?}");
        }
    }
}

/// How far away the objects of a heap are, by the way on which each is met first.
fn depths(graph: &Graph, order: Order) -> Vec<u32> {
    let mut waiting: VecDeque<(Datum, u32)> = graph.roots.iter().map(|&root| (root, 0)).collect();
    let mut met: Vec<(usize, u32)> = Vec::new();
    while let Some((datum, depth)) = waiting.pop_front() {
        let Datum::Object(object) = datum else { continue };
        if met.iter().any(|known| known.0 == object) {
            continue;
        }
        met.push((object, depth));
        let next = (graph.objects[object].fields[0], depth + 1);
        match order {
            Order::Nearest => waiting.push_back(next),
            Order::Deepest => waiting.push_front(next),
        }
    }
    met.into_iter().map(|known| known.1).collect()
}
