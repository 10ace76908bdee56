//! Results of an earlier run, read back so that a later one can go on from them.
//!
//! What was written of a method is kept as it is: nothing is lost or rounded by being read.

use super::Header;
use crate::run::Earlier;
use crate::words;
use dalang_explore::{Replay, StopCount, StopKind};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What a file with results has in it: what they rest on, and all methods that were done.
///
/// # Errors
/// What is wrong with the text, if it is no such file's.
pub fn earlier(text: &str) -> Result<(Header, Vec<Earlier>), String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if serde_json::from_str::<Line>(first).is_ok_and(|line| line.r#type == "begin") {
        return lines(text);
    }
    let header: Header = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let whole: Whole<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut methods = Vec::new();
    for method in &whole.methods {
        methods.extend(kept(method.get())?);
    }
    Ok((header, methods))
}

/// One object a line. A run that was killed may have left the last one unfinished.
fn lines(text: &str) -> Result<(Header, Vec<Earlier>), String> {
    let mut header: Option<Header> = None;
    let mut methods: BTreeMap<String, Earlier> = BTreeMap::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if line.trim().is_empty() || !line.ends_with('\n') {
            continue;
        }
        let wrong = |error: &dyn ToString| format!("line {number}: {}", error.to_string());
        let kind: Line = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        match kind.r#type.as_str() {
            "begin" => {
                let found: Header = serde_json::from_str(line).map_err(|error| wrong(&error))?;
                if let Some(difference) = header.as_ref().and_then(|own| own.difference(&found)) {
                    return Err(format!("line {number}: another check begins, {difference}"));
                }
                header = Some(found);
            }
            "method" => {
                let found = kept(line.trim()).map_err(|error| wrong(&error))?;
                methods.extend(found.map(|found| (found.method.clone(), found)));
            }
            _ => {}
        }
    }
    let header = header.ok_or("it has no beginning")?;
    Ok((header, methods.into_values().collect()))
}

#[derive(Deserialize)]
struct Line {
    r#type: String,
}

#[derive(Deserialize)]
struct Whole<'a> {
    #[serde(borrow)]
    methods: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Done {
    method: String,
    verdict: String,
    exhaustive: bool,
    paths: Paths,
    stops: Vec<Stop>,
    violations: Vec<Found>,
    assumptions: Vec<String>,
}

#[derive(Deserialize)]
struct Paths {
    completed: u64,
}

#[derive(Deserialize)]
struct Stop {
    kind: String,
    count: u64,
    detail: String,
}

#[derive(Deserialize)]
struct Found {
    replay: String,
}

/// What is known of a method, unless a signal came before it was done.
fn kept(text: &str) -> Result<Option<Earlier>, String> {
    let done: Done = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let unknown = |what: &str| format!("{}: `{what}` means nothing here", done.method);
    let verdict = words::verdict_of(&done.verdict).ok_or_else(|| unknown(&done.verdict))?;
    let mut stops = Vec::new();
    for stop in &done.stops {
        let kind = StopKind::of_name(&stop.kind).ok_or_else(|| unknown(&stop.kind))?;
        stops.push(StopCount { kind, detail: stop.detail.clone(), count: stop.count });
    }
    if stops.iter().any(|stop| stop.kind == StopKind::Interrupted) {
        return Ok(None);
    }
    let replayed = |replay: Replay| {
        done.violations.iter().filter(|found| found.replay == replay.name()).count()
    };
    Ok(Some(Earlier {
        index: 0,
        verdict,
        exhaustive: done.exhaustive,
        paths: done.paths.completed,
        violations: done.violations.len(),
        confirmed: replayed(Replay::Confirmed),
        refuted: replayed(Replay::Refuted),
        stops,
        assumptions: done.assumptions,
        content: flat(text),
        method: done.method,
    }))
}

/// The object of a method on one line, without what makes a line of it: its number may be another now.
fn flat(text: &str) -> String {
    // A line break cannot be within a string, so what it is followed by is a margin.
    let flat: String = text.lines().map(str::trim_start).collect();
    let rest = flat.strip_prefix("{\"type\":\"method\",\"index\":");
    let rest = rest.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    match rest.and_then(|rest| rest.strip_prefix(',')) {
        Some(rest) => format!("{{{rest}"),
        None => flat,
    }
}
