//! From checked bodies to instructions.
//!
//! Instructions are named after what they do here, not after the class file's spelling; `emit` knows
//! that. Every value takes one place on the stack, so depths are counted while instructions are made.
//!
//! When the body of a `var` ends, the papers' machine restores the whole environment, not only the
//! name that was declared: what the body assigned to variables from outside is lost. Here the body
//! works on copies of those variables.

use super::typed::{
    ClassIndex, Declaration, Expression, Kind, Member, Method, THIS, Type, VariableId,
};

/// The most bytes of code. A method could have 64 KiB, but a jump reaches half as far.
const MOST_CODE: usize = 32_767;

/// Where a local variable is.
pub(super) type Slot = u16;

/// A place in the code that is jumped to or that a table speaks of.
pub(super) type Mark = usize;

#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    PushNull,
    PushTruth(bool),
    Load(Slot, Type),
    Store(Slot, Type),
    /// An object of a class, its constructor called.
    New(ClassIndex),
    Get(Member),
    Put(Member),
    Call(Member),
    Pop,
    Duplicate,
    /// Puts a copy of the uppermost value below the one under it.
    DuplicateBelow,
    Jump(Mark),
    JumpIfFalse(Mark),
    JumpIfNotNull(Mark),
    JumpIfOtherReference(Mark),
    JumpIfOtherTruth(Mark),
    Return(Type),
    Mark(Mark),
    /// What follows belongs to this line.
    Line(u32),
}

impl Step {
    /// The most bytes it takes.
    fn size(self) -> usize {
        match self {
            Self::Mark(_) | Self::Line(_) => 0,
            Self::PushNull
            | Self::PushTruth(_)
            | Self::Return(_)
            | Self::Pop
            | Self::Duplicate
            | Self::DuplicateBelow => 1,
            Self::Load(..) | Self::Store(..) => 4,
            Self::New(_) => 7,
            _ => 3,
        }
    }

    /// How many values a step takes from the stack, and how many it leaves there.
    fn effect(self) -> (usize, usize) {
        match self {
            Self::PushNull | Self::PushTruth(_) | Self::Load(..) | Self::New(_) => (0, 1),
            Self::Store(..)
            | Self::Pop
            | Self::Return(_)
            | Self::JumpIfFalse(_)
            | Self::JumpIfNotNull(_) => (1, 0),
            Self::Get(_) => (1, 1),
            Self::Put(_) | Self::JumpIfOtherReference(_) | Self::JumpIfOtherTruth(_) => (2, 0),
            Self::Call(_) => (2, 1),
            Self::Duplicate => (1, 2),
            Self::DuplicateBelow => (2, 3),
            Self::Jump(_) | Self::Mark(_) | Self::Line(_) => (0, 0),
        }
    }
}

/// A variable for the table of local variables: from one mark to another.
pub(super) struct Local {
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) slot: Slot,
    pub(super) from: Mark,
    pub(super) to: Mark,
}

/// The code of a method.
pub(super) struct Code {
    pub(super) steps: Vec<Step>,
    pub(super) locals: Vec<Local>,
    pub(super) stack: u16,
    pub(super) slots: u16,
    pub(super) marks: usize,
}

/// A method whose code does not fit into a class file.
#[derive(Debug)]
pub(super) struct TooLarge;

/// The code of a method of a class.
pub(super) fn method(class: ClassIndex, method: &Method) -> Result<Code, TooLarge> {
    let mut lowering = Lowering {
        steps: Vec::new(),
        locals: Vec::new(),
        places: vec![(0, Type::Class(class)), (1, method.parameter.1)],
        next: 2,
        slots: 2,
        depth: 0,
        deepest: 0,
        marks: 0,
        line: None,
        bytes: 0,
    };
    let (from, to) = (lowering.mark(), lowering.mark());
    lowering.put(Step::Mark(from))?;
    let parameters = [("this", Type::Class(class)), (&method.parameter.0, method.parameter.1)];
    for (slot, (name, of)) in (0..).zip(parameters) {
        lowering.locals.push(Local { name: name.to_owned(), of, slot, from, to });
    }
    lowering.line(method.body.line)?;
    if !method.body.assigned_below(THIS + 1).is_empty() {
        // Reports take the receiver to be where it was.
        lowering.copy(THIS, Type::Class(class))?;
    }
    lowering.expression(&method.body)?;
    lowering.put(Step::Return(method.result))?;
    lowering.put(Step::Mark(to))?;
    Ok(Code {
        steps: lowering.steps,
        locals: lowering.locals,
        stack: u16::try_from(lowering.deepest).map_err(|_| TooLarge)?,
        slots: lowering.slots,
        marks: lowering.marks,
    })
}

struct Lowering {
    steps: Vec<Step>,
    locals: Vec<Local>,
    /// Where each variable is now, by its number, and its type.
    places: Vec<(Slot, Type)>,
    /// The first slot that is free.
    next: Slot,
    /// How many slots there are.
    slots: Slot,
    depth: usize,
    deepest: usize,
    marks: usize,
    line: Option<u32>,
    bytes: usize,
}

impl Lowering {
    fn put(&mut self, step: Step) -> Result<(), TooLarge> {
        let (taken, given) = step.effect();
        self.depth = self.depth - taken + given;
        // `New` has the object there twice while its constructor runs.
        let most = self.depth + usize::from(matches!(step, Step::New(_)));
        self.deepest = self.deepest.max(most);
        self.bytes += step.size();
        self.steps.push(step);
        if self.bytes > MOST_CODE { Err(TooLarge) } else { Ok(()) }
    }

    fn mark(&mut self) -> Mark {
        self.marks += 1;
        self.marks - 1
    }

    fn line(&mut self, line: u32) -> Result<(), TooLarge> {
        if self.line == Some(line) {
            return Ok(());
        }
        self.line = Some(line);
        self.put(Step::Line(line))
    }

    fn fresh(&mut self) -> Result<Slot, TooLarge> {
        let slot = self.next;
        self.next = slot.checked_add(1).ok_or(TooLarge)?;
        self.slots = self.slots.max(self.next);
        Ok(slot)
    }

    /// Gives a variable a new place with the same value.
    fn copy(&mut self, variable: VariableId, of: Type) -> Result<(), TooLarge> {
        let slot = self.fresh()?;
        self.put(Step::Load(self.places[variable].0, of))?;
        self.put(Step::Store(slot, of))?;
        self.places[variable].0 = slot;
        Ok(())
    }

    /// Leaves the value of an expression on the stack, or nothing if it is not used.
    fn expression(&mut self, expression: &Expression) -> Result<(), TooLarge> {
        let Expression { line, of, kind } = expression;
        let used = *of != Type::Nothing;
        match kind {
            // These use their value, or those of their parts, only if it is asked for.
            Kind::If(parts) => return self.branches(*line, parts),
            Kind::Declare(declaration) => return self.declaration(declaration),
            Kind::Begin(parts) => return parts.iter().try_for_each(|part| self.expression(part)),
            Kind::Assign(variable, value) => return self.assign(*line, *variable, value, used),
            Kind::Write(variable, field, value) => {
                return self.write(*line, *variable, *field, value, used);
            }
            Kind::Field(object, field) => {
                self.expression(object)?;
                self.line(*line)?;
                self.put(Step::Get(*field))?;
            }
            Kind::Call(object, method, argument) => {
                self.expression(object)?;
                self.expression(argument)?;
                self.line(*line)?;
                self.put(Step::Call(*method))?;
            }
            Kind::Equals(left, right) => self.truth(*line, left, right)?,
            Kind::Null => self.put_at(*line, Step::PushNull)?,
            Kind::Truth(value) => self.put_at(*line, Step::PushTruth(*value))?,
            Kind::Read(variable) => {
                let (slot, of) = self.places[*variable];
                self.put_at(*line, Step::Load(slot, of))?;
            }
            Kind::New(class) => self.put_at(*line, Step::New(*class))?,
        }
        if used { Ok(()) } else { self.put(Step::Pop) }
    }

    fn put_at(&mut self, line: u32, step: Step) -> Result<(), TooLarge> {
        self.line(line)?;
        self.put(step)
    }

    fn assign(
        &mut self,
        line: u32,
        variable: VariableId,
        value: &Expression,
        used: bool,
    ) -> Result<(), TooLarge> {
        self.expression(value)?;
        self.line(line)?;
        if used {
            self.put(Step::Duplicate)?;
        }
        let (slot, of) = self.places[variable];
        self.put(Step::Store(slot, of))
    }

    /// The variable is looked up when the value is there, which may have changed it.
    fn write(
        &mut self,
        line: u32,
        variable: VariableId,
        field: Member,
        value: &Expression,
        used: bool,
    ) -> Result<(), TooLarge> {
        self.expression(value)?;
        self.line(line)?;
        if used {
            self.put(Step::Duplicate)?;
        }
        let (slot, of) = self.places[variable];
        self.put(Step::Load(slot, of))?;
        self.put(Step::DuplicateBelow)?;
        self.put(Step::Pop)?;
        self.put(Step::Put(field))
    }

    /// Leaves whether two values are the same.
    fn truth(&mut self, line: u32, left: &Expression, right: &Expression) -> Result<(), TooLarge> {
        let (different, end) = (self.mark(), self.mark());
        self.compare(line, left, right, different)?;
        self.put(Step::PushTruth(true))?;
        self.put(Step::Jump(end))?;
        self.put(Step::Mark(different))?;
        self.depth -= 1;
        self.put(Step::PushTruth(false))?;
        self.put(Step::Mark(end))
    }

    /// Jumps if two values differ.
    fn compare(
        &mut self,
        line: u32,
        left: &Expression,
        right: &Expression,
        different: Mark,
    ) -> Result<(), TooLarge> {
        match (&left.kind, &right.kind) {
            (_, Kind::Null) => self.expression(left)?,
            (Kind::Null, _) => self.expression(right)?,
            _ => {
                self.expression(left)?;
                self.expression(right)?;
            }
        }
        self.line(line)?;
        self.put(match (&left.kind, &right.kind) {
            (_, Kind::Null) | (Kind::Null, _) => Step::JumpIfNotNull(different),
            _ if left.of == Type::Bool => Step::JumpIfOtherTruth(different),
            _ => Step::JumpIfOtherReference(different),
        })
    }

    fn branches(
        &mut self,
        line: u32,
        [condition, yes, no]: &[Expression; 3],
    ) -> Result<(), TooLarge> {
        let (otherwise, end) = (self.mark(), self.mark());
        if let Kind::Equals(left, right) = &condition.kind {
            self.compare(condition.line, left, right, otherwise)?;
        } else {
            self.expression(condition)?;
            self.line(line)?;
            self.put(Step::JumpIfFalse(otherwise))?;
        }
        let depth = self.depth;
        self.expression(yes)?;
        self.put(Step::Jump(end))?;
        self.put(Step::Mark(otherwise))?;
        self.depth = depth;
        self.expression(no)?;
        self.put(Step::Mark(end))
    }

    fn declaration(&mut self, declaration: &Declaration) -> Result<(), TooLarge> {
        let Declaration { variable, name, of, value, body, assigned } = declaration;
        self.expression(value)?;
        let (next, places) = (self.next, self.places.clone());
        let slot = self.fresh()?;
        self.put(Step::Store(slot, *of))?;
        // Numbers follow the order of the text, in which branches are one after the other.
        self.places.resize(self.places.len().max(variable + 1), (slot, *of));
        self.places[*variable] = (slot, *of);
        for &(outer, of) in assigned {
            self.copy(outer, of)?;
        }
        let (from, to) = (self.mark(), self.mark());
        self.put(Step::Mark(from))?;
        self.expression(body)?;
        self.put(Step::Mark(to))?;
        self.locals.push(Local { name: name.clone(), of: *of, slot, from, to });
        (self.next, self.places) = (next, places);
        Ok(())
    }
}
