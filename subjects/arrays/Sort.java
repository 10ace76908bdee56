package arrays;

import dalang.Verify;

/**
 * Three ways to sort integers.
 *
 * <p>The checks decide how long the array is before anything else. Insertion sort then has one path
 * for each order of its items, m! for m of them, equal items counting as in order. That the items are
 * the same as before is checked by their sum, which decides nothing and so adds no path.
 */
public final class Sort {
    private Sort() {}

    public static void insertionSort(int[] items) {
        for (int i = 1; i < items.length; i++) {
            int item = items[i];
            int hole = i;
            while (hole > 0 && item < items[hole - 1]) {
                items[hole] = items[hole - 1];
                hole--;
            }
            items[hole] = item;
        }
    }

    public static void selectionSort(int[] items) {
        for (int i = 0; i < items.length - 1; i++) {
            int least = i;
            for (int j = i + 1; j < items.length; j++) {
                if (items[j] < items[least]) {
                    least = j;
                }
            }
            int item = items[i];
            items[i] = items[least];
            items[least] = item;
        }
    }

    public static void shellSort(int[] items) {
        for (int gap = items.length / 2; gap > 0; gap /= 2) {
            for (int i = gap; i < items.length; i++) {
                int item = items[i];
                int hole = i;
                while (hole >= gap && item < items[hole - gap]) {
                    items[hole] = items[hole - gap];
                    hole -= gap;
                }
                items[hole] = item;
            }
        }
    }

    /**
     * Never moves an item to the front. The smallest input that shows it has two items, the second
     * less than the first.
     */
    public static void insertionSortBuggy(int[] items) {
        for (int i = 1; i < items.length; i++) {
            int item = items[i];
            int hole = i;
            while (hole > 1 && item < items[hole - 1]) {
                items[hole] = items[hole - 1];
                hole--;
            }
            items[hole] = item;
        }
    }

    /**
     * Never looks at the last item. The smallest input that shows it has two items, the second less
     * than the first.
     */
    public static void selectionSortBuggy(int[] items) {
        for (int i = 0; i < items.length - 1; i++) {
            int least = i;
            for (int j = i + 1; j < items.length - 1; j++) {
                if (items[j] < items[least]) {
                    least = j;
                }
            }
            int item = items[i];
            items[i] = items[least];
            items[least] = item;
        }
    }

    /**
     * Stops before the gap of one. The smallest input that shows it has two items, the second less
     * than the first.
     */
    public static void shellSortBuggy(int[] items) {
        for (int gap = items.length / 2; gap > 1; gap /= 2) {
            for (int i = gap; i < items.length; i++) {
                int item = items[i];
                int hole = i;
                while (hole >= gap && item < items[hole - gap]) {
                    items[hole] = items[hole - gap];
                    hole -= gap;
                }
                items[hole] = item;
            }
        }
    }

    // ---- the checks ----

    public static void checkInsertionSort(int[] items) {
        Verify.assume(items != null);
        int sum = sum(items);
        insertionSort(items);
        Verify.check(sorted(items));
        Verify.check(sum(items) == sum);
    }

    public static void checkSelectionSort(int[] items) {
        Verify.assume(items != null);
        int sum = sum(items);
        selectionSort(items);
        Verify.check(sorted(items));
        Verify.check(sum(items) == sum);
    }

    public static void checkShellSort(int[] items) {
        Verify.assume(items != null);
        int sum = sum(items);
        shellSort(items);
        Verify.check(sorted(items));
        Verify.check(sum(items) == sum);
    }

    /** Must fail, with two items. */
    public static void checkInsertionSortBuggy(int[] items) {
        Verify.assume(items != null);
        int sum = sum(items);
        insertionSortBuggy(items);
        Verify.check(sorted(items));
        Verify.check(sum(items) == sum);
    }

    /** Must fail, with two items. */
    public static void checkSelectionSortBuggy(int[] items) {
        Verify.assume(items != null);
        int sum = sum(items);
        selectionSortBuggy(items);
        Verify.check(sorted(items));
        Verify.check(sum(items) == sum);
    }

    /** Must fail, with two items. */
    public static void checkShellSortBuggy(int[] items) {
        Verify.assume(items != null);
        int sum = sum(items);
        shellSortBuggy(items);
        Verify.check(sorted(items));
        Verify.check(sum(items) == sum);
    }

    private static boolean sorted(int[] items) {
        for (int i = 1; i < items.length; i++) {
            if (items[i - 1] > items[i]) {
                return false;
            }
        }
        return true;
    }

    /** Also decides how many items there are. */
    private static int sum(int[] items) {
        int sum = 0;
        for (int i = 0; i < items.length; i++) {
            sum += items[i];
        }
        return sum;
    }
}
