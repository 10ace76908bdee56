//! Bounds under the policies that keep references unresolved: what must hold for a use is that no more
//! objects have been used, and none farther away, than the bounds allow.

use super::graphs::{Datum, Graph, Kind, Reading};
use super::world::{State, World, heaps, program};
use dalang_classes::FieldId;
use dalang_heap::{Bounds, Policy, Settled};
use dalang_term::{Pool, TermId};
use std::collections::VecDeque;

/// How many references are followed on a way.
const USES: usize = 6;

/// Where a heap is on a way.
#[derive(Clone)]
struct Concrete {
    /// Its number among all heaps.
    heap: usize,
    /// The objects that were used.
    used: Vec<usize>,
    /// What is yet to be used, and how far away it is.
    waiting: VecDeque<(Datum, u32)>,
}

/// A way on which references are used, the nearest first.
#[derive(Clone)]
struct Way {
    state: State,
    waiting: VecDeque<TermId>,
    concrete: Vec<Concrete>,
    uses: usize,
}

struct Check<'a, 'p> {
    world: World<'p>,
    kinds: &'a [Kind],
    graphs: &'a [Graph],
    next: FieldId,
    /// How many uses were within the bounds, and how many beyond.
    counts: [usize; 2],
}

impl<'a> Check<'a, '_> {
    fn begin(&mut self) -> Way {
        let inputs = self.world.nodes(&["a", "b"]);
        let mut state = self.world.state();
        let mut all: Vec<Reading<'_>> =
            self.graphs.iter().map(|graph| Reading::new(graph, self.kinds)).collect();
        let waiting = inputs
            .into_iter()
            .map(|input| self.world.apply(&mut state, &mut all, |rules| rules.unresolved(input)));
        let waiting = waiting.collect();
        let concrete = self.graphs.iter().enumerate().map(|(heap, graph)| Concrete {
            heap,
            used: Vec::new(),
            waiting: graph.roots.iter().map(|&root| (root, 0)).collect(),
        });
        Way { state, waiting, concrete: concrete.collect(), uses: 0 }
    }

    /// Uses the next reference, and what its object leads to is waiting then. Where it is null, the way
    /// goes on without it.
    fn step(&mut self, mut way: Way) -> Vec<Way> {
        let Some(reference) = way.waiting.pop_front() else { return Vec::new() };
        way.uses += 1;
        let mut all = self.readings(&way);
        let null = self.world.apply(&mut way.state, &mut all, |it| it.same(reference, Pool::NULL));
        let mut without = way.clone();
        let is_null = |heap: &Concrete| heap.waiting[0].0 == Datum::Null;
        without.concrete.retain(is_null);
        for heap in &mut without.concrete {
            heap.waiting.pop_front();
        }
        without.state.settled.settle(&self.world.pool, null, true);
        way.concrete.retain(|heap| !is_null(heap));
        way.state.settled.settle(&self.world.pool, null, false);
        self.bound(&mut way, reference);
        if way.concrete.is_empty() {
            return vec![without];
        }
        let mut all = self.readings(&way);
        self.world.use_it(&mut way.state, &mut all, reference);
        let next = self.next;
        let read = self.world.apply(&mut way.state, &mut all, |rules| {
            let value = rules.get_field(reference, next).unwrap();
            rules.term(value)
        });
        way.waiting.push_back(read);
        for heap in &mut way.concrete {
            let (object, depth) = match heap.waiting.pop_front() {
                Some((Datum::Object(object), depth)) => (object, depth),
                other => panic!("{other:?} is used"),
            };
            if !heap.used.contains(&object) {
                heap.used.push(object);
            }
            let next = self.graphs[heap.heap].objects[object].fields[0];
            heap.waiting.push_back((next, depth + 1));
        }
        [way, without].into_iter().filter(|way| !way.concrete.is_empty()).collect()
    }

    /// Leaves out the heaps on which a use is beyond the bounds, which must be the right ones.
    fn bound(&mut self, way: &mut Way, reference: TermId) {
        let mut all = self.readings(way);
        let uses = self.world.apply(&mut way.state, &mut all, |rules| rules.inputs(reference));
        let bounds = self.world.unknowns.bounds.clone();
        let mut within = vec![true; all.len()];
        for used in uses {
            let rules = self.world.apply(&mut way.state, &mut all, |rules| rules.bounds(&[used]));
            for (reading, within) in all.iter_mut().zip(&mut within) {
                let World { pool, unknowns, .. } = &self.world;
                *within &= rules.iter().all(|rule| reading.holds(pool, &unknowns.inputs, rule.1));
            }
        }
        let mut results = within.into_iter();
        way.concrete.retain(|heap| {
            let within = results.next().unwrap();
            let (datum, depth) = heap.waiting[0];
            let Datum::Object(object) = datum else { panic!("{datum:?} is used") };
            let is_new = !heap.used.contains(&object);
            let is_many = bounds.n.is_some_and(|n| heap.used.len() >= n as usize);
            let is_far = bounds.k.is_some_and(|k| depth > k);
            let beyond = is_new && (is_many || is_far);
            self.counts[usize::from(beyond)] += 1;
            let graph = &self.graphs[heap.heap];
            assert_eq!(
                within,
                !beyond,
                "{bounds:?}: {object} after {:?} on {graph}, {} settled",
                heap.used,
                way.state.settled.count()
            );
            within
        });
    }

    fn readings(&self, way: &Way) -> Vec<Reading<'a>> {
        let graphs = way.concrete.iter().map(|heap| &self.graphs[heap.heap]);
        graphs.map(|graph| Reading::new(graph, self.kinds)).collect()
    }
}

#[test]
fn uses_are_within_the_bounds_as_on_every_heap() {
    let program = program();
    let (kinds, graphs) = heaps(&program, 3, 2);
    let all = [Some(0), Some(1), Some(2), Some(3), None];
    for policy in [Policy::Pose, Policy::Summary] {
        let mut counts = [0; 2];
        for (k, n) in all.into_iter().flat_map(|k| all.map(|n| (k, n))) {
            let world = World::new(&program, policy, Bounds { k, n, ..Bounds::default() });
            let next = kinds[0].fields[0].0;
            let mut check = Check { world, kinds: &kinds, graphs: &graphs, next, counts: [0; 2] };
            let mut ways = vec![check.begin()];
            while let Some(way) = ways.pop() {
                if way.uses < USES {
                    ways.extend(check.step(way));
                }
            }
            counts.iter_mut().zip(check.counts).for_each(|(all, count)| *all += count);
        }
        println!("{policy:?}: {} uses within bounds, {} beyond", counts[0], counts[1]);
        assert!(counts[0] > 1000 && counts[1] > 500, "{counts:?} are too few to tell anything");
    }
}
