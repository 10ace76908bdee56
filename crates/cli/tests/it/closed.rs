//! What a result owes to there being no classes but those in view is among its assumptions.

use crate::desk::Desk;
use serde_json::Value;

const SOURCE: &str = "public class Zoo {
    interface Pet { }
    interface Loud { int volume(); }
    static class Animal { int age; int legs() { return 4; } final int years() { return age; } }
    static class Bird extends Animal { int legs() { return 2; } }
    static class Horn implements Loud { public int volume() { return 9; } }
    static final class Stone { int weight() { return 3; } }
    sealed interface Shape permits Circle, Square { }
    record Circle(int r) implements Shape { }
    record Square(int a) implements Shape { }
    private static class Node { Node next; int size() { return next == null ? 1 : 2; } }
    enum Color { RED, GREEN; int number() { return ordinal(); } }

    static int never(Animal a) { return a instanceof Pet ? 1 / (a.age - a.age) : 1; }
    static int always(Loud l) { return l == null ? 0 : ((Horn) l).volume(); }
    static int called(Loud l) { if (l == null) return 0; int v = l.volume(); assert v == 9; return v; }
    static int overridden(Animal a) { return a == null ? 0 : a.legs(); }
    static int covered(Animal a) {
        if (a == null || a instanceof Bird) return 1;
        assert a.getClass() == Animal.class;
        return 2;
    }
    static int apart(Animal a, Loud l) { Object x = a, y = l; assert x == null || x != y; return 1; }
    static int narrowed(Object o) { if (o instanceof Loud) return ((Horn) o).volume(); return 0; }
    static int stored(Animal[] a) { if (a != null && a.length > 0) a[0] = new Animal(); return 1; }

    static int field(Animal a) { return a == null ? 0 : a.age; }
    static int fixed(Animal a) { return a == null ? 0 : a.years(); }
    static int last(Stone s) { return s == null ? 0 : s.weight(); }
    static int sealed(Shape s) {
        if (s == null || s instanceof Circle) return 1;
        assert s instanceof Square;
        return 2;
    }
    static int hidden(Node n) { return n == null ? 0 : n.size(); }
    static int constant(Color c) { return c == null ? 0 : c.number(); }
    static int unrelated(Animal a, Horn h) { Object x = a, y = h; assert x == null || x != y; return 1; }
    static int either(Object o) { return o instanceof Animal ? 1 : 2; }
    static int library(Object o) { return o == null ? 0 : o.hashCode() == 1 ? 1 : 2; }
}
";

/// What each method assumes of the target's types.
const EXPECTED: [(&str, &[&str]); 17] = [
    ("never", &["no class extends Zoo$Animal and implements Zoo$Pet"]),
    ("always", &["no class implements Zoo$Loud but Zoo$Horn"]),
    ("called", &["no class implements Zoo$Loud but Zoo$Horn"]),
    ("overridden", &["no class extends Zoo$Animal but Zoo$Bird"]),
    ("covered", &["no class extends Zoo$Animal but Zoo$Bird"]),
    ("apart", &["no class extends Zoo$Animal and implements Zoo$Loud"]),
    ("narrowed", &["no class implements Zoo$Loud but Zoo$Horn"]),
    ("stored", &["no class extends Zoo$Animal but Zoo$Bird"]),
    ("field", &[]),
    ("fixed", &[]),
    ("last", &[]),
    ("sealed", &[]),
    ("hidden", &[]),
    ("constant", &[]),
    ("unrelated", &[]),
    ("either", &[]),
    ("library", &[]),
];

fn assumed(method: &Value) -> Vec<&str> {
    let assumptions = method["assumptions"].as_array().unwrap().iter();
    let assumptions = assumptions.map(|one| one.as_str().unwrap());
    assumptions.filter(|one| one.starts_with("no class ")).collect()
}

#[test]
fn an_answer_that_a_further_class_would_change_is_an_assumption() {
    let desk = Desk::compiled("Zoo.java", SOURCE);
    for policy in ["pose", "summary", "lazy", "lazier", "lazier#"] {
        let (json, _) = desk.json(&["--class", "Zoo", "--policy", policy]);
        let methods = json["methods"].as_array().unwrap();
        for (name, expected) in EXPECTED {
            let is_this = |method: &&Value| {
                method["method"].as_str().unwrap().starts_with(&format!("Zoo.{name}("))
            };
            let method = methods.iter().find(is_this).unwrap();
            assert_eq!(assumed(method), expected, "{policy}: {method}");
            let outside = "types outside the target have no classes below them but those in view: \
                           java.lang.Object";
            let is_said = method["assumptions"].as_array().unwrap().contains(&outside.into());
            assert!(is_said || name != "library", "{policy}: {method}");
        }
    }
}

#[test]
fn every_form_of_output_counts_what_is_assumed() {
    let desk = Desk::compiled("Zoo.java", SOURCE);
    let ended = desk.check(&["--class", "Zoo"]);
    let text = String::from_utf8_lossy(&ended.out).into_owned();
    let line = |start: &str| text.lines().find(|line| line.contains(start)).unwrap().to_owned();
    assert!(line("Zoo.overridden(").ends_with("; 1 assumption"), "{text}");
    assert!(!line("Zoo.field(").contains("assumption"), "{text}");
    assert!(text.trim_end().ends_with("assumptions (-v shows them)"), "{text}");
    let ended = desk.check(&["--method", "Zoo.overridden"]);
    let text = String::from_utf8_lossy(&ended.out).into_owned();
    assert!(text.contains("assumed: no class extends Zoo$Animal but Zoo$Bird"), "{text}");
    assert!(text.trim_end().ends_with("under 1 assumption"), "{text}");
    let ended = desk.on("compare", &["--method", "Zoo.overridden"]);
    let text = String::from_utf8_lossy(&ended.out).into_owned();
    assert!(text.contains("under 1 assumption"), "{text}");
}
