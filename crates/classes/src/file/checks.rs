//! Rules of the class file format that need no other class: versions, flags, names, duplicates.

use super::{ClassFile, Fault};
use crate::descriptor::{is_class_name, is_unqualified_name};
use crate::flags::Flags;
use crate::names::{Name, Names};
use noak::Version;
use rustc_hash::FxHashSet;

const OLDEST: u16 = 45;
const NEWEST: u16 = 69;
/// From this version on, the minor version is 0, or 65535 for preview features.
const JAVA_12: u16 = 56;

pub(super) fn version(version: Version) -> Result<(), Fault> {
    let Version { major, minor } = version;
    // Before 45.3, lengths in `Code` were narrower. No compiler of that time is around any more.
    let too_old = major < OLDEST || (major == OLDEST && minor < 3);
    let odd_minor = major >= JAVA_12 && minor != 0 && minor != u16::MAX;
    if too_old || major > NEWEST || odd_minor {
        return Err(Fault::Version { major, minor });
    }
    Ok(())
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::Format(what())) }
}

pub(super) fn class(file: &ClassFile, names: &Names) -> Result<(), Fault> {
    let name = names.text(file.name);
    require(is_class_name(name), || format!("`{name}` is not the name of a class"))?;
    let flags = file.flags;
    let legal = if flags.is_interface() {
        flags.is_abstract() && !flags.is_final() && !flags.is_enum()
    } else {
        !flags.has(Flags::FINAL | Flags::ABSTRACT) && !flags.is_annotation()
    };
    require(legal, || format!("the class flags {:#06x} contradict each other", flags.bits()))?;
    let superclass = file.superclass.map(|name| names.text(name));
    let is_object = name == "java/lang/Object";
    require(superclass.is_none() == is_object, || "the wrong class has no superclass".to_owned())?;
    let interface_above_object = !flags.is_interface() || superclass == Some("java/lang/Object");
    require(interface_above_object, || {
        "the superclass of an interface is not java.lang.Object".to_owned()
    })?;
    let above = superclass.into_iter().chain(file.interfaces.iter().map(|&name| names.text(name)));
    for name in above {
        require(is_class_name(name), || format!("`{name}` cannot be extended"))?;
    }
    let mut seen = FxHashSet::default();
    let twice = file.interfaces.iter().find(|&&interface| !seen.insert(interface));
    require(twice.is_none(), || "an interface is implemented twice".to_owned())
}

pub(super) fn members(file: &ClassFile, names: &Names) -> Result<(), Fault> {
    let mut seen: FxHashSet<(Name, Name)> = FxHashSet::default();
    for field in &file.fields {
        let name = names.text(field.name);
        require(is_unqualified_name(name), || format!("`{name}` is not the name of a field"))?;
        let what = || format!("field {name}: the flags {:#06x} are wrong", field.flags.bits());
        require(field_flags(field.flags, file.flags.is_interface()), what)?;
        let first = seen.insert((field.name, field.descriptor));
        require(first, || format!("the field {name} is declared twice"))?;
    }
    seen.clear();
    for method in &file.methods {
        let name = names.text(method.name);
        require(is_method_name(name), || format!("`{name}` is not the name of a method"))?;
        let what = || format!("method {name}: the flags {:#06x} are wrong", method.flags.bits());
        let legal = match name {
            "<clinit>" => true,
            "<init>" => initializer_flags(method.flags) && !file.flags.is_interface(),
            _ if file.flags.is_interface() => interface_method_flags(method.flags, file.major),
            _ => method_flags(method.flags),
        };
        require(legal, what)?;
        let void = !name.starts_with('<') || method.signature.result.is_none();
        require(void, || format!("{name} returns something"))?;
        let first = seen.insert((method.name, method.descriptor));
        require(first, || format!("the method {name} is declared twice"))?;
    }
    Ok(())
}

fn is_method_name(name: &str) -> bool {
    let special = name == "<init>" || name == "<clinit>";
    special || (is_unqualified_name(name) && !name.contains(['<', '>']))
}

/// At most one of `public`, `protected` and `private`.
fn one_visibility(flags: Flags) -> bool {
    let bits = flags.bits() & (Flags::PUBLIC | Flags::PRIVATE | Flags::PROTECTED);
    bits.count_ones() <= 1
}

fn field_flags(flags: Flags, in_interface: bool) -> bool {
    if in_interface {
        return flags.has(Flags::PUBLIC | Flags::STATIC | Flags::FINAL) && one_visibility(flags);
    }
    one_visibility(flags) && !flags.has(Flags::FINAL | Flags::VOLATILE)
}

fn method_flags(flags: Flags) -> bool {
    let beside_abstract =
        Flags::PRIVATE | Flags::STATIC | Flags::FINAL | Flags::SUPER | Flags::NATIVE;
    one_visibility(flags) && (!flags.is_abstract() || flags.bits() & beside_abstract == 0)
}

fn initializer_flags(flags: Flags) -> bool {
    let forbidden = Flags::STATIC | Flags::FINAL | Flags::SUPER | Flags::NATIVE | Flags::ABSTRACT;
    one_visibility(flags) && flags.bits() & forbidden == 0
}

fn interface_method_flags(flags: Flags, major: u16) -> bool {
    let forbidden = Flags::PROTECTED | Flags::FINAL | Flags::SUPER | Flags::NATIVE;
    if major < 52 {
        return flags.has(Flags::PUBLIC | Flags::ABSTRACT) && method_flags(flags);
    }
    flags.is_public() != flags.is_private() && flags.bits() & forbidden == 0 && method_flags(flags)
}
