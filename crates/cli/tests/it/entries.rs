//! Where an exploration begins: constructors, `main` with its arguments and standard input, and methods
//! that no input leads to.

use crate::desk::{Desk, stops};
use serde_json::Value;

const POLICIES: [&str; 5] = ["lazy", "lazier", "lazier#", "summary", "pose"];

fn under(desk: &Desk, policy: &str, arguments: &[&str]) -> Value {
    desk.method(&[&["--policy", policy], arguments].concat())
}

fn violation(method: &Value) -> &Value {
    let violations = method["violations"].as_array().unwrap();
    assert_eq!(violations.len(), 1, "{method}");
    assert_eq!(violations[0]["replay"], "confirmed", "{method}");
    &violations[0]
}

#[test]
fn a_constructor_begins_with_default_values() {
    let source = "public class Made extends Above {
        int x;
        int[] a;
        public Made(int v) {
            assert x == 0 && a == null && y == 3;
            x = v;
            assert x != 5;
        }
    }
    class Above { int y; Above() { assert y == 0; y = 3; } }
    ";
    let desk = Desk::compiled("Made.java", source);
    for policy in POLICIES {
        let method = under(&desk, policy, &["--method", "Made.<init>"]);
        let found = violation(&method);
        assert_eq!(found["at"]["line"], 7, "{found}");
        assert_eq!(found["witness"]["inputs"].to_string(), r#"{"v":5}"#, "{found}");
    }
}

#[test]
fn what_an_abstract_class_is_part_of_is_assumed() {
    let source = "public abstract class Part {
        int x;
        Part() { assert x == 0; init(); }
        abstract void init();
    }
    class Whole extends Part { int z; void init() { assert z == 0; } }
    ";
    let desk = Desk::compiled("Part.java", source);
    let method = desk.method(&["--method", "Part.<init>"]);
    assert_eq!(method["verdict"], "safe", "{method}");
    assert!(method["assumptions"].to_string().contains("what is made is a Whole"), "{method}");
}

#[test]
fn main_is_given_any_arguments() {
    let source = "public class Arguments {
        public static void main(String[] args) {
            for (String arg : args) assert arg != null;
            if (args.length == 2 && args[1].equals(\"x\")) assert args[0].length() > 0;
        }
    }";
    let desk = Desk::compiled("Arguments.java", source);
    for policy in POLICIES {
        let method = under(&desk, policy, &["--entry", "main", "--array", "3"]);
        let found = violation(&method);
        assert_eq!(found["at"]["line"], 4, "{found}");
        let objects = found["witness"]["objects"].to_string();
        assert!(objects.contains(r#""text":"x""#) && objects.contains(r#""text":"""#), "{found}");
        assert!(stops(&method).contains(&"array"), "{method}");
    }
}

#[test]
fn arguments_of_main_are_strings_of_their_own() {
    let source = "public class Arguments {
        public static void main(String[] args) {
            if (args.length == 1) assert args[0] != \"x\";
            if (args.length == 2 && args[0].equals(args[1])) assert args[0] != args[1];
            if (args.length == 3 && args[0] == args[0]) assert !args[2].equals(\"z\");
        }
    }";
    let desk = Desk::compiled("Arguments.java", source);
    for policy in POLICIES {
        let method = under(&desk, policy, &["--entry", "main", "--string", "2"]);
        assert_eq!(violation(&method)["at"]["line"], 5, "{method}");
    }
}

const READ: &str = "public class Read {
    public static void main(String[] args) throws java.io.IOException {
        int first = System.in.read();
        int n = 0;
        while (System.in.read() >= 0) n++;
        assert first != 'x' || n != 2;
    }
}";

#[test]
fn standard_input_is_any_bytes_and_then_ends() {
    let desk = Desk::compiled("Read.java", READ);
    for policy in ["lazy", "pose"] {
        let method = under(&desk, policy, &["--entry", "main"]);
        let found = violation(&method);
        let stdin = found["witness"]["stdin"].as_str().unwrap();
        assert!(stdin.starts_with('x') && stdin.len() == 3, "{found}");
        assert_eq!(stops(&method), ["stdin"], "{method}");
    }
    let text = desk.check(&["--entry", "main"]);
    let text = String::from_utf8_lossy(&text.out);
    assert!(text.contains("standard input = \"x") && text.contains("--stdin 8"), "{text}");
}

#[test]
fn a_bound_on_standard_input_leaves_a_verdict() {
    let desk = Desk::compiled("Read.java", READ);
    let (json, code) = desk.json(&["--entry", "main", "--stdin", "2"]);
    let method = &json["methods"][0];
    assert_eq!((code, &method["verdict"]), (Some(0), &"safe".into()), "{method}");
    assert_eq!((stops(method), &json["bounds"]["stdin"]), (vec!["stdin"], &2.into()), "{method}");
}

#[test]
fn a_caught_assertion_is_an_outcome() {
    let source = "public class Caught {
        static int f(int x) {
            try { assert x != 3; return 1; } catch (AssertionError e) { return 2; }
        }
    }";
    let method = Desk::compiled("Caught.java", source).method(&[]);
    assert_eq!((&method["verdict"], &method["paths"]["normal"]), (&"safe".into(), &2.into()));
}

const VOID: &str = "public class Void {
    enum None { ; int m() { return 1 / 0; } }
    static void is(Object o) { if (o instanceof None) assert false; }
    static int of(None n) { return n == null ? 0 : 1 / 0; }
    static int call(None n) { return n.ordinal(); }
}";

#[test]
fn an_enum_without_constants_has_no_instances() {
    let desk = Desk::compiled("Void.java", VOID);
    for policy in POLICIES {
        for method in ["Void.is", "Void.of"] {
            let found = under(&desk, policy, &["--method", method]);
            assert_eq!(found["verdict"], "safe", "{found}");
        }
        let found = under(&desk, policy, &["--method", "Void.call"]);
        assert_eq!(
            (&violation(&found)["kind"], &found["exhaustive"]),
            (&"null".into(), &true.into())
        );
        let found = under(&desk, policy, &["--method", "Void$None.m"]);
        assert_eq!(found["paths"]["completed"], 0, "{found}");
        assert_eq!((&found["verdict"], &found["unreachable"]), (&"undecided".into(), &true.into()));
    }
}

#[test]
fn what_assumptions_rule_out_is_not_safe() {
    let source = "public class Vacuous {
        static void f(int x) { dalang.Verify.assume(x > 3 && x < 3); assert false; }
    }";
    let desk = Desk::compiled("Vacuous.java", source);
    let method = desk.method(&[]);
    assert_eq!((&method["verdict"], &method["unreachable"]), (&"undecided".into(), &true.into()));
    let text = desk.check(&[]);
    assert_eq!(text.code, Some(3));
    let text = String::from_utf8_lossy(&text.out);
    assert!(text.contains("every path was assumed away"), "{text}");
}
