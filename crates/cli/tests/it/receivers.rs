//! A receiver in a witness is an object of the class that the path says, whatever else was asked of it.

use crate::desk::Desk;

/// Nothing but its class is asked of the receiver. Which values a solver gives depends on all that is in
/// view, so the classes that nobody uses belong here: with them it had the class of its declaration.
const ASKED: &str = "class Asked {
    interface Shape { }
    static int count = 0;
    static int[] table = new int[2];
    static final int[] FIXED = {0, 5};
    static final Node HEAD = new Sub();
    static class Node {
        int a;
        Node next;
        int size() { return 5; }
        int find(int at, Node other, Integer more) {
            int sum = more + at;
            try {
                if (this instanceof Sub) {
                    java.util.function.Function<Integer, Integer> inc = v -> v == null ? 0 : v + 1;
                    sum = FIXED[at];
                }
                assert (at < (int) (char) (byte) sum) == ((int) (char) (byte) sum > at);
            } catch (NullPointerException e) {
                sum = -9;
            }
            return other.a;
        }
    }
    static class Sub extends Node { }
    static class Square implements Shape {
        int side;
        public int area() { return (int) (long) Double.NaN; }
    }
    static int change() {
        for (Node node = HEAD; node != null; node = node.next) { table = new int[2]; }
        return count;
    }
}
";

#[test]
fn a_receiver_has_the_class_that_was_asked_for() {
    let desk = Desk::compiled("Asked.java", ASKED);
    for policy in ["pose", "summary"] {
        let method = desk.method(&["--method", "Asked$Node.find", "--policy", policy]);
        let violations = method["violations"].as_array().unwrap();
        let replays = violations.iter().map(|one| (&one["kind"], &one["replay"]));
        let mut replays: Vec<String> =
            replays.map(|(kind, ended)| format!("{kind} {ended}")).collect();
        replays.sort();
        let expected =
            ["\"bounds\" \"confirmed\"", "\"null\" \"confirmed\"", "\"null\" \"confirmed\""];
        assert_eq!(replays, expected, "{policy}");
    }
}
