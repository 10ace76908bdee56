//! What a method puts into arrays and into objects of the library.
//!
//! What was made for the place where it is put, and is nowhere else, can only be had from there. If it is
//! somewhere else as well, or came from there, it can be changed and handed on without a look at the place,
//! and so can all that is in it.

use super::{Effects, Follower, From, PLAIN, VIEWS, pop, reads};
use crate::descriptor::ValueType;
use rustc_hash::FxHashSet;

/// Packages of the library whose objects hand what is put into them to nobody else.
const KEEPERS: [&str; 2] = ["java/util/", "java/lang/ref/"];

impl Follower<'_> {
    /// The object of the library, below so many arguments, into which a method puts these; none if it
    /// is none, or none that is followed.
    pub(super) fn filled(
        &self,
        (owner, name): (&str, &str),
        below: usize,
        stack: &[From],
    ) -> Option<From> {
        let whole = *stack.get(stack.len().checked_sub(below + 1)?)?;
        let is_followed = !matches!(whole, From::Elsewhere | From::Plain | From::This);
        let reads = reads(name) || VIEWS.contains(&name);
        (is_followed && !reads && self.around.is_library(owner)).then_some(whole)
    }

    /// Arguments are put into an object of the library.
    pub(super) fn fill(
        &mut self,
        whole: From,
        owner: &str,
        parameters: &[ValueType],
        stack: &mut Vec<From>,
    ) {
        for &kind in parameters.iter().rev() {
            let value = pop(stack);
            let ValueType::Reference(kind) = kind else { continue };
            if PLAIN.contains(&self.program.names().text(kind)) {
                continue;
            }
            self.pack(whole, value);
            if !KEEPERS.iter().any(|begins| owner.starts_with(begins)) {
                self.effects.lose(value);
            }
        }
    }

    /// A value is put into an array or an object of the library.
    pub(super) fn pack(&mut self, whole: From, value: From) {
        if !matches!(value, From::Made(_)) {
            self.effects.lose(value);
        }
        if !self.is_plain(value) {
            self.effects.packs.entry(value).or_default().insert(whole);
        }
    }

    /// Whether a value is a text, a box or a constant of an enum, which can be anywhere.
    fn is_plain(&self, value: From) -> bool {
        match value {
            From::Plain => true,
            From::Field(field) => {
                let field = self.program.field(field);
                let name = match field.value {
                    ValueType::Reference(kind) => self.program.names().text(kind),
                    ValueType::Primitive(_) => return true,
                };
                field.flags.is_enum() || PLAIN.contains(&name)
            }
            _ => false,
        }
    }
}

impl Effects {
    /// Whether what it returns is something that it has made, which nobody else has.
    pub(super) fn makes(&self) -> bool {
        let is_new = |&at: &usize| {
            let has_left = self.lost.contains(&at) || self.spilled.contains(&at);
            !has_left && !self.fields.contains_key(&at) && !self.is_packed(at)
        };
        let is_certain = !self.returns_other && !self.spreads && !self.returned.is_empty();
        is_certain && self.returned.iter().all(is_new)
    }

    /// What has been made and is in several places has escaped from each of them.
    pub(super) fn conclude(&mut self) {
        let spread = self.spread();
        self.spreads = !spread.is_empty();
        let spilled: Vec<From> = self.spilled.iter().map(|&at| From::Made(at)).collect();
        for whole in spread.into_iter().chain(spilled) {
            let fields = match whole {
                From::Field(field) | From::Inner(field) | From::Part(field) | From::Own(field) => {
                    vec![field]
                }
                From::Made(at) | From::Within(at) => {
                    self.fields.get(&at).into_iter().flatten().copied().collect()
                }
                From::Elsewhere | From::Plain | From::This => Vec::new(),
            };
            self.parts.extend(&fields);
            self.inner.extend(&fields);
        }
        for (&at, fields) in &self.fields {
            let is_elsewhere = self.lost.contains(&at)
                || self.is_packed(at)
                || self.returned.contains(&at)
                || fields.len() > 1;
            if is_elsewhere {
                self.escaped.extend(fields);
                self.changed.extend(fields);
            }
        }
    }

    fn is_packed(&self, at: usize) -> bool {
        self.packs.contains_key(&From::Made(at))
    }

    /// In what is something that can be somewhere else as well.
    fn spread(&self) -> FxHashSet<From> {
        let mut spread = FxHashSet::default();
        loop {
            let before = spread.len();
            for (value, wholes) in &self.packs {
                if wholes.len() > 1 || self.is_elsewhere(*value) || spread.contains(value) {
                    // What is in a part of something is in that.
                    spread.extend(wholes.iter().map(|&whole| match whole {
                        From::Within(at) => From::Made(at),
                        _ => whole,
                    }));
                }
            }
            if spread.len() == before {
                return spread;
            }
        }
    }

    /// Whether what was put somewhere can be somewhere else as well.
    fn is_elsewhere(&self, value: From) -> bool {
        let From::Made(at) = value else { return true };
        self.lost.contains(&at)
            || self.spilled.contains(&at)
            || self.fields.contains_key(&at)
            || self.returned.contains(&at)
    }
}
