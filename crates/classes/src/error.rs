//! What can be wrong with the files that a user hands us: one typed error for each kind.
//!
//! Every message says what is wrong, where, and what to do about it. What a *running program* gets
//! to see of it, a Java error, is [`crate::LinkFailure`]. Whatever a name from a file has in it, a
//! message is one line, in which nothing hides; only what javac prints has several.

use crate::javalite::JavaliteError;
use crate::line::{Shown, visible};
use std::path::PathBuf;

/// A file, archive, class or JDK that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// A path leads to nothing.
    #[error("{}: there is no such file or directory; correct the path", Shown(path.display()))]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// A class path names a file of another kind.
    #[error(
        "{}: not a directory, a jar or a class file; only those can be on a class path",
        Shown(path.display())
    )]
    NotAnEntry {
        /// The entry of the class path.
        path: PathBuf,
    },
    /// A path leads to something that reading might never end of.
    #[error("{}: {kind}, not an ordinary file; name a file", Shown(path.display()))]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it leads to.
        kind: &'static str,
    },
    /// A directory has more in it than any program has classes.
    #[error(
        "{}: more than {limit} files and folders; name the folder that holds the classes",
        Shown(path.display())
    )]
    TooMany {
        /// The directory.
        path: PathBuf,
        /// How many are looked at.
        limit: usize,
    },
    /// The operating system refuses to read.
    #[error(
        "{}: cannot be read ({}); check the file and its permissions",
        Shown(path.display()),
        Shown(detail)
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        detail: String,
    },
    /// A jar, jmod or run-time image is damaged.
    #[error(
        "{}: not a sound archive ({}); build or download it again",
        Shown(path.display()),
        Shown(detail)
    )]
    BrokenArchive {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// A file or an entry of an archive that is larger than anything that is worth reading.
    #[error(
        "{}: larger than {limit} bytes, the most that is read of such a file; leave it out",
        Shown(origin)
    )]
    TooLarge {
        /// The file, or the archive and the entry.
        origin: String,
        /// The most that is read.
        limit: u64,
    },
    /// A class file breaks the rules of its format.
    #[error(
        "{} ({}): not a valid class file: {}; compile the class again",
        Shown(class),
        Shown(origin),
        Shown(what)
    )]
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
        "{} ({}): class file version {major}.{minor} is not supported (45.3 to 69.0 are); compile \
         it with --release 25 or lower",
        Shown(class),
        Shown(origin)
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
    /// A class file is too new for the JDK whose library is used.
    #[error(
        "{} ({}): class file version {major}.{minor} needs Java {}, and this JDK is Java {}; name a \
         newer one with --jdk, or compile the class for the older one",
        Shown(class),
        Shown(origin),
        major - 44,
        newest - 44
    )]
    NewerThanJdk {
        /// The class, by the name under which it was looked for.
        class: String,
        /// Where its bytes came from.
        origin: String,
        /// The major version.
        major: u16,
        /// The minor version.
        minor: u16,
        /// The newest version that the JDK runs.
        newest: u16,
    },
    /// The bytecode of a method breaks a rule that running it would rely on.
    #[error(
        "{}.{} ({}): bad bytecode at {pc}: {}; compile the class again",
        Shown(class),
        Shown(method),
        Shown(origin),
        Shown(what)
    )]
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
    #[error(
        "{}: not a JDK: {}; name the folder that holds bin/ and lib/",
        Shown(path.display()),
        Shown(what)
    )]
    NotAJdk {
        /// The folder.
        path: PathBuf,
        /// What is missing there.
        what: String,
    },
    /// The JDK has no compiler.
    #[error("{}: no javac, so no source can be compiled; name a full JDK with --jdk", Shown(jdk.display()))]
    NoCompiler {
        /// The JDK.
        jdk: PathBuf,
    },
    /// javac refused a source file. The text is javac's own.
    #[error("{}", visible(text))]
    Compilation {
        /// Everything javac printed.
        text: String,
    },
    /// javac did not end.
    #[error(
        "javac did not end within {seconds} seconds; compile the sources yourself and name the classes"
    )]
    EndlessCompilation {
        /// How long it had.
        seconds: u64,
    },
    /// Whoever asked for something did not want it any more.
    #[error("interrupted")]
    Unwanted,
    /// A Javalite program has a mistake.
    #[error("{}:{error}", Shown(path.display()))]
    Javalite {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        error: JavaliteError,
    },
}
