/** Calls of methods of classes: four subclasses behind one field type, a static and a recursive one. */
public class VirtualCalls {
    abstract static class Shape {
        abstract int area(int k);

        int twice(int k) {
            return area(k) + area(k + 1);
        }
    }

    static class Square extends Shape {
        final int side;

        Square(int side) {
            this.side = side;
        }

        @Override
        int area(int k) {
            return side * side + k;
        }
    }

    static class Oblong extends Square {
        final int other;

        Oblong(int side, int other) {
            super(side);
            this.other = other;
        }

        @Override
        int area(int k) {
            return side * other - k;
        }

        @Override
        int twice(int k) {
            return super.twice(k) ^ 1;
        }
    }

    static class Triangle extends Shape {
        @Override
        int area(int k) {
            return k >> 1;
        }
    }

    static final class Nothing extends Triangle {
        @Override
        int twice(int k) {
            return 0;
        }
    }

    static int mix(int a, int b) {
        return a * 31 + b;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        Shape[] shapes = {new Square(3), new Oblong(4, 5), new Triangle(), new Nothing()};
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Shape s = shapes[i & 3];
            sum = mix(sum, s.area(i));
            sum = mix(sum, s.twice(sum));
        }
        int deep = 0;
        for (int i = 0; i < n; i += 25_000) {
            deep = mix(deep, fib(17));
        }
        System.out.println("VirtualCalls " + n + " " + sum + " " + deep);
    }
}
