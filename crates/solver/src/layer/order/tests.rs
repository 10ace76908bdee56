//! The order layer against every assignment there is, at small widths.

use super::Order;
use dalang_term::{Assignment, Pool, Sort, TermId};

/// Deterministic numbers: the tests need variety, not quality.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

fn read_all(pool: &Pool, conjuncts: &[TermId]) -> Order {
    let mut order = Order::default();
    for &conjunct in conjuncts {
        order.add(pool, conjunct);
    }
    order
}

/// Does some assignment of the symbols satisfy all conjuncts?
fn satisfiable(pool: &Pool, symbols: &[TermId], conjuncts: &[TermId]) -> bool {
    let widths: Vec<u32> = symbols.iter().map(|&symbol| pool.sort(symbol).width()).collect();
    (0..1_u64 << widths.iter().sum::<u32>()).any(|mut code| {
        let mut assignment = Assignment::new();
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            assignment.set(pool.as_symbol(symbol).unwrap(), code & ((1 << width) - 1));
            code >>= width;
        }
        conjuncts.iter().all(|&conjunct| pool.evaluate(conjunct, &assignment) == 1)
    })
}

fn guess(pool: &Pool, order: &Order) -> Option<Assignment> {
    Some(order.values(pool)?.collect())
}

struct Case {
    pool: Pool,
    symbols: Vec<TermId>,
    conjuncts: Vec<TermId>,
}

/// A random conjunction over three symbols; kinds: 0 signed, 1 unsigned, 2 both.
fn random_case(dice: &mut Dice, width: u8, kinds: u64, with_apart: bool) -> Case {
    let mut pool = Pool::raw();
    let symbols: Vec<TermId> =
        ["x", "y", "z"].into_iter().map(|name| pool.symbol(name, Sort::BitVec(width))).collect();
    let conjuncts = (0..2 + dice.roll(6))
        .map(|_| {
            let a = symbols[dice.roll(3) as usize];
            let b = match dice.roll(5) {
                0 | 1 => pool.bitvec(width, dice.roll(1 << width)),
                _ => symbols[dice.roll(3) as usize],
            };
            let (a, b) = if dice.roll(2) == 0 { (a, b) } else { (b, a) };
            let unsigned = kinds == 1 || kinds == 2 && dice.roll(2) == 0;
            match dice.roll(if with_apart { 4 } else { 3 }) {
                0 if unsigned => pool.ult(a, b),
                0 => pool.slt(a, b),
                1 if unsigned => pool.ule(a, b),
                1 => pool.sle(a, b),
                2 => pool.eq(a, b),
                _ => pool.ne(a, b),
            }
        })
        .collect();
    Case { pool, symbols, conjuncts }
}

#[test]
fn infeasible_means_that_no_assignment_satisfies() {
    let mut dice = Dice(7);
    let (mut infeasible, mut satisfied) = (0, 0);
    for round in 0..6000_u64 {
        let Case { pool, symbols, conjuncts } =
            random_case(&mut dice, 1 + (round % 3) as u8, round / 3 % 3, true);
        let order = read_all(&pool, &conjuncts);
        if order.infeasible() {
            infeasible += 1;
            assert!(!satisfiable(&pool, &symbols, &conjuncts), "round {round}");
        } else if let Some(assignment) = guess(&pool, &order) {
            satisfied +=
                i32::from(conjuncts.iter().all(|&term| pool.evaluate(term, &assignment) == 1));
        }
    }
    assert!(infeasible > 1000 && satisfied > 1000, "{infeasible} {satisfied}");
}

#[test]
fn one_signedness_without_disequalities_is_always_decided() {
    let mut dice = Dice(11);
    for round in 0..3000_u64 {
        let case = random_case(&mut dice, 1 + (round % 3) as u8, round / 3 % 2, false);
        // Raw pools keep comparisons of two constants, which no symbol decides.
        let has_symbol = |&conjunct: &TermId| !case.pool.symbols_of(conjunct).is_empty();
        let conjuncts: Vec<TermId> = case.conjuncts.iter().copied().filter(has_symbol).collect();
        let order = Order::of(&case.pool, &conjuncts);
        let Some(assignment) = guess(&case.pool, &order) else {
            assert!(order.infeasible());
            continue;
        };
        let holds = conjuncts.iter().all(|&term| case.pool.evaluate(term, &assignment) == 1);
        assert!(holds, "round {round}");
    }
}

#[test]
fn disequalities_are_settled_where_there_is_room() {
    let mut pool = Pool::new();
    let symbols: Vec<TermId> =
        (0..20).map(|number| pool.symbol(&format!("r{number}"), Sort::Ref)).collect();
    let mut conjuncts = Vec::new();
    for (index, &a) in symbols.iter().enumerate() {
        conjuncts.push(pool.ne(a, Pool::NULL));
        for &b in &symbols[..index] {
            conjuncts.push(pool.ne(a, b));
        }
    }
    let order = read_all(&pool, &conjuncts);
    let assignment = guess(&pool, &order).expect("twenty references can differ");
    assert!(conjuncts.iter().all(|&term| pool.evaluate(term, &assignment) == 1));
}

#[test]
fn a_full_range_is_infeasible() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("y", Sort::BitVec(32));
    let [three, five] = [3, 5].map(|value| pool.int(value));
    let conjuncts = [pool.slt(three, x), pool.slt(x, y), pool.slt(y, five)];
    assert!(!read_all(&pool, &conjuncts[..2]).infeasible());
    assert!(read_all(&pool, &conjuncts).infeasible());
}

#[test]
fn extremes_of_long_do_not_overflow() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::BitVec(64));
    let y = pool.symbol("y", Sort::BitVec(64));
    let [least, greatest] = [i64::MIN, i64::MAX].map(|value| pool.long(value));
    let at_top = pool.sle(greatest, x);
    let beyond = pool.slt(x, y);
    let at_bottom = pool.sle(y, least);
    assert!(!read_all(&pool, &[at_top, at_bottom]).infeasible());
    assert!(read_all(&pool, &[at_top, beyond]).infeasible());
}

/// What is implied holds under every assignment that satisfies the conjuncts.
#[test]
fn implications_are_those_of_all_assignments() {
    let mut dice = Dice(0x1357_9bdf_2468_ace1);
    let (mut seen, mut open) = (0, 0);
    for round in 0..3_000 {
        let kinds = [0, 1, 2][round % 3];
        let mut case = random_case(&mut dice, 3, kinds, round % 2 == 0);
        let Some(asked) = case.conjuncts.pop() else { continue };
        if !satisfiable(&case.pool, &case.symbols, &case.conjuncts) {
            continue;
        }
        let order = read_all(&case.pool, &case.conjuncts);
        let negated = case.pool.not(asked);
        let with = |term| {
            let mut all = case.conjuncts.clone();
            all.push(term);
            satisfiable(&case.pool, &case.symbols, &all)
        };
        let (may_hold, may_fail) = (with(asked), with(negated));
        match order.implied(&case.pool, asked) {
            Some(holds) => {
                assert_eq!((may_hold, may_fail), (holds, !holds));
                seen += 1;
            }
            None => open += 1,
        }
    }
    assert!(seen > 200 && open > 200, "{seen} seen, {open} open");
}
