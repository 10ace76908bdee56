//! Package `org.cprover`: how programs speak to JBMC.

mod prover;
mod strings;

use crate::table::Package;

pub(crate) const CLASSES: Package =
    &[("org/cprover/CProver", prover::ROWS), ("org/cprover/CProverString", strings::ROWS)];

/// Fields of classes that are there for plain `java` only.
pub(crate) const SWITCHES: &[(&str, &[&str])] =
    &[("org/cprover/CProver", &["enableAssume", "enableNondet", "enableConcurrency"])];
