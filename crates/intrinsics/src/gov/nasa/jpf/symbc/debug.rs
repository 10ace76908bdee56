//! `gov.nasa.jpf.symbc.Debug`. Its other methods are native, so they are stops by name, or are made of
//! these.

use crate::harness::{assume, is_symbolic, known_text, nothing, own_name};
use crate::table::{Row, spoken};
use dalang_classes::ValueType;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, bug};

/// What the request is called: the last argument is a name.
fn label(call: &mut Call<'_, '_>) -> Flow<String> {
    let name = known_text(call, call.arguments() - 1)?;
    Flow::Continue(format!("{}({})", own_name(call), name.as_deref().unwrap_or("null")))
}

/// Any value of the type that the method returns. A value that is given along, the one that a
/// concrete run goes by, stands for none.
fn make(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let label = label(call)?;
    match call.machine.program.method(call.method()).signature.result {
        Some(result @ ValueType::Primitive(_)) => {
            call.machine.ask_input(call.state, &label, result).map_continue(Some)
        }
        _ => bug(format!("{} gives no primitive value", call.spelling())),
    }
}

fn make_string(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (label, string) = (label(call)?, call.machine.known.string);
    call.machine.ask_object(call.state, &label, string).map_continue(Some)
}

const ANY: &str = "a request for any value, under a name";
const ASK: &str = "a question about what is known";
const SHOWN: &str = "nothing: it only shows something";

pub(crate) const ROWS: &[Row] = &[
    spoken("assume", "(Z)V", "an assumption", assume),
    spoken("makeSymbolicInteger", "(Ljava/lang/String;)I", ANY, make),
    spoken("makeSymbolicLong", "(Ljava/lang/String;)J", ANY, make),
    spoken("makeSymbolicShort", "(Ljava/lang/String;)S", ANY, make),
    spoken("makeSymbolicByte", "(Ljava/lang/String;)B", ANY, make),
    spoken("makeSymbolicReal", "(Ljava/lang/String;)D", ANY, make),
    spoken("makeSymbolicBoolean", "(Ljava/lang/String;)Z", ANY, make),
    spoken("makeSymbolicChar", "(Ljava/lang/String;)C", ANY, make),
    spoken("makeSymbolicString", "(Ljava/lang/String;)Ljava/lang/String;", ANY, make_string),
    spoken("addSymbolicInt", "(ILjava/lang/String;)I", ANY, make),
    spoken("addSymbolicByte", "(BLjava/lang/String;)B", ANY, make),
    spoken("addSymbolicChar", "(CLjava/lang/String;)C", ANY, make),
    spoken("addSymbolicDouble", "(DLjava/lang/String;)D", ANY, make),
    spoken("addSymbolicBoolean", "(ZLjava/lang/String;)Z", ANY, make),
    spoken("isSymbolicInteger", "(I)Z", ASK, is_symbolic),
    spoken("isSymbolicLong", "(J)Z", ASK, is_symbolic),
    spoken("isSymbolicShort", "(S)Z", ASK, is_symbolic),
    spoken("isSymbolicByte", "(B)Z", ASK, is_symbolic),
    spoken("isSymbolicChar", "(C)Z", ASK, is_symbolic),
    spoken("printPC", "(Ljava/lang/String;)V", SHOWN, nothing),
    spoken("printHeapPC", "(Ljava/lang/String;)V", SHOWN, nothing),
    spoken("printSymbolicRef", "(Ljava/lang/Object;Ljava/lang/String;)V", SHOWN, nothing),
];
