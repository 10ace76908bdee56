//! Sine, cosine, tangent and the angle of a point.

use super::high;
use super::reduction::reduce;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// The sine of `x + rest`, up to a quarter of pi.
fn small_sine(x: f64, rest: f64, exact: bool) -> f64 {
    const S: [u64; 6] = [
        0xbfc5_5555_5555_5549,
        0x3f81_1111_1110_f8a6,
        0xbf2a_01a0_19c1_61d5,
        0x3ec7_1de3_57b1_fe7d,
        0xbe5a_e5e6_8a2b_9ceb,
        0x3de5_d93a_5acf_d57c,
    ];
    if high(x) & 0x7fff_ffff < 0x3e40_0000 {
        return x;
    }
    let [s1, s2, s3, s4, s5, s6] = S.map(f64::from_bits);
    let z = x * x;
    let v = z * x;
    let r = s2 + z * (s3 + z * (s4 + z * (s5 + z * s6)));
    if exact {
        return x + v * (s1 + z * r);
    }
    x - ((z * (0.5 * rest - v * r) - rest) - v * s1)
}

/// The cosine of `x + rest`, up to a quarter of pi.
fn small_cosine(x: f64, rest: f64) -> f64 {
    const C: [u64; 6] = [
        0x3fa5_5555_5555_554c,
        0xbf56_c16c_16c1_5177,
        0x3efa_01a0_19cb_1590,
        0xbe92_7e4f_809c_52ad,
        0x3e21_ee9e_bdb4_b1c4,
        0xbda8_fae9_be88_38d4,
    ];
    let size = high(x) & 0x7fff_ffff;
    if size < 0x3e40_0000 {
        return 1.0;
    }
    let [c1, c2, c3, c4, c5, c6] = C.map(f64::from_bits);
    let z = x * x;
    let r = z * (c1 + z * (c2 + z * (c3 + z * (c4 + z * (c5 + z * c6)))));
    if size < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * rest));
    }
    // About a quarter of `x`, so that subtracting it from one is exact.
    let quarter = if size > 0x3fe9_0000 {
        0.281_25
    } else {
        f64::from_bits(u64::from(size - 0x20_0000) << 32)
    };
    let half = 0.5 * z - quarter;
    (1.0 - quarter) - (half - (z * r - x * rest))
}

pub(super) fn sin(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (n, y, rest) = reduce(x);
    let exact = n == 0 && rest == 0.0 && y.to_bits() == x.to_bits();
    match n & 3 {
        0 => small_sine(y, rest, exact),
        1 => small_cosine(y, rest),
        2 => -small_sine(y, rest, false),
        _ => -small_cosine(y, rest),
    }
}

pub(super) fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (n, y, rest) = reduce(x);
    match n & 3 {
        0 => small_cosine(y, rest),
        1 => -small_sine(y, rest, false),
        2 => -small_cosine(y, rest),
        _ => small_sine(y, rest, false),
    }
}

/// Minus the inverse of `x + rest`, with the upper halves of the sum and of its inverse.
fn minus_inverse(x: f64, rest: f64) -> f64 {
    let upper = |x: f64| f64::from_bits(x.to_bits() >> 32 << 32);
    let sum = x + rest;
    let z = upper(sum);
    let v = rest - (z - x);
    let inverse = -1.0 / sum;
    let t = upper(inverse);
    let s = 1.0 + t * z;
    t + inverse * (s + t * v)
}

/// The tangent of `x + rest`, up to a quarter of pi, or minus its inverse.
fn small_tangent(x: f64, rest: f64, invert: bool) -> f64 {
    const T: [u64; 13] = [
        0x3fd5_5555_5555_5563,
        0x3fc1_1111_1110_fe7a,
        0x3fab_a1ba_1bb3_41fe,
        0x3f96_64f4_8406_d637,
        0x3f82_26e3_e96e_8493,
        0x3f6d_6d22_c956_0328,
        0x3f57_dbc8_fee0_8315,
        0x3f43_44d8_f2f2_6501,
        0x3f30_26f7_1a8d_1068,
        0x3f14_7e88_a037_92a6,
        0x3f12_b80f_32f0_a7e9,
        0xbef3_75cb_db60_5373,
        0x3efb_2a70_74bf_7ad4,
    ];
    const REST_OF_QUARTER: f64 = 3.061_616_997_868_383e-17;
    let size = high(x) & 0x7fff_ffff;
    if size < 0x3e30_0000 {
        return if invert { minus_inverse(x, rest) } else { x };
    }
    // Near a quarter of pi, what is missing to it is smaller.
    let far = size >= 0x3fe5_9428;
    let (sign, mut x, mut rest) = if far && x < 0.0 { (-1.0, -x, -rest) } else { (1.0, x, rest) };
    if far {
        (x, rest) = ((FRAC_PI_4 - x) + (REST_OF_QUARTER - rest), 0.0);
    }
    let t = T.map(f64::from_bits);
    let z = x * x;
    let w = z * z;
    let odd = t[1] + w * (t[3] + w * (t[5] + w * (t[7] + w * (t[9] + w * t[11]))));
    let even = z * (t[2] + w * (t[4] + w * (t[6] + w * (t[8] + w * (t[10] + w * t[12])))));
    let s = z * x;
    let r = rest + z * (s * (odd + even) + rest) + t[0] * s;
    let w = x + r;
    if far {
        let v = if invert { -1.0 } else { 1.0 };
        return sign * (v - 2.0 * (x - (w * w / (w + v) - r)));
    }
    if invert { minus_inverse(x, r) } else { w }
}

pub(super) fn tan(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (n, y, rest) = reduce(x);
    small_tangent(y, rest, n & 1 == 1)
}

/// Where `y` is far larger than a negative `x`, what `libm` gives is rounded better than what
/// fdlibm gives.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    const REST_OF_PI: f64 = 1.224_646_799_147_353_2e-16;
    let exponent = |x: f64| (high(x) & 0x7fff_ffff) as i32;
    let finite = x.is_finite() && y.is_finite() && y != 0.0;
    if finite && x < 0.0 && x != 1.0 && (exponent(y) - exponent(x)) >> 20 > 60 {
        let z = FRAC_PI_2 + 0.5 * REST_OF_PI;
        let angle = PI - (z - REST_OF_PI);
        return if y < 0.0 { -angle } else { angle };
    }
    libm::atan2(y, x)
}
