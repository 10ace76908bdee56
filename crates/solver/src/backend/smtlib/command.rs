//! How a solver is started: the program, its flags, and what to say when it cannot be.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// A program that reads SMT-LIB 2 from its input and answers on its output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtCommand {
    program: PathBuf,
    arguments: Vec<String>,
}

/// Why a solver could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// There is no such program.
    #[error("cannot start `{program}`: not found; {advice}")]
    NotFound {
        /// What was to be run.
        program: String,
        /// What the user can do.
        advice: String,
    },
    /// The program is there but does not start.
    #[error("cannot start `{program}`: {source}; try to run it yourself, or name another command")]
    Start {
        /// What was to be run.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The command is blank.
    #[error("the solver command is empty; write the program and its arguments, such as `z3 -in`")]
    Empty,
    /// The command has a quote that is not closed.
    #[error("the solver command `{command}` has an opening {quote} but no closing one")]
    Unclosed {
        /// The command as it was given.
        command: String,
        /// The quote.
        quote: char,
    },
}

const Z3: &[&str] = &["-in", "-smt2"];
const CVC5: &[&str] = &["--lang=smt2", "--incremental", "--produce-models", "--quiet"];
const BITWUZLA: &[&str] = &["--lang=smt2", "--produce-models"];

impl SmtCommand {
    /// A program with exactly these arguments.
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> SmtCommand {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        SmtCommand { program: program.into(), arguments }
    }

    /// The `z3` on the path.
    pub fn z3() -> SmtCommand {
        SmtCommand::new("z3", Z3)
    }

    /// The `cvc5` on the path.
    pub fn cvc5() -> SmtCommand {
        SmtCommand::new("cvc5", CVC5)
    }

    /// The `bitwuzla` on the path.
    pub fn bitwuzla() -> SmtCommand {
        SmtCommand::new("bitwuzla", BITWUZLA)
    }

    /// A command as a user writes it: words, with single or double quotes around what has blanks.
    ///
    /// A solver we know, without arguments, gets those it needs; given arguments are left alone.
    ///
    /// # Errors
    ///
    /// When the command is empty or a quote is not closed.
    pub fn parse(command: &str) -> Result<SmtCommand, SmtError> {
        let mut words = split(command)?.into_iter();
        let program = PathBuf::from(words.next().ok_or(SmtError::Empty)?);
        let arguments: Vec<String> = words.collect();
        let known = match program.file_name().and_then(OsStr::to_str) {
            Some("z3") => Z3,
            Some("cvc5") => CVC5,
            Some("bitwuzla") => BITWUZLA,
            _ => &[],
        };
        if arguments.is_empty() {
            return Ok(SmtCommand::new(program, known));
        }
        Ok(SmtCommand { program, arguments })
    }

    /// The `z3` on the path, if there is one.
    ///
    /// # Errors
    ///
    /// When no directory on the path has it.
    pub fn find_z3() -> Result<SmtCommand, SmtError> {
        Ok(SmtCommand::new(SmtCommand::z3().locate()?, Z3))
    }

    /// The file that would be executed. A bare name is looked for on the path, but not in folders
    /// that depend on where we are: a program that is analysed may have put something there.
    ///
    /// # Errors
    ///
    /// When no such directory on the path has it.
    pub fn locate(&self) -> Result<PathBuf, SmtError> {
        if self.program.components().nth(1).is_some() || self.program.is_absolute() {
            return Ok(self.program.clone());
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut name = self.program.clone().into_os_string();
        name.push(std::env::consts::EXE_SUFFIX);
        let mut candidates = std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(&name));
        candidates.find(|found| is_executable(found)).ok_or_else(|| self.not_found())
    }

    pub(super) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Z3 takes a limit for a single question; to others we give none.
    pub(super) fn is_z3(&self) -> bool {
        self.program.file_name() == Some(OsStr::new("z3"))
    }

    pub(super) fn not_found(&self) -> SmtError {
        let program = self.program.display().to_string();
        let advice = match program.as_str() {
            "z3" | "cvc5" => format!("install Debian's package {program} or name another command"),
            _ => String::from("install it, write its whole path, or name another command"),
        };
        SmtError::NotFound { program, advice }
    }
}

impl fmt::Display for SmtCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The words of a command; quotes hold blanks together and are dropped.
fn split(command: &str) -> Result<Vec<String>, SmtError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(SmtError::Unclosed { command: command.to_owned(), quote });
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::{SmtCommand, SmtError};

    #[test]
    fn commands_are_split_as_a_shell_would() {
        let parsed = SmtCommand::parse("  sh -c 'echo \"a b\"' \"it's\" '' ").unwrap();
        assert_eq!(parsed, SmtCommand::new("sh", &["-c", "echo \"a b\"", "it's", ""]));
        assert!(matches!(SmtCommand::parse(" "), Err(SmtError::Empty)));
        assert!(matches!(SmtCommand::parse("z3 'x"), Err(SmtError::Unclosed { quote: '\'', .. })));
    }

    #[test]
    fn known_solvers_get_their_flags() {
        assert_eq!(SmtCommand::parse("z3").unwrap(), SmtCommand::z3());
        assert_eq!(SmtCommand::parse("/opt/z3").unwrap().to_string(), "/opt/z3 -in -smt2");
        assert_eq!(SmtCommand::parse("z3 -in").unwrap().to_string(), "z3 -in");
    }
}
