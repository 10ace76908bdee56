package arrays;

import dalang.Verify;
import java.util.NoSuchElementException;

/** A heap in an array: the children of the item at i are at 2i+1 and 2i+2. */
public final class BinaryHeap {
    int[] items;
    int size;

    BinaryHeap(int capacity) {
        items = new int[capacity];
    }

    // ---- the invariant ----

    /** Whether the items in use fit the array and none is less than its parent. */
    public boolean repOk() {
        if (items == null || size < 0 || size > items.length) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (i > 0 && items[(i - 1) / 2] > items[i]) {
                return false;
            }
        }
        return true;
    }

    // ---- the operations ----

    public boolean isEmpty() {
        return size == 0;
    }

    public int findMin() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return items[0];
    }

    public void insert(int item) {
        if (size == items.length) {
            int[] larger = new int[2 * size + 1];
            for (int i = 0; i < size; i++) {
                larger[i] = items[i];
            }
            items = larger;
        }
        int hole = size++;
        while (hole > 0 && item < items[(hole - 1) / 2]) {
            items[hole] = items[(hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        items[hole] = item;
    }

    public int deleteMin() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        int least = items[0];
        int last = items[--size];
        int hole = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && items[child + 1] < items[child]) {
                child++;
            }
            if (last <= items[child]) {
                break;
            }
            items[hole] = items[child];
            hole = child;
            child = 2 * hole + 1;
        }
        if (size > 0) {
            items[hole] = last;
        }
        return least;
    }

    /**
     * Does not look at a right child that is the last item. The smallest input that shows it has four
     * items: without the least one three are left, and the least of these was on the right.
     */
    public int deleteMinBuggy() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        int least = items[0];
        int last = items[--size];
        int hole = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size - 1 && items[child + 1] < items[child]) {
                child++;
            }
            if (last <= items[child]) {
                break;
            }
            items[hole] = items[child];
            hole = child;
            child = 2 * hole + 1;
        }
        if (size > 0) {
            items[hole] = last;
        }
        return least;
    }

    // ---- the checks ----

    public void checkIsEmpty() {
        Verify.assume(repOk());
        boolean empty = isEmpty();
        Verify.check(repOk());
        Verify.check(empty == (size == 0));
    }

    public void checkFindMin() {
        Verify.assume(repOk());
        try {
            int least = findMin();
            Verify.check(repOk());
            for (int i = 0; i < size; i++) {
                Verify.check(least <= items[i]);
            }
        } catch (NoSuchElementException e) {
            Verify.check(size == 0);
        }
    }

    public void checkInsert(int item) {
        Verify.assume(repOk());
        int before = size;
        insert(item);
        Verify.check(repOk());
        Verify.check(size == before + 1);
        Verify.check(items[0] <= item);
    }

    public void checkDeleteMin() {
        Verify.assume(repOk());
        int before = size;
        try {
            int least = deleteMin();
            Verify.check(repOk());
            Verify.check(size == before - 1);
            Verify.check(size == 0 || least <= items[0]);
        } catch (NoSuchElementException e) {
            Verify.check(before == 0);
        }
    }

    /** Must fail, with four items. */
    public void checkDeleteMinBuggy() {
        Verify.assume(repOk());
        int before = size;
        try {
            deleteMinBuggy();
            Verify.check(repOk());
            Verify.check(size == before - 1);
        } catch (NoSuchElementException e) {
            Verify.check(before == 0);
        }
    }
}
