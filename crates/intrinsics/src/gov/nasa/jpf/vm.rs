//! Package `gov.nasa.jpf.vm`, which was `gov.nasa.jpf.jvm` once.

mod verify;

use crate::table::Package;

pub(crate) const CLASSES: Package =
    &[("gov/nasa/jpf/vm/Verify", verify::ROWS), ("gov/nasa/jpf/jvm/Verify", verify::ROWS)];
