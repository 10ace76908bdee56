//! What the result of a method owes to there being no classes but those in view, in words.
//!
//! While a method is explored it is noted what was asked of sets of classes ([`Reliance`]). A further
//! class would have changed an answer only where one can be: below a type that is neither final nor
//! sealed nor hidden from others. Where the answer is the same for every class that there could be,
//! nothing is assumed. The words are short on purpose: one line for each type of the target, and one
//! for all types outside of it.

use crate::explorer::Explorer;
use dalang_classes::{ClassId, Program, Shape};
use dalang_heap::Reliance;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// More types than these are counted, not named.
const MOST: usize = 5;

/// What is assumed of types.
#[derive(Default)]
struct Assumed {
    /// Types that have no classes below them but those in view.
    complete: FxHashSet<ClassId>,
    /// Pairs of types that no class is below both of.
    apart: FxHashSet<(ClassId, ClassId)>,
    /// Classes that are not in view themselves, and that no input is of.
    absent: FxHashSet<ClassId>,
}

/// What was asked of inputs that are declared as one type.
#[derive(Default)]
struct Asked {
    /// Whether they are of these types: that they are not is known as well, on other paths.
    tests: Vec<ClassId>,
    /// Whether they can be the same objects as inputs of these types: only that they are says
    /// something of their class.
    aliases: Vec<ClassId>,
}

impl Explorer<'_> {
    /// The assumptions that answers rest on, each a line; `said` has those that other lines say.
    pub(crate) fn closed_world(
        &mut self,
        relied: &FxHashSet<Reliance>,
        said: &BTreeSet<String>,
    ) -> Vec<String> {
        let program = self.machine.program;
        let mut assumed = Assumed::default();
        let mut asked: BTreeMap<ClassId, Asked> = BTreeMap::new();
        for &reliance in relied {
            match reliance {
                Reliance::All(class) => self.assume_complete(&mut assumed, class),
                Reliance::Test(declared, class) => {
                    asked.entry(declared).or_default().tests.push(class);
                }
                Reliance::Alias(a, b) => {
                    asked.entry(a).or_default().aliases.push(b);
                    asked.entry(b).or_default().aliases.push(a);
                }
            }
        }
        for (declared, asked) in asked {
            if is_open(program, declared) {
                self.judge(&mut assumed, declared, &asked);
            }
        }
        self.spell(&assumed, said)
    }

    fn assume_complete(&self, assumed: &mut Assumed, class: ClassId) {
        let program = self.machine.program;
        let class = element(program, class);
        if is_open(program, class) {
            assumed.complete.insert(class);
        }
    }

    /// No class in view is this one or below it.
    fn assume_none(&self, assumed: &mut Assumed, class: ClassId) {
        let flags = self.machine.program.class(class).flags;
        if is_open(self.machine.program, class) {
            assumed.complete.insert(class);
        } else if !flags.is_abstract() && !flags.is_enum() && !self.is_own(class) {
            assumed.absent.insert(class);
        }
    }

    fn assume_apart(&self, assumed: &mut Assumed, a: ClassId, b: ClassId) {
        let program = self.machine.program;
        let (a, b) = (element(program, a), element(program, b));
        // One of the two may simply have no class below it.
        if program.is_subtype(a, b) {
            self.assume_none(assumed, a);
        } else if program.is_subtype(b, a) {
            self.assume_none(assumed, b);
        } else {
            assumed.apart.insert(if self.comes_first(a, b) { (a, b) } else { (b, a) });
        }
    }

    fn below(&mut self, declared: ClassId, class: ClassId) -> FxHashSet<ClassId> {
        let program = self.machine.program;
        let domains = &mut self.machine.unknowns.domains;
        let all = domains.below(program, declared);
        let part = domains.cut(program, all, class, true);
        domains.classes(part).iter().copied().collect()
    }

    /// What the answers about inputs of one type rest on. Each answer, or several together, leave out a
    /// part of the classes; a part that is empty only because of the view is an assumption.
    fn judge(&mut self, assumed: &mut Assumed, declared: ClassId, asked: &Asked) {
        let program = self.machine.program;
        let all = self.below(declared, declared);
        // Types that inputs are known to be of on some path, with the classes in view.
        let mut known: Vec<(ClassId, FxHashSet<ClassId>, bool)> = Vec::new();
        let tests = asked.tests.iter().map(|&class| (class, true));
        let aliases = asked.aliases.iter().map(|&class| (class, false));
        for (class, both) in tests.chain(aliases) {
            if program.is_subtype(declared, class)
                || known.iter().any(|one| one.0 == class && one.2)
            {
                continue;
            }
            let inside = self.below(declared, class);
            if inside.is_empty() {
                if may_meet(program, declared, class) {
                    self.assume_apart(assumed, declared, class);
                }
                continue;
            }
            known.push((class, inside, both));
        }
        for (place, a) in known.iter().enumerate() {
            for b in &known[place + 1..] {
                if a.0 != b.0 && a.1.is_disjoint(&b.1) && may_meet(program, a.0, b.0) {
                    self.assume_apart(assumed, a.0, b.0);
                }
            }
        }
        // A type whose classes others have all between them.
        let whole = [(declared, all, false)];
        for (class, inside, _) in whole.iter().chain(&known) {
            let others = known.iter().filter(|other| {
                other.2 && other.0 != *class && !program.is_subtype(*class, other.0)
            });
            let covered: FxHashSet<ClassId> = others.flat_map(|other| &other.1).copied().collect();
            if inside.is_subset(&covered) {
                self.assume_complete(assumed, *class);
            }
        }
        // Of three types and more that one class may be below, all combinations would have to be
        // looked at; to say too much is simpler.
        let crossing = known.iter().filter(|one| {
            let crosses = |other: &&(ClassId, FxHashSet<ClassId>, bool)| {
                let nested =
                    program.is_subtype(one.0, other.0) || program.is_subtype(other.0, one.0);
                !nested && may_meet(program, one.0, other.0)
            };
            known.iter().filter(crosses).count() >= 2
        });
        if crossing.count() >= 3 {
            self.assume_complete(assumed, declared);
        }
    }

    fn spell(&mut self, assumed: &Assumed, said: &BTreeSet<String>) -> Vec<String> {
        let mut lines = Vec::new();
        let mut outside: BTreeSet<String> = BTreeSet::new();
        for class in self.in_order(&assumed.complete) {
            if self.is_own(class) {
                // What is below another of these types is said with it.
                let program = self.machine.program;
                let is_said = |&above: &ClassId| {
                    above != class && self.is_own(above) && program.is_subtype(class, above)
                };
                if !assumed.complete.iter().any(is_said) {
                    lines.push(self.complete_text(class));
                }
            } else {
                outside.insert(self.machine.program.class_spelling(class));
            }
        }
        let mut partners: BTreeMap<String, (ClassId, Vec<ClassId>)> = BTreeMap::new();
        for &(a, b) in &assumed.apart {
            if assumed.complete.contains(&a) || assumed.complete.contains(&b) {
                continue;
            }
            if !self.is_own(a) {
                outside.insert(self.machine.program.class_spelling(a));
                continue;
            }
            let name = self.machine.program.class_spelling(a);
            partners.entry(name).or_insert((a, Vec::new())).1.push(b);
        }
        for (class, others) in partners.into_values() {
            let others = self.in_order(&others.into_iter().collect());
            lines.push(self.apart_text(class, &others));
        }
        // What stands in for the implementations of a type is said by a line of its own.
        outside.retain(|name| !said.iter().any(|line| line.starts_with(&format!("{name}: "))));
        if !assumed.absent.is_empty() {
            let program = self.machine.program;
            let absent = self.in_order(&assumed.absent);
            let names: Vec<String> =
                absent.iter().map(|&class| program.class_spelling(class)).collect();
            lines.push(format!("inputs: none of them is a {}", listed(&names, "or")));
        }
        if !outside.is_empty() {
            let names: Vec<String> = outside.into_iter().collect();
            let names = listed(&names, "and");
            lines.push(format!(
                "types outside the target have no classes below them but those in view: {names}"
            ));
        }
        lines
    }

    fn complete_text(&mut self, class: ClassId) -> String {
        let program = self.machine.program;
        let (name, verb) = (program.class_spelling(class), verb(program, class));
        let mut below = self.below(class, class);
        below.remove(&class);
        let below: Vec<String> =
            self.in_order(&below).iter().map(|&class| program.class_spelling(class)).collect();
        match below.len() {
            0 => format!("no class {verb} {name}"),
            more if more > MOST => {
                format!("no class {verb} {name} but the {more} that are in view")
            }
            _ => format!("no class {verb} {name} but {}", listed(&below, "and")),
        }
    }

    fn apart_text(&self, class: ClassId, others: &[ClassId]) -> String {
        let program = self.machine.program;
        let name = program.class_spelling(class);
        let names: Vec<String> =
            others.iter().map(|&class| program.class_spelling(class)).collect();
        match (program.class(class).is_interface(), names.as_slice()) {
            (true, [other]) if program.class(others[0]).is_interface() => {
                format!("no class implements both {name} and {other}")
            }
            (true, names) => {
                format!("no class implements {name} and is also a {}", listed(names, "or"))
            }
            (false, names) => {
                format!("no class extends {name} and implements {}", listed(names, "or"))
            }
        }
    }

    fn is_own(&self, class: ClassId) -> bool {
        self.view.is_own(self.machine.program, class)
    }

    /// Which of two types a line is about: one of the target, a class rather than an interface, the
    /// first by name.
    fn comes_first(&self, a: ClassId, b: ClassId) -> bool {
        let program = self.machine.program;
        let rank = |class: ClassId| {
            let is_interface = program.class(class).is_interface();
            (!self.is_own(class), is_interface, program.class_spelling(class))
        };
        rank(a) <= rank(b)
    }

    /// Numbers of classes depend on the order of loading, names do not.
    fn in_order(&self, classes: &FxHashSet<ClassId>) -> Vec<ClassId> {
        let mut classes: Vec<ClassId> = classes.iter().copied().collect();
        classes.sort_unstable_by_key(|&class| self.machine.program.class_spelling(class));
        classes
    }
}

fn verb(program: &Program, class: ClassId) -> &'static str {
    if program.class(class).is_interface() { "implements" } else { "extends" }
}

/// `A`, `A and B`, `A, B, C, D, E and 7 more types`.
fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        names if names.len() > MOST => {
            format!("{} {word} {} more types", names[..MOST].join(", "), names.len() - MOST)
        }
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

fn element(program: &Program, class: ClassId) -> ClassId {
    match program.class(class).shape {
        Shape::Array { element, .. } => element,
        _ => class,
    }
}

/// Whether there can be classes below a type that are not in view.
fn is_open(program: &Program, class: ClassId) -> bool {
    let declared = program.class(class);
    match declared.shape {
        Shape::Primitive(_) => return false,
        Shape::Array { element, .. } => return is_open(program, element),
        Shape::Declared => {}
    }
    // Constants of an enum are all in its own file, and so is what is below a class that only its
    // neighbours in the source can name.
    if declared.flags.is_final() || declared.flags.is_enum() || is_hidden(program, class) {
        return false;
    }
    match declared.permitted_subclasses() {
        // What a sealed type permits is known; it may itself be open.
        Some(permitted) => permitted.iter().any(|&name| {
            program.load_name(name).is_ok_and(|below| below != class && is_open(program, below))
        }),
        None => true,
    }
}

/// Whether the source lets nobody outside of its file extend a class: it is private, local or
/// anonymous.
fn is_hidden(program: &Program, class: ClassId) -> bool {
    let declared = program.class(class);
    let own = declared.inner_classes().iter().find(|inner| inner.inner == declared.name);
    own.is_some_and(|inner| inner.flags.is_private() || inner.outer.is_none())
}

/// Whether a class could be below both types, as far as they themselves say.
fn may_meet(program: &Program, a: ClassId, b: ClassId) -> bool {
    match (program.class(a).shape, program.class(b).shape) {
        (Shape::Array { component: a, .. }, Shape::Array { component: b, .. }) => {
            return may_meet(program, a, b);
        }
        (Shape::Declared, Shape::Declared) => {}
        _ => return false,
    }
    if program.is_subtype(a, b) || program.is_subtype(b, a) {
        return true;
    }
    // A class has one class above it, but any number of interfaces.
    let some_interface = program.class(a).is_interface() || program.class(b).is_interface();
    some_interface && is_open(program, a) && is_open(program, b)
}
