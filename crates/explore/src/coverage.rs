//! How much of a method was executed.

use crate::outcome::Coverage;
use dalang_classes::code::{Code, Instruction};
use dalang_interp::Covered;
use std::collections::BTreeSet;

/// What was executed of a method, on all paths that ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Total {
    instructions: BTreeSet<u16>,
    edges: BTreeSet<(u16, u16)>,
}

impl Total {
    pub(crate) fn add(&mut self, covered: &Covered) {
        for (word, &bits) in covered.instructions.iter().enumerate() {
            let set = (0..64).filter(|bit| bits >> bit & 1 == 1);
            self.instructions.extend(set.map(|bit| (word * 64 + bit) as u16));
        }
        self.edges.extend(covered.edges.iter().copied());
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.instructions.extend(&other.instructions);
        self.edges.extend(&other.edges);
    }

    pub(crate) fn has(&self, pc: u16) -> bool {
        self.instructions.contains(&pc)
    }

    /// What was covered, of what there is.
    pub(crate) fn of(&self, code: &Code) -> Coverage {
        let places = 0..code.instructions.len() as u16;
        let all: Vec<u16> = places
            .filter(|&pc| !matches!(code.instructions[usize::from(pc)], Instruction::Unreachable))
            .collect();
        let lines = |pcs: &mut dyn Iterator<Item = u16>| -> BTreeSet<u16> {
            pcs.filter_map(|pc| code.line(pc)).collect()
        };
        let all_lines = lines(&mut all.iter().copied());
        let covered_lines = lines(&mut self.instructions.iter().copied());
        let ways: usize = all.iter().map(|&pc| ways(code, pc)).sum();
        let of = |part: usize, whole: usize| [part as u32, whole as u32];
        Coverage {
            branches: of(self.edges.len(), ways),
            lines: of(covered_lines.len(), all_lines.len()),
            instructions: of(self.instructions.len(), all.len()),
        }
    }
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
