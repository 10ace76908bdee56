//! Can these constraints hold together, and with which values?

mod blast;
