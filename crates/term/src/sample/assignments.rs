//! Assignments worth trying for a term: all of them where they are few.

use super::{Random, interesting_values};
use crate::{Assignment, Pool, PostOrder, SymbolId, TermId};

/// Assignments to the symbols of a term: every combination of [`interesting_values`] when there are
/// at most `limit`, else `limit` of them drawn by the seed.
pub fn assignments(pool: &Pool, term: TermId, limit: usize, seed: u64) -> Vec<Assignment> {
    let symbols = PostOrder::new(pool, [term]).filter_map(|id| pool.as_symbol(id));
    let domains: Vec<(SymbolId, Vec<u64>)> =
        symbols.map(|symbol| (symbol, interesting_values(pool.symbol_sort(symbol)))).collect();
    let combinations =
        domains.iter().try_fold(1_usize, |product, (_, values)| product.checked_mul(values.len()));
    match combinations {
        Some(count) if count <= limit => {
            (0..count).map(|number| combination(&domains, number)).collect()
        }
        _ => {
            let mut random = Random::new(seed);
            (0..limit).map(|_| drawn(&domains, &mut random)).collect()
        }
    }
}

/// The combination with this number, in a mixed-radix count.
fn combination(domains: &[(SymbolId, Vec<u64>)], mut number: usize) -> Assignment {
    let mut assignment = Assignment::new();
    for (symbol, values) in domains {
        assignment.set(*symbol, values[number % values.len()]);
        number /= values.len();
    }
    assignment
}

fn drawn(domains: &[(SymbolId, Vec<u64>)], random: &mut Random) -> Assignment {
    domains.iter().map(|(symbol, values)| (*symbol, random.pick(values))).collect()
}

/// The assignment for another pool that gives symbols of the same name and sort the same values.
///
/// Symbols that the other pool does not have are left out.
pub fn translate(assignment: &Assignment, from: &Pool, to: &Pool) -> Assignment {
    let key = |pool: &Pool, symbol| (pool.symbol_name(symbol).to_owned(), pool.symbol_sort(symbol));
    let known: std::collections::HashMap<_, _> =
        assignment.iter().map(|(symbol, bits)| (key(from, symbol), bits)).collect();
    let symbols = (0..to.symbol_count() as u32).map(SymbolId::from_index);
    symbols.filter_map(|symbol| Some((symbol, *known.get(&key(to, symbol))?))).collect()
}
