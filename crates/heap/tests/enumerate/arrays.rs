//! Arrays under the policies that keep references unresolved: of several inputs that are one array, the one
//! that was used first owns it, and all are as long.

use super::graphs::{Datum, Graph, Kind, Place, Reading, graphs, number_of};
use super::world::{State, World, program};
use dalang_classes::{Primitive, Program, ValueType};
use dalang_heap::{Body, Bounds, InputId, Policy, Reference, Resolution, Step};
use dalang_term::{Assignment, TermId};

const NAMES: [&str; 3] = ["a", "b", "c"];

struct Check<'a, 'p> {
    world: World<'p>,
    kinds: &'a [Kind],
    /// The heaps on which no input that was used is null.
    heaps: Vec<&'a Graph>,
    state: State,
    inputs: Vec<InputId>,
    /// The inputs that were used, in that order.
    used: Vec<usize>,
}

impl Check<'_, '_> {
    /// Uses an input, on the heaps on which it is an array.
    fn use_it(&mut self, place: usize) {
        self.heaps.retain(|heap| heap.roots[place] != Datum::Null);
        let mut readings = readings(&self.heaps, self.kinds);
        let input = self.inputs[place];
        let reference =
            self.world.apply(&mut self.state, &mut readings, |rules| rules.unresolved(input));
        self.world.use_it(&mut self.state, &mut readings, reference);
        self.used.push(place);
        self.owned(reference, |heap| heap.roots[place]);
    }

    /// Every input that was used leads to an array of the same length as the first that is this array,
    /// whatever the lengths are that the later ones have of their own.
    fn is_as_long(&mut self, place: usize) {
        let World { pool, unknowns, .. } = &self.world;
        let own = match self.state.knowledge.resolution(self.inputs[place]) {
            Some(Resolution::Bound(own)) => own,
            other => panic!("an input that was used is {other:?}"),
        };
        let Body::Elements(elements) = &self.state.heap.object(own).body else {
            panic!("an array has elements");
        };
        for heap in &self.heaps {
            let mut values = Assignment::new();
            for (at, &used) in self.used.iter().enumerate() {
                let Datum::Object(array) = heap.roots[used] else { panic!("it is used") };
                let first = self.used.iter().position(|&it| heap.roots[it] == heap.roots[used]);
                let length = if first == Some(at) { array as u64 + 1 } else { 99 };
                let input = unknowns.inputs.get(self.inputs[used]);
                values.set(input.symbol, number_of(array));
                let lengths = unknowns.inputs.find(Step::Length(self.inputs[used]));
                values.set(unknowns.inputs.get(lengths.unwrap()).symbol, length);
            }
            let Datum::Object(array) = heap.roots[place] else { panic!("it is used") };
            let length = pool.evaluate(elements.length, &values);
            assert_eq!(length, array as u64 + 1, "{:?} on {heap}", self.used);
        }
    }

    /// The second input if the first is the same, and the third if not.
    fn chosen(&mut self, a: usize, b: usize, c: usize) -> TermId {
        let mut all = readings(&self.heaps, self.kinds);
        let [a, b, c] = [a, b, c].map(|place| self.inputs[place]);
        self.world.apply(&mut self.state, &mut all, |rules| {
            let same = rules.same_inputs(a, b);
            let [then, otherwise] = [b, c].map(|input| rules.unresolved(input));
            rules.pool.ite(same, then, otherwise)
        })
    }

    /// The owners of a reference: on each heap it is one of them, the one that was used first.
    fn owned(&mut self, reference: TermId, meant: impl Fn(&Graph) -> Datum) {
        let mut all = readings(&self.heaps, self.kinds);
        let is_int = |value| value == ValueType::Primitive(Primitive::Int);
        let owners =
            self.world.apply(&mut self.state, &mut all, |rules| rules.owners(reference, &is_int));
        for reading in &mut all {
            let meant = meant(reading.graph);
            let Datum::Object(object) = meant else { continue };
            let first = self.used.iter().find(|&&place| reading.graph.roots[place] == meant);
            let World { pool, unknowns, .. } = &self.world;
            let holds =
                owners.iter().filter(|owner| reading.holds(pool, &unknowns.inputs, owner.0));
            let holds: Vec<Reference> = holds.map(|owner| owner.1).collect();
            let input = self.inputs[*first.expect("it was used")];
            let [owner] = holds[..] else { panic!("{holds:?} own {object} of {}", reading.graph) };
            let known = self.state.knowledge.object(owner).map(|known| known.input);
            assert_eq!(known, Some(input), "{:?} on {}", self.used, reading.graph);
            let Body::Elements(elements) = &self.state.heap.object(owner).body else {
                panic!("an array has elements");
            };
            let length = reading.value(pool, &unknowns.inputs, elements.length);
            assert_eq!(length, object as u64 + 1, "{:?} on {}", self.used, reading.graph);
        }
    }
}

fn readings<'a>(heaps: &[&'a Graph], kinds: &'a [Kind]) -> Vec<Reading<'a>> {
    heaps.iter().map(|heap| Reading::new(heap, kinds)).collect()
}

fn check<'a, 'p>(
    program: &'p Program,
    policy: Policy,
    kinds: &'a [Kind],
    graphs: &'a [Graph],
) -> Check<'a, 'p> {
    let mut world = World::new(program, policy, Bounds::default());
    let class = program.names().intern("[I");
    let inputs = world.parameters(&NAMES, class);
    let state = world.state();
    Check { world, kinds, heaps: graphs.iter().collect(), state, inputs, used: Vec::new() }
}

#[test]
fn an_array_belongs_to_the_input_that_was_used_first() {
    let program = program();
    let class = program.load("[I").unwrap();
    let kinds = [Kind { class, most: 3, fields: Vec::new() }];
    let graphs = graphs(&kinds, &[Place::Link(0); 3]);
    assert_eq!(graphs.len(), 15, "three references, each null or an array: Bell's fourth number");
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for policy in [Policy::Pose, Policy::Summary] {
        for order in orders {
            let mut check = check(&program, policy, &kinds, &graphs);
            for place in order {
                check.use_it(place);
                if policy == Policy::Pose {
                    check.is_as_long(place);
                }
            }
            assert_eq!(check.heaps.len(), 5, "three references to arrays: Bell's third number");
            // A reference that is one of two inputs, depending on whether two are the same.
            for [a, b, c] in orders {
                let reference = check.chosen(a, b, c);
                let same = |heap: &Graph| heap.roots[a] == heap.roots[b];
                check.owned(reference, |heap| heap.roots[if same(heap) { b } else { c }]);
            }
        }
    }
}
