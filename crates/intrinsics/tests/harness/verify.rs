//! `dalang.Verify`, with and without its class file.

use crate::explorer::{End, Workshop, returned, threw, violated};
use dalang_heap::{Policy, Value};
use dalang_interp::{Outcome, Step};

const VERIFY: &str = include_str!("../../../../java/api/src/dalang/Verify.java");

const SUBJECT: &str = r#"
import dalang.Verify;

class Node { Node next; int key; boolean marked; }
class Wide extends Node { long key; Object extra; }
class Never { interface Nothing { } }
enum Colour { RED, GREEN, BLUE }

public class Subject {
    static int assumed() {
        int x = Verify.anyInt();
        Verify.assume(x > 10);
        Verify.assume(x < 12);
        return x;
    }
    static void checked() {
        int x = Verify.anyInt();
        Verify.assume(x >= 0);
        Verify.check(x + 1 > 0);
    }
    static void named() {
        Verify.check(Verify.anyBoolean(), "it " + "is false");
    }
    static void reached() {
        if (Verify.anyByte() == 7) Verify.unreachable("seven");
        if (Verify.anyChar() == 'x') Verify.unreachable();
    }
    static int between() {
        int x = Verify.anyInt(3, 5);
        if (x == 3) return 3;
        if (x == 4) return 4;
        return x == 5 ? 5 : 0;
    }
    static int none() {
        return Verify.anyInt(5, 3);
    }
    static int counted() {
        int a = Verify.anyInt(), b = Verify.anyInt();
        return a - b;
    }
    static int kinds() {
        long l = Verify.anyLong();
        short s = Verify.anyShort();
        float f = Verify.anyFloat();
        double d = Verify.anyDouble();
        return l == 1L << 40 && s == -5 && f == 0.5f && d != d ? 1 : 0;
    }
    static int known(int p) {
        return (Verify.isSymbolic(p) ? 1 : 0) + (Verify.isSymbolic(3) ? 2 : 0)
            + (Verify.isSymbolic(new Object()) ? 4 : 0) + (Verify.isSymbolic((Object) null) ? 8 : 0);
    }
    static int unresolved(Node n) {
        return Verify.isSymbolic(n) ? 1 : 0;
    }
    static int maybe() {
        Node n = Verify.any(Node.class);
        if (n == null) return 0;
        return n instanceof Wide ? 2 : 1;
    }
    static int object() {
        Wide n = Verify.anyNonNull(Wide.class);
        return n == null ? 0 : 1;
    }
    static Object nobody() {
        return Verify.anyNonNull(Never.Nothing.class);
    }
    static int different() {
        if (Verify.anyBoolean()) {
            Node n = Verify.anyNonNull(Node.class);
            return n.key == 1 ? 1 : 2;
        }
        Wide n = Verify.anyNonNull(Wide.class);
        return n.key == 1 ? 3 : 4;
    }
    static int colour() {
        Colour c = Verify.anyNonNull(Colour.class);
        return c.ordinal();
    }
    static int same(Node p) {
        Node n = Verify.any(Node.class);
        if (p == null || n == null) return 0;
        return n == p ? 1 : 2;
    }
    static boolean caught() {
        try {
            Verify.assume(Verify.anyInt() == 1);
            return true;
        } catch (Verify.Assumed e) {
            return false;
        }
    }
    static void primitive() {
        Verify.any(int.class);
    }
    static int field(Node n) {
        return Verify.intField(n, "key");
    }
    static boolean marked(Node n) {
        return Verify.booleanField(n, "marked");
    }
    static Object next(Node n) {
        return Verify.field(n, "next");
    }
    static long wide() {
        Wide w = new Wide();
        w.key = 77;
        ((Node) w).key = 5;
        return Verify.longField(w, "key");
    }
    static Object box() {
        Node n = new Node();
        n.key = 9;
        return Verify.field(n, "key").toString();
    }
    static void nameless(Node n) {
        Verify.field(n, "absent");
    }
    static void asserted() {
        int x = Verify.anyInt();
        assert x != 3 : "three";
    }
}
"#;

const CLASSES: &[&str] = &["dalang/Verify", "dalang/Verify$Assumed"];

fn workshop() -> Workshop {
    Workshop::new(&[("dalang/Verify.java", VERIFY), ("Subject.java", SUBJECT)])
}

/// The class file makes no difference: each of these is tested with it and without it.
#[test]
fn with_and_without_the_class() {
    let mut workshop = workshop();
    for with in [true, false] {
        if !with {
            workshop = workshop.without(CLASSES);
        }
        assumptions_leave_out_paths(&workshop);
        demands_are_violated_with_a_witness(&workshop);
        requests_are_inputs_of_their_own(&workshop);
        requests_for_objects(&workshop);
        asking_what_is_known_decides_nothing(&workshop);
        fields_by_name(&workshop);
    }
}

fn assumptions_leave_out_paths(workshop: &Workshop) {
    let ends = workshop.ends("assumed");
    assert_eq!(ends, [returned("anyInt#1"), End::Assumed, End::Assumed]);
    assert_eq!(workshop.ends("caught"), [returned("1"), End::Assumed]);
}

fn demands_are_violated_with_a_witness(workshop: &Workshop) {
    let paths = workshop.paths("checked", Policy::LazierSharp, workshop.settings());
    let violated_path = paths.iter().find(|path| matches!(path.end, End::Violated(_))).unwrap();
    assert_eq!(violated_path.end, violated("a check does not hold"));
    assert_eq!(violated_path.witness, [("anyInt#1".to_owned(), i32::MAX as u64)]);
    assert_eq!(workshop.ends("named"), [returned("nothing"), violated("it is false")]);
    let ends = workshop.ends("reached");
    let unreachable = violated("reached what must not be reached");
    assert_eq!(ends, [returned("nothing"), unreachable, violated("seven")]);
}

#[test]
fn java_assertions_are_on() {
    let ends = workshop().ends("asserted");
    assert_eq!(ends, [returned("nothing"), threw("java.lang.AssertionError")]);
}

fn requests_are_inputs_of_their_own(workshop: &Workshop) {
    assert_eq!(workshop.ends("counted"), [returned("anyInt#1 - anyInt#2")]);
    assert_eq!(
        workshop.ends("between"),
        [returned("3"), returned("4"), returned("5"), End::Assumed]
    );
    assert_eq!(workshop.ends("none"), [End::Assumed]);
    let ends = workshop.ends("kinds");
    assert!(ends.contains(&returned("1")), "{ends:?}");
}

fn requests_for_objects(workshop: &Workshop) {
    for policy in Policy::ALL {
        let ends = |method| {
            let paths = workshop.paths(method, policy, workshop.settings());
            let mut ends: Vec<String> =
                paths.into_iter().map(|path| format!("{:?}", path.end)).collect();
            ends.sort_unstable();
            ends.dedup();
            ends.join(" ")
        };
        let returns = |values: &[&str]| {
            let all: Vec<_> = values.iter().map(|v| format!("{:?}", returned(v))).collect();
            all.join(" ")
        };
        assert_eq!(ends("maybe"), returns(&["0", "1", "2"]), "{policy:?}");
        assert_eq!(ends("object"), returns(&["1"]), "{policy:?}");
        assert_eq!(ends("different"), returns(&["1", "2", "3", "4"]), "{policy:?}");
        if policy.is_optimal() {
            // Which constant it is, nothing depends on: one path, whose result says it.
            let ends = ends("colour");
            assert_eq!(ends.matches("Returned").count(), 1, "{policy:?}: {ends}");
            assert!(ends.contains("? 0 :") && ends.contains("? 1 : 2"), "{policy:?}: {ends}");
        } else {
            assert_eq!(ends("colour"), returns(&["0", "1", "2"]), "{policy:?}");
        }
        assert_eq!(ends("same"), returns(&["0", "1", "2"]), "{policy:?}");
        assert_eq!(ends("nobody"), "Cut", "{policy:?}");
    }
    let ends = workshop.ends("primitive");
    let stop = "asking for an object of type int is not supported".to_owned();
    assert_eq!(ends, [End::Stopped(stop)]);
}

fn asking_what_is_known_decides_nothing(workshop: &Workshop) {
    assert_eq!(workshop.ends("known"), [returned("1")]);
    assert_eq!(workshop.ends("unresolved"), [returned("1")]);
}

fn fields_by_name(workshop: &Workshop) {
    let npe = threw("java.lang.NullPointerException");
    let iae = threw("java.lang.IllegalArgumentException");
    // A `Wide` hides the field, and its own is a `long`.
    assert_eq!(workshop.ends("field"), [returned("p0.key"), iae.clone(), npe.clone()]);
    let ends = workshop.ends("marked");
    assert_eq!(ends.len(), 2, "the class of the object does not matter: {ends:?}");
    assert_eq!(ends[1], npe);
    assert_eq!(workshop.ends("next"), [returned("p0.next"), npe.clone()]);
    assert_eq!(workshop.ends("wide"), [returned("77")]);
    assert_eq!(workshop.ends("box"), [returned("9")]);
    assert_eq!(workshop.ends("nameless"), [iae.clone(), iae, npe]);
}

#[test]
fn what_is_given_is_taken() {
    let workshop = workshop();
    let returned = |step: Step| match step {
        Step::Ended(Outcome::Returned(Some(Value::Int(value)))) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(returned(workshop.replay("counted", &[Value::Int(7), Value::Int(3)])), 4);
    assert_eq!(returned(workshop.replay("between", &[Value::Int(4)])), 4);
    assert!(matches!(workshop.replay("assumed", &[Value::Int(4)]), Step::Assumed));
    let step = workshop.replay("checked", &[Value::Int(i32::MAX)]);
    assert!(matches!(step, Step::Violated(_)), "{step:?}");
    assert!(matches!(workshop.replay("counted", &[]), Step::Stopped(_)));
}

#[test]
fn an_ordinary_run_does_what_the_bytecode_does() {
    let with = workshop();
    let step = with.run("assumed");
    assert!(matches!(step, Step::Ended(Outcome::Threw(_))), "{step:?}");
    // Without a verifier there is no stand-in either.
    let step = with.without(CLASSES).run("assumed");
    assert!(matches!(step, Step::Ended(Outcome::Threw(_))), "{step:?}");
}
