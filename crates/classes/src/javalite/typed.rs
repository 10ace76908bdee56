//! The tree of a program whose names are resolved and whose types fit.

/// An index in the program's classes.
pub(super) type ClassIndex = usize;

/// A variable of a method: the receiver, the parameter, and then those that are declared, counted
/// in the order of the text. So whatever is declared within an expression has a greater number than
/// what its surroundings know.
pub(super) type VariableId = usize;

/// The receiver.
pub(super) const THIS: VariableId = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Class(ClassIndex),
    /// That of null, which is in every class.
    Null,
    /// No value: whoever has it around throws it away.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) classes: Vec<Class>,
    /// A class, and the number of its method.
    pub(super) entry: Option<(ClassIndex, usize)>,
}

#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) fields: Vec<(String, Type)>,
    pub(super) methods: Vec<Method>,
}

#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) place: super::error::Place,
    pub(super) result: Type,
    pub(super) parameter: (String, Type),
    pub(super) body: Expression,
}

/// An expression: its value is used if and only if its type is not [`Type::Nothing`].
#[derive(Debug)]
pub(super) struct Expression {
    pub(super) line: u32,
    pub(super) of: Type,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Null,
    Truth(bool),
    Read(VariableId),
    New(ClassIndex),
    Field(Box<Expression>, Member),
    /// The value is there before the variable is looked at.
    Write(VariableId, Member, Box<Expression>),
    Equals(Box<Expression>, Box<Expression>),
    If(Box<[Expression; 3]>),
    Declare(Box<Declaration>),
    Call(Box<Expression>, Member, Box<Expression>),
    Assign(VariableId, Box<Expression>),
    Begin(Vec<Expression>),
}

/// The number of a field or a method in its class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) class: ClassIndex,
    pub(super) number: usize,
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) variable: VariableId,
    pub(super) name: String,
    pub(super) of: Type,
    pub(super) value: Expression,
    pub(super) body: Expression,
    /// Variables from outside that the body assigns to, and their types. They have their old
    /// values again when the body has ended.
    pub(super) assigned: Vec<(VariableId, Type)>,
}

impl Expression {
    /// The variables with smaller numbers that the expression assigns to, each once.
    pub(super) fn assigned_below(&self, below: VariableId) -> Vec<VariableId> {
        let mut found = Vec::new();
        self.collect_assigned(below, &mut found);
        found
    }

    fn collect_assigned(&self, below: VariableId, found: &mut Vec<VariableId>) {
        let mut each = |part: &Self| part.collect_assigned(below, found);
        match &self.kind {
            Kind::Null | Kind::Truth(_) | Kind::Read(_) | Kind::New(_) => {}
            Kind::Field(part, _) | Kind::Write(_, _, part) => each(part),
            Kind::Equals(left, right) | Kind::Call(left, _, right) => {
                each(left);
                each(right);
            }
            Kind::If(parts) => parts.iter().for_each(each),
            Kind::Declare(declaration) => {
                each(&declaration.value);
                each(&declaration.body);
            }
            Kind::Begin(parts) => parts.iter().for_each(each),
            Kind::Assign(variable, part) => {
                each(part);
                if *variable < below && !found.contains(variable) {
                    found.push(*variable);
                }
            }
        }
    }
}
