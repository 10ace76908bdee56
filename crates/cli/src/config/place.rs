//! Where a `dalang.toml` is looked for, and whose it must be.
//!
//! Beside a target or above it, but not above the project that the target belongs to: what is there
//! has nothing to do with it. A file that others than the user can put there or change is left alone.

use super::file::leave;
use anyhow::bail;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "dalang.toml";
/// What the root of a project has, if it is not under version control.
const BUILDS: [&str; 5] =
    ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/// A file that counts for the targets.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub file: PathBuf,
    /// Whether the user has named its folder, or one above it, as trusted.
    pub trusted: bool,
}

/// The user's own file, which may do everything.
pub fn of_the_user() -> Option<PathBuf> {
    own_file().filter(|file| fs::symlink_metadata(file).is_ok())
}

/// Where the user's own file is or would be.
pub fn own_file() -> Option<PathBuf> {
    let folder = |variable: &str| {
        env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
    };
    let configuration = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
    Some(configuration?.join("dalang").join(NAME))
}

/// The file beside the targets, or the nearest above them within their project, if there is one.
///
/// # Errors
/// Targets that have different ones: nobody could say which counts. A trusted folder that is not there.
pub fn of(targets: &[PathBuf], trust: &[PathBuf]) -> anyhow::Result<Option<Found>> {
    let mut trusted = Vec::new();
    for folder in trust {
        match fs::canonicalize(folder) {
            Ok(folder) if folder.is_dir() => trusted.push(folder),
            _ => bail!("--trust {}: there is no such folder", folder.display()),
        }
    }
    let mut found: Option<PathBuf> = None;
    for target in targets {
        let Some(file) = nearest(target) else { continue };
        match &found {
            Some(other) if *other != file => bail!(
                "the targets have different settings ({} and {}); check them one after the other",
                other.display(),
                file.display()
            ),
            _ => found = Some(file),
        }
    }
    let Some(file) = found else { return Ok(None) };
    let trusted = trusted.iter().any(|folder| file.starts_with(folder));
    if !trusted && let Some(why) = doubt(&file) {
        let folder = file.parent().unwrap_or(&file);
        leave(&file, &format!("{why}; if it is right, use --trust {}", folder.display()));
        return Ok(None);
    }
    Ok(Some(Found { file, trusted }))
}

fn nearest(target: &Path) -> Option<PathBuf> {
    // What is missing is complained of when it is opened.
    let target = fs::canonicalize(target).ok()?;
    let start = if target.is_dir() { &*target } else { target.parent()? };
    let root = root(start);
    let is_there = |file: &PathBuf| fs::symlink_metadata(file).is_ok();
    let file = start.ancestors().map(|folder| folder.join(NAME)).find(is_there)?;
    if file.parent().is_some_and(|folder| folder.starts_with(root)) {
        return Some(file);
    }
    leave(&file, &format!("it is above the project of the target, which is {}", root.display()));
    None
}

/// The root of the project that a folder belongs to: what is under version control together, or what
/// is built together, or the folder alone.
fn root(start: &Path) -> &Path {
    let has = |folder: &&Path, name: &str| folder.join(name).exists();
    let versioned = start.ancestors().find(|folder| has(folder, ".git"));
    let built = || start.ancestors().find(|folder| BUILDS.iter().any(|name| has(folder, name)));
    versioned.or_else(built).unwrap_or(start)
}

/// Why a file need not be the user's, if so.
#[cfg(unix)]
fn doubt(file: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    const OTHERS: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    let user = rustix::process::geteuid().as_raw();
    let folder = file.parent().unwrap_or(file);
    for (path, spared) in [(folder, STICKY), (file, 0)] {
        let Ok(metadata) = fs::metadata(path) else { continue };
        // What is no file is refused when it is read.
        if path == file && !metadata.is_file() {
            continue;
        }
        let shown = path.display();
        if metadata.uid() != user && metadata.uid() != 0 {
            return Some(format!("{shown} belongs to another user"));
        }
        // In a folder such as /tmp nobody can change what another has put there.
        if metadata.mode() & OTHERS != 0 && metadata.mode() & spared == 0 {
            return Some(format!("others can write {shown}"));
        }
    }
    None
}

#[cfg(not(unix))]
fn doubt(_: &Path) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::{Found, of};
    use std::fs;
    use std::path::{Path, PathBuf};
    use tempfile::TempDir;

    /// A folder with these files and folders in it, empty.
    fn tree(files: &[&str]) -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for file in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        (folder, root)
    }

    fn found(target: &Path) -> Option<PathBuf> {
        of(&[target.to_path_buf()], &[]).unwrap().map(|found| found.file)
    }

    #[test]
    fn the_nearest_file_within_the_project_counts() {
        for marker in [".git", "pom.xml", "build.gradle.kts"] {
            let (_folder, root) = tree(&["dalang.toml", "p/a/b/C.java", &format!("p/{marker}")]);
            assert_eq!(found(&root.join("p/a/b/C.java")), None, "{marker}");
            fs::write(root.join("p/dalang.toml"), "").unwrap();
            assert_eq!(found(&root.join("p/a/b/C.java")), Some(root.join("p/dalang.toml")));
            assert_eq!(found(&root.join("p")), Some(root.join("p/dalang.toml")));
            fs::write(root.join("p/a/b/dalang.toml"), "").unwrap();
            assert_eq!(found(&root.join("p/a/b/C.java")), Some(root.join("p/a/b/dalang.toml")));
        }
    }

    #[test]
    fn without_a_project_only_the_folder_itself_counts() {
        let (_folder, root) = tree(&["dalang.toml", "a/C.java", "D.java"]);
        assert_eq!(found(&root.join("a/C.java")), None);
        assert_eq!(found(&root.join("D.java")), Some(root.join("dalang.toml")));
    }

    #[test]
    fn modules_of_a_checkout_share_its_file() {
        let (_folder, root) = tree(&[".git", "dalang.toml", "module/pom.xml", "module/C.java"]);
        assert_eq!(found(&root.join("module/C.java")), Some(root.join("dalang.toml")));
    }

    #[test]
    fn there_is_only_one_file() {
        let (_folder, root) = tree(&["a/dalang.toml", "a/C.java", "b/dalang.toml", "b/D.java"]);
        let error = of(&[root.join("a/C.java"), root.join("b/D.java")], &[]).unwrap_err();
        assert!(error.to_string().contains("different settings"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn what_others_can_write_is_left_alone_unless_it_is_trusted() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, root) = tree(&["a/dalang.toml", "a/C.java"]);
        let (target, file) = (root.join("a/C.java"), root.join("a/dalang.toml"));
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        assert_eq!(found(&target), Some(file.clone()));
        set(&root.join("a"), 0o777);
        assert_eq!(found(&target), None);
        let trusting = of(std::slice::from_ref(&target), std::slice::from_ref(&root)).unwrap();
        assert_eq!(trusting, Some(Found { file: file.clone(), trusted: true }));
        set(&root.join("a"), 0o1777);
        assert_eq!(found(&target), Some(file.clone()));
        set(&file, 0o666);
        assert_eq!(found(&target), None);
    }

    #[test]
    fn a_trusted_folder_must_be_there() {
        let error = of(&[], &[PathBuf::from("no/such/folder")]).unwrap_err().to_string();
        assert!(error.contains("--trust no/such/folder"), "{error}");
    }
}
