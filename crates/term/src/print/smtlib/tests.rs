//! The texts, and that no shape of term breaks the printers. That solvers read them as they are
//! meant is tested in the solver crate.

use crate::{NanBits, Pool, SmtEmitter, Sort, smt_name};

fn script(pool: &Pool, roots: &[crate::TermId]) -> String {
    pool.smtlib(roots).to_string()
}

#[test]
fn names_are_quoted_and_told_apart() {
    let mut pool = Pool::new();
    let mut name = |text: &str, sort| {
        let term = pool.symbol(text, sort);
        smt_name(&pool, pool.as_symbol(term).unwrap())
    };
    assert_eq!(name("this.root.key", Sort::BitVec(32)), "|this.root.key:bv32|");
    assert_eq!(name("this.root.key", Sort::Ref), "|this.root.key:ref|");
    assert_eq!(name("and", Sort::Bool), "|and:bool|");
    assert_eq!(name("a|b\\c%d", Sort::F32), "|a%7cb%5cc%25d:f32|");
    assert_eq!(name("a%7cb", Sort::F64), "|a%257cb:f64|");
    assert_eq!(name(".x", Sort::Bool), "|%2ex:bool|");
    assert_eq!(name("µ\n", Sort::Bool), "|%c2%b5%0a:bool|");
}

#[test]
fn a_script_is_complete() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::BitVec(32));
    let seven = pool.int(7);
    let below = pool.slt(x, seven);
    assert_eq!(
        script(&pool, &[below]),
        "(set-logic QF_BV)\n\
         (declare-const |x:bv32| (_ BitVec 32))\n\
         (assert (bvslt |x:bv32| #x00000007))\n\
         (check-sat)\n"
    );
    assert_eq!(script(&pool, &[]), "(set-logic QF_BV)\n(assert true)\n(check-sat)\n");
}

#[test]
fn shared_texts_are_bound_level_by_level() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::BitVec(5));
    let y = pool.symbol("y", Sort::BitVec(5));
    let sum = pool.add(x, y);
    let product = pool.mul(sum, sum);
    let inverse = pool.neg(y);
    let first = pool.ult(product, inverse);
    let second = pool.ult(inverse, product);
    let (s, p, i) = (sum.index(), product.index(), inverse.index());
    let expected = format!(
        "(set-logic QF_BV)\n\
         (declare-const |x:bv5| (_ BitVec 5))\n\
         (declare-const |y:bv5| (_ BitVec 5))\n\
         (assert (let ((${s} (bvadd |x:bv5| |y:bv5|))(${i} (bvneg |y:bv5|)))\n\
         (let ((${p} (bvmul ${s} ${s})))\n\
         (and\n (bvult ${p} ${i})\n (bvult ${i} ${p})))))\n\
         (check-sat)\n"
    );
    assert_eq!(script(&pool, &[first, second]), expected);
}

#[test]
fn bits_of_a_computed_float_are_tied_to_its_value() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::F32);
    let sum = pool.fadd(x, x);
    let bits = pool.float_to_bits(sum, NanBits::Raw);
    let zero = pool.int(0);
    let equal = pool.eq(bits, zero);
    let (xi, si) = (x.index(), sum.index());
    let mut emitter = SmtEmitter::new();
    let mut text = String::new();
    let root = emitter.define(&pool, equal, &mut text);
    let expected = format!(
        "(declare-const |x:f32| (_ BitVec 32))\n\
         (declare-const ${si}b (_ BitVec 32))\n\
         (define-fun ${si} () (_ FloatingPoint 8 24) (let ((${xi} ((_ to_fp 8 24) |x:f32|)))\n\
         (fp.add RNE ${xi} ${xi})))\n\
         (define-fun ${} () Bool (= ${si}b #x00000000))\n\
         (define-fun ${si}s () Bool (and (= ((_ to_fp 8 24) ${si}b) ${si}) \
         (=> (fp.isNaN ${si}) (= ${si}b #x7fc00000))))\n",
        equal.index()
    );
    assert_eq!(text, expected);
    assert_eq!(root.name, format!("${}", equal.index()));
    assert_eq!(root.sides, [format!("${si}s")]);
    assert!(emitter.uses_floats());

    let negated = pool.not(equal);
    let mut more = String::new();
    let root = emitter.define(&pool, negated, &mut more);
    assert_eq!(more.lines().count(), 1, "only what is new: {more}");
    assert_eq!(root.sides, [format!("${si}s")], "sides are asserted in every scope");

    let whole = script(&pool, &[equal]);
    assert!(whole.contains(&format!("(declare-const ${si}b (_ BitVec 32))")), "{whole}");
    assert!(whole.contains(&format!("(=> (fp.isNaN ${si})")), "{whole}");
}

#[test]
fn a_side_condition_is_written_for_a_value_defined_before() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::F32);
    let sum = pool.fadd(x, x);
    let roots = [pool.flt(sum, x), pool.fle(sum, x), pool.eq(sum, x)];
    let mut emitter = SmtEmitter::new();
    let mut text = String::new();
    assert!(emitter.define(&pool, roots[0], &mut text).sides.is_empty());
    assert!(emitter.define(&pool, roots[1], &mut text).sides.is_empty());
    let side = format!("${}s", sum.index());
    assert_eq!(emitter.define(&pool, roots[2], &mut text).sides, [side.as_str()]);
    assert_eq!(text.matches(&format!("(define-fun {side} ")).count(), 1, "{text}");
    assert_eq!(text.matches("fp.add").count(), 2, "once inside a portion, once by name: {text}");
}

#[test]
fn what_portions_share_is_defined_when_it_is_met_again() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::BitVec(8));
    let y = pool.symbol("y", Sort::BitVec(8));
    let sum = pool.add(x, y);
    let product = pool.mul(sum, x);
    let roots = [pool.ult(product, x), pool.ult(x, product), pool.slt(product, product)];
    let [s, p] = [sum, product].map(crate::TermId::index);
    let [a, b, c] = roots.map(crate::TermId::index);
    let mut emitter = SmtEmitter::new();
    let mut next = |root| {
        let mut text = String::new();
        emitter.define(&pool, root, &mut text);
        text
    };
    let first = next(roots[0]);
    assert!(
        first.ends_with(&format!(
            "(define-fun ${a} () Bool (bvult (bvmul (bvadd |x:bv8| |y:bv8|) |x:bv8|) |x:bv8|))\n"
        )),
        "{first}"
    );
    assert!(!first.contains(&format!("${s}")), "{first}");
    assert_eq!(
        next(roots[1]),
        format!(
            "(define-fun ${p} () (_ BitVec 8) (bvmul (bvadd |x:bv8| |y:bv8|) |x:bv8|))\n\
         (define-fun ${b} () Bool (bvult |x:bv8| ${p}))\n"
        )
    );
    let twice = format!("(define-fun ${c} () Bool (let ((${p} ${p}))\n(bvslt ${p} ${p})))\n");
    assert_eq!(next(roots[2]), twice);
    assert_eq!(next(roots[2]), "");
}

#[test]
fn what_the_shared_have_in_common_is_written_once() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::BitVec(8));
    let core = (0..50).fold(x, |core, _| pool.mul(core, core));
    let mut tops = Vec::new();
    for number in 0..50 {
        let number = pool.bitvec(8, number);
        tops.push(pool.add(core, number));
    }
    let roots = [x, core].map(|other| {
        tops.iter().fold(Pool::TRUE, |all, &top| {
            let below = pool.ult(top, other);
            pool.and(all, below)
        })
    });
    let mut emitter = SmtEmitter::new();
    let [first, second] = roots.map(|root| {
        let mut text = String::new();
        emitter.define(&pool, root, &mut text);
        text
    });
    assert_eq!(first.matches("bvmul").count(), 50, "{first}");
    assert_eq!(second.matches("bvmul").count(), 50, "{second}");
}

#[test]
fn moved_bits_need_no_floats() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::F64);
    let y = pool.symbol("y", Sort::F64);
    let negated = pool.fneg(x);
    let absolute = pool.fabs(y);
    let equal = pool.eq(negated, absolute);
    let text = script(&pool, &[equal]);
    assert!(text.starts_with("(set-logic QF_BV)"), "{text}");
    assert!(text.contains("(bvxor |x:f64| #x8000000000000000)"), "{text}");
    assert!(text.contains("(bvand |y:f64| #x7fffffffffffffff)"), "{text}");
}

#[test]
fn a_million_nodes_need_little_stack() {
    let print = || {
        let mut pool = Pool::raw();
        let x = pool.symbol("x", Sort::BitVec(32));
        let (mut chain, mut wide) = (x, x);
        for _ in 0..1_000_000 {
            chain = pool.bv_not(chain);
        }
        for _ in 0..300_000 {
            wide = pool.mul(wide, wide);
        }
        let floats = (0..300_000).fold(pool.symbol("f", Sort::F32), |sum, _| pool.fadd(sum, sum));
        let roots = [pool.eq(chain, x), pool.eq(wide, x), pool.eq(floats, floats)];
        for root in roots {
            assert!(script(&pool, &[root]).len() < 100_000_000);
            let mut text = String::new();
            SmtEmitter::new().define(&pool, root, &mut text);
            assert!(text.len() < 100_000_000);
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(print).unwrap();
    thread.join().unwrap();
}
