//! Ranges of arrays that are copied or filled, and arrays that the program makes as long as an input
//! says: no path is divided by how much it is, every path is run again on its witness under every policy,
//! and concrete runs fall on paths that were found.

use crate::elements::{Numbers, explored_in, sample};
use dalang_explore::{Exploration, Outcome, Replay, WitnessValue};
use dalang_heap::Policy;
use std::collections::BTreeSet;

const SOURCE: &str = r#"
import java.util.*;

public class Subject {
    static int made(int n, int i, int v) {
        int[] a = new int[n];
        a[i] = v;
        assert a[i] == v && a.length == n;
        return a[0];
    }
    static int huge(int n) {
        if (n < 0) return -1;
        byte[] a = new byte[n];
        a[n >> 1] = 1;
        assert a[n >> 2] == (n >> 1 == n >> 2 ? 1 : 0);
        return a.length;
    }
    static int lengthless(int n, int x) {
        if (n < 0) return -1;
        Object[] a = new Object[n];
        assert x != 5;
        return 1;
    }
    static int longs(long[] a, int i, int j, int n) {
        long[] b = {1, 2, 3, 4};
        System.arraycopy(a, i, b, j, n);
        long x = b[0];
        a[0] = x + 1;
        assert b[0] == x;
        return 1;
    }
    static int within(int[] a, int i, int j, int n) {
        System.arraycopy(a, i, a, j, n);
        return a[0] > a[1] ? 1 : 2;
    }
    static void overlap(int[] a, int n) {
        if (a == null || n < 1 || n >= a.length) return;
        int x = a[0], y = a[n];
        System.arraycopy(a, 0, a, 1, n);
        assert a[0] == x && a[1] == x;
        System.arraycopy(a, 1, a, 0, n);
        assert a[0] == x && a[n] == a[n - 1] || n == 1;
    }
    static void back(int[] a, int i) {
        if (a == null || i < 0 || i >= a.length) return;
        int[] b = new int[a.length];
        System.arraycopy(a, 0, b, 0, i);
        System.arraycopy(a, i, b, i, a.length - i);
        System.arraycopy(b, 0, a, 0, b.length);
        int x = a[i];
        a[i]++;
        assert b[i] == x;
        b[i]--;
        assert a[i] == x + 1;
    }
    static int copies(int[] a, int n, int k) {
        if (a == null || a.length < 3 || n < 0 || n > a.length) return 0;
        int[] b = new int[a.length], c = new int[a.length + 1];
        System.arraycopy(a, 0, b, 0, n);
        a[0] = 5;
        System.arraycopy(b, 0, c, 1, b.length);
        b[0] = 6;
        if (k < 0 || k >= c.length) return 1;
        return c[k] == 42 ? 2 : 3;
    }
    static int chars(char[] a, int n) {
        char[] b = Arrays.copyOf(a, n);
        return n > 3 && b[3] == 'x' ? 1 : 2;
    }
    static int part(int[] a, int i, int j) {
        int[] b = Arrays.copyOfRange(a, i, j);
        return b.length > 0 && b[0] == 3 ? 1 : 2;
    }
    static int fills(byte[] a, int i, int j, int v) {
        Arrays.fill(a, i, j, (byte) v);
        return a[0] == 100 ? 1 : 2;
    }
    static void filled(int n, int v, int k) {
        if (n < 1 || k < 0 || k >= n) return;
        double[] a = new double[n];
        Arrays.fill(a, v);
        a[0] = 3;
        assert k == 0 ? a[k] == 3 : a[k] == v;
    }
    static int negative(int n) {
        try {
            return Arrays.copyOf(new int[3], n).length;
        } catch (NegativeArraySizeException e) {
            return -1;
        } catch (OutOfMemoryError e) {
            return -2;
        }
    }
    static Object moved(int i, int n, int k) {
        Object[] a = {"a", "b", "c", "d"};
        System.arraycopy(a, 0, a, i, n);
        return a[k];
    }
    static int elsewhere(Integer[] a, int i, int n, int k) {
        if (a == null) return 0;
        Object[] b = new Object[n];
        System.arraycopy(a, i, b, 0, n);
        a[i] = null;
        return b[k] == null ? 1 : 2;
    }
    static class A { }
    static class B extends A { }
    static int checked(A[] a, int n) {
        B[] b = new B[2];
        System.arraycopy(a, 0, b, 0, n);
        return b[0] == null ? 1 : 2;
    }
    static int sum(int[] a, int n) {
        if (a == null || n < 0 || n > 1000) return 0;
        int[] b = Arrays.copyOf(a, n);
        int sum = 0;
        for (int i = 0; i < n; i++) sum += b[i];
        return sum;
    }
    static int listed(ArrayList<Object> list, Object value) {
        int size = list.size();
        list.add(0, value);
        return list.size() == size + 1 ? 1 : 2;
    }
}
"#;

const ALL: [Policy; 5] =
    [Policy::Lazy, Policy::Lazier, Policy::LazierSharp, Policy::Pose, Policy::Summary];

/// Methods, and how many paths they have if that depends on nothing but how they can end and what they
/// compare.
/// Zero stands for what depends on the policy.
const METHODS: [(&str, u64); 16] = [
    ("made", 4),
    ("huge", 5),
    ("longs", 5),
    ("within", 7),
    ("overlap", 4),
    ("back", 4),
    ("copies", 8),
    ("chars", 0),
    ("part", 0),
    ("fills", 7),
    ("filled", 6),
    ("negative", 3),
    ("moved", 0),
    ("elsewhere", 0),
    ("checked", 0),
    ("listed", 0),
];

fn complaints(name: &str, found: &Exploration) -> Vec<String> {
    let mut wrong = Vec::new();
    for outcome in &found.outcomes {
        if outcome.replay != Replay::Confirmed {
            wrong.push(format!("{name}: {outcome:?}"));
        }
    }
    for stop in &found.stops {
        if stop.kind.name() != "array" {
            wrong.push(format!("{name} stops: {stop:?}"));
        }
    }
    let (_, paths) = METHODS.iter().find(|entry| entry.0 == name).unwrap();
    if *paths != found.paths.completed() && *paths > 0 {
        wrong.push(format!("{name}: {} paths, not {paths}", found.paths.completed()));
    }
    wrong
}

#[test]
fn ranges_do_not_divide_paths() {
    let names = METHODS.map(|(name, _)| name);
    let mut wrong = Vec::new();
    for policy in ALL {
        explored_in(SOURCE, &names, policy, |name, _, _, found| {
            assert!(!found.outcomes.is_empty(), "{name} has no path");
            let found = complaints(name, found).into_iter();
            wrong.extend(found.map(|what| format!("{}: {what}\n", policy.name())));
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn an_array_that_may_be_short_is_short_in_a_witness() {
    for policy in ALL {
        explored_in(SOURCE, &["lengthless"], policy, |name, _, _, found| {
            let witnesses = found.outcomes.iter().filter_map(|outcome| outcome.witness.as_ref());
            let lengths: Vec<_> = witnesses.map(|witness| &witness.inputs[0].1).collect();
            let is_short =
                |length: &&&WitnessValue| matches!(length, WitnessValue::Integer(n) if *n <= 64);
            // One path has no room for the array: there it has to be long.
            let short = lengths.iter().filter(is_short).count();
            assert_eq!((lengths.len(), short), (4, 3), "{name}: {lengths:?}");
        });
    }
}

#[test]
fn a_loop_over_a_copy_is_counted() {
    for policy in ALL {
        explored_in(SOURCE, &["sum"], policy, |name, _, _, found| {
            assert_eq!(
                found.outcomes.iter().filter(|one| one.replay != Replay::Confirmed).count(),
                0
            );
            let kinds: BTreeSet<&str> = found.stops.iter().map(|stop| stop.kind.name()).collect();
            assert!(kinds.contains("loop") && !kinds.contains("time"), "{name}: {kinds:?}");
        });
    }
}

#[test]
fn concrete_copies_are_on_paths_that_were_found() {
    let subjects: [(&str, &str, usize); 6] = [
        ("longs", "long[]", 3),
        ("within", "int[]", 3),
        ("overlap", "int[]", 1),
        ("copies", "int[]", 2),
        ("part", "int[]", 2),
        ("fills", "byte[]", 3),
    ];
    let names = subjects.map(|subject| subject.0);
    let mut numbers = Numbers(20_261_118);
    for policy in [Policy::LazierSharp, Policy::Pose] {
        explored_in(SOURCE, &names, policy, |name, explorer, entry, found| {
            let (_, class, indexes) = subjects.iter().find(|one| one.0 == name).unwrap();
            let mut met = BTreeSet::new();
            for _ in 0..120 {
                let witness = sample(&mut numbers, class, *indexes);
                let run = explorer.run_on(entry, &witness).unwrap();
                let on = |outcome: &&Outcome| {
                    outcome.trace == Some(run.trace)
                        && outcome.kind == run.kind
                        && outcome.exception == run.exception
                };
                assert!(found.outcomes.iter().any(|one| on(&one)), "{name}: {witness:?} {run:?}");
                met.insert(run.trace);
            }
            assert!(met.len() > 1, "{name} is run in one way only");
        });
    }
}
