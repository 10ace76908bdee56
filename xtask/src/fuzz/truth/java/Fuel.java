/** Ends loops and recursion that go on for too long; `dalang` is given one that does nothing. */
interface Fuel {
    int[] LEFT = {0};

    /** There is none left. */
    final class Spent extends Error {
        Spent() {
            super(null, null, false, false);
        }
    }

    static void burn() {
        if (--LEFT[0] < 0) {
            throw new Spent();
        }
    }
}
