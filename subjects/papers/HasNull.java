package papers;

/**
 * Looks for the end of a list among its first nodes ("POSE", Fig. 1c). The limit is a constant.
 *
 * <p>Complete paths of {@code hasNull4}: lazy 21, lazier# 16, one for each way through the program 6;
 * of {@code hasNull10}: lazy 78, one for each way 12.
 */
public class HasNull {
    static final int FOUR = 4;
    static final int TEN = 10;

    HasNull next;

    boolean hasNull4() {
        HasNull s = next;
        int i = 1;
        while (s != null && i <= FOUR) {
            s = s.next;
            i = i + 1;
        }
        return s == null;
    }

    boolean hasNull10() {
        HasNull s = next;
        int i = 1;
        while (s != null && i <= TEN) {
            s = s.next;
            i = i + 1;
        }
        return s == null;
    }
}
