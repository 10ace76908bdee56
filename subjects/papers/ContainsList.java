package papers;

import dalang.Verify;

/**
 * Looks for several objects in one list, one after the other, until one is missing (the example in
 * Figs. 1 and 2 of the paper on precise heap summaries).
 *
 * <p>{@code run1} to {@code run5} look for that many; the list may be anything, so bound its nodes.
 * {@code checkRun1} to {@code checkRun5} assume a list that is not empty and ends. {@code atMost1} to
 * {@code atMost16} look for five in a list of at most that many nodes, whatever they hold, and need no
 * bound.
 */
public class ContainsList {
    static final class Data {
        Integer val;
    }

    static final class Node {
        Data elem;
        Node next;
    }

    Node head;
    Data data0;
    Data data1;
    Data data2;
    Data data3;
    Data data4;

    static boolean contains(Node root, Data val) {
        Node node = root;
        while (true) {
            if (node.elem == val) {
                return true;
            }
            if (node.next == null) {
                return false;
            }
            node = node.next;
        }
    }

    /** Whether there is a node, and the last one has no next one. */
    boolean repOk() {
        return repOk(Integer.MAX_VALUE);
    }

    /** The same, of a list that has at most so many nodes. */
    boolean repOk(int most) {
        if (head == null) {
            return false;
        }
        Node last = head;
        int nodes = 1;
        while (last.next != null) {
            if (nodes++ == most) {
                return false;
            }
            Node node = head;
            while (node != last) {
                if (node == last.next) {
                    return false;
                }
                node = node.next;
            }
            if (last == last.next) {
                return false;
            }
            last = last.next;
        }
        return true;
    }

    boolean run1() {
        return contains(head, data0);
    }

    boolean run2() {
        return contains(head, data0) && contains(head, data1);
    }

    boolean run3() {
        return contains(head, data0) && contains(head, data1) && contains(head, data2);
    }

    boolean run4() {
        return contains(head, data0) && contains(head, data1) && contains(head, data2) && contains(head, data3);
    }

    boolean run5() {
        return contains(head, data0)
                && contains(head, data1)
                && contains(head, data2)
                && contains(head, data3)
                && contains(head, data4);
    }

    void checkRun1() {
        Verify.assume(repOk());
        run1();
    }

    void checkRun2() {
        Verify.assume(repOk());
        run2();
    }

    void checkRun3() {
        Verify.assume(repOk());
        run3();
    }

    void checkRun4() {
        Verify.assume(repOk());
        run4();
    }

    void checkRun5() {
        Verify.assume(repOk());
        run5();
    }

    void atMost(int nodes) {
        Verify.assume(repOk(nodes));
        run5();
    }

    void atMost1() {
        atMost(1);
    }

    void atMost2() {
        atMost(2);
    }

    void atMost3() {
        atMost(3);
    }

    void atMost4() {
        atMost(4);
    }

    void atMost5() {
        atMost(5);
    }

    void atMost6() {
        atMost(6);
    }

    void atMost7() {
        atMost(7);
    }

    void atMost8() {
        atMost(8);
    }

    void atMost9() {
        atMost(9);
    }

    void atMost10() {
        atMost(10);
    }

    void atMost11() {
        atMost(11);
    }

    void atMost12() {
        atMost(12);
    }

    void atMost13() {
        atMost(13);
    }

    void atMost14() {
        atMost(14);
    }

    void atMost15() {
        atMost(15);
    }

    void atMost16() {
        atMost(16);
    }
}
