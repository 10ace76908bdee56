package trees;

import dalang.Verify;
import java.util.NoSuchElementException;

/**
 * A red-black tree: the root is black, a red node has no red child, and all ways from the root down
 * to a gap have equally many black nodes. Inserts as Okasaki does.
 *
 * <p>Complete paths, with c(m) the number of such trees with m nodes, colours included (1, 1, 2, 2,
 * 4, 8, 16, ...): the sum of c(m) for {@code checkIsEmpty}, {@code checkFindMin} and
 * {@code checkFindMax}, the sum of (2m+1) c(m) for the others; as for {@code java.util.TreeMap}.
 */
public final class RedBlackTree {
    static final class Node {
        int key;
        boolean red;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
            this.red = true;
        }
    }

    Node root;

    // ---- the invariant ----

    /** Whether the keys are in strict order and the colours are what they must be. */
    public boolean repOk() {
        return root == null || (!root.red && blackHeight(root, false, null, null, -1) >= 0);
    }

    /**
     * The number of black nodes on every way down from a sound node, -1 if it is not sound or not
     * the wanted one. Any is wanted if that is negative. To know it on the way down leaves fewer
     * unsound trees to look at.
     */
    private static int blackHeight(Node node, boolean belowRed, Node lower, Node upper, int wanted) {
        if (node == null) {
            return wanted > 0 ? -1 : 0;
        }
        if (lower != null && lower.key >= node.key) {
            return -1;
        }
        if (upper != null && node.key >= upper.key) {
            return -1;
        }
        int own = 1;
        if (node.red) {
            if (belowRed) {
                return -1;
            }
            own = 0;
        }
        if (wanted >= 0 && wanted < own) {
            return -1;
        }
        int left = blackHeight(node.left, own == 0, lower, node, wanted < 0 ? -1 : wanted - own);
        if (left < 0) {
            return -1;
        }
        int right = blackHeight(node.right, own == 0, node, upper, left);
        return right < 0 ? -1 : left + own;
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

    public boolean find(int key) {
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
        root.red = false;
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
        return balance(node);
    }

    private static boolean isRed(Node node) {
        return node != null && node.red;
    }

    /** Takes a red child of a red child away from below a black node. */
    private static Node balance(Node node) {
        if (node.red) {
            return node;
        }
        Node left = node.left;
        if (isRed(left) && isRed(left.left)) {
            node.left = left.right;
            return join(left.left, left, node);
        }
        if (isRed(left) && isRed(left.right)) {
            Node middle = left.right;
            left.right = middle.left;
            node.left = middle.right;
            return join(left, middle, node);
        }
        Node right = node.right;
        if (isRed(right) && isRed(right.left)) {
            Node middle = right.left;
            node.right = middle.left;
            right.left = middle.right;
            return join(node, middle, right);
        }
        if (isRed(right) && isRed(right.right)) {
            node.right = right.left;
            return join(node, right, right.right);
        }
        return node;
    }

    private static Node join(Node left, Node top, Node right) {
        top.left = left;
        top.right = right;
        left.red = false;
        top.red = true;
        right.red = false;
        return top;
    }

    /**
     * Paints a node in the wrong colour in one of the four cases. The smallest input that shows it
     * has two nodes: a root with a right child, and the new key is greater than both.
     */
    public void insertBuggy(int key) {
        root = insertBuggy(key, root);
        root.red = false;
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
        Node right = node.right;
        if (!node.red && isRed(right) && isRed(right.right)) {
            node.right = right.left;
            right.left = node;
            node.red = true;
            right.right.red = false;
            return right;
        }
        return balance(node);
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

    public void checkFind(int key) {
        Verify.assume(repOk());
        boolean found = find(key);
        Verify.check(repOk());
        Verify.check(found == occurs(root, key));
    }

    public void checkInsert(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = find(key);
        insert(key);
        Verify.check(repOk());
        Verify.check(find(key));
        Verify.check(size() == (found ? size : size + 1));
    }

    /** Must fail, with two nodes. */
    public void checkInsertBuggy(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = find(key);
        insertBuggy(key);
        Verify.check(repOk());
        Verify.check(find(key));
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
