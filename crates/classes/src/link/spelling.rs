//! Names of classes and members as people and error messages spell them.

use super::program::Program;
use crate::descriptor::ValueType;
use crate::ids::{ClassId, FieldId, MethodId};
use crate::names::Name;

impl Program {
    /// A class name as Java source has it, except that nested classes keep their `$`: `a.b.C`,
    /// `int`, `java.lang.String[][]`.
    pub fn class_spelling(&self, class: ClassId) -> String {
        spell(self.names().text(self.class(class).name))
    }

    /// What `Class.getName` gives: arrays are named as class files name them, with dots.
    pub fn java_name(&self, class: ClassId) -> String {
        self.names().text(self.class(class).name).replace('/', ".")
    }

    /// A type as Java source has it.
    pub fn type_spelling(&self, value: ValueType) -> String {
        match value {
            ValueType::Primitive(primitive) => primitive.keyword().to_owned(),
            ValueType::Reference(name) => spell(self.names().text(name)),
        }
    }

    /// `a.b.C.m(ILjava/lang/String;)V`, the way reports name a method.
    pub fn method_spelling(&self, method: MethodId) -> String {
        let method = self.method(method);
        let (name, descriptor) =
            (self.names().text(method.name), self.names().text(method.descriptor));
        format!("{}.{name}{descriptor}", self.class_spelling(method.class))
    }

    /// `a.b.C.f`, the way reports name a field.
    pub fn field_spelling(&self, field: FieldId) -> String {
        let field = self.field(field);
        format!("{}.{}", self.class_spelling(field.class), self.names().text(field.name))
    }

    /// Where two classes are, in the JVM's own words: modules are not enforced, but spoken of.
    pub(super) fn whereabouts(&self, first: ClassId, second: ClassId) -> String {
        let home = |class: ClassId| match &self.class(class).origin.module {
            Some(module) => format!("module {module} of loader 'bootstrap'"),
            None => "unnamed module of loader 'app'".to_owned(),
        };
        let (one, other) = (home(first), home(second));
        let (first, second) = (self.java_name(first), self.java_name(second));
        if one == other {
            format!("({first} and {second} are in {one})")
        } else {
            format!("({first} is in {one}; {second} is in {other})")
        }
    }

    /// `void a.b.C.m(int, java.lang.String)`, the way the JVM's own messages name a method.
    pub(super) fn signature_spelling(
        &self,
        class: ClassId,
        name: Name,
        descriptor: Name,
    ) -> String {
        let (class, name) = (self.class_spelling(class), self.names().text(name));
        let Some(signature) = self.method_type(descriptor) else {
            return format!("{class}.{name}{}", self.names().text(descriptor));
        };
        let result = signature.result.map_or("void".to_owned(), |value| self.type_spelling(value));
        let parameters: Vec<String> =
            signature.parameters.iter().map(|&value| self.type_spelling(value)).collect();
        format!("{result} {class}.{name}({})", parameters.join(", "))
    }
}

fn spell(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    if dimensions == 0 {
        return name.replace('/', ".");
    }
    let element = match element.strip_prefix('L') {
        Some(class) => class.trim_end_matches(';').replace('/', "."),
        None => match element {
            "Z" => "boolean".to_owned(),
            "B" => "byte".to_owned(),
            "C" => "char".to_owned(),
            "S" => "short".to_owned(),
            "I" => "int".to_owned(),
            "J" => "long".to_owned(),
            "F" => "float".to_owned(),
            _ => "double".to_owned(),
        },
    };
    element + &"[]".repeat(dimensions)
}
