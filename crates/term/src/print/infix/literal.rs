//! Values as Java would write them.
//!
//! Two values of one sort never look alike: a NaN that is not the canonical one shows its bits.

use crate::{Sort, semantics};

/// A value as Java would write it: signed decimals, `1.5f`, `NaN`, `null`, `#7`.
pub(crate) fn literal(sort: Sort, bits: u64) -> String {
    match sort {
        Sort::Bool => String::from(if bits == 0 { "false" } else { "true" }),
        // One bit is a flag more often than a number from -1 to 0.
        Sort::BitVec(1) => bits.to_string(),
        Sort::BitVec(_) => semantics::signed(sort, bits).to_string(),
        Sort::F32 => single(bits),
        Sort::F64 => double(bits),
        Sort::Ref if bits == 0 => String::from("null"),
        Sort::Ref => format!("#{bits}"),
    }
}

/// Does the text of this value begin with a minus?
pub(super) fn is_negative(sort: Sort, bits: u64) -> bool {
    match sort {
        Sort::Bool | Sort::Ref | Sort::BitVec(1) => false,
        Sort::BitVec(_) => semantics::signed(sort, bits) < 0,
        Sort::F32 => !f32::from_bits(bits as u32).is_nan() && bits >> 31 == 1,
        Sort::F64 => !f64::from_bits(bits).is_nan() && bits >> 63 == 1,
    }
}

fn single(bits: u64) -> String {
    let value = f32::from_bits(bits as u32);
    match special(Sort::F32, bits, f64::from(value)) {
        Some(text) => text,
        None => format!("{value:?}f"),
    }
}

fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    special(Sort::F64, bits, value).unwrap_or_else(|| format!("{value:?}"))
}

fn special(sort: Sort, bits: u64, value: f64) -> Option<String> {
    let canonical = sort.float_format().map(crate::FloatFormat::canonical_nan);
    if value.is_nan() && canonical == Some(bits) {
        Some(String::from("NaN"))
    } else if value.is_nan() {
        Some(format!("NaN({bits:#x})"))
    } else if value.is_infinite() {
        Some(String::from(if value > 0.0 { "Infinity" } else { "-Infinity" }))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::literal;
    use crate::Sort;

    #[test]
    fn values_look_as_in_java() {
        let single = |value: f32| literal(Sort::F32, u64::from(value.to_bits()));
        let double = |value: f64| literal(Sort::F64, value.to_bits());
        assert_eq!(literal(Sort::Bool, 1), "true");
        assert_eq!(literal(Sort::Bool, 0), "false");
        assert_eq!(literal(Sort::BitVec(8), 0x80), "-128");
        assert_eq!(literal(Sort::BitVec(16), 0xffff), "-1");
        assert_eq!(literal(Sort::BitVec(32), 0x8000_0000), "-2147483648");
        assert_eq!(literal(Sort::BitVec(64), u64::MAX), "-1");
        assert_eq!(literal(Sort::BitVec(1), 1), "1");
        assert_eq!(literal(Sort::Ref, 0), "null");
        assert_eq!(literal(Sort::Ref, 7), "#7");
        assert_eq!(single(1.5), "1.5f");
        assert_eq!(single(-0.0), "-0.0f");
        assert_eq!(single(f32::NEG_INFINITY), "-Infinity");
        assert_eq!(double(1.5), "1.5");
        assert_eq!(double(-0.0), "-0.0");
        assert_eq!(double(1e300), "1e300");
        assert_eq!(double(f64::INFINITY), "Infinity");
        assert_eq!(double(f64::NAN), "NaN");
        assert_eq!(literal(Sort::F32, 0xffc1_2345), "NaN(0xffc12345)");
        assert_eq!(literal(Sort::F32, 0x7fc0_0000), "NaN");
    }
}
