//! From terms to circuits of gates.
//!
//! Each term becomes a word of literals, once; a Boolean term a single literal. The meaning of every
//! operator is `dalang_term::semantics`'s. References are numbered densely: equality needs no more
//! values than there are symbols and identities, so a few bits do.

mod circuit;
mod divide;
pub mod float;
pub mod gates;
pub mod word;

use dalang_term::{Op, Pool, PostOrder, Sort, SymbolId, TermId};
use gates::{Gates, Lit};
use rustc_hash::FxHashMap;
use word::Word;

/// Turns terms into literals and remembers them.
pub struct Blaster {
    gates: Gates,
    words: FxHashMap<TermId, Word>,
    references: References,
}

/// How references are numbered in circuits.
struct References {
    bits: usize,
    codes: FxHashMap<u32, u32>,
    identities: Vec<u32>,
    symbols: usize,
}

impl References {
    /// More values may be needed than the bits can tell apart.
    fn crowded(&self) -> bool {
        self.identities.len() + self.symbols > 1 << self.bits
    }

    fn code(&mut self, identity: u32) -> u32 {
        *self.codes.entry(identity).or_insert_with(|| {
            self.identities.push(identity);
            self.identities.len() as u32 - 1
        })
    }

    /// The identity of a code; one that no constant has, if no constant has the code.
    fn identity(&self, code: u32) -> u32 {
        let anonymous = Pool::FIRST_ANONYMOUS_IDENTITY + code;
        self.identities.get(code as usize).copied().unwrap_or(anonymous)
    }
}

impl Blaster {
    /// No terms yet; references get this many bits, circuits this many variables.
    pub fn new(reference_bits: usize, budget: usize) -> Blaster {
        let mut references = References {
            bits: reference_bits,
            codes: FxHashMap::default(),
            identities: Vec::new(),
            symbols: 0,
        };
        references.code(0);
        Blaster { gates: Gates::new(budget), words: FxHashMap::default(), references }
    }

    /// The gates made so far.
    pub fn gates(&mut self) -> &mut Gates {
        &mut self.gates
    }

    /// How many SAT variables there are.
    pub fn variables(&self) -> usize {
        self.gates.variables()
    }

    /// How many bits references would need, if they need more than they have.
    pub fn missing_reference_bits(&self) -> Option<usize> {
        // Two bits to spare, so that a growing heap asks for this seldom.
        self.references.crowded().then_some(self.references.bits + 2)
    }

    /// The literal of a Boolean term.
    pub fn literal(&mut self, pool: &Pool, term: TermId) -> Lit {
        self.word(pool, term)[0]
    }

    /// The bits of a term, least significant first.
    fn word(&mut self, pool: &Pool, term: TermId) -> &Word {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.gates.exhausted() {
                // No circuit means anything any more; a formula of any size must not take time now.
                return self.words.entry(term).or_insert_with(|| word::constant(1, 0));
            }
            if self.words.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = pool.node(top);
            stack.extend(node.args().filter(|operand| !self.words.contains_key(operand)));
            if stack.len() == before {
                let word = self.build(pool, top);
                self.words.insert(top, word);
                stack.pop();
            }
        }
        &self.words[&term]
    }

    /// The value of a symbol's bits, read from literals by `value`; `None` if it has no circuit.
    pub fn symbol_value(
        &self,
        pool: &Pool,
        symbol: SymbolId,
        mut value: impl FnMut(Lit) -> bool,
    ) -> Option<u64> {
        let word = self.words.get(&pool.symbol_term(symbol))?;
        let bits =
            word.iter().rev().fold(0, |bits, &literal| bits << 1 | u64::from(value(literal)));
        match pool.symbol_sort(symbol) {
            Sort::Ref => Some(u64::from(self.references.identity(bits as u32))),
            _ => Some(bits),
        }
    }

    fn build(&mut self, pool: &Pool, term: TermId) -> Word {
        let node = pool.node(term);
        if let Some(bits) = pool.bits(term) {
            return self.constant(node.sort, bits);
        }
        if node.op == Op::Symbol {
            return self.symbol(node.sort);
        }
        let operands: Vec<&[Lit]> = node.args().map(|operand| &self.words[&operand][..]).collect();
        let operand_sort = pool.sort(node.arg(operands.len() - 1));
        circuit::build(&mut self.gates, node.op, node.sort, operand_sort, &operands)
    }

    fn constant(&mut self, sort: Sort, bits: u64) -> Word {
        match sort {
            Sort::Ref => {
                let code = self.references.code(bits as u32);
                word::constant(self.references.bits, u64::from(code))
            }
            _ => word::constant(sort.width() as usize, bits),
        }
    }

    fn symbol(&mut self, sort: Sort) -> Word {
        let width = if sort == Sort::Ref {
            self.references.symbols += 1;
            self.references.bits
        } else {
            sort.width() as usize
        };
        (0..width).map(|_| self.gates.fresh()).collect()
    }
}

/// Roughly how many variables the circuits of these terms have, shared ones once; fewer if nobody waits
/// for it any more.
pub fn cone(pool: &Pool, terms: &[TermId], is_awaited: impl Fn() -> bool) -> usize {
    let nodes = PostOrder::new(pool, terms.iter().copied()).take_while(|_| is_awaited());
    nodes.map(|term| pool.sort(term).width() as usize * weight(pool.node(term).op)).sum()
}

/// Roughly how many variables one bit of an operator's circuit takes.
fn weight(op: Op) -> usize {
    match op {
        Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::FMul | Op::FAdd => 64,
        Op::FDiv | Op::FSqrt | Op::FFma => 128,
        Op::FRem => 2048,
        _ => 2,
    }
}
