//! Angles reduced to at most a quarter of pi, the way fdlibm does it.
//!
//! What is left of an angle is a number and a correction to it, and both have to be fdlibm's: an
//! exacter correction would change last bits of sines.

use super::high;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Half of pi in three parts of 33 bits, each with what it leaves.
const PARTS: [(u64, u64); 3] = [
    (0x3ff9_21fb_5440_0000, 0x3dd0_b461_1a62_6331),
    (0x3dd0_b461_1a60_0000, 0x3ba3_198a_2e03_7073),
    (0x3ba3_198a_2e00_0000, 0x397b_839a_2520_49c1),
];

/// Half of pi in parts of 24 bits and less.
const HALF_PI: [u64; 8] = [
    0x3ff9_21fb_4000_0000,
    0x3e74_442d_0000_0000,
    0x3cf8_4698_8000_0000,
    0x3b78_cc51_6000_0000,
    0x39f0_1b83_8000_0000,
    0x387a_2520_4000_0000,
    0x36e3_8222_8000_0000,
    0x3569_f31d_0000_0000,
];

/// The bits of 2/pi behind the point, 24 in each.
const TWO_OVER_PI: [u32; 66] = [
    0xa2_f983, 0x6e_4e44, 0x15_29fc, 0x27_57d1, 0xf5_34dd, 0xc0_db62, 0x95_993c, 0x43_9041,
    0xfe_5163, 0xab_debb, 0xc5_61b7, 0x24_6e3a, 0x42_4dd2, 0xe0_0649, 0x2e_ea09, 0xd1_921c,
    0xfe_1deb, 0x1c_b129, 0xa7_3ee8, 0x82_35f5, 0x2e_bb44, 0x84_e99c, 0x70_26b4, 0x5f_7e41,
    0x39_91d6, 0x39_8353, 0x39_f49c, 0x84_5f8b, 0xbd_f928, 0x3b_1ff8, 0x97_ffde, 0x05_980f,
    0xef_2f11, 0x8b_5a0a, 0x6d_1f6d, 0x36_7ecf, 0x27_cb09, 0xb7_4f46, 0x3f_669e, 0x5f_ea2d,
    0x75_27ba, 0xc7_ebe5, 0xf1_7b3d, 0x07_39f7, 0x8a_5292, 0xea_6bfb, 0x5f_b11f, 0x8d_5d08,
    0x56_0330, 0x46_fc7b, 0x6b_abf0, 0xcf_bc20, 0x9a_f436, 0x1d_a9e3, 0x91_615e, 0xe6_1b08,
    0x65_9985, 0x5f_14a0, 0x68_408d, 0xff_d880, 0x4d_7327, 0x31_0606, 0x15_56ca, 0x73_a8c9,
    0x60_e27b, 0xc0_8c6b,
];

const TWO24: f64 = 16_777_216.0;

fn part(index: usize) -> (f64, f64) {
    let (part, rest) = PARTS[index];
    (f64::from_bits(part), f64::from_bits(rest))
}

/// How often half of pi is in a finite angle (only the last bits count), and what is left.
pub(super) fn reduce(x: f64) -> (i32, f64, f64) {
    const QUARTER_PI: u32 = 0x3fe9_21fb;
    const MUCH: u32 = 0x4139_21fb;
    let size = high(x) & 0x7fff_ffff;
    if size <= QUARTER_PI {
        return (0, x, 0.0);
    }
    let (n, a, b) = match size {
        ..0x4002_d97c => once(x.abs(), size),
        0x4002_d97c..=MUCH => some(x.abs(), size),
        _ => many(x.abs()),
    };
    if x < 0.0 { (-n, -a, -b) } else { (n, a, b) }
}

/// Up to three quarters of pi.
fn once(x: f64, size: u32) -> (i32, f64, f64) {
    let (first, mut rest) = part(0);
    let mut z = x - first;
    if size == high(FRAC_PI_2) {
        let (second, second_rest) = part(1);
        z -= second;
        rest = second_rest;
    }
    let y = z - rest;
    (1, y, (z - y) - rest)
}

/// Up to about a million times half of pi: as many parts of it as cancellation demands.
fn some(x: f64, size: u32) -> (i32, f64, f64) {
    let n = (x * FRAC_2_PI + 0.5) as i32;
    let count = f64::from(n);
    let (first, rest) = part(0);
    let mut r = x - count * first;
    let mut w = count * rest;
    let mut y = r - w;
    let plain = n < 32 && size != high(count * FRAC_PI_2);
    let lost = |y: f64| (size >> 20) as i32 - (high(y) >> 20 & 0x7ff) as i32;
    for (index, most) in [(1, 16), (2, 49)] {
        if plain || lost(y) <= most {
            break;
        }
        let before = r;
        let (next, rest) = part(index);
        w = count * next;
        r = before - w;
        w = count * rest - ((before - r) - w);
        y = r - w;
    }
    (n, y, (r - y) - w)
}

/// Anything larger, by as many bits of 2/pi as matter.
fn many(x: f64) -> (i32, f64, f64) {
    let exponent = (x.to_bits() >> 52) as i32 - 1046;
    let mut z = f64::from_bits(x.to_bits() - ((exponent as u64) << 52));
    let mut digits = Vec::with_capacity(3);
    for _ in 0..2 {
        digits.push(z.trunc());
        z = (z - z.trunc()) * TWO24;
    }
    digits.push(z);
    while digits.last() == Some(&0.0) {
        digits.pop();
    }
    Product::new(digits, exponent).reduce()
}

/// The product of an angle and 2/pi, in digits of 24 bits.
struct Product {
    /// The digits of the angle.
    angle: Vec<f64>,
    /// The first digit of 2/pi that counts.
    skipped: i32,
    /// The exponent of the last digit before the point.
    exponent: i32,
    /// Sums of products of digits; the first is the highest.
    sums: Vec<f64>,
}

impl Product {
    /// So many digits behind the first are computed at once.
    const DIGITS: usize = 4;

    fn new(angle: Vec<f64>, exponent: i32) -> Self {
        let skipped = ((exponent - 3) / 24).max(0);
        let mut product =
            Self { angle, skipped, exponent: exponent - 24 * (skipped + 1), sums: Vec::new() };
        product.extend(Self::DIGITS + 1);
        product
    }

    fn extend(&mut self, count: usize) {
        for _ in 0..count {
            let place = self.skipped + self.sums.len() as i32;
            let digit = |index: i32| usize::try_from(index).map_or(0.0, |i| TWO_OVER_PI[i].into());
            let mut sum = 0.0;
            for (index, angle) in self.angle.iter().enumerate() {
                sum += angle * digit(place - index as i32);
            }
            self.sums.push(sum);
        }
    }

    fn reduce(mut self) -> (i32, f64, f64) {
        loop {
            let mut fraction = self.fraction();
            if fraction.top == 0.0 && fraction.digits[Self::DIGITS..].iter().all(|&d| d == 0) {
                // All bits cancelled: more of them are needed.
                let known = fraction.digits[..Self::DIGITS].iter().rev();
                let more = 1 + known.take_while(|&&digit| digit == 0).count();
                self.extend(more);
                continue;
            }
            fraction.fill();
            let (y, rest) = fraction.angle();
            let negative = fraction.negative;
            let n = fraction.n & 7;
            return if negative { (n, -y, -rest) } else { (n, y, rest) };
        }
    }

    /// The whole and the broken part; the latter is subtracted from one if it is over a half.
    fn fraction(&self) -> Fraction {
        let (mut z, rest) = match self.sums.split_last() {
            Some((&last, rest)) => (last, rest),
            None => (0.0, &[][..]),
        };
        // The lowest digit comes first.
        let mut digits: Vec<i32> = Vec::new();
        for sum in rest.iter().rev() {
            let carry = (z / TWO24).trunc();
            digits.push((z - TWO24 * carry) as i32);
            z = sum + carry;
        }
        let exponent = self.exponent;
        z = scale(z, exponent);
        z -= 8.0 * (z * 0.125).floor();
        let mut n = z as i32;
        z -= f64::from(n);
        let last = digits.len() - 1;
        let half = match exponent {
            1.. => {
                let whole = digits[last] >> (24 - exponent);
                n += whole;
                digits[last] -= whole << (24 - exponent);
                digits[last] >> (23 - exponent)
            }
            0 => digits[last] >> 23,
            _ if z >= 0.5 => 2,
            _ => 0,
        };
        let mut fraction = Fraction { n, top: z, digits, exponent, negative: half > 0 };
        if half > 0 {
            fraction.complement(half == 2);
        }
        fraction
    }
}

/// How often half of pi is in an angle, and what part of half of pi is left.
struct Fraction {
    n: i32,
    /// The part above the digits.
    top: f64,
    /// The lowest first, until [`Fraction::fill`].
    digits: Vec<i32>,
    exponent: i32,
    negative: bool,
}

impl Fraction {
    /// Subtracts it from one.
    fn complement(&mut self, from_top: bool) {
        self.n += 1;
        let mut carry = false;
        for digit in &mut self.digits {
            if carry {
                *digit = 0xff_ffff - *digit;
            } else if *digit != 0 {
                carry = true;
                *digit = 0x100_0000 - *digit;
            }
        }
        if let (1 | 2, Some(last)) = (self.exponent, self.digits.last_mut()) {
            *last &= 0xff_ffff >> self.exponent;
        }
        if from_top {
            self.top = 1.0 - self.top;
            if carry {
                self.top -= scale(1.0, self.exponent);
            }
        }
    }

    /// Makes all of it digits, and leaves out leading zeros.
    fn fill(&mut self) {
        if self.top == 0.0 {
            self.exponent -= 24;
            while self.digits.last() == Some(&0) {
                self.digits.pop();
                self.exponent -= 24;
            }
            return;
        }
        let mut z = scale(self.top, -self.exponent);
        if z >= TWO24 {
            let carry = (z / TWO24).trunc();
            self.digits.push((z - TWO24 * carry) as i32);
            self.exponent += 24;
            z = carry;
        }
        self.digits.push(z as i32);
    }

    /// Its product with half of pi, as a number and a correction.
    fn angle(&self) -> (f64, f64) {
        let mut weight = scale(1.0, self.exponent);
        let mut parts = Vec::new();
        for &digit in self.digits.iter().rev() {
            parts.push(weight * f64::from(digit));
            weight /= TWO24;
        }
        // The highest comes first; each is what has one weight.
        let mut products = Vec::new();
        for last in 0..parts.len() {
            let mut sum = 0.0;
            for place in 0..=last.min(Product::DIGITS) {
                sum += f64::from_bits(HALF_PI[place]) * parts[last - place];
            }
            products.push(sum);
        }
        let mut y = 0.0;
        for product in products.iter().rev() {
            y += product;
        }
        let mut rest = products[0] - y;
        for product in &products[1..] {
            rest += product;
        }
        (y, rest)
    }
}

/// A number times a power of two, both small enough not to overflow.
fn scale(x: f64, exponent: i32) -> f64 {
    x * f64::from_bits(((1023 + exponent) as u64) << 52)
}
