import java.util.function.IntUnaryOperator;

/** Calls through interfaces: classes with several of them, default methods, and a few lambdas. */
public class InterfaceCalls {
    interface Source {
        boolean more();

        int next();
    }

    interface Sink {
        void accept(int v);

        int total();

        default void both(int a, int b) {
            accept(a);
            accept(b);
        }
    }

    interface Named {
        int id();
    }

    static final class Range implements Named, Source {
        private int at;
        private final int end;

        Range(int end) {
            this.end = end;
        }

        @Override
        public boolean more() {
            return at < end;
        }

        @Override
        public int next() {
            return at++;
        }

        @Override
        public int id() {
            return 1;
        }
    }

    static final class Steps implements Source {
        private int left;
        private int v = 7;

        Steps(int n) {
            left = n;
        }

        @Override
        public boolean more() {
            return left > 0;
        }

        @Override
        public int next() {
            left--;
            v = v * 1103515245 + 12345;
            return v;
        }
    }

    static final class Sum implements Sink, Named {
        private int sum;

        @Override
        public void accept(int v) {
            sum += v;
        }

        @Override
        public int total() {
            return sum;
        }

        @Override
        public int id() {
            return 2;
        }
    }

    static final class Hash implements Named, Comparable<Hash>, Sink {
        private int hash;

        @Override
        public void accept(int v) {
            hash = hash * 31 + v;
        }

        @Override
        public void both(int a, int b) {
            accept(a ^ b);
        }

        @Override
        public int total() {
            return hash;
        }

        @Override
        public int id() {
            return 3;
        }

        @Override
        public int compareTo(Hash o) {
            return Integer.compare(hash, o.hash);
        }
    }

    static void drain(Source from, Sink to, IntUnaryOperator f) {
        while (from.more()) {
            int v = from.next();
            to.accept(f.applyAsInt(v));
            to.both(v, v >>> 3);
        }
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 150_000;
        int k = n & 15;
        Sink sum = new Sum();
        Sink hash = new Hash();
        drain(new Range(n), sum, v -> v + 1);
        drain(new Steps(n), hash, v -> v ^ k);
        drain(new Range(n), hash, v -> v * 3);
        drain(new Steps(n), sum, IntUnaryOperator.identity());
        int ids = 0;
        for (Object o : new Object[] {sum, hash, new Range(0), new Steps(0)}) {
            if (o instanceof Named) {
                ids = ids * 10 + ((Named) o).id();
            }
        }
        System.out.println("InterfaceCalls " + n + " " + sum.total() + " " + hash.total() + " " + ids);
    }
}
