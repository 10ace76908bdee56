//! What can be wrong with the files that a user hands us: one typed error for each kind.
//!
//! Every message says what is wrong, where, and what to do about it. What a *running program* gets
//! to see of it, a Java error, is [`crate::LinkFailure`].

use std::path::PathBuf;

/// A file, archive, class or JDK that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// A class path names something that is not there.
    #[error("{}: there is no such file or directory; correct the class path", path.display())]
    Missing {
        /// The entry of the class path.
        path: PathBuf,
    },
    /// A class path names a file of another kind.
    #[error(
        "{}: not a directory, a jar or a class file; only those can be on a class path",
        path.display()
    )]
    NotAnEntry {
        /// The entry of the class path.
        path: PathBuf,
    },
    /// The operating system refuses to read.
    #[error("{}: cannot be read ({detail}); check the file and its permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        detail: String,
    },
    /// A jar, jmod or run-time image is damaged.
    #[error("{}: not a sound archive ({detail}); build or download it again", path.display())]
    BrokenArchive {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// A file or an entry of an archive that no class file can be as large as.
    #[error("{origin}: larger than {limit} bytes, which no class file here may be; leave it out")]
    TooLarge {
        /// The file, or the archive and the entry.
        origin: String,
        /// The most that is read.
        limit: u64,
    },
    /// A class file breaks the rules of its format.
    #[error("{class} ({origin}): not a valid class file: {what}; compile the class again")]
    Malformed {
        /// The class, by the name under which it was looked for.
        class: String,
        /// Where its bytes came from.
        origin: String,
        /// Which rule is broken.
        what: String,
    },
    /// A class file is too new, or too old, for us.
    #[error(
        "{class} ({origin}): class file version {major}.{minor} is not supported (45.3 to 69.0 \
         are); compile it with --release 25 or lower"
    )]
    UnsupportedVersion {
        /// The class, by the name under which it was looked for.
        class: String,
        /// Where its bytes came from.
        origin: String,
        /// The major version.
        major: u16,
        /// The minor version.
        minor: u16,
    },
    /// The bytecode of a method breaks a rule that running it would rely on.
    #[error("{class}.{method} ({origin}): bad bytecode at {pc}: {what}; compile the class again")]
    BadCode {
        /// The class.
        class: String,
        /// The method's name and descriptor.
        method: String,
        /// Where the class came from.
        origin: String,
        /// The offset of the instruction in the code.
        pc: u32,
        /// Which rule is broken.
        what: String,
    },
    /// No JDK was found.
    #[error("no JDK found (looked at {tried}); install one, or name one with --jdk or DALANG_JDK")]
    NoJdk {
        /// The places that were tried.
        tried: String,
    },
    /// A folder that was said to be a JDK is not.
    #[error("{}: not a JDK: {what}; name the folder that holds bin/ and lib/", path.display())]
    NotAJdk {
        /// The folder.
        path: PathBuf,
        /// What is missing there.
        what: String,
    },
    /// The JDK has no compiler.
    #[error("{}: no javac, so no source can be compiled; name a full JDK with --jdk", jdk.display())]
    NoCompiler {
        /// The JDK.
        jdk: PathBuf,
    },
    /// javac refused a source file. The text is javac's own.
    #[error("{text}")]
    Compilation {
        /// Everything javac printed.
        text: String,
    },
}
