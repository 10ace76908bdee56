//! Logarithms.

use super::{high, with_high};

/// Odd powers of `s` in the logarithm of `(1 + s) / (1 - s)`, without the first.
const L: [u64; 7] = [
    0x3fe5_5555_5555_5593,
    0x3fd9_9999_9997_fa04,
    0x3fd2_4924_9422_9359,
    0x3fcc_71c5_1d8e_78af,
    0x3fc7_4664_96cb_03de,
    0x3fc3_9a09_d078_c69f,
    0x3fc2_f112_df3e_5244,
];

/// The logarithm of two, in a part that can be multiplied by an exponent exactly, and the rest.
const fn ln_2() -> (f64, f64) {
    (f64::from_bits(0x3fe6_2e42_fee0_0000), f64::from_bits(0x3dea_39ef_3579_3c76))
}

/// A positive number as a normal one and an exponent; what is no positive number has its
/// logarithm already.
fn normal(x: f64) -> Result<(f64, i32), f64> {
    const TWO54: f64 = 18_014_398_509_481_984.0;
    if x == 0.0 {
        Err(f64::NEG_INFINITY)
    } else if x < 0.0 {
        Err(f64::NAN)
    } else if !x.is_finite() {
        Err(x)
    } else if x < f64::MIN_POSITIVE {
        Ok((x * TWO54, -54))
    } else {
        Ok((x, 0))
    }
}

pub(super) fn log(x: f64) -> f64 {
    let (x, mut k) = match normal(x) {
        Ok(parts) => parts,
        Err(result) => return result,
    };
    k += (high(x) >> 20) as i32 - 1023;
    let hx = high(x) & 0xf_ffff;
    // One more where the number is above the root of two.
    let up = (hx + 0x9_5f64) & 0x10_0000;
    k += (up >> 20) as i32;
    let f = with_high(x, hx | (up ^ 0x3ff0_0000)) - 1.0;
    let (upper, lower) = ln_2();
    let dk = f64::from(k);
    if 0xf_ffff & (2 + hx) < 3 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * upper + dk * lower };
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
        return if k == 0 { f - r } else { dk * upper - ((r - dk * lower) - f) };
    }
    let [l1, l2, l3, l4, l5, l6, l7] = L.map(f64::from_bits);
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (l2 + w * (l4 + w * l6));
    let t2 = z * (l1 + w * (l3 + w * (l5 + w * l7)));
    let r = t2 + t1;
    if (hx as i32 - 0x6_147a) | (0x6_b851 - hx as i32) > 0 {
        let half = 0.5 * f * f;
        return match k {
            0 => f - (half - s * (half + r)),
            _ => dk * upper - ((half - (s * (half + r) + dk * lower)) - f),
        };
    }
    match k {
        0 => f - s * (f - r),
        _ => dk * upper - ((s * (f - r) - dk * lower) - f),
    }
}

pub(super) fn log10(x: f64) -> f64 {
    /// The inverse of the logarithm of ten.
    const INVERSE: u64 = 0x3fdb_cb7b_1526_e50e;
    /// The decimal logarithm of two, and what the first leaves.
    const LOG_2: [u64; 2] = [0x3fd3_4413_509f_6000, 0x3d59_fef3_11f1_2b36];
    let (x, mut k) = match normal(x) {
        Ok(parts) => parts,
        Err(result) => return result,
    };
    k += (high(x) >> 20) as i32 - 1023;
    let below_one = u32::from(k < 0);
    let y = f64::from(k + below_one as i32);
    let x = with_high(x, high(x) & 0xf_ffff | (0x3ff - below_one) << 20);
    let [upper, lower] = LOG_2.map(f64::from_bits);
    let z = y * lower + f64::from_bits(INVERSE) * log(x);
    z + y * upper
}

/// `1 + x` as a power of two and a number near one: the exponent, that number less one, the
/// correction for what `1 + x` lost, and the number's upper bits.
fn split(x: f64) -> (i32, f64, f64, u32) {
    let hx = high(x) as i32;
    let near = hx > 0 && hx < 0x3fda_827a || hx < 0 && hx <= 0xbfd2_bec3_u32 as i32;
    if near {
        return (0, x, 0.0, 1);
    }
    let (u, k, c) = if hx < 0x4340_0000 {
        let u = 1.0 + x;
        let k = (high(u) >> 20) as i32 - 1023;
        let lost = if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) };
        (u, k, lost / u)
    } else {
        (x, (high(x) >> 20) as i32 - 1023, 0.0)
    };
    let hu = high(u) & 0xf_ffff;
    if hu < 0x6_a09e {
        (k, with_high(u, hu | 0x3ff0_0000) - 1.0, c, hu)
    } else {
        (k + 1, with_high(u, hu | 0x3fe0_0000) - 1.0, c, (0x10_0000 - hu) >> 2)
    }
}

pub(super) fn log1p(x: f64) -> f64 {
    let size = high(x) & 0x7fff_ffff;
    if x <= -1.0 {
        return if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if !x.is_finite() {
        return x;
    }
    if size < 0x3e20_0000 {
        return if size < 0x3c90_0000 { x } else { x - x * x * 0.5 };
    }
    let (k, f, c, hu) = split(x);
    let (upper, lower) = ln_2();
    let dk = f64::from(k);
    let half = 0.5 * f * f;
    if hu == 0 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { dk * upper + (c + dk * lower) };
        }
        let r = half * (1.0 - 0.666_666_666_666_666_7 * f);
        return if k == 0 { f - r } else { dk * upper - ((r - (dk * lower + c)) - f) };
    }
    let [l1, l2, l3, l4, l5, l6, l7] = L.map(f64::from_bits);
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * (l1 + z * (l2 + z * (l3 + z * (l4 + z * (l5 + z * (l6 + z * l7))))));
    match k {
        0 => f - (half - s * (half + r)),
        _ => dk * upper - ((half - (s * (half + r) + (dk * lower + c))) - f),
    }
}
