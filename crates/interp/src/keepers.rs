//! Classes that keep objects which inputs may be, and that a method may use.
//!
//! They are initialized before the method, so that what they keep is there when an input is met: an input
//! that was used before cannot be taken for one of their objects any more. That is the same as initializing
//! them when they are first used if their initializers touch nothing but their own class, and only those are
//! initialized early.

use crate::globals::Globals;
use crate::machine::Machine;
use crate::state::State;
use crate::upbringing::Upbringing;
use dalang_classes::code::Instruction;
use dalang_classes::{ClassId, MethodId};

/// More methods than these are not looked at.
const MOST: usize = 64;

impl<'p> Machine<'p> {
    /// Has the classes initialized that a method may use and that keep objects which inputs may be.
    pub fn bring_up_keepers(&mut self, state: &mut State<'p>, method: MethodId) {
        if self.settings.globals != Globals::Inputs {
            return;
        }
        for class in self.used_classes(method) {
            if self.unknowns.domains.universe().is_keeper(self.program, class)
                && self.upbringing(class) == Upbringing::Alone
            {
                self.bring_up_later(state, class);
            }
        }
    }

    /// Whether an object of one of these classes can be one that is kept by a class which a method may
    /// use, or by its own, and that somebody else can have.
    pub fn can_be_kept(&self, classes: &[ClassId], method: MethodId) -> bool {
        if self.settings.globals != Globals::Inputs {
            return false;
        }
        let universe = self.unknowns.domains.universe();
        let mut holders = self.used_classes(method);
        holders.extend(self.program.class(self.program.method(method).class).lineage());
        holders
            .iter()
            .any(|&holder| classes.iter().any(|&class| universe.keeps(self.program, holder, class)))
    }

    /// The classes whose static fields and methods a method uses, and those that it calls.
    fn used_classes(&self, method: MethodId) -> Vec<ClassId> {
        let mut methods = vec![method];
        let mut classes: Vec<ClassId> = Vec::new();
        let mut next = 0;
        while let Some(&method) = methods.get(next) {
            next += 1;
            let user = self.program.method(method).class;
            let Ok(Some(code)) = self.program.code(method) else { continue };
            for &instruction in &code.instructions {
                let (class, called) = match instruction {
                    Instruction::GetStatic(id) | Instruction::PutStatic(id) => {
                        let Ok(field) = self.program.resolve_field(user, id) else { continue };
                        (self.program.field(field).class, None)
                    }
                    Instruction::InvokeStatic(id)
                    | Instruction::InvokeSpecial(id)
                    | Instruction::InvokeVirtual(id)
                    | Instruction::InvokeInterface(id) => {
                        let Ok(called) = self.program.resolve_method(user, id) else { continue };
                        (self.program.method(called).class, Some(called))
                    }
                    _ => continue,
                };
                if !self.is_targets(class) {
                    continue;
                }
                if !classes.contains(&class) {
                    classes.push(class);
                }
                if let Some(called) = called
                    && methods.len() < MOST
                    && !methods.contains(&called)
                {
                    methods.push(called);
                }
            }
        }
        classes
    }
}
