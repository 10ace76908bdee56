//! Which methods are executed often, and their translations.

use super::prepared::Prepared;
use super::translate::translate;
use crate::machine::Machine;
use dalang_classes::MethodId;
use dalang_classes::code::Code;
use std::rc::Rc;

/// How often a method is entered, or jumps back, before it is translated.
const HOT: u32 = 40;
/// How often a method is translated again because more of its references are resolved.
const MOST_TRANSLATIONS: u8 = 6;

#[derive(Clone, Default)]
enum Stage<'p> {
    #[default]
    Cold,
    Ready(Rc<Prepared<'p>>),
    /// It cannot be translated.
    Never,
}

#[derive(Clone, Default)]
struct Entry<'p> {
    count: u32,
    translations: u8,
    stage: Stage<'p>,
}

/// All translations of a machine.
#[derive(Default)]
pub(crate) struct Lane<'p> {
    entries: Vec<Entry<'p>>,
}

impl<'p> Lane<'p> {
    /// The translation of a method.
    #[inline]
    pub(crate) fn get(&self, method: MethodId) -> Option<Rc<Prepared<'p>>> {
        match self.entries.get(method.index()) {
            Some(Entry { stage: Stage::Ready(prepared), .. }) => Some(Rc::clone(prepared)),
            _ => None,
        }
    }
}

impl<'p> Machine<'p> {
    /// Notes that a method is executed, and gives its translation if it is worth having.
    #[inline]
    pub(crate) fn heated(&mut self, method: MethodId, code: &'p Code) -> Option<Rc<Prepared<'p>>> {
        if let Some(Entry { stage: Stage::Ready(prepared), .. }) =
            self.lane.entries.get(method.index())
            && !prepared.is_outdated()
        {
            return Some(Rc::clone(prepared));
        }
        self.heat(method, code)
    }

    fn heat(&mut self, method: MethodId, code: &'p Code) -> Option<Rc<Prepared<'p>>> {
        if !self.settings.express {
            return None;
        }
        let entries = &mut self.lane.entries;
        if entries.len() <= method.index() {
            entries.resize(method.index() + 1, Entry::default());
        }
        let entry = &mut entries[method.index()];
        entry.count += 1;
        match &entry.stage {
            Stage::Never => return None,
            Stage::Cold if entry.count < HOT => return None,
            Stage::Ready(prepared) if entry.translations >= MOST_TRANSLATIONS => {
                return Some(Rc::clone(prepared));
            }
            Stage::Cold | Stage::Ready(_) => {}
        }
        entry.translations += 1;
        let translated = translate(self, method, code).map(Rc::new);
        self.lane.entries[method.index()].stage = match &translated {
            Some(prepared) => Stage::Ready(Rc::clone(prepared)),
            None => Stage::Never,
        };
        translated
    }
}
