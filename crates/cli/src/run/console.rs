//! The terminal that a program writes to and reads from.

use dalang_interp::{Console, Stream};
use std::io::{self, Read, Write};

/// Standard output is gathered, and written when there is much of it, when something else is
/// written or read, and at the end.
#[derive(Default)]
pub struct Terminal {
    out: Vec<u8>,
}

const MUCH: usize = 1 << 13;

impl Console for Terminal {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Out => {
                self.out.extend_from_slice(bytes);
                if self.out.len() >= MUCH {
                    self.flush();
                }
            }
            Stream::Err => {
                self.flush();
                // Like Java, a program goes on when nobody listens.
                let _ = io::stderr().write_all(bytes);
            }
        }
    }

    fn read(&mut self, most: usize) -> Option<Vec<u8>> {
        self.flush();
        let mut bytes = vec![0; most];
        let count = io::stdin().read(&mut bytes).unwrap_or(0);
        bytes.truncate(count);
        Some(bytes)
    }

    fn flush(&mut self) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(&self.out).and_then(|()| out.flush());
        self.out.clear();
    }
}
