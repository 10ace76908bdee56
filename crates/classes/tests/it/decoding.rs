//! decoding
