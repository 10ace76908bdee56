//! Text that grows: Latin-1 as long as it can be, because most of it is.

/// UTF-16 units, or Latin-1 characters, which are the same below 256.
pub(super) enum Units {
    Narrow(Vec<i8>),
    Wide(Vec<u16>),
}

impl Default for Units {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl Units {
    pub(super) fn ascii(&mut self, text: &str) {
        match self {
            Self::Narrow(bytes) => bytes.extend(text.bytes().map(|byte| byte as i8)),
            Self::Wide(units) => units.extend(text.encode_utf16()),
        }
    }

    pub(super) fn latin1(&mut self, text: &[i8]) {
        match self {
            Self::Narrow(bytes) => bytes.extend(text),
            Self::Wide(units) => units.extend(text.iter().map(|&byte| u16::from(byte as u8))),
        }
    }

    pub(super) fn extend(&mut self, text: &[u16]) {
        if text.iter().any(|&unit| unit >= 256) {
            self.widen();
        }
        match self {
            Self::Narrow(bytes) => bytes.extend(text.iter().map(|&unit| unit as i8)),
            Self::Wide(units) => units.extend(text),
        }
    }

    /// All units.
    pub(super) fn wide(mut self) -> Vec<u16> {
        self.widen();
        match self {
            Self::Wide(units) => units,
            Self::Narrow(_) => Vec::new(),
        }
    }

    fn widen(&mut self) {
        if let Self::Narrow(bytes) = self {
            *self = Self::Wide(bytes.iter().map(|&byte| u16::from(byte as u8)).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn text_is_widened_once_it_must_be() {
        let mut text = Units::default();
        text.ascii("a");
        text.latin1(&[-1]);
        text.extend(&[0xe9]);
        assert!(matches!(&text, Units::Narrow(bytes) if **bytes == [97, -1, -23]));
        text.extend(&[0x100]);
        text.latin1(&[-1]);
        text.ascii("b");
        assert!(matches!(&text, Units::Wide(units) if **units == [97, 255, 0xe9, 0x100, 255, 98]));
    }
}
