//! Whether a `NullPointerException` that `Objects.requireNonNull` throws is the language's own.
//!
//! JLS says of some expressions that they throw it although no instruction does, and compilers spell
//! the check as a call. There are two forms, and this is how a call of the compiler looks:
//!
//! - `dup; invokestatic requireNonNull(Object); pop`: the receiver of a bound method reference
//!   (`s::length`, JLS 15.13.3), the outer object of an inner one (`t.new Inner()`, 15.9.4, and
//!   `t.super()`, 8.8.7.1) and the selector of a pattern `switch` (14.11.3). No expression of the
//!   program copies an argument right before it is passed.
//! - `invokestatic requireNonNull(Object); pop; <constant>`: an instance field that is a constant
//!   (`o.F` for `final int F = 3`, 15.11.1). A statement of the program looks the same if a constant
//!   follows it on its line, so the class of the operand must have such a field, if it is known.
//!   A condition (`if (o.FLAG)`) leaves no constant behind, and then nothing tells it from a statement.
//!   So a check of an object whose class is known to have such a field of type `boolean` counts as the
//!   language's: what is said of it then may be a false alarm, but nothing is left out.
//!
//! Older compilers call `getClass` instead: there the machine raises the exception.

use crate::explorer::Explorer;
use dalang_classes::code::{Code, Instruction, LineNumber};
use dalang_classes::{Constant, MethodId, Pool, ValueType};
use dalang_interp::Origin;

impl Explorer<'_> {
    /// Whether an exception comes from a check that the compiler has put in, by where it was thrown.
    pub(crate) fn is_null_check(&self, origin: Option<&Origin>) -> bool {
        let Some(origin) = origin else { return false };
        let &[(check, _), (caller, pc), ..] = &*origin.frames else { return false };
        let program = self.machine.program;
        let text = |name| program.names().text(name);
        let method = program.method(check);
        text(method.name) == "requireNonNull"
            && text(method.descriptor) == "(Ljava/lang/Object;)Ljava/lang/Object;"
            && program.java_name(method.class) == "java.util.Objects"
            && self.is_compilers_call(caller, usize::from(pc))
    }

    fn is_compilers_call(&self, caller: MethodId, pc: usize) -> bool {
        let Ok(Some(code)) = self.machine.program.code(caller) else { return false };
        let at = |index: usize| code.instructions.get(index).copied();
        let calls = matches!(at(pc), Some(Instruction::InvokeStatic(_)));
        if !calls || at(pc + 1) != Some(Instruction::Pop) {
            return false;
        }
        match pc.checked_sub(1).and_then(at) {
            Some(Instruction::Dup) => true,
            Some(operand) => self.is_constant_field(caller, code, pc, operand),
            None => false,
        }
    }

    /// Whether what follows a check is the value of a constant field of what is checked.
    fn is_constant_field(
        &self,
        caller: MethodId,
        code: &Code,
        pc: usize,
        operand: Instruction,
    ) -> bool {
        let program = self.machine.program;
        let pool = &program.class(program.method(caller).class).pool;
        let begins = |line: &LineNumber| usize::from(line.start) == pc + 2;
        let follows = code.instructions.get(pc + 2).filter(|_| !code.lines.iter().any(begins));
        let pushed = follows.and_then(|&follows| pushed(pool, follows));
        let class = self.operand_class(caller, code, pc, operand);
        let Some(class) = class.and_then(|class| program.loaded(&class)) else {
            return pushed.is_some();
        };
        let mut fields = program.class(class).lineage().iter().flat_map(|&above| {
            let class = program.class(above);
            class.fields().map(|field| (&class.pool, program.field(field)))
        });
        fields.any(|(pool, field)| {
            let constant = field.constant.and_then(|constant| pool.constant(constant));
            let is_condition = || program.names().text(field.descriptor) == "Z";
            let is_same = |constant| pushed.is_some_and(|pushed| same(constant, pushed));
            !field.flags.is_static()
                && constant.is_some_and(|constant| is_same(constant) || is_condition())
        })
    }

    /// The declared class of what an instruction pushes, where that is said.
    fn operand_class(
        &self,
        caller: MethodId,
        code: &Code,
        pc: usize,
        operand: Instruction,
    ) -> Option<String> {
        let program = self.machine.program;
        let names = program.names();
        let method = program.method(caller);
        let pool = &program.class(method.class).pool;
        let value = match operand {
            Instruction::Load(slot) => code.local(slot, u16::try_from(pc).ok()?)?.value,
            Instruction::GetField(field) | Instruction::GetStatic(field) => {
                let descriptor = names.text(pool.field(field).descriptor);
                return Some(descriptor.strip_prefix('L')?.strip_suffix(';')?.to_owned());
            }
            Instruction::InvokeVirtual(method)
            | Instruction::InvokeStatic(method)
            | Instruction::InvokeInterface(method)
            | Instruction::InvokeSpecial(method) => {
                program.method_type(pool.method(method).descriptor)?.result?
            }
            Instruction::CheckCast(class) => ValueType::Reference(pool.class(class).name),
            _ => return None,
        };
        match value {
            ValueType::Reference(name) => Some(names.text(name).to_owned()),
            ValueType::Primitive(_) => None,
        }
    }
}

/// The constant that an instruction pushes.
fn pushed(pool: &Pool, instruction: Instruction) -> Option<Constant<'_>> {
    match instruction {
        Instruction::Int(value) => Some(Constant::Int(value)),
        Instruction::Long(value) => Some(Constant::Long(value.into())),
        Instruction::Float(value) => Some(Constant::Float(value)),
        Instruction::Double(value) => Some(Constant::Double(value.into())),
        Instruction::Constant(constant) => pool.constant(constant),
        _ => None,
    }
}

/// Whether two constants are one: a NaN is itself, and zeros have signs.
fn same(one: Constant<'_>, other: Constant<'_>) -> bool {
    match (one, other) {
        (Constant::Float(one), Constant::Float(other)) => one.to_bits() == other.to_bits(),
        (Constant::Double(one), Constant::Double(other)) => one.to_bits() == other.to_bits(),
        _ => one == other,
    }
}
