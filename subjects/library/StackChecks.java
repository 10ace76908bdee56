package library;

import dalang.Verify;
import java.util.EmptyStackException;
import java.util.Stack;

/**
 * {@code java.util.Stack}. What the stack holds is neither known nor looked at.
 *
 * <p>Under plain {@code java} this needs {@code --add-opens java.base/java.util=ALL-UNNAMED}.
 */
public final class StackChecks {
    private StackChecks() {}

    static boolean repOk(Stack<Object> stack) {
        return stack.getClass() == Stack.class && VectorChecks.itemsFit(stack);
    }

    public static void checkIsEmpty(Stack<Object> stack) {
        Verify.assume(stack != null && repOk(stack));
        boolean empty = stack.isEmpty();
        Verify.check(repOk(stack));
        Verify.check(empty == (stack.size() == 0));
    }

    public static void checkPeek(Stack<Object> stack) {
        Verify.assume(stack != null && repOk(stack));
        int size = stack.size();
        try {
            Object item = stack.peek();
            Verify.check(repOk(stack));
            Verify.check(stack.size() == size);
            Verify.check(item == VectorChecks.item(stack, size - 1));
        } catch (EmptyStackException e) {
            Verify.check(size == 0);
        }
    }

    public static void checkPop(Stack<Object> stack) {
        Verify.assume(stack != null && repOk(stack));
        int size = stack.size();
        try {
            stack.pop();
            Verify.check(repOk(stack));
            Verify.check(stack.size() == size - 1);
            Verify.check(VectorChecks.item(stack, size - 1) == null);
        } catch (EmptyStackException e) {
            Verify.check(size == 0);
        }
    }

    public static void checkPush(Stack<Object> stack) {
        Verify.assume(stack != null && repOk(stack));
        int size = stack.size();
        Object item = new Object();
        Verify.check(stack.push(item) == item);
        Verify.check(repOk(stack));
        Verify.check(stack.size() == size + 1);
        Verify.check(stack.peek() == item);
    }

    /**
     * Is meant to exchange the two uppermost items, but puts them back as they were. The smallest
     * input that shows it has two items that are not the same.
     */
    static void exchangeBuggy(Stack<Object> stack) {
        Object upper = stack.pop();
        Object lower = stack.pop();
        stack.push(lower);
        stack.push(upper);
    }

    /** Must fail, with two items. */
    public static void checkExchangeBuggy(Stack<Object> stack) {
        Verify.assume(stack != null && repOk(stack) && stack.size() >= 2);
        Object lower = stack.get(stack.size() - 2);
        exchangeBuggy(stack);
        Verify.check(repOk(stack));
        Verify.check(stack.peek() == lower);
    }
}
