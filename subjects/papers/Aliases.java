package papers;

import dalang.Verify;

/**
 * Reads and writes through references that may be the same ("POSE", Figs. 2 and 3).
 *
 * <p>What the papers call {@code abort} can be reached in {@code p1} only if {@code a0} and
 * {@code a1} are two objects, and in {@code p2} only if all three references are to one object.
 */
public class Aliases {
    static class A {
        int f;
    }

    static class B {
        int f;
    }

    static int p1(A a0, A a1, A a2) {
        int v = a0.f + a1.f + a2.f;
        if (a0.f != a1.f) {
            Verify.unreachable("abort");
        }
        return v - a1.f - a2.f;
    }

    static void p2(B b0, B b1, B b2) {
        b2.f = 2;
        b1.f = 1;
        b0.f = 0;
        if (b0.f + b1.f + b2.f == 0) {
            Verify.unreachable("abort");
        }
    }

    /** Must hold: what is reached in {@code p1}, is reached with two objects. */
    static void checkP1(A a0, A a1, A a2) {
        Verify.assume(a0 != null && a1 != null && a2 != null);
        int v = a0.f + a1.f + a2.f;
        if (a0.f != a1.f) {
            Verify.check(a0 != a1);
        } else {
            Verify.check(v - a1.f - a2.f == a0.f);
        }
    }

    /** Must hold: what is reached in {@code p2}, is reached with one object. */
    static void checkP2(B b0, B b1, B b2) {
        Verify.assume(b0 != null && b1 != null && b2 != null);
        b2.f = 2;
        b1.f = 1;
        b0.f = 0;
        if (b0.f + b1.f + b2.f == 0) {
            Verify.check(b0 == b1 && b1 == b2);
        } else {
            Verify.check(b0 != b1 || b1 != b2);
        }
    }
}
