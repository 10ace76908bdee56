//! Bit-vectors as whole numbers: the signed value of a term, as a polynomial.
//!
//! A sum or a product is the polynomial that it looks like where that provably fits the width, and a
//! variable of its own, within the values of its sort, otherwise. A quotient is a variable, tied to
//! dividend and divisor by the remainder's bounds. So everything said here holds, and what is not said
//! only leaves more values.

use super::facts::{Facts, Interval};
use super::polynomial::Polynomial;
use super::{Halt, TooLong, Work};
use dalang_term::{Node, Op, Pool, Sort, TermId, semantics};
use rustc_hash::FxHashMap;

pub struct Reader<'a> {
    pub pool: &'a Pool,
    pub facts: Facts,
    pub work: &'a mut Work,
    /// Terms taken as not negative (or as negative), and conditions taken as true (or false).
    pub taken: &'a FxHashMap<TermId, bool>,
    pub values: FxHashMap<TermId, Polynomial>,
    pub quotients: FxHashMap<(TermId, TermId), Option<Polynomial>>,
}

type Reading<T> = Result<T, Halt>;

impl Reader<'_> {
    /// The signed value of a term.
    pub fn value(&mut self, term: TermId) -> Reading<Polynomial> {
        if let Some(known) = self.values.get(&term) {
            return Ok(known.clone());
        }
        self.work.spend(1)?;
        let sort = self.pool.sort(term);
        let exact = match self.pool.bits(term) {
            Some(bits) => Some(Polynomial::constant(i128::from(semantics::signed(sort, bits)))),
            None => self.computed(self.pool.node(term))?,
        };
        let value = match exact {
            Some(value) if self.facts.fits(&value, range(sort), self.work)? => value,
            _ => self.facts.variable(self.reach(term)),
        };
        self.values.insert(term, value.clone());
        Ok(value)
    }

    /// The values that a term's top operator can give.
    fn reach(&self, term: TermId) -> Interval {
        let node = self.pool.node(term);
        let (low, high) = range(node.sort);
        let constant = |place: usize| self.pool.bits(node.arg(place)).map(i128::from);
        match node.op {
            Op::ZeroExtend => (0, high.min(i128::from(self.pool.sort(node.arg(0)).mask()))),
            Op::BvAnd => match constant(1) {
                Some(mask) if mask <= high => (0, mask),
                _ => (low, high),
            },
            Op::LShr => match constant(1) {
                Some(distance @ 1..64) => (0, i128::from(node.sort.mask()) >> distance),
                _ => (low, high),
            },
            _ => (low, high),
        }
    }

    /// What an operator computes, if nothing is lost at the width and it is known here.
    fn computed(&mut self, node: Node) -> Reading<Option<Polynomial>> {
        let constant = |place: usize| self.pool.bits(node.arg(place));
        Ok(match node.op {
            Op::Add => {
                let a = self.value(node.arg(0))?;
                a.plus(&self.value(node.arg(1))?, 1)
            }
            Op::Neg => self.value(node.arg(0))?.scaled(-1),
            Op::BvNot => {
                self.value(node.arg(0))?.scaled(-1).and_then(|value| value.plus_constant(-1))
            }
            Op::Mul => {
                let a = self.value(node.arg(0))?;
                a.times(&self.value(node.arg(1))?)
            }
            Op::Shl => match constant(1) {
                Some(distance) if distance < 64 => self.value(node.arg(0))?.scaled(1 << distance),
                _ => None,
            },
            Op::AShr => match constant(1) {
                Some(distance) if distance < 64 => {
                    let value = self.value(node.arg(0))?;
                    self.floor(&value, 1 << distance)?
                }
                _ => None,
            },
            Op::LShr => match constant(1) {
                Some(distance) if distance < 64 => self.shifted(node.arg(0), distance)?,
                _ => None,
            },
            Op::Extract(distance) if distance > 0 => {
                self.shifted(node.arg(0), u64::from(distance))?
            }
            Op::BvAnd => match constant(1).and_then(|mask| i128::from(mask).checked_add(1)) {
                Some(power) if power.count_ones() == 1 && power <= range(node.sort).1 => {
                    let value = self.value(node.arg(0))?;
                    let quotient = self.floor(&value, power)?;
                    quotient.and_then(|quotient| value.plus(&quotient, -power))
                }
                _ => None,
            },
            Op::Extract(_) | Op::SignExtend => Some(self.value(node.arg(0))?),
            Op::ZeroExtend => {
                let value = self.value(node.arg(0))?;
                self.facts.proves(&value, self.work)?.then_some(value)
            }
            Op::SDiv => self.quotient(node.arg(0), node.arg(1))?,
            Op::UDiv if self.is_plain(node)? => self.quotient(node.arg(0), node.arg(1))?,
            Op::SRem => self.remainder(node)?,
            Op::URem if self.is_plain(node)? => self.remainder(node)?,
            Op::Ite => match self.taken.get(&node.arg(0)) {
                Some(&holds) => Some(self.value(node.arg(if holds { 1 } else { 2 }))?),
                None => return Err(Halt::Split(node.arg(0))),
            },
            _ => None,
        })
    }

    /// `value >>> distance`, for what is not negative.
    fn shifted(&mut self, term: TermId, distance: u64) -> Reading<Option<Polynomial>> {
        let value = self.value(term)?;
        if self.facts.proves(&value, self.work)? {
            self.floor(&value, 1 << distance)
        } else {
            Ok(None)
        }
    }

    /// The greatest number of which the power is not above the value.
    fn floor(&mut self, value: &Polynomial, power: i128) -> Reading<Option<Polynomial>> {
        let Some((low, high)) = self.facts.interval(value) else { return Ok(None) };
        let interval = (low.div_euclid(power), high.div_euclid(power));
        let quotient = self.facts.variable(interval);
        let Some(rest) = value.plus(&quotient, -power) else { return Ok(None) };
        self.facts.not_negative(&rest, self.work)?;
        let left = rest.scaled(-1).and_then(|rest| rest.plus_constant(power - 1));
        self.facts.not_negative(&left.ok_or(TooLong)?, self.work)?;
        Ok(Some(quotient))
    }

    /// Whether an unsigned division is one of numbers that are not negative.
    fn is_plain(&mut self, node: Node) -> Reading<bool> {
        for place in [0, 1] {
            let value = self.value(node.arg(place))?;
            if !self.facts.proves(&value, self.work)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn remainder(&mut self, node: Node) -> Reading<Option<Polynomial>> {
        let (a, b) = (node.arg(0), node.arg(1));
        let Some(quotient) = self.quotient(a, b)? else { return Ok(None) };
        let product = quotient.times(&self.value(b)?);
        let dividend = self.value(a)?;
        Ok(product.and_then(|product| dividend.plus(&product, -1)))
    }

    /// Rounded towards zero; `None` if the divisor may be zero.
    fn quotient(&mut self, a: TermId, b: TermId) -> Reading<Option<Polynomial>> {
        if let Some(known) = self.quotients.get(&(a, b)) {
            return Ok(known.clone());
        }
        let (dividend, divisor) = (self.value(a)?, self.value(b)?);
        if self.facts.is_apart(&divisor)
            && let Some(quotient) = dividend.divided(&divisor)
        {
            return Ok(Some(quotient));
        }
        let divisor_sign = self.sign(b, &divisor)?;
        self.facts.round(self.work)?;
        // The quotient of the absolute values is computed, and then its sign.
        let divisor = divisor.scaled(divisor_sign).ok_or(TooLong)?;
        let above_zero = divisor.plus_constant(-1).ok_or(TooLong)?;
        let quotient = if !self.facts.proves(&above_zero, self.work)? {
            None
        } else if let Some(quotient) = dividend.divided(&divisor) {
            quotient.scaled(divisor_sign)
        } else {
            let dividend_sign = self.sign(a, &dividend)?;
            let dividend = dividend.scaled(dividend_sign).ok_or(TooLong)?;
            let quotient = self.divided(&dividend, &divisor)?;
            quotient.and_then(|quotient| quotient.scaled(dividend_sign * divisor_sign))
        };
        self.quotients.insert((a, b), quotient.clone());
        Ok(quotient)
    }

    /// The quotient of numbers that are not negative, the divisor positive.
    fn divided(&mut self, a: &Polynomial, b: &Polynomial) -> Reading<Option<Polynomial>> {
        let (Some((_, greatest)), Some((least, _))) =
            (self.facts.interval(a), self.facts.interval(b))
        else {
            return Ok(None);
        };
        let quotient = self.facts.variable((0, greatest.max(0) / least.max(1)));
        let rest = quotient.times(b).and_then(|product| a.plus(&product, -1));
        let Some(rest) = rest else { return Ok(None) };
        let missing = b.plus(&rest, -1).and_then(|missing| missing.plus_constant(-1));
        let lost = a.plus(&quotient, -1);
        let positive = b.plus_constant(-1);
        for fact in [Some(rest), missing, lost, positive] {
            self.facts.not_negative(&fact.ok_or(TooLong)?, self.work)?;
        }
        self.facts.not_negative(&quotient, self.work)?;
        self.facts.not_negative(a, self.work)?;
        Ok(Some(quotient))
    }

    /// 1 if a term is not negative, -1 if it is not positive; what is open is taken.
    fn sign(&mut self, term: TermId, value: &Polynomial) -> Reading<i128> {
        let opposite = value.scaled(-1).ok_or(TooLong)?;
        if self.facts.proves(value, self.work)? {
            return Ok(1);
        }
        if self.facts.proves(&opposite, self.work)? {
            return Ok(-1);
        }
        match self.taken.get(&term) {
            Some(true) => {
                self.facts.not_negative(value, self.work)?;
                Ok(1)
            }
            Some(false) => {
                let negative = opposite.plus_constant(-1).ok_or(TooLong)?;
                self.facts.not_negative(&negative, self.work)?;
                Ok(-1)
            }
            None => Err(Halt::Split(term)),
        }
    }
}

/// The signed values of a sort.
fn range(sort: Sort) -> Interval {
    let half = 1_i128 << (sort.width() - 1);
    (-half, half - 1)
}
