//! What a hostile program, jar, stream or user can do to `dalang`, and what it must do all the same:
//! end in time, stay within its memory, say what it knows.
//!
//! Each family is a file below this one and a row of the table. A family runs `dalang` as users get it,
//! in a process of its own for each case, and gives back what was wrong. What it measures depends on the
//! machine: an idle one is fair, and `cargo test` looks only at the structure.

mod child;
mod host;
mod limits;
mod workers;

use crate::Verdict;
use crate::workshop::build_dalang;
use anyhow::bail;
use dalang_classes::path::Jdk;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The JDK whose library is used
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Use this program instead of building one
    #[arg(long, value_name = "FILE")]
    dalang: Option<PathBuf>,
    /// Only this family; may be given several times
    #[arg(long, value_name = "NAME")]
    family: Vec<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// What every family works with.
struct Bench {
    /// The program that is tortured.
    dalang: PathBuf,
    jdk: Jdk,
    only: Option<String>,
}

impl Bench {
    /// Whether a case was asked for.
    fn wants(&self, case: &str) -> bool {
        self.only.as_ref().is_none_or(|part| case.contains(part.as_str()))
    }
}

/// Cases of one kind.
struct Family {
    name: &'static str,
    /// Runs the cases, and gives what was wrong, each as one line that begins with the case's name.
    run: fn(&Bench) -> anyhow::Result<Vec<String>>,
}

/// A new family is a file and a row.
const FAMILIES: &[Family] = &[
    Family { name: "limits", run: limits::run },
    Family { name: "workers", run: workers::run },
    Family { name: "signals", run: host::signals },
    Family { name: "streams", run: host::streams },
    Family { name: "jars", run: host::jars },
    Family { name: "strangers", run: host::strangers },
];

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let families = chosen(&arguments.family)?;
    let jdk = Jdk::find(arguments.jdk.as_deref())?;
    let dalang = match &arguments.dalang {
        Some(dalang) => dalang.clone(),
        None => build_dalang()?,
    };
    let bench = Bench { dalang, jdk, only: arguments.only.clone() };
    let mut findings = Vec::new();
    for family in families {
        println!("{}", family.name);
        let wrong = (family.run)(&bench)?;
        findings.extend(wrong.into_iter().map(|finding| format!("{}: {finding}", family.name)));
    }
    for finding in &findings {
        eprintln!("{finding}");
    }
    println!("{} findings", findings.len());
    Ok(if findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// The families that were asked for.
fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Family>> {
    let known = || FAMILIES.iter().map(|family| family.name).collect::<Vec<_>>().join(", ");
    let is_known = |name: &&String| FAMILIES.iter().any(|family| family.name == **name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        bail!("there is no family {unknown}; there are {}", known());
    }
    let is_chosen = |family: &&Family| names.is_empty() || names.iter().any(|n| n == family.name);
    Ok(FAMILIES.iter().filter(is_chosen).collect())
}
