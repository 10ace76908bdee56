//! SMT-LIB 2 text, with exactly the meaning that `semantics.rs` gives to terms.
//!
//! Here are names, sorts and literals. What one node expands to is `smtlib/expand.rs`; a whole
//! script with nested `let`s is `smtlib/script.rs`; text in portions for a running solver is
//! `smtlib/emitter.rs`. Nothing is read back here and no solver is run.
//!
//! # Encoding
//!
//! 1. Truth values are `Bool`, bit-vectors are themselves, references are 32-bit vectors with null
//!    as zero.
//! 2. A symbol of float sort is declared as the *bit-vector* of its width, because SMT-LIB's floats
//!    have one NaN and Java's have many: so payloads exist, and the model of a script is bit-vectors
//!    and truth values only.
//! 3. A float term has therefore two views: its *value*, an SMT-LIB float, which arithmetic and
//!    comparison need, and its *bits*, which equality and bit casts need. The value view of bits is
//!    `to_fp`. The bits view of a symbol, a constant, a bit cast, an ite, a negation, an absolute
//!    value, a minimum or a maximum is plain bit-vector text. SMT-LIB has no way back from a
//!    computed float to bits, so the bits view of any other operator is a fresh bit-vector, tied to
//!    the value by a *side condition* that must be asserted beside whatever mentions it: it reads as
//!    the value, and is the canonical NaN if that is NaN. It has exactly one solution, so a term and
//!    its negation may be asserted with the same side condition.
//! 4. Java's `%` is built from `fp.rem` on absolute values (`fp.rem` rounds the quotient to nearest
//!    and so may be negative, by at most half the divisor); conversions to integers check the range
//!    first, because SMT-LIB leaves the rest undefined.
//! 5. A symbol is named `|name:sort|`: the sort tells symbols of one name apart and keeps names like
//!    `and` or `select` off the words that SMT-LIB and its solvers reserve. Names we make begin with
//!    `$` and have no colon.

mod emitter;
mod expand;
mod script;
mod sharing;
mod walk;

pub use emitter::{SmtEmitter, SmtRoot};
pub use script::SmtScript;

use crate::{Pool, Sort, SymbolId, TermId};
use std::fmt::Write;

/// The name of a symbol in SMT-LIB text: `|this.root.key:bv32|`, injective.
pub fn smt_name(pool: &Pool, symbol: SymbolId) -> String {
    let mut text = String::from("|");
    for (position, byte) in pool.symbol_name(symbol).bytes().enumerate() {
        // A leading dot or at sign is reserved for solvers; the others cannot stand between bars,
        // or are what marks an escape.
        let reserved = position == 0 && matches!(byte, b'.' | b'@');
        let escaped = matches!(byte, b'|' | b'\\' | b'%') || !(b' '..=b'~').contains(&byte);
        if reserved || escaped {
            push(&mut text, format_args!("%{byte:02x}"));
        } else {
            text.push(char::from(byte));
        }
    }
    push(&mut text, format_args!(":{}|", pool.symbol_sort(symbol)));
    text
}

/// The SMT-LIB sort that symbols of a sort are declared with: a bit-vector for floats.
pub fn smt_sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => String::from("Bool"),
        _ => format!("(_ BitVec {})", sort.width()),
    }
}

/// Bits as a literal of [`smt_sort`].
fn smt_literal(sort: Sort, bits: u64) -> String {
    let width = sort.width() as usize;
    match sort {
        Sort::Bool => String::from(if bits == 1 { "true" } else { "false" }),
        _ if width.is_multiple_of(4) => format!("#x{bits:0digits$x}", digits = width / 4),
        _ => format!("#b{bits:0width$b}"),
    }
}

/// Appends formatted text; a string takes all there is.
fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(more);
    debug_assert!(written.is_ok());
}

/// Which of the two texts of a term: they differ for float sorts only.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    /// An SMT-LIB float for float sorts, and the only view of any other sort.
    Value,
    /// The bit-vector of a float.
    Bits,
}

/// A term in one of its views: the node of the DAG that is printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    term: TermId,
    view: View,
}

impl Key {
    fn value(term: TermId) -> Key {
        Key { term, view: View::Value }
    }

    fn bits(term: TermId) -> Key {
        Key { term, view: View::Bits }
    }

    /// The name of this text where it is shared. It cannot be a symbol's: it has no colon.
    fn name(self) -> String {
        match self.view {
            View::Value => format!("${}", self.term.index()),
            View::Bits => format!("${}b", self.term.index()),
        }
    }

    /// The name of the condition that ties the bits of a computed float to its value.
    fn side_name(self) -> String {
        format!("${}s", self.term.index())
    }

    /// Is this text an SMT-LIB float?
    fn is_float_value(self, pool: &Pool) -> bool {
        self.view == View::Value && pool.sort(self.term).is_float()
    }

    /// The SMT-LIB sort of this text.
    fn sort(self, pool: &Pool) -> String {
        match (self.view, pool.sort(self.term).float_format()) {
            (View::Value, Some(format)) => {
                format!("(_ FloatingPoint {} {})", format.exponent, format.fraction + 1)
            }
            _ => smt_sort(pool.sort(self.term)),
        }
    }
}

#[cfg(test)]
mod tests;
