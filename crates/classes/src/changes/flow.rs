//! What one method does with arrays that fields hold, and with the object that it constructs.
//!
//! A value is followed through local variables and the operand stack as what it is *from*: the object
//! under construction, a field that holds an array, or something else. An array whose elements are
//! stored to, or that goes where it cannot be followed, may be changed. Where two ways meet with
//! different values, what they are from is given up, which counts as going elsewhere.

use crate::code::{Code, ElementKind, Instruction};
use crate::descriptor::ValueType;
use crate::ids::{ClassId, FieldId, FieldRefId, MethodId, MethodRefId};
use crate::link::Program;
use rustc_hash::FxHashSet;

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

/// What a value is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// Nothing that matters here.
    Elsewhere,
    /// It is the object that the constructor makes.
    This,
    /// It is the array that a field holds, or one inside it.
    Field(FieldId),
}

/// What a method does.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Fields that it stores to, of other objects than the one under construction.
    pub(super) stored: FxHashSet<FieldId>,
    /// Fields that hold arrays which it may change.
    pub(super) changed: FxHashSet<FieldId>,
}

/// The values at a place of the code.
#[derive(Clone, PartialEq)]
struct Values {
    locals: Vec<From>,
    stack: Vec<From>,
}

/// Follows the values of one method.
pub(super) struct Follower<'a> {
    program: &'a Program,
    class: ClassId,
    constructs: bool,
    code: &'a Code,
    effects: Effects,
}

impl<'a> Follower<'a> {
    pub(super) fn new(program: &'a Program, method: MethodId, code: &'a Code) -> Self {
        let declared = program.method(method);
        let constructs = program.names().text(declared.name) == "<init>";
        Self { program, class: declared.class, constructs, code, effects: Effects::default() }
    }

    /// What the method does.
    pub(super) fn effects(mut self) -> Effects {
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
        self.execute(instruction, &mut values);
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

    fn execute(&mut self, instruction: Instruction, values: &mut Values) {
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
                let is_inner = kind == ElementKind::Reference && self.has_arrays(array);
                stack.push(if is_inner { array } else { From::Elsewhere });
            }
            I::ArrayStore(_) => self.give(3, stack),
            I::GetStatic(id) => stack.push(self.held(id)),
            I::GetField(id) => {
                // What the constructor has just made is nobody else's yet.
                let from = pop(stack);
                stack.push(if from == From::This { From::Elsewhere } else { self.held(id) });
            }
            I::PutStatic(id) => {
                self.give(1, stack);
                self.store(id, From::Elsewhere);
            }
            I::PutField(id) => {
                self.give(1, stack);
                let object = pop(stack);
                self.store(id, object);
            }
            I::InvokeStatic(id) => self.call(id, false, stack),
            I::InvokeVirtual(id) | I::InvokeSpecial(id) | I::InvokeInterface(id) => {
                self.call(id, true, stack);
            }
            I::InvokeDynamic(id) => {
                let signature = self.program.class(self.class).pool.dynamic(id).signature.clone();
                if let Some(signature) = signature {
                    self.give(signature.parameters.len(), stack);
                    stack.extend(signature.result.map(|_| From::Elsewhere));
                }
            }
            I::ReturnValue(_) => self.give(1, stack),
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

    fn call(&mut self, id: MethodRefId, has_receiver: bool, stack: &mut Vec<From>) {
        let pool = &self.program.class(self.class).pool;
        let method = pool.method(id);
        let owner = self.program.names().text(pool.class(method.class).name);
        let name = self.program.names().text(method.name);
        let is_reader = READERS.iter().any(|&(of, begins)| owner == of && name.starts_with(begins));
        let count = method.signature.parameters.len();
        if is_reader {
            // The third argument of `arraycopy` is what is copied to.
            let to = (name == "arraycopy").then(|| stack.len().checked_sub(3)).flatten();
            if let Some(&to) = to.and_then(|at| stack.get(at)) {
                self.effects.lose(to);
            }
            stack.truncate(stack.len().saturating_sub(count));
        } else {
            self.give(count, stack);
        }
        if has_receiver {
            let receiver = pop(stack);
            if name != "clone" {
                self.effects.lose(receiver);
            }
        }
        stack.extend(method.signature.result.map(|_| From::Elsewhere));
    }

    /// Values go where they cannot be followed.
    fn give(&mut self, count: usize, stack: &mut Vec<From>) {
        for _ in 0..count {
            let value = pop(stack);
            self.effects.lose(value);
        }
    }

    /// What a field gives, if it holds an array.
    fn held(&self, id: FieldRefId) -> From {
        let reference = self.program.class(self.class).pool.field(id);
        let ValueType::Reference(name) = reference.value else { return From::Elsewhere };
        let is_array = self.program.names().text(name).starts_with('[');
        let field = is_array.then(|| super::own_field(self.program, self.class, id)).flatten();
        field.map_or(From::Elsewhere, From::Field)
    }

    /// Whether the elements of an array can be arrays.
    fn has_arrays(&self, array: From) -> bool {
        let From::Field(field) = array else { return false };
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
    /// An array goes where it cannot be followed, so it may be changed.
    fn lose(&mut self, value: From) {
        if let From::Field(field) = value {
            self.changed.insert(field);
        }
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
