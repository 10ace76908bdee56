//! Reading bytes of code without ever reading past their end.

use super::Defect;

/// A place in some bytes.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Defect> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else {
            return Err(Defect::new(self.at as u32, "the code ends in the middle of something"));
        };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Defect> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Defect> {
        self.array().map(u8::from_be_bytes)
    }

    pub(super) fn i8(&mut self) -> Result<i8, Defect> {
        self.array().map(i8::from_be_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Defect> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn i16(&mut self) -> Result<i16, Defect> {
        self.array().map(i16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Defect> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, Defect> {
        self.array().map(i32::from_be_bytes)
    }
}
