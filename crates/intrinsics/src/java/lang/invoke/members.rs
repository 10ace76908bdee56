//! Which members a `MethodHandles.Lookup` finds, and the exceptions for those that it does not.

use dalang_classes::{ClassId, FieldId, Flags, MethodId, Name, Shape};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Form, bug, raise};

const PRIVATE: i32 = 2;
const PROTECTED: i32 = 4;
const PACKAGE: i32 = 8;
const TRUSTED: i32 = -1;

/// What a lookup may see.
#[derive(Clone, Copy)]
pub(super) struct Lookup {
    /// On behalf of which class.
    pub(super) class: ClassId,
    pub(super) modes: i32,
}

/// The lookup that a method is called on.
pub(super) fn lookup(call: &Call<'_, '_>) -> Flow<Lookup> {
    let lookup = call.object(0)?;
    let mirror = call.machine.field(call.state, lookup, "lookupClass")?;
    let Value::Reference(mirror) = mirror else { return bug("a lookup without a class") };
    let class = call.machine.mirrored(call.state, mirror)?;
    match call.machine.field(call.state, lookup, "allowedModes")? {
        Value::Int(modes) => Flow::Continue(Lookup { class, modes }),
        _ => bug("a lookup without modes"),
    }
}

/// How messages spell a member: `a.B.name/type/kind`.
pub(super) struct Spelling<'a> {
    pub(super) class: ClassId,
    pub(super) name: &'a str,
    /// What comes behind the name: `/int/getField`, `(int)void/invokeStatic`.
    pub(super) rest: String,
}

impl Spelling<'_> {
    fn text(&self, call: &Call<'_, '_>) -> String {
        format!("{}.{}{}", call.machine.java_name(self.class), self.name, self.rest)
    }
}

impl Lookup {
    fn text(self, call: &Call<'_, '_>) -> String {
        let home = match call.machine.module(self.class) {
            Some(module) => format!("module {module}"),
            None => "unnamed module @0".to_owned(),
        };
        let sort = if call.machine.program.class(self.class).is_interface() {
            "interface"
        } else {
            "class"
        };
        format!("{sort} {} ({home})", call.machine.java_name(self.class))
    }

    /// The `IllegalAccessException` for a member.
    pub(super) fn refuse<T>(
        self,
        call: &Call<'_, '_>,
        why: &str,
        member: &Spelling<'_>,
    ) -> Flow<T> {
        let message = format!("{why}: {}, from {}", member.text(call), self.text(call));
        raise("java/lang/IllegalAccessException", message)
    }

    /// Throws unless a class may be named.
    pub(super) fn check_class(self, call: &Call<'_, '_>, class: ClassId) -> Flow {
        if self.modes == TRUSTED || self.sees_class(call, class) {
            return Flow::Continue(());
        }
        self.refuse_class(call, "symbolic reference class is not accessible", class)
    }

    /// The `IllegalAccessException` for a class.
    pub(super) fn refuse_class<T>(self, call: &Call<'_, '_>, why: &str, class: ClassId) -> Flow<T> {
        let interface = call.machine.program.class(class).is_interface();
        let sort = if interface { "interface" } else { "class" };
        let name = call.machine.java_name(class);
        let message = format!("{why}: {sort} {name}, from {}", self.text(call));
        raise("java/lang/IllegalAccessException", message)
    }

    /// Whether a class is public, or in the package that this lookup may look into.
    fn sees_class(self, call: &Call<'_, '_>, class: ClassId) -> bool {
        let program = call.machine.program;
        let class = match program.class(class).shape {
            Shape::Array { element, .. } => element,
            _ => class,
        };
        let same_package = program.class(self.class).package == program.class(class).package;
        program.class(class).flags.is_public() || (same_package && self.modes & PACKAGE != 0)
    }

    /// The class that the receiver of a member must be of: what is protected in another package is
    /// used of objects of the looking class only.
    pub(super) fn receiver(
        self,
        call: &Call<'_, '_>,
        named: ClassId,
        owner: ClassId,
        flags: Flags,
    ) -> ClassId {
        let program = call.machine.program;
        let other_package = program.class(self.class).package != program.class(owner).package;
        let narrowed = self.modes != TRUSTED
            && flags.is_protected()
            && other_package
            && !program.class(named).is_array()
            && program.is_subtype(self.class, named);
        if narrowed { self.class } else { named }
    }

    /// Throws unless a member may be used through a reference that names a class.
    pub(super) fn check(
        self,
        call: &Call<'_, '_>,
        named: ClassId,
        owner: ClassId,
        flags: Flags,
        member: &Spelling<'_>,
    ) -> Flow {
        if self.modes == TRUSTED {
            return Flow::Continue(());
        }
        let program = call.machine.program;
        let class_seen = self.sees_class(call, named);
        let mode = if flags.is_private() {
            PRIVATE
        } else if flags.is_public() {
            TRUSTED
        } else {
            // What is protected is also seen in the package.
            PACKAGE | if flags.is_protected() { PROTECTED } else { 0 }
        };
        let array_clone = program.class(named).is_array();
        let seen = array_clone || program.can_access_member(self.class, named, owner, flags);
        if class_seen && self.modes & mode != 0 && seen {
            return Flow::Continue(());
        }
        let why = if !class_seen {
            "class is not public"
        } else if flags.is_private() {
            "member is private"
        } else if flags.is_protected() {
            "member is protected"
        } else if flags.is_public() {
            "access to public member failed"
        } else {
            "member is private to package"
        };
        self.refuse(call, why, member)
    }
}

/// A field that a lookup finds. `verb` is `get` or `put`.
pub(super) fn find_field(
    call: &Call<'_, '_>,
    lookup: Lookup,
    (class, name, value): (ClassId, &str, ClassId),
    verb: &str,
    is_static: bool,
) -> Flow<FieldId> {
    let program = call.machine.program;
    let spelling = |of_static: bool| {
        let kind = if of_static { "Static" } else { "Field" };
        let rest = format!("/{}/{verb}{kind}", call.machine.java_name(value));
        Spelling { class, name, rest }
    };
    lookup.check_class(call, class)?;
    let names = program.names();
    let found = program.find_field(class, names.intern(name), descriptor(call, value));
    let Some(found) = found else {
        let message = format!("no such field: {}", spelling(is_static).text(call));
        return raise("java/lang/NoSuchFieldException", message);
    };
    let field = program.field(found);
    if field.flags.is_static() != is_static {
        let why = if is_static { "expected a static field" } else { "expected a non-static field" };
        return lookup.refuse(call, why, &spelling(field.flags.is_static()));
    }
    lookup.check(call, class, field.class, field.flags, &spelling(is_static))?;
    if verb == "put" && field.flags.is_final() && lookup.modes != TRUSTED {
        return lookup.refuse(call, "unexpected set of a final field", &spelling(is_static));
    }
    Flow::Continue(found)
}

/// A method that is looked for.
pub(super) struct Wanted<'a> {
    pub(super) form: Form,
    pub(super) class: ClassId,
    pub(super) name: &'a str,
    pub(super) descriptor: Name,
}

/// A method that a lookup finds.
pub(super) fn find_method(
    call: &Call<'_, '_>,
    lookup: Lookup,
    wanted: &Wanted<'_>,
) -> Flow<MethodId> {
    let program = call.machine.program;
    let Wanted { form, class, name, descriptor } = *wanted;
    let in_interface = program.class(class).is_interface();
    let spelling = |kind: &str| {
        let described = program.method_type(descriptor);
        let described = described.map_or(String::new(), |own| call.machine.spell(&own));
        Spelling { class, name, rest: format!("{described}/{kind}") }
    };
    let kind = match form {
        Form::Static => "invokeStatic",
        Form::Special => "invokeSpecial",
        Form::New => "newInvokeSpecial",
        _ if in_interface => "invokeInterface",
        _ => "invokeVirtual",
    };
    let sort = if form == Form::New { "no such constructor" } else { "no such method" };
    lookup.check_class(call, class)?;
    if form != Form::New && name.starts_with('<') {
        let message = format!("illegal method name: {name}");
        return raise("java/lang/NoSuchMethodException", message);
    }
    let interned = program.names().intern(name);
    let found = match form {
        Form::New => program.class(class).declared_method(interned, descriptor),
        _ if in_interface => program.find_interface_method(class, interned, descriptor),
        _ => program.find_method(class, interned, descriptor),
    };
    let Some(found) = found else {
        let message = format!("{sort}: {}", spelling(kind).text(call));
        return raise("java/lang/NoSuchMethodException", message);
    };
    let method = program.method(found);
    if method.flags.is_static() != (form == Form::Static) {
        return lookup.refuse(call, sort, &spelling(kind));
    }
    let seen = program.class(class).is_array()
        || lookup.modes == TRUSTED
        || program.can_access_member(lookup.class, class, method.class, method.flags);
    if !seen {
        return lookup.refuse(call, sort, &spelling(kind));
    }
    lookup.check(call, class, method.class, method.flags, &spelling(kind))?;
    Flow::Continue(found)
}

/// The descriptor of a type.
pub(super) fn descriptor(call: &Call<'_, '_>, class: ClassId) -> Name {
    let program = call.machine.program;
    let name = program.names().text(program.class(class).name);
    let text = match program.class(class).shape {
        Shape::Primitive(Some(primitive)) => primitive.letter().to_string(),
        Shape::Primitive(None) => "V".to_owned(),
        Shape::Array { .. } => name.to_owned(),
        Shape::Declared => format!("L{name};"),
    };
    program.names().intern(&text)
}
