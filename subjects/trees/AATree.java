package trees;

import dalang.Verify;
import java.util.NoSuchElementException;

/**
 * A search tree balanced by levels (Andersson): a leaf is on level 1, no node is level 0, a left
 * child is one level below its parent, a right child is on its parent's level or one below, and a
 * right grandchild is below its grandparent.
 *
 * <p>Complete paths, with c(m) the number of such trees with m nodes (1, 1, 1, 1, 2, 2, 3, ...): the
 * sum of c(m) for {@code checkIsEmpty}, {@code checkFindMin} and {@code checkFindMax}, the sum of
 * (2m+1) c(m) for the others.
 */
public final class AATree {
    static final class Node {
        int key;
        int level;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
            this.level = 1;
        }
    }

    Node root;

    // ---- the invariant ----

    /** Whether the keys are in strict order and the levels are what they must be. */
    public boolean repOk() {
        return measure(root, null, null) >= 0;
    }

    /**
     * The level of a sound subtree with keys between the bounds, -1 if it is not sound. It is counted
     * from the leaves, so that the stored levels are only compared with numbers that are known.
     */
    private static int measure(Node node, Node lower, Node upper) {
        if (node == null) {
            return 0;
        }
        if (lower != null && lower.key >= node.key) {
            return -1;
        }
        if (upper != null && node.key >= upper.key) {
            return -1;
        }
        int left = measure(node.left, lower, node);
        if (left < 0) {
            return -1;
        }
        int level = left + 1;
        if (node.level != level) {
            return -1;
        }
        int right = measure(node.right, node, upper);
        if (right == level) {
            Node far = node.right.right;
            return far == null || far.level != level ? level : -1;
        }
        return right == level - 1 ? level : -1;
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
        Node node = root;
        while (node.left != null) {
            node = node.left;
        }
        return node.key;
    }

    public int findMax() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        Node node = root;
        while (node.right != null) {
            node = node.right;
        }
        return node.key;
    }

    public boolean contains(int key) {
        Node node = root;
        while (node != null) {
            if (key < node.key) {
                node = node.left;
            } else if (key > node.key) {
                node = node.right;
            } else {
                return true;
            }
        }
        return false;
    }

    public void insert(int key) {
        root = insert(key, root);
    }

    private static Node insert(int key, Node node) {
        if (node == null) {
            return new Node(key);
        }
        if (key < node.key) {
            node.left = insert(key, node.left);
        } else if (key > node.key) {
            node.right = insert(key, node.right);
        } else {
            return node;
        }
        return split(skew(node));
    }

    public void remove(int key) {
        root = remove(key, root);
    }

    private static Node remove(int key, Node node) {
        if (node == null) {
            return null;
        }
        if (key < node.key) {
            node.left = remove(key, node.left);
        } else if (key > node.key) {
            node.right = remove(key, node.right);
        } else if (node.right == null) {
            return node.left;
        } else {
            // A node with a right child is replaced by its successor, which is on level 1.
            Node next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.key = next.key;
            node.right = remove(next.key, node.right);
        }
        return lower(node);
    }

    private static int level(Node node) {
        return node == null ? 0 : node.level;
    }

    /** Turns a left child on its parent's level into the parent. */
    private static Node skew(Node node) {
        Node left = node.left;
        if (left == null || left.level != node.level) {
            return node;
        }
        node.left = left.right;
        left.right = node;
        return left;
    }

    /** Raises the middle one of three nodes on one level. */
    private static Node split(Node node) {
        Node right = node.right;
        if (right == null || right.right == null || right.right.level != node.level) {
            return node;
        }
        node.right = right.left;
        right.left = node;
        right.level++;
        return right;
    }

    /** Puts a node in order when a child has lost a level. */
    private static Node lower(Node node) {
        int below = level(node.left) < level(node.right) ? level(node.left) : level(node.right);
        if (node.level <= below + 1) {
            return node;
        }
        node.level = below + 1;
        if (level(node.right) > node.level) {
            node.right.level = node.level;
        }
        node = skew(node);
        if (node.right != null) {
            node.right = skew(node.right);
            if (node.right.right != null) {
                node.right.right = skew(node.right.right);
            }
        }
        node = split(node);
        if (node.right != null) {
            node.right = split(node.right);
        }
        return node;
    }

    /**
     * Splits before it skews. The smallest input that shows it has two nodes, and the new key is
     * less than both.
     */
    public void insertBuggy(int key) {
        root = insertBuggy(key, root);
    }

    private static Node insertBuggy(int key, Node node) {
        if (node == null) {
            return new Node(key);
        }
        if (key < node.key) {
            node.left = insertBuggy(key, node.left);
        } else if (key > node.key) {
            node.right = insertBuggy(key, node.right);
        } else {
            return node;
        }
        return skew(split(node));
    }

    // ---- the checks ----

    public void checkIsEmpty() {
        Verify.assume(repOk());
        boolean empty = isEmpty();
        Verify.check(repOk());
        Verify.check(empty == (size() == 0));
    }

    public void checkFindMin() {
        Verify.assume(repOk());
        try {
            int least = findMin();
            Verify.check(repOk());
            Verify.check(root != null);
            Verify.check(allWithin(root, least, findMax()));
        } catch (NoSuchElementException e) {
            Verify.check(root == null);
        }
    }

    public void checkFindMax() {
        Verify.assume(repOk());
        try {
            int greatest = findMax();
            Verify.check(repOk());
            Verify.check(root != null);
            Verify.check(allWithin(root, findMin(), greatest));
        } catch (NoSuchElementException e) {
            Verify.check(root == null);
        }
    }

    public void checkContains(int key) {
        Verify.assume(repOk());
        boolean found = contains(key);
        Verify.check(repOk());
        Verify.check(found == occurs(root, key));
    }

    public void checkInsert(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = contains(key);
        insert(key);
        Verify.check(repOk());
        Verify.check(contains(key));
        Verify.check(size() == (found ? size : size + 1));
    }

    public void checkRemove(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = contains(key);
        remove(key);
        Verify.check(repOk());
        Verify.check(!contains(key));
        Verify.check(size() == (found ? size - 1 : size));
    }

    /** Must fail, with two nodes. */
    public void checkInsertBuggy(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = contains(key);
        insertBuggy(key);
        Verify.check(repOk());
        Verify.check(contains(key));
        Verify.check(size() == (found ? size : size + 1));
    }

    /** Looks everywhere, and so does not rely on the order. */
    private static boolean occurs(Node node, int key) {
        return node != null && (node.key == key || occurs(node.left, key) || occurs(node.right, key));
    }

    private static boolean allWithin(Node node, int least, int greatest) {
        return node == null
                || (least <= node.key
                        && node.key <= greatest
                        && allWithin(node.left, least, greatest)
                        && allWithin(node.right, least, greatest));
    }
}
