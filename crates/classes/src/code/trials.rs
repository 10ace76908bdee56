//! Tests on code that no compiler writes any more, or never did, assembled by hand.

use super::{Code, Condition, Defect, Instruction as I, Method, decode};
use crate::descriptor::{Kind, MethodType};
use crate::file::Pool;
use crate::names::Names;

/// Decodes a method from its bytes. The descriptor is that of a static method.
fn assemble(major: u16, descriptor: &str, sizes: [u16; 2], bytes: &[u8]) -> Result<Code, Defect> {
    assemble_with_handlers(major, descriptor, sizes, bytes, &[])
}

fn assemble_with_handlers(
    major: u16,
    descriptor: &str,
    sizes: [u16; 2],
    bytes: &[u8],
    handlers: &[[u16; 4]],
) -> Result<Code, Defect> {
    let names = Names::default();
    let signature = MethodType::parse(descriptor, &names).unwrap();
    let mut content = Vec::new();
    content.extend(sizes.iter().flat_map(|size| size.to_be_bytes()));
    content.extend((bytes.len() as u32).to_be_bytes());
    content.extend(bytes);
    content.extend((handlers.len() as u16).to_be_bytes());
    content.extend(handlers.iter().flatten().flat_map(|word| word.to_be_bytes()));
    content.extend(0_u16.to_be_bytes());
    let pool = Pool::default();
    let method =
        Method { major, is_static: true, signature: &signature, pool: &pool, names: &names };
    decode(&content, &method)
}

const RETURN: u8 = 177;
/// Pushes an `int` and a `long`.
const INT: u8 = 3;
const LONG: u8 = 9;

/// What a move on the stack becomes after these values were pushed.
fn settled(pushed: &[u8], opcode: u8) -> Result<I, String> {
    let bytes: Vec<u8> = pushed.iter().copied().chain([opcode, RETURN]).collect();
    let code = assemble(52, "()V", [20, 0], &bytes).map_err(|defect| defect.what)?;
    Ok(code.instructions[pushed.len()])
}

#[test]
fn every_form_of_every_stack_move() {
    let forms: [(&[u8], u8, I); 19] = [
        (&[INT], 87, I::Pop),
        (&[LONG], 88, I::Pop),
        (&[INT, INT], 88, I::Pop2),
        (&[INT], 89, I::Dup),
        (&[INT, INT], 90, I::DupX1),
        (&[INT, INT, INT], 91, I::DupX2),
        (&[LONG, INT], 91, I::DupX1),
        (&[LONG], 92, I::Dup),
        (&[INT, INT], 92, I::Dup2),
        (&[INT, INT, INT], 93, I::Dup2X1),
        (&[INT, LONG], 93, I::DupX1),
        (&[INT, INT, INT, INT], 94, I::Dup2X2),
        (&[INT, INT, LONG], 94, I::DupX2),
        (&[LONG, INT, INT], 94, I::Dup2X1),
        (&[LONG, LONG], 94, I::DupX1),
        (&[INT, INT], 95, I::Swap),
        // Below what is moved, anything may lie.
        (&[LONG, INT, INT], 92, I::Dup2),
        (&[LONG, LONG], 92, I::Dup),
        (&[LONG, INT, INT], 90, I::DupX1),
    ];
    for (pushed, opcode, expected) in forms {
        assert_eq!(settled(pushed, opcode), Ok(expected), "{pushed:?} {opcode}");
    }
}

#[test]
fn half_values_are_not_moved() {
    let forms: [(&[u8], u8); 8] = [
        (&[LONG], 87),
        (&[LONG], 89),
        (&[INT, LONG], 90),
        (&[LONG, INT], 90),
        (&[LONG, INT], 88),
        (&[LONG, INT], 92),
        (&[LONG, INT], 95),
        (&[INT, LONG], 91),
    ];
    for (pushed, opcode) in forms {
        let result = settled(pushed, opcode);
        let what = result.expect_err("half a value was moved");
        assert!(what.contains("half"), "{pushed:?} {opcode}: {what}");
    }
}

#[test]
fn subroutines_of_old_class_files() {
    // jsr +4; return; astore_0; ret 0
    let bytes = [168, 0, 4, RETURN, 75, 169, 0];
    let code = assemble(48, "()V", [1, 1], &bytes).unwrap();
    assert_eq!(*code.instructions, [I::Jsr(2), I::Return, I::Store(0), I::Ret(0)]);
    let defect = assemble(51, "()V", [1, 1], &bytes).unwrap_err();
    assert!(defect.what.contains("subroutines"), "{defect:?}");
    // The same with something left on the stack: jsr +4; return; astore_0; iconst_0; ret 0
    let defect = assemble(48, "()V", [2, 1], &[168, 0, 4, RETURN, 75, 3, 169, 0]).unwrap_err();
    assert!(defect.what.contains("leave the operand stack"), "{defect:?}");
    // iconst_0; istore_0; ret 0; and a jsr somewhere, so that the variable is not tracked.
    let defect = assemble(48, "()V", [1, 1], &[3, 59, 169, 0, 168, 0, 0]).unwrap_err();
    assert!(defect.what.contains("no return address"), "{defect:?}");
}

#[test]
fn what_no_path_reaches_is_marked() {
    // goto +4; dup2; return
    let code = assemble(52, "()V", [0, 0], &[167, 0, 4, 92, RETURN]).unwrap();
    assert_eq!(*code.instructions, [I::Goto(2), I::Unreachable, I::Return]);
    assert_eq!(*code.offsets, [0, 3, 4]);
    assert_eq!(code.at_offset(4), Some(2));
    assert_eq!(code.at_offset(1), None);
}

#[test]
fn height_is_counted_in_entries() {
    // lconst_0; lconst_0; ladd; lreturn
    let code = assemble(52, "()J", [4, 0], &[9, 9, 97, 173]).unwrap();
    assert_eq!(code.max_stack, 2);
    let defect = assemble(52, "()J", [3, 0], &[9, 9, 97, 173]).unwrap_err();
    assert!(defect.what.contains("higher than declared"), "{defect:?}");
}

/// What is wrong with code, by a word of the message.
#[test]
fn wrong_code_is_refused() {
    let cases: [(&str, &[u8], [u16; 2], &str); 17] = [
        ("empty", &[], [0, 0], "0 bytes"),
        ("falls off the end", &[0], [0, 0], "falls off"),
        ("into an instruction", &[167, 0, 4, 16, 5, RETURN], [1, 0], "lead to an instruction"),
        ("before the code", &[167, 0xFF, 0, RETURN], [0, 0], "out of the code"),
        ("no such instruction", &[203], [0, 0], "no instruction 203"),
        ("cut off", &[17, 0], [1, 0], "in the middle"),
        ("empty stack", &[87, RETURN], [1, 0], "empty"),
        ("int as reference", &[3, 191], [1, 0], "Reference expected"),
        ("no such variable", &[21, 7, 87, RETURN], [1, 2], "variable 7"),
        ("half a variable", &[9, 64, RETURN], [2, 2], "variable 1"),
        ("unset variable", &[26, 87, RETURN], [1, 1], "Unset"),
        ("no such constant", &[18, 9, 87, RETURN], [1, 0], "constant 9"),
        ("no such field", &[178, 0, 9, RETURN], [1, 0], "constant 9"),
        ("wrong result", &[3, 172], [1, 0], "declares"),
        ("no such array", &[3, 188, 3, 87, RETURN], [1, 0], "type 3"),
        ("wide nop", &[196, 0, RETURN], [0, 0], "wide"),
        // iconst_0; ifeq +4; iconst_0; return: one entry on one way, none on the other
        ("different stacks", &[3, 153, 0, 4, 3, RETURN], [1, 0], "differ"),
    ];
    for (name, bytes, sizes, word) in cases {
        let defect = assemble(52, "()V", sizes, bytes).unwrap_err();
        assert!(defect.what.contains(word), "{name}: {defect:?}");
    }
}

#[test]
fn a_new_value_ends_the_one_that_it_overlaps() {
    // lconst_0; lstore_0; iconst_0; istore_1; lload_0; pop2; return
    let bytes = [9, 63, 3, 60, 30, 88, RETURN];
    let defect = assemble(52, "()V", [2, 2], &bytes).unwrap_err();
    assert!(defect.what.contains("Long expected"), "{defect:?}");
    // lconst_0; lstore_0; iconst_0; istore_0; iload_1; pop; return
    let defect = assemble(52, "()V", [2, 2], &[9, 63, 3, 59, 27, 87, RETURN]).unwrap_err();
    assert!(defect.what.contains("Int expected"), "{defect:?}");
}

#[test]
fn variables_that_differ_where_ways_meet_are_lost() {
    // iload_0; ifeq +8; iconst_1; istore_1; goto +5; aconst_null; astore_1; return
    let mut bytes = vec![26, 153, 0, 8, 4, 60, 167, 0, 5, 1, 76, RETURN];
    let code = assemble(52, "(I)V", [1, 2], &bytes).unwrap();
    assert_eq!(code.instructions[1], I::If(Condition::Eq, 5));
    // The same, but the variable is loaded at the end.
    bytes.pop();
    bytes.extend([27, 87, RETURN]);
    let defect = assemble(52, "(I)V", [1, 2], &bytes).unwrap_err();
    assert!(defect.what.contains("variable 1"), "{defect:?}");
}

#[test]
fn handlers_see_what_may_have_been_stored() {
    // 0 aconst_null; 1 astore_0; 2 iconst_0; 3 istore_0; 4 nop; 5 return; 6 pop; 7 aload_0; 8 athrow
    let bytes = [1, 75, 3, 59, 0, RETURN, 87, 42, 191];
    let covered = |start, end| {
        assemble_with_handlers(52, "()V", [1, 1], &bytes, &[[start, end, 6, 0]]).map(|_| ())
    };
    assert_eq!(covered(2, 3), Ok(()));
    assert!(covered(2, 5).unwrap_err().what.contains("variable 0"));
    for wrong in [[2, 2, 6, 0], [3, 2, 6, 0], [2, 200, 6, 0], [2, 5, 99, 0], [2, 5, 6, 7]] {
        let result = assemble_with_handlers(52, "()V", [1, 1], &bytes, &[wrong]);
        assert!(result.unwrap_err().what.contains("handler"), "{wrong:?}");
    }
}

#[test]
fn switches_that_lie_about_their_size_end_soon() {
    // tableswitch with two bytes of padding, from MIN_VALUE to MAX_VALUE
    let mut table = vec![3, 170, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF];
    assert!(assemble(52, "()V", [1, 0], &table).unwrap_err().what.contains("switch"));
    // ... and one that claims as many as a switch may have
    table[8..].copy_from_slice(&[0, 0, 0, 0, 0, 0, 0xFF, 0xFF]);
    assert!(assemble(52, "()V", [1, 0], &table).unwrap_err().what.contains("middle"));
}

#[test]
fn entangled_code_is_refused_in_time() {
    // Thousands of variables, and thousands of blocks that each have to know all of them.
    let mut bytes = Vec::new();
    for slot in 1..=9000_u16 {
        bytes.extend([1, 196, 58]);
        bytes.extend(slot.to_be_bytes());
    }
    for _ in 0..5000 {
        bytes.extend([26, 153, 0, 3]);
    }
    bytes.push(RETURN);
    let defect = assemble(52, "(I)V", [1, 9001], &bytes).unwrap_err();
    assert!(defect.what.contains("entangled"), "{defect:?}");
}

#[test]
fn a_deep_stack_with_many_branches_takes_little_memory() {
    let mut bytes = vec![3; 30_000];
    for _ in 0..8_000 {
        bytes.extend([26, 153, 0, 3]);
    }
    bytes.push(RETURN);
    let code = assemble(52, "(I)V", [40_000, 1], &bytes).unwrap();
    assert_eq!(code.max_stack, 30_001);
}

#[test]
fn kinds_of_returned_values() {
    let code = assemble(52, "()D", [2, 0], &[15, 175]).unwrap();
    assert_eq!(*code.instructions, [I::Double(1.0), I::ReturnValue(Kind::Double)]);
}
