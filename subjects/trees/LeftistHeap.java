package trees;

import dalang.Verify;
import java.util.NoSuchElementException;

/**
 * A heap-ordered tree that leans to the left (Crane): on every node the way to the nearest gap is at
 * least as long on the left as on the right. A node keeps that length for itself: 0 if a child is
 * missing; no node is -1.
 *
 * <p>Complete paths of {@code checkFindMin}: the number of leftist trees with at most n nodes.
 */
public final class LeftistHeap {
    static final class Node {
        int key;
        int gap;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    /** The nodes that have been seen. Equal keys are allowed, so their order finds no cycle. */
    private static final class Seen {
        private final Node node;
        private final Seen earlier;

        Seen(Node node, Seen earlier) {
            this.node = node;
            this.earlier = earlier;
        }
    }

    /** What a walk over trees has found so far. */
    private static final class Walk {
        private Seen seen;

        /** The gap of a sound tree, none of whose keys is less than its parent's, or -2. */
        int measure(Node node, Node parent) {
            if (node == null) {
                return -1;
            }
            int key = node.key;
            for (Seen one = seen; one != null; one = one.earlier) {
                if (one.node == node) {
                    return -2;
                }
            }
            if (parent != null && key < parent.key) {
                return -2;
            }
            seen = new Seen(node, seen);
            int left = measure(node.left, node);
            if (left == -2) {
                return -2;
            }
            int right = measure(node.right, node);
            if (right == -2 || left < right || node.gap != right + 1) {
                return -2;
            }
            return right + 1;
        }
    }

    Node root;

    // ---- the invariant ----

    public boolean repOk() {
        return new Walk().measure(root, null) != -2;
    }

    /** Whether two heaps are sound and have no node in common. */
    private static boolean soundAndApart(LeftistHeap one, LeftistHeap other) {
        Walk walk = new Walk();
        return walk.measure(one.root, null) != -2 && walk.measure(other.root, null) != -2;
    }

    // ---- the operations ----

    public boolean isEmpty() {
        return root == null;
    }

    public int size() {
        return count(root);
    }

    private static int count(Node node) {
        return node == null ? 0 : 1 + count(node.left) + count(node.right);
    }

    public int findMin() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        return root.key;
    }

    public void insert(int key) {
        root = merge(root, new Node(key));
    }

    public int deleteMin() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        int key = root.key;
        root = merge(root.left, root.right);
        return key;
    }

    /** Takes all that is in another heap, which is empty afterwards. */
    public void merge(LeftistHeap other) {
        if (this == other) {
            return;
        }
        root = merge(root, other.root);
        other.root = null;
    }

    private static Node merge(Node one, Node other) {
        if (one == null) {
            return other;
        }
        if (other == null) {
            return one;
        }
        if (other.key < one.key) {
            return meld(other, one);
        }
        return meld(one, other);
    }

    /** Puts a tree below another one whose root has the lesser key. */
    private static Node meld(Node top, Node below) {
        top.right = merge(top.right, below);
        if (gap(top.left) < gap(top.right)) {
            Node left = top.left;
            top.left = top.right;
            top.right = left;
        }
        top.gap = gap(top.right) + 1;
        return top;
    }

    private static int gap(Node node) {
        return node == null ? -1 : node.gap;
    }

    /**
     * Forgets to lean to the left when there is nothing on the left. The smallest input that shows
     * it has one node, whatever the new key is.
     */
    public void insertBuggy(int key) {
        root = mergeBuggy(root, new Node(key));
    }

    private static Node mergeBuggy(Node one, Node other) {
        if (one == null) {
            return other;
        }
        if (other == null) {
            return one;
        }
        if (other.key < one.key) {
            return mergeBuggy(other, one);
        }
        one.right = mergeBuggy(one.right, other);
        if (one.left != null && one.left.gap < one.right.gap) {
            Node left = one.left;
            one.left = one.right;
            one.right = left;
        }
        one.gap = gap(one.right) + 1;
        return one;
    }

    // ---- the checks ----

    public void checkFindMin() {
        Verify.assume(repOk());
        try {
            int least = findMin();
            Verify.check(repOk());
            Verify.check(root != null);
            Verify.check(noneBelow(root, least));
        } catch (NoSuchElementException e) {
            Verify.check(root == null);
        }
    }

    public void checkInsert(int key) {
        Verify.assume(repOk());
        int size = size();
        insert(key);
        Verify.check(repOk());
        Verify.check(size() == size + 1);
        Verify.check(findMin() <= key);
    }

    public void checkDeleteMin() {
        Verify.assume(repOk());
        int size = size();
        try {
            int least = deleteMin();
            Verify.check(repOk());
            Verify.check(size() == size - 1);
            Verify.check(root == null || least <= root.key);
        } catch (NoSuchElementException e) {
            Verify.check(size == 0);
        }
    }

    /** A heap that is merged with itself stays as it is, whatever it is: that is one path. */
    public void checkMerge(LeftistHeap other) {
        Verify.assume(other != null);
        if (other == this) {
            Node before = root;
            merge(other);
            Verify.check(root == before);
            return;
        }
        Verify.assume(soundAndApart(this, other));
        int size = size() + other.size();
        merge(other);
        Verify.check(repOk());
        Verify.check(other.isEmpty());
        Verify.check(size() == size);
    }

    /** Must fail, with one node. */
    public void checkInsertBuggy(int key) {
        Verify.assume(repOk());
        int size = size();
        insertBuggy(key);
        Verify.check(repOk());
        Verify.check(size() == size + 1);
    }

    private static boolean noneBelow(Node node, int least) {
        return node == null || (least <= node.key && noneBelow(node.left, least) && noneBelow(node.right, least));
    }
}
