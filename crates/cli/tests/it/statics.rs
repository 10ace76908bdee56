//! Static fields of the target are inputs where they can change after their class was initialized.

use crate::desk::{Desk, refusal};
use serde_json::Value;

const POLICIES: [&str; 5] = ["lazy", "lazier", "lazier#", "summary", "pose"];

const COUNTER: &str = "public class Counter {
    static int counter = 1;
    private static int fixed = 3;
    private static int helped;
    public static int open = 1;
    static { help(); }
    private static void help() { helped = 7; }
    static void bump() { counter--; }
    static int changed() { return 1 / counter; }
    static int never() { return 1 / (fixed - 2) + 1 / helped; }
    static int anybody() { return 1 / open; }
    static int elsewhere() { return 1 / (Other.x - 3); }
    static int overwritten() { int a = Other.x; Other.set(5); return 1 / (Other.x - 4); }
}
class Other {
    static int x = 1;
    static void set(int v) { x = v; }
}
";

/// Checks one method under every policy; all must agree on the verdict.
fn verdict(desk: &Desk, method: &str, more: &[&str]) -> Value {
    let check = |policy| {
        let choice = ["--method", method, "--policy", policy];
        desk.method(&[&choice[..], more].concat())
    };
    let mut found: Vec<Value> = POLICIES.into_iter().map(check).collect();
    let first = found.remove(0);
    for other in found {
        assert_eq!(other["verdict"], first["verdict"], "{other} {first}");
    }
    first
}

/// The only violation of a method, which must have happened again.
fn violation(method: &Value) -> &Value {
    let violations = method["violations"].as_array().unwrap();
    assert_eq!(violations.len(), 1, "{method}");
    assert_eq!(violations[0]["replay"], "confirmed", "{method}");
    &violations[0]
}

#[test]
fn a_field_that_code_in_view_changes_is_an_input() {
    let desk = Desk::compiled("Counter.java", COUNTER);
    let method = verdict(&desk, "Counter.changed", &[]);
    let found = violation(&method);
    assert_eq!(found["condition"], "Counter.counter == 0");
    assert_eq!(found["witness"]["inputs"]["Counter.counter"], 0);
    let text = desk.check(&["--method", "Counter.changed"]);
    let text = String::from_utf8_lossy(&text.out);
    assert!(text.contains("Counter.counter = 0"), "{text}");
}

#[test]
fn a_field_that_anybody_can_name_is_an_input() {
    let desk = Desk::compiled("Counter.java", COUNTER);
    violation(&verdict(&desk, "Counter.anybody", &[]));
}

#[test]
fn a_field_that_only_its_initializer_sets_is_fixed() {
    let desk = Desk::compiled("Counter.java", COUNTER);
    let method = verdict(&desk, "Counter.never", &[]);
    assert_eq!((&method["verdict"], &method["exhaustive"]), (&"safe".into(), &true.into()));
}

#[test]
fn a_field_of_another_class_is_an_input_until_the_method_stores_to_it() {
    let desk = Desk::compiled("Counter.java", COUNTER);
    violation(&verdict(&desk, "Counter.elsewhere", &[]));
    assert_eq!(verdict(&desk, "Counter.overwritten", &[])["verdict"], "safe");
}

#[test]
fn initialized_fields_are_an_assumption() {
    let desk = Desk::compiled("Counter.java", COUNTER);
    let method = verdict(&desk, "Counter.changed", &["--statics", "initialized"]);
    assert_eq!(method["verdict"], "safe", "{method}");
    let assumed = method["assumptions"].to_string();
    assert!(assumed.contains("--statics initialized"), "{assumed}");
    let (json, _) = desk.json(&["--method", "Counter.never"]);
    assert_eq!(json["statics"], "auto");
}

#[test]
fn compare_takes_fields_as_they_were_initialized() {
    let desk = Desk::compiled("Counter.java", COUNTER);
    let ended = desk.on("compare", &["--method", "Counter.changed", "--format", "json"]);
    let json: Value = serde_json::from_slice(&ended.out).unwrap();
    assert_eq!((&json["statics"], ended.code), (&"initialized".into(), Some(0)), "{json}");
}

#[test]
fn a_fresh_program_has_no_history() {
    let source = "public class Fresh {
        static int x = 1;
        static void set(int v) { x = v; }
        public static void main(String[] args) { System.out.println(1 / x); }
    }";
    let desk = Desk::compiled("Fresh.java", source);
    let method = desk.method(&["--entry", "main"]);
    assert_eq!(method["verdict"], "safe", "{method}");
    assert!(!method["assumptions"].to_string().contains("--statics"), "{method}");
    let message = refusal(&desk.check(&["--entry", "main", "--statics", "auto"]));
    assert!(message.contains("fresh JVM"), "{message}");
}

const HEAP: &str = "public class Shared {
    static class Node { int v; Node next; }
    private static Node head = new Node();
    static void push(Node n) { n.next = head; head = n; }
    static void write(Node n) {
        if (n == null || head == null) return;
        n.v = 1;
        head.v = 0;
        assert n.v == 1;
    }
    static int deep() { return head == null || head.next == null ? 0 : 1 / head.next.v; }
}
";

#[test]
fn a_parameter_may_be_the_object_that_a_field_holds() {
    let desk = Desk::compiled("Shared.java", HEAP);
    let method = verdict(&desk, "Shared.write", &[]);
    let found = violation(&method);
    let inputs = &found["witness"]["inputs"];
    assert_eq!(inputs["n"], inputs["Shared.head"], "{found}");
}

#[test]
fn what_a_field_leads_to_is_input() {
    let desk = Desk::compiled("Shared.java", HEAP);
    let method = verdict(&desk, "Shared.deep", &[]);
    assert_eq!(violation(&method)["kind"], "arithmetic", "{method}");
}

#[test]
fn what_an_initializer_has_stored_elsewhere_may_be_overwritten() {
    let source = "public class First {
        static { Second.x = 5; }
        static void set(int v) { Second.x = v; }
        static void holds() { assert Second.x == 5; }
    }
    class Second { static int x = 1; }
    ";
    let desk = Desk::compiled("First.java", source);
    violation(&verdict(&desk, "First.holds", &[]));
}

const HELD: &str = "public class Held {
    private static final int[] COUNTS = {1, 2};
    private static final int[] TABLE = {1, 2};
    private static final Held ONE = new Held();
    private static final java.util.List<String> NAMES = new java.util.ArrayList<>();
    private int hits = 1;
    private final int limit = 3;
    enum Level { LOW, HIGH; int used = 1; void use() { used++; } int share() { return 1 / used; } }
    static void count(int i) { COUNTS[i]++; }
    static int element() { return 1 / COUNTS[1]; }
    static int table() { int s = 0; for (int t : TABLE) s += t; return 1 / (s - 2) + 1 / TABLE.length; }
    static void hit() { ONE.hits++; }
    static int singleton() { return 1 / ONE.hits; }
    static int constant() { return 1 / ONE.limit; }
    static int names() { return NAMES.size(); }
    static void write(int[] a) {
        if (a != null && a.length > 0 && COUNTS[0] == 1) { a[0] = 5; assert COUNTS[0] == 1; }
    }
}
";

#[test]
fn what_a_final_field_leads_to_is_input_where_it_can_change() {
    let desk = Desk::compiled("Held.java", HELD);
    for (method, name) in [("Held.element", "Held.COUNTS[1]"), ("Held.singleton", "Held.ONE.hits")]
    {
        let found = verdict(&desk, method, &[]);
        let found = violation(&found);
        assert_eq!(found["condition"], format!("{name} == 0"), "{found}");
        assert_eq!(found["witness"]["inputs"][name], 0, "{found}");
    }
    let found = verdict(&desk, "Held$Level.share", &[]);
    for found in found["violations"].as_array().unwrap() {
        assert_eq!(found["replay"], "confirmed", "{found}");
    }
    assert_eq!(found["verdict"], "unsafe", "{found}");
}

#[test]
fn what_nobody_changes_stays_as_it_is() {
    let desk = Desk::compiled("Held.java", HELD);
    for method in ["Held.table", "Held.constant"] {
        let found = verdict(&desk, method, &[]);
        assert_eq!((&found["verdict"], &found["paths"]["completed"]), (&"safe".into(), &1.into()));
    }
}

#[test]
fn what_nobody_else_has_is_no_input() {
    let desk = Desk::compiled("Held.java", HELD);
    for method in ["Held.names", "Held.write"] {
        let found = verdict(&desk, method, &[]);
        assert_eq!(found["verdict"], "safe", "{found}");
        assert!(found["assumptions"].as_array().unwrap().is_empty(), "{found}");
    }
}

const KEPT: &str = "public class Kept implements Tables {
    static void inherited(int[] p) { if (p != null && p.length > 0 && TABLE[0] == 1) { p[0] = 9; assert TABLE[0] == 1; } }
    private static final int[] OPEN = {1, 2};
    private static final int[][] GRID = {{1}, {2}};
    private static final Kept ONE = new Kept();
    private int hits = 1;
    private final int limit = 3;
    enum Level { LOW, HIGH; int used; void use() { used++; } }
    static int[] open() { return OPEN; }
    static int[] row(int i) { return GRID[i]; }
    static Kept one() { return ONE; }
    static void hit() { ONE.hits++; }
    static void array(int[] a) { if (a != null && a.length > 0 && OPEN[0] == 1) { a[0] = 5; assert OPEN[0] == 1; } }
    static void row(int[] a) { if (a != null && a.length > 0 && GRID[1][0] == 1) { a[0] = 5; assert GRID[1][0] == 1; } }
    static void object(Kept k) { if (k == null || ONE.hits != 1) return; k.hits = 5; assert ONE.hits == 1; }
    void receiver() { int before = ONE.hits; hits = before + 1; assert ONE.hits == before; }
    static void general(Object o) { assert o != ONE; }
    static void inside(Kept[] ks) {
        if (ks == null || ks.length < 2 || ks[1] == null || ONE.hits != 1) return;
        ks[1].hits = 7;
        assert ONE.hits == 1;
    }
    static void level(Level l) { if (l == null || Level.LOW.used != 0) return; l.used = 4; assert Level.LOW.used == 0; }
    static void elsewhere(int[] p) { if (p != null && p.length == 1 && Other.B[0] == 1) { p[0] = 7; assert Other.B[0] == 1; } }
    static void length(int[] a) { assert a != OPEN || a.length == 2; }
    static void unchanging(Kept k) { if (k == ONE) assert k.limit == 3; }
    static void both(Kept a, Kept b) { if (a == ONE && a == b) assert b == ONE; }
    static void exactly(Kept a) { if (a == null) return; ONE.hits = 3; a.hits = 4; assert (ONE.hits == 4) == (a == ONE); }
}
interface Tables { int[] TABLE = {1}; }
class Other { static final int[] B = {1}; static int[] b() { return B; } }
class Leak {
    private static final int[] LEAKED = {1};
    static { Registry.keep(LEAKED); }
    static void leaked() { assert LEAKED[0] == 1; }
}
class Registry { static int[] kept; static void keep(int[] a) { kept = a; } static void bump() { kept[0]++; } }
";

#[test]
fn an_input_may_be_what_a_final_field_keeps() {
    let desk = Desk::compiled("Kept.java", KEPT);
    let cases = [
        ("Kept.array", "Kept.OPEN"),
        ("Kept.row(int[])", "Kept.GRID[1]"),
        ("Kept.object", "Kept.ONE"),
        ("Kept.receiver", "Kept.ONE"),
        ("Kept.general", "Kept.ONE"),
        ("Kept.inside", "Kept.ONE"),
        ("Kept.elsewhere", "Other.B"),
        ("Kept.inherited", "Tables.TABLE"),
    ];
    for (method, kept) in cases {
        let found = verdict(&desk, method, &[]);
        let found = violation(&found);
        let objects = found["witness"]["objects"].as_object().unwrap();
        assert!(objects.values().any(|object| object["static"] == kept), "{found}");
    }
    let text = desk.check(&["--method", "Kept.array"]);
    let text = String::from_utf8_lossy(&text.out);
    assert!(text.contains("a = Kept.OPEN"), "{text}");
}

#[test]
fn a_constant_of_an_enum_is_what_it_is_through_every_input() {
    let desk = Desk::compiled("Kept.java", KEPT);
    violation(&verdict(&desk, "Kept.level", &[]));
}

#[test]
fn what_an_initializer_hands_on_can_change() {
    let desk = Desk::compiled("Kept.java", KEPT);
    violation(&verdict(&desk, "Leak.leaked", &[]));
}

#[test]
fn what_does_not_change_of_a_kept_object_is_known_through_inputs() {
    let desk = Desk::compiled("Kept.java", KEPT);
    for method in ["Kept.length", "Kept.unchanging", "Kept.both", "Kept.exactly"] {
        let found = verdict(&desk, method, &[]);
        assert_eq!((&found["verdict"], &found["exhaustive"]), (&"safe".into(), &true.into()));
        assert!(found["assumptions"].as_array().unwrap().is_empty(), "{found}");
    }
}

#[test]
fn a_parameter_may_be_the_array_that_a_public_field_holds() {
    let source = "public class Open {
        public static int[] a = {1};
        static void write(int[] p) {
            if (p == null || p.length == 0 || a == null || a.length == 0) return;
            a[0] = 1;
            p[0] = 7;
            assert a[0] != 7;
        }
    }";
    let desk = Desk::compiled("Open.java", source);
    let method = verdict(&desk, "Open.write", &[]);
    let found = violation(&method);
    let inputs = &found["witness"]["inputs"];
    assert_eq!(inputs["p"], inputs["Open.a"], "{found}");
}

const CONTAINERS: &str = "import java.util.*;
public class Store {
    private static final List<String> NAMES = new ArrayList<>();
    private static final List<String> FIXED = new ArrayList<>();
    static { FIXED.add(\"a\"); FIXED.add(\"bc\"); }
    private static final Map<String, Integer> CACHE = new HashMap<>();
    private static final java.util.concurrent.atomic.AtomicInteger COUNT =
        new java.util.concurrent.atomic.AtomicInteger(1);
    private static final List<String> INNER = new ArrayList<>();
    private static final List<String> VIEW = Collections.unmodifiableList(INNER);
    static void add(String s) { NAMES.add(s); INNER.add(s); CACHE.put(s, 1); COUNT.decrementAndGet(); }
    static void names() { assert NAMES.isEmpty(); }
    static void cache() { assert CACHE.isEmpty(); }
    static int count() { return 1 / COUNT.get(); }
    static void fixed() { assert FIXED.size() == 2 && FIXED.get(1).length() == 2; }
    static void view() { assert VIEW.isEmpty(); }
    static int plain(int x) { return x + 1; }
}
";

#[test]
fn a_container_that_code_in_view_changes_is_input() {
    let desk = Desk::compiled("Store.java", CONTAINERS);
    for method in ["Store.names", "Store.cache", "Store.count"] {
        violation(&verdict(&desk, method, &[]));
    }
    let found = verdict(&desk, "Store.fixed", &[]);
    assert_eq!(found["verdict"], "safe", "{found}");
    assert!(found["assumptions"].as_array().unwrap().is_empty(), "{found}");
}

#[test]
fn what_is_not_followed_is_assumed_where_it_is_read() {
    let desk = Desk::compiled("Store.java", CONTAINERS);
    let found = desk.method(&["--method", "Store.view"]);
    assert!(found["assumptions"].to_string().contains("Store.VIEW"), "{found}");
    let found = desk.method(&["--method", "Store.plain"]);
    assert!(found["assumptions"].as_array().unwrap().is_empty(), "{found}");
}

/// What initializers put into objects of the library; methods that begin with `found` go wrong once
/// somebody has called another one, those with `told` rest on an assumption, and the rest are certain.
const PUT: &str = r#"import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
public class Put {
    static class Cell { int v = 1; void zero() { v = 0; } }
    public static class Acc { private int n; public void inc() { n++; } }
    record Key(int x, String y) { }
    private static final List<Cell> LIST = new ArrayList<>();
    private static final Map<String, Acc> MAP = new HashMap<>();
    private static final AtomicReference<int[]> ATOM = new AtomicReference<>(new int[] {1});
    private static final LinkedList<Cell> CHAIN = new LinkedList<>();
    private static final TreeMap<String, int[]> TREE = new TreeMap<>();
    private static final AtomicReferenceArray<int[]> ATOMS = new AtomicReferenceArray<>(2);
    private static final List<List<int[]>> NESTED = new ArrayList<>();
    private static final List<long[]> LONGS = new ArrayList<>();
    private static final List<int[]> EACH = new ArrayList<>();
    private static final List<int[]> SHARED = new ArrayList<>();
    private static final int[] ONE = {1};
    private static final Map<Key, int[]> KEYED = new HashMap<>();
    private static final List<Cell> OF = List.of(new Cell());
    private static final List<int[]> FROM = new ArrayList<>();
    private static List<Cell> loose = new ArrayList<>();
    static class Hold { private final List<int[]> l = new ArrayList<>(); Hold() { l.add(new int[] {1}); } void zero() { l.get(0)[0] = 0; } }
    private static final Hold HOLD = new Hold();
    static {
        LIST.add(new Cell());
        MAP.put("a", new Acc());
        CHAIN.add(new Cell());
        CHAIN.add(new Cell());
        TREE.put("a", new int[] {1});
        TREE.put("b", new int[] {2});
        ATOMS.set(0, new int[] {1});
        List<int[]> inner = new ArrayList<>();
        inner.add(new int[] {1});
        NESTED.add(inner);
        LONGS.add(new long[] {1});
        EACH.add(new int[] {1});
        SHARED.add(ONE);
        KEYED.put(new Key(1, "a"), new int[] {1});
        loose.add(new Cell());
        int[] kept = {1};
        FROM.add(kept);
        Other.keep(kept);
    }
    public static Acc acc() { return MAP.get("a"); }
    static void change() {
        ATOM.get()[0] = 0;
        TREE.get("b")[0] = 0;
        ATOMS.get(0)[0] = 0;
        NESTED.get(0).get(0)[0] = 0;
        for (long[] one : LONGS) one[0] = 1L << 40;
        EACH.forEach(one -> one[0] = 0);
        ONE[0] = 0;
        for (Map.Entry<Key, int[]> one : KEYED.entrySet()) one.getValue()[0] = 0;
    }
    static int foundList() { return 1 / LIST.get(0).v; }
    static int foundMap() { return 1 / (MAP.get("a").n - 1); }
    static int foundAtom() { return 1 / ATOM.get()[0]; }
    static int foundChain() { int s = 0; for (Cell one : CHAIN) s += one.v; return 1 / s; }
    static int foundTree() { return 1 / TREE.get("b")[0]; }
    static int foundAtoms() { return 1 / ATOMS.get(0)[0]; }
    static int foundNested() { return 1 / NESTED.get(0).get(0)[0]; }
    static long foundLongs() { return 1 / (LONGS.iterator().next()[0] - (1L << 40)); }
    static int foundEach() { return 1 / EACH.get(0)[0]; }
    static int foundShared() { return 1 / SHARED.get(0)[0]; }
    static int foundKeyed() { return 1 / KEYED.get(new Key(1, "a"))[0]; }
    static int foundOf() { return 1 / OF.get(0).v; }
    static int foundLoose() { return 1 / loose.get(0).v; }
    static int foundHold() { return 1 / HOLD.l.get(0)[0]; }
    static int foundFrom() { return 1 / FROM.get(0)[0]; }
    static void foundAlias(Acc a) { if (a == null || MAP.get("a").n != 0) return; a.n = 5; assert MAP.get("a").n == 0; }
}
class Other { static int[] kept; static void keep(int[] a) { kept = a; } static void bump() { kept[0]--; } }
class Told {
    private static final Object KEY = new Object();
    private static final Map<Object, int[]> PLACED = new HashMap<>();
    private static final ConcurrentHashMap<String, Integer> TABLE = new ConcurrentHashMap<>();
    private static final ThreadLocal<int[]> LOCAL = new ThreadLocal<>();
    private static final Iterator<Integer> CURSOR = new ArrayList<>(Arrays.asList(1, 2)).iterator();
    private static final List<Date> DATES = new ArrayList<>();
    private static final Object[] ANY = {new ArrayList<String>()};
    private static final Date DATE = new Date(5);
    private static final Object[] SAME = {DATE};
    private static final AtomicReference<String> ATOM = new AtomicReference<>("a");
    static {
        PLACED.put(KEY, new int[] {1});
        TABLE.put("a", 1);
        LOCAL.set(new int[] {1});
        DATES.add(new Date(5));
    }
    static Date date() { return DATES.get(0); }
    static int change() {
        PLACED.get(KEY)[0] = 0;
        TABLE.put("a", 0);
        LOCAL.get()[0] = 0;
        ((List<String>) ANY[0]).add("x");
        DATE.setTime(0);
        ATOM.set("");
        return CURSOR.next();
    }
    static int placed() { return 1 / PLACED.get(KEY)[0]; }
    static int table() { return 1 / TABLE.get("a"); }
    static int local() { return 1 / LOCAL.get()[0]; }
    static void cursor() { assert CURSOR.hasNext(); }
    static void dates() { assert DATES.get(0).compareTo(new Date(5)) == 0; }
    static void any() { assert ((List<?>) ANY[0]).isEmpty(); }
    static void same() { assert SAME[0].equals(new Date(5)); }
    static int atom() { return 1 / ATOM.get().length(); }
}
class Certain {
    enum Level { LOW, HIGH }
    record Key(int x) { }
    private static final Map<String, Integer> BOXES = new HashMap<>();
    private static final List<String> TEXTS = new ArrayList<>();
    private static final Map<String, int[]> TABLE = new HashMap<>();
    private static final List<Key> KEYS = new ArrayList<>();
    private static final Set<Key> SET = new HashSet<>();
    private static final List<List<String>> NESTED = new ArrayList<>();
    private static final ArrayList<int[]> MADE = make();
    private static final EnumMap<Level, int[]> LEVELS = new EnumMap<>(Level.class);
    private static final AtomicReference<String> ATOM = new AtomicReference<>("a");
    static {
        BOXES.put("a", 1);
        TEXTS.add("a");
        TABLE.put("a", new int[] {1});
        KEYS.add(new Key(1));
        SET.add(new Key(1));
        List<String> inner = new ArrayList<>();
        inner.add("x");
        NESTED.add(inner);
        LEVELS.put(Level.HIGH, new int[] {1});
    }
    static ArrayList<int[]> make() { ArrayList<int[]> l = new ArrayList<>(); l.add(new int[] {1}); return l; }
    static int boxes() { return 1 / BOXES.get("a"); }
    static int texts() { return 1 / TEXTS.get(0).length(); }
    static int table() { return 1 / TABLE.get("a")[0]; }
    static int keys() { return 1 / KEYS.get(0).x(); }
    static void set() { assert SET.contains(new Key(1)); }
    static int nested() { return 1 / NESTED.get(0).size(); }
    static int made() { return 1 / MADE.get(0)[0]; }
    static int levels() { return 1 / LEVELS.get(Level.HIGH)[0]; }
    static int atom() { return 1 / ATOM.get().length(); }
}
"#;

/// The methods of a class of a run, by their names without the class.
fn methods<'r>(run: &'r Value, class: &str) -> Vec<(&'r str, &'r Value)> {
    let all = run["methods"].as_array().unwrap().iter();
    let name = |one: &'r Value| one["method"].as_str().unwrap().split('(').next().unwrap();
    all.filter_map(|one| Some((name(one).strip_prefix(&format!("{class}."))?, one))).collect()
}

#[test]
fn what_is_in_objects_of_the_library_is_input_where_it_can_change() {
    let desk = Desk::compiled("Put.java", PUT);
    for policy in POLICIES {
        let (run, _) = desk.json(&["--policy", policy]);
        let found = methods(&run, "Put");
        let found: Vec<_> = found.into_iter().filter(|one| one.0.starts_with("found")).collect();
        assert_eq!(found.len(), 16);
        for (name, method) in found {
            assert_eq!(method["verdict"], "unsafe", "{policy} {name}: {method}");
            violation(method);
        }
    }
}

#[test]
fn what_is_not_followed_through_objects_of_the_library_is_told() {
    let desk = Desk::compiled("Put.java", PUT);
    for policy in POLICIES {
        let (run, _) = desk.json(&["--policy", policy]);
        for (name, method) in methods(&run, "Told") {
            let assumed = method["assumptions"].to_string();
            let told = format!("Told.{}", name.to_uppercase());
            let is_told = assumed.contains(&told) && assumed.contains("holds what the initializer");
            assert!(["date", "change"].contains(&name) || is_told, "{policy} {name}: {method}");
        }
        for (name, method) in methods(&run, "Certain") {
            assert_eq!(method["verdict"], "safe", "{policy} {name}: {method}");
            let assumed = method["assumptions"].to_string();
            assert!(!assumed.contains("Certain."), "{policy} {name}: {method}");
        }
    }
}

#[test]
fn a_witness_names_the_way_through_an_object_of_the_library() {
    let desk = Desk::compiled("Put.java", PUT);
    let found = desk.method(&["--method", "Put.foundLongs"]);
    let inputs = &violation(&found)["witness"]["inputs"];
    assert_eq!(inputs["Put.LONGS.elementData[0][0]"], 1_i64 << 40, "{inputs}");
    let found = desk.method(&["--method", "Put.foundAlias"]);
    let objects = violation(&found)["witness"]["objects"].to_string();
    assert!(objects.contains("Put.MAP.table["), "{objects}");
}

/// A class that is initialized while the method runs leads to what another one has been given inputs for,
/// and what the method has stored there stays.
#[test]
fn what_a_method_has_stored_is_not_forgotten() {
    let source = "public class Late {
        enum Level { LOW; int used = 1; void use() { used++; } }
        static void stays() { Level.LOW.used = 5; assert Reader.used() == 5; }
    }
    class Reader {
        private static final java.util.List<Late.Level> LEVELS = new java.util.ArrayList<>();
        static final Late.Level LEVEL = Late.Level.LOW;
        static { LEVELS.add(LEVEL); }
        static int used() { return LEVELS.get(0).used; }
    }
    ";
    let desk = Desk::compiled("Late.java", source);
    assert_eq!(verdict(&desk, "Late.stays", &[])["verdict"], "safe");
}

#[test]
fn standard_streams_are_assumed_where_they_are_read() {
    let source = "public class Streams {
        static int out(boolean b) { return b && System.out == null ? 1 : 2; }
        static int in() { return System.in == null ? 1 : 2; }
        static int none(int x) { return x; }
        public static void main(String[] args) { if (System.out == null) throw new Error(); }
    }";
    let desk = Desk::compiled("Streams.java", source);
    let assumed = |method| desk.method(&["--method", method])["assumptions"].to_string();
    assert!(assumed("Streams.out").contains("System.out: "), "{}", assumed("Streams.out"));
    assert!(assumed("Streams.in").contains("System.in: "), "{}", assumed("Streams.in"));
    assert_eq!(assumed("Streams.none"), "[]");
    let fresh = desk.method(&["--entry", "main"])["assumptions"].to_string();
    assert!(!fresh.contains("System.out"), "{fresh}");
}

#[test]
fn public_constructors_are_chosen_by_default() {
    let source = "public class Made {
        int x;
        public Made(int x) { this.x = 1 / x; }
        protected Made() { }
        static int get() { return 1; }
    }
    abstract class Part { public Part(int x) { assert x != 0; } }
    class Empty { public Empty() { } }
    ";
    let desk = Desk::compiled("Made.java", source);
    let (json, _) = desk.json(&[]);
    let methods = json["methods"].as_array().unwrap();
    let names: Vec<&str> = methods.iter().map(|one| one["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["Made.<init>(I)V", "Made.get()I"]);
    assert_eq!(
        (&methods[0]["verdict"], &methods[1]["verdict"]),
        (&"unsafe".into(), &"safe".into())
    );
}

const ZERO: &str = "class Zero {
    static int count = 1;
    static Object root = new Object();
    static void set(int v, Object o) { count = v; root = o; }
    static long twice(long[] a) {
        int i = count / -1;
        if (i >= 0) {
            a[i] = 127L;
        }
        return a[1];
    }
    static int absent(Object[] a) {
        if (root == null) {
            a[1] = null;
        }
        return a[0].hashCode();
    }
}
";

/// An assignment gives no value to what may be zero; a static field that is left out is as its
/// initializer leaves it, and the method goes wrong in the same way elsewhere.
#[test]
fn a_witness_says_where_a_static_field_is_zero() {
    let desk = Desk::compiled("Zero.java", ZERO);
    for policy in POLICIES {
        for (method, line) in [("Zero.twice", 8), ("Zero.absent", 14)] {
            let found = desk.method(&["--method", method, "--policy", policy]);
            let found = found["violations"].as_array().unwrap();
            assert!(found.iter().all(|one| one["replay"] == "confirmed"), "{found:?}");
            let there = found.iter().filter(|one| one["at"]["line"] == line);
            let there: Vec<&Value> = there.filter(|one| one["kind"] == "bounds").collect();
            assert_eq!(there.len(), 1, "{policy} {found:?}");
            let inputs = &there[0]["witness"]["inputs"];
            if line == 8 {
                assert!(inputs["Zero.count"].as_i64().is_some_and(|count| count <= 0), "{inputs}");
            } else {
                assert!(inputs["Zero.root"].is_null() && inputs.get("Zero.root").is_some());
            }
        }
    }
}
