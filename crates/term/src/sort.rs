//! The sorts of terms.
//!
//! *Sort* is the word for terms, *type* is Java's. A sort fixes how many bits a value has and which
//! operators apply to it; it knows nothing of classes.

use std::fmt;

/// What kind of value a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit-vector of 1 to 64 bits.
    BitVec(u8),
    /// IEEE 754 binary32. A value is its bit pattern, NaN payload included.
    F32,
    /// IEEE 754 binary64. A value is its bit pattern, NaN payload included.
    F64,
    /// A Java reference: null or the identity of an object. Only equality and ite apply.
    Ref,
}

impl Sort {
    /// Bits of a value: 1 for `Bool`, 32 for `Ref`.
    pub const fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::BitVec(width) => width as u32,
            Sort::F32 | Sort::Ref => 32,
            Sort::F64 => 64,
        }
    }

    /// The bits a value of this sort may have set.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// True of `F32` and `F64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Sort::F32 | Sort::F64)
    }

    /// True of bit-vectors of any width.
    pub const fn is_bitvec(self) -> bool {
        matches!(self, Sort::BitVec(_))
    }

    /// The layout of a float sort; `None` for every other sort.
    pub const fn float_format(self) -> Option<FloatFormat> {
        match self {
            Sort::F32 => Some(FloatFormat::BINARY32),
            Sort::F64 => Some(FloatFormat::BINARY64),
            _ => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::BitVec(width) => write!(f, "bv{width}"),
            Sort::F32 => f.write_str("f32"),
            Sort::F64 => f.write_str("f64"),
            Sort::Ref => f.write_str("ref"),
        }
    }
}

/// How many bits of a float are exponent and how many are stored fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// Bits of the biased exponent.
    pub exponent: u32,
    /// Bits of the stored fraction, without the hidden bit.
    pub fraction: u32,
}

impl FloatFormat {
    /// Java's `float`.
    pub const BINARY32: FloatFormat = FloatFormat { exponent: 8, fraction: 23 };
    /// Java's `double`.
    pub const BINARY64: FloatFormat = FloatFormat { exponent: 11, fraction: 52 };

    /// The bit pattern of the NaN that every arithmetic operation produces.
    pub const fn canonical_nan(self) -> u64 {
        let quiet_exponent = (1 << (self.exponent + 1)) - 1;
        quiet_exponent << (self.fraction - 1)
    }

    /// Sign, exponent and fraction together.
    pub const fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The mask of the sign bit.
    pub const fn sign_bit(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// Is this bit pattern a NaN?
    pub const fn is_nan(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign_bit() - 1);
        let infinity = ((1 << self.exponent) - 1) << self.fraction;
        magnitude > infinity
    }
}

#[cfg(test)]
mod tests {
    use super::{FloatFormat, Sort};

    #[test]
    fn canonical_nan_is_javas() {
        assert_eq!(FloatFormat::BINARY32.canonical_nan(), 0x7fc0_0000);
        assert_eq!(FloatFormat::BINARY64.canonical_nan(), 0x7ff8_0000_0000_0000);
    }

    #[test]
    fn nan_is_told_from_infinity() {
        assert!(!FloatFormat::BINARY32.is_nan(u64::from(f32::INFINITY.to_bits())));
        assert!(FloatFormat::BINARY32.is_nan(u64::from(f32::INFINITY.to_bits() + 1)));
        assert!(FloatFormat::BINARY64.is_nan((-f64::NAN).to_bits()));
        assert!(!FloatFormat::BINARY64.is_nan(f64::NEG_INFINITY.to_bits()));
    }

    #[test]
    fn masks_cover_the_width() {
        assert_eq!(Sort::BitVec(64).mask(), u64::MAX);
        assert_eq!(Sort::BitVec(1).mask(), 1);
        assert_eq!(Sort::Ref.mask(), 0xffff_ffff);
    }
}
