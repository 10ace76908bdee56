package library;

import dalang.Verify;
import java.util.LinkedList;
import java.util.NoSuchElementException;

/**
 * {@code java.util.LinkedList}. Only {@code checkContains} looks at what the list holds.
 *
 * <p>Complete paths: one for each length m up to the bound of nodes for the checks without an index;
 * m+2 for those with one (each node, below, above).
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class LinkedListChecks {
    private LinkedListChecks() {}

    /**
     * Whether every node knows the one before it, and the size and the last node are right. No node
     * comes twice then, for it would have to know two.
     */
    static boolean repOk(LinkedList<?> list) {
        if (list.getClass() != LinkedList.class) {
            return false;
        }
        int size = 0;
        Object before = null;
        Object node = Verify.field(list, "first");
        while (node != null) {
            if (Verify.field(node, "prev") != before) {
                return false;
            }
            size++;
            before = node;
            node = Verify.field(node, "next");
        }
        return Verify.field(list, "last") == before && Verify.intField(list, "size") == size;
    }

    /** Whether a sound list holds integers only. */
    private static boolean holdsIntegers(LinkedList<Integer> list) {
        for (Object node = Verify.field(list, "first"); node != null; node = Verify.field(node, "next")) {
            if (!(Verify.field(node, "item") instanceof Integer)) {
                return false;
            }
        }
        return true;
    }

    public static void checkIsEmpty(LinkedList<Object> list) {
        Verify.assume(list != null && repOk(list));
        boolean empty = list.isEmpty();
        Verify.check(repOk(list));
        Verify.check(empty == (Verify.field(list, "first") == null));
    }

    public static void checkAdd(LinkedList<Object> list) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        Object item = new Object();
        Verify.check(list.add(item));
        Verify.check(repOk(list));
        Verify.check(list.size() == size + 1);
        Verify.check(list.getLast() == item);
    }

    public static void checkContains(LinkedList<Integer> list, int value) {
        Verify.assume(list != null && repOk(list) && holdsIntegers(list));
        boolean found = list.contains(TreeMapChecks.boxed(value));
        Verify.check(repOk(list));
        boolean occurs = false;
        Object node = Verify.field(list, "first");
        while (!occurs && node != null) {
            occurs = (Integer) Verify.field(node, "item") == value;
            node = Verify.field(node, "next");
        }
        Verify.check(found == occurs);
    }

    public static void checkGet(LinkedList<Object> list, int index) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        try {
            Object item = list.get(index);
            Verify.check(repOk(list));
            Verify.check(0 <= index && index < size);
            Object node = Verify.field(list, "first");
            for (int i = 0; i < index; i++) {
                node = Verify.field(node, "next");
            }
            Verify.check(item == Verify.field(node, "item"));
        } catch (IndexOutOfBoundsException e) {
            Verify.check(index < 0 || index >= size);
        }
    }

    public static void checkGetFirst(LinkedList<Object> list) {
        Verify.assume(list != null && repOk(list));
        try {
            Object item = list.getFirst();
            Verify.check(repOk(list));
            Verify.check(item == Verify.field(Verify.field(list, "first"), "item"));
        } catch (NoSuchElementException e) {
            Verify.check(list.size() == 0);
        }
    }

    public static void checkGetLast(LinkedList<Object> list) {
        Verify.assume(list != null && repOk(list));
        try {
            Object item = list.getLast();
            Verify.check(repOk(list));
            Verify.check(item == Verify.field(Verify.field(list, "last"), "item"));
        } catch (NoSuchElementException e) {
            Verify.check(list.size() == 0);
        }
    }

    public static void checkRemove(LinkedList<Object> list, int index) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        try {
            list.remove(index);
            Verify.check(repOk(list));
            Verify.check(0 <= index && index < size);
            Verify.check(list.size() == size - 1);
        } catch (IndexOutOfBoundsException e) {
            Verify.check(index < 0 || index >= size);
        }
    }

    public static void checkRemoveFirst(LinkedList<Object> list) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        try {
            list.removeFirst();
            Verify.check(repOk(list));
            Verify.check(list.size() == size - 1);
        } catch (NoSuchElementException e) {
            Verify.check(size == 0);
        }
    }

    public static void checkRemoveLast(LinkedList<Object> list) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        try {
            list.removeLast();
            Verify.check(repOk(list));
            Verify.check(list.size() == size - 1);
        } catch (NoSuchElementException e) {
            Verify.check(size == 0);
        }
    }

    /** Must fail, with two items. */
    public static void checkTruncateBuggy(LinkedList<Object> list, int size) {
        Verify.assume(list != null && repOk(list) && 0 <= size && size <= list.size());
        ArrayListChecks.truncateBuggy(list, size);
        Verify.check(repOk(list));
        Verify.check(list.size() == size);
    }
}
