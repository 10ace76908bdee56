//! The texts, and that no shape of term breaks the printer.

use crate::{Pool, Rounding, Sort, TermId};

struct Terms {
    pool: Pool,
}

impl Terms {
    fn new() -> Terms {
        Terms { pool: Pool::raw() }
    }

    fn int(&mut self, name: &str) -> TermId {
        self.pool.symbol(name, Sort::BitVec(32))
    }

    fn flag(&mut self, name: &str) -> TermId {
        self.pool.symbol(name, Sort::Bool)
    }

    fn shows(&self, term: TermId, text: &str) {
        assert_eq!(self.pool.infix(term).to_string(), text);
    }
}

#[test]
fn derived_forms_are_spelled_back() {
    let mut t = Terms::new();
    let (a, b, c) = (t.flag("a"), t.flag("b"), t.flag("c"));
    let (x, y) = (t.int("x"), t.int("y"));
    let either = t.pool.or(a, b);
    t.shows(either, "a || b");
    let three = t.pool.or(either, c);
    t.shows(three, "a || b || c");
    let mixed = t.pool.and(three, c);
    t.shows(mixed, "(a || b || c) && c");
    let implied = t.pool.implies(a, b);
    t.shows(implied, "!a || b");
    let neither = t.pool.not(either);
    t.shows(neither, "!a && !b");
    let different = t.pool.xor(a, b);
    t.shows(different, "a != b");
    let (at_least, at_most) = (t.pool.sge(x, y), t.pool.sle(x, y));
    t.shows(at_least, "x >= y");
    t.shows(at_most, "y >= x");
    let five = t.pool.int(5);
    let (below, above) = (t.pool.sle(x, five), t.pool.sgt(x, five));
    t.shows(below, "x <= 5");
    t.shows(above, "x > 5");
    let unequal = t.pool.ne(x, y);
    t.shows(unequal, "x != y");
}

#[test]
fn sums_subtract_what_is_negative() {
    let mut t = Terms::new();
    let (x, y) = (t.int("x"), t.int("y"));
    let difference = t.pool.sub(x, y);
    t.shows(difference, "x - y");
    let nested = t.pool.sub(x, difference);
    t.shows(nested, "x - (x - y)");
    let minus_five = t.pool.int(-5);
    let less = t.pool.add(x, minus_five);
    t.shows(less, "x - 5");
    let negated = t.pool.neg(y);
    let swapped = t.pool.add(negated, x);
    t.shows(swapped, "x - y");
    let twice = t.pool.neg(negated);
    t.shows(twice, "-(-y)");
    let inverted = t.pool.bv_not(negated);
    t.shows(inverted, "~-y");
    let (p, q) = (t.pool.symbol("p", Sort::F64), t.pool.symbol("q", Sort::F64));
    let right = t.pool.fsub(p, q);
    let sum = t.pool.fadd(p, right);
    t.shows(sum, "p + (p - q)");
    let sum = t.pool.fadd(right, p);
    t.shows(sum, "p - q + p");
}

#[test]
fn parentheses_are_javas() {
    let mut t = Terms::new();
    let (x, y) = (t.int("x"), t.int("y"));
    let sum = t.pool.add(x, y);
    let product = t.pool.mul(sum, x);
    t.shows(product, "(x + y) * x");
    let shifted = t.pool.shl(x, sum);
    t.shows(shifted, "x << x + y");
    let masked = t.pool.bv_and(shifted, y);
    t.shows(masked, "x << x + y & y");
    let quotient = t.pool.sdiv(x, y);
    let again = t.pool.sdiv(x, quotient);
    t.shows(again, "x / (x / y)");
    let c = t.flag("c");
    let choice = t.pool.ite(c, x, y);
    let other = t.pool.ite(c, choice, choice);
    t.shows(other, "c ? c ? x : y : c ? x : y");
    let test = t.pool.slt(choice, x);
    let negated = t.pool.not(test);
    t.shows(negated, "(c ? x : y) >= x");
}

#[test]
fn unsigned_operators_read_constants_as_unsigned() {
    let mut t = Terms::new();
    let x = t.pool.symbol("x", Sort::BitVec(8));
    let big = t.pool.bitvec(8, 200);
    let (below, at_most) = (t.pool.ult(x, big), t.pool.ule(x, big));
    t.shows(below, "x <u 200");
    t.shows(at_most, "x <=u 200");
    let quotient = t.pool.udiv(x, big);
    t.shows(quotient, "x /u 200");
    let remainder = t.pool.srem(x, big);
    t.shows(remainder, "x % -56");
}

#[test]
fn floats_are_not_compared_backwards() {
    let mut t = Terms::new();
    let (p, q) = (t.pool.symbol("p", Sort::F32), t.pool.symbol("q", Sort::F32));
    let below = t.pool.flt(p, q);
    let not_below = t.pool.not(below);
    t.shows(not_below, "!(p < q)");
    let nan = t.pool.is_nan(p);
    t.shows(nan, "isNaN(p)");
    let number = t.pool.not(nan);
    t.shows(number, "!isNaN(p)");
    let same_bits = t.pool.eq(p, q);
    t.shows(same_bits, "bits(p) == bits(q)");
    let equal = t.pool.feq(p, q);
    let unequal = t.pool.not(equal);
    t.shows(unequal, "p != q");
    let floor = t.pool.fround(Rounding::Floor, p);
    let wide = t.pool.float_to_float(floor, Sort::F64);
    t.shows(wide, "(double) floor(p)");
    let whole = t.pool.float_to_signed(wide, 64);
    t.shows(whole, "(long) (double) floor(p)");
}

#[test]
fn parts_and_extensions() {
    let mut t = Terms::new();
    let x = t.int("x");
    let (low, middle) = (t.pool.extract(x, 7, 0), t.pool.extract(x, 15, 8));
    t.shows(low, "(byte) x");
    t.shows(middle, "extract(x, 15, 8)");
    let pair = t.pool.concat(low, middle);
    t.shows(pair, "concat((byte) x, extract(x, 15, 8))");
    let (signed, unsigned) = (t.pool.sign_extend(pair, 64), t.pool.zero_extend(low, 64));
    t.shows(signed, "(long) concat((byte) x, extract(x, 15, 8))");
    t.shows(unsigned, "zext64((byte) x)");
}

#[test]
fn shared_terms_are_named_and_small_ones_repeated() {
    let mut t = Terms::new();
    let (x, y) = (t.int("x"), t.int("t1"));
    let sum = t.pool.add(x, y);
    let big = t.pool.mul(sum, sum);
    let twice = t.pool.add(big, big);
    t.shows(twice, "t_1 + t_1 where t_1 = (x + t1) * (x + t1)");
    let (a, b) = (t.pool.slt(x, y), t.pool.slt(y, x));
    let both = t.pool.and(a, b);
    let neither = t.pool.not(both);
    let pair = t.pool.eq(neither, neither);
    t.shows(pair, "t_1 == t_1 where t_1 = x >= t1 || t1 >= x");
}

#[test]
fn a_million_nodes_need_little_stack() {
    let print = || {
        let mut pool = Pool::raw();
        let x = pool.symbol("x", Sort::BitVec(32));
        let a = pool.symbol("a", Sort::Bool);
        let (mut chain, mut wide, mut nest) = (x, x, a);
        for _ in 0..1_000_000 {
            chain = pool.bv_not(chain);
        }
        for _ in 0..500_000 {
            wide = pool.mul(wide, wide);
            nest = pool.not(nest);
            nest = pool.and(nest, a);
        }
        assert_eq!(pool.infix(chain).to_string().len(), 1_000_001);
        assert!(pool.infix(wide).to_string().len() < 20_000_000);
        assert!(pool.infix(nest).to_string().len() < 20_000_000);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(print).unwrap();
    thread.join().unwrap();
}

/// Two different terms must not read the same.
#[test]
fn products_and_quotients_keep_their_parentheses() {
    let mut pool = Pool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let quotient = pool.sdiv(y, z);
    let right = pool.mul(x, quotient);
    let product = pool.mul(x, y);
    let left = pool.sdiv(product, z);
    assert_eq!(pool.infix(right).to_string(), "x * (y / z)");
    assert_eq!(pool.infix(left).to_string(), "x * y / z");
}

/// The names given to shared terms are no symbol's, in whatever order the symbols are met.
#[test]
fn given_names_are_no_symbols() {
    let mut pool = Pool::new();
    let [a, b] = ["t_1", "t1"].map(|name| pool.symbol(name, Sort::BitVec(32)));
    let shared = pool.udiv(a, b);
    let shared = pool.urem(shared, a);
    let shared = pool.sdiv(shared, b);
    let term = pool.srem(shared, b);
    let term = pool.sdiv(term, shared);
    let text = pool.infix(term).to_string();
    assert!(text.contains("where t__1 = "), "{text}");
}
