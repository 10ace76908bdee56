//! Names of classes and members, and descriptors: each text is stored once and compared by number.
//!
//! Reading a name takes no lock. Class names are in internal form, `java/lang/String`.

use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A name or descriptor of a program. How two names compare by `<` means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// The name with this number; whether anything has it is for the caller to know.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number, by which it can be kept where only numbers are.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// All names of a program.
#[derive(Default)]
pub struct Names {
    numbers: RwLock<FxHashMap<Arc<str>, Name>>,
    texts: boxcar::Vec<Arc<str>>,
}

impl Names {
    /// The name with this text, new or old.
    pub fn intern(&self, text: &str) -> Name {
        if let Some(name) = self.find(text) {
            return name;
        }
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&name) = numbers.get(text) {
            return name;
        }
        let text: Arc<str> = text.into();
        let name = Name(self.texts.push(Arc::clone(&text)) as u32);
        numbers.insert(text, name);
        name
    }

    /// The name with this text, if anything has that name.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.read().unwrap_or_else(PoisonError::into_inner).get(text).copied()
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.texts.get(name.0 as usize).map_or("", |text| text)
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn equal_texts_have_equal_names() {
        let names = Names::default();
        let a = names.intern("a");
        assert_eq!(names.intern("a"), a);
        assert_ne!(names.intern("b"), a);
        assert_eq!(names.text(a), "a");
        assert_eq!(names.find("c"), None);
    }
}
