//! Rules of the class file format that need no other class: versions, flags, names, duplicates.

use super::{ClassFile, Fault};
use crate::descriptor::{is_class_name, is_unqualified_name};
use crate::flags::Flags;
use crate::names::{Name, Names};
use noak::Version;
use rustc_hash::FxHashSet;

const OLDEST: u16 = 45;
const NEWEST: u16 = 69;
const JAVA_5: u16 = 49;
const JAVA_6: u16 = 50;
const JAVA_8: u16 = 52;
const JAVA_17: u16 = 61;
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
    let is_strict = file.major >= JAVA_5;
    let legal = if flags.is_interface() {
        // Compilers of old did not bother to say that an interface is abstract.
        (flags.is_abstract() || file.major < JAVA_6)
            && !flags.is_final()
            && !(is_strict && (flags.is_enum() || flags.has(Flags::SUPER)))
    } else {
        let is_annotation = is_strict && flags.is_annotation();
        !is_annotation && !flags.has(Flags::FINAL | Flags::ABSTRACT)
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
        require(field_flags(field.flags, file.flags.is_interface(), file.major), what)?;
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
            "<init>" => initializer_flags(method.flags, file.major) && !file.flags.is_interface(),
            _ if file.flags.is_interface() => interface_method_flags(method.flags, file.major),
            _ => method_flags(method.flags, file.major),
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

fn field_flags(flags: Flags, in_interface: bool, major: u16) -> bool {
    if in_interface {
        let forbidden =
            Flags::VOLATILE | Flags::TRANSIENT | if major >= JAVA_5 { Flags::ENUM } else { 0 };
        return flags.has(Flags::PUBLIC | Flags::STATIC | Flags::FINAL)
            && one_visibility(flags)
            && flags.bits() & forbidden == 0;
    }
    one_visibility(flags) && !flags.has(Flags::FINAL | Flags::VOLATILE)
}

/// What an abstract method may not be beside, in class files of a version.
fn beside_abstract(major: u16) -> u16 {
    let always = Flags::PRIVATE | Flags::STATIC | Flags::FINAL | Flags::NATIVE;
    match major {
        ..JAVA_5 => always,
        JAVA_5..JAVA_17 => always | Flags::SUPER | Flags::STRICT,
        _ => always | Flags::SUPER,
    }
}

fn method_flags(flags: Flags, major: u16) -> bool {
    one_visibility(flags) && (!flags.is_abstract() || flags.bits() & beside_abstract(major) == 0)
}

fn initializer_flags(flags: Flags, major: u16) -> bool {
    let forbidden = Flags::STATIC | Flags::FINAL | Flags::SUPER | Flags::NATIVE | Flags::ABSTRACT;
    let bridge = if major >= JAVA_5 { Flags::VOLATILE } else { 0 };
    one_visibility(flags) && flags.bits() & (forbidden | bridge) == 0
}

fn interface_method_flags(flags: Flags, major: u16) -> bool {
    let old = Flags::STATIC | Flags::FINAL | Flags::NATIVE;
    let forbidden = match major {
        ..JAVA_5 => old,
        JAVA_5..JAVA_8 => old | Flags::PRIVATE | Flags::PROTECTED | Flags::SUPER | Flags::STRICT,
        _ => Flags::PROTECTED | Flags::FINAL | Flags::SUPER | Flags::NATIVE,
    };
    let is_shown = if major < JAVA_8 {
        flags.has(Flags::PUBLIC | Flags::ABSTRACT)
    } else {
        flags.is_public() != flags.is_private()
    };
    is_shown && flags.bits() & forbidden == 0 && (major < JAVA_8 || method_flags(flags, major))
}
