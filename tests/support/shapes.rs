//! How many complete paths the checks of `subjects` have, as papers and combinatorics tell it.
//!
//! [Kiasan] is "Efficient and formal generalized symbolic execution" (Deng, Lee, Robby), [POSE] is
//! "Path-optimal symbolic execution of heap-manipulating programs" (Braione, Denaro). The tests and
//! the chores include this file; neither decides what is right.

/// A structure whose paths are its shapes, and for a check with a key the places where that belongs.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub struct Structure {
    /// The class with the checks.
    pub class: &'static str,
    /// How many sound structures there are with 0, 1, ... nodes, colours included.
    pub shapes: [u64; 10],
    /// Checks without a key.
    pub whole: &'static [&'static str],
    /// Checks with a key: it is one of m, or between two, or beyond all.
    pub keyed: &'static [&'static str],
}

#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
impl Structure {
    /// The complete paths of a check with at most so many nodes, under lazier#.
    pub fn paths(&self, keyed: bool, nodes: usize) -> u64 {
        let places = |nodes: usize| if keyed { 2 * nodes as u64 + 1 } else { 1 };
        (0..=nodes).map(|nodes| places(nodes) * self.shapes[nodes]).sum()
    }

    /// All checks, and whether they have a key.
    pub fn checks(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let whole = self.whole.iter().map(|&check| (check, false));
        whole.chain(self.keyed.iter().map(|&check| (check, true)))
    }
}

const RED_BLACK: [u64; 10] = [1, 1, 2, 2, 4, 8, 16, 33, 56, 90];

/// [Kiasan] Table 2, and structures of ours that are counted alike.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const STRUCTURES: [Structure; 7] = [
    Structure {
        class: "trees/BinarySearchTree",
        shapes: [1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862],
        whole: &["checkIsEmpty", "checkFindMin", "checkFindMax"],
        keyed: &["checkFind", "checkInsert", "checkRemove"],
    },
    Structure {
        class: "trees/AvlTree",
        shapes: [1, 1, 2, 1, 4, 6, 4, 17, 32, 44],
        whole: &["checkIsEmpty", "checkFindMin", "checkFindMax"],
        keyed: &["checkFind", "checkInsert"],
    },
    Structure {
        class: "trees/AATree",
        shapes: [1, 1, 1, 1, 2, 2, 3, 4, 5, 8],
        whole: &["checkIsEmpty", "checkFindMin", "checkFindMax"],
        keyed: &["checkContains", "checkInsert", "checkRemove"],
    },
    Structure {
        class: "library/TreeMapChecks",
        shapes: RED_BLACK,
        whole: &["checkIsEmpty", "checkLastKey"],
        keyed: &["checkGetInt", "checkPutInt", "checkRemoveInt"],
    },
    Structure {
        class: "library/TreeSetChecks",
        shapes: RED_BLACK,
        whole: &["checkIsEmpty"],
        keyed: &["checkContains", "checkAdd", "checkRemove"],
    },
    Structure {
        class: "trees/RedBlackTree",
        shapes: RED_BLACK,
        whole: &["checkIsEmpty", "checkFindMin", "checkFindMax"],
        keyed: &["checkFind", "checkInsert"],
    },
    Structure {
        class: "lists/SortedList",
        shapes: [1; 10],
        whole: &["checkIsEmpty"],
        keyed: &["checkContains", "checkInsert", "checkRemove"],
    },
];

/// Complete paths with chains of at most 1, 2, 3 references.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub struct Chains {
    /// The class with the checks.
    pub class: &'static str,
    /// Checks that have as many paths.
    pub checks: &'static [&'static str],
    /// Their paths under lazier#.
    pub paths: [u64; 3],
}

/// [Kiasan] Table 1, the column of lazier#.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const CHAINS: [Chains; 12] = [
    Chains {
        class: "trees/BinarySearchTree",
        checks: &["checkFind", "checkInsert", "checkRemove"],
        paths: [4, 21, 236],
    },
    Chains {
        class: "trees/BinarySearchTree",
        checks: &["checkFindMin", "checkFindMax"],
        paths: [2, 5, 26],
    },
    Chains { class: "trees/AvlTree", checks: &["checkFind", "checkInsert"], paths: [4, 21, 190] },
    Chains { class: "trees/AvlTree", checks: &["checkFindMin", "checkFindMax"], paths: [2, 5, 20] },
    Chains {
        class: "trees/AATree",
        checks: &["checkContains", "checkInsert", "checkRemove"],
        paths: [4, 16, 84],
    },
    Chains { class: "trees/AATree", checks: &["checkFindMin", "checkFindMax"], paths: [2, 4, 10] },
    Chains {
        class: "library/TreeMapChecks",
        checks: &["checkGetInt", "checkPutInt", "checkRemoveInt"],
        paths: [4, 28, 331],
    },
    Chains { class: "trees/LeftistHeap", checks: &["checkFindMin"], paths: [2, 4, 12] },
    Chains { class: "trees/LeftistHeap", checks: &["checkInsert"], paths: [3, 8, 31] },
    Chains { class: "trees/LeftistHeap", checks: &["checkDeleteMin"], paths: [2, 5, 25] },
    Chains { class: "trees/LeftistHeap", checks: &["checkMerge"], paths: [6, 34, 588] },
    Chains { class: "papers/Container", checks: &["checkSwap"], paths: [2, 2, 2] },
];

/// Complete paths of a small program without bounds.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub struct Small {
    /// Its class.
    pub class: &'static str,
    /// Its method.
    pub method: &'static str,
    /// Its paths under lazy, lazier and lazier#; none where no paper tells.
    pub paths: [Option<u64>; 3],
    /// Its feasible program paths, of which the policies that do not divide paths have one each:
    /// those that end normally, and those that end with a violation.
    pub optimal: [u64; 2],
}

/// [POSE] Figs. 1 to 3, [Kiasan] Program 1.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const SMALL: [Small; 7] = [
    Small {
        class: "papers/Swap",
        method: "swap",
        paths: [Some(21), None, Some(3)],
        optimal: [2, 0],
    },
    Small {
        class: "papers/Container",
        method: "checkSwap",
        paths: [Some(20), Some(6), Some(2)],
        optimal: [1, 0],
    },
    // The paper counts one path; each of three references that is null ends the program elsewhere.
    Small {
        class: "papers/Sum",
        method: "sum",
        paths: [Some(23), None, Some(23)],
        optimal: [1, 3],
    },
    Small {
        class: "papers/HasNull",
        method: "hasNull4",
        paths: [Some(21), None, Some(16)],
        optimal: [6, 0],
    },
    Small {
        class: "papers/HasNull",
        method: "hasNull10",
        paths: [Some(78), None, None],
        optimal: [12, 0],
    },
    // Each of the three references is null, or none is, and the last condition holds or does not.
    Small { class: "papers/Aliases", method: "p1", paths: [None; 3], optimal: [1, 4] },
    Small { class: "papers/Aliases", method: "p2", paths: [None; 3], optimal: [1, 4] },
];

/// [Kiasan] Table 1, `mark` of GC: graphs of cells that are all at most one edge away from the root,
/// under every policy. The paper's bound is 1, ours is [`MARK_BOUND`], because the root is a field.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const MARK: u64 = 306;

/// How long the chains of references are that [`MARK`] is about.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const MARK_BOUND: u32 = 2;
