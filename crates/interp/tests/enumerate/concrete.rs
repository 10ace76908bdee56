//! Running a program on a concrete heap.

use super::graphs::{Datum, Graph, Kind};
use super::world;
use dalang_classes::{ClassId, MethodId};
use dalang_heap::{Body, Heap, Reference, Value};
use dalang_interp::{Cut, Machine, Outcome, State, Step, Stop, Way};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    Returned(Value),
    /// With an exception of this class.
    Threw(ClassId),
    /// Its calls were nested too deep.
    Deep,
}

impl Ending {
    /// How a run ended that a step was the last of.
    pub fn of(state: &State<'_>, step: &Step) -> Self {
        match step {
            Step::Ended(Outcome::Returned(Some(value))) => Self::Returned(*value),
            Step::Ended(Outcome::Threw(exception)) => Self::Threw(state.heap.class(*exception)),
            Step::Stopped(Stop::Cut(Cut::Calls)) => Self::Deep,
            step => panic!("no program here ends like this: {step:?}"),
        }
    }
}

/// A run on a concrete heap that has ended.
pub struct Run {
    pub ending: Ending,
    pub heap: Heap,
    /// A fingerprint of the branches, calls and exceptions.
    pub trace: u64,
    /// Where the objects of the heap are.
    pub places: Vec<Reference>,
}

impl Run {
    /// The object of the heap that is at a place.
    pub fn object(&self, place: Reference) -> Option<usize> {
        self.places.iter().position(|&own| own == place)
    }
}

/// Runs a method on a heap.
pub fn run(machine: &mut Machine<'_>, method: MethodId, kinds: &[Kind], graph: &Graph) -> Run {
    let mut state = world::state(method);
    let places = lay(&mut state.heap, kinds, graph);
    let arguments: Vec<Value> = graph.roots.iter().map(|&root| value(&places, root)).collect();
    machine.start(&mut state, method, &arguments).unwrap();
    let step = machine.run(&mut state, &Way::default(), u64::MAX);
    let ending = Ending::of(&state, &step);
    Run { ending, trace: state.track.trace, heap: state.heap, places }
}

/// Puts the objects of a heap in a machine's.
fn lay(heap: &mut Heap, kinds: &[Kind], graph: &Graph) -> Vec<Reference> {
    let blank = |kind: &Kind| Body::Fields(kind.fields.iter().map(|_| Value::NULL).collect());
    let make = |heap: &mut Heap, kind: &Kind| heap.allocate(kind.class, blank(kind));
    let objects = graph.objects.iter();
    let places: Vec<Reference> = objects.map(|node| make(heap, &kinds[node.kind])).collect();
    for (node, &place) in graph.objects.iter().zip(&places) {
        for (slot, &datum) in node.fields.iter().enumerate() {
            assert!(heap.set(place, slot, value(&places, datum)), "a field has a slot");
        }
    }
    places
}

fn value(places: &[Reference], datum: Datum) -> Value {
    match datum {
        Datum::Truth(truth) => Value::Int(truth.into()),
        Datum::Null => Value::NULL,
        Datum::Object(object) => Value::Reference(places[object]),
    }
}
