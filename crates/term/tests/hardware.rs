//! The semantics of operators against what Rust's own typed arithmetic gives on this processor.
//!
//! `semantics.rs` works on 64-bit patterns of any width; here each operator is spelled again with
//! the primitive types that have Java's widths, on special and random operands.

use dalang_term::sample::{Random, interesting_values};
use dalang_term::{Op, Rounding, Sort, semantics};

const ROUNDS: usize = 20_000;

fn operand(random: &mut Random, sort: Sort) -> u64 {
    let special = !random.one_in(3);
    if special { random.pick(&interesting_values(sort)) } else { random.next() & sort.mask() }
}

fn apply(op: Op, result: Sort, operand: Sort, operands: [u64; 3]) -> u64 {
    semantics::apply(op, result, operand, operands)
}

macro_rules! integers {
    ($test:ident, $signed:ty, $unsigned:ty) => {
        #[test]
        fn $test() {
            let sort = Sort::BitVec(<$signed>::BITS as u8);
            let mut random = Random::new(3);
            for _ in 0..ROUNDS {
                let (x, y) = (operand(&mut random, sort), operand(&mut random, sort));
                let (a, b) = (x as $signed, y as $signed);
                let (u, v) = (x as $unsigned, y as $unsigned);
                let far = v >= <$unsigned>::from(<$signed>::BITS as u8);
                let distance = if far { 0 } else { v as u32 };
                let expectations: [(Op, $unsigned); 15] = [
                    (Op::Add, u.wrapping_add(v)),
                    (Op::Mul, u.wrapping_mul(v)),
                    (Op::Neg, u.wrapping_neg()),
                    (Op::BvNot, !u),
                    (Op::BvAnd, u & v),
                    (Op::BvOr, u | v),
                    (Op::BvXor, u ^ v),
                    (Op::Shl, if far { 0 } else { u << distance }),
                    (Op::LShr, if far { 0 } else { u >> distance }),
                    (
                        Op::AShr,
                        if far { a >> (<$signed>::BITS - 1) } else { a >> distance } as $unsigned,
                    ),
                    (Op::UDiv, if v == 0 { <$unsigned>::MAX } else { u / v }),
                    (Op::URem, if v == 0 { u } else { u % v }),
                    (
                        Op::SDiv,
                        if b == 0 {
                            if a < 0 { 1 } else { <$unsigned>::MAX }
                        } else {
                            a.wrapping_div(b) as $unsigned
                        },
                    ),
                    (Op::SRem, if b == 0 { u } else { a.wrapping_rem(b) as $unsigned }),
                    (Op::Ite, v),
                ];
                for (op, expected) in expectations {
                    let operands = if op == Op::Ite { [1, y, x] } else { [x, y, 0] };
                    assert_eq!(apply(op, sort, sort, operands), expected as u64, "{op:?} {a} {b}");
                }
                for (op, expected) in [(Op::Slt, a < b), (Op::Ult, u < v), (Op::Eq, a == b)] {
                    assert_eq!(
                        apply(op, Sort::Bool, sort, [x, y, 0]) == 1,
                        expected,
                        "{op:?} {a} {b}"
                    );
                }
                let f32_bits = u64::from((a as f32).to_bits());
                assert_eq!(apply(Op::SignedToFloat, Sort::F32, sort, [x, 0, 0]), f32_bits, "{a}");
                let f64_bits = (a as f64).to_bits();
                assert_eq!(apply(Op::SignedToFloat, Sort::F64, sort, [x, 0, 0]), f64_bits, "{a}");
            }
        }
    };
}

integers!(bytes, i8, u8);
integers!(shorts, i16, u16);
integers!(ints, i32, u32);
integers!(longs, i64, u64);

macro_rules! floats {
    ($test:ident, $float:ty, $bits:ty, $sort:expr) => {
        #[test]
        fn $test() {
            let mut random = Random::new(4);
            for _ in 0..ROUNDS {
                let [x, y, z] = [(); 3].map(|()| operand(&mut random, $sort));
                let [a, b, c] = [x, y, z].map(|bits| <$float>::from_bits(bits as $bits));
                let values: [(Op, $float); 11] = [
                    (Op::FAdd, a + b),
                    (Op::FMul, a * b),
                    (Op::FDiv, a / b),
                    (Op::FRem, a % b),
                    (Op::FSqrt, a.sqrt()),
                    (Op::FFma, a.mul_add(b, c)),
                    (Op::FRound(Rounding::Floor), a.floor()),
                    (Op::FRound(Rounding::Ceil), a.ceil()),
                    (Op::FRound(Rounding::Nearest), a.round_ties_even()),
                    (Op::FRound(Rounding::Zero), a.trunc()),
                    (Op::FNeg, -a),
                ];
                for (op, expected) in values {
                    let bits = apply(op, $sort, $sort, [x, y, z]);
                    let found = <$float>::from_bits(bits as $bits);
                    let same = found.to_bits() == expected.to_bits();
                    assert!(
                        same || found.is_nan() && expected.is_nan(),
                        "{op:?} {a} {b} {c}: {found}"
                    );
                }
                let truths = [(Op::FLt, a < b), (Op::FLe, a <= b), (Op::FEq, a == b)];
                for (op, expected) in truths {
                    assert_eq!(
                        apply(op, Sort::Bool, $sort, [x, y, 0]) == 1,
                        expected,
                        "{op:?} {a} {b}"
                    );
                }
                let int = apply(Op::FloatToSigned, Sort::BitVec(32), $sort, [x, 0, 0]);
                assert_eq!(int as i32, a as i32, "{a}");
                let long = apply(Op::FloatToSigned, Sort::BitVec(64), $sort, [x, 0, 0]);
                assert_eq!(long as i64, a as i64, "{a}");
            }
        }
    };
}

floats!(floats_of_32_bits, f32, u32, Sort::F32);
floats!(floats_of_64_bits, f64, u64, Sort::F64);
