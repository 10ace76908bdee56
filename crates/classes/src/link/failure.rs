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
    InstantiationError,
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
            Self::InstantiationError => "java/lang/InstantiationError",
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
    /// The field or method that is not there, spelled in full; Java's message may be less.
    pub member: Option<Arc<str>>,
}

impl LinkFailure {
    /// A failure that no file is to blame for by itself.
    pub fn new(error: JavaError, message: impl AsRef<str>) -> Self {
        Self { error, message: line(message.as_ref(), MESSAGE).into(), cause: None, member: None }
    }

    /// The same, for a field or method that is not there.
    pub(super) fn of_member(self, member: &str) -> Self {
        Self { member: Some(line(member, MESSAGE).into()), ..self }
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
            ClassError::NewerThanJdk { major, minor, newest, .. } => (
                JavaError::UnsupportedClassVersionError,
                format!(
                    "{class} has been compiled by a more recent version of the Java Runtime (class \
                     file version {major}.{minor}), this version of the Java Runtime only recognizes \
                     class file versions up to {newest}.0"
                ),
            ),
            ClassError::BadCode { method, what, .. } => {
                (JavaError::VerifyError, format!("{what} in {}.{method}", class.replace('/', ".")))
            }
            _ => (JavaError::NoClassDefFoundError, class.to_owned()),
        };
        Self { cause: Some(Arc::new(cause)), ..Self::new(error, message) }
    }

    /// What is missing or does not fit, and what to do about it: for people who analyse a program,
    /// not for the program.
    pub fn remedy(&self) -> String {
        if let Some(cause) = &self.cause {
            return cause.to_string();
        }
        let message = &self.message;
        if let Some(member) = &self.member {
            return format!(
                "{member} is not in the class that is there; put the version that has it on the \
                 class path with --class-path, or name the JDK that has it with --jdk"
            );
        }
        match self.error {
            JavaError::NoClassDefFoundError if is_of_library(message) => {
                let class = message.replace('/', ".");
                format!(
                    "{class} is not in the library of this JDK; name a JDK that has it with --jdk"
                )
            }
            JavaError::NoClassDefFoundError => {
                let class = message.replace('/', ".");
                format!("{class} is not on the class path; add it with --class-path")
            }
            error => {
                let error = error.class_name().rsplit('/').next().unwrap_or_default();
                format!(
                    "{error}: {message}; put versions of the classes that fit together on the class \
                     path with --class-path, or name the JDK that they were made for with --jdk"
                )
            }
        }
    }
}

/// Whether a class, in internal form, could only be the library's.
fn is_of_library(class: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"].iter().any(|place| class.starts_with(place))
}

/// So that a failure and a reference to one can be treated alike.
impl AsRef<LinkFailure> for LinkFailure {
    fn as_ref(&self) -> &LinkFailure {
        self
    }
}
