//! Where instructions begin, how long they are and which of their bytes are jumps.
//!
//! It is written down a second time here, apart from the decoder of `classes`, because mutators have
//! to aim at places that the decoder might get wrong.

/// One instruction; places are offsets from the beginning of the code.
#[derive(Debug)]
pub struct Step {
    pub at: usize,
    pub opcode: u8,
    pub length: usize,
    /// Where its jump offsets are, and how many bytes each has.
    pub jumps: Vec<(usize, usize)>,
}

const TABLE_SWITCH: u8 = 170;
const LOOKUP_SWITCH: u8 = 171;

/// The instructions of some code; none if it is not made of whole instructions.
pub fn steps(code: &[u8]) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let step = step(code, at)?;
        at += step.length;
        steps.push(step);
    }
    (at == code.len()).then_some(steps)
}

fn step(code: &[u8], at: usize) -> Option<Step> {
    let opcode = *code.get(at)?;
    let mut jumps = Vec::new();
    let length = match opcode {
        TABLE_SWITCH | LOOKUP_SWITCH => return switch(code, at),
        196 => {
            if *code.get(at + 1)? == 132 {
                6
            } else {
                4
            }
        }
        153..=168 | 198 | 199 => {
            jumps.push((at + 1, 2));
            3
        }
        200 | 201 => {
            jumps.push((at + 1, 4));
            5
        }
        16 | 18 | 21..=25 | 54..=58 | 169 | 188 => 2,
        17 | 19 | 20 | 132 | 178..=184 | 187 | 189 | 192 | 193 => 3,
        197 => 4,
        185 | 186 => 5,
        0..=201 => 1,
        _ => return None,
    };
    Some(Step { at, opcode, length, jumps })
}

fn switch(code: &[u8], at: usize) -> Option<Step> {
    let opcode = *code.get(at)?;
    let start = switch_operands(at);
    let word = |place: usize| {
        let bytes = code.get(place..place + 4)?;
        bytes.try_into().ok().map(i32::from_be_bytes)
    };
    let mut jumps = vec![(start, 4)];
    let end = if opcode == TABLE_SWITCH {
        let count = i64::from(word(start + 8)?) - i64::from(word(start + 4)?) + 1;
        let count = usize::try_from(count).ok().filter(|&count| count <= code.len())?;
        jumps.extend((0..count).map(|entry| (start + 12 + 4 * entry, 4)));
        start + 12 + 4 * count
    } else {
        let count = usize::try_from(word(start + 4)?).ok().filter(|&count| count <= code.len())?;
        jumps.extend((0..count).map(|entry| (start + 12 + 8 * entry, 4)));
        start + 8 + 8 * count
    };
    (end <= code.len()).then(|| Step { at, opcode, length: end - at, jumps })
}

/// Where the operands of a switch begin: at the next multiple of four.
pub fn switch_operands(at: usize) -> usize {
    (at / 4 + 1) * 4
}

impl Step {
    pub fn is_switch(&self) -> bool {
        matches!(self.opcode, TABLE_SWITCH | LOOKUP_SWITCH)
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn lengths_and_jumps() {
        // goto +3; wide iinc; lookupswitch with one pair; return
        let code = [
            167, 0, 3, 196, 132, 0, 1, 0, 2, 171, 0, 0, 0, 0, 0, 23, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0,
            0, 19, 177,
        ];
        let steps = steps(&code).unwrap();
        let shape: Vec<(usize, usize)> = steps.iter().map(|step| (step.at, step.length)).collect();
        assert_eq!(shape, [(0, 3), (3, 6), (9, 19), (28, 1)]);
        assert_eq!(steps[0].jumps, [(1, 2)]);
        assert_eq!(steps[2].jumps, [(12, 4), (24, 4)]);
    }

    #[test]
    fn code_that_ends_too_soon_has_no_steps() {
        assert!(steps(&[167, 0]).is_none());
        assert!(steps(&[170, 0, 0, 0, 0, 0, 0, 0]).is_none());
        assert!(steps(&[255]).is_none());
        let huge = [170, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff];
        assert!(steps(&huge).is_none());
    }
}
