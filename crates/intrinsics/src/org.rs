//! Packages below `org`.

mod cprover;
pub(crate) mod sosy_lab;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [cprover::CLASSES, sosy_lab::sv_benchmarks::CLASSES].into_iter()
}

pub(crate) use cprover::SWITCHES;
