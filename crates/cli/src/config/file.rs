//! `dalang.toml`: the same keys as on the command line.
//!
//! A file that is found beside what is checked came with it, perhaps from a stranger, so it is data:
//! a key that starts a program, chooses one or writes a file is refused there. Where a file is looked
//! for, and when it is left alone, is in `place.rs`.

use super::place::{self, Found};
use crate::flags::Options;
use crate::streams::complain;
use anyhow::{Context, bail};
use dalang_classes::one_line;
use dalang_classes::path::read_file;
use std::path::{Path, PathBuf};

/// More is no configuration.
const MOST_BYTES: usize = 1 << 20;

/// What was typed; where nothing was, what the file of the targets says; then what the user's own
/// does.
///
/// # Errors
/// A file that cannot be read, does not make sense, or says what it may not.
pub fn completed(typed: Options, targets: &[PathBuf]) -> anyhow::Result<Options> {
    let own = match place::of_the_user() {
        Some(file) => read(&file)?,
        None => Options::default(),
    };
    let trusted: Vec<PathBuf> = typed.trust.iter().chain(&own.trust).cloned().collect();
    let found = match place::of(targets, &trusted)? {
        Some(Found { file, trusted }) => {
            let options = read(&file)?;
            if !trusted && let Some((key, does)) = refused(&options) {
                bail!("{}", refusal(&file, key, does));
            }
            options
        }
        None => Options::default(),
    };
    Ok(typed.or(found).or(own))
}

fn refusal(file: &Path, key: &str, does: &str) -> String {
    let folder = file.parent().unwrap_or(file).display();
    let own =
        place::own_file().map_or_else(String::new, |file| format!("into {}, ", file.display()));
    format!(
        "{}: `{key}` {does}, which a file that is found with what is checked may not do; put it {own}\
         on the command line, or trust the folder with --trust {folder}",
        file.display()
    )
}

/// The first key that a file of a stranger may not have, and what it does.
fn refused(options: &Options) -> Option<(&'static str, &'static str)> {
    let is_builtin = |solver: &String| solver == "builtin";
    let keys = [
        ("solver", "starts a program", !options.solver.as_ref().is_none_or(is_builtin)),
        ("jdk", "chooses programs to start", options.jdk.is_some()),
        ("tree", "writes a file", options.tree.is_some()),
        ("resume", "takes results from elsewhere", options.resume.is_some()),
        ("trust", "trusts a folder", !options.trust.is_empty()),
    ];
    keys.into_iter().find(|(.., is_there)| *is_there).map(|(key, does, _)| (key, does))
}

/// What the file says. Paths in it are relative to its folder.
///
/// # Errors
/// A file that cannot be read, has unknown keys, or values of the wrong type.
pub fn read(file: &Path) -> anyhow::Result<Options> {
    let bytes = read_file(file)?;
    if bytes.len() > MOST_BYTES {
        bail!("{}: larger than {MOST_BYTES} bytes, which no configuration is", file.display());
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{}", file.display()))?;
    let options: Options = match toml::from_str(&text) {
        Ok(options) => options,
        Err(error) => bail!("{}", mistake(file, &text, &error)),
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
        violations_from: options.violations.as_ref().map(|_| file.to_path_buf()),
        jdk: options.jdk.map(below),
        resume: options.resume.map(below),
        tree: options.tree.map(below),
        trust: options.trust.into_iter().map(below).collect(),
        ..options
    })
}

/// What is wrong with a file, and on which line of it.
fn mistake(file: &Path, text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let line = text.bytes().take(start).filter(|&byte| byte == b'\n').count() + 1;
    format!("{}:{line}: {}", file.display(), one_line(error.message()))
}

/// Says that a file is left alone.
pub fn leave(file: &Path, why: &str) {
    complain(&format!("{} is not read: {why}", file.display()));
}

#[cfg(test)]
mod tests {
    use super::{read, refused};
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
        assert_eq!(options.violations_from, None);
        let folder = path.parent().unwrap().display();
        assert_eq!(options.class_path, Some(format!("{folder}/a:/b")));
        assert_eq!(refused(&options), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, what) in [
            ("k = 1\nloops = 3", ":2: unknown field `loops`"),
            ("k = \"3\"", "invalid type: string \"3\""),
            ("k = -1", "-1"),
            ("policy = \"eager\"", "unknown variant `eager`"),
            ("k = ", "dalang.toml"),
            ("quiet = true\nverbose = true", "exclude"),
        ] {
            let (_folder, path) = file(text);
            let error = format!("{:#}", read(&path).unwrap_err());
            assert!(error.contains(what) && error.contains("dalang.toml"), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn keys_that_do_something_are_known() {
        for key in
            ["solver = \"z3\"", "jdk = \"x\"", "tree = \"x\"", "resume = \"x\"", "trust = [\"x\"]"]
        {
            let (_folder, path) = file(key);
            let refused = refused(&read(&path).unwrap()).unwrap();
            assert!(key.starts_with(refused.0), "{refused:?}");
        }
        let (_folder, path) = file("solver = \"builtin\"\nreplay = \"off\"");
        assert_eq!(refused(&read(&path).unwrap()), None);
    }
}
