//! From bytes to a linked program: class paths, class files, bytecode, resolution and layout.
//!
//! A [`Program`] owns every class that was needed so far; dense ids ([`ClassId`], [`MethodId`],
//! [`FieldId`]) name what is in it. A class is read, checked and laid out when it is first asked
//! for, a method body is decoded when it is first asked for, and both stay as they are from then
//! on. Initialization, values and heaps are not here, and neither are terms.
//!
//! There is one namespace of classes, as if one class loader defined them all: the library is asked
//! first and the class path after it. Modules are not enforced.

mod changes;
pub mod code;
mod descriptor;
mod error;
mod file;
mod flags;
mod hierarchy;
mod ids;
pub mod javalite;
mod line;
mod link;
mod mentions;
mod names;
mod parameters;
pub mod path;
mod text;

pub use changes::Changes;
pub use descriptor::{Kind, MethodType, Primitive, ValueType};
pub use error::ClassError;
pub use file::{
    Bootstrap, ClassRef, Constant, DynamicRef, Enclosing, FieldRef, HandleKind, HandleTarget,
    InnerClass, MethodHandle, MethodRef, ModuleInfo, Pool, RawAttribute, RecordComponent, Shown,
};
pub use flags::Flags;
pub use hierarchy::Implementation;
pub use ids::{
    ClassId, ClassRefId, ConstantId, DynamicRefId, FieldId, FieldRefId, MethodId, MethodRefId,
    SwitchId,
};
pub use line::{is_hidden, one_line, visible};
pub use link::{
    Class, Dispatch, Field, FieldUse, InvokeKind, JavaError, LinkFailure, Method, Outline,
    Parameter, Program, Shape, Verified,
};
pub use names::{Name, Names};
pub use text::Text;
