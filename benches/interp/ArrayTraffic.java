/** Loads and stores of arrays: a sieve of bytes, running sums of longs, a sort of ints, a grid of rows. */
public class ArrayTraffic {
    static int sieve(byte[] composite) {
        int count = 0;
        for (int i = 2; i < composite.length; i++) {
            if (composite[i] == 0) {
                count++;
                for (long j = (long) i * i; j < composite.length; j += i) {
                    composite[(int) j] = 1;
                }
            }
        }
        return count;
    }

    static long sums(long[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = i * 0x9e3779b97f4a7c15L;
        }
        for (int i = 1; i < a.length; i++) {
            a[i] += a[i - 1] >>> 3;
        }
        return a[a.length - 1];
    }

    static int heapSort(int[] a) {
        int seed = 42;
        for (int i = 0; i < a.length; i++) {
            seed = seed * 1103515245 + 12345;
            a[i] = seed >>> 8;
        }
        for (int i = a.length / 2 - 1; i >= 0; i--) {
            sift(a, i, a.length);
        }
        for (int end = a.length - 1; end > 0; end--) {
            int t = a[0];
            a[0] = a[end];
            a[end] = t;
            sift(a, 0, end);
        }
        int check = 0;
        for (int i = 1; i < a.length; i++) {
            check = check * 31 + a[i] + (a[i - 1] <= a[i] ? 0 : 1);
        }
        return check;
    }

    static void sift(int[] a, int root, int end) {
        int v = a[root];
        int child;
        while ((child = 2 * root + 1) < end) {
            if (child + 1 < end && a[child + 1] > a[child]) {
                child++;
            }
            if (a[child] <= v) {
                break;
            }
            a[root] = a[child];
            root = child;
        }
        a[root] = v;
    }

    static int grid(int side, int rounds) {
        int[][] g = new int[side][side];
        g[side / 2][side / 2] = 1 << 20;
        for (int r = 0; r < rounds; r++) {
            for (int y = 1; y + 1 < side; y++) {
                for (int x = 1; x + 1 < side; x++) {
                    g[y][x] = (g[y][x] * 4 + g[y - 1][x] + g[y + 1][x] + g[y][x - 1] + g[y][x + 1]) >> 3;
                }
            }
        }
        int sum = 0;
        for (int[] row : g) {
            for (int v : row) {
                sum = sum * 31 + v;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int primes = sieve(new byte[n + 1]);
        long sums = sums(new long[n]);
        int sorted = heapSort(new int[n / 8]);
        int grid = grid(64, n / 10_000);
        System.out.println("ArrayTraffic " + n + " " + primes + " " + sums + " " + sorted + " " + grid);
    }
}
