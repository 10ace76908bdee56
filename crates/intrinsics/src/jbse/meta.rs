//! Package `jbse.meta`: how programs speak to JBSE.

mod analysis;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("jbse/meta/Analysis", analysis::ROWS)];
