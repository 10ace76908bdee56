package library;

import dalang.Verify;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code java.util.ArrayList}. What the list holds is neither known nor looked at.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class ArrayListChecks {
    private ArrayListChecks() {}

    /** Whether the items fit an array that can hold any object. */
    static boolean repOk(ArrayList<Object> list) {
        if (list.getClass() != ArrayList.class) {
            return false;
        }
        Object items = Verify.field(list, "elementData");
        if (items == null || items.getClass() != Object[].class) {
            return false;
        }
        int size = Verify.intField(list, "size");
        return 0 <= size && size <= ((Object[]) items).length;
    }

    private static Object item(ArrayList<Object> list, int index) {
        return ((Object[]) Verify.field(list, "elementData"))[index];
    }

    /**
     * Is meant to remove all items but the first so many, but passes over what moves up to the place of
     * a removed one. The smallest input that shows it has two items, none of which is to be left.
     */
    static void truncateBuggy(List<Object> list, int size) {
        for (int i = size; i < list.size(); i++) {
            list.remove(i);
        }
    }

    public static void checkIsEmpty(ArrayList<Object> list) {
        Verify.assume(list != null && repOk(list));
        boolean empty = list.isEmpty();
        Verify.check(repOk(list));
        Verify.check(empty == (list.size() == 0));
    }

    public static void checkAdd(ArrayList<Object> list) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        Object item = new Object();
        Verify.check(list.add(item));
        Verify.check(repOk(list));
        Verify.check(list.size() == size + 1);
        Verify.check(item(list, size) == item);
    }

    public static void checkGet(ArrayList<Object> list, int index) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        try {
            Object item = list.get(index);
            Verify.check(repOk(list));
            Verify.check(0 <= index && index < size);
            Verify.check(item == item(list, index));
        } catch (IndexOutOfBoundsException e) {
            Verify.check(index < 0 || index >= size);
        }
    }

    public static void checkRemove(ArrayList<Object> list, int index) {
        Verify.assume(list != null && repOk(list));
        int size = list.size();
        try {
            list.remove(index);
            Verify.check(repOk(list));
            Verify.check(0 <= index && index < size);
            Verify.check(list.size() == size - 1);
            Verify.check(item(list, size - 1) == null);
        } catch (IndexOutOfBoundsException e) {
            Verify.check(index < 0 || index >= size);
        }
    }

    /** Must fail, with two items. */
    public static void checkTruncateBuggy(ArrayList<Object> list, int size) {
        Verify.assume(list != null && repOk(list) && 0 <= size && size <= list.size());
        truncateBuggy(list, size);
        Verify.check(repOk(list));
        Verify.check(list.size() == size);
    }
}
