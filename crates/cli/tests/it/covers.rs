//! Coverage counts the target's code that was reached: that of the method, and of what it calls.

use crate::desk::Desk;
use serde_json::Value;

const SOURCE: &str = "import java.util.function.IntUnaryOperator;
public class Covers {
    static int entry(int x) {
        return helper(x) + 1;
    }
    static int helper(int x) {
        if (x > 3) {
            return 5;
        }
        return Far.sum(x);
    }
    static int never(int x) {
        return x;
    }
    static int hot(int x) {
        int s = 0;
        for (int i = 0; i < 3000; i++) {
            s = Far.step(s, i);
        }
        return s + x;
    }
    static int lambda(int x) {
        IntUnaryOperator twice = y -> y > 0
            ? y * 2
            : -y;
        return twice.applyAsInt(x);
    }
    static int half(int x) {
        Far far = new Far();
        if (x > 0) {
            return far.boom(null);
        }
        return 0;
    }
}
class Far {
    static int table = fill();
    static int fill() {
        return 3;
    }
    static int sum(int x) {
        return x + table;
    }
    static int step(int s, int i) {
        if (i % 1000 == 999) {
            s += 7;
        }
        if (i < 0) {
            s = 0;
        }
        return s + 1;
    }
    int boom(int[] a) {
        int n = a.length;
        return n + 1;
    }
}
";

/// Branches, lines and instructions of a method: covered, and there at all.
fn coverage(desk: &Desk, method: &str, arguments: &[&str]) -> [[u64; 2]; 3] {
    let found = desk.method(&[&["--method", method], arguments].concat());
    ["branches", "lines", "instructions"].map(|what| {
        let pair = |place: usize| found["coverage"][what].get(place).and_then(Value::as_u64);
        [0, 1].map(|place| pair(place).unwrap_or_else(|| panic!("{found}")))
    })
}

#[test]
fn code_of_the_target_counts_wherever_it_is() {
    let desk = Desk::compiled("Covers.java", SOURCE);
    // `entry`, `helper`, `Far.sum`, `Far.<clinit>` and `Far.fill`, but not `never`.
    let [branches, lines, instructions] = coverage(&desk, "Covers.entry", &[]);
    assert_eq!((branches, lines), ([2, 2], [7, 7]));
    assert_eq!(instructions[0], instructions[1]);
    let [branches, lines, _] = coverage(&desk, "Covers.lambda", &[]);
    assert_eq!((branches, lines), ([2, 2], [4, 4]));
}

#[test]
fn code_that_runs_fast_counts_like_any_other() {
    let desk = Desk::compiled("Covers.java", SOURCE);
    let [branches, lines, instructions] = coverage(&desk, "Covers.hot", &[]);
    // The loop's two ways, both of the first `if`, one of the second; `s = 0` is not reached.
    assert_eq!((branches, lines), ([5, 6], [10, 11]));
    assert_eq!(instructions[0] + 2, instructions[1]);
}

#[test]
fn what_comes_after_an_exception_is_not_reached() {
    let desk = Desk::compiled("Covers.java", SOURCE);
    let [branches, lines, _] = coverage(&desk, "Covers.half", &["--violations", "assert"]);
    assert_eq!((branches, lines[1] - lines[0]), ([2, 2], 1));
}
