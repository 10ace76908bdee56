//! Rewritten against unrewritten terms, on random terms over every operator.

use dalang_term::rewrite::{all_ops, rules};
use dalang_term::sample::{SampleConfig, Sampler, assignments, translate};
use dalang_term::{Evaluation, Node, Op, Pool, PostOrder, Sort, TermId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Widths that fit together in many ways: 1 + 1, 1 + 2, 1 + 3, 2 + 2 bits.
const SMALL: SampleConfig = SampleConfig {
    widths: &[1, 2, 3, 4],
    floats: true,
    heavy_floats: true,
    references: true,
    symbols_per_sort: 2,
};

/// Java's widths, which the small ones do not show: casts between floats and bits.
const JAVA: SampleConfig = SampleConfig { widths: &[8, 16, 32, 64], ..SMALL };

/// As [`SMALL`] without floats, for more of what programs are mostly made of.
const INTEGERS: SampleConfig = SampleConfig { floats: false, ..SMALL };

fn show(pool: &Pool, term: TermId) -> String {
    let node = pool.node(term);
    match (pool.bits(term), pool.as_symbol(term)) {
        (Some(bits), _) => format!("{}:{bits:#x}", node.sort),
        (_, Some(symbol)) => pool.symbol_name(symbol).to_owned(),
        _ => {
            let args: Vec<_> = node.args().map(|arg| show(pool, arg)).collect();
            format!("{:?}:{}({})", node.op, node.sort, args.join(", "))
        }
    }
}

/// Fails when the two terms differ under some assignment to the symbols of either.
fn expect_equal(what: &str, first: (&Pool, TermId), second: (&Pool, TermId), salt: u64) {
    for assignment in assignments(first.0, first.1, 128, salt) {
        let translated = translate(&assignment, first.0, second.0);
        let expected = Evaluation::new(assignment.clone()).value(first.0, first.1);
        let found = Evaluation::new(translated).value(second.0, second.1);
        assert_eq!(
            expected,
            found,
            "{what}\nterm:   {}\nresult: {}\nunder {assignment:?}",
            show(first.0, first.1),
            show(second.0, second.1),
        );
    }
}

fn rewritten_terms_mean_the_same(config: SampleConfig, seed: u64, count: u64) {
    let mut sampler = Sampler::with_config(seed, config);
    for round in 0..count {
        let (mut raw, mut pool) = (Pool::raw(), Pool::new());
        let sort = sampler.sort();
        let size = 1 + sampler.random().below(14) as u32;
        let term = sampler.term(&mut raw, sort, size);
        let rewritten = pool.import(&raw, term);
        expect_equal("rewriting changed a term", (&raw, term), (&pool, rewritten), round);
        expect_canonical(&pool, rewritten);
        assert_eq!(pool.import(&raw, term), rewritten, "importing again gives another term");
        let mut fresh = Pool::new();
        let again = fresh.import(&pool, rewritten);
        assert_eq!(
            show(&pool, rewritten),
            show(&fresh, again),
            "rewriting twice differs from once: {}",
            show(&raw, term)
        );
    }
}

/// The points of the canonical form (see `Pool`) that can be read off one node.
fn expect_canonical(pool: &Pool, root: TermId) {
    for term in PostOrder::new(pool, [root]) {
        let node = pool.node(term);
        let constant = |position| pool.bits(node.arg(position)).is_some();
        let op_of = |position| pool.node(node.arg(position)).op;
        let canonical = match node.op {
            Op::Const | Op::Symbol => true,
            _ if node.args().all(|arg| pool.bits(arg).is_some()) => false,
            op if op.commutes() && constant(0) && !constant(1) => false,
            Op::Slt | Op::Ult => !constant(0),
            Op::Not => op_of(0) != Op::Not,
            Op::Ite if node.sort == Sort::Bool && (constant(1) || constant(2)) => false,
            Op::Ite => op_of(0) != Op::Not && node.arg(1) != node.arg(2),
            Op::Eq if constant(1) => !matches!(
                op_of(0),
                Op::Neg | Op::BvNot | Op::ZeroExtend | Op::SignExtend | Op::FNeg | Op::Concat
            ),
            Op::BitsToFloat => op_of(0) != Op::FloatToBits,
            Op::FloatToBits => op_of(0) != Op::BitsToFloat,
            _ => true,
        };
        assert!(canonical, "not canonical: {}", show(pool, term));
    }
}

#[test]
fn small_terms_mean_the_same() {
    rewritten_terms_mean_the_same(SMALL, 1, 12_000);
}

#[test]
fn integer_terms_mean_the_same() {
    rewritten_terms_mean_the_same(INTEGERS, 2, 12_000);
}

#[test]
fn java_terms_mean_the_same() {
    rewritten_terms_mean_the_same(JAVA, 3, 6_000);
}

/// Rules that were seen to fire, each with the operator of the node.
#[derive(Default)]
struct Seen {
    fired: BTreeMap<&'static str, u64>,
}

impl Seen {
    /// Applies every rule for this node, checks each result, and gives the first rule that fired.
    fn check(&mut self, pool: &mut Pool, node: Node, first_only: bool, salt: u64) {
        for rule in rules(node.op) {
            let Some(result) = (rule.apply)(pool, node) else {
                continue;
            };
            let count = self.fired.entry(rule.name).or_default();
            *count += 1;
            if *count <= 250 {
                check_rule(pool, rule.name, node, result, salt);
            }
            if first_only {
                return;
            }
        }
    }

    /// Have all fired, and often enough been tried?
    fn is_complete(&self, round: u64) -> bool {
        round >= LEAST_ROUNDS && self.silent().is_empty()
    }

    fn silent(&self) -> Vec<&'static str> {
        let all: BTreeSet<_> =
            all_ops().flat_map(|op| rules(op).iter().map(|rule| rule.name)).collect();
        all.into_iter().filter(|name| !self.fired.contains_key(name)).collect()
    }
}

/// Compares a rule's result with the node it was given, whose operands are in the pool.
fn check_rule(pool: &Pool, name: &str, node: Node, result: TermId, salt: u64) {
    let mut raw = Pool::raw();
    let args: Vec<_> = node.args().map(|arg| raw.import(pool, arg)).collect();
    let term = raw.apply(node.op, node.sort, &args);
    expect_equal(name, (&raw, term), (pool, result), salt);
}

/// The node with its first two operands in the given order and, if they commute, in the other.
fn orders(pool: &Pool, op: Op, node: Node, args: &[TermId]) -> Vec<Node> {
    let mut orders = vec![Node::new(op, node.sort, args)];
    if op.commutes() && args.iter().any(|&arg| pool.bits(arg).is_none()) {
        let mut swapped = args.to_vec();
        swapped.swap(0, 1);
        orders.push(Node::new(op, node.sort, &swapped));
    }
    orders
}

/// Rounds that are always made, and those after which a rule that has not fired is called dead.
const LEAST_ROUNDS: u64 = 20_000;
const MOST_ROUNDS: u64 = 600_000;

const CONFIGS: [SampleConfig; 4] = [SMALL, JAVA, INTEGERS, INTEGERS];

/// Every rule on its own, on operands that no rule has touched: each must hold of all terms, not
/// only of canonical ones.
#[test]
fn every_rule_holds_of_any_operands() {
    let mut seen = Seen::default();
    for round in 0..MOST_ROUNDS {
        if seen.is_complete(round) {
            return;
        }
        let config = CONFIGS[round as usize % CONFIGS.len()];
        let mut sampler = Sampler::with_config(round, config);
        let mut pool = Pool::raw();
        let (sort, size) = (sampler.sort(), 1 + sampler.random().below(9) as u32);
        let root = sampler.term(&mut pool, sort, size);
        let terms: Vec<_> = PostOrder::new(&pool, [root]).collect();
        for term in terms {
            let node = pool.node(term);
            let args: Vec<_> = node.args().collect();
            if !args.is_empty() {
                for order in orders(&pool, node.op, node, &args) {
                    seen.check(&mut pool, order, false, round);
                }
            }
        }
    }
    panic!("these rules never fired: {:?}", seen.silent());
}

/// Every rule as the pool uses it: on canonical operands, after the rules before it have passed.
#[test]
fn every_rule_is_needed() {
    let mut seen = Seen::default();
    for round in 0..MOST_ROUNDS {
        if seen.is_complete(round) {
            return;
        }
        let config = CONFIGS[round as usize % CONFIGS.len()];
        let mut sampler = Sampler::with_config(round + 1_000_000, config);
        let (mut raw, mut pool) = (Pool::raw(), Pool::new());
        let (sort, size) = (sampler.sort(), 1 + sampler.random().below(11) as u32);
        let root = sampler.term(&mut raw, sort, size);
        let mut copies = HashMap::new();
        let terms: Vec<_> = PostOrder::new(&raw, [root]).collect();
        for term in terms {
            let node = raw.node(term);
            let args: Vec<TermId> = node.args().map(|arg| copies[&arg]).collect();
            let copy = if args.is_empty() {
                pool.import(&raw, term)
            } else {
                let folds = args.iter().all(|&arg| pool.bits(arg).is_some());
                for order in orders(&pool, node.op, node, &args) {
                    // Canonical order puts a constant last.
                    let ordered = !node.op.commutes() || pool.bits(order.arg(0)).is_none();
                    if !folds && ordered {
                        seen.check(&mut pool, order, true, round);
                    }
                }
                pool.apply(node.op, node.sort, &args)
            };
            copies.insert(term, copy);
        }
    }
    panic!("these rules never fired: {:?}", seen.silent());
}
