//! Whether a failure says what is wrong, once, in one line that a person can read.

use dalang_classes::{ClassError, LinkFailure};

/// More than this nobody reads.
const MOST_CHARACTERS: usize = 2_000;

/// What is wrong with the text of a failure, if anything is.
pub fn complaint(failure: &LinkFailure) -> Option<String> {
    let own = unclear(&failure.message).map(|what| {
        let start: String = failure.message.chars().take(200).collect();
        format!("the message of a {} {what}: {start:?}", failure.error.class_name())
    });
    own.or_else(|| failure.cause.as_deref().and_then(error_complaint))
}

/// What is wrong with the text of an error, if anything is.
pub fn error_complaint(error: &ClassError) -> Option<String> {
    let text = error.to_string();
    let start: String = text.chars().take(200).collect();
    if let Some(what) = unclear(&text) {
        return Some(format!("an error {what}: {start:?}"));
    }
    (!names_its_place(error, &text)).then(|| format!("an error does not say where: {start:?}"))
}

fn unclear(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        Some("is empty")
    } else if text.contains(char::is_control) {
        Some("is not one line of plain text")
    } else if text.chars().count() > MOST_CHARACTERS {
        Some("is too long")
    } else {
        None
    }
}

/// Every error about a file has the file in its text.
fn names_its_place(error: &ClassError, text: &str) -> bool {
    match error {
        ClassError::Missing { path }
        | ClassError::NotAnEntry { path }
        | ClassError::NotAFile { path, .. }
        | ClassError::TooMany { path, .. }
        | ClassError::Unreadable { path, .. }
        | ClassError::BrokenArchive { path, .. }
        | ClassError::Javalite { path, .. }
        | ClassError::NotAJdk { path, .. } => text.contains(&path.display().to_string()),
        ClassError::TooLarge { origin, .. } => !origin.is_empty(),
        ClassError::Malformed { origin, .. }
        | ClassError::UnsupportedVersion { origin, .. }
        | ClassError::NewerThanJdk { origin, .. }
        | ClassError::BadCode { origin, .. } => text.contains(origin.as_str()),
        ClassError::NoJdk { .. }
        | ClassError::NoCompiler { .. }
        | ClassError::Compilation { .. }
        | ClassError::EndlessCompilation { .. }
        | ClassError::Unwanted => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{error_complaint, unclear};
    use dalang_classes::ClassError;

    #[test]
    fn unclear_texts() {
        assert_eq!(unclear("there is no such file"), None);
        assert_eq!(unclear(" "), Some("is empty"));
        assert_eq!(unclear("two\nlines"), Some("is not one line of plain text"));
        assert_eq!(unclear(&"x".repeat(2_001)), Some("is too long"));
    }

    #[test]
    fn an_error_names_its_file() {
        assert_eq!(error_complaint(&ClassError::Missing { path: "a/b.jar".into() }), None);
        let nowhere =
            ClassError::Malformed { class: "A".into(), origin: "a\nb".into(), what: "x".into() };
        assert!(error_complaint(&nowhere).unwrap().contains("does not say where"));
        let two = ClassError::Compilation { text: "x\ny".into() };
        assert!(error_complaint(&two).unwrap().contains("one line"));
    }
}
