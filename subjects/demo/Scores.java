package demo;

import dalang.Verify;

/** The three best scores of a game, the highest one first. */
public class Scores {
    /** Puts a score where it belongs, and drops the lowest one. */
    static void enter(int[] best, int score) {
        int place = best.length - 1;
        if (score <= best[place]) {
            return;
        }
        while (best[place - 1] < score) { // and who is before the first one?
            best[place] = best[place - 1];
            place--;
        }
        best[place] = score;
    }

    /** Whatever the table and the score: entering it does not fail, and afterwards it is not above all. */
    static void enteringIsSafe(int[] best, int score) {
        Verify.assume(best != null && best.length == 3);
        Verify.assume(best[0] >= best[1] && best[1] >= best[2]);
        enter(best, score);
        Verify.check(best[0] >= score);
    }
}
