//! Packages below `org.sosy_lab`.

pub(crate) mod sv_benchmarks;
