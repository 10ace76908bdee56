//! Every operator at full width through the SAT backend, against the hardware.
//!
//! Operands are symbols that other conjuncts fix, so that nothing folds before the circuits; the
//! value the hardware gives must be possible, and no other.

use dalang_solver::{Answer, Layers, Limits, PathCondition, Query, Solver};
use dalang_term::rewrite::all_ops;
use dalang_term::sample::{Random, interesting_values};
use dalang_term::{Op, Pool, Sort, TermId, semantics};

const INT: Sort = Sort::BitVec(32);
const LONG: Sort = Sort::BitVec(64);

/// Result and operand sorts at which an operator is tried.
fn signatures(op: Op) -> Vec<(Sort, Vec<Sort>)> {
    let bitvecs = [Sort::BitVec(8), INT, LONG];
    let floats = [Sort::F32, Sort::F64];
    let same = |sorts: &[Sort]| sorts.iter().map(|&sort| (sort, vec![sort; op.arity()])).collect();
    let comparison =
        |sorts: &[Sort]| sorts.iter().map(|&sort| (Sort::Bool, vec![sort; 2])).collect();
    match op {
        Op::Const | Op::Symbol => Vec::new(),
        Op::Eq => comparison(&[Sort::Bool, INT, LONG, Sort::F32, Sort::F64, Sort::Ref]),
        Op::Ite => [Sort::Bool, INT, Sort::F64, Sort::Ref]
            .map(|sort| (sort, vec![Sort::Bool, sort, sort]))
            .to_vec(),
        Op::Not | Op::And => same(&[Sort::Bool]),
        Op::Ult | Op::Slt => comparison(&bitvecs),
        Op::Extract(low) if low <= 24 => vec![(Sort::BitVec(8), vec![INT]), (INT, vec![LONG])],
        Op::Extract(low) => vec![(Sort::BitVec(64 - low), vec![LONG])],
        Op::Concat => vec![
            (LONG, vec![INT, INT]),
            (Sort::BitVec(24), vec![Sort::BitVec(8), Sort::BitVec(16)]),
        ],
        Op::ZeroExtend | Op::SignExtend => vec![(INT, vec![Sort::BitVec(8)]), (LONG, vec![INT])],
        Op::FLt | Op::FLe | Op::FEq => comparison(&floats),
        Op::SignedToFloat => pairs(&floats, &[INT, LONG]),
        Op::FloatToSigned => pairs(&[INT, LONG], &floats),
        Op::FloatToFloat => vec![(Sort::F32, vec![Sort::F64]), (Sort::F64, vec![Sort::F32])],
        Op::BitsToFloat => vec![(Sort::F32, vec![INT]), (Sort::F64, vec![LONG])],
        Op::FloatToBits => vec![(INT, vec![Sort::F32]), (LONG, vec![Sort::F64])],
        Op::FAdd
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FSqrt
        | Op::FFma
        | Op::FNeg
        | Op::FAbs
        | Op::FMin
        | Op::FMax
        | Op::FRound(_) => same(&floats),
        _ => same(&bitvecs),
    }
}

fn pairs(results: &[Sort], operands: &[Sort]) -> Vec<(Sort, Vec<Sort>)> {
    results
        .iter()
        .flat_map(|&result| operands.iter().map(move |&operand| (result, vec![operand])))
        .collect()
}

/// The remainder of doubles is a circuit of 200,000 variables; everything else is small.
fn cases(op: Op, result: Sort) -> u64 {
    match (op, result) {
        (Op::FRem, Sort::F64) => 2,
        (Op::FRem, _) => 6,
        _ => 14,
    }
}

#[test]
fn every_operator_gives_what_the_hardware_gives() {
    let mut random = Random::new(5);
    let mut tried = 0;
    for op in all_ops() {
        let mut pool = Pool::raw();
        let mut solver = Solver::builtin(Layers::NONE, Limits::default());
        let signatures = signatures(op);
        assert!(!signatures.is_empty(), "{op:?} is not tried");
        for (result, operands) in signatures {
            for _ in 0..cases(op, result) {
                let values: Vec<u64> = operands
                    .iter()
                    .map(|&sort| {
                        if random.one_in(4) && sort != Sort::Ref {
                            random.next() & sort.mask()
                        } else {
                            random.pick(&interesting_values(sort))
                        }
                    })
                    .collect();
                expect(&mut pool, &mut solver, op, result, &operands, &values);
                tried += 1;
            }
        }
    }
    assert!(tried > 1_000);
}

fn expect(
    pool: &mut Pool,
    solver: &mut Solver,
    op: Op,
    result: Sort,
    operands: &[Sort],
    values: &[u64],
) {
    let names = ["x", "y", "z"];
    let symbols: Vec<TermId> =
        operands.iter().zip(names).map(|(&sort, name)| pool.symbol(name, sort)).collect();
    let mut path = PathCondition::new();
    for (&symbol, &value) in symbols.iter().zip(values) {
        let constant = pool.constant(pool.sort(symbol), value);
        let fixed = pool.eq(symbol, constant);
        path = path.and(pool, fixed);
    }
    let mut padded = [0; 3];
    padded[..values.len()].copy_from_slice(values);
    let expected = semantics::apply(op, result, operands[operands.len() - 1], padded);
    let term = pool.apply(op, result, &symbols);
    let constant = pool.constant(result, expected);
    let same = pool.eq(term, constant);
    let different = pool.not(same);
    let label = format!("{op:?} {operands:?} {values:x?} = {expected:x}");
    let answer = solver.check(pool, &Query::new(pool, &path, same));
    assert!(matches!(answer, Answer::Sat(_)), "{label}: {answer:?}");
    let answer = solver.check(pool, &Query::new(pool, &path, different));
    assert_eq!(answer, Answer::Unsat, "{label}");
}
