package trees;

import dalang.Verify;
import java.util.NoSuchElementException;

/**
 * A binary search tree without balancing.
 *
 * <p>Complete paths, with c(m) the number of binary trees with m nodes (1, 1, 2, 5, 14, 42, ...):
 * the sum of c(m) for {@code checkIsEmpty}, {@code checkFindMin} and {@code checkFindMax}, the sum
 * of (2m+1) c(m) for the others, over all m up to the bound of nodes.
 */
public final class BinarySearchTree {
    static final class Node {
        int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    Node root;

    // ---- the invariant ----

    /** Whether the keys are in strict order. That leaves no room for a shared node or a cycle. */
    public boolean repOk() {
        return ordered(root, null, null);
    }

    /** Bounds are nodes, null for none; their keys bound from outside, themselves excluded. */
    private static boolean ordered(Node node, Node lower, Node upper) {
        if (node == null) {
            return true;
        }
        if (lower != null && lower.key >= node.key) {
            return false;
        }
        if (upper != null && node.key >= upper.key) {
            return false;
        }
        return ordered(node.left, lower, node) && ordered(node.right, node, upper);
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
        }
        return node;
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
        } else if (node.left == null) {
            return node.right;
        } else if (node.right == null) {
            return node.left;
        } else {
            Node next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.key = next.key;
            node.right = withoutFirst(node.right);
        }
        return node;
    }

    private static Node withoutFirst(Node node) {
        if (node.left == null) {
            return node.right;
        }
        node.left = withoutFirst(node.left);
        return node;
    }

    /**
     * Loses the right subtree of the removed node's successor. The smallest input that shows it has
     * four nodes: the root is removed, it has two children, and the right one has a right child.
     */
    public void removeBuggy(int key) {
        root = removeBuggy(key, root);
    }

    private static Node removeBuggy(int key, Node node) {
        if (node == null) {
            return null;
        }
        if (key < node.key) {
            node.left = removeBuggy(key, node.left);
        } else if (key > node.key) {
            node.right = removeBuggy(key, node.right);
        } else if (node.left == null) {
            return node.right;
        } else if (node.right == null) {
            return node.left;
        } else {
            Node parent = null;
            Node next = node.right;
            while (next.left != null) {
                parent = next;
                next = next.left;
            }
            node.key = next.key;
            if (parent == null) {
                node.right = null;
            } else {
                parent.left = null;
            }
        }
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

    public void checkRemove(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = find(key);
        remove(key);
        Verify.check(repOk());
        Verify.check(!find(key));
        Verify.check(size() == (found ? size - 1 : size));
    }

    /** Must fail, with four nodes. */
    public void checkRemoveBuggy(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = find(key);
        removeBuggy(key);
        Verify.check(repOk());
        Verify.check(!find(key));
        Verify.check(size() == (found ? size - 1 : size));
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
