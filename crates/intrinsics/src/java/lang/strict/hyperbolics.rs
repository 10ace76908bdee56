//! Hyperbolic functions, by exponentials.

use super::high;

/// From here on the others decide nothing.
const LARGE: f64 = 22.0;

/// Half of `exp(x)`, where `exp(x)` may overflow and its half does not.
fn half_exp(x: f64) -> f64 {
    /// The largest argument whose exponential is finite, by its upper bits.
    const FINITE: u32 = 0x4086_2e42;
    /// The largest argument whose half exponential is finite.
    const MOST: u64 = 0x4086_33ce_8fb9_f87d;
    if high(x) < FINITE {
        return 0.5 * libm::exp(x);
    }
    if x.to_bits() <= MOST {
        let w = libm::exp(0.5 * x);
        return (0.5 * w) * w;
    }
    f64::INFINITY
}

pub(super) fn sinh(x: f64) -> f64 {
    const TINY: u32 = 0x3e30_0000;
    let size = x.abs();
    if !x.is_finite() || high(size) < TINY {
        return x;
    }
    if size >= LARGE {
        return half_exp(size).copysign(x);
    }
    let h = 0.5_f64.copysign(x);
    let t = libm::expm1(size);
    if size < 1.0 {
        return h * (2.0 * t - t * t / (t + 1.0));
    }
    h * (t + t / (t + 1.0))
}

pub(super) fn cosh(x: f64) -> f64 {
    /// About half of the logarithm of two, by its upper bits.
    const SMALL: u32 = 0x3fd6_2e43;
    const TINY: u32 = 0x3c80_0000;
    if !x.is_finite() {
        return x * x;
    }
    let size = x.abs();
    if high(size) < SMALL {
        let t = libm::expm1(size);
        let w = 1.0 + t;
        return if high(size) < TINY { w } else { 1.0 + (t * t) / (w + w) };
    }
    if size < LARGE {
        let t = libm::exp(size);
        return 0.5 * t + 0.5 / t;
    }
    half_exp(size)
}

pub(super) fn tanh(x: f64) -> f64 {
    const TINY: u32 = 0x3c80_0000;
    if x.is_nan() {
        return x;
    }
    let size = x.abs();
    if high(size) < TINY {
        return x * (1.0 + x);
    }
    let z = if size >= LARGE {
        1.0
    } else if size >= 1.0 {
        1.0 - 2.0 / (libm::expm1(2.0 * size) + 2.0)
    } else {
        let t = libm::expm1(-2.0 * size);
        -t / (t + 2.0)
    };
    z.copysign(x)
}
