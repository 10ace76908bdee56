//! `dalang.toml`: the same keys as on the command line.

use crate::flags::Options;
use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "dalang.toml";

/// The file beside the targets, or the nearest above them, if there is one.
///
/// # Errors
/// Targets that have different ones: nobody could say which counts.
pub fn of(targets: &[PathBuf]) -> anyhow::Result<Option<PathBuf>> {
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
    Ok(found)
}

fn nearest(target: &Path) -> Option<PathBuf> {
    // What is missing is complained of when it is opened.
    let target = fs::canonicalize(target).ok()?;
    let start = if target.is_dir() { &*target } else { target.parent()? };
    start.ancestors().map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

/// What the file says. Paths in it are relative to its folder.
///
/// # Errors
/// A file that cannot be read, has unknown keys, or values of the wrong type.
pub fn read(file: &Path) -> anyhow::Result<Options> {
    let text = fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let options: Options = match toml::from_str(&text) {
        Ok(options) => options,
        Err(error) => bail!("{}: {}", file.display(), error.to_string().trim_end()),
    };
    if options.quiet && options.verbose {
        bail!("{}: quiet and verbose exclude each other", file.display());
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    let below = |path: PathBuf| folder.join(path);
    let class_path = options.class_path.map(|path| {
        let entries = std::env::split_paths(&path).map(|entry| folder.join(entry));
        // Joining what was split fails only for entries that cannot be on a path at all.
        std::env::join_paths(entries)
            .map_or(path.clone(), |path| path.to_string_lossy().into_owned())
    });
    Ok(Options {
        class_path,
        jdk: options.jdk.map(below),
        report: options.report.map(below),
        tree: options.tree.map(below),
        ..options
    })
}

#[cfg(test)]
mod tests {
    use super::{of, read};
    use crate::flags::{Format, PolicyName};
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

    fn file(text: &str) -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().canonicalize().unwrap().join("dalang.toml");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn keys_are_those_of_the_command_line() {
        let (_folder, path) = file(
            "policy = \"lazier#\"\nloop = 3\ntime = 2\nclass-path = \"a:/b\"\nmethod = [\"C.m\"]\n\
             format = \"json\"\nno-progress = true\n",
        );
        let options = read(&path).unwrap();
        assert_eq!(options.policy, Some(PolicyName::LazierSharp));
        assert_eq!((options.loops, options.time), (Some(3), Some(2.0)));
        assert_eq!(options.format, Some(Format::Json));
        assert_eq!(options.method, ["C.m"]);
        assert!(options.no_progress);
        let folder = path.parent().unwrap().display();
        assert_eq!(options.class_path, Some(format!("{folder}/a:/b")));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, what) in [
            ("loops = 3", "unknown field `loops`"),
            ("k = \"3\"", "invalid type: string \"3\""),
            ("k = -1", "-1"),
            ("policy = \"eager\"", "unknown variant `eager`"),
            ("k = ", "dalang.toml"),
            ("quiet = true\nverbose = true", "exclude"),
        ] {
            let (_folder, path) = file(text);
            let error = format!("{:#}", read(&path).unwrap_err());
            assert!(error.contains(what) && error.contains("dalang.toml"), "{error}");
        }
    }

    #[test]
    fn the_nearest_file_above_counts_and_there_is_only_one() {
        let (folder, path) = file("");
        let below = folder.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("C.java"), "").unwrap();
        assert_eq!(of(&[below.join("C.java")]).unwrap(), Some(path.clone()));
        assert_eq!(of(&[folder.path().to_path_buf()]).unwrap(), Some(path));
        fs::write(below.join("dalang.toml"), "").unwrap();
        let error = of(&[below.clone(), folder.path().join("a")]).unwrap_err().to_string();
        assert!(error.contains("different settings"), "{error}");
    }
}
