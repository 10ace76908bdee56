//! Damage to code: jumps, handlers, opcodes, operands and bounds.

use super::Victim;
use crate::fuzz::classes::bytecode::{Step, steps, switch_operands};
use crate::fuzz::classes::scan::{Body, u16_at, u32_at};

impl Victim<'_> {
    fn body(&mut self) -> Option<(Body, Vec<Step>)> {
        let body = self.choose(&self.layout.bodies)?;
        let steps = steps(self.bytes.get(body.code..body.code_end)?)?;
        Some((body, steps))
    }

    /// Some jump: the instruction it belongs to, where its offset is, and how wide that is.
    fn jump(&mut self, steps: &[Step]) -> Option<(usize, usize, usize)> {
        let of = |step: &Step| {
            let at = step.at;
            step.jumps.iter().map(move |&(place, width)| (at, place, width)).collect::<Vec<_>>()
        };
        let jumps: Vec<(usize, usize, usize)> = steps.iter().flat_map(of).collect();
        self.choose(&jumps)
    }

    fn set_jump(&mut self, body: &Body, jump: (usize, usize, usize), to: i64) -> Option<()> {
        let (at, place, width) = jump;
        let offset = to - at as i64;
        if width == 2 {
            self.put16(body.code + place, offset as u16)
        } else {
            self.put32(body.code + place, offset as u32)
        }
    }
}

/// A place within an instruction of more than one byte.
fn inside(victim: &mut Victim<'_>, steps: &[Step]) -> Option<usize> {
    let long: Vec<(usize, usize)> =
        steps.iter().filter(|step| step.length > 1).map(|step| (step.at, step.length)).collect();
    let (at, length) = victim.choose(&long)?;
    Some(at + 1 + victim.below(length - 1))
}

pub fn branch_into(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = victim.body()?;
    let jump = victim.jump(&steps)?;
    let target = inside(victim, &steps)?;
    victim.set_jump(&body, jump, target as i64)
}

/// To another instruction, to itself, to the end, or out of the code.
pub fn branch_elsewhere(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = victim.body()?;
    let jump = victim.jump(&steps)?;
    let length = (body.code_end - body.code) as i64;
    let other = steps[victim.below(steps.len())].at as i64;
    let target =
        victim.choose(&[other, other, other, 0, jump.0 as i64, length, length + 1, -1, 1 << 30])?;
    victim.set_jump(&body, jump, target)
}

/// A handler whose start, end or target is in an instruction, out of the code or the other way round.
pub fn handler(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = victim.body()?;
    let table = victim.layout.tables.get(body.handlers)?.clone();
    let count = (table.end - table.start()) / 8;
    let length = (body.code_end - body.code) as u16;
    if count == 0 {
        // One that covers everything and begins where the code does.
        let at = steps[victim.below(steps.len())].at as u16;
        let entry = [0, length, at, 0].map(u16::to_be_bytes).concat();
        victim.insert(table.end, &entry, &table.lengths)?;
        return victim.put16(table.count_at, 1);
    }
    let entry = table.start() + 8 * victim.below(count);
    let within = inside(victim, &steps).unwrap_or(1) as u16;
    let at = steps[victim.below(steps.len())].at as u16;
    let value = victim.choose(&[0, at, at, within, length, length.wrapping_add(1), u16::MAX])?;
    let place = entry + 2 * victim.below(3);
    victim.put16(place, value)
}

/// Another instruction in the place of one, of the same length one time in two.
pub fn opcode(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = victim.body()?;
    let place = victim.below(steps.len());
    let alike: Vec<u8> = (0..=u8::MAX)
        .filter(|&other| {
            let mut code = vec![0; steps[place].length];
            code[0] = other;
            crate::fuzz::classes::bytecode::steps(&code).is_some_and(|steps| steps.len() == 1)
        })
        .collect();
    let other = if victim.random.one_in(2) { victim.choose(&alike) } else { None };
    let other = other.unwrap_or(victim.random.next() as u8);
    *victim.bytes.get_mut(body.code + steps[place].at)? = other;
    Some(())
}

pub fn operand(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = victim.body()?;
    let place = inside(victim, &steps)?;
    let value = [0, 1, 0x7f, 0x80, 0xff, victim.random.next() as u8];
    let value = victim.choose(&value)?;
    *victim.bytes.get_mut(body.code + place)? = value;
    Some(())
}

/// Another depth of the stack or number of local variables.
pub fn bounds(victim: &mut Victim<'_>) -> Option<()> {
    let body = victim.choose(&victim.layout.bodies)?;
    let at = body.at + 2 * victim.below(2);
    let old = u16_at(victim.bytes, at)?;
    let value = victim.choose(&[0, old.wrapping_sub(1), old.wrapping_add(1), u16::MAX])?;
    victim.put16(at, value)
}

pub fn code_length(victim: &mut Victim<'_>) -> Option<()> {
    let body = victim.choose(&victim.layout.bodies)?;
    let at = body.at + 4;
    let old = u32_at(victim.bytes, at)?;
    let wrong = [0, old.wrapping_sub(1), old + 1, 65535, 65536, u32::MAX];
    let value = victim.choose(&wrong)?;
    victim.put32(at, value)
}

/// Another count or bound of a switch, or keys out of order.
pub fn switch(victim: &mut Victim<'_>) -> Option<()> {
    let bodies = victim.layout.bodies.clone();
    let mut switches = Vec::new();
    for body in bodies {
        for step in steps(victim.bytes.get(body.code..body.code_end)?)? {
            if step.is_switch() {
                switches.push(body.code + switch_operands(step.at));
            }
        }
    }
    let operands = victim.choose(&switches)?;
    let at = operands + 4 * (1 + victim.below(3));
    let old = u32_at(victim.bytes, at)?;
    let wrong = [0, old.wrapping_add(1), old.wrapping_sub(1), 1 << 31, i32::MAX as u32, u32::MAX];
    let value = victim.choose(&wrong)?;
    victim.put32(at, value)
}

/// The same code behind as many instructions as there can be.
///
/// Jumps are relative and stay right; handlers are made to cover everything from the beginning.
pub fn inflate(victim: &mut Victim<'_>) -> Option<()> {
    let body = victim.choose(&victim.layout.bodies)?;
    let table = victim.layout.tables.get(body.handlers)?.clone();
    let length = body.code_end - body.code;
    // Nothing; a new variable that changes its kind all the time; branches; values that go away.
    let [high, low] = u16_at(victim.bytes, body.at + 2)?.to_be_bytes();
    let changing = [3, 196, 54, high, low, 1, 196, 58, high, low];
    let patterns: [&[u8]; 5] = [&[0], &changing, &[3, 153, 0, 3], &[3, 87], &[1, 198, 0, 3, 1, 87]];
    let pattern = victim.choose(&patterns)?;
    let room = (65_535_usize.checked_sub(length)?) / pattern.len() / 4 * 4;
    let times = if victim.random.one_in(2) { room } else { victim.below(room) / 4 * 4 };
    let prefix = pattern.repeat(times);
    for entry in (table.start()..table.end).step_by(8) {
        for place in [entry + 2, entry + 4] {
            let old = u16_at(victim.bytes, place)?;
            victim.put16(place, old.checked_add(prefix.len() as u16)?)?;
        }
        victim.put16(entry, 0)?;
    }
    victim.put32(body.at + 4, (length + prefix.len()) as u32)?;
    victim.put16(body.at, u16_at(victim.bytes, body.at)?.saturating_add(2))?;
    victim.put16(body.at + 2, u16_at(victim.bytes, body.at + 2)?.saturating_add(2))?;
    victim.insert(body.code, &prefix, &body.lengths)
}
