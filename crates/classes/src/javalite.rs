//! Javalite, the small language of the papers on heap summaries: from its text to class files.
//!
//! A text is read (`reader`), its forms are recognised (`parse`, into the tree of `syntax`), names
//! and types are checked (`check`, into the tree of `typed`), bodies become instructions (`lower`),
//! and those become class files (`emit`). From there on a program goes the way of every other:
//! nothing outside of this folder knows that a class was written in Javalite.
//!
//! `docs/javalite.md` says what the language is and where it departs from the papers. This folder
//! does no I/O; `path` reads the files.

mod check;
mod emit;
mod error;
mod lower;
mod parse;
mod reader;
mod syntax;
mod typed;

pub use error::JavaliteError;

/// A program in class files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The classes, in the order of the text: their names and class files.
    pub classes: Vec<(String, Vec<u8>)>,
    /// The class and the method that the program begins with, if it says so.
    pub entry: Option<(String, String)>,
}

/// Translates a program. `file` is the name that reports show for its lines.
///
/// # Errors
/// A text that is no program, or none whose names and types fit; the first mistake is told.
pub fn compile(text: &str, file: &str) -> Result<Unit, JavaliteError> {
    let form = reader::read(text)?;
    let program = parse::program(&form)?;
    let program = check::program(&program)?;
    let classes = emit::classes(&program, file)?;
    let entry = program.entry.map(|(class, method)| {
        let class = &program.classes[class];
        (class.name.clone(), class.methods[method].name.clone())
    });
    Ok(Unit { classes, entry })
}
