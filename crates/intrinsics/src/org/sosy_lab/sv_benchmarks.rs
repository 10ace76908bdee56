//! Package `org.sosy_lab.sv_benchmarks`: how the programs of the software verification competition
//! speak.

pub(crate) mod verifier;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("org/sosy_lab/sv_benchmarks/Verifier", verifier::ROWS)];
