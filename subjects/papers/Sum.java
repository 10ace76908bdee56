package papers;

/**
 * Adds the values of four objects, any of which may be the same ("POSE", Fig. 1b).
 *
 * <p>Complete paths of {@code sum}: lazy 23, lazier# 23, one for each way through the program 4 (a
 * normal one, and three that end in a {@code NullPointerException}).
 */
public class Sum {
    int val;
    Sum s0;
    Sum s1;
    Sum s2;

    int sum() {
        int sum = val;
        sum += s0.val;
        sum += s1.val;
        sum += s2.val;
        return sum;
    }
}
