//! scratch
use dalang_solver::*;
use dalang_term::*;
use std::time::Instant;
fn dfs(
    pool: &mut Pool,
    s: &mut Solver,
    path: &PathCondition,
    pairs: &[(TermId, TermId)],
    q: &mut u64,
) -> u64 {
    let Some(&(a, b)) = pairs.first() else { return 1 };
    let mut n = 0;
    for k in 0..3 {
        let t = match k {
            0 => pool.slt(a, b),
            1 => pool.slt(b, a),
            _ => pool.eq(a, b),
        };
        *q += 1;
        let query = Query::new(pool, path, t);
        match s.check(pool, &query) {
            Answer::Sat(_) => n += dfs(pool, s, &query.into_path(), &pairs[1..], q),
            Answer::Unsat => {}
            Answer::Unknown(r) => panic!("{r}"),
        }
    }
    n
}
fn main() {
    for (name, layers) in [("chain", Layers::ALL), ("sat", Layers::NONE)] {
        let mut pool = Pool::new();
        let xs: Vec<_> = (0..6).map(|i| pool.symbol(&format!("x{i}"), Sort::BitVec(32))).collect();
        let mut pairs = vec![];
        for i in 0..6 {
            for j in i + 1..6 {
                pairs.push((xs[i], xs[j]));
            }
        }
        let mut s = Solver::builtin(layers, Limits::default());
        let mut q = 0;
        let t = Instant::now();
        let n = dfs(&mut pool, &mut s, &PathCondition::new(), &pairs, &mut q);
        println!(
            "{name} q={q} leaves={n} us/q={:.2} {:?}",
            t.elapsed().as_secs_f64() * 1e6 / q as f64,
            s.statistics()
        );
    }
}
