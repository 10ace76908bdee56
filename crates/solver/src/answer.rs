//! What a solver can say.

use dalang_term::Assignment;
use std::fmt;

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The constraints hold together under these values, which were evaluated.
    Sat(Assignment),
    /// No values make them hold together.
    Unsat,
    /// It was not found out.
    Unknown(Reason),
}

impl Answer {
    /// Is this `Sat`?
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Is this `Unsat`?
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }
}

/// Why an answer is `Unknown`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit for one query ran out.
    Time,
    /// The memory limit was reached.
    Memory,
    /// Nobody waits for the answer any more.
    Stopped,
    /// Another solver's process failed or gave up; its own words, or ours about it.
    Process(String),
    /// A layer gave values that do not satisfy the query: a defect of ours, caught.
    Refuted(&'static str),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => f.write_str("the time limit of one query ran out"),
            Reason::Memory => f.write_str("the solver's memory limit was reached"),
            Reason::Stopped => f.write_str("the query was told to end"),
            Reason::Process(why) => write!(f, "the solver process gave no answer: {why}"),
            Reason::Refuted(layer) => {
                write!(f, "the {layer} layer gave values that do not satisfy the query")
            }
        }
    }
}
