//! Every rewrite rule of the term crate, proved by the bit-blaster and the SAT solver.
//!
//! A rule is applied to nodes of random unrewritten terms; that node and result can differ is then
//! refuted for all values at once. Pools do not rewrite here and no layer but the backend is asked,
//! so a rule cannot vouch for itself.

use dalang_solver::{Answer, Layers, Limits, PathCondition, Query, Solver};
use dalang_term::rewrite::{all_ops, rules};
use dalang_term::sample::{SampleConfig, Sampler};
use dalang_term::{Node, Op, Pool, PostOrder};
use std::collections::BTreeMap;
use std::time::Duration;

const INTEGERS: SampleConfig = SampleConfig {
    widths: &[1, 2, 3, 4],
    floats: false,
    heavy_floats: false,
    references: true,
    symbols_per_sort: 2,
};
const FLOATS: SampleConfig = SampleConfig { floats: true, heavy_floats: true, ..INTEGERS };
const JAVA: SampleConfig = SampleConfig { widths: &[8, 16, 32, 64], ..FLOATS };
const CONFIGS: [SampleConfig; 4] = [INTEGERS, FLOATS, JAVA, INTEGERS];

/// Instances of each rule that are proved.
const PROOFS: u32 = 4;
/// Random terms after which a rule without a proof is a failure.
const MOST_ROUNDS: u64 = 1_500_000;

struct Prover {
    solver: Solver,
    /// Proofs of each rule for each operator that has it in its table.
    proofs: BTreeMap<(&'static str, String), u32>,
}

/// The operator without its parameters.
fn family(op: Op) -> String {
    format!("{op:?}").split('(').next().unwrap_or_default().to_owned()
}

impl Prover {
    fn new() -> Prover {
        let limits = Limits { time: Duration::from_millis(500), ..Limits::default() };
        let names =
            all_ops().flat_map(|op| rules(op).iter().map(move |rule| ((rule.name, family(op)), 0)));
        Prover { solver: Solver::builtin(Layers::NONE, limits), proofs: names.collect() }
    }

    fn open(&self) -> Vec<&(&'static str, String)> {
        let open = self.proofs.iter().filter(|(_, proofs)| **proofs < PROOFS);
        open.map(|(rule, _)| rule).collect()
    }

    fn prove(&mut self, pool: &mut Pool, node: Node) {
        for rule in rules(node.op) {
            let key = (rule.name, family(node.op));
            if self.proofs[&key] >= PROOFS {
                continue;
            }
            let Some(result) = (rule.apply)(pool, node) else { continue };
            let args: Vec<_> = node.args().collect();
            let term = pool.apply(node.op, node.sort, &args);
            let differ = pool.ne(term, result);
            match self.solver.check(pool, &Query::new(pool, &PathCondition::new(), differ)) {
                Answer::Unsat => *self.proofs.entry(key).or_default() += 1,
                // Some float instances are beyond the limit; another instance must do.
                Answer::Unknown(_) => {}
                Answer::Sat(values) => panic!(
                    "{} is wrong: {} is not {} when {}",
                    rule.name,
                    pool.infix(term),
                    pool.infix(result),
                    values.describe(pool)
                ),
            }
        }
    }
}

#[test]
fn every_rule_is_proved() {
    let mut prover = Prover::new();
    for round in 0..MOST_ROUNDS {
        if round % 64 == 0 && prover.open().is_empty() {
            return;
        }
        let config = CONFIGS[round as usize % CONFIGS.len()];
        let mut sampler = Sampler::with_config(round, config);
        let mut pool = Pool::raw();
        let (sort, size) = (sampler.sort(), 1 + sampler.random().below(9) as u32);
        let root = sampler.term(&mut pool, sort, size);
        for term in PostOrder::new(&pool, [root]).collect::<Vec<_>>() {
            let node = pool.node(term);
            if node.op.arity() == 0 {
                continue;
            }
            prover.prove(&mut pool, node);
            if node.op.commutes() {
                let mut args: Vec<_> = node.args().collect();
                args.swap(0, 1);
                prover.prove(&mut pool, Node::new(node.op, node.sort, &args));
            }
        }
    }
    panic!("these rules were not proved {PROOFS} times: {:?}", prover.open());
}
