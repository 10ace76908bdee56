//! Collecting garbage while paths divide: nothing that a program can see depends on it.

use super::explorer::{End, Path, Workshop, returned, threw};
use dalang_heap::Policy;
use dalang_interp::{Collection, Settings};

const POLICIES: [Policy; 5] =
    [Policy::Lazy, Policy::Lazier, Policy::LazierSharp, Policy::Summary, Policy::Pose];

const SUBJECT: &str = r#"
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Subject {
    static class Cell {
        Cell next;
        int value;
        Cell(Cell next, int value) { this.next = next; this.value = value; }
    }

    static Cell kept = new Cell(null, 7);

    static int lists(Cell c, int x) {
        Cell own = new Cell(c, x);
        for (int i = 0; i < 300; i++) own = new Cell(own.next, own.value);
        if (c != null && c.value == 3) own.next.value = 4;
        for (int i = 0; i < 300; i++) new Cell(null, i);
        return c == null ? own.value : c.value;
    }

    static int aliases(Cell a, Cell b) {
        if (a == null || b == null) return 0;
        Cell own = a == b ? new Cell(a, 1) : new Cell(b, 2);
        String s = "";
        for (int i = 0; i < 200; i++) s = "t" + i;
        a.next = own;
        own = null;
        for (int i = 0; i < 200; i++) s = "t" + i;
        return b.next == null ? -1 : a.next.value;
    }

    static int boxes(int x) {
        Map<Integer, String> map = new HashMap<>();
        for (int i = 0; i < 60; i++) map.put(i, "v" + i);
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) all.add(x > 5 ? 1 : i);
        Integer one = x;
        String t = ("v" + 5).intern();
        for (int i = 0; i < 60; i++) ("w" + i).intern();
        return map.get(5).intern() == t && one == x ? all.get(3) : -1;
    }

    static int failing(int[] a, int i) {
        int s = 0;
        for (int k = 0; k < 40; k++) {
            try { s += a[i]; } catch (RuntimeException e) { s -= e.getMessage() == null ? 1 : 2; }
        }
        return s > 0 ? 1 : s < 0 ? -1 : 0;
    }

    static int arrays(int x) {
        int[][] all = new int[3][];
        for (int i = 0; i < 100; i++) { all[i % 3] = new int[10]; all[i % 3][i % 10] = x; }
        Runnable[] last = new Runnable[1];
        int[] sum = {0};
        for (int i = 0; i < 50; i++) { int k = i; last[0] = () -> sum[0] += k; }
        last[0].run();
        kept = new Cell(kept, all[0][9] == 3 ? 1 : 2);
        for (int i = 0; i < 100; i++) new Cell(null, i);
        return sum[0] + kept.value + kept.next.value;
    }

    static int holding() {
        List<byte[]> all = new ArrayList<>();
        while (true) all.add(new byte[1 << 20]);
    }

    static int garbage() {
        int s = 0;
        for (int i = 0; i < 300; i++) { byte[] b = new byte[1 << 20]; b[5] = 1; s += b[5]; }
        return s;
    }

    static int asking(int x) {
        try { return new byte[x > 0 ? 40 << 20 : 1].length > 1 ? 1 : 0; }
        catch (OutOfMemoryError e) { return 2; }
    }

    static byte[] uncaught() { return new byte[40 << 20]; }
}
"#;

fn workshop() -> Workshop {
    Workshop::new(&[("Subject.java", SUBJECT)])
}

/// A collection whenever some objects were made.
fn eager(workshop: &Workshop) -> Settings {
    Settings { collection: Collection::Shared, worth: 1 << 10, ..workshop.settings() }
}

fn ends(paths: Vec<Path>) -> Vec<(End, Vec<(String, u64)>)> {
    paths.into_iter().map(|path| (path.end, path.witness)).collect()
}

#[test]
fn collecting_changes_nothing_that_a_program_can_see() {
    let workshop = workshop();
    for policy in POLICIES {
        for method in ["lists", "aliases", "boxes", "failing", "arrays"] {
            let plain = ends(workshop.paths(method, policy, workshop.settings()));
            let collected = ends(workshop.paths(method, policy, eager(&workshop)));
            assert_eq!(plain, collected, "{method} under {}", policy.name());
            assert!(plain.len() > 1, "{method} does not divide: {plain:?}");
        }
    }
}

/// How the paths of a method end with a heap of 32 MiB.
fn small(workshop: &Workshop, method: &str) -> Vec<End> {
    let settings = Settings { heap: 32 << 20, ..eager(workshop) };
    let paths = workshop.paths(method, Policy::Pose, settings);
    paths.into_iter().map(|path| path.end).collect()
}

#[test]
fn a_heap_that_is_full_is_a_stop_and_garbage_does_not_fill_it() {
    let workshop = workshop();
    assert_eq!(small(&workshop, "garbage"), [returned("300")]);
    let full = "the memory does not suffice: the program holds more than the 32 MiB that Java's heap \
                is taken to have";
    assert_eq!(small(&workshop, "holding"), [End::Stopped(full.to_owned())]);
}

#[test]
fn what_no_heap_could_hold_is_refused_as_java_does() {
    let workshop = workshop();
    let settings =
        Settings { heap: 32 << 20, collection: Collection::Never, ..workshop.settings() };
    for settings in [settings, Settings { collection: Collection::Shared, worth: 1, ..settings }] {
        let ends = |method| {
            let paths = workshop.paths(method, Policy::Pose, settings);
            paths.into_iter().map(|path| path.end).collect::<Vec<_>>()
        };
        let mut all = ends("asking");
        all.sort_unstable();
        assert_eq!(all, [returned("0"), returned("2")]);
        assert_eq!(ends("uncaught"), [threw("java.lang.OutOfMemoryError")]);
    }
}
