//! What a term can be at most, as its form and the bounds on inputs tell at a glance.

use crate::machine::Machine;
use dalang_heap::Step;
use dalang_term::{Op, TermId};
use rustc_hash::FxHashMap;

/// Deeper terms are not looked into.
const DEPTH: u32 = 24;
/// The same for lengths of texts: a number in one is as deep as it can have digits.
const DEEPER: u32 = 96;

/// The numbers between which a term is, if anything is known.
type Range = Option<(i64, i64)>;

/// What is used of inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Bounds on them.
    Bounds,
    /// That an array fits into Java's heap.
    Heap,
    /// Nothing.
    Nothing,
}

/// One look at a term.
struct Look {
    /// What is used of inputs.
    inputs: Use,
    /// What was found of terms, so deep: what is shared is looked into once.
    known: FxHashMap<(TermId, u32), Range>,
}

impl Machine<'_> {
    /// Numbers between which a 32-bit term is, read with a sign; none if nothing is known.
    pub(crate) fn range(&self, term: TermId) -> Range {
        self.looked(term, DEPTH, Use::Bounds)
    }

    /// The same, if nothing is known of inputs but that an array among them has found room.
    pub(crate) fn range_in_heap(&self, term: TermId) -> Range {
        self.looked(term, DEPTH, Use::Heap)
    }

    /// The same, whatever the inputs are: bounds on them are not used.
    pub fn certain_range(&self, term: TermId) -> Range {
        self.looked(term, DEEPER, Use::Nothing)
    }

    fn looked(&self, term: TermId, depth: u32, inputs: Use) -> Range {
        self.range_within(term, depth, &mut Look { inputs, known: FxHashMap::default() })
    }

    fn range_within(&self, term: TermId, depth: u32, look: &mut Look) -> Range {
        let depth = depth.checked_sub(1)?;
        if self.pool.sort(term).width() != 32 {
            return None;
        }
        if let Some(bits) = self.pool.bits(term) {
            let value = i64::from(bits as u32 as i32);
            return Some((value, value));
        }
        if let Some(&known) = look.known.get(&(term, depth)) {
            return known;
        }
        let range = self.range_of(term, depth, look);
        look.known.insert((term, depth), range);
        range
    }

    /// The range of what is no constant.
    fn range_of(&self, term: TermId, depth: u32, look: &mut Look) -> Range {
        let node = self.pool.node(term);
        let inputs = look.inputs;
        let mut of = |place: usize| self.range_within(node.arg(place), depth, look);
        let (low, high) = match node.op {
            Op::Symbol if inputs != Use::Nothing => self.length_range(term, inputs)?,
            Op::Ite => {
                let (a, b) = (of(1)?, of(2)?);
                (a.0.min(b.0), a.1.max(b.1))
            }
            Op::Add => {
                let (a, b) = (of(0)?, of(1)?);
                (a.0 + b.0, a.1 + b.1)
            }
            Op::Neg => {
                let a = of(0)?;
                (-a.1, -a.0)
            }
            Op::Mul => {
                let (a, b) = (of(0)?, of(1)?);
                let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                (*all.iter().min()?, *all.iter().max()?)
            }
            Op::Shl => {
                let (a, b) = (of(0)?, of(1)?);
                if a.0 < 0 || b.0 < 0 || b.1 > 16 {
                    return None;
                }
                (a.0 << b.0, a.1 << b.1)
            }
            Op::AShr | Op::LShr => {
                let (a, b) = (of(0)?, of(1)?);
                if a.0 < 0 || b.0 < 0 {
                    return None;
                }
                (0, a.1)
            }
            Op::ZeroExtend => {
                let width = self.pool.sort(node.arg(0)).width();
                (0, (1_i64 << width.min(31)) - 1)
            }
            _ => return None,
        };
        let fits = low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX);
        fits.then_some((low, high))
    }

    /// The length of an input array or string.
    fn length_range(&self, term: TermId, of_inputs: Use) -> Range {
        let inputs = &self.unknowns.inputs;
        let input = inputs.of_term(&self.pool, term)?;
        let most = match (inputs.get(input).step, of_inputs) {
            (Step::Length(_), Use::Bounds) => self.unknowns.bounds.array?,
            (Step::Length(of), _) => self.room(inputs.get(of).class?, 1)?,
            (Step::Characters(of), Use::Bounds) => inputs.text(of).len() as u32,
            _ => return None,
        };
        Some((0, i64::from(most)))
    }
}
