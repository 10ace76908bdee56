//! One case for each rule, and what a virtual machine says of it.

mod members;
mod old;
mod paths;
mod values;

use super::assembler::Assembler;

/// Whether a class can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Taken,
    Refused,
}

pub struct Case {
    pub what: &'static str,
    pub bytes: Vec<u8>,
    pub verdict: Verdict,
}

/// The version that cases have where nothing depends on it.
const NEW: u16 = 61;
/// The last one without stack maps.
const OLD: u16 = 49;

const OBJECT: &str = "java/lang/Object";

fn case(what: &'static str, verdict: Verdict, class: Assembler) -> Case {
    Case { what, bytes: class.bytes(), verdict }
}

/// A class with one method, with or without stack maps.
fn body(major: u16, declared: &str, sizes: [u16; 2], text: &str) -> Assembler {
    Assembler::new(major, "q/T", OBJECT).method(declared, sizes[0], sizes[1], text)
}

/// A case for both ways of verifying.
fn both(
    what: &'static str,
    verdict: Verdict,
    declared: &str,
    sizes: [u16; 2],
    text: &str,
) -> Vec<Case> {
    [NEW, OLD].map(|major| case(what, verdict, body(major, declared, sizes, text))).into()
}

fn constructor(what: &'static str, verdict: Verdict, text: &str) -> Vec<Case> {
    let class = |major| {
        Assembler::new(major, "q/T", "java/util/AbstractList").field("own", "I").method(
            "<init>()V",
            3,
            1,
            text,
        )
    };
    [NEW, OLD].map(|major| case(what, verdict, class(major))).into()
}

pub fn all() -> Vec<Case> {
    let groups = [
        values::assignments(),
        values::arrays(),
        values::objects(),
        members::constructors(),
        members::receivers(),
        paths::stacks(),
        paths::handlers(),
        paths::maps(),
        old::inference(),
        old::subroutines(),
        old::versions(),
    ];
    groups.into_iter().flatten().collect()
}
