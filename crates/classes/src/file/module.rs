//! Descriptions of modules: what `module-info.class` exports and opens, and to whom.

use crate::text::Text;
use noak::reader::{Class, cpool};

/// A package that a module exports or opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The package in internal form, `java/lang`.
    pub package: Box<str>,
    /// The modules that see it; all do if there are none.
    pub to: Box<[Box<str>]>,
}

/// What a module says of its packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleInfo {
    /// Whether all its packages are open.
    pub is_open: bool,
    /// What can be used by others.
    pub exports: Vec<Shown>,
    /// What others can reflect upon.
    pub opens: Vec<Shown>,
    /// The modules that it reads, and whether those who read it read them as well.
    pub requires: Vec<(Box<str>, bool)>,
    /// The services that it looks for, as names of classes in internal form.
    pub uses: Vec<Box<str>>,
    /// The services that it provides, with the classes that do so.
    pub provides: Vec<(Box<str>, Vec<Box<str>>)>,
}

const OPEN: u16 = 0x0020;
const TRANSITIVE: u16 = 0x0020;

/// Reads the description of a module; none if the bytes are no such thing.
pub(crate) fn parse(bytes: &[u8]) -> Option<ModuleInfo> {
    let class = Class::new(bytes).ok()?;
    let pool = class.pool();
    for attribute in class.attributes() {
        let attribute = attribute.ok()?;
        let name = cpool::Index::<cpool::Utf8<'_>>::new(attribute.name().as_u16()).ok()?;
        if pool.retrieve(name).ok()?.as_bytes() == b"Module" {
            return Scan { rest: attribute.content(), class: &class }.module();
        }
    }
    None
}

/// What is left of the content of a `Module` attribute (JVMS 4.7.25).
struct Scan<'a> {
    rest: &'a [u8],
    class: &'a Class<'a>,
}

impl Scan<'_> {
    fn module(mut self) -> Option<ModuleInfo> {
        let [_name, flags, _version] = [self.number()?, self.number()?, self.number()?];
        let mut requires = Vec::new();
        for _ in 0..self.number()? {
            let [module, flags, _version] = [self.number()?, self.number()?, self.number()?];
            requires.push((self.module_name(module)?, flags & TRANSITIVE != 0));
        }
        let (exports, opens) = (self.shown()?, self.shown()?);
        let uses = self.classes()?;
        let mut provides = Vec::new();
        for _ in 0..self.number()? {
            let service = self.number()?;
            provides.push((self.class_name(service)?, self.classes()?));
        }
        let is_open = flags & OPEN != 0;
        Some(ModuleInfo { is_open, exports, opens, requires, uses, provides })
    }

    fn classes(&mut self) -> Option<Vec<Box<str>>> {
        let mut all = Vec::new();
        for _ in 0..self.number()? {
            let class = self.number()?;
            all.push(self.class_name(class)?);
        }
        Some(all)
    }

    fn class_name(&self, index: u16) -> Option<Box<str>> {
        let index = cpool::Index::<cpool::Class<'_>>::new(index).ok()?;
        Some(text(self.class.pool().retrieve(index).ok()?.name))
    }

    fn module_name(&self, index: u16) -> Option<Box<str>> {
        let index = cpool::Index::<cpool::Module<'_>>::new(index).ok()?;
        Some(text(self.class.pool().retrieve(index).ok()?.name))
    }

    fn shown(&mut self) -> Option<Vec<Shown>> {
        let mut all = Vec::new();
        for _ in 0..self.number()? {
            let index = cpool::Index::<cpool::Package<'_>>::new(self.number()?).ok()?;
            let package = text(self.class.pool().retrieve(index).ok()?.name);
            self.number()?;
            let mut to = Vec::new();
            for _ in 0..self.number()? {
                let module = self.number()?;
                to.push(self.module_name(module)?);
            }
            all.push(Shown { package, to: to.into() });
        }
        Some(all)
    }

    fn number(&mut self) -> Option<u16> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u16::from_be_bytes(*number))
    }
}

fn text(name: &noak::MStr) -> Box<str> {
    Text::new(name.as_bytes()).to_str().into()
}

impl ModuleInfo {
    /// Whether a package, in internal form, is exported (or opened, which is more) to a module; to
    /// everyone if none is given. An unnamed module has the empty name.
    pub fn shows(&self, package: &str, to: Option<&str>, open: bool) -> bool {
        let fits = |shown: &Shown| {
            &*shown.package == package
                && (shown.to.is_empty() || shown.to.iter().any(|name| Some(&**name) == to))
        };
        self.is_open || self.opens.iter().any(fits) || !open && self.exports.iter().any(fits)
    }
}
