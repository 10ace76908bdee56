//! What was explored of a method and what was not, in plain words.

use crate::palette::{self, paint};
use crate::signature::method_spelling;
use crate::words::{self, because, count};
use dalang_classes::one_line;
use dalang_explore::{Config, Coverage, Exploration, PathCounts};

/// More reasons than this are left to programs.
const MOST: usize = 10;

pub fn account(method: &Exploration, config: &Config) -> String {
    let name = method_spelling(&method.method);
    let verdict = words::verdict(method.verdict);
    let verdict = paint(palette::of_verdict(method.verdict), verdict);
    let mut text = format!("{name}: {verdict}: {}\n", words::meaning(method, config));
    text.push_str(&format!("    {}\n", explored(&method.paths, config)));
    text.push_str(&covered(&method.coverage));
    text.push_str(&left_out(method, config));
    for assumption in &method.assumptions {
        text.push_str(&format!("    assumed: {}\n", one_line(assumption)));
    }
    text
}

fn explored(paths: &PathCounts, config: &Config) -> String {
    let mut ways = Vec::new();
    let mut way = |number: u64, words: &str| {
        if number > 0 {
            ways.push(format!("{number} {words}"));
        }
    };
    way(paths.normal, "to a normal end");
    way(
        paths.exceptional,
        match &*words::not_looked_for(config) {
            [] => "to an exception that the code throws itself or expects",
            _ => {
                "to an exception that the code throws itself or expects, or that was not looked for"
            }
        },
    );
    way(paths.violating, "to a violation");
    let mut text = match paths.completed() {
        0 => "no path was followed to its end".to_owned(),
        all => format!("followed {} through the code: {}", count(all, "path"), ways.join(", ")),
    };
    match paths.diverging {
        0 => {}
        1 => text.push_str("; 1 path does not end, because a loop repeats itself"),
        many => {
            text.push_str(&format!("; {many} paths do not end, because a loop repeats itself"));
        }
    }
    if paths.assumed_away > 0 {
        let away = count(paths.assumed_away, "path");
        text.push_str(&format!("; left {away} alone that an assumption rules out"));
    }
    text
}

fn covered(coverage: &Coverage) -> String {
    let part = |[seen, all]: [u32; 2], what: &str| {
        (all > 0).then(|| match all - seen.min(all) {
            0 => format!("all {what}"),
            _ => format!("{seen} of {all} {what}"),
        })
    };
    let parts = [
        part(coverage.branches, "branches"),
        part(coverage.lines, "lines"),
        part(coverage.instructions, "instructions"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return String::new();
    }
    let missed = coverage.branches[0] < coverage.branches[1];
    let rest = if missed { "; no followed path takes the other branches" } else { "" };
    format!("    covered {}{rest}\n", parts.join(", "))
}

fn left_out(method: &Exploration, config: &Config) -> String {
    let other = other_kinds(config);
    if method.stops.is_empty() {
        return other.unwrap_or_else(|| "    nothing was left out\n".to_owned());
    }
    let stopped = count(method.paths.stopped, "path");
    let mut text = format!("    left out: {stopped} given up\n");
    let mut stops: Vec<_> = method.stops.iter().collect();
    stops.sort_by_key(|stop| std::cmp::Reverse(stop.count));
    for stop in stops.iter().take(MOST) {
        let why = because(stop.kind, &stop.detail, config);
        text.push_str(&format!("        {} because {why}\n", stop.count));
    }
    if stops.len() > MOST {
        text.push_str(&format!("        and {} more reasons\n", stops.len() - MOST));
    }
    text + &other.unwrap_or_default()
}

/// What was not looked for, if that is more than by default.
fn other_kinds(config: &Config) -> Option<String> {
    let kinds = words::not_looked_for(config).join(", ");
    (!kinds.is_empty()).then(|| format!("    left out: violations of the kinds {kinds}\n"))
}
