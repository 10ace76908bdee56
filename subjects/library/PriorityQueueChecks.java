package library;

import dalang.Verify;
import java.util.Iterator;
import java.util.PriorityQueue;

/**
 * {@code java.util.PriorityQueue} with {@code Integer} items in their natural order.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class PriorityQueueChecks {
    private PriorityQueueChecks() {}

    /** Whether the items in use are integers in heap order, and fit an array for any object. */
    static boolean repOk(PriorityQueue<Integer> queue) {
        if (queue.getClass() != PriorityQueue.class || Verify.field(queue, "comparator") != null) {
            return false;
        }
        Object items = Verify.field(queue, "queue");
        if (items == null || items.getClass() != Object[].class) {
            return false;
        }
        Object[] places = (Object[]) items;
        int size = Verify.intField(queue, "size");
        // An empty array is never there: the constructors make room for one item at least.
        if (size < 0 || size > places.length || places.length == 0) {
            return false;
        }
        // Free places are null. The operations look at no other than the first.
        if (size == 0 && places[0] != null) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (!(places[i] instanceof Integer item)) {
                return false;
            }
            if (i > 0 && ((Integer) places[(i - 1) / 2]).intValue() > item.intValue()) {
                return false;
            }
        }
        return true;
    }

    public static void checkIsEmpty(PriorityQueue<Integer> queue) {
        Verify.assume(queue != null && repOk(queue));
        boolean empty = queue.isEmpty();
        Verify.check(repOk(queue));
        Verify.check(empty == (queue.size() == 0));
    }

    public static void checkOffer(PriorityQueue<Integer> queue, int value) {
        Verify.assume(queue != null && repOk(queue));
        int size = queue.size();
        Verify.check(queue.offer(TreeMapChecks.boxed(value)));
        Verify.check(repOk(queue));
        Verify.check(queue.size() == size + 1);
        Verify.check(queue.peek() <= value);
    }

    public static void checkPeek(PriorityQueue<Integer> queue) {
        Verify.assume(queue != null && repOk(queue));
        Integer least = queue.peek();
        Verify.check(repOk(queue));
        if (least == null) {
            Verify.check(queue.size() == 0);
        } else {
            Object[] places = (Object[]) Verify.field(queue, "queue");
            for (int i = 0; i < queue.size(); i++) {
                Verify.check(least <= (Integer) places[i]);
            }
        }
    }

    public static void checkPoll(PriorityQueue<Integer> queue) {
        Verify.assume(queue != null && repOk(queue));
        int size = queue.size();
        Integer least = queue.poll();
        Verify.check(repOk(queue));
        if (least == null) {
            Verify.check(size == 0);
        } else {
            Verify.check(queue.size() == size - 1);
            Verify.check(queue.isEmpty() || least <= queue.peek());
        }
    }

    /**
     * Is meant to give the least item but one, but takes the one that is stored behind the least. The
     * smallest input that shows it has three items, the last less than the one before it.
     */
    static Integer secondBuggy(PriorityQueue<Integer> queue) {
        Iterator<Integer> items = queue.iterator();
        items.next();
        return items.next();
    }

    /** Must fail, with three items. */
    public static void checkSecondBuggy(PriorityQueue<Integer> queue) {
        Verify.assume(queue != null && repOk(queue) && queue.size() >= 2);
        int second = secondBuggy(queue);
        queue.poll();
        Verify.check(repOk(queue));
        Verify.check(second == queue.peek());
    }
}
