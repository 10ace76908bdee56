package lists;

import dalang.Verify;

/**
 * A list of different integers, the least one first.
 *
 * <p>Complete paths: one for each length m for {@code checkIsEmpty}, 2m+1 for the others.
 */
public final class SortedList {
    static final class Node {
        int key;
        Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    Node head;

    /** Whether the keys are in strict order, and so no node comes twice. */
    public boolean repOk() {
        if (head == null) {
            return true;
        }
        for (Node node = head; node.next != null; node = node.next) {
            if (node.key >= node.next.key) {
                return false;
            }
        }
        return true;
    }

    public boolean isEmpty() {
        return head == null;
    }

    public int size() {
        int size = 0;
        for (Node node = head; node != null; node = node.next) {
            size++;
        }
        return size;
    }

    public boolean contains(int key) {
        for (Node node = head; node != null; node = node.next) {
            if (key <= node.key) {
                return key == node.key;
            }
        }
        return false;
    }

    public void insert(int key) {
        Node before = null;
        Node node = head;
        while (node != null && node.key < key) {
            before = node;
            node = node.next;
        }
        if (node != null && node.key == key) {
            return;
        }
        if (before == null) {
            head = new Node(key, node);
        } else {
            before.next = new Node(key, node);
        }
    }

    public void remove(int key) {
        Node before = null;
        Node node = head;
        while (node != null && node.key < key) {
            before = node;
            node = node.next;
        }
        if (node == null || node.key != key) {
            return;
        }
        if (before == null) {
            head = node.next;
        } else {
            before.next = node.next;
        }
    }

    /**
     * Takes the node after the place away without looking at its key. The smallest input that shows
     * it has one node, and the key to remove is less than its key.
     */
    public void removeBuggy(int key) {
        Node before = null;
        Node node = head;
        while (node != null && node.key < key) {
            before = node;
            node = node.next;
        }
        if (node == null) {
            return;
        }
        if (before == null) {
            head = node.next;
        } else {
            before.next = node.next;
        }
    }

    // ---- the checks ----

    public void checkIsEmpty() {
        Verify.assume(repOk());
        boolean empty = isEmpty();
        Verify.check(repOk());
        Verify.check(empty == (size() == 0));
    }

    public void checkContains(int key) {
        Verify.assume(repOk());
        boolean found = contains(key);
        Verify.check(repOk());
        boolean occurs = false;
        for (Node node = head; node != null; node = node.next) {
            if (node.key == key) {
                occurs = true;
            }
        }
        Verify.check(found == occurs);
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

    /** Must fail, with one node. */
    public void checkRemoveBuggy(int key) {
        Verify.assume(repOk());
        int size = size();
        boolean found = contains(key);
        removeBuggy(key);
        Verify.check(repOk());
        Verify.check(!contains(key));
        Verify.check(size() == (found ? size - 1 : size));
    }
}
