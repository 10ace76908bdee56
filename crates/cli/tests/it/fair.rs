//! Search is fair to all branches: ever longer inputs do not keep a violation from being found.

use crate::desk::Desk;

/// Every turn of the loop initializes an object of its own, so that no bound on loops ends the search.
const SOURCE: &str = "public class Ring {
    Ring next;
    int key;
    static int count(Ring a) {
        int s = 0;
        while (a != null) { s++; a = a.next; }
        return 1 / (s - 3);
    }
    static int keys(Ring a, int key) {
        int n = 0;
        for (; a != null; a = a.next) if (a.key == key) n++;
        return 1 / (n - 2);
    }
}
";

#[test]
fn endless_branches_do_not_hide_violations() {
    let desk = Desk::compiled("Ring.java", SOURCE);
    for policy in ["lazier", "lazier#"] {
        let flags = ["--class", "Ring", "--policy", policy, "--paths", "60"];
        let (json, _) = desk.json(&flags);
        for method in json["methods"].as_array().unwrap() {
            let name = method["method"].as_str().unwrap();
            if name.contains("<init>") {
                continue;
            }
            assert_eq!(method["verdict"], "unsafe", "{policy}: {method}");
            assert_eq!(method["violations"][0]["replay"], "confirmed", "{policy}: {method}");
        }
    }
}
