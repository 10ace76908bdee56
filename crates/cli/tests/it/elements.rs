//! Arrays, strings and boxes that hold terms: every path that is found is run again on its witness,
//! under every policy of the lazy family, and random concrete runs fall on paths that were found.

use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{
    Config, Entry, Exploration, Explorer, Replay, View, Watch, Witness, WitnessBody, WitnessObject,
    WitnessValue,
};
use dalang_heap::Policy;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

const SOURCE: &str = r#"
import java.util.Arrays;

public class Subject {
    static int set(int[] a, int i, int j, int v) { a[i] = v; return a[j]; }
    static int swap(int[] a, int i, int j) {
        int t = a[i]; a[i] = a[j]; a[j] = t;
        return a[i] > a[j] ? 1 : 0;
    }
    static int bytes(byte[] a, int i, int v) {
        a[i] = (byte) v;
        if (a[0] == 100) return a[1];
        return a[i];
    }
    static boolean bools(boolean[] a, int i) { a[i] = !a[i]; return a[0] && !a[1]; }
    static long longs(long[] a, int i) { if (a[i] > 1L << 40) return a[i + 1]; return 5; }
    static int grid(int[][] a, int i, int j) { if (a[i][j] == 7) return a[j][i]; return 1; }
    static int store(Object[] a, Object x) {
        a[0] = x;
        if (a instanceof String[]) return 1;
        return a[0] == null ? 2 : 3;
    }
    static int made(int n, int i, int v) { int[] a = new int[n]; a[i] = v; return a[0] + a[n - 1]; }
    static int fixed(int i, int v) {
        int[] a = {4, 4, 4, 9, 1};
        int w = a[i];
        a[v] = 77;
        return w + a[2];
    }
    static Object places(int i, int j) { Object[] a = new Object[5]; a[i] = "x"; return a[j]; }
    static int multi(int n, int m) {
        int[][] a = new int[n][m];
        a[n - 1][0] = 4;
        return a[0][m - 1];
    }
    static int copy(int[] a, int n) {
        int[] b = new int[4];
        System.arraycopy(a, 1, b, 0, n);
        return b[0] == 3 ? b[1] : b[3];
    }
    static int shift(int[] a, int i) {
        System.arraycopy(a, i, a, i + 1, a.length - i - 1);
        a[i] = 7;
        if (a[0] == 7) return 1;
        return a[2];
    }
    static int cloned(int[] a, int i, int j) {
        int[] b = a.clone();
        a[i] = 5;
        b[j] = 6;
        if (a[j] == b[j]) return 1;
        return b[i] - a[0];
    }
    static boolean equal(byte[] a) { return Arrays.equals(a, new byte[] {1, 2, 3}); }
    static int at(String s, int i) { char c = s.charAt(i); return c == 'x' ? 1 : 2; }
    static boolean hello(String s) { return s.equals("hello") ? true : false; }
    static int starts(String s) { return s.startsWith("ab") ? 1 : s.endsWith("z") ? 2 : 3; }
    static int key(String s) {
        int i = s.indexOf('=');
        if (i < 0) return -1;
        return s.substring(0, i).equals("key") ? 1 : 2;
    }
    static int joined(String s, String t, boolean b) {
        String u = s + b + t;
        if (u.equals("atruec")) { assert b && s.length() + t.length() == 2; return 1; }
        return 2;
    }
    static int compared(String s, String t) {
        int c = s.compareTo(t);
        if (c < 0) return -1;
        if (c > 0) return 1;
        assert s.equals(t);
        return 0;
    }
    static boolean same(String s, String t) {
        if (s == t) { assert s == null || s.equals(t); return true; }
        return false;
    }
    static int wide(String s) {
        if (s.length() == 1 && s.charAt(0) > 1000) {
            return s.getBytes(java.nio.charset.StandardCharsets.UTF_8).length == 2 ? 1 : 2;
        }
        return 0;
    }
    static int built(String s, char c) {
        if (s.length() > 2) return 9;
        String r = new StringBuilder().append(s).append(c).append('!').toString();
        return r.equals("ok?!") ? 1 : 2;
    }
    static int digits(int x) {
        String s = "v" + x;
        if (s.length() == 4) return s.charAt(1) == '-' ? 1 : 2;
        return 3;
    }
    static int spelled(long x) { return Long.toString(x).equals("-9223372036854775808") ? 1 : 2; }
    static int told(int x, boolean b) {
        StringBuilder s = new StringBuilder().append('<').append(x).append(", ").append(b);
        return s.append((String) null).append(7).toString().equals("<-5, truenull7") ? 1 : 2;
    }
    static int format(int x) { return String.format("<%s>", x).equals("<12>") ? 1 : 2; }
    static int message(int[] a, int i) {
        try {
            return a[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().equals("Index 7 out of bounds for length 3") ? 1 : 2;
        }
    }
    static int negative(int n) {
        try {
            return new int[n].length > 3 ? 4 : 5;
        } catch (NegativeArraySizeException e) {
            return e.getMessage().equals("-1") ? 1 : 2;
        }
    }
    static int behind(int[] a, int n) {
        try {
            System.arraycopy(a, 1, a, 0, n);
            return 0;
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().endsWith("int[3]") ? 1 : 2;
        }
    }
    static int beyond(String s, int i) {
        try {
            return s.substring(i).length() > 2 ? 3 : 4;
        } catch (StringIndexOutOfBoundsException e) {
            return e.getMessage().endsWith("-7") ? 1 : 2;
        }
    }
    static int unseen(int[] a, int i, int j) {
        try {
            return a[i] + java.util.Objects.checkIndex(j, i);
        } catch (IndexOutOfBoundsException e) {
            return e.getMessage() == null ? 1 : 2;
        }
    }
    static int boxes(int x, int y) {
        Integer a = x, b = y;
        if (a == b) { assert x == y && -128 <= x && x <= 127; return 1; }
        return a.equals(b) ? 2 : 3;
    }
}
"#;

struct Workshop {
    folder: TempDir,
    jdk: Jdk,
}

impl Workshop {
    fn new(text: &str) -> Self {
        let jdk = Jdk::find(None).expect("a JDK is needed to compile what is tested");
        let folder = TempDir::new().unwrap();
        let source = folder.path().join("Subject.java");
        fs::write(&source, text).unwrap();
        compile(&jdk, &[source], &[], folder.path()).unwrap();
        Self { folder, jdk }
    }
}

fn method(program: &Program, name: &str) -> MethodId {
    let class = program.load("Subject").unwrap();
    let wanted = program.names().intern(name);
    let mut methods = program.class(class).methods();
    methods.find(|&id| program.method(id).name == wanted).unwrap()
}

fn explored(
    names: &[&str],
    policy: Policy,
    see: impl FnMut(&str, &mut Explorer<'_>, Entry, &Exploration),
) {
    explored_in(SOURCE, names, policy, see);
}

/// Explores methods of a class `Subject`.
pub(crate) fn explored_in(
    text: &str,
    names: &[&str],
    policy: Policy,
    mut see: impl FnMut(&str, &mut Explorer<'_>, Entry, &Exploration),
) {
    let workshop = Workshop::new(text);
    let path = ClassPath::open(&[workshop.folder.path()], workshop.jdk.feature).unwrap();
    let classes = path.classes().unwrap();
    let program = Program::new(Library::open(&workshop.jdk).unwrap(), path).unwrap();
    let library = dalang_intrinsics::Library::new();
    let config =
        Config { policy, outcomes: true, retrace: true, array: 5, string: 6, ..Config::default() };
    let view = View::new(&program, &classes, &[]);
    let feature = workshop.jdk.feature;
    let mut explorer = Explorer::new(&program, &library, &view, &config, feature).unwrap();
    for name in names {
        let entry = Entry::Method(method(&program, name));
        let found = explorer.explore(entry, &Watch::default());
        see(name, &mut explorer, entry, &found);
    }
}

/// Methods, and how many paths they have if that depends neither on the policy nor on the JDK.
const METHODS: [(&str, u64); 33] = [
    ("set", 4),
    ("swap", 5),
    ("bytes", 5),
    ("bools", 9),
    ("longs", 5),
    ("grid", 0),
    ("store", 0),
    ("made", 4),
    ("fixed", 3),
    ("places", 16),
    ("multi", 0),
    ("copy", 0),
    ("shift", 5),
    ("cloned", 5),
    ("equal", 6),
    ("at", 0),
    ("hello", 3),
    ("starts", 4),
    ("key", 5),
    ("joined", 0),
    ("compared", 0),
    ("same", 0),
    ("wide", 0),
    ("boxes", 3),
    ("digits", 3),
    ("spelled", 2),
    ("told", 2),
    ("format", 2),
    ("message", 4),
    ("negative", 5),
    ("behind", 0),
    ("beyond", 0),
    ("unseen", 0),
];

fn check(policy: Policy) {
    let names = METHODS.map(|(name, _)| name);
    explored(&names, policy, |name, _, _, found| {
        assert!(!found.outcomes.is_empty(), "{name} has no path");
        for outcome in &found.outcomes {
            assert_eq!(outcome.replay, Replay::Confirmed, "{name}: {outcome:?}");
        }
        for stop in &found.stops {
            let expected = ["array", "string", "allocation"];
            assert!(expected.contains(&stop.kind.name()), "{name} stops: {stop:?}");
        }
        let (_, paths) = METHODS.iter().find(|entry| entry.0 == name).unwrap();
        if *paths > 0 {
            assert_eq!(found.paths.completed(), *paths, "the paths of {name}");
        }
    });
}

#[test]
fn paths_are_those_of_their_witnesses() {
    check(Policy::LazierSharp);
}

#[test]
fn lazier_paths_are_those_of_their_witnesses() {
    check(Policy::Lazier);
}

#[test]
fn lazy_paths_are_those_of_their_witnesses() {
    check(Policy::Lazy);
}

#[test]
fn a_symbolic_builder_is_one_text() {
    explored(&["built"], Policy::LazierSharp, |name, _, _, found| {
        for outcome in &found.outcomes {
            assert_eq!(outcome.replay, Replay::Confirmed, "{name}: {outcome:?}");
        }
        assert!(found.outcomes.iter().any(|outcome| outcome.value.as_deref() == Some("1")));
    });
}

/// Numbers that look random, and are the same every time.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    fn next(&mut self, limit: u64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit) as i64
    }
}

/// An array of small numbers or none, and some indexes.
pub(crate) fn sample(numbers: &mut Numbers, class: &str, indexes: usize) -> Witness {
    let mut inputs = Vec::new();
    let mut objects = Vec::new();
    if numbers.next(8) == 0 {
        inputs.push(("a".to_owned(), WitnessValue::Null));
    } else {
        let length = numbers.next(6) as u32;
        let element = |numbers: &mut Numbers| match class {
            "boolean[]" => WitnessValue::Boolean(numbers.next(2) == 1),
            _ => WitnessValue::Integer(numbers.next(5) * 50 - 100),
        };
        let values: BTreeMap<u32, WitnessValue> =
            (0..length).map(|index| (index, element(numbers))).collect();
        inputs.push(("a".to_owned(), WitnessValue::Object(1)));
        let body = WitnessBody::Array(length, values);
        objects.push(WitnessObject { class: class.to_owned(), body });
    }
    for _ in 0..indexes {
        inputs.push(("i".to_owned(), WitnessValue::Integer(numbers.next(8) - 1)));
    }
    Witness { inputs, objects, ..Witness::default() }
}

#[test]
fn concrete_runs_are_on_paths_that_were_found() {
    let subjects: [(&str, &str, usize); 8] = [
        ("set", "int[]", 3),
        ("swap", "int[]", 2),
        ("bytes", "byte[]", 2),
        ("bools", "boolean[]", 1),
        ("longs", "long[]", 1),
        ("copy", "int[]", 1),
        ("shift", "int[]", 1),
        ("cloned", "int[]", 2),
    ];
    let names = subjects.map(|subject| subject.0);
    let mut numbers = Numbers(20_260_101);
    explored(&names, Policy::LazierSharp, |name, explorer, entry, found| {
        let (_, class, indexes) = subjects.iter().find(|subject| subject.0 == name).unwrap();
        for _ in 0..60 {
            let witness = sample(&mut numbers, class, *indexes);
            let run = explorer.run_on(entry, &witness).unwrap();
            let on = |outcome: &&dalang_explore::Outcome| {
                outcome.trace == Some(run.trace)
                    && outcome.kind == run.kind
                    && outcome.exception == run.exception
            };
            let paths = found.outcomes.iter().filter(on).count();
            assert!(paths > 0, "{name} has no path for {witness:?}: {run:?}");
        }
    });
}
