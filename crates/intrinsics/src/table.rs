//! Tables of intrinsics, and the one that holds them all.

use crate::{dalang, gov, harness, java, jbse, jdk, org, sun, tools};
use dalang_classes::Outline;
use dalang_interp::{Intrinsic, Intrinsics, Native, Precision, Role, Takes};
use rustc_hash::FxHashMap;

/// One intrinsic of a class.
#[derive(Clone, Copy)]
pub struct Row {
    /// The name of the method.
    pub name: &'static str,
    /// Its descriptor; none stands for all methods of that name.
    pub descriptor: Option<&'static str>,
    /// Its body, and why it is there.
    pub intrinsic: Intrinsic,
}

/// The classes of a package that have intrinsics: internal names and tables.
pub(crate) type Package = &'static [(&'static str, &'static [Row])];

const fn row(
    name: &'static str,
    descriptor: Option<&'static str>,
    role: Role,
    function: Native,
) -> Row {
    let (precision, takes) = (Precision::Exact, Takes::Settled);
    Row { name, descriptor, intrinsic: Intrinsic { role, precision, takes, function } }
}

impl Row {
    /// The same, for an intrinsic that looks at the classes of arrays by itself.
    pub(crate) const fn loose(mut self) -> Self {
        self.intrinsic.takes = Takes::Arrays;
        self
    }

    /// The same, for an intrinsic that looks at all its arguments by itself.
    pub(crate) const fn untouched(mut self) -> Self {
        self.intrinsic.takes = Takes::Anything;
        self
    }
}

/// A native method.
pub(crate) const fn native(name: &'static str, descriptor: &'static str, function: Native) -> Row {
    row(name, Some(descriptor), Role::Native, function)
}

/// A native method whose descriptor differs between versions of the JDK, or that is overloaded in
/// a way that its body does not see.
pub(crate) const fn any(name: &'static str, function: Native) -> Row {
    row(name, None, Role::Native, function)
}

/// A method that has bytecode which would do as well.
pub(crate) const fn replacement(
    name: &'static str,
    descriptor: &'static str,
    reason: &'static str,
    function: Native,
) -> Row {
    row(name, Some(descriptor), Role::Replacement(reason), function)
}

/// A method that has bytecode which cannot be used here.
pub(crate) const fn required(
    name: &'static str,
    descriptor: &'static str,
    reason: &'static str,
    function: Native,
) -> Row {
    row(name, Some(descriptor), Role::Required(reason), function)
}

/// A method whose bytecode does for constants.
pub(crate) const fn symbolic(
    name: &'static str,
    descriptor: &'static str,
    reason: &'static str,
    function: Native,
) -> Row {
    row(name, Some(descriptor), Role::Symbolic(reason), function)
}

/// The same, whatever its descriptor is: libraries differ in it.
pub(crate) const fn required_any(
    name: &'static str,
    reason: &'static str,
    function: Native,
) -> Row {
    row(name, None, Role::Required(reason), function)
}

/// A method that says something to a verifier, or asks one for something.
pub(crate) const fn spoken(
    name: &'static str,
    descriptor: &'static str,
    meaning: &'static str,
    function: Native,
) -> Row {
    row(name, Some(descriptor), Role::Harness(meaning), function)
}

/// The same, for all methods of a name that have no row of their own.
pub(crate) const fn spoken_any(name: &'static str, meaning: &'static str, function: Native) -> Row {
    row(name, None, Role::Harness(meaning), function)
}

/// All intrinsics.
pub struct Library {
    /// A class may have several tables.
    classes: FxHashMap<&'static str, Vec<&'static [Row]>>,
}

impl Default for Library {
    fn default() -> Self {
        Self::new()
    }
}

impl Library {
    /// All intrinsics.
    pub fn new() -> Self {
        let mut classes: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for &(class, rows) in packages().flatten() {
            classes.entry(class).or_default().push(rows);
        }
        Self { classes }
    }

    /// All rows with the classes that they belong to, by class.
    pub fn rows(&self) -> Vec<(&'static str, Row)> {
        let rows = |(&class, tables): (&&'static str, &Vec<&'static [Row]>)| {
            tables.iter().flat_map(|rows| *rows).map(|&row| (class, row)).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = self.classes.iter().flat_map(rows).collect();
        all.sort_by_key(|(class, row)| (*class, row.name, row.descriptor));
        all
    }
}

fn packages() -> impl Iterator<Item = Package> {
    java::packages()
        .chain(jdk::packages())
        .chain(dalang::packages())
        .chain(gov::packages())
        .chain(jbse::packages())
        .chain(org::packages())
        .chain(sun::packages())
        .chain(tools::packages())
}

impl Intrinsics for Library {
    fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Intrinsic> {
        if descriptor == "()V" && matches!(name, "registerNatives" | "initIDs" | "initNative") {
            return Some(NOTHING);
        }
        let tables = self.classes.get(class)?;
        let fits = |row: &&Row| {
            row.name == name && row.descriptor.is_none_or(|wanted| wanted == descriptor)
        };
        tables.iter().flat_map(|rows| rows.iter()).find(fits).map(|row| row.intrinsic)
    }

    fn outlines(&self) -> Vec<Outline> {
        harness::outlines(&self.rows())
    }
}

/// What classes call to tell the virtual machine of their native methods.
const NOTHING: Intrinsic = Intrinsic {
    role: Role::Native,
    precision: Precision::Exact,
    takes: Takes::Settled,
    function: |_| dalang_interp::Flow::Continue(None),
};
