//! Where a program's output goes and its input comes from. The machine itself does no I/O.

/// One of the streams that a program can write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// The outside world, as far as a program sees it.
pub trait Console {
    /// Takes bytes that the program writes.
    fn write(&mut self, stream: Stream, bytes: &[u8]);

    /// Gives at most so many bytes of standard input; nothing at its end, `None` if the program is
    /// not to see any input.
    fn read(&mut self, most: usize) -> Option<Vec<u8>>;

    /// Makes what was written visible.
    fn flush(&mut self) {}
}

/// A world that nothing leaves and nothing comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence;

impl Console for Silence {
    fn write(&mut self, _: Stream, _: &[u8]) {}

    fn read(&mut self, _: usize) -> Option<Vec<u8>> {
        None
    }
}
