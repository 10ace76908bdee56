//! Structures in arrays and the collections of the JDK, as `subjects` checks them: how many paths
//! there are, and that mistakes are found with the smallest input.

use crate::counts::{POLICIES, Row, assert_safe, explore};
use crate::shapes::{MARK, MARK_BOUND};
use dalang_explore::{Replay, Verdict, Witness, WitnessBody};
use dalang_heap::Policy;

/// What is bounded to make inputs finite.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// The length of arrays.
    Array,
    /// The number of objects of this class.
    Nodes(&'static str),
}

const NODES: Bound = Bound::Nodes("Node");

fn row(class: &'static str, check: &str, policy: Policy, bound: Bound, most: u32) -> Row {
    let row = Row::new(class, check, policy);
    match bound {
        Bound::Array => Row { array: Some(most), ..row },
        Bound::Nodes(_) => Row { n: Some(most), ..row },
    }
}

/// Checks, and their complete paths with at most 1, 2, 3, 4 items.
///
/// A list has a path for each length, with an index one more for each node, and two for an index
/// that is too small or too large. A list in an array is not divided by its length; removing from
/// it is, by how many items move up. A heap has a path for each length, and more where order decides;
/// a sort has one for each order that it can tell apart, for each length.
const PATHS: [(&str, &str, Bound, [u64; 4]); 16] = [
    ("library/LinkedListChecks", "checkIsEmpty", NODES, [2, 3, 4, 5]),
    ("library/LinkedListChecks", "checkAdd", NODES, [2, 3, 4, 5]),
    ("library/LinkedListChecks", "checkGetFirst", NODES, [2, 3, 4, 5]),
    ("library/LinkedListChecks", "checkRemoveLast", NODES, [2, 3, 4, 5]),
    ("library/LinkedListChecks", "checkGet", NODES, [5, 9, 14, 20]),
    ("library/LinkedListChecks", "checkRemove", NODES, [5, 9, 14, 20]),
    ("library/ArrayListChecks", "checkGet", Bound::Array, [3, 3, 3, 3]),
    ("library/ArrayListChecks", "checkRemove", Bound::Array, [3, 4, 4, 4]),
    ("library/VectorChecks", "checkGet", Bound::Array, [3, 3, 3, 3]),
    ("library/PriorityQueueChecks", "checkPeek", Bound::Array, [2, 3, 4, 5]),
    ("arrays/BinaryHeap", "checkIsEmpty", Bound::Array, [2, 3, 4, 5]),
    ("arrays/BinaryHeap", "checkFindMin", Bound::Array, [2, 3, 4, 5]),
    ("arrays/BinaryHeap", "checkDeleteMin", Bound::Array, [2, 3, 5, 8]),
    ("arrays/Sort", "checkInsertionSort", Bound::Array, [2, 4, 10, 34]),
    ("arrays/Sort", "checkSelectionSort", Bound::Array, [2, 4, 11, 44]),
    ("arrays/Sort", "checkShellSort", Bound::Array, [2, 4, 10, 34]),
];

#[test]
fn paths_are_as_many_as_can_be_told_apart() {
    let mut rows = Vec::new();
    for (class, check, bound, paths) in PATHS {
        // Sums of four products of orders take the solver long; the chore does those.
        let affordable = if class == "arrays/Sort" { 3 } else { 4 };
        for (most, paths) in (1..).zip(paths).take(affordable) {
            let row = row(class, check, Policy::LazierSharp, bound, most);
            rows.push(Row { paths: Some(paths), retrace: true, ..row });
        }
    }
    assert_safe(&rows);
}

#[test]
fn every_policy_marks_the_graphs_of_the_paper() {
    let mark = |policy| Row {
        k: Some(MARK_BOUND),
        paths: Some(MARK),
        ..Row::new("papers/Marking", "checkMark", policy)
    };
    assert_safe(&POLICIES.map(mark));
}

/// Checks that must fail, and how large the smallest input is.
const BUGGY: [(&str, &str, Bound, u32); 11] = [
    ("arrays/BinaryHeap", "checkDeleteMinBuggy", Bound::Array, 4),
    ("arrays/Sort", "checkInsertionSortBuggy", Bound::Array, 2),
    ("arrays/Sort", "checkSelectionSortBuggy", Bound::Array, 2),
    ("arrays/Sort", "checkShellSortBuggy", Bound::Array, 2),
    ("library/ArrayListChecks", "checkTruncateBuggy", Bound::Array, 2),
    ("library/VectorChecks", "checkTruncateBuggy", Bound::Array, 2),
    ("library/StackChecks", "checkExchangeBuggy", Bound::Array, 2),
    ("library/ArrayDequeChecks", "checkRotateBuggy", Bound::Array, 3),
    ("library/PriorityQueueChecks", "checkSecondBuggy", Bound::Array, 3),
    ("library/LinkedListChecks", "checkTruncateBuggy", NODES, 2),
    ("library/TreeSetChecks", "checkReplaceBuggy", Bound::Nodes("Entry"), 1),
];

/// The length of the only array, or how many objects there are.
fn size(witness: &Witness, bound: Bound) -> u32 {
    let is_one = |class: &str, name: &str| class.rsplit(['.', '$']).next() == Some(name);
    let objects = witness.objects.iter();
    match bound {
        Bound::Nodes(name) => objects.filter(|one| is_one(&one.class, name)).count() as u32,
        Bound::Array => {
            let lengths = objects.filter_map(|object| match object.body {
                WitnessBody::Array(length, _) => Some(length),
                _ => None,
            });
            let lengths: Vec<u32> = lengths.collect();
            assert_eq!(lengths.len(), 1, "{witness:?}");
            lengths[0]
        }
    }
}

#[test]
fn mistakes_are_found_with_the_smallest_input() {
    let mut rows = Vec::new();
    for (class, check, bound, least) in BUGGY {
        // The bound is at least one.
        for most in [least - 1, least, least + 1].into_iter().filter(|&most| most > 0) {
            rows.push(row(class, check, Policy::LazierSharp, bound, most));
        }
    }
    for (row, found) in rows.iter().zip(explore(&rows)) {
        let buggy = |(class, check, ..): &&(&str, &str, Bound, u32)| {
            *class == row.class && *check == row.method
        };
        let (_, _, bound, least) = *BUGGY.iter().find(buggy).unwrap();
        if row.n.or(row.array).is_some_and(|most| most < least) {
            // Where the check assumes more elements than the bound allows, nothing is left to be safe.
            let nothing = found.paths.completed() == 0;
            let expected = if nothing { Verdict::Undecided } else { Verdict::Safe };
            assert_eq!(found.verdict, expected, "{}: {:?}", row.title(), found.stops);
            continue;
        }
        assert_eq!(found.verdict, Verdict::Unsafe, "{}", row.title());
        let outcomes: Vec<_> = found.violations.iter().map(|one| &one.outcome).collect();
        for outcome in &outcomes {
            assert_eq!(outcome.replay, Replay::Confirmed, "{}: {outcome:?}", row.title());
        }
        let sizes = outcomes.iter().map(|one| size(one.witness.as_ref().unwrap(), bound));
        assert_eq!(sizes.min(), Some(least), "{}: {outcomes:?}", row.title());
    }
}
