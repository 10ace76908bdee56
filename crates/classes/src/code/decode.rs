//! From opcodes to canonical instructions.
//!
//! One pass reads the bytes in order and checks each operand against the constant pool; jumps still
//! name offsets then and are turned to indexes afterwards. The instructions that depend on the
//! categories of their operands are settled by `flow`, which sees every path.

use super::flow;
use super::instruction::{
    BinaryOp, Comparison, Condition, ElementKind, Instruction, Narrowing, NumericKind,
};
use super::raw::Cursor;
use super::tables::{self, Places, Switch};
use super::{Code, Defect};
use crate::descriptor::{Kind, MethodType, Primitive};
use crate::file::{MethodRef, Pool, Slot};
use crate::ids::{ClassRefId, ConstantId, FieldRefId, MethodRefId, SwitchId};
use crate::names::Names;

/// What decoding has to know of the method.
pub(crate) struct Method<'a> {
    /// The version of the class file.
    pub(crate) major: u16,
    pub(crate) is_static: bool,
    pub(crate) signature: &'a MethodType,
    pub(crate) pool: &'a Pool,
    pub(crate) names: &'a Names,
}

/// From this version on there are no subroutines, and the padding of switches is anything.
const JAVA_7: u16 = 51;
/// From this version on `invokestatic` and `invokespecial` reach into interfaces.
const JAVA_8: u16 = 52;

const CONDITIONS: [Condition; 6] =
    [Condition::Eq, Condition::Ne, Condition::Lt, Condition::Ge, Condition::Gt, Condition::Le];
const NUMERIC: [NumericKind; 4] =
    [NumericKind::Int, NumericKind::Long, NumericKind::Float, NumericKind::Double];
const KINDS: [Kind; 5] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];
const ELEMENTS: [ElementKind; 8] = [
    ElementKind::Int,
    ElementKind::Long,
    ElementKind::Float,
    ElementKind::Double,
    ElementKind::Reference,
    ElementKind::ByteOrBoolean,
    ElementKind::Char,
    ElementKind::Short,
];
const ARITHMETIC: [BinaryOp; 5] =
    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem];
const BITS: [BinaryOp; 6] =
    [BinaryOp::Shl, BinaryOp::Shr, BinaryOp::Ushr, BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
/// The codes of `newarray` begin at 4.
const ARRAYS: [Primitive; 8] = [
    Primitive::Boolean,
    Primitive::Char,
    Primitive::Float,
    Primitive::Double,
    Primitive::Byte,
    Primitive::Short,
    Primitive::Int,
    Primitive::Long,
];

/// Code as the class file has it, with operands and jumps checked, and nothing else.
pub(super) struct Body<'a> {
    pub(super) code: Code,
    /// The kind of each `Load` and `Store`, which the canonical form has no more.
    pub(super) kinds: Vec<Kind>,
    /// The content of `StackMapTable`.
    pub(super) maps: Option<&'a [u8]>,
    /// What is wrong with tables for people, if a virtual machine would mind.
    pub(super) odd: Option<&'static str>,
}

/// Decodes the content of a `Code` attribute.
pub(crate) fn decode(content: &[u8], method: &Method<'_>) -> Result<Code, Defect> {
    let Body { mut code, kinds, .. } = read(content, method)?;
    flow::settle(&mut code, &kinds, method)?;
    Ok(code)
}

/// Decodes the content of a `Code` attribute without following its paths.
pub(super) fn read<'a>(content: &'a [u8], method: &Method<'_>) -> Result<Body<'a>, Defect> {
    let mut cursor = Cursor::new(content);
    let max_stack = cursor.u16()?;
    let max_locals = cursor.u16()?;
    let length = cursor.u32()?;
    if length == 0 || length >= 65536 {
        return Err(Defect::new(0_u16, format!("the code has {length} bytes")).of_table());
    }
    let bytes = cursor.take(length as usize)?;
    let mut decoder = Decoder::new(bytes, method);
    while !decoder.cursor.is_at_end() {
        decoder.next()?;
    }
    let places = Places::new(&decoder.offsets, bytes.len());
    decoder.settle_targets(&places)?;
    let handlers = tables::handlers(&mut cursor, &places, method.pool).map_err(Defect::of_table)?;
    let beside =
        tables::beside(&mut cursor, &places, max_locals, method).map_err(Defect::of_table)?;
    let Decoder { instructions, kinds, offsets, switches, .. } = decoder;
    let code = Code {
        instructions: instructions.into(),
        offsets: offsets.into(),
        max_locals,
        max_stack,
        handlers,
        switches: switches.into(),
        lines: beside.lines,
        locals: beside.locals,
    };
    Ok(Body { code, kinds, maps: beside.maps, odd: beside.odd })
}

struct Decoder<'a> {
    cursor: Cursor<'a>,
    method: &'a Method<'a>,
    pc: u16,
    instructions: Vec<Instruction>,
    /// The kind of each `Load` and `Store`, which the canonical form has no more.
    kinds: Vec<Kind>,
    offsets: Vec<u16>,
    switches: Vec<Switch>,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8], method: &'a Method<'a>) -> Self {
        Self {
            cursor: Cursor::new(bytes),
            method,
            pc: 0,
            instructions: Vec::with_capacity(bytes.len() / 2 + 1),
            kinds: Vec::with_capacity(bytes.len() / 2 + 1),
            offsets: Vec::with_capacity(bytes.len() / 2 + 1),
            switches: Vec::new(),
        }
    }

    fn next(&mut self) -> Result<(), Defect> {
        self.pc = self.cursor.at() as u16;
        self.offsets.push(self.pc);
        self.kinds.push(Kind::Reference);
        let opcode = self.cursor.u8()?;
        let instruction = self.instruction(opcode)?;
        self.instructions.push(instruction);
        Ok(())
    }

    fn defect(&self, what: impl Into<String>) -> Defect {
        Defect::new(self.pc, what)
    }

    fn instruction(&mut self, opcode: u8) -> Result<Instruction, Defect> {
        use Instruction as I;
        Ok(match opcode {
            0 => I::Nop,
            1 => I::Null,
            2..=8 => I::Int(i32::from(opcode) - 3),
            9 | 10 => I::Long(i32::from(opcode) - 9),
            11..=13 => I::Float(f32::from(opcode - 11)),
            14 | 15 => I::Double(f32::from(opcode - 14)),
            16 => I::Int(self.cursor.i8()?.into()),
            17 => I::Int(self.cursor.i16()?.into()),
            18 => self.constant(|kind| kind.slots() == 1, |cursor| cursor.u8().map(u16::from))?,
            19 => self.constant(|kind| kind.slots() == 1, Cursor::u16)?,
            20 => self.constant(|kind| kind.slots() == 2, Cursor::u16)?,
            21..=25 => self.load(opcode - 21, |cursor| cursor.u8().map(u16::from))?,
            26..=45 => self.load((opcode - 26) / 4, |_| Ok(((opcode - 26) % 4).into()))?,
            46..=53 => I::ArrayLoad(ELEMENTS[(opcode - 46) as usize]),
            54..=58 => self.store(opcode - 54, |cursor| cursor.u8().map(u16::from))?,
            59..=78 => self.store((opcode - 59) / 4, |_| Ok(((opcode - 59) % 4).into()))?,
            79..=86 => I::ArrayStore(ELEMENTS[(opcode - 79) as usize]),
            87 => I::Pop,
            88 => I::Pop2,
            89 => I::Dup,
            90 => I::DupX1,
            91 => I::DupX2,
            92 => I::Dup2,
            93 => I::Dup2X1,
            94 => I::Dup2X2,
            95 => I::Swap,
            96..=115 => binary(opcode - 96, &ARITHMETIC, &NUMERIC),
            116..=119 => I::Negate(NUMERIC[(opcode - 116) as usize]),
            120..=131 => binary(opcode - 120, &BITS, &NUMERIC[..2]),
            132 => I::Increment { slot: self.cursor.u8()?.into(), by: self.cursor.i8()?.into() },
            133..=144 => conversion(opcode - 133),
            145 => I::Narrow(Narrowing::Byte),
            146 => I::Narrow(Narrowing::Char),
            147 => I::Narrow(Narrowing::Short),
            148 => I::Compare(Comparison::Long),
            149 => I::Compare(Comparison::FloatL),
            150 => I::Compare(Comparison::FloatG),
            151 => I::Compare(Comparison::DoubleL),
            152 => I::Compare(Comparison::DoubleG),
            153..=158 => I::If(CONDITIONS[(opcode - 153) as usize], self.near()?),
            159..=164 => I::IfInts(CONDITIONS[(opcode - 159) as usize], self.near()?),
            165 => I::IfSame(self.near()?),
            166 => I::IfDifferent(self.near()?),
            167 => I::Goto(self.near()?),
            168 => I::Jsr(self.subroutine().and_then(|()| self.near())?),
            169 => I::Ret(self.subroutine().and_then(|()| self.cursor.u8())?.into()),
            170 => self.table_switch()?,
            171 => self.lookup_switch()?,
            172..=176 => I::ReturnValue(KINDS[(opcode - 172) as usize]),
            177 => I::Return,
            178 => I::GetStatic(self.field()?),
            179 => I::PutStatic(self.field()?),
            180 => I::GetField(self.field()?),
            181 => I::PutField(self.field()?),
            182 => I::InvokeVirtual(self.invoked(|method| !method.in_interface)?),
            183 => I::InvokeSpecial(self.special()?),
            184 => I::InvokeStatic(self.statically()?),
            185 => self.invoke_interface()?,
            186 => self.invoke_dynamic()?,
            187 => I::New(self.class(|name| !name.starts_with('['))?),
            188 => self.new_array()?,
            189 => I::NewReferenceArray(self.class(|name| dimensions(name) < 255)?),
            190 => I::ArrayLength,
            191 => I::Throw,
            192 => I::CheckCast(self.class(|_| true)?),
            193 => I::InstanceOf(self.class(|_| true)?),
            194 => I::MonitorEnter,
            195 => I::MonitorExit,
            196 => self.wide()?,
            197 => self.new_multi_array()?,
            198 => I::IfNull(self.near()?),
            199 => I::IfNonNull(self.near()?),
            200 => I::Goto(self.far()?),
            201 => I::Jsr(self.subroutine().and_then(|()| self.far())?),
            _ => return Err(self.defect(format!("there is no instruction {opcode}"))),
        })
    }

    fn load(
        &mut self,
        kind: u8,
        slot: impl FnOnce(&mut Cursor<'a>) -> Result<u16, Defect>,
    ) -> Result<Instruction, Defect> {
        self.set_kind(KINDS[kind as usize]);
        slot(&mut self.cursor).map(Instruction::Load)
    }

    fn store(
        &mut self,
        kind: u8,
        slot: impl FnOnce(&mut Cursor<'a>) -> Result<u16, Defect>,
    ) -> Result<Instruction, Defect> {
        self.set_kind(KINDS[kind as usize]);
        slot(&mut self.cursor).map(Instruction::Store)
    }

    fn set_kind(&mut self, kind: Kind) {
        if let Some(last) = self.kinds.last_mut() {
            *last = kind;
        }
    }

    fn wide(&mut self) -> Result<Instruction, Defect> {
        let opcode = self.cursor.u8()?;
        match opcode {
            21..=25 => self.load(opcode - 21, Cursor::u16),
            54..=58 => self.store(opcode - 54, Cursor::u16),
            132 => Ok(Instruction::Increment { slot: self.cursor.u16()?, by: self.cursor.i16()? }),
            169 => self.subroutine().and_then(|()| self.cursor.u16()).map(Instruction::Ret),
            _ => Err(self.defect(format!("the instruction {opcode} cannot be wide"))),
        }
    }

    fn constant(
        &mut self,
        fits: impl FnOnce(Kind) -> bool,
        index: impl FnOnce(&mut Cursor<'a>) -> Result<u16, Defect>,
    ) -> Result<Instruction, Defect> {
        let index = index(&mut self.cursor)?;
        let id = ConstantId::new(index);
        let kind = self.method.pool.constant_kind(id);
        if !kind.is_some_and(fits) {
            return Err(self.defect(format!("constant {index} cannot be loaded like this")));
        }
        Ok(match self.method.pool.slot(index) {
            Slot::Int(value) => Instruction::Int(value),
            Slot::Float(value) => Instruction::Float(value),
            Slot::Long(value) => {
                i32::try_from(value).map_or(Instruction::Constant(id), Instruction::Long)
            }
            Slot::Double(value) if f64::from(value as f32).to_bits() == value.to_bits() => {
                Instruction::Double(value as f32)
            }
            _ => Instruction::Constant(id),
        })
    }

    /// The offset that a jump of this distance leads to. Whether an instruction begins there is
    /// known only at the end.
    fn jump(&self, distance: i32) -> Result<u16, Defect> {
        let target = i64::from(self.pc) + i64::from(distance);
        u16::try_from(target).map_err(|_| self.defect("a jump leads out of the code"))
    }

    fn near(&mut self) -> Result<u16, Defect> {
        let distance = self.cursor.i16()?;
        self.jump(distance.into())
    }

    fn far(&mut self) -> Result<u16, Defect> {
        let distance = self.cursor.i32()?;
        self.jump(distance)
    }

    fn subroutine(&self) -> Result<(), Defect> {
        if self.method.major < JAVA_7 {
            return Ok(());
        }
        Err(self.defect("there are no subroutines in class files of version 51 and later"))
    }

    fn skip_padding(&mut self) -> Result<(), Defect> {
        let padding = (4 - self.cursor.at() % 4) % 4;
        let padding = self.cursor.take(padding)?;
        if self.method.major < JAVA_7 && padding.iter().any(|&byte| byte != 0) {
            return Err(self.defect("the padding of a switch is not zero"));
        }
        Ok(())
    }

    fn table_switch(&mut self) -> Result<Instruction, Defect> {
        self.skip_padding()?;
        let default = self.far()?;
        let (low, high) = (self.cursor.i32()?, self.cursor.i32()?);
        let count = i64::from(high) - i64::from(low) + 1;
        // Each target takes four bytes, so a count that is a lie ends the code soon enough.
        if !(1..=65536).contains(&count) {
            return Err(self.defect(format!("a switch goes from {low} to {high}")));
        }
        let targets = (0..count).map(|_| self.far()).collect::<Result<_, _>>()?;
        Ok(self.switch(Switch::Table { low, targets, default }))
    }

    fn lookup_switch(&mut self) -> Result<Instruction, Defect> {
        self.skip_padding()?;
        let default = self.far()?;
        let count = self.cursor.i32()?;
        if !(0..=65536).contains(&count) {
            return Err(self.defect(format!("a switch has {count} cases")));
        }
        let (mut keys, mut targets) = (Vec::new(), Vec::new());
        for _ in 0..count {
            keys.push(self.cursor.i32()?);
            targets.push(self.far()?);
        }
        if !keys.is_sorted_by(|a, b| a < b) {
            return Err(self.defect("the cases of a switch are not in order"));
        }
        Ok(self.switch(Switch::Lookup { keys: keys.into(), targets: targets.into(), default }))
    }

    fn switch(&mut self, table: Switch) -> Instruction {
        self.switches.push(table);
        Instruction::Switch(SwitchId::new((self.switches.len() - 1) as u16))
    }

    fn class(&mut self, fits: impl FnOnce(&str) -> bool) -> Result<ClassRefId, Defect> {
        let index = self.cursor.u16()?;
        match self.method.pool.slot(index) {
            Slot::Class(id) if fits(self.class_name(id)) => Ok(id),
            _ => Err(self.defect(format!("constant {index} is not a class that fits here"))),
        }
    }

    fn class_name(&self, id: ClassRefId) -> &'a str {
        self.method.names.text(self.method.pool.class(id).name)
    }

    fn field(&mut self) -> Result<FieldRefId, Defect> {
        let index = self.cursor.u16()?;
        match self.method.pool.slot(index) {
            Slot::Field(id) => Ok(id),
            _ => Err(self.defect(format!("constant {index} is not a field"))),
        }
    }

    /// A method that is called by name, so not a constructor.
    fn invoked(&mut self, fits: impl FnOnce(&MethodRef) -> bool) -> Result<MethodRefId, Defect> {
        let id = self.method_ref(fits)?;
        if self.is_constructor(id) {
            return Err(self.defect("only invokespecial may call a constructor"));
        }
        Ok(id)
    }

    fn method_ref(&mut self, fits: impl FnOnce(&MethodRef) -> bool) -> Result<MethodRefId, Defect> {
        let index = self.cursor.u16()?;
        match self.method.pool.slot(index) {
            Slot::Method(id) if fits(self.method.pool.method(id)) => Ok(id),
            _ => Err(self.defect(format!("constant {index} is not a method that fits here"))),
        }
    }

    fn is_constructor(&self, id: MethodRefId) -> bool {
        self.method.names.text(self.method.pool.method(id).name) == "<init>"
    }

    fn special(&mut self) -> Result<MethodRefId, Defect> {
        let in_interfaces = self.method.major >= JAVA_8;
        let id = self.method_ref(|method| in_interfaces || !method.in_interface)?;
        if self.is_constructor(id) && self.method.pool.method(id).in_interface {
            return Err(self.defect("an interface has no constructor"));
        }
        Ok(id)
    }

    fn statically(&mut self) -> Result<MethodRefId, Defect> {
        let in_interfaces = self.method.major >= JAVA_8;
        self.invoked(|method| in_interfaces || !method.in_interface)
    }

    fn invoke_interface(&mut self) -> Result<Instruction, Defect> {
        let id = self.invoked(|method| method.in_interface)?;
        let (count, zero) = (self.cursor.u8()?, self.cursor.u8()?);
        let slots = self.method.pool.method(id).signature.slots() + 1;
        if u16::from(count) != slots || zero != 0 {
            return Err(self.defect("invokeinterface does not count its arguments right"));
        }
        Ok(Instruction::InvokeInterface(id))
    }

    fn invoke_dynamic(&mut self) -> Result<Instruction, Defect> {
        let index = self.cursor.u16()?;
        let zero = self.cursor.u16()?;
        match self.method.pool.slot(index) {
            Slot::InvokeDynamic(id) if zero == 0 => Ok(Instruction::InvokeDynamic(id)),
            _ => Err(self.defect(format!("constant {index} is not a call site"))),
        }
    }

    fn new_array(&mut self) -> Result<Instruction, Defect> {
        let code = self.cursor.u8()?;
        let primitive = code.checked_sub(4).and_then(|place| ARRAYS.get(place as usize));
        let wrong = || self.defect(format!("there are no arrays of type {code}"));
        primitive.map(|&primitive| Instruction::NewArray(primitive)).ok_or_else(wrong)
    }

    fn new_multi_array(&mut self) -> Result<Instruction, Defect> {
        let class = self.class(|name| name.starts_with('['))?;
        let count = self.cursor.u8()?;
        if count == 0 || usize::from(count) > dimensions(self.class_name(class)) {
            return Err(self.defect(format!("the array has no {count} dimensions")));
        }
        Ok(Instruction::NewMultiArray(class, count))
    }

    fn settle_targets(&mut self, places: &Places) -> Result<(), Defect> {
        for (instruction, &pc) in self.instructions.iter_mut().zip(&self.offsets) {
            let off = || Defect::new(pc, "a jump does not lead to an instruction");
            if let Some(target) = instruction.target() {
                *instruction = instruction.with_target(places.exact(target).ok_or_else(off)?);
            }
            if let Instruction::Switch(id) = *instruction {
                for target in self.switches[id.index()].targets_mut() {
                    *target = places.exact(*target).ok_or_else(off)?;
                }
            }
        }
        Ok(())
    }
}

fn dimensions(name: &str) -> usize {
    name.bytes().take_while(|&letter| letter == b'[').count()
}

/// The opcodes of a family go through the types first and the operations second.
fn binary(place: u8, ops: &[BinaryOp], kinds: &[NumericKind]) -> Instruction {
    let place = place as usize;
    Instruction::Binary(kinds[place % kinds.len()], ops[place / kinds.len()])
}

/// The opcodes go through the types to convert from, and for each through the three others.
fn conversion(place: u8) -> Instruction {
    let from = (place / 3) as usize;
    let other = (place % 3) as usize;
    let to = if other >= from { other + 1 } else { other };
    Instruction::Convert(NUMERIC[from], NUMERIC[to])
}
