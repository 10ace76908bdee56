package papers;

import dalang.Verify;

/**
 * A field whose object may be of a class below or above the declared one ("Efficient and formal
 * generalized symbolic execution", Program 2).
 */
public class TypedNode {
    TypedNode next;
    int data;

    static class ExtendedNode extends TypedNode {}

    public boolean isNext(ExtendedNode node) {
        return this.next == node;
    }

    public boolean isNextObject(Object node) {
        return this.next == node;
    }

    /** Must hold, and nothing in it is symbolic. */
    static void checkConcrete() {
        TypedNode n1 = new TypedNode();
        ExtendedNode en = new ExtendedNode();
        n1.next = en;
        Verify.check(n1.isNext(en));
        Verify.check(n1.isNextObject(en));
    }

    /** Must fail: the next node can be an object of a class below the declared one. */
    void checkIsNeverNext(ExtendedNode node) {
        Verify.assume(node != null);
        Verify.check(!isNext(node));
    }

    /** Must fail: it need not be. */
    void checkIsAlwaysNext(ExtendedNode node) {
        Verify.assume(node != null);
        Verify.check(isNext(node));
    }

    /** Must fail: the next node can be an object that is declared as something above. */
    void checkIsNeverNextObject(Object node) {
        Verify.assume(node != null);
        Verify.check(!isNextObject(node));
    }

    /** Must fail: it need not be. */
    void checkIsAlwaysNextObject(Object node) {
        Verify.assume(node != null);
        Verify.check(isNextObject(node));
    }

    /** Must hold: what is not a node is not the next node. Null is no node, and may be the next one. */
    void nextObjectTypeHierarchy(Object node) {
        if (node != null && !(node instanceof TypedNode)) {
            Verify.check(this.next != node);
        }
    }

    /** Must fail, because of null: {@code nextObjectTypeHierarchy} word for word. */
    void nextObjectTypeHierarchyOrNull(Object node) {
        if (!(node instanceof TypedNode)) {
            Verify.check(this.next != node);
        }
    }
}
