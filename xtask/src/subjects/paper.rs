//! Counts of [Kiasan] ("Efficient and formal generalized symbolic execution", Tables 1 and 2) that
//! depend on code the paper does not show, or on the JDK of its time.
//!
//! They were read from text that was extracted from rotated pages, in which 6 and 9 can change
//! places and 7 be an L. Cells that neither their row nor their column makes certain are left out.

/// Paths under the older policies, for chains of at most 1, 2, 3 references.
pub struct Divided {
    pub class: &'static str,
    pub check: &'static str,
    pub lazy: [Option<u64>; 3],
    pub lazier: [Option<u64>; 3],
}

const fn divided(
    class: &'static str,
    check: &'static str,
    lazy: [Option<u64>; 3],
    lazier: [Option<u64>; 3],
) -> Divided {
    Divided { class, check, lazy, lazier }
}

const fn all<const N: usize>(paths: [u64; N]) -> [Option<u64>; N] {
    let mut known = [None; N];
    let mut next = 0;
    while next < N {
        known[next] = Some(paths[next]);
        next += 1;
    }
    known
}

const AA: &str = "trees/AATree";
const AVL: &str = "trees/AvlTree";
const BST: &str = "trees/BinarySearchTree";
const HEAP: &str = "trees/LeftistHeap";
const MAP: &str = "library/TreeMapChecks";

/// Table 1.
pub const DIVIDED: [Divided; 19] = [
    divided(AA, "checkContains", all([15, 197, 827]), all([8, 32, 168])),
    divided(AA, "checkFindMax", all([5, 37, 92]), all([3, 7, 19])),
    divided(AA, "checkFindMin", all([5, 41, 96]), all([3, 7, 19])),
    divided(AA, "checkInsert", all([15, 96, 763]), [Some(10), None, Some(242)]),
    divided(AA, "checkRemove", all([7, 106, 3488]), all([5, 26, 380])),
    divided(AVL, "checkFind", all([6, 51, 753]), all([5, 29, 275])),
    divided(AVL, "checkFindMax", all([4, 19, 135]), all([3, 9, 39])),
    divided(AVL, "checkFindMin", all([4, 19, 135]), all([3, 9, 39])),
    divided(AVL, "checkInsert", all([13, 110, 1591]), all([10, 58, 550])),
    divided(BST, "checkFind", all([6, 51, 899]), all([5, 29, 341])),
    divided(BST, "checkFindMax", all([4, 19, 171]), all([3, 9, 51])),
    divided(BST, "checkFindMin", all([4, 19, 171]), all([3, 9, 51])),
    divided(BST, "checkInsert", all([13, 110, 1903]), all([10, 58, 682])),
    divided(BST, "checkRemove", [Some(6), None, Some(2347)], all([5, 31, 393])),
    divided(HEAP, "checkDeleteMin", all([4, 22, 190]), all([3, 9, 49])),
    divided(HEAP, "checkFindMin", all([4, 16, 78]), all([3, 7, 23])),
    divided(MAP, "checkGetInt", all([6, 71, 3863]), all([5, 39, 739])),
    divided(MAP, "checkPutInt", all([13, 153, 5650]), all([10, 78, 1481])),
    divided(MAP, "checkRemoveInt", all([6, 121, 4495]), all([5, 43, 905])),
];

/// Paths of a method of the JDK, for n from 5 to 9.
pub struct Collection {
    pub class: &'static str,
    pub check: &'static str,
    pub paths: [Option<u64>; 5],
}

const fn collection(
    class: &'static str,
    check: &'static str,
    paths: [Option<u64>; 5],
) -> Collection {
    Collection { class, check, paths }
}

const DEQUE: &str = "library/ArrayDequeChecks";
const LIST: &str = "library/ArrayListChecks";
const LINKED: &str = "library/LinkedListChecks";
const QUEUE: &str = "library/PriorityQueueChecks";
const STACK: &str = "library/StackChecks";
const VECTOR: &str = "library/VectorChecks";

const SIZES: [Option<u64>; 5] = all([6, 7, 8, 9, 10]);
const TWO: [Option<u64>; 5] = all([2, 2, 2, 2, 2]);

/// Table 2, without the trees.
pub const COLLECTIONS: [Collection; 29] = [
    collection(DEQUE, "checkAddFirst", all([44, 77, 119, 179, 251])),
    collection(DEQUE, "checkAddLast", all([44, 77, 119, 179, 251])),
    collection(DEQUE, "checkIsEmpty", all([56, 92, 141, 205, 286])),
    collection(DEQUE, "checkRemoveFirst", all([56, 92, 141, 205, 286])),
    collection(DEQUE, "checkRemoveLast", all([56, 92, 141, 205, 286])),
    collection(LIST, "checkAdd", SIZES),
    collection(LIST, "checkGet", TWO),
    collection(LIST, "checkIsEmpty", TWO),
    collection(LIST, "checkRemove", SIZES),
    collection(LINKED, "checkAdd", all([6, 7, 8, 8, 8])),
    collection(LINKED, "checkContains", [None, Some(147), Some(212), Some(212), Some(212)]),
    collection(LINKED, "checkGet", all([27, 35, 44, 44, 44])),
    collection(LINKED, "checkGetFirst", all([6, 7, 8, 8, 8])),
    collection(LINKED, "checkGetLast", all([6, 7, 8, 8, 8])),
    collection(LINKED, "checkIsEmpty", all([6, 7, 8, 8, 8])),
    collection(LINKED, "checkRemove", all([27, 35, 44, 44, 44])),
    collection(LINKED, "checkRemoveFirst", all([6, 7, 8, 8, 8])),
    collection(LINKED, "checkRemoveLast", all([6, 7, 8, 8, 8])),
    collection(QUEUE, "checkIsEmpty", SIZES),
    collection(QUEUE, "checkOffer", all([25, 31, 38, 46, 54])),
    collection(QUEUE, "checkPeek", SIZES),
    collection(QUEUE, "checkPoll", all([12, 19, 27, 35, 44])),
    collection(STACK, "checkIsEmpty", [None, None, None, None, Some(2)]),
    collection(STACK, "checkPeek", [None, Some(2), Some(2), Some(2), Some(2)]),
    collection(STACK, "checkPop", [None, Some(2), Some(2), Some(2), None]),
    collection(STACK, "checkPush", SIZES),
    collection(VECTOR, "checkAdd", all([11, 13, 15, 17, 19])),
    collection(VECTOR, "checkGet", TWO),
    collection(VECTOR, "checkIsEmpty", TWO),
];

/// Paths for arrays of at most 1, 2, 3 elements.
pub struct Arrays {
    pub class: &'static str,
    pub check: &'static str,
    pub paths: [Option<u64>; 3],
}

const fn arrays(class: &'static str, check: &'static str, paths: [Option<u64>; 3]) -> Arrays {
    Arrays { class, check, paths }
}

/// Table 1, what works on arrays.
pub const ARRAYS: [Arrays; 6] = [
    arrays("arrays/BinaryHeap", "checkFindMin", all([2, 3, 4])),
    arrays("arrays/BinaryHeap", "checkInsert", all([2, 5, 8])),
    arrays("arrays/BinaryHeap", "checkDeleteMin", [None, Some(3), Some(5)]),
    arrays("arrays/Sort", "checkInsertionSort", all([1, 3, 9])),
    arrays("arrays/Sort", "checkSelectionSort", all([1, 3, 10])),
    arrays("arrays/Sort", "checkShellSort", all([1, 3, 9])),
];
