//! What one instruction does to what is known, and what it requires (JVMS 4.10.1.9).
//!
//! Both ways of verifying a method share this; where they are told apart, the way for old class
//! files differs as virtual machines have it. Jumps and handlers are not looked at here.

use super::frame::{Frame, Type, array_of, component, local};
use super::relate::Member;
use super::{Judge, Trouble};
use crate::code::instruction::{BinaryOp, ElementKind, Instruction};
use crate::descriptor::{Kind, MethodType, Primitive, ValueType};
use crate::file::{Constant, FieldRef, MethodRef};
use crate::ids::{ClassId, ConstantId, MethodRefId};
use crate::names::Name;

/// Class files of this version and later may load classes as constants.
const JAVA_5: u16 = 49;
/// Class files of this version and later may have call sites.
const JAVA_7: u16 = 51;
/// The class file version of the library of the last JDK whose verifier lets `invokespecial` name any
/// interface as if it were a class.
const JAVA_17: u16 = 61;

type Done = Result<(), Trouble>;

impl Judge<'_> {
    #[allow(clippy::too_many_lines, reason = "one arm for each instruction, and no logic in them")]
    pub(super) fn step(&self, instruction: Instruction, frame: &mut Frame) -> Done {
        use Instruction as I;
        use Type::{Double, Float, Int, Long, Null};
        let pool = &self.class.pool;
        match instruction {
            I::Nop | I::Unreachable | I::Goto(_) | I::Jsr(_) => Ok(()),
            I::Null => self.push(frame, Null),
            I::Int(_) => self.push(frame, Int),
            I::Long(_) => self.push(frame, Long),
            I::Float(_) => self.push(frame, Float),
            I::Double(_) => self.push(frame, Double),
            I::Constant(id) => {
                let value = self.constant_type(id)?;
                self.push(frame, value)
            }
            I::Load(slot) => self.load_local(frame, slot, self.kinds[self.at]),
            I::Store(slot) => self.store_local(frame, slot, self.kinds[self.at]),
            I::Increment { slot, .. } => self.local(frame, slot, Kind::Int).map(|_| ()),
            I::Ret(slot) => match self.local_at(frame, slot, 1)? {
                Type::Return(_) => Ok(()),
                other => self.wrong(format!("{} is no return address", self.spell(other))),
            },
            I::Pop
            | I::Pop2
            | I::Swap
            | I::Dup
            | I::DupX1
            | I::DupX2
            | I::Dup2
            | I::Dup2X1
            | I::Dup2X2 => self.shuffle(instruction, frame),
            I::Binary(kind, op) => {
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr);
                let second = if shift { Kind::Int } else { kind.kind() };
                self.pop_kind(frame, second)?;
                self.pop_kind(frame, kind.kind())?;
                self.push_kind(frame, kind.kind())
            }
            I::Negate(kind) => {
                self.pop_kind(frame, kind.kind())?;
                self.push_kind(frame, kind.kind())
            }
            I::Convert(from, to) => {
                self.pop_kind(frame, from.kind())?;
                self.push_kind(frame, to.kind())
            }
            I::Narrow(_) => {
                self.pop(frame, Int)?;
                self.push(frame, Int)
            }
            I::Compare(comparison) => {
                self.pop_kind(frame, comparison.operand())?;
                self.pop_kind(frame, comparison.operand())?;
                self.push(frame, Int)
            }
            I::If(..) | I::Switch(_) => self.pop(frame, Int),
            I::IfInts(..) => {
                self.pop(frame, Int)?;
                self.pop(frame, Int)
            }
            I::IfSame(_) | I::IfDifferent(_) => {
                self.pop_reference(frame, self.is_inferring)?;
                self.pop_reference(frame, self.is_inferring).map(|_| ())
            }
            I::IfNull(_) | I::IfNonNull(_) => self.pop_reference(frame, false).map(|_| ()),
            I::MonitorEnter | I::MonitorExit => {
                self.pop_reference(frame, self.is_inferring).map(|_| ())
            }
            I::Throw => self.pop(frame, Type::Class(self.known.throwable)),
            I::ArrayLoad(element) => self.array_load(frame, element),
            I::ArrayStore(element) => self.array_store(frame, element),
            I::ArrayLength => {
                match self.pop_reference(frame, true)? {
                    Type::Class(name) if component(name, self.names()).is_none() => {
                        return self
                            .wrong(format!("{} has no length", self.spell(Type::Class(name))));
                    }
                    _ => {}
                }
                self.push(frame, Int)
            }
            I::NewArray(primitive) => {
                self.pop(frame, Int)?;
                let name = self.names().intern(&format!("[{}", primitive.letter()));
                self.push(frame, Type::Class(name))
            }
            I::NewReferenceArray(id) => {
                self.pop(frame, Int)?;
                self.push(frame, Type::Class(array_of(pool.class(id).name, self.names())))
            }
            I::NewMultiArray(id, dimensions) => {
                for _ in 0..dimensions {
                    self.pop(frame, Int)?;
                }
                self.push(frame, Type::Class(pool.class(id).name))
            }
            I::New(_) => self.new_object(frame),
            I::CheckCast(id) => {
                self.pop(frame, Type::Class(self.known.object))?;
                self.push(frame, Type::Class(pool.class(id).name))
            }
            I::InstanceOf(_) => {
                self.pop(frame, Type::Class(self.known.object))?;
                self.push(frame, Int)
            }
            I::GetStatic(id) => self.push(frame, Type::of(pool.field(id).value)),
            I::PutStatic(id) => self.pop(frame, Type::of(pool.field(id).value)),
            I::GetField(id) => self.get_field(frame, pool.field(id)),
            I::PutField(id) => self.put_field(frame, pool.field(id)),
            I::InvokeStatic(id) => {
                let method = pool.method(id);
                self.arguments(frame, &method.signature)?;
                self.result(frame, &method.signature)
            }
            I::InvokeVirtual(id) => self.invoke_virtual(frame, pool.method(id)),
            I::InvokeInterface(id) => {
                let method = pool.method(id);
                self.arguments(frame, &method.signature)?;
                self.pop(frame, Type::Class(pool.class(method.class).name))?;
                self.result(frame, &method.signature)
            }
            I::InvokeSpecial(id) if self.is_constructor(id) => self.construct(frame, id),
            I::InvokeSpecial(id) => self.invoke_special(frame, pool.method(id)),
            I::InvokeDynamic(id) => {
                self.check_operand(instruction)?;
                let Some(signature) = &pool.dynamic(id).signature else {
                    return self.wrong("a call site has no type");
                };
                self.arguments(frame, signature)?;
                self.result(frame, signature)
            }
            I::Return => self.returns(frame),
            I::ReturnValue(kind) => self.returns_value(frame, kind),
        }
    }

    /// What an instruction requires whatever is known.
    pub(super) fn check_operand(&self, instruction: Instruction) -> Done {
        use Instruction as I;
        match instruction {
            I::Load(slot) | I::Store(slot) => self.check_slot(slot, self.kinds[self.at].slots()),
            I::Increment { slot, .. } | I::Ret(slot) => self.check_slot(slot, 1),
            I::Constant(id) => self.constant_type(id).map(|_| ()),
            I::InvokeSpecial(id) if !self.is_constructor(id) => {
                self.check_special(self.class.pool.method(id))
            }
            I::InvokeDynamic(_) if self.class.major < JAVA_7 => {
                self.wrong("class files of this version have no call sites")
            }
            _ => Ok(()),
        }
    }

    /// Whether an instruction calls a constructor.
    pub(super) fn is_construction(&self, instruction: Instruction) -> bool {
        matches!(instruction, Instruction::InvokeSpecial(id) if self.is_constructor(id))
    }

    fn is_constructor(&self, id: MethodRefId) -> bool {
        self.class.pool.method(id).name == self.known.constructor
    }

    fn push(&self, frame: &mut Frame, value: Type) -> Done {
        frame.stack.push(value);
        if value.is_wide() {
            frame.stack.push(Type::Second);
        }
        if frame.stack.len() > usize::from(self.code.max_stack) {
            return self.wrong("the operand stack gets higher than declared");
        }
        Ok(())
    }

    fn push_kind(&self, frame: &mut Frame, kind: Kind) -> Done {
        // No instruction pushes a reference of which only the kind is known.
        self.push(frame, Type::of_kind(kind).unwrap_or(Type::Null))
    }

    fn pop_any(&self, frame: &mut Frame) -> Result<Type, Trouble> {
        frame.stack.pop().map_or_else(|| self.wrong("the operand stack is empty"), Ok)
    }

    /// Takes a value that fits a type off the stack.
    fn pop(&self, frame: &mut Frame, expected: Type) -> Done {
        self.pop_fitting(frame, expected).map(|_| ())
    }

    fn pop_fitting(&self, frame: &mut Frame, expected: Type) -> Result<Type, Trouble> {
        let mut found = self.pop_any(frame)?;
        if expected.is_wide() && found == Type::Second {
            found = self.pop_any(frame)?;
        }
        if self.fits(found, expected)? {
            return Ok(found);
        }
        let (expected, found) = (self.spell(expected), self.spell(found));
        self.wrong(format!("{expected} is expected on the operand stack, {found} is there"))
    }

    fn pop_kind(&self, frame: &mut Frame, kind: Kind) -> Done {
        match Type::of_kind(kind) {
            Some(expected) => self.pop(frame, expected),
            None => self.pop_reference(frame, true).map(|_| ()),
        }
    }

    /// Takes any reference off the stack; if `made`, one to an object whose constructor was called.
    fn pop_reference(&self, frame: &mut Frame, made: bool) -> Result<Type, Trouble> {
        let found = self.pop_any(frame)?;
        if if made { found.is_made() } else { found.is_reference() } {
            return Ok(found);
        }
        let found = self.spell(found);
        self.wrong(format!("a reference is expected on the operand stack, {found} is there"))
    }

    /// The local variable at a slot, if the method has that many.
    fn local_at(&self, frame: &Frame, slot: u16, slots: u16) -> Result<Type, Trouble> {
        self.check_slot(slot, slots)?;
        Ok(local(&frame.locals, usize::from(slot)))
    }

    fn check_slot(&self, slot: u16, slots: u16) -> Done {
        if u32::from(slot) + u32::from(slots) > u32::from(self.code.max_locals) {
            return self.wrong(format!("there is no local variable {slot}"));
        }
        Ok(())
    }

    fn local(&self, frame: &Frame, slot: u16, kind: Kind) -> Result<Type, Trouble> {
        let found = self.local_at(frame, slot, kind.slots())?;
        let fits = match Type::of_kind(kind) {
            Some(expected) => found == expected,
            None => found.is_reference(),
        };
        if fits {
            return Ok(found);
        }
        let found = self.spell(found);
        self.wrong(format!("{kind:?} is expected in local variable {slot}, {found} is there"))
    }

    fn load_local(&self, frame: &mut Frame, slot: u16, kind: Kind) -> Done {
        let found = self.local(frame, slot, kind)?;
        self.push(frame, found)
    }

    fn store_local(&self, frame: &mut Frame, slot: u16, kind: Kind) -> Done {
        self.check_slot(slot, kind.slots())?;
        let value = match Type::of_kind(kind) {
            Some(expected) => self.pop_fitting(frame, expected)?,
            None => match frame.stack.last() {
                Some(&Type::Return(_)) if self.is_inferring => self.pop_any(frame)?,
                _ => self.pop_reference(frame, false)?,
            },
        };
        frame.set(usize::from(slot), value);
        Ok(())
    }

    fn constant_type(&self, id: ConstantId) -> Result<Type, Trouble> {
        let class = |name: &str| Type::Class(self.names().intern(name));
        Ok(match self.class.pool.constant(id) {
            Some(Constant::Int(_)) => Type::Int,
            Some(Constant::Float(_)) => Type::Float,
            Some(Constant::Long(_)) => Type::Long,
            Some(Constant::Double(_)) => Type::Double,
            Some(Constant::String(_)) => class("java/lang/String"),
            Some(Constant::Class(_)) if self.class.major < JAVA_5 => {
                return self.wrong("class files of this version cannot load classes as constants");
            }
            Some(Constant::Class(_)) => class("java/lang/Class"),
            Some(Constant::MethodType(_)) => class("java/lang/invoke/MethodType"),
            Some(Constant::MethodHandle(_)) => class("java/lang/invoke/MethodHandle"),
            Some(Constant::Dynamic(id)) => match self.class.pool.dynamic(id).value {
                Some(value) => Type::of(value),
                None => return self.wrong("a constant has no type"),
            },
            None => return self.wrong("there is no such constant"),
        })
    }

    /// The element type of the array on top, if it is one that the instruction is for; none for
    /// `null`.
    fn pop_array(
        &self,
        frame: &mut Frame,
        element: ElementKind,
    ) -> Result<Option<ValueType>, Trouble> {
        let Type::Class(array) = self.pop_reference(frame, true)? else { return Ok(None) };
        let inner = component(array, self.names());
        let fits = match (inner, element) {
            (Some(ValueType::Reference(_)), element) => element == ElementKind::Reference,
            (Some(ValueType::Primitive(primitive)), element) => element == element_of(primitive),
            (None, _) => false,
        };
        if fits {
            return Ok(inner);
        }
        let array = self.spell(Type::Class(array));
        self.wrong(format!("{array} is not an array of {element:?}"))
    }

    fn array_load(&self, frame: &mut Frame, element: ElementKind) -> Done {
        self.pop(frame, Type::Int)?;
        let found = self.pop_array(frame, element)?;
        match (found, Type::of_kind(element.kind())) {
            (_, Some(value)) => self.push(frame, value),
            (Some(value), None) => self.push(frame, Type::of(value)),
            (None, None) => self.push(frame, Type::Null),
        }
    }

    /// Whether an object may be an element of an array is seen when it is stored.
    fn array_store(&self, frame: &mut Frame, element: ElementKind) -> Done {
        match Type::of_kind(element.kind()) {
            Some(value) => self.pop(frame, value)?,
            None => self.pop(frame, Type::Class(self.known.object))?,
        }
        self.pop(frame, Type::Int)?;
        self.pop_array(frame, element).map(|_| ())
    }

    fn new_object(&self, frame: &mut Frame) -> Done {
        let new = Type::New(self.at as u16);
        if frame.stack.contains(&new) {
            return self
                .wrong("an object that was made here before still waits for its constructor");
        }
        frame.replace(new, Type::Top);
        self.push(frame, new)
    }

    fn get_field(&self, frame: &mut Frame, field: &FieldRef) -> Done {
        let owner = self.field_owner(field)?;
        let object = self.pop_fitting(frame, Type::Class(owner))?;
        self.check_protected(object, owner, Member::Field(field.name, field.descriptor))?;
        self.push(frame, Type::of(field.value))
    }

    fn put_field(&self, frame: &mut Frame, field: &FieldRef) -> Done {
        let owner = self.field_owner(field)?;
        self.pop(frame, Type::of(field.value))?;
        // A constructor may set fields of its own class before it calls another constructor.
        let is_own = owner == self.class.name
            && self.class.declared_field(field.name, field.descriptor).is_some();
        if is_own && frame.stack.last() == Some(&Type::This) {
            frame.stack.pop();
            return Ok(());
        }
        let object = self.pop_fitting(frame, Type::Class(owner))?;
        self.check_protected(object, owner, Member::Field(field.name, field.descriptor))
    }

    fn field_owner(&self, field: &FieldRef) -> Result<Name, Trouble> {
        let owner = self.class.pool.class(field.class).name;
        if component(owner, self.names()).is_some() {
            return self.wrong("an array has no fields");
        }
        Ok(owner)
    }

    fn check_protected(&self, object: Type, owner: Name, member: Member) -> Done {
        let own = Type::Class(self.class.name);
        if object == own || !self.is_protected_elsewhere(owner, member) {
            return Ok(());
        }
        // To an interface everything is assignable, but a protected method of Object is not its own.
        let of_object = self.class.is_interface() && object == Type::Class(self.known.object);
        if !of_object && self.fits(object, own)? {
            return Ok(());
        }
        let object = self.spell(object);
        self.wrong(format!("a protected member of another package is used through {object}"))
    }

    fn arguments(&self, frame: &mut Frame, signature: &MethodType) -> Done {
        let mut parameters = signature.parameters.iter().rev();
        parameters.try_for_each(|&parameter| self.pop(frame, Type::of(parameter)))
    }

    fn result(&self, frame: &mut Frame, signature: &MethodType) -> Done {
        signature.result.map_or(Ok(()), |result| self.push(frame, Type::of(result)))
    }

    fn invoke_virtual(&self, frame: &mut Frame, method: &MethodRef) -> Done {
        let owner = self.class.pool.class(method.class).name;
        self.arguments(frame, &method.signature)?;
        let object = self.pop_fitting(frame, Type::Class(owner))?;
        let is_array =
            matches!(object, Type::Class(name) if component(name, self.names()).is_some());
        // Arrays have a public `clone`, although the method it means is protected.
        let array_clone =
            is_array && owner == self.known.object && self.names().text(method.name) == "clone";
        if !array_clone {
            self.check_protected(object, owner, Member::Method(method.name, method.descriptor))?;
        }
        self.result(frame, &method.signature)
    }

    /// Calls of methods of this class, of superclasses and of direct superinterfaces.
    fn invoke_special(&self, frame: &mut Frame, method: &MethodRef) -> Done {
        let owner = self.class.pool.class(method.class).name;
        self.check_special(method)?;
        self.arguments(frame, &method.signature)?;
        let object = self.pop_fitting(frame, Type::Class(self.class.name))?;
        if self.is_inferring {
            if !self.fits(object, Type::Class(owner))? {
                return self.wrong("the receiver of invokespecial is of another class");
            }
            self.check_protected(object, owner, Member::Method(method.name, method.descriptor))?;
        }
        self.result(frame, &method.signature)
    }

    fn check_special(&self, method: &MethodRef) -> Done {
        let owner = self.class.pool.class(method.class).name;
        let named = |id: &ClassId| self.program.class(*id).name == owner;
        if self.is_inferring {
            if self.class.lineage().iter().any(named) {
                return Ok(());
            }
            return self.wrong("invokespecial names a class that is not above this one");
        }
        let is_near = self.class.superclass.iter().chain(&*self.class.interfaces).any(named);
        if owner == self.class.name || is_near {
            return Ok(());
        }
        self.check_indirect(owner, method.in_interface)
    }

    fn check_indirect(&self, owner: Name, in_interface: bool) -> Done {
        let own = Type::Class(self.class.name);
        if !self.fits(own, Type::Class(owner))? {
            return self.wrong("invokespecial names a class that is not above this one");
        }
        let is_strict = self.program.class(self.program.object()).major > JAVA_17;
        let is_interface = owner != self.known.object
            && component(owner, self.names()).is_none()
            && self.program.class(self.load(owner)?).is_interface();
        if in_interface || is_strict && is_interface {
            return self
                .wrong("invokespecial names an interface that is not a direct superinterface");
        }
        Ok(())
    }

    /// A call of a constructor: from now on the object is one of its class, wherever it is kept.
    fn construct(&self, frame: &mut Frame, id: MethodRefId) -> Done {
        let pool = &self.class.pool;
        let method = pool.method(id);
        let owner = pool.class(method.class).name;
        self.arguments(frame, &method.signature)?;
        let object = self.pop_any(frame)?;
        let made = match object {
            Type::This => {
                let above = self.class.superclass.map(|id| self.program.class(id).name);
                if owner != self.class.name && Some(owner) != above {
                    return self.wrong("a constructor of another class is called on this");
                }
                frame.unset_this = false;
                self.class.name
            }
            Type::New(at) => {
                let Instruction::New(made) = self.code.instructions[usize::from(at)] else {
                    return self.wrong("an object was made by no instruction");
                };
                let made = pool.class(made).name;
                if made != owner {
                    return self.wrong("the constructor of another class is called");
                }
                let member = Member::Method(method.name, method.descriptor);
                if self.is_protected_elsewhere(owner, member)
                    && (self.is_inferring
                        || !self.fits(Type::Class(made), Type::Class(self.class.name))?)
                {
                    return self.wrong("a protected constructor of another package is called");
                }
                made
            }
            other => {
                let other = self.spell(other);
                return self.wrong(format!("a constructor is called on {other}"));
            }
        };
        frame.replace(object, Type::Class(made));
        self.result(frame, &method.signature)
    }

    fn returns(&self, frame: &Frame) -> Done {
        if self.result.is_some() {
            return self.wrong("the method has to return a value");
        }
        if frame.unset_this && self.is_constructing {
            return self.wrong("a constructor ends without having called another constructor");
        }
        Ok(())
    }

    fn returns_value(&self, frame: &mut Frame, kind: Kind) -> Done {
        let Some(result) = self.result else {
            return self.wrong("the method returns nothing, and this returns a value");
        };
        let of_kind = Type::of_kind(kind);
        if of_kind.map_or(matches!(result, Type::Class(_)), |of_kind| of_kind == result) {
            return self.pop(frame, result);
        }
        self.wrong("what is returned is not what the method declares")
    }

    /// The moves on the operand stack, in places.
    fn shuffle(&self, moved: Instruction, frame: &mut Frame) -> Done {
        use Instruction as I;
        let (copied, skipped) = match moved {
            I::Pop => return self.take(frame, 1).map(|_| ()),
            I::Pop2 => return self.take(frame, 2).map(|_| ()),
            I::Swap => {
                let top = self.take(frame, 1)?;
                let below = self.take(frame, 1)?;
                frame.stack.extend(top.into_iter().chain(below));
                return Ok(());
            }
            I::DupX1 => (1, 1),
            I::DupX2 => (1, 2),
            I::Dup2 => (2, 0),
            I::Dup2X1 => (2, 1),
            I::Dup2X2 => (2, 2),
            _ => (1, 0),
        };
        let copied = self.take(frame, copied)?;
        let skipped = self.take(frame, skipped)?;
        frame.stack.extend_from_slice(&copied);
        frame.stack.extend(skipped);
        frame.stack.extend(copied);
        if frame.stack.len() > usize::from(self.code.max_stack) {
            return self.wrong("the operand stack gets higher than declared");
        }
        Ok(())
    }

    /// Takes places off the stack that no value is split by.
    fn take(&self, frame: &mut Frame, places: usize) -> Result<Vec<Type>, Trouble> {
        let Some(start) = frame.stack.len().checked_sub(places) else {
            return self.wrong("the operand stack is empty");
        };
        let taken = frame.stack.split_off(start);
        if taken.first() == Some(&Type::Second) || frame.stack.last().is_some_and(|t| t.is_wide()) {
            return self.wrong("half of a long or double is moved");
        }
        if !self.is_inferring && taken.contains(&Type::Top) {
            return self.wrong("nothing usable is on the operand stack");
        }
        Ok(taken)
    }
}

fn element_of(primitive: Primitive) -> ElementKind {
    match primitive {
        Primitive::Boolean | Primitive::Byte => ElementKind::ByteOrBoolean,
        Primitive::Char => ElementKind::Char,
        Primitive::Short => ElementKind::Short,
        Primitive::Int => ElementKind::Int,
        Primitive::Long => ElementKind::Long,
        Primitive::Float => ElementKind::Float,
        Primitive::Double => ElementKind::Double,
    }
}
