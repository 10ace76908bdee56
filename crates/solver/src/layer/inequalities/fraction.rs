//! Fractions of 128-bit numbers, exact or not at all.

use std::cmp::Ordering;

/// A fraction in lowest terms; the lower number is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    upper: i128,
    lower: i128,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Fraction = Fraction::whole(0);
    /// One.
    pub const ONE: Fraction = Fraction::whole(1);

    /// A whole number.
    pub const fn whole(value: i128) -> Fraction {
        Fraction { upper: value, lower: 1 }
    }

    fn of(upper: i128, lower: i128) -> Option<Fraction> {
        let shared = divisor(upper, lower)?;
        let sign = if lower < 0 { -1 } else { 1 };
        let reduced = |number: i128| number.checked_div(shared)?.checked_mul(sign);
        Some(Fraction { upper: reduced(upper)?, lower: reduced(lower)? })
    }

    /// Whether it is zero, above, or below.
    pub fn sign(self) -> Ordering {
        self.upper.cmp(&0)
    }

    /// `self + other`, if that can be told.
    pub fn plus(self, other: Fraction) -> Option<Fraction> {
        if self.lower == 1 && other.lower == 1 {
            return Some(Fraction::whole(self.upper.checked_add(other.upper)?));
        }
        let left = self.upper.checked_mul(other.lower)?;
        let right = other.upper.checked_mul(self.lower)?;
        Fraction::of(left.checked_add(right)?, self.lower.checked_mul(other.lower)?)
    }

    /// `self - other`, if that can be told.
    pub fn minus(self, other: Fraction) -> Option<Fraction> {
        self.plus(other.negated()?)
    }

    /// `-self`, if that can be told.
    pub fn negated(self) -> Option<Fraction> {
        Some(Fraction { upper: self.upper.checked_neg()?, ..self })
    }

    /// `self * other`, if that can be told.
    pub fn times(self, other: Fraction) -> Option<Fraction> {
        if self.lower == 1 && other.lower == 1 {
            return Some(Fraction::whole(self.upper.checked_mul(other.upper)?));
        }
        // Reduced crosswise first, so that less is out of reach.
        let one = Fraction::of(self.upper, other.lower)?;
        let two = Fraction::of(other.upper, self.lower)?;
        let upper = one.upper.checked_mul(two.upper)?;
        Some(Fraction { upper, lower: one.lower.checked_mul(two.lower)? })
    }

    /// `1 / self`, if that can be told; there is none of zero.
    pub fn inverted(self) -> Option<Fraction> {
        (self.upper != 0).then(|| Fraction::of(self.lower, self.upper)).flatten()
    }

    /// Which of two is larger, if that can be told.
    pub fn compare(self, other: Fraction) -> Option<Ordering> {
        Some(self.minus(other)?.sign())
    }
}

/// The greatest common divisor, which is positive; none of two zeros.
pub fn divisor(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (a != 0).then_some(a)
}

#[cfg(test)]
mod tests {
    use super::Fraction;
    use std::cmp::Ordering;

    fn fraction(upper: i128, lower: i128) -> Fraction {
        Fraction::of(upper, lower).unwrap()
    }

    #[test]
    fn fractions_are_exact() {
        let (half, third) = (fraction(-2, -4), fraction(1, 3));
        assert_eq!(half.plus(third), Some(fraction(5, 6)));
        assert_eq!(half.minus(half), Some(Fraction::ZERO));
        assert_eq!(half.times(third), Some(fraction(1, 6)));
        assert_eq!(fraction(-2, 3).inverted(), Some(fraction(3, -2)));
        assert_eq!(half.compare(third), Some(Ordering::Greater));
        assert_eq!(Fraction::ZERO.inverted(), None);
        assert_eq!(Fraction::whole(i128::MAX).plus(Fraction::ONE), None);
    }
}
