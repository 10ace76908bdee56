/** Arithmetic on local doubles: the logistic map, a rotation and a slow series, with comparisons. */
public class DoubleLoop {
    static long run(int n) {
        double x = 0.25;
        double re = 1.0;
        double im = 0.0;
        double sum = 0.0;
        int high = 0;
        for (int i = 1; i <= n; i++) {
            x = 3.75 * x * (1.0 - x);
            double t = re * 0.96 - im * 0.28;
            im = re * 0.28 + im * 0.96;
            re = t;
            sum += 1.0 / ((double) i * i);
            if (x > 0.5 && re < im) {
                high++;
            }
        }
        return Double.doubleToLongBits(x + re - im + sum) + high;
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 5_000_000;
        System.out.println("DoubleLoop " + n + " " + run(n));
    }
}
