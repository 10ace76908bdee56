//! Can these constraints hold together, and with which values?
//!
//! A [`Query`] is a [`PathCondition`] and one more constraint; a [`Solver`] answers it through a
//! chain of layers, the cheapest first, over a backend that decides everything else.
//!
//! ```
//! use dalang_solver::{Answer, PathCondition, Query, Solver};
//! use dalang_term::{Pool, Sort};
//!
//! let mut pool = Pool::new();
//! let index = pool.symbol("index", Sort::BitVec(32));
//! let length = pool.symbol("length", Sort::BitVec(32));
//! let one = pool.int(1);
//! let next = pool.add(index, one);
//!
//! // On a path that has checked `index + 1 < length`, can `index >= length` hold?
//! let checked = pool.slt(next, length);
//! let outside = pool.sge(index, length);
//! let path = PathCondition::new().and(&pool, checked);
//! let query = Query::new(&pool, &path, outside);
//! let Answer::Sat(values) = Solver::default().check(&pool, &query) else { panic!() };
//!
//! // It can: `index + 1` overflows.
//! assert_eq!(pool.evaluate(index, &values) as u32 as i32, i32::MAX);
//! assert_eq!(pool.infix(checked).to_string(), "index + 1 < length");
//! ```

mod answer;
pub mod backend;
mod blast;
mod chain;
mod layer;
mod limits;
mod path;
mod query;
mod statistics;

pub use answer::{Answer, Reason};
pub use backend::smtlib::{SmtCommand, SmtError};
pub use chain::{Layers, Solver};
pub use limits::Limits;
pub use path::{Label, PathCondition};
pub use query::Query;
pub use statistics::{LayerName, Statistics};
