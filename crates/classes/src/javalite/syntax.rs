//! The tree of a program as it is written ("Exact Heap Summaries", Fig. 3): forms are recognised,
//! names mean nothing yet.

use super::error::Place;

/// A name where it is used or declared.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) place: Place,
}

/// `P ::= (mu (C m))`, where the entry may be missing.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) classes: Vec<Class>,
    pub(super) entry: Option<(Name, Name)>,
}

/// `CL ::= (class C ([T f] ...) (M ...))`
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: Name,
    pub(super) fields: Vec<Variable>,
    pub(super) methods: Vec<Method>,
}

/// `[T f]` and `[T x]`. A type is a name, and `bool` is the name of a type that is no class.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) of: Name,
    pub(super) name: Name,
}

/// `M ::= (T m [T x] e)`
#[derive(Debug)]
pub(super) struct Method {
    pub(super) result: Name,
    pub(super) name: Name,
    pub(super) parameter: Variable,
    pub(super) body: Expression,
}

#[derive(Debug)]
pub(super) struct Expression {
    pub(super) place: Place,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Null,
    True,
    False,
    /// `x`, where `this` is a variable like others.
    Read(Name),
    /// `(new C)`
    New(Name),
    /// `(e $ f)`
    Field(Box<Expression>, Name),
    /// `(x $ f := e)`
    Write(Name, Name, Box<Expression>),
    /// `(e = e)`
    Equals(Box<Expression>, Box<Expression>),
    /// `(if e e else e)`
    If(Box<[Expression; 3]>),
    /// `(var T x := e in e)`
    Declare(Variable, Box<Expression>, Box<Expression>),
    /// `(e @ m e)`
    Call(Box<Expression>, Name, Box<Expression>),
    /// `(x := e)`
    Assign(Name, Box<Expression>),
    /// `(begin e ...)`
    Begin(Vec<Expression>),
}
