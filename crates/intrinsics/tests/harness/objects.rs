//! Input objects where their class or what their fields lead to is not known yet: nothing may take a
//! guess for the truth.

use crate::explorer::{End, Workshop, returned, threw};

const SUBJECT: &str = r#"
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntSupplier;

class Node {
    Node next;
    int value() { return 1; }
    synchronized int poke() { notifyAll(); return 1; }
    public String toString() { return "node"; }
}
class Wide extends Node {
    int value() { return 2; }
    public String toString() { return "wide"; }
}
class Plain { }
record Pair(int x, Node n) { }

public class Subject {
    static int components(Pair a, Pair b) {
        if (a == null || b == null || a.x() != b.x()) return 0;
        if (a.equals(b)) return a.n() == b.n() ? 1 : 9;
        return a.n() == b.n() ? 8 : 2;
    }
    static int record(Pair a, Object b) {
        if (a == null) return 0;
        boolean equal = a.equals(b);
        if (equal && !(b instanceof Pair)) return 9;
        if (!equal && a == b) return 8;
        return equal ? 1 : 2;
    }
    static int bound(Node n) {
        if (n == null) return 0;
        IntSupplier supplier = n::value;
        int value = supplier.getAsInt();
        return n instanceof Wide ? value + 10 : value;
    }
    static int nested(Object o) {
        Function<Object, Integer> inner = x -> x instanceof Wide ? 1 : 2;
        Function<Wide, Integer> cast = Subject::wide;
        Function<Object, Integer> outer = inner::apply;
        @SuppressWarnings("unchecked")
        Function<Object, Integer> hidden = (Function<Object, Integer>) (Function<?, ?>) cast;
        Function<Object, Integer> other = hidden::apply;
        return outer.apply(o) * 10 + other.apply(o);
    }
    static int wide(Wide w) {
        return w == null ? 5 : 6;
    }
    static int notified(Node n) {
        return n == null ? 0 : n.poke();
    }
    static int identity(Plain p) {
        return p == null ? 0 : System.identityHashCode(p);
    }
    static int hash(Plain p) {
        return p == null ? 0 : p.hashCode();
    }
    static int made() {
        return new Plain().hashCode() == System.identityHashCode(null) ? 1 : 2;
    }
    static int swapped(AtomicReference<Node> r, Node n) {
        if (r == null) return 0;
        boolean done = r.compareAndSet(n, null);
        return done ? (r.get() == null ? 1 : 9) : (r.get() == n ? 8 : 2);
    }
    static int reflected(Object o) throws Exception {
        Method method = Subject.class.getDeclaredMethod("wide", Wide.class);
        try {
            return (Integer) method.invoke(null, o);
        } catch (IllegalArgumentException e) {
            return o == null || o instanceof Wide ? 9 : 2;
        }
    }
    static int handled(Object o) throws Throwable {
        MethodHandle handle = MethodHandles.lookup().findStatic(Subject.class, "wide",
            MethodType.methodType(int.class, Wide.class));
        try {
            return (int) handle.invoke(o);
        } catch (ClassCastException e) {
            return o == null || o instanceof Wide ? 9 : 2;
        }
    }
    static String text(Node n) {
        return "a" + n;
    }
}
"#;

/// How paths end, each once.
fn ends(workshop: &Workshop, method: &str) -> Vec<End> {
    let mut ends = workshop.ends(method);
    ends.dedup();
    ends
}

fn all(values: &[&str]) -> Vec<End> {
    values.iter().map(|value| returned(value)).collect()
}

#[test]
fn classes_and_fields_of_input_objects_are_not_guessed() {
    let workshop = Workshop::new(&[("Subject.java", SUBJECT)]);
    assert_eq!(ends(&workshop, "components"), all(&["0", "1", "2"]));
    assert_eq!(ends(&workshop, "record"), all(&["0", "1", "2"]));
    assert_eq!(ends(&workshop, "bound"), all(&["0", "1", "12"]));
    let mut nested = all(&["16", "25"]);
    nested.push(threw("java.lang.ClassCastException"));
    assert_eq!(ends(&workshop, "nested"), nested);
    assert_eq!(ends(&workshop, "notified"), all(&["0", "1"]));
    assert_eq!(ends(&workshop, "swapped"), all(&["0", "1", "2"]));
    assert_eq!(ends(&workshop, "reflected"), all(&["2", "5", "6"]));
    assert_eq!(ends(&workshop, "handled"), all(&["2", "5", "6"]));
    assert_eq!(ends(&workshop, "text"), all(&["anode", "anull", "awide"]));
}

#[test]
fn the_identity_of_an_input_is_no_number() {
    let workshop = Workshop::new(&[("Subject.java", SUBJECT)]);
    let stop = "the identity hash code of an object of the input is not supported".to_owned();
    for method in ["identity", "hash"] {
        assert_eq!(workshop.ends(method), [returned("0"), End::Stopped(stop.clone())]);
    }
    assert_eq!(workshop.ends("made"), [returned("2")]);
}

const SWITCH: &str = "
sealed interface Shape permits Dot, Line { }
record Dot(int x) implements Shape { }
record Line(Shape from) implements Shape { }
enum Colour { RED, GREEN }

public class Subject {
    static int shapes(Shape s) {
        return switch (s) {
            case null -> 0;
            case Dot(int x) when x == 3 -> 1;
            case Dot d -> 2;
            case Line l -> l.from() == null ? 3 : 4;
        };
    }
    static int strict(Object o) {
        return switch (o) {
            case Dot d -> 1;
            case Colour c when c == Colour.RED -> 2;
            case Integer i when i == 7 -> 3;
            default -> 4;
        };
    }
}
";

/// Since Java 21.
#[test]
fn switches_over_patterns() {
    let jdks = dalang_classes::path::Jdk::installed();
    let Some(jdk) = jdks.into_iter().find(|jdk| jdk.feature >= 21 && jdk.javac().is_some()) else {
        eprintln!("no JDK that knows patterns in switches is installed");
        return;
    };
    let workshop = Workshop::with(jdk, &[("Subject.java", SWITCH)]);
    assert_eq!(ends(&workshop, "shapes"), all(&["0", "1", "2", "3", "4"]));
    let mut strict = all(&["1", "2", "4"]);
    strict.push(threw("java.lang.NullPointerException"));
    assert_eq!(ends(&workshop, "strict"), strict);
}
