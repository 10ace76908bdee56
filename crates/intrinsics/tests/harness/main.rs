//! What harnesses mean: assumptions, demands and requests, in our words and in those of other tools.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

mod explorer;
mod garbage;
mod objects;
mod tools;
mod verify;
