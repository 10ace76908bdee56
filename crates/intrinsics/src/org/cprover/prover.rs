//! `org.cprover.CProver`.

use crate::harness::{
    any_boolean, any_byte, any_char, any_double, any_float, any_int, any_long, any_short, assume,
    nothing, own_name, unmeant,
};
use crate::table::{Row, spoken};
use dalang_classes::code::Instruction;
use dalang_classes::{ClassId, Primitive, ValueType};
use dalang_heap::Value;
use dalang_interp::{Body, Call, Flow, Interrupt, linked, raise, unsupported};
use dalang_term::Sort;

/// The type that a caller takes the result of a generic method for: javac casts it at once, unless it
/// takes it for an `Object`. JBMC looks there as well.
fn expected(call: &Call<'_, '_>) -> Flow<ClassId> {
    let frames = call.state.frames();
    let caller = frames.len().checked_sub(2).map(|at| &frames[at]);
    if let Some(caller) = caller
        && let Body::Code(code) = caller.body
    {
        return match code.instructions.get(usize::from(caller.pc) + 1) {
            Some(&Instruction::CheckCast(class)) => {
                linked(call.machine.program.resolve_class(caller.class, class))
            }
            _ => Flow::Continue(call.machine.known.object),
        };
    }
    unsupported(format!("{} of a type that its caller does not show", call.spelling()))
}

fn label(call: &Call<'_, '_>, class: ClassId) -> String {
    format!("{}({})", own_name(call), call.machine.program.class_spelling(class))
}

fn with_null(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = expected(call)?;
    let label = label(call, class);
    call.machine.ask_reference(call.state, &label, class).map_continue(Some)
}

fn without_null(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = expected(call)?;
    let label = label(call, class);
    call.machine.ask_object(call.state, &label, class).map_continue(Some)
}

/// An object of the type that the method returns.
fn stream(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let result = call.machine.program.method(call.method()).signature.result;
    let Some(result) = result else { return unmeant(call) };
    let class = linked(call.machine.program.class_of_type(result))?;
    let label = own_name(call);
    call.machine.ask_object(call.state, &label, class).map_continue(Some)
}

fn monitor_count(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.argument(0);
    let object = call.machine.object_of(call.state, object)?;
    if call.machine.shares_monitor(call.state, object) {
        return unsupported("the monitor of an object of the input");
    }
    let count = call.state.heap.object(object).lock;
    Flow::Continue(Some(Value::Int(count.into())))
}

/// Of nested classes and arrays the documentation does not say how they are called.
fn class_identifier(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.argument(0);
    let object = call.machine.object_of(call.state, object)?;
    let class = call.machine.class_of_object(call.state, object)?;
    let declared = call.machine.program.class(class);
    let own = |inner: &dalang_classes::InnerClass| inner.inner == declared.name;
    if declared.is_array() || declared.inner_classes().iter().any(own) {
        return unsupported(format!("{} of a nested class or an array", call.spelling()));
    }
    let name = call.machine.program.java_name(class);
    Flow::Continue(Some(call.machine.intern(call.state, &name)?.into()))
}

/// Any `float` that is equal to the argument; where there is none, the path is none.
fn double_to_float(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let float = ValueType::Primitive(Primitive::Float);
    let value = call.machine.next_input(call.state, "doubleToFloat", float)?;
    let [given, converted] = [call.argument(0), value].map(|value| call.machine.term(value));
    let wide = call.machine.pool.float_to_float(converted, Sort::F64);
    let equal = call.machine.pool.feq(given, wide);
    if !call.machine.decide(call.state, equal)? {
        return Flow::Break(Interrupt::Assumed);
    }
    call.state.knowledge.count_request();
    Flow::Continue(Some(value))
}

fn create_array(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let template = call.argument(1);
    let template = call.machine.object_of(call.state, template)?;
    let class = call.machine.class_of_object(call.state, template)?;
    let length = call.int(0)?;
    match usize::try_from(length) {
        Ok(length) => {
            let array = call.machine.allocate_array(call.state, class, length)?;
            Flow::Continue(Some(array.into()))
        }
        Err(_) => raise("java/lang/NegativeArraySizeException", length.to_string()),
    }
}

/// What is out of bounds is not defined, so it is not taken for an exception.
fn array_copy(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let system = call.machine.known.system;
    let descriptor = "(Ljava/lang/Object;ILjava/lang/Object;II)V";
    let method = call.machine.method(system, "arraycopy", descriptor)?;
    let arguments: Vec<Value> = (0..5).map(|index| call.argument(index)).collect();
    call.invoke(method, &arguments, super::strings::within_bounds)
}

const ANY: &str = "a request for any value";
const SOME: &str = "a request for any object of the type that the caller casts it to, or of any";
const CUT: &str = "a stop: to leave the path out, as JBMC does, would hide what it leads to";
const THREADS: &str = "a stop: there are no threads";
const NOTHING: &str = "nothing: there is one thread";
const OWN: &str = "done here, because the method's own body is for plain java";
const COPY: &str = "System.arraycopy, in bounds";

const T_TO_T: &str = "(Ljava/lang/Object;)Ljava/lang/Object;";
const ARRAYCOPY: &str = "([BI[BII)V";

pub(crate) const ROWS: &[Row] = &[
    spoken("assume", "(Z)V", "an assumption", assume),
    spoken("nondetBoolean", "()Z", ANY, any_boolean),
    spoken("nondetByte", "()B", ANY, any_byte),
    spoken("nondetChar", "()C", ANY, any_char),
    spoken("nondetShort", "()S", ANY, any_short),
    spoken("nondetInt", "()I", ANY, any_int),
    spoken("nondetLong", "()J", ANY, any_long),
    spoken("nondetFloat", "()F", ANY, any_float),
    spoken("nondetDouble", "()D", ANY, any_double),
    spoken("nondetWithNull", T_TO_T, SOME, with_null),
    spoken("nondetWithoutNull", T_TO_T, SOME, without_null),
    spoken("nondetWithNull", "()Ljava/lang/Object;", SOME, with_null),
    spoken("nondetWithoutNull", "()Ljava/lang/Object;", SOME, without_null),
    spoken("nondetWithNullForNotModelled", "()Ljava/lang/Object;", SOME, with_null),
    spoken("nondetWithoutNullForNotModelled", "()Ljava/lang/Object;", SOME, without_null),
    spoken("nondetPrintStream", "()Ljava/io/PrintStream;", ANY, stream),
    spoken("nondetBufferedInputStream", "()Ljava/io/BufferedInputStream;", ANY, stream),
    spoken("notModelled", "()V", CUT, unmeant),
    spoken("startThread", "(I)V", THREADS, unmeant),
    spoken("endThread", "(I)V", THREADS, unmeant),
    spoken("getCurrentThreadId", "()I", THREADS, unmeant),
    spoken("getCurrentThreadID", "()I", THREADS, unmeant),
    spoken("atomicBegin", "()V", NOTHING, nothing),
    spoken("atomicEnd", "()V", NOTHING, nothing),
    spoken("getMonitorCount", "(Ljava/lang/Object;)I", OWN, monitor_count),
    spoken("classIdentifier", "(Ljava/lang/Object;)Ljava/lang/String;", OWN, class_identifier),
    spoken("doubleToFloat", "(D)F", OWN, double_to_float),
    spoken("createArrayWithType", "(I[Ljava/lang/Object;)[Ljava/lang/Object;", OWN, create_array),
    spoken("arraycopy", ARRAYCOPY, COPY, array_copy),
    spoken("arraycopyInPlace", ARRAYCOPY, COPY, array_copy),
];
