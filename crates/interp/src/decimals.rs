//! The decimal text of a symbolic integer, and messages of exceptions that have one.
//!
//! The text is terms over the number: its length, and what is at each place. Nothing is decided by
//! making it, so a text that nobody looks at (most messages) divides no path and asks no solver.

use crate::flow::{Argument, Flow, Interrupt, Raise};
use crate::machine::Machine;
use dalang_heap::Text;
use dalang_term::TermId;
use std::rc::Rc;

/// A part of a message.
#[derive(Clone, Copy, Debug)]
pub enum Phrase<'a> {
    /// Text that is always the same.
    Words(&'a str),
    /// An integer.
    Number(TermId),
}

impl Machine<'_> {
    /// What `toString` gives for an `int` or a `long`.
    pub fn decimal(&mut self, number: TermId) -> Text {
        let digits: u32 = if self.pool.sort(number).width() == 64 { 19 } else { 10 };
        let zero = self.alike(number, 0);
        let negative = self.pool.slt(number, zero);
        let opposite = self.pool.neg(number);
        // Read without a sign, this is right for the least number too.
        let size = self.pool.ite(negative, opposite, number);
        // below[i]: whether i + 1 digits are enough.
        let below: Vec<TermId> = (1..digits)
            .map(|count| {
                let power = self.alike(number, 10_i64.pow(count));
                self.pool.ult(size, power)
            })
            .collect();
        let values: Vec<TermId> = (0..digits).map(|place| self.digit(size, place)).collect();
        let mut length = self.pool.int(digits as i32);
        for (more, &enough) in below.iter().enumerate().rev() {
            let count = self.pool.int(more as i32 + 1);
            length = self.pool.ite(enough, count, length);
        }
        let mut unsigned = Vec::with_capacity(values.len());
        for place in 0..values.len() {
            // With one more digit than the place has before it, the last digit is there.
            let mut unit = values[values.len() - 1 - place];
            for count in (place + 1..values.len()).rev() {
                unit = self.pool.ite(below[count - 1], values[count - 1 - place], unit);
            }
            unsigned.push(unit);
        }
        self.signed(negative, length, &unsigned)
    }

    /// A constant of the same type as another number.
    fn alike(&mut self, number: TermId, value: i64) -> TermId {
        match self.pool.sort(number).width() {
            64 => self.pool.long(value),
            _ => self.pool.int(value as i32),
        }
    }

    /// The character for the digit that stands for so many tens of tens.
    fn digit(&mut self, size: TermId, place: u32) -> TermId {
        let (power, ten) = (self.alike(size, 10_i64.pow(place)), self.alike(size, 10));
        let quotient = self.pool.udiv(size, power);
        let digit = self.pool.urem(quotient, ten);
        let digit = self.pool.extract(digit, 7, 0);
        let zero = self.pool.bitvec(8, u64::from(b'0'));
        let character = self.pool.add(digit, zero);
        self.pool.zero_extend(character, 16)
    }

    /// Digits with a minus before them, or without.
    fn signed(&mut self, negative: TermId, length: TermId, digits: &[TermId]) -> Text {
        let one = self.pool.int(1);
        let longer = self.pool.add(length, one);
        let length = self.pool.ite(negative, longer, length);
        let minus = self.pool.bitvec(16, u64::from(b'-'));
        let mut units = Vec::with_capacity(digits.len() + 1);
        for place in 0..=digits.len() {
            let shifted = if place == 0 { minus } else { digits[place - 1] };
            let plain = digits.get(place).copied().unwrap_or(shifted);
            units.push(self.pool.ite(negative, shifted, plain));
        }
        Text { length, units: units.into(), narrow: true }
    }

    /// A message.
    pub fn message(&mut self, phrases: &[Phrase<'_>]) -> Flow<Text> {
        let mut texts = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            texts.push(match phrase {
                Phrase::Words(words) => {
                    self.constant_text(&words.encode_utf16().collect::<Vec<_>>())
                }
                Phrase::Number(number) => self.decimal(*number),
            });
        }
        self.joined_all(&texts)
    }
}

/// An exception of the virtual machine, with a message that holds terms.
pub fn raise_text<T>(class: &'static str, message: Text) -> Flow<T> {
    let argument = Argument::Text(Rc::new(message));
    Flow::Break(Interrupt::Raise(Box::new(Raise { class, argument })))
}
