//! Answers against all assignments there are, at small widths, for every choice of layers.

use dalang_solver::{Answer, LayerName, Layers, Limits, PathCondition, Query, Solver};
use dalang_term::sample::{SampleConfig, Sampler};
use dalang_term::{Assignment, Pool, Sort, SymbolId, TermId};

const SMALL: SampleConfig = SampleConfig {
    widths: &[1, 2, 3],
    floats: false,
    heavy_floats: false,
    references: true,
    symbols_per_sort: 2,
};

/// The values a symbol can be told apart by: all of them, and for references more identities than a
/// formula has symbols beside those that constants name.
fn domain(sort: Sort) -> Vec<u64> {
    match sort {
        Sort::Ref => (0..10).collect(),
        _ => (0..=sort.mask()).collect(),
    }
}

/// All assignments to the symbols, or none when they are too many to try.
fn every_assignment(pool: &Pool, symbols: &[SymbolId]) -> Option<Vec<Assignment>> {
    let mut all = vec![Assignment::new()];
    for &symbol in symbols {
        let domain = domain(pool.symbol_sort(symbol));
        if all.len() * domain.len() > 4_096 {
            return None;
        }
        let extend = |assignment: &Assignment| {
            domain
                .iter()
                .map(|&value| {
                    let mut longer = assignment.clone();
                    longer.set(symbol, value);
                    longer
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    Some(all)
}

fn holds(pool: &Pool, conjuncts: &[TermId], assignment: &Assignment) -> bool {
    conjuncts.iter().all(|&conjunct| pool.evaluate(conjunct, assignment) == 1)
}

/// Every layer, no layer, and each layer alone on top of the backend.
fn choices() -> Vec<Layers> {
    let none = Layers::NONE;
    vec![
        Layers::ALL,
        none,
        Layers { constant: true, ..none },
        Layers { reuse: true, ..none },
        Layers { slice: true, ..none },
        Layers { order: true, ..none },
        Layers { cores: true, ..none },
        Layers { guide: true, ..none },
        Layers { order: false, ..Layers::ALL },
    ]
}

/// Asks for each conjunct in turn, as a path grows, and compares with all assignments.
fn compare(pool: &Pool, solver: &mut Solver, conjuncts: &[TermId], every: &[Assignment]) {
    let mut path = PathCondition::new();
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        let so_far = &conjuncts[..=index];
        let expected = every.iter().any(|assignment| holds(pool, so_far, assignment));
        let query = Query::new(pool, &path, conjunct);
        match solver.check(pool, &query) {
            Answer::Sat(assignment) => {
                assert!(holds(pool, so_far, &assignment), "{}", assignment.describe(pool));
                let terms: Vec<String> =
                    so_far.iter().map(|&term| pool.infix(term).to_string()).collect();
                assert!(expected, "{terms:?} under {}", assignment.describe(pool));
                path = query.into_path();
            }
            Answer::Unsat => {
                assert!(!expected, "{}", pool.infix(conjunct));
                return;
            }
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
}

#[test]
fn answers_agree_with_all_assignments() {
    let mut compared = 0;
    for choice in choices() {
        let mut solver = Solver::builtin(choice, Limits::default());
        let mut pool = Pool::new();
        for round in 0..400 {
            if round % 100 == 0 {
                pool = if round % 200 == 0 { Pool::new() } else { Pool::raw() };
            }
            let mut sampler = Sampler::with_config(round, SMALL);
            let count = 1 + sampler.random().below(6);
            let size = 2 + sampler.random().below(8) as u32;
            let conjuncts: Vec<TermId> =
                (0..count).map(|_| sampler.term(&mut pool, Sort::Bool, size)).collect();
            let mut symbols: Vec<SymbolId> =
                conjuncts.iter().flat_map(|&term| pool.symbols_of(term).to_vec()).collect();
            symbols.sort_unstable();
            symbols.dedup();
            if let Some(every) = every_assignment(&pool, &symbols) {
                compare(&pool, &mut solver, &conjuncts, &every);
                compared += 1;
            }
        }
        assert_eq!(solver.statistics().refuted, 0);
    }
    assert!(compared > 1_500, "only {compared} formulas were small enough");
}

#[test]
fn every_layer_decides_something() {
    let mut solver = Solver::default();
    let mut pool = Pool::new();
    for round in 0..1_500 {
        let mut sampler = Sampler::with_config(round, SMALL);
        let mut path = PathCondition::new();
        for _ in 0..6 {
            let conjunct = sampler.term(&mut pool, Sort::Bool, 7);
            let query = Query::new(&pool, &path, conjunct);
            if solver.check(&pool, &query).is_sat() {
                path = query.into_path();
            }
        }
    }
    let statistics = solver.statistics();
    for layer in LayerName::ALL {
        assert!(statistics.decided_by(layer) > 0, "{} was idle: {statistics:?}", layer.name());
    }
    assert_eq!(statistics.queries, statistics.sat + statistics.unsat + statistics.unknown);
}
