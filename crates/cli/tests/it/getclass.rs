//! A comparison of classes is one condition, however many classes are in view.

use crate::desk::Desk;
use serde_json::Value;
use std::fmt::Write;

/// More classes than what is made an ite of.
const CLASSES: usize = 80;

fn source() -> String {
    let mut text = "import java.util.Objects;\npublic class Big {\n    int key;\n".to_owned();
    for number in 0..CLASSES {
        writeln!(text, "    static class C{number} extends Big {{ int f{number}; }}").unwrap();
    }
    text.push_str(
        "    static int one(Object o) {
        if (o != null && o.getClass() == C3.class) return ((C3) o).f3;
        return 2;
    }
    static int wrong(Object o) {
        if (o != null && o.getClass() == C3.class) return 1 / (((C3) o).f3 - 5);
        return 2;
    }
    static int two(Big a, Big b) {
        if (a == null || b == null) return 0;
        if (a.getClass() == b.getClass()) { assert !(a instanceof C1) || b instanceof C1; return 1; }
        assert a != b;
        return 2;
    }
    static int chain(Big o) {
        if (o == null) return 0;
        Class<?> c = o.getClass();
        if (c == C1.class) return 1;
        if (c == C2.class) return 2;
        if (c.equals(C5.class)) { assert o instanceof C5; return 3; }
        assert !(o instanceof C1) && !(o instanceof C2) && !(o instanceof C5);
        return 4;
    }
    static int stored(Big o) {
        if (o == null) return 0;
        Class<?>[] kept = new Class<?>[1];
        kept[0] = o.getClass();
        Object x = kept[0];
        assert x instanceof Class;
        return x == C4.class ? 1 : 2;
    }
    static int instance(Object o) { return C7.class.isInstance(o) ? 1 : 2; }
    static int fresh(Big o) {
        if (o == null) return 0;
        Big made = new C9();
        return made.getClass() == o.getClass() ? 1 : 2;
    }
    static int objects(Big o) {
        if (o == null) return 0;
        return Objects.equals(o.getClass(), C9.class) ? 1 : 2;
    }
    public boolean equals(Object o) {
        if (this == o) return true;
        if (o == null || getClass() != o.getClass()) return false;
        return ((Big) o).key == key;
    }
    static int named(C1 o) {
        if (o == null) return 0;
        assert o.getClass().getName().equals(\"Big$C1\") : o.getClass().getName();
        return o.getClass().getSuperclass() == Big.class ? 1 : 2;
    }
}
",
    );
    text
}

/// What was found of a method, in one run for all of them.
fn found<'a>(json: &'a Value, method: &str) -> &'a Value {
    let name = |found: &&Value| found["method"].as_str().unwrap().starts_with(method);
    json["methods"].as_array().unwrap().iter().find(name).unwrap()
}

#[test]
fn a_comparison_of_classes_is_one_condition() {
    let desk = Desk::compiled("Big.java", &source());
    for policy in ["lazy", "lazier", "lazier#", "pose", "summary"] {
        let (json, _) = desk.json(&["--class", "Big", "--policy", policy]);
        for (method, verdict, paths) in [
            ("Big.one(", "safe", 3),
            ("Big.wrong(", "unsafe", 4),
            ("Big.chain(", "safe", 5),
            ("Big.stored(", "safe", 3),
            ("Big.fresh(", "safe", 3),
            ("Big.objects(", "safe", 3),
            ("Big.named(", "safe", 2),
        ] {
            let found = found(&json, method);
            assert_eq!(found["verdict"], verdict, "{policy}: {found}");
            assert_eq!(found["paths"]["completed"], paths, "{policy}: {found}");
            for violation in found["violations"].as_array().unwrap() {
                assert_eq!(violation["replay"], "confirmed", "{policy}: {violation}");
            }
        }
        let divides = !["pose", "summary"].contains(&policy);
        for (method, most) in [("Big.two(", 5), ("Big.equals(", 5), ("Big.instance(", 2)] {
            let found = found(&json, method);
            assert_eq!(found["verdict"], "safe", "{policy}: {found}");
            // The lazy family decides the class of one of two: once, and not for every pair.
            let most = if divides { 3 * CLASSES as u64 + 10 } else { most };
            let paths = found["paths"]["completed"].as_u64().unwrap();
            assert!(paths <= most, "{policy}: {found}");
        }
    }
}
