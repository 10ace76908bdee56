package papers;

/**
 * Exchanges the data of two objects, if there are two ("POSE", Fig. 1a).
 *
 * <p>Complete paths of {@code swap}: lazy 21, lazier# 3, one for each way through the program 2.
 */
public class Swap {
    Object data;

    void swap(Swap s) {
        if (s != null) {
            Object d = this.data;
            this.data = s.data;
            s.data = d;
        }
    }
}
