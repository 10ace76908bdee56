package library;

import dalang.Verify;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/**
 * {@code java.util.TreeMap} with {@code Integer} keys in their natural order.
 *
 * <p>Complete paths, with c(m) the number of red-black trees with m nodes and a black root (1, 1, 2,
 * 2, 4, 8, 16, ...): the sum of c(m) for {@code checkIsEmpty} and {@code checkLastKey}, the sum of
 * (2m+1) c(m) for {@code checkGetInt}, {@code checkPutInt} and {@code checkRemoveInt}. These three
 * make the key themselves, so it is an object apart. {@code checkGet}, {@code checkPut} and
 * {@code checkRemove} take a key that may also be the very object in an entry: where boxes have an
 * identity, that is one path more for each entry, (3m+1) c(m), and it takes one {@code Integer} more
 * than entries.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class TreeMapChecks {
    private TreeMapChecks() {}

    // ---- the invariant ----

    /**
     * Whether a map is a red-black tree of integers. Says nothing about values and reads none, and
     * nothing about the views that a map keeps.
     */
    static boolean repOk(TreeMap<Integer, Object> map) {
        if (map.getClass() != TreeMap.class || Verify.field(map, "comparator") != null) {
            return false;
        }
        Object root = Verify.field(map, "root");
        if (root == null) {
            return Verify.intField(map, "size") == 0;
        }
        return Verify.field(root, "parent") == null
                && Verify.booleanField(root, "color")
                && blackHeight(root, false, null, null, -1) >= 0
                && Verify.intField(map, "size") == count(root);
    }

    /**
     * The number of black entries on every way from a sound entry down, -1 if it is not sound or not
     * the wanted one. Any is wanted if that is negative; a bound is null if there is none. To know
     * the number on the way down leaves fewer unsound trees to look at.
     */
    private static int blackHeight(
            Object entry, boolean belowRed, Integer lower, Integer upper, int wanted) {
        if (entry == null) {
            return wanted > 0 ? -1 : 0;
        }
        if (!(Verify.field(entry, "key") instanceof Integer key)) {
            return -1;
        }
        if (lower != null && lower.intValue() >= key.intValue()) {
            return -1;
        }
        if (upper != null && key.intValue() >= upper.intValue()) {
            return -1;
        }
        int own = 1;
        if (!Verify.booleanField(entry, "color")) {
            if (belowRed) {
                return -1;
            }
            own = 0;
        }
        if (wanted >= 0 && wanted < own) {
            return -1;
        }
        Object left = Verify.field(entry, "left");
        if (left != null && Verify.field(left, "parent") != entry) {
            return -1;
        }
        int leftHeight = blackHeight(left, own == 0, lower, key, wanted < 0 ? -1 : wanted - own);
        if (leftHeight < 0) {
            return -1;
        }
        Object right = Verify.field(entry, "right");
        if (right != null && Verify.field(right, "parent") != entry) {
            return -1;
        }
        int rightHeight = blackHeight(right, own == 0, key, upper, leftHeight);
        return rightHeight < 0 ? -1 : leftHeight + own;
    }

    private static int count(Object entry) {
        return entry == null ? 0 : 1 + count(Verify.field(entry, "left")) + count(Verify.field(entry, "right"));
    }

    // ---- the checks ----

    public static void checkIsEmpty(TreeMap<Integer, Object> map) {
        Verify.assume(map != null && repOk(map));
        boolean empty = map.isEmpty();
        Verify.check(repOk(map));
        Verify.check(empty == (Verify.field(map, "root") == null));
    }

    public static void checkLastKey(TreeMap<Integer, Object> map) {
        Verify.assume(map != null && repOk(map));
        try {
            int last = map.lastKey();
            Verify.check(repOk(map));
            Verify.check(Verify.field(map, "root") != null);
            Verify.check(noneAbove(Verify.field(map, "root"), last));
        } catch (NoSuchElementException e) {
            Verify.check(Verify.field(map, "root") == null);
        }
    }

    public static void checkGet(TreeMap<Integer, Object> map, Integer key) {
        Verify.assume(map != null && repOk(map));
        Verify.assume(key != null);
        get(map, key);
    }

    public static void checkGetInt(TreeMap<Integer, Object> map, int key) {
        Verify.assume(map != null && repOk(map));
        get(map, boxed(key));
    }

    private static void get(TreeMap<Integer, Object> map, Integer key) {
        Object value = map.get(key);
        Verify.check(repOk(map));
        Object entry = entryOf(Verify.field(map, "root"), key.intValue());
        if (entry == null) {
            Verify.check(value == null);
        } else {
            Verify.check(value == Verify.field(entry, "value"));
        }
    }

    public static void checkPut(TreeMap<Integer, Object> map, Integer key) {
        Verify.assume(map != null && repOk(map));
        Verify.assume(key != null);
        put(map, key);
    }

    public static void checkPutInt(TreeMap<Integer, Object> map, int key) {
        Verify.assume(map != null && repOk(map));
        put(map, boxed(key));
    }

    private static void put(TreeMap<Integer, Object> map, Integer key) {
        int size = map.size();
        boolean found = map.containsKey(key);
        Object value = new Object();
        map.put(key, value);
        Verify.check(repOk(map));
        Verify.check(map.get(key) == value);
        Verify.check(map.size() == (found ? size : size + 1));
    }

    public static void checkRemove(TreeMap<Integer, Object> map, Integer key) {
        Verify.assume(map != null && repOk(map));
        Verify.assume(key != null);
        remove(map, key);
    }

    public static void checkRemoveInt(TreeMap<Integer, Object> map, int key) {
        Verify.assume(map != null && repOk(map));
        remove(map, boxed(key));
    }

    private static void remove(TreeMap<Integer, Object> map, Integer key) {
        int size = map.size();
        boolean found = map.containsKey(key);
        map.remove(key);
        Verify.check(repOk(map));
        Verify.check(!map.containsKey(key));
        Verify.check(map.size() == (found ? size - 1 : size));
    }

    /** A box of its own: {@code valueOf} would first ask whether the value is in its cache. */
    @SuppressWarnings({"deprecation", "removal"})
    static Integer boxed(int value) {
        return new Integer(value);
    }

    /** Looks everywhere, and so does not rely on the order. */
    private static Object entryOf(Object entry, int key) {
        if (entry == null || (Integer) Verify.field(entry, "key") == key) {
            return entry;
        }
        Object found = entryOf(Verify.field(entry, "left"), key);
        return found != null ? found : entryOf(Verify.field(entry, "right"), key);
    }

    private static boolean noneAbove(Object entry, int key) {
        return entry == null
                || ((Integer) Verify.field(entry, "key") <= key
                        && noneAbove(Verify.field(entry, "left"), key)
                        && noneAbove(Verify.field(entry, "right"), key));
    }
}
