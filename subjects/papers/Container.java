package papers;

import dalang.Verify;

/**
 * Exchanges the data of two objects ("Efficient and formal generalized symbolic execution",
 * Program 1).
 *
 * <p>Complete paths of {@code checkSwap}: lazy 20, lazier 6, lazier# 2, one for each way through the
 * program 1.
 */
public class Container<E> {
    private E data;

    public void swap(Container<E> n) {
        E e = data;
        data = n.data;
        n.data = e;
    }

    public void checkSwap(Container<E> n) {
        Verify.assume(n != null);
        E mine = data;
        E theirs = n.data;
        swap(n);
        Verify.check(data == theirs);
        Verify.check(n.data == mine);
    }
}
