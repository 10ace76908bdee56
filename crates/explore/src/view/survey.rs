//! What loading some classes brings to light: the types that they mention.

use dalang_classes::{ClassId, Name, Program};
use rustc_hash::FxHashSet;

/// What some classes mention, and how many of them cannot be loaded.
pub(super) struct Survey {
    pub(super) loaded: Vec<ClassId>,
    mentioned: FxHashSet<Name>,
    pub(super) broken: usize,
}

impl Survey {
    /// Loads classes and looks at what they mention, themselves included.
    pub(super) fn of(program: &Program, names: &[String]) -> Self {
        let mut survey = Self { loaded: Vec::new(), mentioned: FxHashSet::default(), broken: 0 };
        for name in names {
            match program.load(name) {
                Ok(class) => {
                    survey.loaded.push(class);
                    survey.mentioned.extend(program.mentioned(class));
                }
                Err(_) => survey.broken += 1,
            }
        }
        survey
    }

    /// Adds what another survey found.
    pub(super) fn join(&mut self, other: &Self) {
        self.loaded.extend(&other.loaded);
        self.mentioned.extend(&other.mentioned);
        self.broken += other.broken;
    }

    /// All types that are mentioned, by name.
    pub(super) fn mentioned<'p>(&self, program: &'p Program) -> Vec<&'p str> {
        let mut names: Vec<&str> =
            self.mentioned.iter().map(|&name| program.names().text(name)).collect();
        names.sort_unstable();
        names
    }
}

/// The class of the elements of an array type, in internal form; a class itself; for arrays of
/// primitive types nothing that is a class.
pub(super) fn element(name: &str) -> &str {
    let inner = name.trim_start_matches('[');
    if inner.len() == name.len() {
        return name;
    }
    inner.strip_prefix('L').and_then(|inner| inner.strip_suffix(';')).unwrap_or("")
}
