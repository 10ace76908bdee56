//! Integer circuits: words of literals, least significant bit first.
//!
//! Meanings are those of `dalang_term::semantics`. Operands of one operation have one width unless
//! it says otherwise. The float circuits are built from these.

use super::gates::{Gates, Lit};

/// Bits of a value, least significant first.
pub type Word = Vec<Lit>;

/// The bits of a constant.
pub fn constant(width: usize, bits: u64) -> Word {
    (0..width).map(|position| Lit::constant(position < 64 && bits >> position & 1 == 1)).collect()
}

/// The value of a word whose bits are all constant: what a circuit on constants folds to.
#[cfg(test)]
pub fn known(word: &[Lit]) -> Option<u128> {
    word.iter().rev().try_fold(0, |value, bit| Some(value << 1 | u128::from(bit.known()?)))
}

/// The complement of every bit.
pub fn not(a: &[Lit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// `a` with zeros above, or without its upper bits.
pub fn resize(a: &[Lit], width: usize) -> Word {
    extend(a, width, Lit::FALSE)
}

/// `a` with its sign repeated above, or without its upper bits.
pub fn sign_resize(a: &[Lit], width: usize) -> Word {
    extend(a, width, sign(a))
}

/// The most significant bit; false of an empty word.
pub fn sign(a: &[Lit]) -> Lit {
    a.last().copied().unwrap_or(Lit::FALSE)
}

fn extend(a: &[Lit], width: usize, fill: Lit) -> Word {
    let mut word: Word = a.iter().copied().take(width).collect();
    word.resize(width, fill);
    word
}

impl Gates {
    /// `condition ? a : b`, bit by bit.
    pub fn ite_word(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        self.zip(a, b, |gates, a, b| gates.ite(condition, a, b))
    }

    /// A gate on each pair of bits.
    pub fn zip(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        mut gate: impl FnMut(&mut Gates, Lit, Lit) -> Lit,
    ) -> Word {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    /// `a + b + carry` and the carry out.
    pub fn add_with_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
        let mut carry = carry;
        let sum = self.zip(a, b, |gates, a, b| {
            let bit = gates.parity(a, b, carry);
            carry = gates.majority(a, b, carry);
            bit
        });
        (sum, carry)
    }

    /// `a + b`, modulo.
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_with_carry(a, b, Lit::FALSE).0
    }

    /// `a - b`, modulo.
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add_with_carry(a, &not(b), Lit::TRUE).0
    }

    /// `a + (bit ? 1 : 0)`, modulo.
    pub fn increment_if(&mut self, a: &[Lit], bit: Lit) -> Word {
        let zero = vec![Lit::FALSE; a.len()];
        self.add_with_carry(a, &zero, bit).0
    }

    /// `-a`, modulo.
    pub fn negate(&mut self, a: &[Lit]) -> Word {
        self.increment_if(&not(a), Lit::TRUE)
    }

    /// `condition ? -a : a`, modulo.
    pub fn negate_if(&mut self, a: &[Lit], condition: Lit) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.increment_if(&flipped, condition)
    }

    /// Are all bits equal?
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.zip(a, b, Gates::same);
        self.all(same)
    }

    /// Are all bits zero?
    pub fn is_zero(&mut self, a: &[Lit]) -> Lit {
        self.all(a.iter().map(|&bit| !bit))
    }

    /// Is the unsigned value of `a` below that of `b`?
    pub fn unsigned_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        // Borrow out of a - b: below so far, unless this bit decides otherwise.
        a.iter().zip(b).fold(Lit::FALSE, |below, (&a, &b)| self.majority(!a, b, below))
    }

    /// Is the signed value of `a` below that of `b`?
    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // Flipping both signs maps signed order onto unsigned order.
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.unsigned_less(&flip(a), &flip(b))
    }

    /// `a << distance`, zeros in; any distance.
    pub fn shift_left(&mut self, a: &[Lit], distance: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, distance, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// `a >> distance`, `fill` in; any distance.
    pub fn shift_right(&mut self, a: &[Lit], distance: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut shifted = a.to_vec();
        let mut beyond = Vec::new();
        for (stage, &bit) in distance.iter().enumerate() {
            match 1_usize.checked_shl(stage as u32).filter(|&step| step < width) {
                Some(step) => {
                    shifted = (0..width)
                        .map(|position| {
                            let from = shifted.get(position + step).copied().unwrap_or(fill);
                            self.ite(bit, from, shifted[position])
                        })
                        .collect();
                }
                None => beyond.push(bit),
            }
        }
        let beyond = self.any(beyond);
        shifted.iter().map(|&bit| self.ite(beyond, fill, bit)).collect()
    }

    /// `a >> distance` with zeros in, and whether a one was shifted out.
    pub fn shift_right_sticky(&mut self, a: &[Lit], distance: &[Lit]) -> (Word, Lit) {
        let width = a.len();
        let mut shifted = a.to_vec();
        let mut lost = Vec::new();
        for (stage, &bit) in distance.iter().enumerate() {
            let step = 1_usize.checked_shl(stage as u32).unwrap_or(width).min(width);
            let dropped = self.any(shifted[..step].to_vec());
            lost.push(self.and(bit, dropped));
            shifted = (0..width)
                .map(|position| {
                    let from = shifted.get(position + step).copied().unwrap_or(Lit::FALSE);
                    self.ite(bit, from, shifted[position])
                })
                .collect();
        }
        let lost = self.any(lost);
        (shifted, lost)
    }

    /// `a` shifted left until its top bit is set, and by how much. All zeros stay zeros, shifted by
    /// the largest distance that the count can hold.
    pub fn normalize(&mut self, a: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let stages = usize::BITS - width.saturating_sub(1).leading_zeros();
        let mut shifted = a.to_vec();
        let mut count = vec![Lit::FALSE; stages as usize];
        for stage in (0..stages).rev() {
            let step = 1 << stage;
            let top_empty = self.is_zero(&shifted[width - step.min(width)..]);
            shifted = (0..width)
                .map(|position| {
                    let from = if position >= step { shifted[position - step] } else { Lit::FALSE };
                    self.ite(top_empty, from, shifted[position])
                })
                .collect();
            count[stage as usize] = top_empty;
        }
        (shifted, count)
    }

    /// `a * b`, as wide as both together.
    pub fn multiply_wide(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.multiply_to(a, b, a.len() + b.len())
    }

    /// `a * b`, modulo.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.multiply_to(a, b, a.len())
    }

    fn multiply_to(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        // Adding rows for the operand with more constant bits: a constant zero makes no row.
        let constants = |word: &[Lit]| word.iter().filter(|bit| bit.known().is_some()).count();
        let (rows, other) = if constants(a) > constants(b) { (a, b) } else { (b, a) };
        let mut product = vec![Lit::FALSE; width];
        for (shift, &row) in rows.iter().enumerate().take(width) {
            if row == Lit::FALSE {
                continue;
            }
            let partial: Word =
                other.iter().take(width - shift).map(|&bit| self.and(bit, row)).collect();
            let upper = resize(&partial, width - shift);
            let (sum, _) = self.add_with_carry(&product[shift..], &upper, Lit::FALSE);
            product.splice(shift.., sum);
        }
        product
    }

    /// One step of restoring division: `a - b` where `allowed` and that is not negative, else `a`;
    /// and whether it was subtracted. The result has `b`'s width, which the caller knows to suffice.
    pub fn subtract_if_fits(&mut self, a: &[Lit], b: &[Lit], allowed: Lit) -> (Word, Lit) {
        debug_assert!(a.len() >= b.len());
        let mut carries = Vec::with_capacity(b.len());
        let mut carry = Lit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            carries.push(carry);
            carry = self.majority(a, !b, carry);
        }
        let above = self.any(a[b.len()..].iter().copied());
        let no_borrow = self.or(carry, above);
        let fits = self.and(no_borrow, allowed);
        let kept = a
            .iter()
            .zip(b)
            .zip(carries)
            .map(|((&a, &b), carry)| self.subtract_bit_if(fits, a, !b, carry))
            .collect();
        (kept, fits)
    }

    /// `condition ? a ^ b ^ c : a`.
    ///
    /// One variable instead of the two that a parity and an ite would take: division is made of
    /// thousands of these, and nothing else looks at the parity.
    fn subtract_bit_if(&mut self, condition: Lit, a: Lit, b: Lit, c: Lit) -> Lit {
        let constant = [condition, a, b, c].iter().any(|bit| bit.known().is_some());
        if constant || b == c || b == !c {
            let flipped = self.parity(a, b, c);
            return self.ite(condition, flipped, a);
        }
        let out = self.fresh();
        for (from, to) in [(a, out), (!a, !out)] {
            self.clause(&[condition, !from, to]);
            self.clause(&[b, c, !from, to]);
            self.clause(&[!b, !c, !from, to]);
            self.clause(&[!condition, b, !c, !from, !to]);
            self.clause(&[!condition, !b, c, !from, !to]);
        }
        out
    }

    /// Unsigned quotient and remainder; by zero all ones and the dividend.
    pub fn unsigned_divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        // One bit more than the divisor: the shifted remainder may exceed its width.
        let divisor = resize(b, width + 1);
        let mut remainder = vec![Lit::FALSE; width + 1];
        let mut quotient = vec![Lit::FALSE; width];
        for position in (0..width).rev() {
            remainder.insert(0, a[position]);
            remainder.truncate(width + 1);
            let (difference, no_borrow) =
                self.add_with_carry(&remainder, &not(&divisor), Lit::TRUE);
            quotient[position] = no_borrow;
            remainder = self.ite_word(no_borrow, &difference, &remainder);
        }
        remainder.truncate(width);
        (quotient, remainder)
    }

    /// Signed quotient and remainder, truncating; by zero as SMT-LIB says.
    pub fn signed_divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (sign(a), sign(b));
        let (magnitude_a, magnitude_b) = (self.negate_if(a, sign_a), self.negate_if(b, sign_b));
        let (quotient, remainder) = self.unsigned_divide(&magnitude_a, &magnitude_b);
        let sign_quotient = self.xor(sign_a, sign_b);
        (self.negate_if(&quotient, sign_quotient), self.negate_if(&remainder, sign_a))
    }
}

#[cfg(test)]
mod tests {
    use super::{constant, known, sign};
    use crate::blast::gates::{Gates, Lit};
    use dalang_term::{Op, Sort, semantics};

    /// Circuits on constants fold; every pair of operands up to five bits is compared with the
    /// meaning of the operator.
    #[test]
    fn circuits_agree_with_the_semantics_exhaustively() {
        for width in 1..=5_u8 {
            for a in 0..1_u64 << width {
                for b in 0..1_u64 << width {
                    compare(width, a, b);
                }
            }
        }
    }

    #[test]
    fn circuits_agree_with_the_semantics_at_full_width() {
        let interesting = [
            0,
            1,
            2,
            3,
            7,
            31,
            32,
            63,
            64,
            65,
            1000,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            i64::MAX as u64,
            i64::MIN as u64,
            u64::MAX,
            0x0123_4567_89ab_cdef,
        ];
        for width in [8, 16, 32, 33, 64] {
            for a in interesting {
                for b in interesting {
                    let mask = Sort::BitVec(width).mask();
                    compare(width, a & mask, b & mask);
                }
            }
        }
    }

    fn compare(width: u8, a: u64, b: u64) {
        let sort = Sort::BitVec(width);
        let gates = &mut Gates::new(1);
        let (x, y) = (&constant(width.into(), a)[..], &constant(width.into(), b)[..]);
        let expect = |op, word: &[Lit]| {
            let expected = semantics::apply(op, sort, sort, [a, b, 0]);
            assert_eq!(known(word), Some(u128::from(expected)), "{op:?} {a} {b} width {width}");
        };
        expect(Op::Add, &gates.add(x, y));
        expect(Op::Neg, &gates.negate(x));
        expect(Op::Mul, &gates.multiply(x, y));
        expect(Op::Shl, &gates.shift_left(x, y));
        expect(Op::LShr, &gates.shift_right(x, y, Lit::FALSE));
        expect(Op::AShr, &gates.shift_right(x, y, sign(x)));
        let (quotient, remainder) = gates.unsigned_divide(x, y);
        expect(Op::UDiv, &quotient);
        expect(Op::URem, &remainder);
        let (quotient, remainder) = gates.signed_divide(x, y);
        expect(Op::SDiv, &quotient);
        expect(Op::SRem, &remainder);
        for signed in [false, true] {
            let (quotient, _) = gates.divide(x, y, signed);
            gates.multiply_tied(&quotient, y);
        }
        // What is said of division holds: no clause is without a literal that is true.
        let clauses: Vec<i32> = gates.take_clauses().collect();
        for clause in clauses.split(|&number| number == 0).filter(|clause| !clause.is_empty()) {
            assert!(clause.contains(&Lit::TRUE.number()), "{a} by {b}, width {width}: {clause:?}");
        }
        assert_eq!(gates.unsigned_less(x, y).known(), Some(a < b));
        let signed = |bits| semantics::signed(sort, bits);
        assert_eq!(gates.signed_less(x, y).known(), Some(signed(a) < signed(b)));
        assert_eq!(gates.equal(x, y).known(), Some(a == b));
        assert_eq!(known(&gates.sub(x, y)), Some(u128::from(a.wrapping_sub(b) & sort.mask())));
        let wide = u128::from(a) * u128::from(b);
        assert_eq!(known(&gates.multiply_wide(x, y)), Some(wide));
        let (shifted, sticky) = gates.shift_right_sticky(x, y);
        expect(Op::LShr, &shifted);
        let lost = a & !(u64::MAX.checked_shl(b.min(64) as u32).unwrap_or(0));
        assert_eq!(sticky.known(), Some(lost != 0));
        let (kept, fits) = gates.subtract_if_fits(x, y, Lit::TRUE);
        assert_eq!(fits.known(), Some(a >= b));
        let expected = a.checked_sub(b).unwrap_or(a);
        assert_eq!(known(&kept), Some(u128::from(expected)));
        if a != 0 {
            let (normal, count) = gates.normalize(x);
            let zeros = u64::from(a.leading_zeros() - (64 - u32::from(width)));
            assert_eq!(known(&normal), Some(u128::from(a << zeros)));
            assert_eq!(known(&count), Some(u128::from(zeros)));
        }
    }
}
