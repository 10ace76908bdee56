//! References to concrete objects.

/// The number of an object in its heap; zero is `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(u32);

impl Reference {
    /// The null reference.
    pub const NULL: Self = Self(0);

    /// The reference with this number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number, which is also its identity in terms.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Whether it leads nowhere.
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}
