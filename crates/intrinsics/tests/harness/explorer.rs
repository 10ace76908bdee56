//! A tiny explorer: every feasible path of a static method, depth first, without bounds.

use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{ClassId, MethodId, Program};
use dalang_heap::{Domains, Effect, Policy, StandIn, Surroundings, Universe, Value};
use dalang_interp::{
    Answer, Collection, Machine, Outcome, Question, Settings, Silence, State, Step, Way,
};
use dalang_solver::{Answer as Found, PathCondition, Query, Solver};
use dalang_term::{Assignment, TermId};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Returned(String),
    Threw(String),
    Assumed,
    Violated(String),
    Stopped(String),
    /// No class in view, or a bound.
    Cut,
}

/// A path: how it ended, and what it was given.
#[derive(Clone, Debug)]
pub struct Path {
    pub end: End,
    /// Values of the inputs that occur in the condition or the result, by name.
    pub witness: Vec<(String, u64)>,
}

/// Compiled classes, some of which are taken away again.
pub struct Workshop {
    folder: TempDir,
    pub jdk: Jdk,
}

impl Workshop {
    /// Compiles sources.
    pub fn new(sources: &[(&str, &str)]) -> Self {
        let jdk = Jdk::find(None).expect("a JDK is needed to compile what is tested");
        Self::with(jdk, sources)
    }

    /// Compiles sources with a JDK.
    pub fn with(jdk: Jdk, sources: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let source = TempDir::new().unwrap();
        let mut paths: Vec<PathBuf> = Vec::new();
        for (name, text) in sources {
            let path = source.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            paths.push(path);
        }
        compile(&jdk, &paths, &[], folder.path()).unwrap();
        Self { folder, jdk }
    }

    /// Takes classes off the class path, by which others were compiled.
    pub fn without(self, classes: &[&str]) -> Self {
        for class in classes {
            fs::remove_file(self.folder.path().join(format!("{class}.class"))).unwrap();
        }
        self
    }

    pub fn program(&self) -> Program {
        let path = ClassPath::open(&[self.folder.path()], self.jdk.feature).unwrap();
        Program::new(Library::open(&self.jdk).unwrap(), path).unwrap()
    }

    pub fn settings(&self) -> Settings {
        Settings {
            feature: self.jdk.feature,
            harness: true,
            assertions: true,
            ..Settings::default()
        }
    }

    /// How the paths of a method of class `Subject` end, in order.
    pub fn ends(&self, method: &str) -> Vec<End> {
        let paths = self.paths(method, Policy::LazierSharp, self.settings());
        let mut ends: Vec<End> = paths.into_iter().map(|path| path.end).collect();
        ends.sort_unstable();
        ends
    }

    pub fn paths(&self, method: &str, policy: Policy, settings: Settings) -> Vec<Path> {
        let program = self.program();
        let intrinsics = dalang_intrinsics::Library::new();
        let mut machine = Machine::new(&program, &intrinsics, Box::new(Silence), settings).unwrap();
        machine.unknowns.policy = policy;
        machine.unknowns.domains = Domains::new(Box::new(ClassPathOnly));
        let id = method_named(&program, method);
        let mut state = State::new();
        let arguments = parameters(&mut machine, id);
        if !arguments.is_empty() {
            state.knowledge.begin();
        }
        machine.start(&mut state, id, &arguments).unwrap();
        let (solver, done) = (Solver::default(), Vec::new());
        let mut search = Search { machine, solver, collections: 0, done };
        search.follow(state, &PathCondition::new(), &Way::default());
        assert!(settings.collection == Collection::Never || search.collections > 0, "{method}");
        search.done
    }

    /// What a method gives when its requests are met with constants.
    pub fn replay(&self, method: &str, given: &[Value]) -> Step {
        let program = self.program();
        let intrinsics = dalang_intrinsics::Library::new();
        let mut machine =
            Machine::new(&program, &intrinsics, Box::new(Silence), self.settings()).unwrap();
        let mut state = State::new();
        state.given = Some(given.into());
        machine.start(&mut state, method_named(&program, method), &[]).unwrap();
        machine.run(&mut state, &Way::default(), u64::MAX)
    }

    /// What a method gives in an ordinary run.
    pub fn run(&self, method: &str) -> Step {
        let program = self.program();
        let intrinsics = dalang_intrinsics::Library::new();
        let settings = Settings { feature: self.jdk.feature, ..Settings::default() };
        let mut machine = Machine::new(&program, &intrinsics, Box::new(Silence), settings).unwrap();
        let mut state = State::new();
        machine.start(&mut state, method_named(&program, method), &[]).unwrap();
        machine.run(&mut state, &Way::default(), u64::MAX)
    }
}

/// The classes of the class path are in view, by name.
struct ClassPathOnly;

impl Universe for ClassPathOnly {
    fn around(&self, program: &Program, _: ClassId) -> Surroundings {
        let names = program.class_path().classes().unwrap();
        let loaded = names.iter().filter_map(|name| program.load(name).ok());
        let classes: Arc<[ClassId]> =
            loaded.filter(|&class| program.class(class).is_instantiable()).collect();
        Surroundings { elements: Arc::clone(&classes), classes, ..Surroundings::default() }
    }

    fn admits(&self, _: &Program, _: ClassId) -> bool {
        true
    }

    fn stand_in(&self, _: &Program, _: ClassId) -> Option<StandIn> {
        None
    }
}

fn method_named(program: &Program, name: &str) -> MethodId {
    let class = program.load("Subject").unwrap();
    let wanted = program.names().intern(name);
    let mut methods = program.class(class).methods();
    methods.find(|&id| program.method(id).name == wanted).unwrap()
}

fn parameters(machine: &mut Machine<'_>, id: MethodId) -> Vec<Value> {
    let program = machine.program;
    let mut values = Vec::new();
    for (place, &value) in program.method(id).signature.parameters.iter().enumerate() {
        let (inputs, pool) = (&mut machine.unknowns.inputs, &mut machine.pool);
        let name = format!("p{place}");
        let input = inputs.parameter(program, pool, place as u16, &name, value).unwrap();
        values.push(Value::Term(inputs.get(input).term));
    }
    values
}

pub fn returned(text: &str) -> End {
    End::Returned(text.to_owned())
}

pub fn threw(class: &str) -> End {
    End::Threw(class.to_owned())
}

pub fn violated(message: &str) -> End {
    End::Violated(message.to_owned())
}

struct Search<'p> {
    machine: Machine<'p>,
    solver: Solver,
    collections: u32,
    done: Vec<Path>,
}

impl<'p> Search<'p> {
    fn follow(&mut self, mut state: State<'p>, path: &PathCondition, way: &Way) {
        assert!(self.done.len() < 500, "there are too many paths: {:?}", self.done);
        let mut path = path.clone();
        let step = loop {
            let step = self.machine.run(&mut state, way, 50_000_000);
            let facts = state.take_facts().holds;
            path = facts.iter().fold(path, |path, &fact| path.and(&self.machine.pool, fact));
            match step {
                Step::Paused if self.machine.is_collection_due(&state) => {
                    self.collections += 1;
                    self.machine.collect(&mut state, &path.conjuncts()).unwrap();
                }
                step => break step,
            }
        };
        let path = &path;
        let end = match step {
            Step::Asked(Question::Condition(term)) => {
                for holds in [true, false] {
                    let truth = if holds { term } else { self.machine.pool.not(term) };
                    let answer = Answer { choice: u32::from(!holds), divides: true, at: (0, 0) };
                    let way = way.clone().and(answer, Box::new([(term, holds)]));
                    self.branch(state.clone(), path, &way, truth);
                }
                return;
            }
            Step::Asked(Question::Choice(alternatives)) => {
                for alternative in alternatives.iter() {
                    if let Effect::Cut(_) | Effect::NoClass(_) | Effect::Unloadable(_) =
                        alternative.effect
                    {
                        self.finish(End::Cut, None, path);
                        continue;
                    }
                    let mut state = state.clone();
                    let facts = self.machine.choose(&mut state, alternative.effect);
                    let all = facts.holds.into_iter().chain(alternative.condition);
                    let term = self.machine.pool.and_all(all);
                    self.branch(state, path, way, term);
                }
                return;
            }
            Step::Ended(Outcome::Returned(value)) => {
                let term = match value {
                    Some(Value::Term(term)) => Some(term),
                    _ => None,
                };
                let text = self.spell(&state, value);
                self.finish(End::Returned(text), term, path);
                return;
            }
            Step::Ended(Outcome::Threw(exception)) => {
                let class = state.heap.class(exception);
                End::Threw(self.machine.program.class_spelling(class))
            }
            Step::Assumed => End::Assumed,
            Step::Violated(message) => End::Violated(message.into()),
            Step::Stopped(stop) => End::Stopped(stop.to_string()),
            other => panic!("the run ended in {other:?}"),
        };
        self.finish(end, None, path);
    }

    fn branch(&mut self, state: State<'p>, path: &PathCondition, way: &Way, term: TermId) {
        let query = Query::new(&self.machine.pool, path, term);
        if self.solver.check(&self.machine.pool, &query).is_sat() {
            let longer = path.and(&self.machine.pool, term);
            self.follow(state, &longer, way);
        }
    }

    fn spell(&self, state: &State<'p>, value: Option<Value>) -> String {
        match value.map(|value| self.machine.known_value(state, value)) {
            None => "nothing".to_owned(),
            Some(Value::Int(value)) => value.to_string(),
            Some(Value::Long(value)) => value.to_string(),
            Some(Value::Term(term)) => self.machine.pool.infix(term).to_string(),
            Some(Value::Reference(object)) if object.is_null() => "null".to_owned(),
            Some(Value::Reference(object)) => {
                let class = state.heap.class(object);
                if class == self.machine.known.string
                    && let dalang_interp::Flow::Continue(text) = self.machine.text(state, object)
                {
                    return text;
                }
                self.machine.program.class_spelling(class)
            }
            Some(other) => format!("{other:?}"),
        }
    }

    fn finish(&mut self, end: End, result: Option<TermId>, path: &PathCondition) {
        let pool = &self.machine.pool;
        let truth = dalang_term::Pool::TRUE;
        let assignment = match self.solver.check(pool, &Query::new(pool, path, truth)) {
            Found::Sat(assignment) => assignment,
            other => panic!("a path has no values: {other:?}"),
        };
        let witness = self.witness(path, result, &assignment);
        self.done.push(Path { end, witness });
    }

    fn witness(
        &self,
        path: &PathCondition,
        result: Option<TermId>,
        assignment: &Assignment,
    ) -> Vec<(String, u64)> {
        let pool = &self.machine.pool;
        let mut symbols = Vec::new();
        for term in path.conjuncts().into_iter().chain(result) {
            symbols.extend_from_slice(&pool.symbols_of(term));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let inputs = symbols.iter().filter_map(|&s| self.machine.unknowns.inputs.of_symbol(s));
        let value = |input| {
            let input = self.machine.unknowns.inputs.get(input);
            (input.name.to_string(), pool.evaluate(input.term, assignment))
        };
        inputs.map(value).collect()
    }
}
