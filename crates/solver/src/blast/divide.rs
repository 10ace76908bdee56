//! Division: one circuit for quotient and remainder, and what follows from it, said as clauses.
//!
//! The circuit subtracts and restores (`word.rs`). Out of that a SAT solver finds out slowly that a
//! remainder is below its divisor, and hardly that the quotient times the divisor leaves the remainder.
//! So the clauses say it. They hold of every division, by zero as SMT-LIB has it, so they exclude
//! nothing.

use super::gates::{Gates, Lit};
use super::word::{Word, sign};
use rustc_hash::FxHashMap;

/// How many divisions by one divisor the next is compared with.
const MOST_COMPARED: usize = 4;

/// The divisions that were made.
#[derive(Default)]
pub struct Divisions {
    /// Quotient and remainder, by dividend, divisor, and whether they have signs.
    known: FxHashMap<(Word, Word, bool), (Word, Word)>,
    /// Dividend and quotient of those by one divisor, by it and whether they have signs.
    by_divisor: FxHashMap<(Word, bool), Vec<(Word, Word)>>,
    /// Dividend, remainder, and whether they have signs, by quotient and divisor.
    by_quotient: FxHashMap<(Word, Word), (Word, Word, bool)>,
}

impl Gates {
    /// Quotient and remainder; by zero as SMT-LIB says.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit], signed: bool) -> (Word, Word) {
        let key = (a.to_vec(), b.to_vec(), signed);
        if let Some(known) = self.divisions.known.get(&key) {
            return known.clone();
        }
        let (quotient, remainder) =
            if signed { self.signed_divide(a, b) } else { self.unsigned_divide(a, b) };
        if signed {
            self.bound_signed(a, b, &quotient, &remainder);
        } else {
            self.bound_unsigned(a, b, &quotient, &remainder);
        }
        self.order(a, b, &quotient, signed);
        let of = (a.to_vec(), remainder.clone(), signed);
        self.divisions.by_quotient.insert((quotient.clone(), b.to_vec()), of);
        self.divisions.known.insert(key, (quotient.clone(), remainder.clone()));
        (quotient, remainder)
    }

    /// `a * b`, modulo. A quotient times its divisor leaves the remainder.
    pub fn multiply_tied(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let product = self.multiply(a, b);
        for (quotient, divisor) in [(a, b), (b, a)] {
            let key = (quotient.to_vec(), divisor.to_vec());
            if let Some((dividend, remainder, signed)) = self.divisions.by_quotient.remove(&key) {
                self.tie(&product, &dividend, &remainder, signed);
            }
        }
        product
    }

    /// The remainder is below the divisor, and neither it nor the quotient is above the dividend.
    fn bound_unsigned(&mut self, a: &[Lit], b: &[Lit], quotient: &[Lit], remainder: &[Lit]) {
        let by_zero = self.is_zero(b);
        let below = self.unsigned_less(remainder, b);
        self.clause(&[by_zero, below]);
        let above = self.unsigned_less(a, remainder);
        self.clause(&[!above]);
        let above = self.unsigned_less(a, quotient);
        self.clause(&[by_zero, !above]);
    }

    /// The remainder lies between zero and the dividend, and is nearer to zero than the divisor; so
    /// does the quotient, or on the other side, if the divisor is positive.
    fn bound_signed(&mut self, a: &[Lit], b: &[Lit], quotient: &[Lit], remainder: &[Lit]) {
        let (by_zero, negative) = (self.is_zero(b), sign(b));
        self.between(remainder, a, &[]);
        self.between(quotient, a, &[by_zero, negative]);
        let opposite = self.negate(b);
        let below = self.signed_less(remainder, b);
        self.clause(&[by_zero, negative, below]);
        let above = self.signed_less(&opposite, remainder);
        self.clause(&[by_zero, negative, above]);
        let above = self.signed_less(b, remainder);
        self.clause(&[!negative, above]);
        let below = self.signed_less(remainder, &opposite);
        // The smallest number is its own opposite.
        self.clause(&[!negative, sign(&opposite), below]);
    }

    /// What is not larger gives no larger quotient, if the divisor is the same and positive.
    fn order(&mut self, a: &[Lit], b: &[Lit], quotient: &[Lit], signed: bool) {
        let unfit = if signed { sign(b) } else { Lit::FALSE };
        let by_zero = self.is_zero(b);
        let key = (b.to_vec(), signed);
        let others = self.divisions.by_divisor.get(&key).cloned().unwrap_or_default();
        for (dividend, other) in &others {
            for ([x, y], [p, q]) in
                [([a, dividend], [quotient, other]), ([dividend, a], [other, quotient])]
            {
                let [above, below] = [[y, x], [q, p]].map(|[x, y]| {
                    if signed { self.signed_less(x, y) } else { self.unsigned_less(x, y) }
                });
                self.clause(&[by_zero, unfit, above, !below]);
            }
        }
        // Each is compared with the first few, so that many divisions do not make many more clauses.
        let known = self.divisions.by_divisor.entry(key).or_default();
        if known.len() < MOST_COMPARED {
            known.push((a.to_vec(), quotient.to_vec()));
        }
    }

    /// A number lies between zero and another one, unless one of the exceptions holds.
    fn between(&mut self, number: &[Lit], end: &[Lit], exceptions: &[Lit]) {
        let (zero, negative) = (self.is_zero(number), sign(end));
        let (above, below) = (self.signed_less(end, number), self.signed_less(number, end));
        let either: [&[Lit]; 4] = [
            &[negative, !sign(number)],
            &[negative, !above],
            &[!negative, sign(number), zero],
            &[!negative, !below],
        ];
        for clause in either {
            self.clause(&[exceptions, clause].concat());
        }
    }

    /// `product + remainder` is the dividend, and the product is between zero and it.
    fn tie(&mut self, product: &[Lit], dividend: &[Lit], remainder: &[Lit], signed: bool) {
        let sum = self.add(product, remainder);
        for (&bit, &whole) in sum.iter().zip(dividend) {
            self.clause(&[!bit, whole]);
            self.clause(&[bit, !whole]);
        }
        if signed {
            self.between(product, dividend, &[]);
        } else {
            let above = self.unsigned_less(dividend, product);
            self.clause(&[!above]);
        }
    }
}
