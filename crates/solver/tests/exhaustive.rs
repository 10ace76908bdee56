//! Answers against all assignments there are, at small widths, for every choice of layers.

use dalang_solver::{Answer, Label, LayerName, Layers, Limits, PathCondition, Query, Solver};
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

/// The symbols of terms, each once.
fn symbols(pool: &Pool, terms: &[TermId]) -> Vec<SymbolId> {
    let mut symbols: Vec<SymbolId> =
        terms.iter().flat_map(|&term| pool.symbols_of(term).to_vec()).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

/// All assignments to the symbols, or none when they are too many to try.
fn every_assignment(pool: &Pool, symbols: &[SymbolId]) -> Option<Vec<Assignment>> {
    let mut all = vec![Assignment::new()];
    for &symbol in symbols {
        let domain = domain(pool.symbol_sort(symbol));
        if all.len() * domain.len() > 8_192 {
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
        Layers { inequalities: true, ..none },
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
            if let Some(every) = every_assignment(&pool, &symbols(&pool, &conjuncts)) {
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

/// A condition of the kind that reads through aliases give: comparisons of references and of small
/// numbers, the numbers behind ites over the references, under and, or, not and ite.
fn aliased(pool: &mut Pool, sampler: &mut Sampler, size: u32) -> TermId {
    if size == 0 {
        let [a, b] = [0, 0].map(|_| sampler.random().below(3));
        let reference = |pool: &mut Pool, number| match number {
            0 => Pool::NULL,
            _ => pool.symbol(&format!("r{number}"), Sort::Ref),
        };
        let (x, y) = (reference(pool, a), reference(pool, b));
        let same = pool.eq(x, y);
        if sampler.random().below(2) == 0 {
            return same;
        }
        let number = |pool: &mut Pool, number| pool.symbol(&format!("n{number}"), Sort::BitVec(2));
        let (x, y, z) = (number(pool, a), number(pool, b), number(pool, (a + 1) % 3));
        let either = pool.ite(same, x, z);
        return match sampler.random().below(3) {
            0 => pool.slt(either, y),
            1 => pool.eq(either, y),
            _ => pool.slt(x, z),
        };
    }
    let [a, b, c] = [0; 3].map(|_| aliased(pool, sampler, size - 1));
    match sampler.random().below(4) {
        0 => pool.and(a, b),
        1 => pool.or(a, b),
        2 => pool.ite(a, b, c),
        _ => pool.not(a),
    }
}

#[test]
fn choices_between_comparisons_are_decided_as_all_assignments_say() {
    let layers = Layers { guide: true, ..Layers::NONE };
    let mut solver = Solver::builtin(layers, Limits::default());
    let mut compared = 0;
    for round in 0..400 {
        let mut pool = Pool::new();
        let mut sampler = Sampler::with_config(round, SMALL);
        let conjuncts: Vec<TermId> = (0..5).map(|_| aliased(&mut pool, &mut sampler, 2)).collect();
        if let Some(every) = every_assignment(&pool, &symbols(&pool, &conjuncts)) {
            compare(&pool, &mut solver, &conjuncts, &every);
            compared += 1;
        }
    }
    let statistics = solver.statistics();
    assert!(compared > 300, "only {compared} formulas were small enough");
    assert!(statistics.unsat > 50, "{statistics:?}");
    // What it leaves to the backend are disequalities of numbers with no room between them.
    let guided = statistics.decided_by(LayerName::Guide);
    assert!(guided * 10 > statistics.queries * 8, "{statistics:?}");
}

/// Grows a path of which every third conjunct is only assumed, and compares with all assignments what is
/// said with that and without. How often the two differed.
fn compare_assuming(
    pool: &Pool,
    solver: &mut Solver,
    conjuncts: &[TermId],
    every: &[Assignment],
) -> u32 {
    let can = |terms: &[TermId]| every.iter().any(|values| holds(pool, terms, values));
    let (mut path, mut held, mut assumed) = (PathCondition::new(), Vec::new(), Vec::new());
    let mut beyond = 0;
    for (index, &conjunct) in conjuncts.iter().enumerate() {
        if index % 3 == 1 {
            path.add(pool, conjunct, Label::Assumed);
            assumed.push(conjunct);
            continue;
        }
        if let Some(implied) = path.implies(pool, conjunct) {
            let mut known = every.iter().filter(|values| holds(pool, &held, values));
            assert!(known.all(|values| holds(pool, &[conjunct], values) == implied));
        }
        let query = Query::new(pool, &path, conjunct);
        held.push(conjunct);
        let all = [held.as_slice(), &assumed].concat();
        match solver.check(pool, &query) {
            Answer::Sat(values) => {
                assert!(holds(pool, &all, &values));
                path = query.into_path();
                continue;
            }
            Answer::Unsat => assert!(!can(&all)),
            Answer::Unknown(reason) => panic!("{reason}"),
        }
        let without = query.without_assumptions(pool);
        let answer = without.as_ref().map(|query| solver.check(pool, query));
        match (answer, without) {
            (Some(Answer::Sat(values)), Some(query)) => {
                assert!(holds(pool, &held, &values));
                beyond += 1;
                path = query.into_path();
            }
            (Some(Answer::Unknown(reason)), _) => panic!("{reason}"),
            _ => {
                assert!(!can(&held), "only what is assumed excludes it");
                held.pop();
            }
        }
    }
    beyond
}

#[test]
fn what_is_assumed_can_be_left_out_and_is_not_known() {
    let mut beyond = 0;
    for choice in choices() {
        let mut solver = Solver::builtin(choice, Limits::default());
        for round in 0..120 {
            let mut pool = Pool::new();
            let mut sampler = Sampler::with_config(round, SMALL);
            let conjuncts: Vec<TermId> =
                (0..9).map(|_| aliased(&mut pool, &mut sampler, round as u32 % 2)).collect();
            if let Some(every) = every_assignment(&pool, &symbols(&pool, &conjuncts)) {
                beyond += compare_assuming(&pool, &mut solver, &conjuncts, &every);
            }
        }
        assert_eq!(solver.statistics().refuted, 0);
    }
    assert!(beyond > 500, "only {beyond} conditions were excluded by what was assumed alone");
}
