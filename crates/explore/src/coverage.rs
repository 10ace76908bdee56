//! How much of the target's code was executed.
//!
//! What counts are the target's methods that were entered, on whatever path, and the explored one in any
//! case: their instructions, their source lines, and the ways out of their branches.

use crate::outcome::Coverage;
use dalang_classes::code::{Code, Instruction};
use dalang_classes::{MethodId, Name, Program};
use dalang_interp::Covered;
use std::collections::{BTreeMap, BTreeSet};

/// What was executed of the target's methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Total {
    methods: BTreeMap<MethodId, Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    instructions: BTreeSet<u16>,
    edges: BTreeSet<(u16, u16)>,
}

/// A line of a source file, which classes and methods may share: the package, the file and the line.
type Line<'p> = (&'p str, Option<Name>, u16);

impl Total {
    /// Adds what a worker recorded.
    pub(crate) fn add(&mut self, covered: Vec<(MethodId, Covered)>) {
        for (method, covered) in covered {
            let part = self.methods.entry(method).or_default();
            for (word, &bits) in covered.instructions.iter().enumerate() {
                let set = (0..64).filter(|bit| bits >> bit & 1 == 1);
                part.instructions.extend(set.map(|bit| (word * 64 + bit) as u16));
            }
            part.edges.extend(covered.edges);
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (method, theirs) in other.methods {
            let part = self.methods.entry(method).or_default();
            part.instructions.extend(theirs.instructions);
            part.edges.extend(theirs.edges);
        }
    }

    /// What was covered, of what there is, where this method was explored.
    pub(crate) fn of(&self, program: &Program, explored: MethodId) -> Coverage {
        let nothing = Part::default();
        let mut parts: BTreeMap<MethodId, &Part> =
            self.methods.iter().map(|(&method, part)| (method, part)).collect();
        parts.entry(explored).or_insert(&nothing);
        let mut coverage = Coverage::default();
        let (mut lines, mut covered_lines) = (BTreeSet::new(), BTreeSet::new());
        for (method, part) in parts {
            let Ok(Some(code)) = program.code(method) else { continue };
            let executed = closed(code, &part.instructions);
            let places = 0..code.instructions.len() as u16;
            let all: Vec<u16> = places.filter(|&pc| is_reachable(code, pc)).collect();
            lines.extend(all.iter().filter_map(|&pc| line(program, method, code, pc)));
            covered_lines.extend(executed.iter().filter_map(|&pc| line(program, method, code, pc)));
            let ways: usize = all.iter().map(|&pc| ways(code, pc)).sum();
            add(&mut coverage.branches, part.edges.len(), ways);
            add(&mut coverage.instructions, executed.len(), all.len());
        }
        add(&mut coverage.lines, covered_lines.len(), lines.len());
        coverage
    }
}

fn add([part, whole]: &mut [u32; 2], more: usize, of: usize) {
    *part += more as u32;
    *whole += of as u32;
}

fn line<'p>(program: &'p Program, method: MethodId, code: &Code, pc: u16) -> Option<Line<'p>> {
    let class = program.class(program.method(method).class);
    let name = program.names().text(class.name);
    let package = name.rsplit_once('/').map_or("", |(package, _)| package);
    Some((package, class.source_file(), code.line(pc)?))
}

fn is_reachable(code: &Code, pc: u16) -> bool {
    !matches!(code.instructions[usize::from(pc)], Instruction::Unreachable)
}

/// The instructions that were executed, if these were: whoever executes one has executed those before
/// it in its block.
fn closed(code: &Code, recorded: &BTreeSet<u16>) -> BTreeSet<u16> {
    let leads = leads(code);
    let mut all = recorded.clone();
    for &pc in recorded {
        let mut place = pc;
        while place > 0 && !leads[usize::from(place)] && all.insert(place - 1) {
            place -= 1;
        }
    }
    all
}

/// Where blocks begin.
fn leads(code: &Code) -> Vec<bool> {
    let mut leads = vec![false; code.instructions.len() + 1];
    for (pc, instruction) in code.instructions.iter().enumerate() {
        if let Some(target) = instruction.target() {
            leads[usize::from(target)] = true;
        }
        let ends = instruction.target().is_some() || !instruction.falls_through();
        leads[pc + 1] |= ends;
    }
    for switch in code.switches() {
        switch.cases().for_each(|(_, target)| leads[usize::from(target)] = true);
        leads[usize::from(switch.default())] = true;
    }
    for handler in &code.handlers {
        leads[usize::from(handler.target)] = true;
    }
    leads
}

/// How many ways lead out of a branch; none if it is no branch.
fn ways(code: &Code, pc: u16) -> usize {
    let next = pc + 1;
    let two = |target: u16| if target == next { 1 } else { 2 };
    match code.instructions[usize::from(pc)] {
        Instruction::If(_, target)
        | Instruction::IfInts(_, target)
        | Instruction::IfSame(target)
        | Instruction::IfDifferent(target)
        | Instruction::IfNull(target)
        | Instruction::IfNonNull(target) => two(target),
        Instruction::Switch(id) => {
            let switch = code.switch(id);
            let mut targets: BTreeSet<u16> = switch.cases().map(|(_, target)| target).collect();
            targets.insert(switch.default());
            targets.len()
        }
        _ => 0,
    }
}
