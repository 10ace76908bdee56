//! What one method does with what fields hold, and with the objects that it makes.
//!
//! A value is followed through local variables and the operand stack as what it is *from*: the object
//! under construction, what a field holds, something that the method has made, or something else. An
//! array whose elements are stored to may be changed. What goes where it cannot be followed has
//! *escaped*: anybody may have it, and change it. Where two ways meet with different values, what they
//! are from is given up, which counts as going elsewhere. What is put into an array or an object of the
//! library is followed as a part of that, as long as it is nowhere else.

mod packing;

use crate::code::{Code, ElementKind, Instruction};
use crate::descriptor::ValueType;
use crate::ids::{ClassId, ClassRefId, FieldId, FieldRefId, MethodId, MethodRefId};
use crate::link::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Methods of the library that change none of the arrays that they are given, or (`arraycopy`) only the
/// third argument: class, and how the name begins.
const READERS: [(&str, &str); 9] = [
    ("java/util/Arrays", "copyOf"),
    ("java/util/Arrays", "equals"),
    ("java/util/Arrays", "hashCode"),
    ("java/util/Arrays", "toString"),
    ("java/util/Arrays", "binarySearch"),
    ("java/util/Arrays", "deep"),
    ("java/lang/System", "arraycopy"),
    ("java/lang/String", ""),
    ("java/lang/StringBuilder", "append"),
];

/// Methods among these that store to an array that they are given.
const WRITERS: [(&str, &str); 2] =
    [("java/lang/String", "getBytes"), ("java/lang/String", "getChars")];

/// Methods of the library that change nothing of what they are called on, and give a part of it or
/// something new.
const READING: [&str; 37] = [
    "charAt",
    "compareTo",
    "comparator",
    "element",
    "equals",
    "first",
    "firstKey",
    "forEach",
    "get",
    "getFirst",
    "getKey",
    "getLast",
    "getOrDefault",
    "getValue",
    "hasMoreElements",
    "hasNext",
    "hasPrevious",
    "hashCode",
    "indexOf",
    "intValue",
    "isEmpty",
    "last",
    "lastIndexOf",
    "lastKey",
    "length",
    "longValue",
    "matcher",
    "next",
    "nextIndex",
    "parallelStream",
    "previous",
    "size",
    "stream",
    "substring",
    "test",
    "toArray",
    "toString",
];

/// How the names of more such methods begin.
const READING_BEGINS: [&str; 6] = ["ceiling", "contains", "floor", "higher", "lower", "peek"];

/// Methods of the library that give a view of what they are called on, through which it can change.
const VIEWS: [&str; 11] = [
    "descendingIterator",
    "descendingMap",
    "descendingSet",
    "entrySet",
    "headMap",
    "iterator",
    "keySet",
    "listIterator",
    "subList",
    "tailMap",
    "values",
];

/// Methods among the reading ones that hand what is in an object to whom they are given.
const HANDING: [&str; 2] = ["forEach", "toArray"];

/// Classes of texts and boxes, which nobody can change.
const PLAIN: [&str; 9] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
];

/// What a value is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum From {
    /// Nothing that matters here.
    Elsewhere,
    /// It is nothing that anybody can change: a text, a box or null.
    Plain,
    /// It is the object that the constructor makes.
    This,
    /// It is what a field holds, or a view of that.
    Field(FieldId),
    /// It is an array inside the array that a field holds.
    Inner(FieldId),
    /// It is an object inside the array that a field holds, or in an object of the library.
    Part(FieldId),
    /// It is what a field of the object under construction holds, or is in that: nobody else's yet.
    Own(FieldId),
    /// It is what this instruction has made, and nobody else's.
    Made(usize),
    /// It is in what this instruction has made.
    Within(usize),
}

/// What a method does.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Fields that it stores to, of other objects than the one under construction.
    pub(super) stored: FxHashSet<FieldId>,
    /// Fields that hold arrays, or objects of the library, which it may change.
    pub(super) changed: FxHashSet<FieldId>,
    /// Fields that hold arrays, or objects of the library, with arrays or such objects in them which it
    /// may change.
    pub(super) inner: FxHashSet<FieldId>,
    /// Fields that hold what it hands to somebody who cannot be followed, or got from there.
    pub(super) escaped: FxHashSet<FieldId>,
    /// Fields that hold arrays, or objects of the library, from which it hands on what is in them.
    pub(super) parts: FxHashSet<FieldId>,
    /// Whether it hands on the object that it constructs.
    exposes: bool,
    /// In which fields is what its instructions have made.
    fields: FxHashMap<usize, FxHashSet<FieldId>>,
    /// What has escaped of it.
    lost: FxHashSet<usize>,
    /// What of that which is in it has escaped.
    spilled: FxHashSet<usize>,
    /// What was put into arrays and objects of the library, and into which.
    packs: FxHashMap<From, FxHashSet<From>>,
    /// Whether something of that can be elsewhere as well.
    spreads: bool,
    /// What it returns, if all of that was made here.
    returned: FxHashSet<usize>,
    returns_other: bool,
}

/// The values at a place of the code.
#[derive(Clone, PartialEq)]
struct Values {
    locals: Vec<From>,
    stack: Vec<From>,
}

/// What is known of all methods that are followed.
pub(super) struct Around<'a> {
    program: &'a Program,
    /// The target's classes.
    own: &'a [ClassId],
    /// Whether a method makes what it returns, and exposes what it constructs; none while that is being
    /// found out.
    called: RefCell<FxHashMap<MethodId, Option<(bool, bool)>>>,
}

impl<'a> Around<'a> {
    pub(super) fn new(program: &'a Program, own: &'a [ClassId]) -> Self {
        Self { program, own, called: RefCell::default() }
    }

    /// What a method does.
    pub(super) fn effects(&self, method: MethodId, code: &Code) -> Effects {
        Follower::new(self, method, code, 0).effects()
    }

    /// Whether a class of the library is no class of the target, whatever the object is.
    fn is_library(&self, name: &str) -> bool {
        name.starts_with("java/")
            && self
                .program
                .load(name)
                .is_ok_and(|class| !self.own.iter().any(|&own| self.program.is_subtype(own, class)))
    }
}

/// Follows the values of one method.
struct Follower<'a> {
    around: &'a Around<'a>,
    program: &'a Program,
    class: ClassId,
    constructs: bool,
    code: &'a Code,
    effects: Effects,
    /// How many methods are being followed, one because of the other.
    depth: u32,
}

/// So many methods are followed into one another; what is further away is not known.
const DEEPEST: u32 = 32;

impl<'a> Follower<'a> {
    fn new(around: &'a Around<'a>, method: MethodId, code: &'a Code, depth: u32) -> Self {
        let program = around.program;
        let declared = program.method(method);
        let constructs = program.names().text(declared.name) == "<init>";
        let (class, effects) = (declared.class, Effects::default());
        Self { around, program, class, constructs, code, effects, depth }
    }

    /// What the method does.
    fn effects(mut self) -> Effects {
        let mut known: Vec<Option<Values>> = vec![None; self.code.instructions.len()];
        let mut locals = vec![From::Elsewhere; usize::from(self.code.max_locals)];
        if let (true, Some(this)) = (self.constructs, locals.first_mut()) {
            *this = From::This;
        }
        let mut waiting = vec![(0_usize, Values { locals, stack: Vec::new() })];
        while let Some((at, values)) = waiting.pop() {
            let Some(values) = self.meet(known.get_mut(at), values) else { continue };
            waiting.extend(self.follow(at, values));
        }
        self.effects.conclude();
        self.effects
    }

    /// What holds where a way meets others; none if that is nothing new.
    fn meet(&mut self, known: Option<&mut Option<Values>>, new: Values) -> Option<Values> {
        let known = known?;
        let Some(old) = known else {
            *known = Some(new.clone());
            return Some(new);
        };
        let mut met = old.clone();
        let locals = met.locals.iter_mut().zip(&new.locals);
        for (one, &other) in locals.chain(met.stack.iter_mut().zip(&new.stack)) {
            if *one != other {
                self.effects.lose(*one);
                self.effects.lose(other);
                *one = From::Elsewhere;
            }
        }
        (met != *old).then(|| {
            old.clone_from(&met);
            met
        })
    }

    /// Where the method goes on after an instruction, and with what.
    fn follow(&mut self, at: usize, mut values: Values) -> Vec<(usize, Values)> {
        let instruction = self.code.instructions[at];
        let mut next = Vec::new();
        for handler in &self.code.handlers {
            if (usize::from(handler.start)..usize::from(handler.end)).contains(&at) {
                let caught = Values { locals: values.locals.clone(), stack: vec![From::Elsewhere] };
                next.push((usize::from(handler.target), caught));
            }
        }
        self.execute(at, instruction, &mut values);
        if let Instruction::Switch(id) = instruction {
            let table = self.code.switch(id);
            let targets = table.cases().map(|case| case.1).chain([table.default()]);
            next.extend(targets.map(|target| (usize::from(target), values.clone())));
        }
        next.extend(instruction.target().map(|target| (usize::from(target), values.clone())));
        if instruction.falls_through() {
            next.push((at + 1, values));
        }
        next
    }

    fn execute(&mut self, at: usize, instruction: Instruction, values: &mut Values) {
        use Instruction as I;
        let stack = &mut values.stack;
        match instruction {
            I::Load(slot) => {
                let local = values.locals.get(usize::from(slot)).copied();
                stack.push(local.unwrap_or(From::Elsewhere));
            }
            I::Store(slot) => {
                let value = pop(stack);
                if let Some(local) = values.locals.get_mut(usize::from(slot)) {
                    *local = value;
                }
            }
            I::Dup => copy(stack, 1, 0),
            I::DupX1 => copy(stack, 1, 1),
            I::DupX2 => copy(stack, 1, 2),
            I::Dup2 => copy(stack, 2, 0),
            I::Dup2X1 => copy(stack, 2, 1),
            I::Dup2X2 => copy(stack, 2, 2),
            I::Swap => {
                let (b, a) = (pop(stack), pop(stack));
                stack.extend([b, a]);
            }
            I::ArrayLoad(kind) => {
                pop(stack);
                let array = pop(stack);
                stack.push(self.element(kind, array));
            }
            I::ArrayStore(kind) => {
                let value = pop(stack);
                pop(stack);
                self.store_element(kind, pop(stack), value);
            }
            I::New(_) | I::NewArray(_) | I::NewReferenceArray(_) | I::NewMultiArray(..) => {
                let (pops, _) = plain(instruction);
                stack.truncate(stack.len().saturating_sub(pops));
                stack.push(From::Made(at));
            }
            I::Null | I::Constant(_) => stack.push(From::Plain),
            I::CheckCast(id) => {
                let value = pop(stack);
                stack.push(self.cast(id, value));
            }
            I::GetStatic(id) => stack.push(self.held(id)),
            I::GetField(id) => {
                let from = pop(stack);
                let held = self.held(id);
                stack.push(match (from, held) {
                    (From::This, From::Field(field)) => From::Own(field),
                    _ => held,
                });
            }
            I::PutStatic(id) => {
                let value = pop(stack);
                self.put(id, value);
                self.store(id, From::Elsewhere);
            }
            I::PutField(id) => {
                let value = pop(stack);
                let object = pop(stack);
                self.put_into(object, id, value);
                self.store(id, object);
            }
            I::InvokeStatic(id) => self.call(at, id, false, stack),
            I::InvokeVirtual(id) | I::InvokeSpecial(id) | I::InvokeInterface(id) => {
                self.call(at, id, true, stack);
            }
            I::InvokeDynamic(id) => {
                let signature = self.program.class(self.class).pool.dynamic(id).signature.clone();
                if let Some(signature) = signature {
                    self.give(signature.parameters.len(), stack);
                    stack.extend(signature.result.map(|_| From::Elsewhere));
                }
            }
            I::Throw => self.give(1, stack),
            I::ReturnValue(_) => match pop(stack) {
                From::Made(at) => {
                    self.effects.returned.insert(at);
                }
                other => {
                    self.effects.returns_other = true;
                    self.effects.lose(other);
                }
            },
            // Subroutines are of old compilers: what is known of values is given up.
            I::Jsr(_) | I::Ret(_) => {
                let all: Vec<From> = values.locals.iter().chain(stack.iter()).copied().collect();
                for value in all {
                    self.effects.lose(value);
                }
                stack.extend(matches!(instruction, I::Jsr(_)).then_some(From::Elsewhere));
            }
            other => {
                let (pops, pushes) = plain(other);
                stack.truncate(stack.len().saturating_sub(pops));
                stack.extend((0..pushes).map(|_| From::Elsewhere));
            }
        }
    }

    fn call(&mut self, at: usize, id: MethodRefId, has_receiver: bool, stack: &mut Vec<From>) {
        let pool = &self.program.class(self.class).pool;
        let method = pool.method(id);
        let owner = self.program.names().text(pool.class(method.class).name);
        let name = self.program.names().text(method.name);
        let is_reader = READERS.iter().any(|&(of, begins)| owner == of && name.starts_with(begins))
            && !WRITERS.contains(&(owner, name));
        let count = method.signature.parameters.len();
        if is_reader {
            // The third argument of `arraycopy` is what is copied to.
            let to = (name == "arraycopy").then(|| stack.len().checked_sub(3)).flatten();
            if let Some(&to) = to.and_then(|at| stack.get(at)) {
                self.effects.lose(to);
            }
            if name.starts_with("copyOf") || name == "arraycopy" {
                let from = stack.len().checked_sub(count).and_then(|at| stack.get(at)).copied();
                if let Some(from) = from {
                    self.effects.scatter(from);
                }
            }
            stack.truncate(stack.len().saturating_sub(count));
        } else if has_receiver && let Some(whole) = self.filled((owner, name), count, stack) {
            self.fill(whole, owner, &method.signature.parameters, stack);
        } else {
            self.give(count, stack);
        }
        let mut result = From::Elsewhere;
        if has_receiver {
            let receiver = pop(stack);
            if name == "clone" && owner.starts_with('[') {
                self.effects.scatter(receiver);
                result = From::Made(at);
            } else if name == "<init>" {
                if !owner.starts_with("java/") && self.exposes(id) {
                    self.effects.lose(receiver);
                }
            } else if receiver != From::Elsewhere && self.around.is_library(owner) {
                if count > 0 && HANDING.contains(&name) {
                    self.effects.scatter(receiver);
                }
                result = self.called_on(receiver, name);
            } else {
                self.effects.lose(receiver);
            }
        } else if is_reader && name.starts_with("copyOf") || self.makes(id) {
            result = From::Made(at);
        }
        stack.extend(method.signature.result.map(|value| match value {
            ValueType::Primitive(_) => From::Elsewhere,
            ValueType::Reference(kind) => match self.program.names().text(kind) {
                kind if PLAIN.contains(&kind) => From::Plain,
                // The library keeps no array that it gives.
                kind if kind.starts_with('[')
                    && result == From::Elsewhere
                    && owner.starts_with("java/") =>
                {
                    From::Made(at)
                }
                _ => result,
            },
        }));
    }

    /// What a method of the library gives that is called on a value. The library hands that to nobody
    /// else, but it may return it, or a view of it.
    fn called_on(&mut self, receiver: From, name: &str) -> From {
        if VIEWS.contains(&name) {
            return receiver;
        }
        if reads(name) {
            return inside(receiver);
        }
        match receiver {
            From::Field(field) | From::Part(field) => {
                self.effects.changed.insert(field);
            }
            From::Inner(field) => {
                self.effects.inner.insert(field);
            }
            _ => {}
        }
        receiver
    }

    /// Whether a method gives something that it has made and that nobody else has.
    fn makes(&self, id: MethodRefId) -> bool {
        self.followed(id).is_some_and(|(makes, _)| makes)
    }

    /// Whether a constructor hands on what it constructs.
    fn exposes(&self, id: MethodRefId) -> bool {
        self.followed(id).is_none_or(|(_, exposes)| exposes)
    }

    /// Whether a method of the same package makes what it returns, and exposes what it constructs; none
    /// if that is not known.
    fn followed(&self, id: MethodRefId) -> Option<(bool, bool)> {
        let called = super::own_method(self.program, self.class, id)?;
        if let Some(&known) = self.around.called.borrow().get(&called) {
            return known;
        }
        let Ok(Some(code)) = self.program.code(called) else { return None };
        if self.depth >= DEEPEST {
            return None;
        }
        self.around.called.borrow_mut().insert(called, None);
        let effects = Follower::new(self.around, called, code, self.depth + 1).effects();
        let found = Some((effects.makes(), effects.exposes));
        self.around.called.borrow_mut().insert(called, found);
        found
    }

    /// Values go where they cannot be followed.
    fn give(&mut self, count: usize, stack: &mut Vec<From>) {
        for _ in 0..count {
            let value = pop(stack);
            self.effects.lose(value);
        }
    }

    /// What a field gives.
    fn held(&self, id: FieldRefId) -> From {
        let reference = self.program.class(self.class).pool.field(id);
        if matches!(reference.value, ValueType::Primitive(_)) {
            return From::Elsewhere;
        }
        let field = super::own_field(self.program, self.class, id);
        field.map_or(From::Elsewhere, From::Field)
    }

    /// A value is put into a field of an object.
    fn put_into(&mut self, object: From, id: FieldRefId, value: From) {
        if object == From::This {
            return self.put(id, value);
        }
        // What else is in the field of some other object is not known.
        self.effects.escaped.extend(super::own_field(self.program, self.class, id));
        self.effects.lose(value);
    }

    /// A value is put into a field that nothing else was in.
    fn put(&mut self, id: FieldRefId, value: From) {
        let field = super::own_field(self.program, self.class, id);
        match (field, value) {
            (Some(field), From::Made(at)) => {
                self.effects.fields.entry(at).or_default().insert(field);
            }
            (field, _) => {
                self.effects.escaped.extend(field);
                self.effects.changed.extend(field);
                self.effects.lose(value);
            }
        }
    }

    /// An element of an array is stored to.
    fn store_element(&mut self, kind: ElementKind, array: From, value: From) {
        if kind == ElementKind::Reference {
            self.pack(array, value);
        }
        self.effects.change(array);
    }

    /// What a cast gives.
    fn cast(&self, id: ClassRefId, value: From) -> From {
        let name = self.program.class(self.class).pool.class(id).name;
        if PLAIN.contains(&self.program.names().text(name)) { From::Plain } else { value }
    }

    /// What is in an array.
    fn element(&self, kind: ElementKind, array: From) -> From {
        match array {
            _ if kind != ElementKind::Reference => From::Elsewhere,
            From::Field(field) | From::Inner(field) | From::Part(field) => {
                if self.has_arrays(field) { From::Inner(field) } else { From::Part(field) }
            }
            _ => inside(array),
        }
    }

    /// Whether the elements of the array that a field holds can be arrays.
    fn has_arrays(&self, field: FieldId) -> bool {
        let descriptor = self.program.names().text(self.program.field(field).descriptor);
        let element = descriptor.strip_prefix('[').unwrap_or(descriptor);
        let above = ["Ljava/lang/Object;", "Ljava/lang/Cloneable;", "Ljava/io/Serializable;"];
        element.starts_with('[') || above.contains(&element)
    }

    fn store(&mut self, id: FieldRefId, object: From) {
        if object != From::This {
            self.effects.stored.extend(super::own_field(self.program, self.class, id));
        }
    }
}

impl Effects {
    /// A value goes where it cannot be followed, so that it may be changed if it is an array.
    fn lose(&mut self, value: From) {
        match value {
            From::Elsewhere | From::Plain => {}
            From::This => self.exposes = true,
            From::Field(field) | From::Own(field) => {
                self.changed.insert(field);
                self.escaped.insert(field);
            }
            From::Inner(field) | From::Part(field) => {
                self.inner.insert(field);
                self.parts.insert(field);
            }
            From::Made(at) => {
                self.lost.insert(at);
            }
            From::Within(at) => {
                self.spilled.insert(at);
            }
        }
    }

    /// What is in an array, or in an object of the library, goes to another.
    fn scatter(&mut self, array: From) {
        match array {
            From::Field(field) => self.lose(From::Part(field)),
            From::Made(at) => self.lose(From::Within(at)),
            From::Inner(_) | From::Part(_) | From::Own(_) | From::Within(_) => self.lose(array),
            From::Elsewhere | From::Plain | From::This => {}
        }
    }

    /// An element of an array is stored to.
    fn change(&mut self, array: From) {
        match array {
            From::Field(field) => {
                self.changed.insert(field);
            }
            From::Inner(field) | From::Part(field) => {
                self.inner.insert(field);
            }
            _ => {}
        }
    }
}

/// Whether a method of the library changes nothing of what it is called on.
fn reads(name: &str) -> bool {
    READING.contains(&name) || READING_BEGINS.iter().any(|&begin| name.starts_with(begin))
}

/// What is in a value.
const fn inside(value: From) -> From {
    match value {
        From::Field(field) | From::Part(field) => From::Part(field),
        From::Made(at) | From::Within(at) => From::Within(at),
        From::Own(_) | From::Inner(_) => value,
        From::Elsewhere | From::Plain | From::This => From::Elsewhere,
    }
}

/// How many values an instruction takes and gives that does nothing else with them.
const fn plain(instruction: Instruction) -> (usize, usize) {
    use Instruction as I;
    match instruction {
        I::Null
        | I::Int(_)
        | I::Long(_)
        | I::Float(_)
        | I::Double(_)
        | I::Constant(_)
        | I::New(_) => (0, 1),
        I::Pop
        | I::If(..)
        | I::IfNull(_)
        | I::IfNonNull(_)
        | I::Switch(_)
        | I::Throw
        | I::MonitorEnter
        | I::MonitorExit => (1, 0),
        I::Pop2 | I::IfInts(..) | I::IfSame(_) | I::IfDifferent(_) => (2, 0),
        I::ArrayLength
        | I::InstanceOf(_)
        | I::NewArray(_)
        | I::NewReferenceArray(_)
        | I::Negate(_)
        | I::Convert(..)
        | I::Narrow(_) => (1, 1),
        I::Binary(..) | I::Compare(_) => (2, 1),
        I::NewMultiArray(_, dimensions) => (dimensions as usize, 1),
        // A cast gives what it took.
        _ => (0, 0),
    }
}

fn pop(stack: &mut Vec<From>) -> From {
    stack.pop().unwrap_or(From::Elsewhere)
}

/// Copies the topmost values below so many others.
fn copy(stack: &mut Vec<From>, count: usize, below: usize) {
    let from = stack.len().saturating_sub(count);
    let copied: Vec<From> = stack[from..].to_vec();
    let to = from.saturating_sub(below);
    stack.splice(to..to, copied);
}
