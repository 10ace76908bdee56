//! Laws of arithmetic that code relies on, decided without asking a SAT solver.

use crate::desk::Desk;

/// Each holds for all numbers, and took longer than a query may take when it was left to a SAT solver.
const SOURCE: &str = "public class Laws {
    static void divided(int a, int b) { if (b != 0) assert a / b * b + a % b == a; }
    static void dividedLong(long a, long b) { if (b != 0) assert a / b * b + a % b == a; }
    static void rest(int a, int b) { if (b != 0) assert a - a / b * b == a % b; }
    static void restLong(long a, long b) { if (b != 0) assert a - a / b * b == a % b; }
    static void unsigned(int a, int b) {
        if (b != 0) assert Integer.divideUnsigned(a, b) * b + Integer.remainderUnsigned(a, b) == a;
    }
    static void again(int a, int b) { if (b != 0) assert a % b % b == a % b; }
    static void opposite(int a, int b) { if (b != 0) assert a % b == a % -b; }
    static void rounded(int a, int b) { if (b != 0) assert a / b * b % b == 0; }
    static void distributes(int a, int b, int c) { assert a * (b + c) == a * b + a * c; }
    static void associates(int a, int b, int c) { assert a * b * c == a * (b * c); }
    static void square(int a, int b) { assert (a + b) * (a + b) == a * a + 2 * a * b + b * b; }
    static void squares(long a, long b) { assert (a + b) * (a - b) == a * a - b * b; }
    static void hash(int a, int b, int c) { assert 31 * (31 * a + b) + c == 961 * a + 31 * b + c; }
    static void clock(long t) {
        long h = t / 3600000, m = t / 60000 % 60, s = t / 1000 % 60, r = t % 1000;
        assert h * 3600000 + m * 60000 + s * 1000 + r == t;
    }
    static void wrong(int a, int b) { if (b != 0) assert a / b * b + a % b != a; }
}
";

#[test]
fn laws_of_arithmetic_are_decided_without_a_solver() {
    let (json, _) = Desk::compiled("Laws.java", SOURCE).json(&["--class", "Laws"]);
    let mut seen = 0;
    for method in json["methods"].as_array().unwrap() {
        let name = method["method"].as_str().unwrap();
        if name.contains("<init>") {
            continue;
        }
        let verdict = if name.contains(".wrong(") { "unsafe" } else { "safe" };
        assert_eq!(method["verdict"], verdict, "{method}");
        assert_eq!(method["stats"]["layers"]["backend"], 0, "{method}");
        seen += 1;
    }
    assert_eq!(seen, 15, "{json}");
}

/// The rest is left to the solver, but it must not give up: the limit is one of queries.
#[test]
fn laws_of_division_take_few_queries() {
    let source = "public class Kin {
        static void floor(int a, int b) {
            if (b != 0) assert Math.floorDiv(a, b) * b + Math.floorMod(a, b) == a;
        }
        static void floorMod(int a, int b) {
            if (b > 0) { int m = Math.floorMod(a, b); assert m >= 0 && m < b; }
        }
        static void index(int h, int n) {
            if (n > 0) { int i = (h & 0x7fffffff) % n; assert i >= 0 && i < n; }
        }
        static void below(int a, int b) { if (a >= 0 && b > 0) assert a / b * b <= a; }
    }
    ";
    let (json, _) = Desk::compiled("Kin.java", source).json(&["--class", "Kin"]);
    for method in json["methods"].as_array().unwrap() {
        assert_eq!(method["verdict"], "safe", "{method}");
        assert!(method["stats"]["queries"].as_u64().unwrap() <= 20, "{method}");
    }
}

/// What follows from bounds of factors and divisors: few queries again, and none of them hard.
#[test]
fn laws_of_size_take_few_queries() {
    let source = "public class Sizes {
        static void back(int a, int b) {
            if (a > -30000 && a < 30000 && b > -30000 && b < 30000 && b != 0) assert a * b / b == a;
        }
        static void magic(int x) {
            if (x >= 0) assert (int) ((x * 0xCCCCCCCDL) >>> 35) == x / 10;
        }
        static void up(int a, int b) {
            if (a >= 0 && b > 0 && a < 1000000 && b < 1000000)
                assert (a + b - 1) / b == a / b + (a % b != 0 ? 1 : 0);
        }
        static void guarded(int a, int b) {
            if (a > 0 && b > 0 && a <= Integer.MAX_VALUE / b) assert a * b > 0;
        }
        static void percent(int p, int t) {
            if (p >= 0 && p <= t && t > 0 && t <= 20000000) assert p * 100 / t <= 100;
        }
        static void place(int r, int c, int w) {
            if (w > 0 && w <= 10000 && r >= 0 && r < 10000 && c >= 0 && c < w) {
                int i = r * w + c;
                assert i / w == r && i % w == c;
            }
        }
        static void tooFar(int a, int b) {
            if (a > 0 && b > 0 && a <= 1 + Integer.MAX_VALUE / b) assert a * b > 0;
        }
    }
    ";
    let (json, _) = Desk::compiled("Sizes.java", source).json(&["--class", "Sizes"]);
    for method in json["methods"].as_array().unwrap() {
        let name = method["method"].as_str().unwrap();
        if name.contains("<init>") {
            continue;
        }
        let stats = &method["stats"];
        assert!(stats["queries"].as_u64().unwrap() <= 30, "{method}");
        if name.contains(".tooFar(") {
            assert_eq!(method["verdict"], "unsafe", "{method}");
            continue;
        }
        assert_eq!(method["verdict"], "safe", "{method}");
        assert!(stats["layers"]["inequalities"].as_u64().unwrap() > 0, "{method}");
    }
}
