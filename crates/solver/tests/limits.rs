//! Limits end queries, and nothing that ends one spoils the next.

#[path = "support/z3.rs"]
mod z3;

use dalang_solver::{Answer, Layers, Limits, PathCondition, Query, Reason, Solver};
use dalang_term::{Pool, Sort, TermId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A product of two large primes to factor: far beyond any test's patience.
fn hard(pool: &mut Pool) -> TermId {
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(64)));
    let product = pool.mul(x, y);
    let target = pool.long(2_654_435_761_i64 * 3_266_489_917);
    let one = pool.long(1);
    let limit = pool.long(1 << 32);
    let parts = [pool.eq(product, target), pool.ult(one, x), pool.ult(x, y), pool.ult(y, limit)];
    pool.and_all(parts)
}

fn easy(pool: &mut Pool) -> TermId {
    let [x, y] = ["p", "q"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let sum = pool.add(x, y);
    let product = pool.mul(x, y);
    pool.eq(sum, product)
}

#[test]
fn time_runs_out_and_the_next_query_is_answered() {
    let mut pool = Pool::new();
    let limits = Limits { time: Duration::from_millis(200), ..Limits::default() };
    let mut solver = Solver::builtin(Layers::ALL, limits);
    let question = hard(&mut pool);
    let start = Instant::now();
    let answer = solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question));
    assert_eq!(answer, Answer::Unknown(Reason::Time));
    // Not a measurement: a hang would take hours.
    assert!(start.elapsed() < Duration::from_mins(1));
    let question = easy(&mut pool);
    assert!(solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question)).is_sat());
}

#[test]
fn a_query_that_nobody_waits_for_ends_and_the_next_is_answered() {
    let mut pool = Pool::new();
    let stop = Arc::new(AtomicBool::new(true));
    let limits = Limits { time: Duration::MAX, stop: Some(Arc::clone(&stop)), ..Limits::default() };
    let mut solver = Solver::builtin(Layers::ALL, limits);
    let question = hard(&mut pool);
    let answer = solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question));
    assert_eq!(answer, Answer::Unknown(Reason::Stopped));
    stop.store(false, Ordering::Release);
    let question = easy(&mut pool);
    assert!(solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question)).is_sat());
}

#[test]
fn memory_runs_out_and_the_next_query_is_answered() {
    let mut pool = Pool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::F64));
    let remainder = pool.frem(a, b);
    let question = pool.flt(remainder, c);
    let mut solver = Solver::builtin(Layers::ALL, Limits { memory: 10 << 20, ..Limits::default() });
    let answer = solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question));
    assert_eq!(answer, Answer::Unknown(Reason::Memory));
    solver.set_limits(Limits::default());
    let question = easy(&mut pool);
    assert!(solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question)).is_sat());
}

/// What earlier queries left in the solver does not count against a later one.
#[test]
fn a_full_solver_makes_room() {
    let mut pool = Pool::new();
    let half = pool.f64(0.5);
    // Room for the circuit of one remainder of doubles, with some to spare, but not of two.
    let mut solver =
        Solver::builtin(Layers::NONE, Limits { memory: 150 << 20, ..Limits::default() });
    for number in 0..3 {
        let [x, y] = ["x", "y"].map(|name| pool.symbol(&format!("{name}{number}"), Sort::F64));
        let remainder = pool.frem(x, y);
        let question = pool.feq(remainder, half);
        let answer = solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question));
        assert!(answer.is_sat(), "{number}: {answer:?}");
    }
}

/// A slice that is too hard does not hide that another one contradicts itself.
#[test]
fn an_unsatisfiable_slice_decides_beside_an_unknown_one() {
    let mut pool = Pool::new();
    let limits = Limits { time: Duration::from_millis(100), ..Limits::default() };
    let mut solver = Solver::builtin(Layers::ALL, limits);
    let question = hard(&mut pool);
    let path = PathCondition::new().and(&pool, question);
    let p = pool.symbol("flag", Sort::Bool);
    let not_p = pool.not(p);
    let path = path.and(&pool, p).and(&pool, not_p);
    let answer = solver.check(&pool, &Query::new(&pool, &path, Pool::TRUE));
    assert_eq!(answer, Answer::Unsat);
}

/// Deep terms are solved without recursion: a million nodes on a small stack.
#[test]
fn a_million_nodes_do_not_overflow_the_stack() {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(2));
        let mut term = x;
        for number in 0..1_000_000_u32 {
            let choice = pool.symbol(&format!("c{}", number % 1000), Sort::Bool);
            let step = pool.mul(term, x);
            term = pool.ite(choice, step, term);
        }
        let two = pool.bitvec(2, 2);
        let question = pool.eq(term, two);
        let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
        let mut solver = Solver::builtin(Layers::ALL, limits);
        let answer = solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question));
        assert!(!answer.is_unsat(), "two to some power is two or zero: {answer:?}");
    });
    worker.unwrap().join().unwrap();
}

/// The same solver may be asked about terms of another pool, whose ids mean other terms.
#[test]
fn another_pool_is_noticed() {
    let z3 = z3::find();
    let process = Solver::process(&z3, Layers::NONE, Limits::default()).unwrap();
    for mut solver in [Solver::default(), process] {
        ask_two_pools(&mut solver);
    }
}

fn ask_two_pools(solver: &mut Solver) {
    for round in 0..2 {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(8)));
        let sum = pool.mul(x, y);
        let constant = pool.bitvec(8, 12);
        let question = if round == 0 {
            let below = pool.ult(sum, constant);
            let above = pool.ult(constant, sum);
            pool.and(below, above)
        } else {
            let below = pool.ult(sum, constant);
            let odd = pool.ult(x, sum);
            pool.and(below, odd)
        };
        let answer = solver.check(&pool, &Query::new(&pool, &PathCondition::new(), question));
        assert_eq!(answer.is_sat(), round == 1);
    }
}
