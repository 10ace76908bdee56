//! Harnesses of other tools. The classes they use are written here with no meaning at all, to compile
//! against; what they mean is dalang's business, whether the class files are there or not.

use crate::explorer::{End, Workshop, returned, threw, violated};
use dalang_heap::Policy;
use dalang_interp::Settings;

const VERIFIER: &str = "
package org.sosy_lab.sv_benchmarks;
public final class Verifier {
    public static void assume(boolean condition) { }
    public static boolean nondetBoolean() { return false; }
    public static byte nondetByte() { return 0; }
    public static char nondetChar() { return 0; }
    public static short nondetShort() { return 0; }
    public static int nondetInt() { return 0; }
    public static long nondetLong() { return 0; }
    public static float nondetFloat() { return 0; }
    public static double nondetDouble() { return 0; }
    public static String nondetString() { return null; }
}
";

const CPROVER: &str = "
package org.cprover;
public final class CProver {
    public static boolean enableAssume = true;
    public static void assume(boolean condition) { }
    public static int nondetInt() { return 0; }
    public static <T> T nondetWithNull(T instance) { return null; }
    public static <T> T nondetWithoutNull(T instance) { return null; }
    public static <T> T nondetWithNull() { return null; }
    public static <T> T nondetWithoutNull() { return null; }
    public static void notModelled() { }
    public static void atomicBegin() { throw new RuntimeException(); }
    public static int getMonitorCount(Object object) { return 0; }
    public static String classIdentifier(Object object) { return null; }
    public static float doubleToFloat(double value) { return 0; }
    public static <T> T[] createArrayWithType(int length, T[] type) { return null; }
    public static void arraycopy(byte[] src, int srcPos, byte[] dest, int destPos, int length) { }
    public static int unheardOf() { return 0; }
}
";

const CPROVER_STRING: &str = "
package org.cprover;
public final class CProverString {
    public static char charAt(String string, int index) { return 0; }
    public static String toString(int value, int radix) { return null; }
    public static StringBuilder insert(StringBuilder instance, int offset, String text) { return null; }
    public static int parseInt(String text, int radix) { return 0; }
    public static boolean isValidInt(String text, int radix) { return false; }
    public static boolean isValidLong(String text, int radix) { return false; }
    public static String toString(double value) { return null; }
    public static String substring(String string, int index) { return null; }
    public static String substring(String string, int start, int end) { return null; }
    public static boolean equals(String a, String b) { return false; }
    public static String ofCharArray(char[] value, int offset, int count) { return null; }
    public static String format(String format, String a0, String a1, String a2, String a3, String a4,
        String a5, String a6, String a7, String a8, String a9) { return null; }
}
";

const DEBUG: &str = "
package gov.nasa.jpf.symbc;
public class Debug {
    public static native void assume(boolean c);
    public static native int makeSymbolicInteger(String name);
    public static native double makeSymbolicReal(String name);
    public static native int addSymbolicInt(int v, String name);
    public static native boolean isSymbolicInteger(int v);
    public static native void printPC(String message);
    public static native String getSolvedPC();
}
";

const JPF_VERIFY: &str = "
package gov.nasa.jpf.vm;
public class Verify {
    public static void ignoreIf(boolean condition) { }
    public static void assertTrue(String message, boolean condition) { }
    public static int getInt(int min, int max) { return 0; }
    public static int random(int max) { return 0; }
    public static boolean randomBool() { return false; }
    public static int getIntFromList(int... values) { return 0; }
    public static boolean isRunningInJPF() { return false; }
    public static void beginAtomic() { }
    public static int incrementCounter(int id) { return 0; }
}
";

const ANALYSIS: &str = "
package jbse.meta;
public final class Analysis {
    public static boolean isRunByJBSE() { return false; }
    public static void ignore() { }
    public static void assume(boolean b) { }
    public static void succeed() { }
    public static void fail() { }
    public static void ass3rt(boolean b) { }
    public static boolean any() { return false; }
    public static boolean force(boolean b) { return b; }
    public static boolean isSymbolic(int i) { return false; }
    public static boolean isResolved(Object object, String field) { return true; }
    public static String symbolName(int i) { return null; }
    public static void assumeClassNotInitialized(Class<?> c) { }
    public static void endGuidance() { }
}
";

const SUBJECT: &str = r#"
import org.sosy_lab.sv_benchmarks.Verifier;
import org.cprover.CProver;
import org.cprover.CProverString;
import gov.nasa.jpf.symbc.Debug;
import jbse.meta.Analysis;

class Node { Node next; int key; }
class Lazy { static int touched = 1; }

public class Subject {
    static int competition() {
        int x = Verifier.nondetInt();
        short s = Verifier.nondetShort();
        Verifier.assume(x == s && s < 0);
        assert Verifier.nondetString() != null;
        return Verifier.nondetBoolean() ? 1 : 2;
    }
    static void failing() {
        char c = Verifier.nondetChar();
        Verifier.assume(c != 'a');
        assert c != 'b';
    }
    static int random() {
        java.util.Random random = new java.util.Random();
        int x = random.nextInt(3);
        boolean b = random.nextBoolean();
        if (x < 0 || x > 2) return -1;
        return b ? x : 3;
    }
    static int seeded() {
        java.util.Random random = new java.util.Random(42);
        int a = random.nextInt(10);
        random = new java.util.Random();
        random.setSeed(42);
        return a - random.nextInt(10);
    }
    static int unit() {
        double d = new java.util.Random().nextDouble();
        return d >= 0 && d < 1 ? 1 : 0;
    }

    static int cprover() {
        int x = CProver.nondetInt();
        CProver.assume(x > 4 && x < 6);
        CProver.atomicBegin();
        return CProver.enableAssume ? x : 0;
    }
    static int objects() {
        Node n = CProver.nondetWithNull(new Node());
        Node m = CProver.nondetWithoutNull((Node) null);
        if (m == null) return 0;
        return n == null ? 1 : 2;
    }
    static int unnamed() {
        Node n = CProver.nondetWithNull();
        String s = CProver.nondetWithoutNull();
        if (s == null) return 0;
        if (n == null) return 1;
        n.key = 5;
        return n.key == 5 ? 2 : 0;
    }
    static int unnamedObject() {
        Object o = CProver.nondetWithoutNull();
        return o == null ? 0 : 1;
    }
    static void unmodelled() {
        CProver.notModelled();
    }
    static int monitors() {
        Object o = new Object();
        synchronized (o) { synchronized (o) { return CProver.getMonitorCount(o); } }
    }
    static String identifier() {
        return CProver.classIdentifier("text");
    }
    static int halves() {
        float f = CProver.doubleToFloat(0.5);
        return f == 0.5f ? 1 : 0;
    }
    static float thirds() {
        return CProver.doubleToFloat(1.0 / 3);
    }
    static Object arrays() {
        Object[] made = CProver.createArrayWithType(2, new String[0]);
        byte[] from = {1, 2, 3}, to = new byte[3];
        CProver.arraycopy(from, 0, to, 1, 2);
        return made.length == 2 && to[2] == 2 ? made : null;
    }
    static String strings() {
        StringBuilder text = new StringBuilder("ac");
        CProverString.insert(text, 1, "b");
        return text + CProverString.toString(255, 16) + CProverString.parseInt("-12", 10)
            + CProverString.charAt("xyz", 1);
    }
    static char outside() {
        return CProverString.charAt("xyz", 7);
    }
    static String valid() {
        return "" + CProverString.isValidInt("-1f", 16) + CProverString.isValidInt("1f", 10)
            + CProverString.isValidInt("", 10) + CProverString.isValidLong("99999999999", 10)
            + CProverString.isValidInt("99999999999", 10);
    }
    static String parts() {
        return CProverString.substring("xyz", 1) + "," + CProverString.substring("xyz", -1) + ","
            + CProverString.substring("xyz", 4) + "," + CProverString.substring("xyz", 2, 1) + ","
            + CProverString.substring("xyz", 0, 3);
    }
    static String clipped() {
        return CProverString.substring("xyz", 0, 7);
    }
    static String others() {
        char[] text = {'a', 'b', 'c'};
        return CProverString.ofCharArray(text, 1, 2) + CProverString.toString(0.5)
            + CProverString.equals("a", "a") + CProverString.equals(null, "a")
            + CProverString.format("%s-%s", "p", "q", "", "", "", "", "", "", "", "");
    }
    static String beyond() {
        return CProverString.ofCharArray(new char[2], 1, 2);
    }
    static String third() {
        return CProverString.toString(1.0 / 3);
    }
    static int unheard() {
        return CProver.unheardOf();
    }

    static int debug() {
        int x = Debug.makeSymbolicInteger("x");
        double d = Debug.makeSymbolicReal("d");
        int y = Debug.addSymbolicInt(5, "y");
        Debug.assume(x == y + 1 && d > 0.5);
        Debug.printPC("here");
        return Debug.isSymbolicInteger(x) && !Debug.isSymbolicInteger(3) ? x - y : 0;
    }
    static String solved() {
        return Debug.getSolvedPC();
    }
    static int pathfinder() {
        gov.nasa.jpf.vm.Verify.beginAtomic();
        int x = gov.nasa.jpf.vm.Verify.getInt(2, 3);
        gov.nasa.jpf.vm.Verify.ignoreIf(x == 2);
        int y = gov.nasa.jpf.vm.Verify.random(1);
        if (y != 0 && y != 1) return -1;
        return gov.nasa.jpf.vm.Verify.isRunningInJPF() ? x : 0;
    }
    static int listed() {
        int x = gov.nasa.jpf.vm.Verify.getIntFromList(7, 9, 11);
        if (x == 7) return 7;
        if (x == 9) return 9;
        return x == 11 ? 11 : 0;
    }
    static void demanded() {
        gov.nasa.jpf.vm.Verify.assertTrue("so", gov.nasa.jpf.vm.Verify.randomBool());
    }
    static int counter() {
        return gov.nasa.jpf.vm.Verify.incrementCounter(0);
    }

    static int jbse() {
        if (!Analysis.isRunByJBSE()) return 0;
        if (Analysis.any()) Analysis.ignore();
        if (Analysis.any()) Analysis.fail();
        Analysis.ass3rt(Analysis.any());
        Analysis.endGuidance();
        return Analysis.isSymbolic(7) ? 0 : 1;
    }
    static int forced() {
        return Analysis.force(Analysis.any()) ? 1 : 2;
    }
    static int initialized() {
        Analysis.assumeClassNotInitialized(Lazy.class);
        int touched = Lazy.touched;
        Analysis.assumeClassNotInitialized(Lazy.class);
        return touched;
    }
    static boolean resolved(Node n) {
        if (n == null) return true;
        boolean before = Analysis.isResolved(n, "next");
        if (n.next == null) return before || !Analysis.isResolved(n, "next");
        return before || !Analysis.isResolved(n, "key") || !Analysis.isResolved(n, "absent");
    }
    static String named(int x) {
        return Analysis.symbolName(x);
    }
}
"#;

const CLASSES: &[(&str, &str)] = &[
    ("org/sosy_lab/sv_benchmarks/Verifier", VERIFIER),
    ("org/cprover/CProver", CPROVER),
    ("org/cprover/CProverString", CPROVER_STRING),
    ("gov/nasa/jpf/symbc/Debug", DEBUG),
    ("gov/nasa/jpf/vm/Verify", JPF_VERIFY),
    ("jbse/meta/Analysis", ANALYSIS),
];

fn stopped(end: &[End], what: &str) {
    let [End::Stopped(text)] = end else { panic!("{end:?}") };
    assert!(text.contains(what), "{text}");
}

#[test]
fn harnesses_of_other_tools() {
    let files: Vec<(String, &str)> =
        CLASSES.iter().map(|(class, text)| (format!("{class}.java"), *text)).collect();
    let mut sources: Vec<(&str, &str)> =
        files.iter().map(|(file, text)| (file.as_str(), *text)).collect();
    sources.push(("Subject.java", SUBJECT));
    let workshop = Workshop::new(&sources);
    all(&workshop);
    assert_eq!(workshop.ends("unheard"), [returned("0")]);
    let names: Vec<&str> = CLASSES.iter().map(|(class, _)| *class).collect();
    let workshop = workshop.without(&names);
    all(&workshop);
    // What the real class may have is not known.
    stopped(&workshop.ends("unheard"), "unheardOf");
}

fn all(workshop: &Workshop) {
    competition(workshop);
    random(workshop);
    cprover(workshop);
    strings(workshop);
    pathfinder(workshop);
    jbse(workshop);
}

fn competition(workshop: &Workshop) {
    let ends = workshop.ends("competition");
    assert_eq!(ends, [returned("1"), returned("2"), End::Assumed, End::Assumed]);
    let error = threw("java.lang.AssertionError");
    assert_eq!(workshop.ends("failing"), [returned("nothing"), error, End::Assumed]);
}

fn random(workshop: &Workshop) {
    let settings = Settings { competition: true, ..workshop.settings() };
    let ends = |method| {
        let paths = workshop.paths(method, Policy::LazierSharp, settings);
        let mut ends: Vec<End> = paths.into_iter().map(|path| path.end).collect();
        ends.sort_unstable();
        ends
    };
    let three = ["3", "Random.nextInt#1"].map(returned);
    assert_eq!(ends("random"), [&three[..], &[End::Assumed]].concat());
    assert_eq!(ends("seeded"), [returned("0")]);
    assert_eq!(ends("unit"), [returned("1")]);
}

fn cprover(workshop: &Workshop) {
    let ends = workshop.ends("cprover");
    assert_eq!(ends, [returned("nondetInt#1"), End::Assumed, End::Assumed]);
    assert_eq!(workshop.ends("objects"), [returned("1"), returned("2")]);
    assert_eq!(workshop.ends("unnamed"), [returned("1"), returned("2")]);
    assert_eq!(workshop.ends("unnamedObject"), [returned("1")]);
    stopped(&workshop.ends("unmodelled"), "org.cprover.CProver.notModelled()");
    assert_eq!(workshop.ends("monitors"), [returned("2")]);
    assert_eq!(workshop.ends("identifier"), [returned("java.lang.String")]);
    assert_eq!(workshop.ends("halves"), [returned("1"), End::Assumed]);
    assert_eq!(workshop.ends("thirds"), [End::Assumed]);
    assert_eq!(workshop.ends("arrays"), [returned("java.lang.String[]")]);
}

fn strings(workshop: &Workshop) {
    assert_eq!(workshop.ends("strings"), [returned("abcff-12y")]);
    assert_eq!(workshop.ends("outside"), [returned("0")]);
    assert_eq!(workshop.ends("valid"), [returned("truefalsefalsetruefalse")]);
    assert_eq!(workshop.ends("parts"), [returned("yz,xyz,,,xyz")]);
    stopped(&workshop.ends("clipped"), "outside of what it is defined for");
    assert_eq!(workshop.ends("others"), [returned("bc0.5truefalsep-q")]);
    assert_eq!(workshop.ends("beyond"), [End::Assumed]);
    stopped(&workshop.ends("third"), "outside of what it is defined for");
}

fn pathfinder(workshop: &Workshop) {
    let ends = workshop.ends("debug");
    assert!(ends.contains(&End::Assumed), "{ends:?}");
    let name = "makeSymbolicInteger(x)#1 - addSymbolicInt(y)#3";
    assert!(ends.contains(&returned(name)), "{ends:?}");
    stopped(&workshop.ends("solved"), "getSolvedPC");
    let ends = workshop.ends("pathfinder");
    assert_eq!(ends.iter().filter(|end| **end == returned("getInt#1")).count(), 2, "{ends:?}");
    assert!(!ends.contains(&returned("-1")));
    assert_eq!(
        workshop.ends("listed"),
        [returned("11"), returned("7"), returned("9"), End::Assumed]
    );
    assert_eq!(workshop.ends("demanded"), [returned("nothing"), violated("so")]);
    stopped(&workshop.ends("counter"), "incrementCounter");
}

fn jbse(workshop: &Workshop) {
    let ends = workshop.ends("jbse");
    let failed = violated("the program says that it has failed");
    let check = violated("a check does not hold");
    assert_eq!(ends, [returned("1"), End::Assumed, check, failed]);
    assert_eq!(workshop.ends("forced"), [returned("1"), returned("2")]);
    assert_eq!(workshop.ends("initialized"), [End::Assumed]);
    let ends = workshop.ends("resolved");
    assert_eq!(ends, [returned("0"), returned("0"), returned("1")]);
    stopped(&workshop.ends("named"), "symbolName");
}
