//! Inequalities of polynomials that hold together, and what follows from them.
//!
//! Each product of variables is a column of its own, so that inequalities are linear. What ties columns
//! to each other are products of inequalities: from `f >= 0` and `g >= 0` follows `f * g >= 0`, which is
//! said where every product of variables in it occurs already, and in the end where one does. All
//! variables are whole numbers, so bounds are rounded.

use super::fraction::{Fraction, divisor};
use super::polynomial::{Monomial, Polynomial, Variable};
use super::simplex::{Column, Simplex, Sum};
use super::{Halt, Steps, TooLong, Work};
use std::collections::{BTreeMap, BTreeSet};

/// Linear facts that are multiplied with each other.
const MOST_MULTIPLIED: usize = 32;

/// Larger bounds of products are not said, nor products of inequalities with larger factors: what is
/// computed of them soon has no exact fractions.
const LARGEST: i128 = 1 << 90;
const LARGEST_FACTOR: i128 = 1 << 32;

/// The least and the greatest value.
pub type Interval = (i128, i128);

/// Which products of inequalities are said.
#[derive(Clone, Copy)]
enum Reach {
    /// Those whose products of variables all occur.
    Known,
    /// Those with one that occurs.
    Wider,
}

#[derive(Clone, Default)]
pub struct Facts {
    simplex: Simplex,
    variables: Vec<Interval>,
    columns: BTreeMap<Monomial, Column>,
    /// Columns of sums, by their reduced products.
    sums: BTreeMap<Vec<(Monomial, i128)>, Column>,
    /// What is not negative and has no products of variables.
    linear: Vec<Polynomial>,
    multiplied: BTreeSet<(usize, usize)>,
    /// What is not zero.
    apart: Vec<Polynomial>,
}

impl Facts {
    /// A variable within bounds.
    pub fn variable(&mut self, interval: Interval) -> Polynomial {
        self.variables.push(interval);
        Polynomial::variable(self.variables.len() as Variable - 1)
    }

    /// The values of a polynomial, as far as the bounds of its variables tell.
    pub fn interval(&self, polynomial: &Polynomial) -> Option<Interval> {
        let mut total = (0_i128, 0_i128);
        for (monomial, factor) in polynomial.products() {
            let (low, high) = times(self.product(monomial)?, (factor, factor))?;
            total = (total.0.checked_add(low)?, total.1.checked_add(high)?);
        }
        Some(total)
    }

    fn product(&self, monomial: &Monomial) -> Option<Interval> {
        let mut interval = monomial.iter().try_fold((1, 1), |interval, &variable| {
            times(interval, self.variables[variable as usize])
        })?;
        if let &[one, other] = &monomial[..]
            && one == other
        {
            interval.0 = interval.0.max(0);
        }
        Some(interval)
    }

    /// Says that a polynomial is not negative.
    pub fn not_negative(&mut self, polynomial: &Polynomial, work: &mut Work) -> Result<(), Halt> {
        self.narrow(polynomial)?;
        self.assert(polynomial, work)?;
        let is_new = !self.linear.contains(polynomial);
        if is_new && self.linear.len() < MOST_MULTIPLIED && polynomial.is_linear() {
            self.linear.push(polynomial.clone());
        }
        Ok(())
    }

    /// Says that a polynomial is not zero.
    pub fn not_zero(&mut self, polynomial: Polynomial) {
        self.apart.push(polynomial);
    }

    /// Whether a polynomial was said not to be zero, and it is still open on which side it is.
    pub fn is_apart(&self, polynomial: &Polynomial) -> bool {
        let opposite = polynomial.scaled(-1);
        self.apart.iter().any(|apart| apart == polynomial || Some(apart) == opposite.as_ref())
    }

    /// Moves the bounds of a variable, if the polynomial is about a single one.
    fn narrow(&mut self, polynomial: &Polynomial) -> Result<(), Halt> {
        let mut products = polynomial.products().filter(|(monomial, _)| !monomial.is_empty());
        let (Some((monomial, factor)), None) = (products.next(), products.next()) else {
            return Ok(());
        };
        let &[variable] = &monomial[..] else { return Ok(()) };
        let interval = &mut self.variables[variable as usize];
        let offset = polynomial.offset();
        if factor > 0 {
            interval.0 = interval.0.max(-offset.div_euclid(factor));
        } else if let Some(opposite) = factor.checked_neg() {
            interval.1 = interval.1.min(offset.div_euclid(opposite));
        }
        if interval.0 > interval.1 { Err(Halt::Contradiction) } else { Ok(()) }
    }

    fn assert(&mut self, polynomial: &Polynomial, work: &mut Work) -> Result<(), Halt> {
        let mut shared = 0;
        for (monomial, factor) in polynomial.products() {
            if !monomial.is_empty() {
                shared = divisor(shared, factor).ok_or(TooLong)?;
            }
        }
        let offset = polynomial.offset();
        if shared == 0 {
            return if offset < 0 { Err(Halt::Contradiction) } else { Ok(()) };
        }
        // The sum of the products is at least this.
        let low = offset.div_euclid(shared).checked_neg().ok_or(TooLong)?;
        let products: Vec<(Monomial, i128)> = polynomial
            .products()
            .filter(|(monomial, _)| !monomial.is_empty())
            .map(|(monomial, factor)| (monomial.clone(), factor / shared))
            .collect();
        let is_turned = products[0].1 < 0;
        let column = self.sum(&products, is_turned, work)?;
        let possible = if is_turned {
            let high = low.checked_neg().ok_or(TooLong)?;
            self.simplex.at_most(column, Fraction::whole(high), work)?
        } else {
            self.simplex.at_least(column, Fraction::whole(low), work)?
        };
        if possible { Ok(()) } else { Err(Halt::Contradiction) }
    }

    /// The column of a sum, or of its opposite.
    fn sum(
        &mut self,
        products: &[(Monomial, i128)],
        is_turned: bool,
        work: &mut Work,
    ) -> Steps<Column> {
        if let [(monomial, 1 | -1)] = products {
            return self.column(monomial, work);
        }
        let sign = if is_turned { -1 } else { 1 };
        let key: Vec<(Monomial, i128)> =
            products.iter().map(|(monomial, factor)| (monomial.clone(), factor * sign)).collect();
        if let Some(&column) = self.sums.get(&key) {
            return Ok(column);
        }
        let mut sum = Sum::new();
        for (monomial, factor) in &key {
            sum.insert(self.column(monomial, work)?, Fraction::whole(*factor));
        }
        let column = self.simplex.add_sum(&sum, work)?;
        self.sums.insert(key, column);
        Ok(column)
    }

    /// The column of a product of variables.
    fn column(&mut self, monomial: &Monomial, work: &mut Work) -> Steps<Column> {
        if let Some(&column) = self.columns.get(monomial) {
            return Ok(column);
        }
        let column = self.simplex.add();
        self.columns.insert(monomial.clone(), column);
        self.bound(monomial, column, work)?;
        Ok(column)
    }

    /// What the bounds of variables say of a product. Bounds that contradict each other have been seen.
    fn bound(&mut self, monomial: &Monomial, column: Column, work: &mut Work) -> Steps<bool> {
        let Some((low, high)) = self.product(monomial) else { return Ok(true) };
        Ok((low < -LARGEST || self.simplex.at_least(column, Fraction::whole(low), work)?)
            && (high > LARGEST || self.simplex.at_most(column, Fraction::whole(high), work)?))
    }

    /// Whether a polynomial cannot be negative.
    pub fn proves(&mut self, polynomial: &Polynomial, work: &mut Work) -> Result<bool, Halt> {
        if self.interval(polynomial).is_some_and(|(low, _)| low >= 0) {
            return Ok(true);
        }
        let opposite = polynomial.scaled(-1).and_then(|opposite| opposite.plus_constant(-1));
        let Some(opposite) = opposite else { return Ok(false) };
        if self.interval(&opposite).is_some_and(|(low, _)| low >= 0) {
            return Ok(false);
        }
        for (monomial, _) in polynomial.products().filter(|(monomial, _)| !monomial.is_empty()) {
            self.column(monomial, work)?;
        }
        self.multiply(Reach::Known, work)?;
        let mut otherwise = self.clone();
        match otherwise.assert(&opposite, work).and_then(|()| otherwise.check(work)) {
            Err(Halt::Contradiction) => Ok(true),
            Err(halt) => Err(halt),
            Ok(()) => Ok(false),
        }
    }

    /// Whether all values of a polynomial are within the interval.
    pub fn fits(
        &mut self,
        polynomial: &Polynomial,
        (low, high): Interval,
        work: &mut Work,
    ) -> Result<bool, Halt> {
        let Some(above) = polynomial.plus_constant(-low) else { return Ok(false) };
        let below = polynomial.scaled(-1).and_then(|opposite| opposite.plus_constant(high));
        let Some(below) = below else { return Ok(false) };
        Ok(self.proves(&above, work)? && self.proves(&below, work)?)
    }

    /// Says what follows of products of inequalities.
    fn multiply(&mut self, reach: Reach, work: &mut Work) -> Result<(), Halt> {
        for (monomial, column) in self.columns.clone() {
            if !self.bound(&monomial, column, work)? {
                return Err(Halt::Contradiction);
            }
        }
        let multiplied: BTreeSet<Variable> =
            self.columns.keys().filter(|monomial| monomial.len() > 1).flatten().copied().collect();
        if multiplied.is_empty() {
            return Ok(());
        }
        let is_fit = |fact: &Polynomial| {
            fact.products()
                .all(|(monomial, _)| monomial.iter().all(|part| multiplied.contains(part)))
        };
        let fit: Vec<usize> =
            (0..self.linear.len()).filter(|&at| is_fit(&self.linear[at])).collect();
        for (place, &one) in fit.iter().enumerate() {
            for &other in &fit[place..] {
                if self.multiplied.contains(&(one, other)) {
                    continue;
                }
                work.spend(8)?;
                let product = self.linear[one].times(&self.linear[other]);
                let Some(product) = product.filter(|product| self.is_useful(product, reach)) else {
                    continue;
                };
                self.multiplied.insert((one, other));
                self.assert(&product, work)?;
            }
        }
        Ok(())
    }

    fn is_useful(&self, polynomial: &Polynomial, reach: Reach) -> bool {
        let mut products = polynomial.products().filter(|(monomial, _)| monomial.len() > 1);
        let known = |(monomial, _): (&Monomial, i128)| self.columns.contains_key(monomial);
        let most = |monomial: &Monomial| if monomial.is_empty() { LARGEST } else { LARGEST_FACTOR };
        polynomial.products().all(|(monomial, factor)| factor.abs() <= most(monomial))
            && match reach {
                Reach::Known => products.all(known),
                Reach::Wider => products.any(known),
            }
    }

    fn check(&mut self, work: &mut Work) -> Result<(), Halt> {
        if self.simplex.is_feasible(work)? { Ok(()) } else { Err(Halt::Contradiction) }
    }

    /// Moves bounds past what is excluded as zero at their edge.
    pub fn round(&mut self, work: &mut Work) -> Result<(), Halt> {
        let mut open = Vec::new();
        for polynomial in std::mem::take(&mut self.apart) {
            let opposite = polynomial.scaled(-1).ok_or(TooLong)?;
            if self.proves(&polynomial, work)? {
                self.not_negative(&polynomial.plus_constant(-1).ok_or(TooLong)?, work)?;
            } else if self.proves(&opposite, work)? {
                self.not_negative(&opposite.plus_constant(-1).ok_or(TooLong)?, work)?;
            } else {
                open.push(polynomial);
            }
        }
        self.apart = open;
        Ok(())
    }

    /// Finds the contradiction, if there is one to be found: what is not zero is above or below.
    pub fn conclude(mut self, work: &mut Work) -> Result<(), Halt> {
        self.multiply(Reach::Known, work)?;
        self.check(work)?;
        self.round(work)?;
        self.multiply(Reach::Known, work)?;
        self.check(work)?;
        let Some(polynomial) = self.apart.pop() else {
            self.multiply(Reach::Wider, work)?;
            return self.check(work);
        };
        for sign in [1, -1] {
            let side = polynomial.scaled(sign).and_then(|side| side.plus_constant(-1));
            let mut facts = self.clone();
            let end = facts.not_negative(&side.ok_or(TooLong)?, work).and_then(|()| {
                work.divide()?;
                facts.conclude(work)
            });
            match end {
                Err(Halt::Contradiction) => {}
                other => return other,
            }
        }
        Err(Halt::Contradiction)
    }
}

/// The products of two intervals' values.
fn times(a: Interval, b: Interval) -> Option<Interval> {
    let mut ends = [0; 4];
    for (end, (x, y)) in ends.iter_mut().zip([(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)]) {
        *end = x.checked_mul(y)?;
    }
    Some((ends.into_iter().min()?, ends.into_iter().max()?))
}
