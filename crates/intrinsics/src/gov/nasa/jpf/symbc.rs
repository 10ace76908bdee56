//! Package `gov.nasa.jpf.symbc`: Symbolic Pathfinder.

mod debug;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("gov/nasa/jpf/symbc/Debug", debug::ROWS)];
