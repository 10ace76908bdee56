//! Reading: from text to nested lists of atoms, each with its place.
//!
//! Parentheses and brackets mean the same and must match, as in the language in which the papers'
//! authors wrote theirs. `$`, `@`, `=` and `:=` are atoms wherever they stand, so that `x$f` is three
//! atoms. A comment goes from `;` to the end of its line. Lists nest up to a limit, because everything
//! that follows recurses over them.

use super::error::{JavaliteError, Place};
use std::iter::Peekable;
use std::str::Chars;

/// The most lists that can be open at once.
const DEEPEST: usize = 300;

/// The most bytes of a name. Class files could have longer ones, messages could not.
const LONGEST_NAME: usize = 1000;

/// A class file has sixteen bits for a line.
const LAST_LINE: u32 = 65_535;

/// An atom or a list.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) place: Place,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Atom(String),
    List(Vec<Form>),
}

/// The only form of a text.
pub(super) fn read(text: &str) -> Result<Form, JavaliteError> {
    let mut reader =
        Reader { rest: text.chars().peekable(), place: Place { line: 1, column: 1 }, depth: 0 };
    reader.skip()?;
    let Some(&first) = reader.rest.peek() else {
        return Err(reader.error(
            "there is no program here",
            "write `((class C (fields) (methods)) ...)`, with the entry as `(((class ...) ...) (C m))`",
        ));
    };
    let form = reader.form(first)?;
    reader.skip()?;
    if reader.rest.peek().is_some() {
        return Err(reader.error(
            "something follows the program",
            "a file is one list of classes, in parentheses of its own: `((class ...) ...)`",
        ));
    }
    Ok(form)
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    place: Place,
    depth: usize,
}

impl Reader<'_> {
    fn error(&self, what: impl Into<String>, remedy: impl Into<String>) -> JavaliteError {
        JavaliteError::new(self.place, what, remedy)
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        if next == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    /// Leaves out blanks and comments.
    fn skip(&mut self) -> Result<(), JavaliteError> {
        while let Some(&next) = self.rest.peek() {
            if next == ';' {
                while self.rest.peek().is_some_and(|&next| next != '\n') {
                    self.next();
                }
            } else if next.is_whitespace() || (next == '\u{feff}' && self.is_start()) {
                self.next();
            } else {
                break;
            }
        }
        if self.place.line > LAST_LINE {
            return Err(self.error(
                format!("the file has more than {LAST_LINE} lines"),
                "divide it: class files cannot tell later lines",
            ));
        }
        Ok(())
    }

    fn is_start(&self) -> bool {
        self.place == Place { line: 1, column: 1 }
    }

    /// The form that begins with this character, which is the next one.
    fn form(&mut self, first: char) -> Result<Form, JavaliteError> {
        let place = self.place;
        let content = match first {
            '(' => Content::List(self.list(place, '(', ')')?),
            '[' => Content::List(self.list(place, '[', ']')?),
            ')' | ']' => {
                return Err(self.error(
                    format!("`{first}` closes nothing"),
                    "remove it, or open a list before it",
                ));
            }
            _ => Content::Atom(self.atom(first)?),
        };
        Ok(Form { place, content })
    }

    fn list(&mut self, start: Place, open: char, close: char) -> Result<Vec<Form>, JavaliteError> {
        if self.depth == DEEPEST {
            return Err(self.error(
                format!("more than {DEEPEST} lists are open here"),
                "move inner parts to methods of their own",
            ));
        }
        self.depth += 1;
        self.next();
        let mut forms = Vec::new();
        loop {
            self.skip()?;
            match self.rest.peek() {
                None => {
                    return Err(JavaliteError::new(
                        start,
                        format!("`{open}` is never closed"),
                        format!("write `{close}` where its list ends"),
                    ));
                }
                Some(&next) if next == close => break,
                Some(&next) if next == ')' || next == ']' => {
                    return Err(self.error(
                        format!(
                            "`{next}` cannot close the `{open}` of {}:{}",
                            start.line, start.column
                        ),
                        format!("write `{close}`"),
                    ));
                }
                Some(&next) => forms.push(self.form(next)?),
            }
        }
        self.next();
        self.depth -= 1;
        Ok(forms)
    }

    fn atom(&mut self, first: char) -> Result<String, JavaliteError> {
        let place = self.place;
        self.next();
        match first {
            '$' | '@' | '=' => return Ok(first.to_string()),
            ':' if self.rest.peek() == Some(&'=') => {
                self.next();
                return Ok(":=".to_owned());
            }
            _ => {}
        }
        if !is_of_name(first) {
            return Err(JavaliteError::new(
                place,
                format!("`{first}` means nothing in Javalite"),
                "names are made of letters, digits and `_`; comments begin with `;`",
            ));
        }
        let mut atom = String::from(first);
        while let Some(&next) = self.rest.peek()
            && is_of_name(next)
        {
            atom.push(next);
            self.next();
        }
        if atom.len() > LONGEST_NAME {
            let what = format!("a name of more than {LONGEST_NAME} bytes");
            return Err(JavaliteError::new(place, what, "choose a shorter one"));
        }
        Ok(atom)
    }
}

/// Names become names in class files, and are shown in conditions: they are what Java allows, but
/// for the dollar sign.
fn is_of_name(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}
