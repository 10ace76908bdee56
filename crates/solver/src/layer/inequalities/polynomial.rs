//! Sums of products of whole numbers that are not known, with whole coefficients.
//!
//! Nothing wraps around here: what does not fit the coefficients is no polynomial.

use std::collections::BTreeMap;

/// A variable of polynomials.
pub type Variable = u32;

/// Variables that are multiplied, in order; none for a constant.
pub type Monomial = Vec<Variable>;

/// Factors of a product.
const MOST_FACTORS: usize = 4;
/// Products of a sum.
const MOST_PRODUCTS: usize = 24;

/// A sum of products. No coefficient is zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Polynomial(BTreeMap<Monomial, i128>);

impl Polynomial {
    /// A number.
    pub fn constant(value: i128) -> Polynomial {
        Polynomial::product(Monomial::new(), value)
    }

    /// A variable.
    pub fn variable(variable: Variable) -> Polynomial {
        Polynomial::product(vec![variable], 1)
    }

    fn product(monomial: Monomial, factor: i128) -> Polynomial {
        Polynomial(if factor == 0 { BTreeMap::new() } else { BTreeMap::from([(monomial, factor)]) })
    }

    /// Its products and their factors, the constant first.
    pub fn products(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.0.iter().map(|(monomial, &factor)| (monomial, factor))
    }

    /// The part that no variable has a part in.
    pub fn offset(&self) -> i128 {
        self.0.get(&Monomial::new()).copied().unwrap_or(0)
    }

    /// Whether no variables are multiplied with each other.
    pub fn is_linear(&self) -> bool {
        self.0.keys().all(|monomial| monomial.len() <= 1)
    }

    /// `self + factor * other`
    pub fn plus(&self, other: &Polynomial, factor: i128) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (monomial, &count) in &other.0 {
            let known = sum.0.get(monomial).copied().unwrap_or(0);
            let total = known.checked_add(count.checked_mul(factor)?)?;
            if total == 0 {
                sum.0.remove(monomial);
            } else {
                sum.0.insert(monomial.clone(), total);
            }
        }
        (sum.0.len() <= MOST_PRODUCTS).then_some(sum)
    }

    /// `self + value`
    pub fn plus_constant(&self, value: i128) -> Option<Polynomial> {
        self.plus(&Polynomial::constant(value), 1)
    }

    /// `factor * self`
    pub fn scaled(&self, factor: i128) -> Option<Polynomial> {
        Polynomial::default().plus(self, factor)
    }

    /// What times the divisor is this, if the divisor is a single product that all parts have in them.
    pub fn divided(&self, divisor: &Polynomial) -> Option<Polynomial> {
        let mut parts = divisor.products();
        let (Some((divisor, factor)), None) = (parts.next(), parts.next()) else { return None };
        let mut quotient = Polynomial::default();
        for (monomial, count) in self.products() {
            let mut left = monomial.clone();
            for variable in divisor {
                left.remove(left.iter().position(|part| part == variable)?);
            }
            if count.checked_rem(factor)? != 0 {
                return None;
            }
            quotient.0.insert(left, count / factor);
        }
        Some(quotient)
    }

    /// `self * other`
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (left, &factor) in &self.0 {
            for (right, &count) in &other.0 {
                let mut monomial = [&left[..], right].concat();
                if monomial.len() > MOST_FACTORS {
                    return None;
                }
                monomial.sort_unstable();
                result = result.plus(&Polynomial::product(monomial, count), factor)?;
            }
        }
        Some(result)
    }
}
