//! `jbse.meta.Analysis`.

use crate::harness::{
    any_boolean, assume, check, holds, ignore, is_symbolic, known_text, nothing, unmeant,
};
use crate::table::{Row, spoken, spoken_any};
use dalang_classes::ValueType;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Initialization, Interrupt, violation};

fn fail(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    violation("the program says that it has failed")
}

/// What comes after it is of no interest: the path ends well.
fn succeed(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Break(Interrupt::Exit(0))
}

fn force(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let holds = holds(call, 0)?;
    Flow::Continue(Some(Value::boolean(holds)))
}

fn run_by_jbse(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::boolean(true)))
}

/// Whether it is known to what object a field refers. What is no field, or holds no reference, counts
/// as known.
fn is_resolved(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let object = call.argument(0);
    let object = call.machine.object_of(call.state, object)?;
    let field = match known_text(call, 1)? {
        Some(name) => call.machine.field_named(call.state, object.into(), &name)?,
        None => None,
    };
    let unknown = field.is_some_and(|field| {
        let declared = call.machine.program.field(field);
        let value = call.state.heap.get(object, declared.slot as usize).unwrap_or(Value::NULL);
        let value = call.machine.known_value(call.state, value);
        matches!((declared.value, value), (ValueType::Reference(_), Value::Term(_)))
    });
    Flow::Continue(Some(Value::boolean(!unknown)))
}

fn assume_not_initialized(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let mirror = call.argument(0);
    let mirror = call.machine.object_of(call.state, mirror)?;
    if call.state.knowledge.object(mirror).is_some() {
        return unmeant(call);
    }
    let class = call.machine.mirrored(call.state, mirror)?;
    match call.state.initialization(class) {
        Initialization::Not => Flow::Continue(None),
        _ => Flow::Break(Interrupt::Assumed),
    }
}

const ASK: &str = "a question about what is known";
const ENDS: &str = "an end of the path";
const WAYS: &str = "a stop: it is not recorded by which way a reference got its object";
const NAMES: &str = "a stop: JBSE spells symbols in a way of its own";

pub(crate) const ROWS: &[Row] = &[
    spoken("assume", "(Z)V", "an assumption", assume),
    spoken("ass3rt", "(Z)V", "a demand", check),
    spoken("fail", "()V", "a demand", fail),
    spoken("succeed", "()V", ENDS, succeed),
    spoken("ignore", "()V", ENDS, ignore),
    spoken("any", "()Z", "a request for any value; it is one value, as in plain java", any_boolean),
    spoken("force", "(Z)Z", "a decision", force),
    spoken("isRunByJBSE", "()Z", "true: something understands what the others mean", run_by_jbse),
    spoken("isSymbolic", "(B)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(C)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(S)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(I)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(J)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(Z)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(F)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(D)Z", ASK, is_symbolic),
    spoken("isSymbolic", "(Ljava/lang/Object;)Z", ASK, is_symbolic),
    spoken("isResolved", "(Ljava/lang/Object;Ljava/lang/String;)Z", ASK, is_resolved),
    spoken("assumeClassNotInitialized", "(Ljava/lang/Class;)V", ASK, assume_not_initialized),
    spoken("endGuidance", "()V", "nothing: nothing is guided", nothing),
    spoken_any("symbolName", NAMES, unmeant),
    spoken_any("isResolvedByAlias", WAYS, unmeant),
    spoken_any("isResolvedByExpansion", WAYS, unmeant),
];
