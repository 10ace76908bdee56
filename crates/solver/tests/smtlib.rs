//! Solver processes that misbehave, and one that behaves.
//!
//! The misbehaving ones are shell scripts. Whatever they do, the answer is `Unknown` and comes soon
//! after the limit.

#[path = "support/z3.rs"]
mod z3;

use dalang_solver::backend::smtlib::{Reply, SmtCommand, SmtError, SmtProcess};
use dalang_term::{Pool, Sort, TermId};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(400);
const PLENTY: Duration = Duration::from_mins(1);

struct Question {
    pool: Pool,
    conjuncts: Vec<TermId>,
}

/// `x > 5`
fn question() -> Question {
    let mut pool = Pool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let five = pool.int(5);
    let above = pool.sgt(x, five);
    Question { pool, conjuncts: vec![above] }
}

/// Asks a script twice; both answers must be `Unknown` and give this reason.
fn expect_unknown(script: &str, reason: &str) {
    let question = question();
    let mut solver =
        SmtProcess::spawn(&SmtCommand::new("sh", &["-c", script])).expect("there is a shell");
    for _ in 0..2 {
        let start = Instant::now();
        let reply = solver.check(&question.pool, &question.conjuncts, LIMIT);
        // A hang is what this looks for; a busy machine may well need a second.
        assert!(start.elapsed() < LIMIT + Duration::from_secs(20), "{script}");
        match reply {
            Reply::Unknown(why) => assert!(why.contains(reason), "{script}: {why}"),
            other => panic!("{script}: {other:?}"),
        }
    }
}

/// The start of a script that answers each command; `$1` is what it says to `check-sat`.
const TALK: &str = r#"
talk() {
    while read -r line; do
        case "$line" in
            *check-sat*) echo "$1" ;;
            *get-value*) echo "$2" ;;
            *echo*) line="${line#*\"}"; echo "${line%\"*}" ;;
        esac
    done
}
"#;

#[test]
fn a_dead_solver() {
    expect_unknown("exit 3", "ended without an answer");
    expect_unknown("echo 'bad flag' >&2; exit 1", "ended without an answer");
    expect_unknown("kill -9 $$", "ended without an answer");
}

#[test]
fn a_silent_solver() {
    expect_unknown("sleep 1000", "time limit");
    expect_unknown("cat > /dev/null", "time limit");
    expect_unknown("sleep 1000 & wait", "time limit");
}

#[test]
fn a_solver_that_talks_nonsense() {
    expect_unknown("echo hello; echo world; cat > /dev/null", "nonsense");
    expect_unknown("echo ')'; cat > /dev/null", "time limit");
    expect_unknown("printf 'sat\\nsat\\nsat\\n'; cat > /dev/null", "nonsense: sat");
    expect_unknown("printf 'unsat\\nunsat\\n'; cat > /dev/null", "nonsense: unsat");
    expect_unknown("head -c 100000 /dev/urandom; cat > /dev/null", "");
    expect_unknown(&format!("{TALK} talk maybe"), "nonsense: maybe");
    expect_unknown(&format!("{TALK} talk unknown"), "answered unknown");
}

#[test]
fn an_answer_without_our_mark_is_none() {
    expect_unknown("echo unsat; cat > /dev/null", "time limit");
    expect_unknown("printf unsat", "ended without an answer");
    expect_unknown("echo sat", "ended without an answer");
}

#[test]
fn a_solver_that_dies_before_its_model() {
    let script =
        "while read -r l; do case $l in *check-sat*) echo sat; echo dalang-1; exit;; esac; done";
    expect_unknown(script, "ended without an answer");
}

#[test]
fn a_solver_with_a_wrong_model() {
    for (model, reason) in [
        ("((|x:bv32| #x00000005))", "does not satisfy"),
        ("((|x:bv32| #x0005))", "nonsense"),
        ("((|x:bv32| 7))", "nonsense"),
        ("(model (define-fun x () Int 7))", "nonsense"),
        ("()", "nonsense"),
        ("(error \"no model\")", "reported an error: no model"),
    ] {
        expect_unknown(&format!("{TALK} talk sat '{model}'"), reason);
    }
}

#[test]
fn a_solver_with_a_right_model() {
    let Question { pool, conjuncts } = question();
    let script = format!("{TALK} echo noise >&2; talk sat '((x (_ bv7 32)))'");
    let mut solver = SmtProcess::spawn(&SmtCommand::new("sh", &["-c", &script])).unwrap();
    match solver.check(&pool, &conjuncts, PLENTY) {
        Reply::Sat(assignment) => assert_eq!(assignment.describe(&pool), "x = 7"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_solver_that_reports_an_error() {
    expect_unknown("echo '(error \"unknown logic\")'; cat > /dev/null", "error: unknown logic");
    let late = format!("{TALK} talk '(error \"out of memory\")\nsat' '((x #x00000007))'");
    expect_unknown(&late, "out of memory");
}

#[test]
fn a_solver_that_floods() {
    expect_unknown("tr '\\0' a < /dev/zero", "does not end");
    expect_unknown("tr '\\0' '(' < /dev/zero", "");
    expect_unknown("yes", "nonsense: y");
    expect_unknown("yes >&2", "time limit");
}

#[test]
fn a_solver_that_does_not_read() {
    // More than any pipe holds, so that a write that waits would wait for ever.
    let mut pool = Pool::raw();
    let mut x = pool.symbol("x", Sort::BitVec(32));
    let start = x;
    for _ in 0..100_000 {
        x = pool.bv_not(x);
    }
    let root = pool.eq(x, start);
    let mut solver = SmtProcess::spawn(&SmtCommand::new("sh", &["-c", "sleep 1000"])).unwrap();
    let begin = Instant::now();
    let reply = solver.check(&pool, &[root], LIMIT);
    assert!(matches!(&reply, Reply::Unknown(why) if why.contains("time limit")), "{reply:?}");
    drop(solver);
    assert!(begin.elapsed() < LIMIT + Duration::from_secs(20));
}

#[test]
fn what_a_wrapper_started_is_ended_with_it() {
    let mark = format!("{}", 100_000 + std::process::id());
    let script = format!("sleep {mark} & sleep {mark}");
    expect_unknown(&script, "time limit");
    let alive = || {
        std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).any(|entry| {
            std::fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| line == format!("sleep\0{mark}\0").as_bytes())
        })
    };
    // They are not our children: we cannot wait for their end, only look for it.
    let begin = Instant::now();
    while alive() {
        assert!(begin.elapsed() < PLENTY, "a sleep that the script started is still there");
        std::thread::yield_now();
    }
}

#[test]
fn a_missing_solver_says_what_to_do() {
    let command = SmtCommand::parse("no-such-solver --flag").unwrap();
    match SmtProcess::spawn(&command) {
        Err(error @ SmtError::NotFound { .. }) => {
            let text = error.to_string();
            assert!(text.starts_with("cannot start `no-such-solver`: not found;"), "{text}");
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it started"),
    }
}

#[test]
fn z3_answers_a_growing_and_shrinking_path() {
    let mut pool = Pool::new();
    let mut solver = z3::start();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("this.root|\\ key", Sort::BitVec(32));
    let and = pool.symbol("and", Sort::Bool);
    let (five, six) = (pool.int(5), pool.int(6));
    let above = pool.sgt(x, five);
    let same = pool.eq(x, y);
    let six_at_most = pool.sle(y, six);
    let not_six = pool.ne(x, six);
    let mut ask = |conjuncts: &[TermId]| solver.check(&pool, conjuncts, PLENTY);
    assert!(matches!(ask(&[]), Reply::Sat(_)));
    assert!(matches!(ask(&[above, and]), Reply::Sat(_)));
    assert!(matches!(ask(&[above, same]), Reply::Sat(_)));
    match ask(&[above, same, six_at_most]) {
        Reply::Sat(assignment) => {
            assert_eq!(pool.evaluate(x, &assignment), 6);
            assert_eq!(pool.evaluate(y, &assignment), 6);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(ask(&[above, same, six_at_most, not_six]), Reply::Unsat);
    assert!(matches!(ask(&[above, not_six]), Reply::Sat(_)));
    assert_eq!(ask(&[Pool::FALSE]), Reply::Unsat);
    assert!(matches!(ask(&[above, not_six, same]), Reply::Sat(_)));
}

#[test]
fn z3_is_started_again_after_a_limit_and_for_floats() {
    let mut pool = Pool::new();
    let mut solver = z3::start();
    // A factorisation that no solver finds in time.
    let wide = |pool: &mut Pool, name| {
        let narrow = pool.symbol(name, Sort::BitVec(32));
        pool.zero_extend(narrow, 64)
    };
    let (p, q) = (wide(&mut pool, "p"), wide(&mut pool, "q"));
    let product = pool.mul(p, q);
    let hard = pool.long(3_037_000_493_i64 * 2_654_435_761);
    let two = pool.long(2);
    let factors = [pool.eq(product, hard), pool.ult(two, p), pool.ult(two, q), pool.ult(p, q)];
    let reply = solver.check(&pool, &factors, Duration::from_millis(200));
    assert!(matches!(&reply, Reply::Unknown(why) if why.contains("time limit")), "{reply:?}");

    let f = pool.symbol("f", Sort::F64);
    let tenth = pool.f64(0.1);
    let sum = pool.fadd(f, tenth);
    let half = pool.f64(0.5);
    let equal = pool.feq(sum, half);
    let nan = pool.is_nan(f);
    match solver.check(&pool, &[equal], PLENTY) {
        Reply::Sat(assignment) => {
            assert_eq!(f64::from_bits(pool.evaluate(f, &assignment)) + 0.1, 0.5);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(solver.check(&pool, &[equal, nan], PLENTY), Reply::Unsat);
    assert!(matches!(solver.check(&pool, &[nan], PLENTY), Reply::Sat(_)));
}

#[test]
fn z3_takes_deep_terms_and_what_they_share() {
    let mut pool = Pool::raw();
    let mut solver = z3::start();
    let x = pool.symbol("x", Sort::BitVec(32));
    let mut deep = x;
    for _ in 0..20_000 {
        let both = pool.bv_and(deep, x);
        let either = pool.bv_or(deep, both);
        deep = pool.bv_xor(either, x);
    }
    let seven = pool.int(7);
    let roots = [pool.ult(x, seven), pool.slt(deep, seven), pool.ult(deep, seven)];
    for count in 1..=roots.len() {
        let reply = solver.check(&pool, &roots[..count], PLENTY);
        assert!(matches!(reply, Reply::Sat(_)), "{reply:?}");
    }
}

#[test]
fn z3_reads_a_whole_script() {
    let mut pool = Pool::raw();
    let x = pool.symbol("x", Sort::BitVec(16));
    let f = pool.symbol("f", Sort::F32);
    let square = pool.mul(x, x);
    let four = pool.bitvec(16, 4);
    let sum = pool.fadd(f, f);
    let roots = [pool.eq(square, four), pool.slt(square, x), pool.eq(sum, f), pool.flt(f, sum)];
    for (roots, answer) in [(&roots[..3], "sat\n"), (&roots[2..], "unsat\n")] {
        let script = pool.smtlib(roots).to_string();
        let file = std::env::temp_dir().join(format!("dalang-{}.smt2", std::process::id()));
        std::fs::write(&file, &script).unwrap();
        let command = z3::find().to_string();
        let program = command.split(' ').next().unwrap();
        let output = std::process::Command::new(program).arg(&file).output().unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), answer, "{script}");
    }
}
