//! Running operations.

use super::follow::note_jump;
use super::op::{Op, Slot};
use super::prepared::{CallSite, Prepared, Source, Target};
use crate::coverage::Way;
use crate::flow::{Flow, Interrupt};
use crate::frame::{Body, Frame, Stage, Then};
use crate::machine::Machine;
use crate::ops::{
    converted, double_binary, float_binary, holds, int_binary, int_of, long_binary, narrowing,
};
use crate::state::{Initialization, State};
use dalang_classes::code::ElementKind;
use dalang_heap::{Body as Contents, Reference, Value};
use std::rc::Rc;

/// Whether running goes on in the lane, and where.
enum Onward<'p> {
    /// At an operation of a method.
    At(Rc<Prepared<'p>>, u16),
    /// Outside: the frame on top is as bytecode expects it.
    Outside,
}

impl<'p> Machine<'p> {
    /// Runs operations of the frame on top, and of methods that it calls, until something has to be
    /// done outside. The frame that is on top then is as bytecode expects it.
    #[allow(clippy::too_many_lines, reason = "one flat dispatch, an arm for each operation")]
    pub(crate) fn ride(
        &mut self,
        state: &mut State<'p>,
        prepared: Rc<Prepared<'p>>,
        entry: u16,
        end: u64,
    ) -> Flow {
        let collect_at = self.collect_at(state);
        // Recursion may allocate much without ever closing a loop.
        let room = collect_at.min(self.settings.heap);
        let tracked = state.track.on;
        let (mut prepared, mut at) = (prepared, entry as usize);
        let mut base = state.frame().locals as usize;
        // Instructions are counted here while the lane is used.
        let mut count = state.instructions;

        macro_rules! value {
            ($slot:expr) => {
                state.values[base + $slot as usize]
            };
        }
        macro_rules! leave {
            () => {{
                self.step_out(state, &prepared, at, count);
                return Flow::Continue(());
            }};
        }
        macro_rules! of {
            ($kind:ident, $slot:expr) => {
                match value!($slot) {
                    Value::$kind(value) => value,
                    _ => leave!(),
                }
            };
        }
        macro_rules! object {
            ($slot:expr) => {
                match value!($slot) {
                    Value::Reference(reference) if !reference.is_null() => reference,
                    term @ Value::Term(_) => match self.known_object(state, term) {
                        Some(reference) => reference,
                        None => leave!(),
                    },
                    _ => leave!(),
                }
            };
        }
        macro_rules! jump {
            ($holds:expr, $target:expr, $cost:expr) => {{
                count += u64::from($cost);
                if $holds {
                    let target = $target as usize;
                    // Time and garbage are looked at where loops close.
                    if target <= at && (count >= end || state.heap.bytes() >= collect_at) {
                        self.step_out(state, &prepared, target, count);
                        return Flow::Break(Interrupt::Entered);
                    }
                    at = target;
                    continue;
                }
            }};
        }
        macro_rules! branch {
            ($holds:expr, $target:expr, $cost:expr) => {{
                let holds = $holds;
                if tracked {
                    let (from, to) = prepared.jumps[at];
                    let to = if holds { to } else { from + 1 };
                    if !note_jump(state, &prepared, (from, to), true) {
                        leave!()
                    }
                    self.note_reached(state, &prepared, at, Way::Branch(from, to));
                }
                jump!(holds, $target, $cost);
            }};
        }

        loop {
            match prepared.ops[at] {
                Op::Count { cost } => {
                    count += u64::from(cost);
                    // A block falls into the next.
                    if tracked {
                        let pc = prepared.exits[at].pc - 1;
                        self.note_reached(state, &prepared, at, Way::Through(pc));
                    }
                }
                Op::Slow => {
                    if prepared.is_unresolved[at] {
                        prepared.unresolved.set(prepared.unresolved.get() + 1);
                    }
                    leave!()
                }
                Op::Move { to, from } => value!(to) = value!(from),
                Op::Int { to, value } => value!(to) = Value::Int(value),
                Op::Constant { to, index } => value!(to) = prepared.constants[index as usize],
                Op::Literal { to, id } => match state.constants.get(&(state.frame().class, id)) {
                    Some(&value) => value!(to) = value,
                    None => leave!(),
                },
                Op::AddInt { to, a, b } => {
                    value!(to) = Value::Int(of!(Int, a).wrapping_add(of!(Int, b)));
                }
                Op::SubInt { to, a, b } => {
                    value!(to) = Value::Int(of!(Int, a).wrapping_sub(of!(Int, b)));
                }
                Op::MulInt { to, a, b } => {
                    value!(to) = Value::Int(of!(Int, a).wrapping_mul(of!(Int, b)));
                }
                Op::AddIntBy { to, a, by } => {
                    value!(to) = Value::Int(of!(Int, a).wrapping_add(by));
                }
                Op::Ints { op, to, a, b } => match int_binary(op, of!(Int, a), of!(Int, b)) {
                    Some(value) => value!(to) = Value::Int(value),
                    None => leave!(),
                },
                Op::IntsBy { op, to, a, by } => match int_binary(op, of!(Int, a), by) {
                    Some(value) => value!(to) = Value::Int(value),
                    None => leave!(),
                },
                Op::AddLong { to, a, b } => {
                    value!(to) = Value::Long(of!(Long, a).wrapping_add(of!(Long, b)));
                }
                Op::Longs { op, to, a, b } => {
                    let by = match value!(b) {
                        Value::Long(by) => by,
                        Value::Int(by) => by.into(),
                        _ => leave!(),
                    };
                    match long_binary(op, of!(Long, a), by) {
                        Some(value) => value!(to) = Value::Long(value),
                        None => leave!(),
                    }
                }
                Op::LongsBy { op, to, a, by } => match long_binary(op, of!(Long, a), by.into()) {
                    Some(value) => value!(to) = Value::Long(value),
                    None => leave!(),
                },
                Op::AddDouble { to, a, b } => {
                    let sum = of!(Double, a) + of!(Double, b);
                    value!(to) = crate::ops::double(sum);
                }
                Op::MulDouble { to, a, b } => {
                    let product = of!(Double, a) * of!(Double, b);
                    value!(to) = crate::ops::double(product);
                }
                Op::Doubles { op, to, a, b } => {
                    value!(to) = double_binary(op, of!(Double, a), of!(Double, b));
                }
                Op::DoublesBy { op, flipped, to, a, index } => {
                    let (a, b) = (of!(Double, a), prepared.constants[index as usize]);
                    let Value::Double(b) = b else { leave!() };
                    let (a, b) = if flipped { (b, a) } else { (a, b) };
                    value!(to) = double_binary(op, a, b);
                }
                Op::Floats { op, to, a, b } => {
                    value!(to) = float_binary(op, of!(Float, a), of!(Float, b));
                }
                Op::Negate { to, a } => {
                    value!(to) = match value!(a) {
                        Value::Int(value) => Value::Int(value.wrapping_neg()),
                        Value::Long(value) => Value::Long(value.wrapping_neg()),
                        Value::Float(value) => Value::Float(-value),
                        Value::Double(value) => Value::Double(-value),
                        _ => leave!(),
                    };
                }
                Op::Convert { into, to, a } => match converted(value!(a), into) {
                    Some(value) => value!(to) = value,
                    None => leave!(),
                },
                Op::Narrow { into, to, a } => {
                    value!(to) = Value::Int(of!(Int, a)).narrowed(narrowing(into));
                }
                Op::Compare { nan, to, a, b } => match compared(value!(a), value!(b), nan) {
                    Some(value) => value!(to) = Value::Int(value),
                    None => leave!(),
                },
                Op::Goto { target, cost } => {
                    if tracked {
                        let (from, to) = prepared.jumps[at];
                        if !note_jump(state, &prepared, (from, to), false) {
                            leave!()
                        }
                        // Without a cost it stands for no instruction.
                        if cost > 0 {
                            self.note_reached(state, &prepared, at, Way::Through(from));
                        }
                    }
                    jump!(true, target, cost);
                }
                Op::IfInts { condition, a, b, target, cost } => {
                    let holds = match (value!(a), value!(b)) {
                        (Value::Int(a), Value::Int(b)) => holds(condition, a, b),
                        (a, b) => match self.known_condition(state, condition, a, b) {
                            Some(holds) => holds,
                            None => leave!(),
                        },
                    };
                    branch!(holds, target, cost);
                }
                Op::IfInt { condition, a, value, target, cost } => {
                    let value = i32::from(value);
                    let holds = match value!(a) {
                        Value::Int(a) => holds(condition, a, value),
                        a => match self.known_condition(state, condition, a, Value::Int(value)) {
                            Some(holds) => holds,
                            None => leave!(),
                        },
                    };
                    branch!(holds, target, cost);
                }
                Op::IfCompared { condition, nan, a, b, target, cost } => {
                    match compared(value!(a), value!(b), nan) {
                        Some(order) => branch!(holds(condition, order, 0), target, cost),
                        None => leave!(),
                    }
                }
                Op::IfSame { wanted, a, b, target, cost } => {
                    let (a, b) = (of!(Reference, a), of!(Reference, b));
                    match self.same_objects(state, a, b) {
                        Flow::Continue(same) => branch!(same == wanted, target, cost),
                        Flow::Break(_) => leave!(),
                    }
                }
                Op::IfNull { wanted, a, target, cost } => {
                    match self.known_nullness(state, value!(a)) {
                        Some(null) => branch!(null == wanted, target, cost),
                        None => leave!(),
                    }
                }
                Op::Switch { a, id, cost } => {
                    let to = prepared.code.switch(id).target(of!(Int, a));
                    let Some(target) = prepared.entry(to) else { leave!() };
                    let from = prepared.exits[at].pc;
                    if tracked {
                        if !note_jump(state, &prepared, (from, to), true) {
                            leave!()
                        }
                        self.note_reached(state, &prepared, at, Way::Branch(from, to));
                    }
                    jump!(true, target, cost);
                }
                Op::Load { kind, to, array, index } => {
                    let (array, index) = (object!(array), of!(Int, index));
                    match element(&state.heap.object(array).body, kind, index as usize) {
                        Some(value) => value!(to) = value,
                        None => leave!(),
                    }
                }
                Op::Store { kind, array, index, from } => {
                    let (array, index) = (object!(array), of!(Int, index));
                    let value = value!(from);
                    if !self.store(state, kind, array, index, value) {
                        leave!()
                    }
                }
                Op::Length { to, array } => {
                    let body = &state.heap.object(object!(array)).body;
                    // The length of an input array is a term.
                    if matches!(
                        body,
                        Contents::Fields(_) | Contents::Elements(_) | Contents::Accessed(_)
                    ) {
                        leave!()
                    }
                    value!(to) = Value::Int(body.len() as i32);
                }
                Op::GetField { to, object, site } => {
                    let site = &prepared.fields[site as usize];
                    let source = match value!(object) {
                        Value::Reference(reference) if !reference.is_null() => reference,
                        term @ Value::Term(_) => match self.known_source(state, term) {
                            Some(reference) => reference,
                            None => leave!(),
                        },
                        _ => leave!(),
                    };
                    let object = state.heap.object(source);
                    if object.class != site.seen.get() {
                        if !self.program.is_subtype(object.class, site.owner) {
                            leave!()
                        }
                        site.seen.set(object.class);
                    }
                    let value = match &object.body {
                        Contents::Fields(fields) => fields.get(site.slot as usize).copied(),
                        Contents::Accessed(fields) => {
                            let value = fields.slot(site.slot as usize);
                            state.consulted += u32::from(value.is_some());
                            self.unknowns.reads_by_slot += u64::from(value.is_some());
                            value
                        }
                        _ => None,
                    };
                    match value {
                        // What static fields lead to may rest on assumptions.
                        Some(Value::Reference(_))
                            if !state.left.is_empty() && self.is_left(state, site.owner) =>
                        {
                            leave!()
                        }
                        Some(term @ Value::Term(_)) => match self.read(state, term) {
                            Flow::Continue(value) => value!(to) = value,
                            Flow::Break(_) => leave!(),
                        },
                        Some(value) => value!(to) = value,
                        None => leave!(),
                    }
                }
                Op::PutField { object, from, site } => {
                    let site = &prepared.fields[site as usize];
                    let reference = object!(object);
                    let value = value!(from);
                    if site.is_small && matches!(value, Value::Term(_)) {
                        leave!()
                    }
                    let class = state.heap.class(reference);
                    if class != site.seen.get() {
                        if !self.program.is_subtype(class, site.owner) {
                            leave!()
                        }
                        site.seen.set(class);
                    }
                    let value = if site.is_small { value.narrowed(site.value) } else { value };
                    let object = state.heap.object_mut(reference);
                    if !object.body.set_field(site.slot as usize, value) {
                        leave!()
                    }
                }
                Op::GetStatic { to, site } => {
                    let site = &prepared.fields[site as usize];
                    let entry = state.class_entry(site.owner);
                    if !is_ready(entry.initialization) || entry.statics.is_null() {
                        leave!()
                    }
                    match state.heap.get(entry.statics, site.slot as usize) {
                        // The streams of `System` are made when they are first read.
                        Some(Value::Reference(Reference::NULL))
                            if site.owner == self.known.system =>
                        {
                            leave!()
                        }
                        Some(term @ Value::Term(_)) => match self.read(state, term) {
                            Flow::Continue(value) => value!(to) = value,
                            Flow::Break(_) => leave!(),
                        },
                        Some(value) => value!(to) = value,
                        None => leave!(),
                    }
                }
                Op::PutStatic { from, site } => {
                    let site = &prepared.fields[site as usize];
                    let entry = state.class_entry(site.owner);
                    let value = value!(from);
                    if !is_ready(entry.initialization)
                        || entry.statics.is_null()
                        || matches!(value, Value::Term(_))
                        || !state.heap.set(
                            entry.statics,
                            site.slot as usize,
                            value.narrowed(site.value),
                        )
                    {
                        leave!()
                    }
                }
                Op::New { to, site } => {
                    let site = &prepared.classes[site as usize];
                    let bytes = 16 + 8 * site.blank.len() as u64;
                    if !is_ready(state.initialization(site.class))
                        || state.heap.bytes() + bytes > room
                    {
                        leave!()
                    }
                    let fields = Contents::Fields(Rc::from(&*site.blank));
                    value!(to) = Value::Reference(state.heap.allocate(site.class, fields));
                }
                Op::CheckCast { object, site } => {
                    let reference = of!(Reference, object);
                    let site = &prepared.classes[site as usize];
                    if !reference.is_null() {
                        let object = state.heap.object(reference);
                        if object.inexact {
                            leave!()
                        }
                        if self.unknowns.domains.is_sole(object.class) {
                            self.note_sole_test(state, reference, site.class);
                        }
                        if object.class != site.seen.get() {
                            if !self.program.is_subtype(object.class, site.class) {
                                leave!()
                            }
                            site.seen.set(object.class);
                        }
                    }
                }
                Op::InstanceOf { to, object, site } => {
                    let reference = of!(Reference, object);
                    let site = &prepared.classes[site as usize];
                    let is = !reference.is_null() && {
                        let object = state.heap.object(reference);
                        if object.inexact {
                            leave!()
                        }
                        if self.unknowns.domains.is_sole(object.class) {
                            self.note_sole_test(state, reference, site.class);
                        }
                        object.class == site.class
                            || self.program.is_subtype(object.class, site.class)
                    };
                    value!(to) = Value::boolean(is);
                }
                Op::Call { site, depth, cost } => {
                    let call = &prepared.calls[site as usize];
                    let floor = state.frame().floor as usize;
                    let first = floor + usize::from(depth - call.arguments);
                    let target = match self.target(state, call, first) {
                        Some(target) if count < end && (!tracked || self.is_shallow(state)) => {
                            target
                        }
                        _ => leave!(),
                    };
                    let pc = prepared.exits[at].pc;
                    if tracked {
                        self.note_reached(state, &prepared, at, Way::Through(pc));
                    }
                    count += u64::from(cost);
                    state.instructions = count;
                    state.frame_mut().pc = pc;
                    self.step_in(state, target, first, call.arguments);
                    if tracked {
                        self.entered(state);
                    }
                    match self.heated(target.method, target.code) {
                        Some(callee) if callee.entry(0).is_some() => {
                            prepared = callee;
                            at = usize::from(prepared.entry(0).unwrap_or_default());
                            base = first;
                            continue;
                        }
                        _ => return Flow::Break(Interrupt::Entered),
                    }
                }
                Op::Return { cost } => {
                    if tracked {
                        let pc = prepared.exits[at].pc;
                        self.note_reached(state, &prepared, at, Way::Through(pc));
                    }
                    count += u64::from(cost);
                    match self.step_back(state, None, count)? {
                        Onward::At(caller, next) => (prepared, at) = (caller, usize::from(next)),
                        Onward::Outside => return Flow::Break(Interrupt::Entered),
                    }
                    base = state.frame().locals as usize;
                    continue;
                }
                Op::ReturnValue { from, cost } => {
                    let value = value!(from);
                    let value = match (prepared.result, value) {
                        (_, Value::Term(_)) if prepared.is_small => leave!(),
                        (Some(result), _) if prepared.is_small => value.narrowed(result),
                        _ => value,
                    };
                    if tracked {
                        let pc = prepared.exits[at].pc;
                        self.note_reached(state, &prepared, at, Way::Through(pc));
                    }
                    count += u64::from(cost);
                    match self.step_back(state, Some(value), count)? {
                        Onward::At(caller, next) => (prepared, at) = (caller, usize::from(next)),
                        Onward::Outside => return Flow::Break(Interrupt::Entered),
                    }
                    base = state.frame().locals as usize;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Puts the frame on top into the form of bytecode, before an operation.
    fn step_out(&self, state: &mut State<'p>, prepared: &Prepared<'p>, at: usize, count: u64) {
        let exit = prepared.exits[at];
        state.instructions = count + u64::from(exit.done);
        let frame = state.frame_mut();
        frame.pc = exit.pc;
        let (base, floor) = (frame.locals as usize, frame.floor as usize);
        state.top = floor + usize::from(exit.depth);
        let moves = &prepared.moves[exit.moves.0 as usize..exit.moves.1 as usize];
        let read = |source: Source| match source {
            Source::Slot(slot) => state.values[base + usize::from(slot)],
            Source::Int(value) => Value::Int(value),
            Source::Constant(index) => prepared.constants[usize::from(index)],
        };
        // All are read before the first is written: they may overlap.
        if let [(to, from)] = *moves {
            let value = read(from);
            state.values[base + usize::from(to)] = value;
        } else if !moves.is_empty() {
            let moved: Vec<(Slot, Value)> =
                moves.iter().map(|&(to, from)| (to, read(from))).collect();
            for (to, value) in moved {
                state.values[base + usize::from(to)] = value;
            }
        }
    }

    /// The method that a call enters, if it can be entered from the lane.
    #[inline]
    fn target(
        &mut self,
        state: &State<'p>,
        call: &CallSite<'p>,
        first: usize,
    ) -> Option<Target<'p>> {
        if let Some(class) = call.initialized
            && !is_ready(state.initialization(class))
        {
            return None;
        }
        let mut receiver = None;
        if call.has_receiver {
            match state.values[first] {
                Value::Reference(reference) if !reference.is_null() => {
                    let object = state.heap.object(reference);
                    if object.inexact {
                        return None;
                    }
                    receiver = Some(object.class);
                    if call.is_dispatched && self.unknowns.domains.is_sole(object.class) {
                        self.note_sole_dispatch(state, reference, call.method);
                    }
                }
                _ => return None,
            }
        }
        if state.frames.len() >= self.settings.frames {
            return None;
        }
        match call.cache.get() {
            Some((selected, target)) if !call.is_dispatched || selected == receiver => Some(target),
            _ => self.find_target(call, receiver),
        }
    }

    #[cold]
    fn find_target(
        &mut self,
        call: &CallSite<'p>,
        receiver: Option<dalang_classes::ClassId>,
    ) -> Option<Target<'p>> {
        let mut method = call.method;
        if let Some(class) = receiver {
            let declaring = self.program.method(method).class;
            if !self.program.is_subtype(class, declaring) || self.dynamic.is_made(class) {
                return None;
            }
            if call.is_dispatched {
                method = self.program.select(class, method).ok()?;
            }
        }
        let declared = self.program.method(method);
        let Flow::Continue(Body::Code(code)) = self.body(method) else { return None };
        if declared.flags.is_synchronized() {
            return None;
        }
        let slots = declared.argument_slots();
        let target = Target { method, class: declared.class, code, slots };
        call.cache.set(Some((receiver, target)));
        Some(target)
    }

    /// Enters a method: its arguments are where its local variables begin.
    #[inline]
    fn step_in(&self, state: &mut State<'p>, target: Target<'p>, first: usize, arguments: u16) {
        let code = target.code;
        let floor = first + usize::from(code.max_locals);
        let limit = floor + usize::from(code.max_stack) + 1;
        if state.values.len() < limit {
            state.values.resize(limit + 64, Value::NULL);
        }
        let locals = &mut state.values[first..floor];
        if target.slots == arguments {
            locals[usize::from(arguments)..].fill(Value::NULL);
        } else {
            let method = self.program.method(target.method);
            crate::invoke::spread(method, locals, usize::from(arguments));
        }
        state.top = floor;
        state.frames.push(Frame {
            method: target.method,
            class: target.class,
            body: Body::Code(code),
            pc: 0,
            locals: first as u32,
            floor: floor as u32,
            stage: Stage::Start,
            then: Then::Deliver,
            hidden: false,
            since: state.instructions,
            monitor: Reference::NULL,
        });
    }

    /// Leaves a method; goes on in the lane if the caller is in it.
    #[inline]
    fn step_back(
        &mut self,
        state: &mut State<'p>,
        value: Option<Value>,
        count: u64,
    ) -> Flow<Onward<'p>> {
        state.instructions = count;
        let frame = state.frame();
        let plain = matches!(frame.then, Then::Deliver) && frame.monitor.is_null();
        let below = state.frames.len().checked_sub(2).map(|below| &state.frames[below]);
        let (Some(caller), true) = (below, plain) else {
            self.leave(state, value)?;
            return Flow::Continue(Onward::Outside);
        };
        let Body::Code(_) = caller.body else {
            self.leave(state, value)?;
            return Flow::Continue(Onward::Outside);
        };
        let method = caller.method;
        state.top = frame.locals as usize;
        state.frames.pop();
        if let Some(value) = value {
            state.push(value);
        }
        let caller = state.frame_mut();
        caller.pc += 1;
        let next = caller.pc;
        match self.lane.get(method) {
            Some(prepared) => match prepared.entry(next) {
                Some(entry) => Flow::Continue(Onward::At(prepared, entry)),
                None => Flow::Continue(Onward::Outside),
            },
            None => Flow::Continue(Onward::Outside),
        }
    }

    /// Stores an element; false, without effect, if something speaks against it.
    #[inline]
    fn store(
        &self,
        state: &mut State<'p>,
        kind: ElementKind,
        array: Reference,
        index: i32,
        value: Value,
    ) -> bool {
        let object = state.heap.object_mut(array);
        let index = index as usize;
        match (&mut object.body, value) {
            (Contents::Ints(values), Value::Int(value)) => put(values, index, value),
            (Contents::Longs(values), Value::Long(value)) => put(values, index, value),
            (Contents::Doubles(values), Value::Double(value)) => put(values, index, value),
            (Contents::Chars(values), Value::Int(value)) => put(values, index, value as u16),
            (Contents::Floats(values), Value::Float(value)) => put(values, index, value),
            (Contents::Shorts(values), Value::Int(value)) => put(values, index, value as i16),
            (Contents::Bytes(values), Value::Int(value)) if kind == ElementKind::ByteOrBoolean => {
                let boolean = self.boolean_array == Some(object.class);
                put(values, index, if boolean { (value & 1) as i8 } else { value as i8 })
            }
            (Contents::References(values), Value::Reference(value)) => {
                if !value.is_null() {
                    let array = object.class;
                    if index >= values.len() {
                        return false;
                    }
                    let class = state.heap.class(value);
                    if !self.holds_class(array, class) {
                        return false;
                    }
                }
                let Contents::References(values) = &mut state.heap.object_mut(array).body else {
                    return false;
                };
                put(values, index, value)
            }
            _ => false,
        }
    }

    /// Whether an array of this class can hold an object of that class.
    #[inline]
    fn holds_class(&self, array: dalang_classes::ClassId, class: dalang_classes::ClassId) -> bool {
        match self.program.class(array).shape {
            dalang_classes::Shape::Array { component, .. } => {
                component == self.known.object
                    || component == class
                    || self.program.is_subtype(class, component)
            }
            _ => false,
        }
    }
}

const fn is_ready(initialization: Initialization) -> bool {
    matches!(initialization, Initialization::Done | Initialization::Running)
}

#[inline]
fn put<T: Clone + Copy>(values: &mut Rc<[T]>, index: usize, value: T) -> bool {
    match Rc::get_mut(values) {
        Some(values) => match values.get_mut(index) {
            Some(place) => {
                *place = value;
                true
            }
            None => false,
        },
        // Bytecode copies what is shared.
        None => false,
    }
}

/// An element of an array that holds no terms.
#[inline]
fn element(body: &Contents, _: ElementKind, index: usize) -> Option<Value> {
    match body {
        Contents::Ints(values) => values.get(index).map(|&value| Value::Int(value)),
        Contents::Fields(_) | Contents::Values(_) | Contents::Elements(_) => None,
        other => other.get(index),
    }
}

#[inline]
fn compared(a: Value, b: Value, nan: i8) -> Option<i32> {
    match (a, b) {
        (Value::Long(a), Value::Long(b)) => Some(int_of(Some(a.cmp(&b)), nan.into())),
        (Value::Double(a), Value::Double(b)) => Some(int_of(a.partial_cmp(&b), nan.into())),
        (Value::Float(a), Value::Float(b)) => Some(int_of(a.partial_cmp(&b), nan.into())),
        _ => None,
    }
}
