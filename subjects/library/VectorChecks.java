package library;

import dalang.Verify;
import java.util.Vector;

/**
 * {@code java.util.Vector}. What the vector holds is neither known nor looked at.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class VectorChecks {
    private VectorChecks() {}

    /** Whether the items fit an array that can hold any object. */
    static boolean repOk(Vector<Object> vector) {
        return vector.getClass() == Vector.class && itemsFit(vector);
    }

    /** The same for any class below {@code Vector}. */
    static boolean itemsFit(Vector<Object> vector) {
        Object items = Verify.field(vector, "elementData");
        if (items == null || items.getClass() != Object[].class) {
            return false;
        }
        int size = Verify.intField(vector, "elementCount");
        return 0 <= size && size <= ((Object[]) items).length;
    }

    static Object item(Vector<Object> vector, int index) {
        return ((Object[]) Verify.field(vector, "elementData"))[index];
    }

    public static void checkIsEmpty(Vector<Object> vector) {
        Verify.assume(vector != null && repOk(vector));
        boolean empty = vector.isEmpty();
        Verify.check(repOk(vector));
        Verify.check(empty == (vector.size() == 0));
    }

    public static void checkAdd(Vector<Object> vector) {
        Verify.assume(vector != null && repOk(vector));
        int size = vector.size();
        Object item = new Object();
        Verify.check(vector.add(item));
        Verify.check(repOk(vector));
        Verify.check(vector.size() == size + 1);
        Verify.check(item(vector, size) == item);
    }

    public static void checkGet(Vector<Object> vector, int index) {
        Verify.assume(vector != null && repOk(vector));
        int size = vector.size();
        try {
            Object item = vector.get(index);
            Verify.check(repOk(vector));
            Verify.check(0 <= index && index < size);
            Verify.check(item == item(vector, index));
        } catch (IndexOutOfBoundsException e) {
            Verify.check(index < 0 || index >= size);
        }
    }

    /** Must fail, with two items. */
    public static void checkTruncateBuggy(Vector<Object> vector, int size) {
        Verify.assume(vector != null && repOk(vector) && 0 <= size && size <= vector.size());
        ArrayListChecks.truncateBuggy(vector, size);
        Verify.check(repOk(vector));
        Verify.check(vector.size() == size);
    }
}
