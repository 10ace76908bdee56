//! A machine for programs in Javalite: the library's classes are there, but nothing of them is executed.
//!
//! Bodies of the library's initializers and constructors do nothing, so that neither intrinsics nor what
//! they need take part: what runs is the program, and the exceptions that the machine itself raises.

use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{MethodId, Program};
use dalang_heap::{Bounds, Policy, Value};
use dalang_interp::{
    Call, Flow, Intrinsic, Intrinsics, Machine, Precision, Role, Settings, Silence, State, Takes,
};
use std::path::Path;

/// How deep calls can be nested, so that runs over cycles end.
const CALLS: usize = 7;

/// The library's initializers and constructors, as bodies that do nothing.
pub struct Idle;

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

impl Intrinsics for Idle {
    fn find(&self, class: &str, name: &str, _: &str) -> Option<Intrinsic> {
        let is_idle = class.starts_with("java/") && matches!(name, "<clinit>" | "<init>");
        is_idle.then_some(Intrinsic {
            role: Role::Required("what the library does is no matter here"),
            precision: Precision::Exact,
            takes: Takes::Anything,
            function: nothing,
        })
    }
}

/// A program made of a file of this folder.
pub fn program(file: &str) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enumerate/programs");
    let jdk = Jdk::find(None).expect("no JDK found: these tests cannot do without its library");
    let mut path = ClassPath::default();
    path.add_javalite(&folder.join(file)).unwrap_or_else(|error| panic!("{error}"));
    Program::new(Library::open(&jdk).unwrap(), path).unwrap()
}

/// A machine that follows a policy, within bounds.
pub fn machine<'p>(program: &'p Program, policy: Policy, bounds: &Bounds) -> Machine<'p> {
    let settings = Settings { symbolic: true, calls: CALLS, ..Settings::default() };
    let mut machine = Machine::new(program, &Idle, Box::new(Silence), settings).unwrap();
    machine.unknowns.policy = policy;
    machine.unknowns.bounds = bounds.clone();
    machine
}

/// A method of a class.
pub fn method(program: &Program, class: &str, name: &str) -> MethodId {
    let class = program.load(class).unwrap();
    let is_it = |&id: &MethodId| program.names().text(program.method(id).name) == name;
    program.class(class).methods().find(is_it).unwrap_or_else(|| panic!("no method {name}"))
}

/// A state whose way is recorded from here on.
pub fn state<'p>(method: MethodId) -> State<'p> {
    let mut state = State::new();
    state.heap.part();
    state.knowledge.begin();
    state.begin_track(method);
    state
}
