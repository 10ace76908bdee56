//! Files in Javalite, which are translated when they are put on a class path.

use super::{ClassPath, Entry, read_file};
use crate::error::ClassError;
use crate::javalite::{self, Unit};
use std::path::Path;

impl ClassPath {
    /// Translates a Javalite file and puts its classes at the end. The unit says which those are, and
    /// what the program begins with.
    ///
    /// # Errors
    /// A file that is missing, cannot be read, or is no program.
    pub fn add_javalite(&mut self, file: &Path) -> Result<Unit, ClassError> {
        if !file.exists() {
            return Err(ClassError::Missing { path: file.into() });
        }
        let bytes = read_file(file)?;
        let text = String::from_utf8(bytes).map_err(|error| ClassError::Unreadable {
            path: file.into(),
            detail: error.utf8_error().to_string(),
        })?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let unit = javalite::compile(&text, &name)
            .map_err(|error| ClassError::Javalite { path: file.into(), error })?;
        for (class, bytes) in &unit.classes {
            let (class, bytes) = (class.clone(), bytes.clone());
            self.entries.push(Entry::File { class, bytes, place: file.into() });
        }
        Ok(unit)
    }
}
