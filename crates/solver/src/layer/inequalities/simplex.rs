//! Whether inequalities of sums have a solution in fractions.
//!
//! The general simplex method (Dutertre and de Moura, CAV 2006) with Bland's rule: every column has
//! bounds, some columns are sums of the others, and columns that leave their bounds change places with
//! others until all are within, or until one cannot be brought back. Then there is no solution, in whole
//! numbers neither.

use super::fraction::Fraction;
use super::{Steps, TooLong, Work};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A number of a column.
pub type Column = usize;

/// Columns with factors.
pub type Sum = BTreeMap<Column, Fraction>;

#[derive(Clone, Default)]
pub struct Simplex {
    columns: Vec<Known>,
    /// What columns are that are sums of others.
    rows: BTreeMap<Column, Sum>,
}

/// What is known of a column.
#[derive(Clone)]
struct Known {
    low: Option<Fraction>,
    high: Option<Fraction>,
    value: Fraction,
}

impl Simplex {
    /// A column that may be anything.
    pub fn add(&mut self) -> Column {
        self.columns.push(Known { low: None, high: None, value: Fraction::ZERO });
        self.columns.len() - 1
    }

    /// A column that is a sum of others.
    pub fn add_sum(&mut self, sum: &Sum, work: &mut Work) -> Steps<Column> {
        let mut row = Sum::new();
        let mut value = Fraction::ZERO;
        for (&column, &factor) in sum {
            let part = factor.times(self.columns[column].value).ok_or(TooLong)?;
            value = value.plus(part).ok_or(TooLong)?;
            match self.rows.get(&column) {
                Some(parts) => add(&mut row, parts, factor, work)?,
                None => add(&mut row, &Sum::from([(column, Fraction::ONE)]), factor, work)?,
            }
        }
        let column = self.add();
        self.columns[column].value = value;
        self.rows.insert(column, row);
        Ok(column)
    }

    /// Says that a column is at least this; false if it cannot be.
    pub fn at_least(&mut self, column: Column, low: Fraction, work: &mut Work) -> Steps<bool> {
        self.bound(column, low, Ordering::Greater, work)
    }

    /// Says that a column is at most this; false if it cannot be.
    pub fn at_most(&mut self, column: Column, high: Fraction, work: &mut Work) -> Steps<bool> {
        self.bound(column, high, Ordering::Less, work)
    }

    fn bound(
        &mut self,
        column: Column,
        bound: Fraction,
        side: Ordering,
        work: &mut Work,
    ) -> Steps<bool> {
        let known = &mut self.columns[column];
        let (this, other) = match side {
            Ordering::Greater => (&mut known.low, &known.high),
            _ => (&mut known.high, &known.low),
        };
        if let Some(this) = *this
            && bound.compare(this).ok_or(TooLong)? != side
        {
            return Ok(true);
        }
        if let Some(other) = *other
            && bound.compare(other).ok_or(TooLong)? == side
        {
            return Ok(false);
        }
        *this = Some(bound);
        let outside = known.value.compare(bound).ok_or(TooLong)? == side.reverse();
        if outside && !self.rows.contains_key(&column) {
            self.set(column, bound, work)?;
        }
        Ok(true)
    }

    /// Gives a column that is no sum a value, and the sums that it is in.
    fn set(&mut self, column: Column, value: Fraction, work: &mut Work) -> Steps<()> {
        let change = value.minus(self.columns[column].value).ok_or(TooLong)?;
        self.columns[column].value = value;
        for (&sum, row) in &self.rows {
            if let Some(&factor) = row.get(&column) {
                work.spend(1)?;
                let moved = factor.times(change).ok_or(TooLong)?;
                let known = &mut self.columns[sum];
                known.value = known.value.plus(moved).ok_or(TooLong)?;
            }
        }
        Ok(())
    }

    /// Whether there are values within all bounds.
    pub fn is_feasible(&mut self, work: &mut Work) -> Steps<bool> {
        while let Some((sum, bound, side)) = self.outside()? {
            let row = &self.rows[&sum];
            let mut leaving = None;
            for (&column, factor) in row {
                // The column that goes up if the factor and the side agree, and down otherwise.
                let direction =
                    if factor.sign() == side { Ordering::Greater } else { Ordering::Less };
                if self.can_move(column, direction)? {
                    leaving = Some((column, *factor));
                    break;
                }
            }
            let Some((column, factor)) = leaving else { return Ok(false) };
            let missing = bound.minus(self.columns[sum].value).ok_or(TooLong)?;
            let change = missing.times(factor.inverted().ok_or(TooLong)?).ok_or(TooLong)?;
            let value = self.columns[column].value.plus(change).ok_or(TooLong)?;
            self.set(column, value, work)?;
            self.exchange(sum, column, factor, work)?;
        }
        Ok(true)
    }

    /// The first sum that is outside of its bounds, the bound, and where it has to go.
    fn outside(&self) -> Steps<Option<(Column, Fraction, Ordering)>> {
        for &sum in self.rows.keys() {
            let Known { low, high, value } = &self.columns[sum];
            for (bound, side) in [(low, Ordering::Greater), (high, Ordering::Less)] {
                if let Some(bound) = *bound
                    && bound.compare(*value).ok_or(TooLong)? == side
                {
                    return Ok(Some((sum, bound, side)));
                }
            }
        }
        Ok(None)
    }

    fn can_move(&self, column: Column, direction: Ordering) -> Steps<bool> {
        let Known { low, high, value } = &self.columns[column];
        let end = if direction == Ordering::Greater { high } else { low };
        Ok(match end {
            Some(end) => end.compare(*value).ok_or(TooLong)? == direction,
            None => true,
        })
    }

    /// Makes a column of a sum the sum of the others.
    fn exchange(
        &mut self,
        sum: Column,
        column: Column,
        factor: Fraction,
        work: &mut Work,
    ) -> Steps<()> {
        let Some(mut row) = self.rows.remove(&sum) else { return Ok(()) };
        row.remove(&column);
        let inverse = factor.inverted().ok_or(TooLong)?;
        let mut turned = Sum::from([(sum, inverse)]);
        add(&mut turned, &row, inverse.negated().ok_or(TooLong)?, work)?;
        for other in self.rows.values_mut() {
            if let Some(factor) = other.remove(&column) {
                add(other, &turned, factor, work)?;
            }
        }
        self.rows.insert(column, turned);
        Ok(())
    }
}

/// Adds a multiple of one sum to another.
fn add(sum: &mut Sum, other: &Sum, factor: Fraction, work: &mut Work) -> Steps<()> {
    work.spend(other.len())?;
    for (&column, &part) in other {
        let added = part.times(factor).ok_or(TooLong)?;
        let known = sum.get(&column).copied().unwrap_or(Fraction::ZERO);
        let total = known.plus(added).ok_or(TooLong)?;
        if total == Fraction::ZERO {
            sum.remove(&column);
        } else {
            sum.insert(column, total);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Simplex, Sum};
    use crate::layer::inequalities::Work;
    use crate::layer::inequalities::fraction::Fraction;

    /// `x + y >= 4`, `x - y >= 1`, `x <= 3` and `y >= bound`.
    fn has_solution(bound: i128) -> bool {
        let mut work = Work::new(1_000);
        let mut simplex = Simplex::default();
        let (x, y) = (simplex.add(), simplex.add());
        let sum = |x_factor, y_factor| {
            Sum::from([(x, Fraction::whole(x_factor)), (y, Fraction::whole(y_factor))])
        };
        let both = simplex.add_sum(&sum(1, 1), &mut work).ok().unwrap();
        let difference = simplex.add_sum(&sum(1, -1), &mut work).ok().unwrap();
        let mut least =
            |column, low| simplex.at_least(column, Fraction::whole(low), &mut work).ok().unwrap();
        assert!(least(both, 4) && least(difference, 1) && least(y, bound));
        assert!(simplex.at_most(x, Fraction::whole(3), &mut work).ok().unwrap());
        simplex.is_feasible(&mut work).ok().unwrap()
    }

    #[test]
    fn inequalities_have_a_solution_or_none() {
        assert!(has_solution(1));
        assert!(has_solution(2));
        assert!(!has_solution(3));
    }
}
