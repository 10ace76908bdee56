//! Code as text, one instruction to a line, for tests and for people who wonder.

use super::{Code, Instruction};
use crate::file::{Constant, Pool};
use crate::ids::{ClassRefId, FieldRefId, MethodRefId};
use crate::names::Names;
use std::fmt::Write;

impl Code {
    /// One line for each instruction: its index, its name, its operands, with names for references.
    pub fn listing(&self, pool: &Pool, names: &Names) -> String {
        let mut text = String::new();
        for (index, &instruction) in self.instructions.iter().enumerate() {
            let line = Line { code: self, pool, names }.of(instruction);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{index:3} {line}");
        }
        for handler in &self.handlers {
            let caught = handler.catches.map_or("anything", |id| names.text(pool.class(id).name));
            let (start, end, target) = (handler.start, handler.end, handler.target);
            let _ = writeln!(text, "    {start}..{end} -> {target} {caught}");
        }
        text
    }
}

struct Line<'a> {
    code: &'a Code,
    pool: &'a Pool,
    names: &'a Names,
}

impl Line<'_> {
    fn of(&self, instruction: Instruction) -> String {
        use Instruction as I;
        match instruction {
            I::Constant(id) => match self.pool.constant(id) {
                Some(Constant::Class(class)) => format!("Constant class {}", self.class(class)),
                Some(constant) => format!("Constant {constant:?}"),
                None => "Constant ?".to_owned(),
            },
            I::Switch(id) => {
                let switch = self.code.switch(id);
                let mut cases: Vec<String> =
                    switch.cases().map(|(value, target)| format!("{value}: {target}")).collect();
                cases.push(format!("default: {}", switch.default()));
                format!("Switch {}", cases.join(", "))
            }
            I::GetStatic(id) => format!("GetStatic {}", self.field(id)),
            I::PutStatic(id) => format!("PutStatic {}", self.field(id)),
            I::GetField(id) => format!("GetField {}", self.field(id)),
            I::PutField(id) => format!("PutField {}", self.field(id)),
            I::New(id) => format!("New {}", self.class(id)),
            I::CheckCast(id) => format!("CheckCast {}", self.class(id)),
            I::InstanceOf(id) => format!("InstanceOf {}", self.class(id)),
            I::NewReferenceArray(id) => format!("NewReferenceArray {}", self.class(id)),
            I::NewMultiArray(id, count) => format!("NewMultiArray {} {count}", self.class(id)),
            I::InvokeVirtual(id) => format!("InvokeVirtual {}", self.method(id)),
            I::InvokeSpecial(id) => format!("InvokeSpecial {}", self.method(id)),
            I::InvokeStatic(id) => format!("InvokeStatic {}", self.method(id)),
            I::InvokeInterface(id) => format!("InvokeInterface {}", self.method(id)),
            I::InvokeDynamic(id) => {
                let site = self.pool.dynamic(id);
                let (name, descriptor) = (self.text(site.name), self.text(site.descriptor));
                format!("InvokeDynamic {name}{descriptor} by {}", site.bootstrap)
            }
            plain => format!("{plain:?}"),
        }
    }

    fn text(&self, name: crate::names::Name) -> &str {
        self.names.text(name)
    }

    fn class(&self, id: ClassRefId) -> &str {
        self.text(self.pool.class(id).name)
    }

    fn field(&self, id: FieldRefId) -> String {
        let field = self.pool.field(id);
        let (name, descriptor) = (self.text(field.name), self.text(field.descriptor));
        format!("{}.{name} {descriptor}", self.class(field.class))
    }

    fn method(&self, id: MethodRefId) -> String {
        let method = self.pool.method(id);
        let (name, descriptor) = (self.text(method.name), self.text(method.descriptor));
        format!("{}.{name}{descriptor}", self.class(method.class))
    }
}
