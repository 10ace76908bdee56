//! `org.sosy_lab.sv_benchmarks.Verifier`, and its copies in other packages.

use crate::harness::{
    any_boolean, any_byte, any_char, any_double, any_float, any_int, any_long, any_short,
    any_string, assume,
};
use crate::table::{Row, spoken};

const ANY: &str = "a request for any value; strings are not null";

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
    spoken("nondetString", "()Ljava/lang/String;", ANY, any_string),
];
