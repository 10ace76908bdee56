//! Terms a million nodes deep are built, copied, evaluated and dropped on an ordinary stack.

use dalang_term::sample::Random;
use dalang_term::{Assignment, Op, Pool, Sort, TermId};

const DEPTH: u32 = 1_000_000;
const INT: Sort = Sort::BitVec(32);

/// Runs on a stack of 2 MiB, whatever the test runner's is.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test);
    thread.expect("a thread starts").join().expect("the test passes on a small stack");
}

/// Builds the chain in both kinds of pool, copies it across and evaluates all three.
fn survives(sort: Sort, grow: fn(&mut Pool, TermId, u32) -> TermId) {
    on_small_stack(move || {
        let chain = |mut pool: Pool| {
            let mut term = pool.symbol("start", sort);
            for step in 0..DEPTH {
                term = grow(&mut pool, term, step);
            }
            (pool, term)
        };
        let (raw, raw_term) = chain(Pool::raw());
        let (pool, term) = chain(Pool::new());
        let mut copy = Pool::new();
        let copied = copy.import(&raw, raw_term);
        let expected = raw.evaluate(raw_term, &Assignment::new());
        assert_eq!(pool.evaluate(term, &Assignment::new()), expected);
        assert_eq!(copy.evaluate(copied, &Assignment::new()), expected);
    });
}

fn numbered(pool: &mut Pool, sort: Sort, step: u32) -> TermId {
    pool.symbol(&format!("s{}", step % 5000), sort)
}

#[test]
fn adds() {
    survives(INT, |pool, term, step| {
        let x = numbered(pool, INT, step);
        let sum = pool.add(x, term);
        let one = pool.int(1);
        if step % 3 == 0 { pool.add(sum, one) } else { sum }
    });
}

#[test]
fn ites() {
    survives(INT, |pool, term, step| {
        let condition = numbered(pool, Sort::Bool, step);
        let x = numbered(pool, INT, step + 7);
        pool.ite(condition, x, term)
    });
}

#[test]
fn ites_of_constants_compared() {
    survives(INT, |pool, term, step| {
        let condition = numbered(pool, Sort::Bool, step);
        let k = pool.int(step as i32 % 3);
        let chain = pool.ite(condition, k, term);
        pool.eq(chain, k);
        pool.slt(chain, k);
        chain
    });
}

#[test]
fn ands() {
    survives(Sort::Bool, |pool, term, step| {
        let x = numbered(pool, Sort::Bool, step);
        pool.and(x, term)
    });
}

#[test]
fn nots() {
    survives(Sort::Bool, |pool, term, step| {
        let x = numbered(pool, Sort::Bool, step);
        let negated = pool.not(term);
        if step % 2 == 0 { pool.eq(x, negated) } else { pool.not(negated) }
    });
}

/// One operator around a term of eight bits, its other operands leaves.
fn wrap(pool: &mut Pool, random: &mut Random, term: TermId) -> TermId {
    const BYTE: Sort = Sort::BitVec(8);
    let leaf = match random.below(3) {
        0 => pool.bitvec(8, random.next() & 3),
        1 => pool.bitvec(8, random.next()),
        _ => pool.symbol(["a", "b", "c"][random.below(3) as usize], BYTE),
    };
    let (left, right) = if random.one_in(2) { (term, leaf) } else { (leaf, term) };
    match random.below(16) {
        0 => pool.add(left, right),
        1 => pool.sub(left, right),
        2 => pool.mul(left, right),
        3 => pool.bv_xor(left, right),
        4 => pool.bv_and(left, right),
        5 => pool.bv_or(left, right),
        6 => pool.neg(term),
        7 => pool.bv_not(term),
        8 => pool.shl(term, leaf),
        9 => pool.lshr(term, leaf),
        10 => pool.ashr(term, leaf),
        11 => {
            let high = pool.extract(term, 0, 0);
            let low = pool.extract(term, 7, 1);
            pool.concat(high, low)
        }
        12 => {
            let low = pool.extract(term, 3, 0);
            pool.sign_extend(low, 8)
        }
        13 => {
            let wide = pool.zero_extend(term, 16);
            pool.extract(wide, 10, 3)
        }
        _ => {
            let condition = condition(pool, random, leaf);
            pool.ite(condition, left, right)
        }
    }
}

fn condition(pool: &mut Pool, random: &mut Random, leaf: TermId) -> TermId {
    let x = pool.symbol("x", Sort::BitVec(8));
    let op = random.pick(&[Op::Eq, Op::Slt, Op::Ult]);
    pool.apply(op, Sort::Bool, &[x, leaf])
}

/// What rules do on top of a deep term: everything that looks below its operands.
fn probe(pool: &mut Pool, random: &mut Random, term: TermId, other: TermId) -> TermId {
    let k = pool.bitvec(8, random.next() & 7);
    let equal = pool.eq(term, k);
    let (below, same) = (pool.slt(term, k), pool.eq(term, other));
    let under = pool.ult(term, other);
    let bit = pool.extract(term, 3, 3);
    let zero = pool.bitvec(1, 0);
    let bit = pool.eq(bit, zero);
    let all = pool.and_all([equal, below, same, under, bit]);
    let chosen = pool.ite(all, term, other);
    let difference = pool.sub(chosen, term);
    pool.eq(difference, k)
}

/// Whatever operators alternate on the way down, no rule may follow them on the stack.
#[test]
fn random_spines() {
    on_small_stack(|| {
        for seed in 0..40 {
            let mut random = Random::new(seed);
            // A spine that repeats a short pattern is one that a rule can run down.
            let period = 1 + random.below(6);
            let patterns: Vec<u64> = (0..period).map(|_| random.next()).collect();
            let mut pool = Pool::new();
            let mut term = pool.symbol("x", Sort::BitVec(8));
            let mut previous = term;
            for step in 0..30_000 {
                let mut choice = Random::new(patterns[step % patterns.len()]);
                (previous, term) = (term, wrap(&mut pool, &mut choice, term));
                if step % 5_000 == 0 {
                    probe(&mut pool, &mut random, term, previous);
                }
            }
            let probed = probe(&mut pool, &mut random, term, previous);
            pool.evaluate(probed, &Assignment::new());
        }
    });
}

/// The condition of nested branches on one variable: dropping what another condition implies goes
/// down all of it without recursion.
#[test]
fn an_implied_ladder_is_dropped_without_recursion() {
    on_small_stack(|| {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let end = pool.symbol("end", Sort::Bool);
        let mut ladder = end;
        for level in 0..200_000 {
            let bound = pool.int(level + 1);
            let below = pool.slt(x, bound);
            let both = pool.and(below, ladder);
            ladder = pool.not(both);
        }
        let bound = pool.int(-5);
        let below = pool.slt(x, bound);
        let whole = pool.and(below, ladder);
        // Every rung holds where `below` does, and an even number of negations is none.
        assert_eq!(whole, pool.and(below, end));
    });
}
