package library;

import dalang.Verify;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code java.util.TreeSet} with {@code Integer} items: the keys of a {@code TreeMap}, which maps
 * each to one and the same object that only {@code TreeSet} knows.
 *
 * <p>Complete paths as in {@link TreeMapChecks}: the sum of c(m) for {@code checkIsEmpty}, the sum of
 * (2m+1) c(m) for the others. Nothing is checked about what {@code remove} returns: it compares the
 * removed value with that object, and a value of the input need not be it.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class TreeSetChecks {
    private TreeSetChecks() {}

    /** Whether a set is over a sound map without null as a value. */
    static boolean repOk(TreeSet<Integer> set) {
        if (set.getClass() != TreeSet.class || !(Verify.field(set, "m") instanceof TreeMap)) {
            return false;
        }
        TreeMap<Integer, Object> map = map(set);
        return TreeMapChecks.repOk(map) && hasValues(Verify.field(map, "root"));
    }

    @SuppressWarnings("unchecked")
    private static TreeMap<Integer, Object> map(TreeSet<Integer> set) {
        return (TreeMap<Integer, Object>) Verify.field(set, "m");
    }

    private static boolean hasValues(Object entry) {
        return entry == null
                || (Verify.field(entry, "value") != null
                        && hasValues(Verify.field(entry, "left"))
                        && hasValues(Verify.field(entry, "right")));
    }

    public static void checkIsEmpty(TreeSet<Integer> set) {
        Verify.assume(set != null && repOk(set));
        boolean empty = set.isEmpty();
        Verify.check(repOk(set));
        Verify.check(empty == (set.size() == 0));
    }

    public static void checkContains(TreeSet<Integer> set, int value) {
        Verify.assume(set != null && repOk(set));
        Integer item = TreeMapChecks.boxed(value);
        boolean found = set.contains(item);
        Verify.check(repOk(set));
        Verify.check(found == map(set).containsKey(item));
    }

    public static void checkAdd(TreeSet<Integer> set, int value) {
        Verify.assume(set != null && repOk(set));
        Integer item = TreeMapChecks.boxed(value);
        int size = set.size();
        boolean found = set.contains(item);
        Verify.check(set.add(item) == !found);
        Verify.check(repOk(set));
        Verify.check(set.contains(item));
        Verify.check(set.size() == (found ? size : size + 1));
    }

    public static void checkRemove(TreeSet<Integer> set, int value) {
        Verify.assume(set != null && repOk(set));
        Integer item = TreeMapChecks.boxed(value);
        int size = set.size();
        boolean found = set.contains(item);
        set.remove(item);
        Verify.check(repOk(set));
        Verify.check(!set.contains(item));
        Verify.check(set.size() == (found ? size - 1 : size));
    }

    /**
     * Is meant to put one item in the place of another, but loses it if the two are equal. The smallest
     * input that shows it has one item.
     */
    static void replaceBuggy(TreeSet<Integer> set, Integer old, Integer item) {
        set.add(item);
        set.remove(old);
    }

    /** Must fail, with one item. */
    public static void checkReplaceBuggy(TreeSet<Integer> set, int old, int value) {
        Integer known = TreeMapChecks.boxed(old);
        Verify.assume(set != null && repOk(set) && set.contains(known));
        Integer item = TreeMapChecks.boxed(value);
        replaceBuggy(set, known, item);
        Verify.check(repOk(set));
        Verify.check(set.contains(item));
    }
}
