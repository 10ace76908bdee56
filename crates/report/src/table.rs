//! The same methods under several policies, side by side.

use crate::palette::{self, PLACE, paint};
use crate::run::Run;
use crate::signature::method_spelling;
use crate::words;
use dalang_classes::one_line;
use dalang_explore::Exploration;
use std::collections::BTreeSet;

const HEADS: [&str; 9] =
    ["policy", "verdict", "paths", "forks", "queries", "solver ms", "time ms", "MiB", "branches"];
const VERDICT: usize = 1;

/// One table for each method, one row for each policy.
pub fn compare(runs: &[Run]) -> String {
    let Some(first) = runs.first() else { return String::new() };
    let rows: Vec<Vec<(&Exploration, [String; 9])>> = (0..first.methods.len())
        .map(|index| runs.iter().filter_map(|run| row(run, index)).collect())
        .collect();
    let widths = widths(rows.iter().flatten().map(|(_, cells)| cells));
    let mut text = line(&HEADS.map(str::to_owned), &widths, None);
    for (rows, method) in rows.iter().zip(&first.methods) {
        text.push_str(&format!("{}\n", paint(PLACE, method_spelling(&method.method))));
        for (exploration, cells) in rows {
            text.push_str(&line(cells, &widths, Some(exploration)));
        }
    }
    text.push_str(&assumed(runs));
    if let Some(by) = first.narrowed_by() {
        let kinds = words::looked_for(&first.config).join(", ");
        text.push_str(&format!("looked only for {kinds} ({})\n", one_line(by)));
    }
    text
}

/// A table has no room for what was assumed, but it says that there is something.
fn assumed(runs: &[Run]) -> String {
    let all: BTreeSet<&str> = runs.iter().flat_map(Run::assumptions).collect();
    match all.len() as u64 {
        0 => String::new(),
        number => {
            let assumptions = words::count(number, "assumption");
            format!(
                "under {assumptions}; `dalang check -v` and --format json show what is assumed\n"
            )
        }
    }
}

fn row(run: &Run, index: usize) -> Option<(&Exploration, [String; 9])> {
    let method = run.methods.get(index)?;
    let statistics = &method.statistics;
    let [covered, all] = method.coverage.branches;
    // A number of paths that was cut is not to be compared with one that was not.
    let cut = if method.exhaustive { "" } else { "+" };
    let cells = [
        run.config.policy.name().to_owned(),
        words::verdict(method.verdict).to_owned(),
        format!("{}{cut}", method.paths.completed()),
        statistics.forks.to_string(),
        statistics.queries.to_string(),
        format!("{:.1}", statistics.solver_ms),
        format!("{:.1}", statistics.time_ms),
        format!("{:.1}", statistics.peak_bytes as f64 / f64::from(1 << 20)),
        format!("{covered}/{all}"),
    ];
    Some((method, cells))
}

fn widths<'a>(rows: impl Iterator<Item = &'a [String; 9]>) -> [usize; 9] {
    let mut widths = HEADS.map(str::len);
    for cells in rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.len());
        }
    }
    widths
}

/// Words to the left, numbers to the right.
fn line(cells: &[String; 9], widths: &[usize; 9], method: Option<&Exploration>) -> String {
    let mut text = String::from(" ");
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let cell =
            if column <= VERDICT { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
        let painted = match method {
            Some(method) if column == VERDICT => paint(palette::of_verdict(method.verdict), cell),
            _ => cell,
        };
        text.push_str(&format!(" {painted} "));
    }
    format!("{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::sample;
    use dalang_heap::Policy;
    use expect_test::expect;

    #[test]
    fn methods_have_a_row_for_each_policy() {
        let runs = [Policy::Lazy, Policy::LazierSharp].map(|policy| {
            let mut run = sample::run(vec![sample::safe(), sample::violating()]);
            run.config.policy = policy;
            run
        });
        expect![[r#"
              policy   verdict  paths  forks  queries  solver ms  time ms  MiB  branches
            demo.Meeting.middle()
              lazy     safe         1      3        5        0.2      1.5  3.0       0/0
              lazier#  safe         1      3        5        0.2      1.5  3.0       0/0
            demo.Playlist.remove(int)
              lazy     unsafe     11+      3        5        0.2      1.5  3.0       5/6
              lazier#  unsafe     11+      3        5        0.2      1.5  3.0       5/6
            under 1 assumption; `dalang check -v` and --format json show what is assumed
        "#]]
        .assert_eq(&sample::plain(&compare(&runs)));
    }
}
