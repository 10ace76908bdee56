package trees;

import dalang.Verify;
import java.util.NoSuchElementException;

/**
 * A search tree in which the heights of two siblings differ by at most one (Adelson-Velsky and
 * Landis). A node keeps its height: 1 for a leaf, 0 stands for no node.
 *
 * <p>Complete paths, with c(m) the number of such trees with m nodes (1, 1, 2, 1, 4, 6, 4, 17, ...):
 * the sum of c(m) for {@code checkIsEmpty}, {@code checkFindMin} and {@code checkFindMax}, the sum
 * of (2m+1) c(m) for the others.
 */
public final class AvlTree {
    static final class Node {
        int key;
        int height;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
            this.height = 1;
        }
    }

    Node root;

    // ---- the invariant ----

    /** Whether the keys are in strict order, the tree is balanced, and the stored heights are right. */
    public boolean repOk() {
        return measure(root, null, null) >= 0;
    }

    /** The height of a sound subtree with keys between the bounds, -1 if it is not sound. */
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
        int right = measure(node.right, node, upper);
        if (right < 0 || left > right + 1 || right > left + 1) {
            return -1;
        }
        int height = left > right ? left + 1 : right + 1;
        return node.height == height ? height : -1;
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

    private static Node balance(Node node) {
        int left = height(node.left);
        int right = height(node.right);
        if (left > right + 1) {
            if (height(node.left.left) < height(node.left.right)) {
                node.left = rotateLeft(node.left);
            }
            return rotateRight(node);
        }
        if (right > left + 1) {
            if (height(node.right.right) < height(node.right.left)) {
                node.right = rotateRight(node.right);
            }
            return rotateLeft(node);
        }
        update(node);
        return node;
    }

    private static int height(Node node) {
        return node == null ? 0 : node.height;
    }

    private static void update(Node node) {
        int left = height(node.left);
        int right = height(node.right);
        node.height = left > right ? left + 1 : right + 1;
    }

    private static Node rotateRight(Node node) {
        Node top = node.left;
        node.left = top.right;
        top.right = node;
        update(node);
        update(top);
        return top;
    }

    private static Node rotateLeft(Node node) {
        Node top = node.right;
        node.right = top.left;
        top.left = node;
        update(node);
        update(top);
        return top;
    }

    /**
     * Rotates once where it takes two rotations. The smallest input that shows it has two nodes: a
     * root with one child, and the new key is between the two.
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
        int left = height(node.left);
        int right = height(node.right);
        if (left > right + 1) {
            return rotateRight(node);
        }
        if (right > left + 1) {
            return rotateLeft(node);
        }
        update(node);
        return node;
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
