//! One interpreter for constants and terms: a method is run on symbols, every question answered as
//! an assignment answers it, and the result evaluated; it must be what the same method gives for the
//! assigned constants.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{Kind, MethodId, Program};
use dalang_heap::Value;
use dalang_interp::{Answer, Machine, Outcome, Question, Settings, Silence, State, Step, Way};
use dalang_term::{Assignment, Evaluation, Sort, TermId};
use std::fs;
use tempfile::TempDir;

const SOURCE: &str = "
public class Subject {
    static int ints(int a, int b) {
        int c = a * 31 + b;
        c ^= a << b;
        c -= b >> 3;
        c += a >>> (b & 7);
        if (c > a) c = -c;
        if ((c & 1) == 0) return c | b;
        return (byte) c + (char) a + (short) b;
    }
    static int division(int a, int b) {
        return a / b + a % (b - 1);
    }
    static long longs(long a, long b) {
        long c = a * b - (a ^ b);
        if (a < b) c += b << (int) a;
        c = c >>> 3 | a >> 60;
        return Long.MIN_VALUE / (b | 1) + c % (a | 1) + (int) a;
    }
    static double doubles(double a, double b) {
        double c = a * b - b / a;
        if (a < b) return c % b;
        if (a >= c) return -c;
        return (long) a + (int) b + (float) c;
    }
    static float floats(float a, float b) {
        float c = a + b * a;
        if (c != c) return 1;
        return c > 0 ? (float) Math.abs((double) c) : (int) c;
    }
    static int choice(int a, int b) {
        switch (a) {
            case 0: return b;
            case 1: case 5: b++;
            case 7: return b * 2;
            case -100: return -b;
            default: return a > 1000 ? 3 : 4;
        }
    }
    static int looped(int a, int b) {
        int sum = 0;
        for (int i = 0; i < (a & 15); i++) {
            if ((b >> i & 1) == 1) sum += i; else sum ^= b;
        }
        return sum;
    }
    static int cells(int a, int b) {
        int[] cells = new int[4];
        byte[] bytes = new byte[2];
        cells[1] = a;
        cells[2] = cells[1] + b;
        bytes[0] = (byte) cells[2];
        return bytes[0] + cells[3];
    }
    static int spelled(int a, int b) {
        return (a + \":\" + b + (short) a + (byte) b + '!').hashCode();
    }
    static long spelledLongs(long a, long b) {
        return (a + \":\" + b).hashCode() + 31L * Long.toString(a).length();
    }
    static int appended(int a, int b) {
        StringBuilder text = new StringBuilder(\"Index: \").append(a).append(',').append(false);
        text.append((String) null).append(\"a part\", 1, 3).append(b).append(7).append(8L);
        return text.toString().hashCode() * 31 + text.length() * 7 + text.capacity();
    }
    static long appendedLongs(long a, long b) {
        StringBuilder text = new StringBuilder().append(a).append(\"\").append(b).append(a);
        return text.toString().hashCode() * 31L + text.capacity();
    }
    static int small(int a, int b) {
        StringBuilder text = new StringBuilder(0).append(a).append(b).append(a);
        return text.append('.').toString().hashCode() * 31 + text.capacity();
    }
    static int messages(int a, int b) {
        try {
            int[][] cells = new int[3][5];
            return cells[a][b];
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().hashCode();
        }
    }
    static int sizes(int a, int b) {
        try {
            return new int[a & 0x80000001].length;
        } catch (NegativeArraySizeException e) {
            return e.getMessage().hashCode();
        }
    }
    static int copies(int a, int b) {
        try {
            System.arraycopy(new int[3], a, new int[5], b, a ^ b);
            return 0;
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().hashCode();
        }
    }
}
";

struct Workshop {
    folder: TempDir,
    jdk: Jdk,
}

impl Workshop {
    fn new() -> Self {
        let jdk = Jdk::find(None).expect("a JDK is needed to compile what is tested");
        let folder = TempDir::new().unwrap();
        let source = folder.path().join("Subject.java");
        fs::write(&source, SOURCE).unwrap();
        compile(&jdk, &[source], &[], folder.path()).unwrap();
        Self { folder, jdk }
    }

    fn program(&self) -> Program {
        let path = ClassPath::open(&[self.folder.path()], self.jdk.feature).unwrap();
        Program::new(Library::open(&self.jdk).unwrap(), path).unwrap()
    }
}

fn method(program: &Program, name: &str) -> MethodId {
    let class = program.load("Subject").unwrap();
    let wanted = program.names().intern(name);
    let mut methods = program.class(class).methods();
    methods.find(|&id| program.method(id).name == wanted).unwrap()
}

/// How a run ended, in bits.
#[derive(Debug, PartialEq, Eq)]
enum Ending {
    Returned(u64),
    Threw(String),
}

/// A way, and one more answer.
fn answered(way: &Way, term: TermId, holds: bool) -> Way {
    let answer = Answer { choice: u32::from(!holds), divides: true, at: (0, 0) };
    way.clone().and(answer, Box::new([(term, holds)]))
}

/// Runs a method; questions are answered by the assignment.
fn run(
    machine: &mut Machine<'_>,
    method: MethodId,
    arguments: &[Value],
    assignment: &Assignment,
) -> (Ending, usize) {
    let mut state = State::new();
    machine.start(&mut state, method, arguments).unwrap();
    let mut evaluation = Evaluation::new(assignment.clone());
    let mut questions = 0;
    let mut way = Way::default();
    loop {
        match machine.run(&mut state, &way, 1_000_000) {
            Step::Asked(Question::Condition(term)) => {
                questions += 1;
                // The other answer must be a state of its own: a copy that goes astray.
                let mut astray = state.clone();
                let answer = evaluation.holds(&machine.pool, term);
                let _ = machine.run(&mut astray, &answered(&way, term, !answer), 50);
                way = answered(&way, term, answer);
            }
            Step::Ended(Outcome::Returned(Some(value))) => {
                let bits = match value {
                    Value::Term(term) => evaluation.value(&machine.pool, term),
                    constant => constant.bits().unwrap(),
                };
                return (Ending::Returned(bits), questions);
            }
            Step::Ended(Outcome::Threw(exception)) => {
                let class = state.heap.class(exception);
                return (Ending::Threw(machine.program.class_spelling(class)), questions);
            }
            other => panic!("the run ended in {other:?}"),
        }
    }
}

fn symbols(machine: &mut Machine<'_>, kind: Kind) -> [TermId; 2] {
    let sort = match kind {
        Kind::Int => Sort::BitVec(32),
        Kind::Long => Sort::BitVec(64),
        Kind::Float => Sort::F32,
        Kind::Double => Sort::F64,
        Kind::Reference => Sort::Ref,
    };
    ["a", "b"].map(|name| machine.pool.symbol(name, sort))
}

/// Corner cases of a kind, and something in between.
fn samples(kind: Kind) -> Vec<Value> {
    let bits: &[u64] = match kind {
        Kind::Int => &[0, 1, 2, 5, 7, 31, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_ff9c, 4242],
        Kind::Long => &[0, 1, 63, 1 << 40, i64::MAX as u64, i64::MIN as u64, u64::MAX, 99_999],
        Kind::Float => &[0, 0x8000_0000, 0x3f80_0000, 0x7f80_0000, 0x7fc0_0000, 0xc2c8_0000, 1],
        _ => &[
            0,
            1 << 63,
            0x3ff0_0000_0000_0000,
            0x7ff0_0000_0000_0000,
            0x7ff8_0000_0000_0000,
            0xc059_0000_0000_0000,
            0x43e0_0000_0000_0000,
            1,
        ],
    };
    bits.iter().map(|&bits| Value::from_bits(kind, bits)).collect()
}

/// How often a term was asked about, while runs on terms and on constants agree.
fn agree(name: &str, kind: Kind) -> usize {
    let workshop = Workshop::new();
    let program = workshop.program();
    let intrinsics = dalang_intrinsics::Library::new();
    let settings =
        Settings { feature: workshop.jdk.feature, symbolic: true, ..Settings::default() };
    let mut machine = Machine::new(&program, &intrinsics, Box::new(Silence), settings).unwrap();
    let method = method(&program, name);
    let terms = symbols(&mut machine, kind);
    let mut asked = 0;
    for a in samples(kind) {
        for b in samples(kind) {
            let mut assignment = Assignment::new();
            for (term, value) in terms.into_iter().zip([a, b]) {
                let symbol = machine.pool.as_symbol(term).unwrap();
                assignment.set(symbol, value.bits().unwrap());
            }
            let (concrete, none) = run(&mut machine, method, &[a, b], &assignment);
            assert_eq!(none, 0, "constants ask nothing");
            let values = terms.map(Value::Term);
            let (symbolic, questions) = run(&mut machine, method, &values, &assignment);
            assert_eq!(concrete, symbolic, "{name} of {a:?} and {b:?}");
            asked += questions;
        }
    }
    eprintln!("{name}: {asked} questions");
    asked
}

#[test]
fn ints_agree() {
    agree("ints", Kind::Int);
}

#[test]
fn divisions_agree() {
    agree("division", Kind::Int);
}

#[test]
fn longs_agree() {
    agree("longs", Kind::Long);
}

#[test]
fn doubles_agree() {
    agree("doubles", Kind::Double);
}

#[test]
fn floats_agree() {
    agree("floats", Kind::Float);
}

#[test]
fn switches_agree() {
    agree("choice", Kind::Int);
}

#[test]
fn loops_agree() {
    agree("looped", Kind::Int);
}

#[test]
fn cells_agree() {
    agree("cells", Kind::Int);
}

/// Texts that nobody has looked into: nothing is asked to make them, and here, to hash them.
#[test]
fn decimals_agree_and_ask_nothing() {
    assert_eq!(agree("spelled", Kind::Int), 0);
    assert_eq!(agree("spelledLongs", Kind::Long), 0);
}

#[test]
fn builders_agree_and_ask_nothing() {
    assert_eq!(agree("appended", Kind::Int), 0);
    assert_eq!(agree("appendedLongs", Kind::Long), 0);
    assert_eq!(agree("small", Kind::Int), 0);
}

#[test]
fn messages_agree() {
    agree("messages", Kind::Int);
    agree("sizes", Kind::Int);
    agree("copies", Kind::Int);
}
