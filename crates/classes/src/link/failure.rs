//! Errors that a running program gets to see when a class or member cannot be linked.
//!
//! A failure is a value: it names the Java error, and whoever runs the program throws it. If files
//! are the reason, it also keeps the error that says so to the user.

use crate::error::ClassError;
use crate::line::{MESSAGE, line};
use std::sync::Arc;

/// The errors that linking can lead to (JVMS 5.3, 5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the names of classes in java.lang")]
pub enum JavaError {
    AbstractMethodError,
    ClassCircularityError,
    ClassFormatError,
    IllegalAccessError,
    IncompatibleClassChangeError,
    NoClassDefFoundError,
    NoSuchFieldError,
    NoSuchMethodError,
    StackOverflowError,
    UnsupportedClassVersionError,
    VerifyError,
}

impl JavaError {
    /// The class of the error, in internal form.
    pub const fn class_name(self) -> &'static str {
        match self {
            Self::AbstractMethodError => "java/lang/AbstractMethodError",
            Self::ClassCircularityError => "java/lang/ClassCircularityError",
            Self::ClassFormatError => "java/lang/ClassFormatError",
            Self::IllegalAccessError => "java/lang/IllegalAccessError",
            Self::IncompatibleClassChangeError => "java/lang/IncompatibleClassChangeError",
            Self::NoClassDefFoundError => "java/lang/NoClassDefFoundError",
            Self::NoSuchFieldError => "java/lang/NoSuchFieldError",
            Self::NoSuchMethodError => "java/lang/NoSuchMethodError",
            Self::StackOverflowError => "java/lang/StackOverflowError",
            Self::UnsupportedClassVersionError => "java/lang/UnsupportedClassVersionError",
            Self::VerifyError => "java/lang/VerifyError",
        }
    }
}

/// Why something cannot be linked: the Java error to throw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkFailure {
    /// Its class.
    pub error: JavaError,
    /// Its message: one line, and not empty.
    pub message: Arc<str>,
    /// What is wrong with which file, if a file is the reason. A file that cannot be *read* is the
    /// one case that no Java program is to blame for.
    pub cause: Option<Arc<ClassError>>,
}

impl LinkFailure {
    pub(crate) fn new(error: JavaError, message: impl AsRef<str>) -> Self {
        Self { error, message: line(message.as_ref(), MESSAGE).into(), cause: None }
    }

    /// The failure that a running program sees of an unusable class.
    pub(super) fn from_file(class: &str, cause: ClassError) -> Self {
        let (error, message) = match &cause {
            ClassError::Malformed { what, .. } => {
                (JavaError::ClassFormatError, format!("{what} in class file {class}"))
            }
            ClassError::UnsupportedVersion { major, minor, .. } => (
                JavaError::UnsupportedClassVersionError,
                format!("{class} has class file version {major}.{minor}"),
            ),
            ClassError::BadCode { method, what, .. } => {
                (JavaError::VerifyError, format!("{what} in {}.{method}", class.replace('/', ".")))
            }
            _ => (JavaError::NoClassDefFoundError, class.to_owned()),
        };
        Self { cause: Some(Arc::new(cause)), ..Self::new(error, message) }
    }
}

/// So that a failure and a reference to one can be treated alike.
impl AsRef<LinkFailure> for LinkFailure {
    fn as_ref(&self) -> &LinkFailure {
        self
    }
}
