//! Laws of size that the layer shows to hold, and wrong ones that it does not.

use crate::{Answer, LayerName, Layers, Limits, PathCondition, Query, Solver};
use dalang_term::sample::Random;
use dalang_term::{Assignment, Pool, Sort, TermId};

/// Conditions, and a statement that follows from them.
type Law = fn(&mut Pool, TermId, TermId) -> (Vec<TermId>, TermId);

fn within(pool: &mut Pool, term: TermId, low: i32, high: i32) -> Vec<TermId> {
    let (low, high) = (pool.int(low), pool.int(high));
    vec![pool.sle(low, term), pool.sle(term, high)]
}

const LAWS: [(&str, Law); 11] = [
    ("a * b / b == a", |pool, a, b| {
        let mut conditions = within(pool, a, -30_000, 30_000);
        conditions.extend(within(pool, b, -30_000, 30_000));
        let zero = pool.int(0);
        conditions.push(pool.ne(b, zero));
        let product = pool.mul(a, b);
        let quotient = pool.sdiv(product, b);
        (conditions, pool.eq(quotient, a))
    }),
    ("a * b % b == 0", |pool, a, b| {
        let mut conditions = within(pool, a, -30_000, 30_000);
        conditions.extend(within(pool, b, -30_000, 30_000));
        let zero = pool.int(0);
        conditions.push(pool.ne(b, zero));
        let product = pool.mul(a, b);
        let remainder = pool.srem(product, b);
        (conditions, pool.eq(remainder, zero))
    }),
    ("a * 3435973837 >>> 35 == a / 10", |pool, a, _| {
        let wide = pool.sign_extend(a, 64);
        let (magic, distance) = (pool.long(0xCCCC_CCCD), pool.long(35));
        let product = pool.mul(wide, magic);
        let shifted = pool.lshr(product, distance);
        let quotient = pool.extract(shifted, 31, 0);
        let ten = pool.int(10);
        let expected = pool.sdiv(a, ten);
        (within(pool, a, 0, i32::MAX), pool.eq(quotient, expected))
    }),
    ("(a + b - 1) / b == a / b + 1 unless a % b == 0", |pool, a, b| {
        let mut conditions = within(pool, a, 0, 1_000_000);
        conditions.extend(within(pool, b, 1, 1_000_000));
        let (zero, one) = (pool.int(0), pool.int(1));
        let remainder = pool.srem(a, b);
        conditions.push(pool.ne(remainder, zero));
        let sum = pool.add(a, b);
        let sum = pool.sub(sum, one);
        let (up, down) = (pool.sdiv(sum, b), pool.sdiv(a, b));
        let next = pool.add(down, one);
        (conditions, pool.eq(up, next))
    }),
    ("(a + b - 1) / b == a / b if a % b == 0", |pool, a, b| {
        let mut conditions = within(pool, a, 0, 1_000_000);
        conditions.extend(within(pool, b, 1, 1_000_000));
        let (zero, one) = (pool.int(0), pool.int(1));
        let remainder = pool.srem(a, b);
        conditions.push(pool.eq(remainder, zero));
        let sum = pool.add(a, b);
        let sum = pool.sub(sum, one);
        let (up, down) = (pool.sdiv(sum, b), pool.sdiv(a, b));
        (conditions, pool.eq(up, down))
    }),
    ("a * b > 0 if a <= MAX / b", |pool, a, b| {
        let mut conditions = within(pool, a, 1, i32::MAX);
        conditions.extend(within(pool, b, 1, i32::MAX));
        let (zero, greatest) = (pool.int(0), pool.int(i32::MAX));
        let most = pool.sdiv(greatest, b);
        conditions.push(pool.sle(a, most));
        let product = pool.mul(a, b);
        (conditions, pool.slt(zero, product))
    }),
    ("a * 100 / b <= 100 if a <= b", |pool, a, b| {
        let mut conditions = within(pool, b, 1, 20_000_000);
        let zero = pool.int(0);
        conditions.extend([pool.sle(zero, a), pool.sle(a, b)]);
        let hundred = pool.int(100);
        let product = pool.mul(a, hundred);
        let share = pool.sdiv(product, b);
        (conditions, pool.sle(share, hundred))
    }),
    ("a * a >= 0", |pool, a, _| {
        let zero = pool.int(0);
        let square = pool.mul(a, a);
        (within(pool, a, -46_340, 46_340), pool.sle(zero, square))
    }),
    ("a / b <= a / 2 if b >= 2", |pool, a, b| {
        let mut conditions = within(pool, a, 0, i32::MAX);
        conditions.extend(within(pool, b, 2, i32::MAX));
        let two = pool.int(2);
        let (quotient, half) = (pool.sdiv(a, b), pool.sdiv(a, two));
        (conditions, pool.sle(quotient, half))
    }),
    ("(a + b - 1) / b == a / b + 1 unless a % b == 0, for large numbers", |pool, _, _| {
        let [a, b] = ["c", "d"].map(|name| pool.symbol(name, Sort::BitVec(64)));
        let [zero, one, large] = [0, 1, 1 << 60].map(|value| pool.long(value));
        let mut conditions = vec![pool.sle(zero, a), pool.slt(a, large)];
        conditions.extend([pool.slt(zero, b), pool.slt(b, large)]);
        let remainder = pool.srem(a, b);
        conditions.push(pool.ne(remainder, zero));
        let sum = pool.add(a, b);
        let sum = pool.sub(sum, one);
        let (up, down) = (pool.sdiv(sum, b), pool.sdiv(a, b));
        let next = pool.add(down, one);
        (conditions, pool.eq(up, next))
    }),
    ("a * (b - 3) / b <= a", |pool, a, b| {
        let mut conditions = within(pool, a, 0, 1_000_000);
        conditions.extend(within(pool, b, 4, 1_000));
        let three = pool.int(3);
        let less = pool.sub(b, three);
        let product = pool.mul(a, less);
        let share = pool.sdiv(product, b);
        (conditions, pool.sle(share, a))
    }),
];

/// Asks for the conditions and the opposite of the statement.
fn refuted(pool: &mut Pool, conditions: &[TermId], statement: TermId) -> (Answer, u64) {
    let mut path = PathCondition::new();
    for &condition in conditions {
        path = Query::new(pool, &path, condition).into_path();
    }
    let fails = pool.not(statement);
    let layers = Layers { inequalities: true, ..Layers::NONE };
    let mut solver = Solver::builtin(layers, Limits::default());
    let answer = solver.check(pool, &Query::new(pool, &path, fails));
    (answer, solver.statistics().decided_by(LayerName::Inequalities))
}

#[test]
fn laws_of_size_need_no_sat() {
    for (name, law) in LAWS {
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (conditions, statement) = law(&mut pool, a, b);
        let (answer, decided) = refuted(&mut pool, &conditions, statement);
        assert!(matches!(answer, Answer::Unsat), "{name}");
        assert_eq!(decided, 1, "{name}");
    }
}

/// One number more, and the product wraps around.
#[test]
fn what_wraps_around_is_left_to_the_backend() {
    let mut pool = Pool::new();
    let a = pool.symbol("a", Sort::BitVec(32));
    let zero = pool.int(0);
    let square = pool.mul(a, a);
    let statement = pool.sle(zero, square);
    let conditions = within(&mut pool, a, -46_341, 46_341);
    let (answer, decided) = refuted(&mut pool, &conditions, statement);
    assert!(matches!(answer, Answer::Sat(_)));
    assert_eq!(decided, 0);
}

/// A random number of four bits, made of two unknowns.
fn number(pool: &mut Pool, random: &mut Random, size: u64) -> TermId {
    if size == 0 || random.below(5) == 0 {
        return match random.below(3) {
            0 => pool.symbol("a", Sort::BitVec(4)),
            1 => pool.symbol("b", Sort::BitVec(4)),
            _ => pool.bitvec(4, random.below(16)),
        };
    }
    let a = number(pool, random, size - 1);
    let distance = pool.bitvec(4, random.below(5));
    match random.below(18) {
        0 => pool.neg(a),
        1 => pool.bv_not(a),
        2 => pool.shl(a, distance),
        3 => pool.lshr(a, distance),
        4 => pool.ashr(a, distance),
        5 => {
            let wide = pool.zero_extend(a, 6);
            pool.extract(wide, 4, 1)
        }
        6 => {
            let wide = pool.sign_extend(a, 7);
            let shifted = pool.mul(wide, wide);
            pool.extract(shifted, 5, 2)
        }
        7 => {
            let mask = pool.bitvec(4, (1 << random.below(4)) - 1);
            pool.bv_and(a, mask)
        }
        kind => {
            let b = number(pool, random, size - 1);
            match kind {
                8 | 9 => pool.add(a, b),
                10 => pool.sub(a, b),
                11 | 12 => pool.mul(a, b),
                13 => pool.sdiv(a, b),
                14 => pool.srem(a, b),
                15 => pool.udiv(a, b),
                16 => pool.urem(a, b),
                _ => {
                    let below = pool.slt(b, a);
                    pool.ite(below, a, b)
                }
            }
        }
    }
}

/// Whatever the layer says of random conditions holds for all values there are.
#[test]
fn contradictions_are_contradictions() {
    let layers = Layers { inequalities: true, ..Layers::NONE };
    let mut solver = Solver::builtin(layers, Limits::default());
    for seed in 0..6_000 {
        let mut random = Random::new(seed);
        let mut pool = if seed % 2 == 0 { Pool::new() } else { Pool::raw() };
        let mut path = PathCondition::new();
        for _ in 0..2 + random.below(3) {
            let size = random.below(4);
            let (a, b) = (number(&mut pool, &mut random, size), number(&mut pool, &mut random, 2));
            let condition = match random.below(5) {
                0 => pool.eq(a, b),
                1 => pool.ne(a, b),
                2 => pool.ult(a, b),
                3 => pool.slt(a, b),
                _ => pool.sle(a, b),
            };
            let query = Query::new(&pool, &path, condition);
            let before = solver.statistics().decided_by(LayerName::Inequalities);
            let answer = solver.check(&pool, &query);
            path = query.into_path();
            if solver.statistics().decided_by(LayerName::Inequalities) == before {
                continue;
            }
            assert!(matches!(answer, Answer::Unsat));
            let symbols = ["a", "b"].map(|name| pool.symbol(name, Sort::BitVec(4)));
            let [one, other] = symbols.map(|symbol| pool.as_symbol(symbol).unwrap());
            for bits in 0..256 {
                let mut assignment = Assignment::new();
                assignment.set(one, bits % 16);
                assignment.set(other, bits / 16);
                let mut conjuncts = path.conjuncts().into_iter();
                assert!(
                    conjuncts.any(|conjunct| pool.evaluate(conjunct, &assignment) == 0),
                    "seed {seed}: holds when a, b are {}, {}",
                    bits % 16,
                    bits / 16
                );
            }
            break;
        }
    }
    let statistics = solver.statistics();
    let decided = statistics.decided_by(LayerName::Inequalities);
    assert!(decided > 300, "{statistics:?}");
}
