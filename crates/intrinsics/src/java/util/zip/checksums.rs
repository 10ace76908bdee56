//! `java.util.zip.CRC32` and `Adler32`.

use crate::table::{Row, native};
use dalang_heap::{Body, Value};
use dalang_interp::{Call, Flow, bug, raise_bare, unsupported};

/// The range of bytes that a method is given as array, offset and length.
fn bytes(call: &Call<'_, '_>) -> Flow<Vec<u8>> {
    let (array, offset, length) = (call.object(1)?, call.int(2)?, call.int(3)?);
    match &call.state.heap.object(array).body {
        Body::Bytes(bytes) => {
            let end = i64::from(offset) + i64::from(length);
            let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
            match range.and_then(|(start, end)| bytes.get(start..end)) {
                Some(bytes) => Flow::Continue(bytes.iter().map(|&byte| byte as u8).collect()),
                None => raise_bare("java/lang/ArrayIndexOutOfBoundsException"),
            }
        }
        Body::Values(_) | Body::Patched(_) | Body::Elements(_) => {
            unsupported("a checksum of symbolic bytes")
        }
        _ => bug("a checksum of something else than bytes"),
    }
}

fn crc32(crc: i32, bytes: &[u8]) -> Flow<Option<Value>> {
    let mut hasher = crc32fast::Hasher::new_with_initial(crc as u32);
    hasher.update(bytes);
    Flow::Continue(Some(Value::Int(hasher.finalize() as i32)))
}

fn crc32_byte(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    crc32(call.int(0)?, &[call.int(1)? as u8])
}

fn crc32_bytes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    crc32(call.int(0)?, &bytes(call)?)
}

/// The definition of RFC 1950: two sums modulo the largest prime below 2 to the 16.
fn adler32(adler: i32, bytes: &[u8]) -> Flow<Option<Value>> {
    const PRIME: u32 = 65_521;
    let (mut low, mut high) = (adler as u32 & 0xffff, adler as u32 >> 16);
    for &byte in bytes {
        low = (low + u32::from(byte)) % PRIME;
        high = (high + low) % PRIME;
    }
    Flow::Continue(Some(Value::Int((high << 16 | low) as i32)))
}

fn adler32_byte(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    adler32(call.int(0)?, &[call.int(1)? as u8])
}

fn adler32_bytes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    adler32(call.int(0)?, &bytes(call)?)
}

pub(crate) const CRC32: &[Row] =
    &[native("update", "(II)I", crc32_byte), native("updateBytes0", "(I[BII)I", crc32_bytes)];

pub(crate) const ADLER32: &[Row] =
    &[native("update", "(II)I", adler32_byte), native("updateBytes", "(I[BII)I", adler32_bytes)];
