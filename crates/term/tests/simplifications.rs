//! What a symbolic Java virtual machine builds, and what is left of it.

use dalang_term::{Pool, Sort, TermId};

const INT: Sort = Sort::BitVec(32);
const LONG: Sort = Sort::BitVec(64);
const BYTE: Sort = Sort::BitVec(8);

fn pair(pool: &mut Pool, sort: Sort) -> (TermId, TermId) {
    (pool.symbol("a", sort), pool.symbol("b", sort))
}

/// `lcmp`
fn lcmp(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    let (less, equal) = (pool.slt(a, b), pool.eq(a, b));
    let (minus, zero, one) = (pool.int(-1), pool.int(0), pool.int(1));
    let rest = pool.ite(equal, zero, one);
    pool.ite(less, minus, rest)
}

/// `dcmpl` and `dcmpg`
fn dcmp(pool: &mut Pool, a: TermId, b: TermId, nan: i32) -> TermId {
    let (greater, equal, less) = (pool.fgt(a, b), pool.feq(a, b), pool.flt(a, b));
    let (minus, zero, one, nan) = (pool.int(-1), pool.int(0), pool.int(1), pool.int(nan));
    let rest = pool.ite(less, minus, nan);
    let rest = pool.ite(equal, zero, rest);
    pool.ite(greater, one, rest)
}

#[test]
fn long_comparisons_are_the_comparison_itself() {
    let mut pool = Pool::new();
    let (a, b) = pair(&mut pool, LONG);
    let order = lcmp(&mut pool, a, b);
    let zero = pool.int(0);
    let (less, greater, equal) = (pool.slt(a, b), pool.slt(b, a), pool.eq(a, b));
    assert_eq!(pool.slt(order, zero), less);
    assert_eq!(pool.sgt(order, zero), greater);
    assert_eq!(pool.eq(order, zero), equal);
    let (at_most, at_least) = (pool.not(greater), pool.not(less));
    assert_eq!(pool.sle(order, zero), at_most);
    assert_eq!(pool.sge(order, zero), at_least);
    let different = pool.not(equal);
    assert_eq!(pool.ne(order, zero), different);
}

#[test]
fn double_comparisons_are_the_comparison_itself() {
    let mut pool = Pool::new();
    let (a, b) = pair(&mut pool, Sort::F64);
    let zero = pool.int(0);
    // javac compares with the variant that makes the branch fall through on NaN.
    let low = dcmp(&mut pool, a, b, -1);
    let high = dcmp(&mut pool, a, b, 1);
    let (greater, at_least) = (pool.fgt(a, b), pool.fge(a, b));
    let (less, at_most) = (pool.flt(a, b), pool.fle(a, b));
    assert_eq!(pool.sgt(low, zero), greater);
    assert_eq!(pool.sge(low, zero), at_least);
    assert_eq!(pool.slt(high, zero), less);
    assert_eq!(pool.sle(high, zero), at_most);
    let equal = pool.feq(a, b);
    assert_eq!(pool.eq(low, zero), equal);
}

#[test]
fn booleans_kept_as_ints_are_booleans() {
    let mut pool = Pool::new();
    let (c, d) = pair(&mut pool, Sort::Bool);
    let (zero, one) = (pool.int(0), pool.int(1));
    let (x, y) = (pool.ite(c, one, zero), pool.ite(d, one, zero));
    assert_eq!(pool.ne(x, zero), c);
    let not_c = pool.not(c);
    assert_eq!(pool.eq(x, zero), not_c);
    let both = pool.bv_and(x, y);
    let expected = pool.and(c, d);
    assert_eq!(pool.ne(both, zero), expected);
    let flipped = pool.bv_xor(x, one);
    assert_eq!(pool.ne(flipped, zero), not_c);
    // A Boolean field is stored as a byte and read back.
    let byte = pool.extract(x, 7, 0);
    let read = pool.sign_extend(byte, 32);
    assert_eq!(read, x);
}

#[test]
fn narrow_values_are_compared_narrowly() {
    let mut pool = Pool::new();
    let (a, b) = pair(&mut pool, BYTE);
    let (wide_a, wide_b) = (pool.sign_extend(a, 32), pool.sign_extend(b, 32));
    let narrow = pool.slt(a, b);
    assert_eq!(pool.slt(wide_a, wide_b), narrow);
    let (ten, narrow_ten) = (pool.int(10), pool.bitvec(8, 10));
    let narrow = pool.slt(a, narrow_ten);
    assert_eq!(pool.slt(wide_a, ten), narrow);
    let thousand = pool.int(1000);
    assert_eq!(pool.slt(wide_a, thousand), Pool::TRUE);
    assert_eq!(pool.eq(wide_a, thousand), Pool::FALSE);
    let mask = pool.int(0xff);
    let unsigned = pool.bv_and(wide_a, mask);
    assert_eq!(unsigned, pool.zero_extend(a, 32));
    let again = pool.extract(unsigned, 7, 0);
    assert_eq!(again, a);
}

#[test]
fn one_bound_is_one_term() {
    let mut pool = Pool::new();
    let x = pool.symbol("x", INT);
    let (zero, one, five, seven) = (pool.int(0), pool.int(1), pool.int(5), pool.int(7));
    let positive = pool.sgt(x, zero);
    assert_eq!(positive, pool.sge(x, one));
    let below_five = pool.slt(x, five);
    let below_seven = pool.slt(x, seven);
    assert_eq!(pool.and(below_five, below_seven), below_five);
    let at_least_seven = pool.not(below_seven);
    assert_eq!(pool.and(below_five, at_least_seven), Pool::FALSE);
    let is_five = pool.eq(x, five);
    assert_eq!(pool.and(is_five, below_seven), is_five);
    assert_eq!(pool.and(is_five, below_five), Pool::FALSE);
    let at_least_five = pool.not(below_five);
    let six = pool.int(6);
    let below_six = pool.slt(x, six);
    assert_eq!(pool.and(at_least_five, below_six), is_five);
}

#[test]
fn sums_are_normalised() {
    let mut pool = Pool::new();
    let (a, b) = pair(&mut pool, INT);
    let (one, two, three) = (pool.int(1), pool.int(2), pool.int(3));
    let (a1, b2) = (pool.add(a, one), pool.add(b, two));
    let sum = pool.add(a1, b2);
    let plain = pool.add(a, b);
    assert_eq!(sum, pool.add(plain, three));
    assert_eq!(pool.sub(sum, b2), a1);
    assert_eq!(pool.sub(a1, a), one);
    let equal = pool.eq(a, one);
    assert_eq!(pool.eq(a1, two), equal);
    assert_eq!(pool.eq(a1, a), Pool::FALSE);
    let difference = pool.sub(a, b);
    let zero = pool.int(0);
    let same = pool.eq(a, b);
    assert_eq!(pool.eq(difference, zero), same);
    let double = pool.add(a, a);
    assert_eq!(double, pool.mul(a, two));
    assert_eq!(double, pool.shl(a, one));
}

#[test]
fn reads_of_possible_aliases_are_decided() {
    let mut pool = Pool::new();
    let (r, v) = (pool.symbol("r", Sort::Ref), pool.symbol("v", INT));
    let objects: Vec<_> = (1..=3).map(|number| pool.identity(number)).collect();
    let values: Vec<_> = (10..13).map(|value| pool.int(value)).collect();
    let is: Vec<_> = objects.iter().map(|&object| pool.eq(r, object)).collect();
    let mut read = v;
    for index in (0..3).rev() {
        read = pool.ite(is[index], values[index], read);
    }
    // Within the branch where `r` is the second object the read is its value.
    let within = pool.ite(is[1], read, v);
    assert_eq!(within, pool.ite(is[1], values[1], v));
    // A comparison of the read is a combination of the guards.
    let hit = pool.eq(read, values[0]);
    let (not_second, not_third) = (pool.not(is[1]), pool.not(is[2]));
    let other = pool.eq(v, values[0]);
    let rest = pool.and(not_third, other);
    let rest = pool.and(not_second, rest);
    assert_eq!(hit, pool.or(is[0], rest));
    // Two different objects are never one.
    assert_eq!(pool.and(is[0], is[1]), Pool::FALSE);
    let alias = pool.ite(is[0], objects[0], r);
    assert_eq!(alias, r);
    let choice = pool.symbol("c", Sort::Bool);
    let either = pool.ite(choice, objects[0], objects[1]);
    assert_eq!(pool.eq(either, Pool::NULL), Pool::FALSE);
    assert_eq!(pool.eq(either, objects[0]), choice);
}

#[test]
fn merged_branches_share() {
    let mut pool = Pool::new();
    let (c, d) = pair(&mut pool, Sort::Bool);
    let (x, y) = (pool.symbol("x", INT), pool.symbol("y", INT));
    let inner = pool.ite(d, x, y);
    let both = pool.or(c, d);
    let merged = pool.ite(both, x, y);
    assert_eq!(pool.ite(c, x, inner), merged);
    let both = pool.and(c, d);
    let merged = pool.ite(both, x, y);
    assert_eq!(pool.ite(c, inner, y), merged);
    assert_eq!(pool.ite(d, inner, y), inner);
}

#[test]
fn casts_through_double_and_back_are_gone() {
    let mut pool = Pool::new();
    let (x, y) = pair(&mut pool, INT);
    let (dx, dy) = (pool.signed_to_float(x, Sort::F64), pool.signed_to_float(y, Sort::F64));
    assert_eq!(pool.float_to_signed(dx, 32), x);
    let less = pool.slt(x, y);
    assert_eq!(pool.flt(dx, dy), less);
    // A float holds no more than 24 bits of an int.
    let fx = pool.signed_to_float(x, Sort::F32);
    assert_ne!(pool.float_to_signed(fx, 32), x);
    let f = pool.symbol("f", Sort::F32);
    let f_self = pool.feq(f, f);
    assert_ne!(f_self, Pool::TRUE);
    assert_eq!(pool.flt(f, f), Pool::FALSE);
}

#[test]
fn array_indices_are_seen_to_be_in_range() {
    let mut pool = Pool::new();
    let hash = pool.symbol("hash", INT);
    let (fifteen, sixteen, zero) = (pool.int(15), pool.int(16), pool.int(0));
    let index = pool.bv_and(hash, fifteen);
    assert_eq!(pool.slt(index, sixteen), Pool::TRUE);
    assert_eq!(pool.slt(index, zero), Pool::FALSE);
    let half = pool.int(1);
    let half = pool.lshr(hash, half);
    assert_eq!(pool.slt(half, zero), Pool::FALSE);
}
