//! Verification of method bodies by types (JVMS 4.10): what a virtual machine refuses to link.
//!
//! Class files of version 50 and later bring stack maps, and every instruction is checked against
//! them in one pass (`check`, JVMS 4.10.1). In older ones, and in those of version 50 that fail so,
//! types are inferred along every path (`infer`, JVMS 4.10.2). What an instruction does to types
//! (`step`) and which type may stand for which (`relate`) is said once. Where the specification and
//! HotSpot differ, this does what HotSpot does, so that programs that run there are not refused; the
//! one exception is `new`, see `step`.
//!
//! Decoding has checked operands and jumps before, and checks kinds of values later on.

mod check;
mod frame;
mod infer;
mod maps;
mod relate;
mod step;

use super::decode::{self, Body};
use super::walk::MOST_WORK;
use super::{Code, Defect};
use crate::descriptor::{Kind, ValueType};
use crate::file::Span;
use crate::ids::MethodId;
use crate::link::{Class, LinkFailure, Program};
use crate::names::{Name, Names};
use frame::{Frame, Type};
use std::cell::Cell;

/// Why a body is refused.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It breaks a rule.
    Wrong(Defect),
    /// A class that is needed to decide cannot be had.
    Missing(LinkFailure),
    /// The same, for a class that a handler catches and that nothing else depends on.
    MissingCaught(LinkFailure),
}

impl From<Defect> for Trouble {
    fn from(defect: Defect) -> Self {
        Self::Wrong(defect)
    }
}

/// Class files of this version bring stack maps, but need not.
const JAVA_6: u16 = 50;

/// Names that the rules are about.
struct Known {
    object: Name,
    throwable: Name,
    cloneable: Name,
    serializable: Name,
    constructor: Name,
}

/// What the rules need to know of a method.
struct Judge<'a> {
    program: &'a Program,
    class: &'a Class,
    known: &'a Known,
    code: &'a Code,
    /// The kinds of loads and stores.
    kinds: &'a [Kind],
    /// What the method returns.
    result: Option<Type>,
    is_constructing: bool,
    /// Whether types are inferred, in an old class file.
    is_inferring: bool,
    /// The instruction that is looked at.
    at: usize,
    /// Cells looked at and instructions visited.
    work: Cell<u64>,
}

/// Verifies the body of every method of a class; the class itself is loaded.
pub(crate) fn verify(program: &Program, class: &Class) -> Result<(), (MethodId, Trouble)> {
    let names = program.names();
    let known = Known {
        object: names.intern("java/lang/Object"),
        throwable: names.intern("java/lang/Throwable"),
        cloneable: names.intern("java/lang/Cloneable"),
        serializable: names.intern("java/io/Serializable"),
        constructor: names.intern("<init>"),
    };
    let mut missing_caught = None;
    // Stack maps are all right, or none is believed (JVMS 4.10). A damaged one is the end.
    let ways: &[bool] = match class.major {
        ..JAVA_6 => &[true],
        JAVA_6 => &[false, true],
        _ => &[false],
    };
    let mut outcome = Ok(());
    for &is_inferring in ways {
        missing_caught = None;
        outcome = class.methods().try_for_each(|id| {
            match program.method(id).content {
                None => Ok(()),
                Some(content) => method(program, class, &known, (id, content), is_inferring),
            }
            .or_else(|trouble| match trouble {
                Trouble::MissingCaught(_) => {
                    missing_caught.get_or_insert((id, trouble));
                    Ok(())
                }
                _ => Err((id, trouble)),
            })
        });
        let is_wrong = |trouble: &Trouble| matches!(trouble, Trouble::Wrong(d) if !d.in_table);
        if !outcome.as_ref().is_err_and(|(_, trouble)| is_wrong(trouble)) {
            break;
        }
    }
    outcome?;
    missing_caught.map_or(Ok(()), Err)
}

fn method(
    program: &Program,
    class: &Class,
    known: &Known,
    (id, content): (MethodId, Span),
    is_inferring: bool,
) -> Result<(), Trouble> {
    let method = program.method(id);
    let context = decode::Method {
        major: class.major,
        is_static: method.flags.is_static(),
        signature: &method.signature,
        pool: &class.pool,
        names: program.names(),
    };
    let body = decode::read(content.of(class.pool.bytes()), &context)?;
    let mut judge = Judge {
        program,
        class,
        known,
        code: &body.code,
        kinds: &body.kinds,
        result: method.signature.result.map(Type::of),
        is_constructing: method.name == known.constructor && class.superclass.is_some(),
        is_inferring,
        at: 0,
        work: Cell::new(0),
    };
    if let Some(what) = body.odd {
        return Err(Defect::new(0_u16, what).of_table().into());
    }
    let missing = judge.check_caught()?;
    let start = judge.start(method.flags.is_static(), &method.signature.parameters)?;
    if is_inferring {
        infer::run(&mut judge, start)?;
    } else {
        check::run(&mut judge, &body, start)?;
    }
    missing.map_or(Ok(()), |failure| Err(Trouble::MissingCaught(failure)))
}

impl Judge<'_> {
    fn names(&self) -> &Names {
        self.program.names()
    }

    fn spell(&self, found: Type) -> String {
        found.spelled(self.names())
    }

    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Trouble> {
        Err(Defect::new(self.code.offsets[self.at], what).into())
    }

    /// Code that would take longer than any compiler's output does is refused.
    fn spend(&self, work: usize) -> Result<(), Trouble> {
        self.work.set(self.work.get() + work as u64 + 1);
        if self.work.get() > MOST_WORK {
            return self.wrong("too entangled to be checked in reasonable time");
        }
        Ok(())
    }

    /// What is known when the method is entered.
    fn start(&self, is_static: bool, parameters: &[ValueType]) -> Result<Frame, Trouble> {
        let mut frame =
            Frame { locals: Vec::new(), stack: Vec::new(), unset_this: self.is_constructing };
        let this = if self.is_constructing { Type::This } else { Type::Class(self.class.name) };
        let receiver = (!is_static).then_some(this);
        let mut slot = 0;
        for value in receiver.into_iter().chain(parameters.iter().map(|&value| Type::of(value))) {
            let end = slot + if value.is_wide() { 2 } else { 1 };
            if end > usize::from(self.code.max_locals) {
                let what = "there are fewer local variables than arguments";
                return Err(Defect::new(0_u16, what).of_table().into());
            }
            frame.set(slot, value);
            slot = end;
        }
        Ok(frame)
    }

    /// Everything that a handler catches can be thrown. Gives the first class that is not there.
    fn check_caught(&self) -> Result<Option<LinkFailure>, Trouble> {
        let throwable = Type::Class(self.known.throwable);
        let mut missing = None;
        for handler in &self.code.handlers {
            let Some(caught) = handler.catches else { continue };
            match self.fits(Type::Class(self.class.pool.class(caught).name), throwable) {
                Ok(true) => {}
                Ok(false) => {
                    let pc = self.code.offsets[usize::from(handler.target)];
                    let what = "a handler catches what cannot be thrown";
                    return Err(Defect::new(pc, what).into());
                }
                Err(Trouble::Missing(failure)) => {
                    missing.get_or_insert(failure);
                }
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(missing)
    }

    /// What is known where a handler begins, if something is thrown here.
    fn caught(&self, handler: &super::Handler, locals: &[Type], unset_this: bool) -> Frame {
        let class = handler.catches.map(|id| self.class.pool.class(id).name);
        let thrown = Type::Class(class.unwrap_or(self.known.throwable));
        Frame { locals: locals.to_vec(), stack: vec![thrown], unset_this }
    }
}
