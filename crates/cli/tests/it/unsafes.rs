//! `Unsafe` with wrong offsets, classes and types: a named stop, never a panic, a defect or a guess.

use crate::desk::{Desk, stops};
use std::fmt::Write;

/// How things are read, and what is returned.
const GETS: [&str; 9] =
    ["Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double", "Object"];
/// What is accessed, and how large it is behind its header; a reference is four bytes.
const OBJECTS: [(&str, i64); 12] = [
    ("new boolean[3]", 3),
    ("new byte[3]", 3),
    ("new char[3]", 6),
    ("new short[3]", 6),
    ("new int[3]", 12),
    ("new long[3]", 24),
    ("new float[3]", 12),
    ("new double[3]", 24),
    ("new String[] {\"a\", null}", 8),
    ("new Other()", 0),
    ("\"text\"", 0),
    ("null", 0),
];
const OFFSETS: [i64; 10] = [i64::MIN, -1, 0, 12, 15, 40, 41, 1000, 1 << 40, i64::MAX];

const TOP: &str = "import java.lang.reflect.Field;
import sun.misc.Unsafe;
public class Misuse {
    static final Unsafe U;
    static {
        try {
            Field field = Unsafe.class.getDeclaredField(\"theUnsafe\");
            field.setAccessible(true);
            U = (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) { throw new Error(e); }
    }
    static class Other { long a; int c; String s; }
    int x; long y; String s; boolean f; static int shared;
    static long off(Class<?> c, String name) throws Exception {
        return U.objectFieldOffset(c.getDeclaredField(name));
    }
";

/// Accesses that are wrong whatever the type, each in a method of its own.
fn matrix() -> (String, usize) {
    let (mut text, mut count) = (TOP.to_owned(), 0);
    for get in GETS {
        for (object, size) in OBJECTS {
            for offset in OFFSETS.into_iter().filter(|&offset| offset < 16 || offset >= 16 + size) {
                let offset =
                    format!("{offset}L").replace("-9223372036854775808L", "Long.MIN_VALUE");
                let made = format!("m{count}");
                writeln!(text, "    static void {made}() {{ U.get{get}({object}, {offset}); }}")
                    .unwrap();
                count += 1;
            }
        }
    }
    text.push_str("}\n");
    (text, count)
}

#[test]
fn memory_that_is_in_no_object_is_a_named_stop() {
    let (source, count) = matrix();
    let (json, _) = Desk::compiled("Misuse.java", &source).json(&["--class", "Misuse"]);
    assert_eq!(json["defects"].as_array().unwrap().len(), 0, "{}", json["defects"]);
    let mut seen = 0;
    for method in json["methods"].as_array().unwrap() {
        if method["method"].as_str().unwrap().starts_with("Misuse.m") {
            assert_eq!(method["verdict"], "undecided", "{method}");
            assert_eq!(stops(method), ["unsupported"], "{method}");
            let detail = method["stops"][0]["detail"].as_str().unwrap();
            assert!(detail.contains("through jdk.internal.misc.Unsafe"), "{method}");
            seen += 1;
        }
    }
    assert_eq!(seen, count);
}

#[test]
fn what_is_there_is_not_taken_for_something_else() {
    let source = format!(
        "{TOP}
    static void wrongClass() throws Exception {{ U.getInt(new Other(), off(Misuse.class, \"x\")); }}
    static void wider() throws Exception {{ U.getLong(new Misuse(), off(Misuse.class, \"x\")); }}
    static void narrower() throws Exception {{ U.getInt(new Misuse(), off(Misuse.class, \"y\")); }}
    static void within() throws Exception {{ U.getByte(new Misuse(), off(Misuse.class, \"y\") + 1); }}
    static void number() throws Exception {{ U.getInt(new Misuse(), off(Misuse.class, \"s\")); }}
    static void reference() throws Exception {{ U.getObject(new Misuse(), off(Misuse.class, \"x\")); }}
    static void example() {{ U.getLong(new Object[] {{\"a\", \"b\"}}, 16L); }}
    static void half() {{ U.getObject(new Object[] {{\"a\", \"b\"}}, 18L); }}
    static void numbers() {{ U.getObject(new int[2], 16L); }}
    static void polluted() {{ U.putObject(new String[1], 16L, Integer.valueOf(3)); }}
    static void pollutedField() throws Exception {{
        U.putObject(new Misuse(), off(Misuse.class, \"s\"), new Object());
    }}
    static void truth() throws Exception {{ U.putByte(new Misuse(), off(Misuse.class, \"f\"), (byte) 2); }}
    static void truths() {{ U.putInt(new boolean[4], 16L, 7); }}
    static void unknown(long offset) {{ U.getInt(new Misuse(), offset); }}
    static void statics() throws Exception {{
        Field f = Misuse.class.getDeclaredField(\"shared\");
        U.getInt(new Misuse(), U.staticFieldOffset(f));
    }}
    static void noArray() {{ U.arrayBaseOffset(String.class); }}
    static void copied() {{ U.copyMemory(new byte[2], 16L, new byte[2], 16L, 3L); }}
    static void filled() {{ U.setMemory(new byte[2], Long.MAX_VALUE, 3L, (byte) 1); }}
    static void swapped() throws Exception {{
        U.compareAndSwapInt(new Other(), off(Misuse.class, \"x\"), 0, 1);
    }}
}}
"
    );
    let (json, _) = Desk::compiled("Misuse.java", &source).json(&["--class", "Misuse"]);
    assert_eq!(json["defects"].as_array().unwrap().len(), 0, "{}", json["defects"]);
    for method in json["methods"].as_array().unwrap() {
        let name = method["method"].as_str().unwrap();
        if name.contains("<init>") || name.contains(".off(") {
            continue;
        }
        assert_eq!(method["verdict"], "undecided", "{method}");
        assert_eq!(stops(method), ["unsupported"], "{method}");
    }
}

#[test]
fn receivers_of_the_wrong_class_are_refused_as_java_does() {
    let source = "import java.lang.invoke.*;
    import java.util.concurrent.atomic.*;
    public class Receivers {
        volatile int v;
        volatile String s;
        @SuppressWarnings({\"unchecked\", \"rawtypes\"})
        static void updater(Object o) {
            AtomicIntegerFieldUpdater updater = AtomicIntegerFieldUpdater.newUpdater(Receivers.class, \"v\");
            try {
                updater.set(o, 4);
            } catch (ClassCastException e) {
                assert !(o instanceof Receivers);
                return;
            }
            assert ((Receivers) o).v == 4;
        }
        static void handle(Object o) throws Throwable {
            VarHandle handle = MethodHandles.lookup().findVarHandle(Receivers.class, \"v\", int.class);
            try {
                handle.set(o, 3);
            } catch (NullPointerException e) {
                assert o == null;
                return;
            } catch (ClassCastException e) {
                assert !(o instanceof Receivers);
                return;
            }
            assert ((Receivers) o).v == 3;
        }
    }
    ";
    let (json, _) = Desk::compiled("Receivers.java", source).json(&["--class", "Receivers"]);
    for method in json["methods"].as_array().unwrap() {
        assert_eq!(method["verdict"], "safe", "{method}");
    }
}
