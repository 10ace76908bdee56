//! Which classes there are for inputs to be of.

use dalang_classes::Program;
use dalang_heap::Domains;

/// Which classes there are for inputs to be of.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Names of classes, in internal form.
    pub classes: Vec<String>,
}

impl View {
    /// The sets of classes over this view.
    pub fn domains(&self, program: &Program) -> Domains {
        let mut names = self.classes.clone();
        names.sort();
        let loaded: Vec<_> = names.iter().filter_map(|name| program.load(name).ok()).collect();
        let instantiable =
            loaded.iter().copied().filter(|&class| program.class(class).is_instantiable());
        Domains::new(instantiable.collect(), loaded.clone().into())
    }
}
