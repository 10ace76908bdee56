package library;

import dalang.Verify;
import java.util.ArrayDeque;
import java.util.NoSuchElementException;

/**
 * {@code java.util.ArrayDeque}: a ring in an array, with at least one free place. The invariant
 * decides where the ring begins and ends, so there is one path for each pair of places.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class ArrayDequeChecks {
    private ArrayDequeChecks() {}

    /** Whether the places from head to tail are taken and the others, the tail's included, are free. */
    static boolean repOk(ArrayDeque<Object> deque) {
        if (deque.getClass() != ArrayDeque.class) {
            return false;
        }
        Object elements = Verify.field(deque, "elements");
        if (elements == null || elements.getClass() != Object[].class) {
            return false;
        }
        Object[] places = (Object[]) elements;
        int head = Verify.intField(deque, "head");
        int tail = Verify.intField(deque, "tail");
        if (head < 0 || head >= places.length || tail < 0 || tail >= places.length) {
            return false;
        }
        boolean wraps = head > tail;
        for (int i = 0; i < places.length; i++) {
            boolean taken = wraps ? i < tail || head <= i : head <= i && i < tail;
            if (taken != (places[i] != null)) {
                return false;
            }
        }
        return true;
    }

    public static void checkIsEmpty(ArrayDeque<Object> deque) {
        Verify.assume(deque != null && repOk(deque));
        boolean empty = deque.isEmpty();
        Verify.check(repOk(deque));
        Verify.check(empty == (deque.size() == 0));
    }

    public static void checkAddFirst(ArrayDeque<Object> deque) {
        Verify.assume(deque != null && repOk(deque));
        int size = deque.size();
        Object item = new Object();
        deque.addFirst(item);
        Verify.check(repOk(deque));
        Verify.check(deque.size() == size + 1);
        Verify.check(deque.peekFirst() == item);
    }

    public static void checkAddLast(ArrayDeque<Object> deque) {
        Verify.assume(deque != null && repOk(deque));
        int size = deque.size();
        Object item = new Object();
        deque.addLast(item);
        Verify.check(repOk(deque));
        Verify.check(deque.size() == size + 1);
        Verify.check(deque.peekLast() == item);
    }

    public static void checkRemoveFirst(ArrayDeque<Object> deque) {
        Verify.assume(deque != null && repOk(deque));
        int size = deque.size();
        Object first = deque.peekFirst();
        try {
            Object item = deque.removeFirst();
            Verify.check(repOk(deque));
            Verify.check(item == first);
            Verify.check(deque.size() == size - 1);
        } catch (NoSuchElementException e) {
            Verify.check(size == 0);
        }
    }

    public static void checkRemoveLast(ArrayDeque<Object> deque) {
        Verify.assume(deque != null && repOk(deque));
        int size = deque.size();
        Object last = deque.peekLast();
        try {
            Object item = deque.removeLast();
            Verify.check(repOk(deque));
            Verify.check(item == last);
            Verify.check(deque.size() == size - 1);
        } catch (NoSuchElementException e) {
            Verify.check(size == 0);
        }
    }

    /**
     * Is meant to move the first item behind the last, but puts it back where it was. The smallest
     * input that shows it has two items, in an array with one more place.
     */
    static void rotateBuggy(ArrayDeque<Object> deque) {
        deque.addFirst(deque.removeFirst());
    }

    /** Must fail, with two items. */
    public static void checkRotateBuggy(ArrayDeque<Object> deque) {
        Verify.assume(deque != null && repOk(deque) && !deque.isEmpty());
        Object first = deque.peekFirst();
        rotateBuggy(deque);
        Verify.check(repOk(deque));
        Verify.check(deque.peekLast() == first);
    }
}
