//! Garbage is collected while methods are explored, and memory that runs out is no error of Java's.

use crate::desk::{Desk, stops};

const SOURCE: &str = "import java.util.ArrayList;
import java.util.List;

public class Garbage {
    static void loop(int x) {
        for (int i = 0; i < 50; i++) { byte[] b = new byte[50_000_000]; }
        assert x != 5;
    }

    static void guarded(int x) {
        try {
            for (int i = 0; i < 50; i++) { byte[] b = new byte[50_000_000]; }
        } catch (OutOfMemoryError e) {
            assert x != 5;
        }
    }

    static void held(int x) {
        List<byte[]> all = new ArrayList<>();
        try {
            while (true) all.add(new byte[10_000_000]);
        } catch (OutOfMemoryError e) {
            assert x != 5;
        }
    }

    static void tooLarge(int x) {
        try {
            long[] a = new long[Integer.MAX_VALUE - 8];
        } catch (OutOfMemoryError e) {
            assert x != 5;
        }
    }

    static void noArray(int x) {
        try {
            byte[] a = new byte[Integer.MAX_VALUE];
        } catch (OutOfMemoryError e) {
            assert x != 5;
        }
    }
}
";

fn method(name: &str, flags: &[&str]) -> serde_json::Value {
    let name = format!("Garbage.{name}");
    Desk::holding("Garbage.java", SOURCE).method(&[&["--method", name.as_str()], flags].concat())
}

#[test]
fn what_comes_after_much_garbage_is_explored() {
    let found = method("loop", &["--memory", "600"]);
    assert_eq!((&found["verdict"], stops(&found).len()), (&"unsafe".into(), 0), "{found}");
    assert_eq!(found["violations"][0]["kind"], "assert", "{found}");
    assert_eq!(found["violations"][0]["replay"], "confirmed", "{found}");
}

#[test]
fn garbage_throws_no_error() {
    let found = method("guarded", &["--memory", "600"]);
    assert_eq!(
        (&found["verdict"], &found["exhaustive"]),
        (&"safe".into(), &true.into()),
        "{found}"
    );
}

#[test]
fn memory_that_runs_out_is_a_stop() {
    let found = method("held", &["--memory", "300"]);
    assert_eq!(
        (&found["verdict"], stops(&found)),
        (&"undecided".into(), vec!["memory"]),
        "{found}"
    );
}

#[test]
fn what_no_heap_holds_is_java_s_error_and_the_size_is_named_where_it_matters() {
    for (name, matters) in [("tooLarge", true), ("noArray", false)] {
        let found = method(name, &[]);
        assert_eq!(found["verdict"], "unsafe", "{found}");
        assert_eq!(found["violations"][0]["replay"], "confirmed", "{found}");
        let assumed = found["assumptions"].to_string().contains("Java's heap has 2 GiB");
        assert_eq!(assumed, matters, "{found}");
    }
}
