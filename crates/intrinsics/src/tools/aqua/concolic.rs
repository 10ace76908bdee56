//! Package `tools.aqua.concolic`: `GDart`'s copy of the competition's class.

use crate::org::sosy_lab::sv_benchmarks::verifier;
use crate::table::Package;

pub(crate) const CLASSES: Package = &[("tools/aqua/concolic/Verifier", verifier::ROWS)];
