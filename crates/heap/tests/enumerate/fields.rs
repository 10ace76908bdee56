//! Fields and comparisons under the policies that keep references unresolved: whatever was read, stored and
//! compared before, what is read then is on each heap what a concrete run reads there.

use super::graphs::{Datum, Graph, Kind, Node, Reading, number_of, numbered};
use super::random::Random;
use super::world::{State, World, heaps, program};
use dalang_classes::{FieldId, Program};
use dalang_heap::{Body, Bounds, Policy, Reference, Value};
use dalang_term::{Pool, Sort, TermId};

/// What is done. A number is that of a reference that is held: at first the inputs, then what was read or
/// made.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Reads `next`; the result is held, too.
    Load(usize),
    /// Stores the second reference in the first one's `next`.
    Store(usize, usize),
    /// Stores null there.
    Clear(usize),
    /// Makes `flag` true.
    Mark(usize),
    /// Decides whether two references are the same.
    Compare(usize, usize),
    /// Makes an object, which is held, too.
    Make,
}

/// Everything that can be done with so many references.
fn acts(held: usize) -> Vec<Act> {
    let mut acts = vec![Act::Make];
    for a in 0..held {
        acts.extend([Act::Load(a), Act::Clear(a), Act::Mark(a)]);
        acts.extend((0..held).map(|b| Act::Store(a, b)));
        acts.extend((0..a).map(|b| Act::Compare(a, b)));
    }
    acts
}

/// A heap as a concrete run has it.
#[derive(Clone)]
struct Concrete {
    /// Its number among all heaps.
    heap: usize,
    graph: Graph,
    held: Vec<Datum>,
}

/// What was done, on all heaps on which it can be.
#[derive(Clone)]
struct Trail {
    state: State,
    held: Vec<TermId>,
    made: Vec<Reference>,
    concrete: Vec<Concrete>,
    acts: Vec<Act>,
}

struct Check<'a, 'p> {
    world: World<'p>,
    kinds: &'a [Kind],
    readings: Vec<Reading<'a>>,
    next: FieldId,
    flag: FieldId,
    /// How many values were compared.
    compared: usize,
}

impl<'a, 'p> Check<'a, 'p> {
    fn new(program: &'p Program, policy: Policy, kinds: &'a [Kind], graphs: &'a [Graph]) -> Self {
        let [next, flag] = [0, 1].map(|slot| kinds[0].fields[slot].0);
        let world = World::new(program, policy, Bounds::default());
        let readings = graphs.iter().map(|graph| Reading::new(graph, kinds)).collect();
        Self { world, kinds, readings, next, flag, compared: 0 }
    }

    /// Nothing was done yet, and the inputs are held.
    fn begin(&mut self, names: &[&str]) -> Trail {
        let mut state = self.world.state();
        let inputs = self.world.nodes(names);
        let held = inputs.into_iter().map(|input| {
            let readings = &mut self.readings;
            self.world.apply(&mut state, readings, |rules| rules.unresolved(input))
        });
        let held = held.collect();
        let concrete = self.readings.iter().enumerate().map(|(heap, reading)| Concrete {
            heap,
            graph: reading.graph.clone(),
            held: reading.graph.roots.clone(),
        });
        let concrete = concrete.collect();
        Trail { state, held, made: Vec::new(), concrete, acts: Vec::new() }
    }

    /// Does something, on those heaps on which it can be done. A comparison goes two ways.
    fn act(&mut self, mut trail: Trail, act: Act) -> Vec<Trail> {
        trail.acts.push(act);
        match act {
            Act::Load(of) | Act::Store(of, _) | Act::Clear(of) | Act::Mark(of) => {
                trail.concrete.retain(|heap| heap.held[of] != Datum::Null);
                if trail.concrete.is_empty() {
                    return Vec::new();
                }
                let mut readings = self.of(&trail);
                let reference = trail.held[of];
                self.world.use_it(&mut trail.state, &mut readings, reference);
                self.follow(&mut trail, act, &mut readings);
                vec![trail]
            }
            Act::Compare(a, b) => self.compare(&trail, a, b),
            Act::Make => {
                let blank = Body::Fields([Value::NULL, Value::Int(0)].into());
                let made = trail.state.heap.allocate(self.kinds[0].class, blank);
                trail.made.push(made);
                trail.held.push(self.world.pool.identity(made.number()));
                for heap in &mut trail.concrete {
                    let fields = vec![Datum::Null, Datum::Truth(false)];
                    heap.held.push(Datum::Object(heap.graph.objects.len()));
                    heap.graph.objects.push(Node { kind: 0, fields });
                }
                vec![trail]
            }
        }
    }

    /// Reads or stores through a reference that is not null.
    fn follow(&mut self, trail: &mut Trail, act: Act, readings: &mut [Reading<'_>]) {
        let (next, flag) = (self.next, self.flag);
        let store = |rules: &mut dalang_heap::Guarded<'_>, reference, field, value| {
            let value = Value::of(rules.pool, value);
            assert!(rules.put_field(reference, field, value), "something has the field");
        };
        let held = trail.held.clone();
        let read = self.world.apply(&mut trail.state, readings, |rules| match act {
            Act::Load(of) => {
                let value = rules.get_field(held[of], next).expect("something has the field");
                Some(rules.term(value))
            }
            Act::Store(of, what) => {
                store(rules, held[of], next, held[what]);
                None
            }
            Act::Clear(of) => {
                store(rules, held[of], next, Pool::NULL);
                None
            }
            Act::Mark(of) => {
                let one = rules.pool.int(1);
                store(rules, held[of], flag, one);
                None
            }
            Act::Compare(..) | Act::Make => unreachable!("nothing is followed"),
        });
        trail.held.extend(read);
        for heap in &mut trail.concrete {
            let object = |of: usize| match heap.held[of] {
                Datum::Object(object) => object,
                other => panic!("{other:?} is followed"),
            };
            let objects = &mut heap.graph.objects;
            match act {
                Act::Load(of) => heap.held.push(objects[object(of)].fields[0]),
                Act::Store(of, what) => objects[object(of)].fields[0] = heap.held[what],
                Act::Clear(of) => objects[object(of)].fields[0] = Datum::Null,
                Act::Mark(of) => objects[object(of)].fields[1] = Datum::Truth(true),
                Act::Compare(..) | Act::Make => {}
            }
        }
    }

    fn compare(&mut self, trail: &Trail, a: usize, b: usize) -> Vec<Trail> {
        let mut trail = trail.clone();
        let (x, y) = (trail.held[a], trail.held[b]);
        let mut readings = self.of(&trail);
        let same = self.world.apply(&mut trail.state, &mut readings, |rules| rules.same(x, y));
        let ways = [true, false].map(|way| {
            let mut trail = trail.clone();
            trail.concrete.retain(|heap| (heap.held[a] == heap.held[b]) == way);
            for heap in &trail.concrete {
                self.compared += 1;
                assert_eq!(self.holds(heap, same), way, "{:?} on {}", trail.acts, heap.graph);
            }
            trail.state.settled.settle(&self.world.pool, same, way);
            trail
        });
        ways.into_iter().filter(|way| !way.concrete.is_empty()).collect()
    }

    /// The values that the heaps of a trail give to inputs.
    fn of(&self, trail: &Trail) -> Vec<Reading<'a>> {
        let graphs = trail.concrete.iter().map(|heap| self.readings[heap.heap].graph);
        graphs.map(|graph| Reading::new(graph, self.kinds)).collect()
    }

    fn holds(&mut self, heap: &Concrete, condition: TermId) -> bool {
        let World { pool, unknowns, .. } = &self.world;
        self.readings[heap.heap].holds(pool, &unknowns.inputs, condition)
    }

    /// Everything that can be read of what is held is as on each heap.
    fn look(&mut self, trail: &Trail) {
        for (place, &reference) in trail.held.iter().enumerate() {
            self.same_on_all(trail, reference, |heap| heap.held[place]);
            let mut after = trail.clone();
            after.concrete.retain(|heap| heap.held[place] != Datum::Null);
            if after.concrete.is_empty() {
                continue;
            }
            let mut readings = self.of(&after);
            self.world.use_it(&mut after.state, &mut readings, reference);
            for (slot, field) in [self.next, self.flag].into_iter().enumerate() {
                let value = self.world.apply(&mut after.state, &mut readings, |rules| {
                    let value = rules.get_field(reference, field).expect("it has the field");
                    rules.term(value)
                });
                self.same_on_all(&after, value, |heap| match heap.held[place] {
                    Datum::Object(object) => heap.graph.objects[object].fields[slot],
                    other => panic!("{other:?} is followed"),
                });
            }
        }
    }

    fn same_on_all(&mut self, trail: &Trail, term: TermId, expected: impl Fn(&Concrete) -> Datum) {
        for heap in &trail.concrete {
            let World { pool, unknowns, .. } = &self.world;
            let bits = self.readings[heap.heap].value(pool, &unknowns.inputs, term);
            let is_reference = self.world.pool.sort(term) == Sort::Ref;
            let bits = if is_reference { self.at_place(trail, heap, bits) } else { bits };
            let expected = match expected(heap) {
                Datum::Truth(truth) => u64::from(truth),
                Datum::Null => 0,
                Datum::Object(object) => number_of(object),
            };
            self.compared += 1;
            assert_eq!(
                bits,
                expected,
                "{:?} after {:?}, {} on {}",
                self.world.unknowns.policy,
                trail.acts,
                self.world.pool.infix(term),
                self.readings[heap.heap].graph
            );
        }
    }

    /// A place put as the number of the object that it stands for.
    fn at_place(&self, trail: &Trail, heap: &Concrete, bits: u64) -> u64 {
        let reading = &self.readings[heap.heap];
        if bits == 0 || numbered(bits).is_some() {
            return bits;
        }
        let place = Reference::new(bits as u32);
        if let Some(made) = trail.made.iter().position(|&made| made == place) {
            return number_of(reading.graph.objects.len() + made);
        }
        let known = trail.state.knowledge.object(place).expect("a place of an input");
        let object = reading.object(&self.world.unknowns.inputs, known.input);
        number_of(object.expect("a location at which there is something"))
    }
}

#[test]
fn after_all_short_sequences_each_field_is_as_on_every_heap() {
    let program = program();
    let (kinds, graphs) = heaps(&program, 3, 2);
    for policy in [Policy::Pose, Policy::Summary] {
        let mut check = Check::new(&program, policy, &kinds, &graphs);
        let mut trails = vec![check.begin(&["a", "b"])];
        let mut sequences = 0;
        while let Some(trail) = trails.pop() {
            check.look(&trail);
            sequences += 1;
            if trail.acts.len() == 3 {
                continue;
            }
            for act in acts(trail.held.len()) {
                trails.extend(check.act(trail.clone(), act));
            }
        }
        println!("{policy:?}: {sequences} sequences, {} values", check.compared);
    }
}

#[test]
fn after_long_sequences_each_field_is_as_on_every_heap() {
    let program = program();
    let (kinds, graphs) = heaps(&program, 3, 3);
    for policy in [Policy::Pose, Policy::Summary] {
        let mut check = Check::new(&program, policy, &kinds, &graphs);
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let mut trail = check.begin(&["a", "b", "c"]);
            while trail.acts.len() < 9 {
                let acts = acts(trail.held.len());
                let act = acts[random.below(acts.len())];
                let mut ways = check.act(trail.clone(), act);
                if ways.is_empty() {
                    break;
                }
                trail = ways.swap_remove(random.below(ways.len()));
            }
            check.look(&trail);
        }
        println!("{policy:?}: {} values", check.compared);
    }
}
