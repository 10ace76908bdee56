//! Classes and fields that the machine itself has to know.

use dalang_classes::{ClassId, LinkFailure, Name, Program};
use dalang_heap::Layout;

/// Classes of `java.lang`, and the slots of those of their fields that are read or written without
/// bytecode.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are those of the classes and fields")]
pub struct Known {
    pub object: ClassId,
    pub class: ClassId,
    pub string: ClassId,
    pub throwable: ClassId,
    pub cloneable: ClassId,
    pub serializable: ClassId,
    pub system: ClassId,
    /// `java.io.File` need not be loaded; its static fields tell of the host.
    pub file: Name,
    pub byte_array: ClassId,
    pub char_array: ClassId,
    pub string_value: usize,
    /// None in Java 8, whose strings are arrays of `char`.
    pub string_coder: Option<usize>,
    /// Where a `java.lang.Class` keeps the number of its class: behind its declared fields.
    pub class_number: usize,
}

impl Known {
    pub(crate) fn new(program: &Program) -> Result<Self, LinkFailure> {
        let string = program.load("java/lang/String")?;
        let class = program.load("java/lang/Class")?;
        Ok(Self {
            object: program.object(),
            class,
            string,
            throwable: program.load("java/lang/Throwable")?,
            cloneable: program.load("java/lang/Cloneable")?,
            serializable: program.load("java/io/Serializable")?,
            system: program.load("java/lang/System")?,
            file: program.names().intern("java/io/File"),
            byte_array: program.load("[B")?,
            char_array: program.load("[C")?,
            string_value: slot(program, string, "value").unwrap_or_default(),
            string_coder: slot(program, string, "coder"),
            class_number: program.class(class).instance_fields.len(),
        })
    }

    /// How strings are stored.
    pub(crate) fn layout(&self) -> Layout {
        Layout {
            string: self.string,
            value: self.string_value,
            coder: self.string_coder,
            array: match self.string_coder {
                Some(_) => self.byte_array,
                None => self.char_array,
            },
        }
    }
}

/// The slot of an instance field by its name; the most derived one if several have it.
pub(crate) fn slot(program: &Program, class: ClassId, name: &str) -> Option<usize> {
    let name = program.names().find(name)?;
    let fields = &program.class(class).instance_fields;
    fields.iter().rposition(|&field| program.field(field).name == name)
}
