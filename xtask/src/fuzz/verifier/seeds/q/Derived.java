package q;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import p.Base;
import p.Shape;

/** What verification is about, in the words of old compilers: no lambdas, no concatenation. */
public class Derived extends Base implements Shape, Runnable {
    private final int own;
    private long[] longs = new long[3];
    private Derived next;
    static int uses;

    public Derived(int own, Object held) {
        super(own > 3 ? own : 3);
        this.own = own;
        this.held = held;
        count++;
    }

    Derived() {
        this(7, new Object[] {"a", null});
    }

    Derived(boolean choice) {
        super();
        int value;
        if (choice) {
            value = 1;
        } else {
            value = step(2);
        }
        own = value;
    }

    public int area() {
        return step(own) + super.step(1) + (int) open;
    }

    public Shape scaled(int by) {
        if (by == 0) {
            return this;
        }
        Shape shape = by > 0 ? new Derived(by, this) : new Square(by);
        Derived derived = null;
        for (int i = 0; i < by; i++) {
            derived = new Derived();
            derived.next = next;
        }
        return derived == null ? shape : derived;
    }

    static final class Square implements Shape {
        private final int side;

        Square(int side) {
            this.side = side;
        }

        public int area() {
            return side * side;
        }

        public Shape scaled(int by) {
            return new Square(side * by);
        }
    }

    public void run() {
        synchronized (this) {
            uses++;
            held = longs;
        }
        total += longs.length;
    }

    double mix(int i, long l, float f, double d, Object o) {
        l += i;
        f *= 2;
        d = d / l + f;
        long[] copy = longs.clone();
        copy[i & 1] = (long) d;
        byte b = (byte) i;
        char c = (char) (b + 1);
        short s = (short) (c << 2);
        boolean z = s > 3 && o instanceof Shape || d != d;
        return z ? copy[0]++ + l : Math.max(i, (double) f);
    }

    static Object pick(Object o, int which) {
        switch (which) {
            case 0:
                return o;
            case 1:
                return ((Object[]) o)[0];
            case 2:
                return new int[][] {{1}, {2, 3}};
            case 3:
                return new Derived[2][4];
            case 1000:
                return o.getClass();
            case -5:
                throw new IllegalArgumentException("five");
            default:
                return String.valueOf(which);
        }
    }

    int guarded(String text, int[] numbers) {
        int result = 0;
        try {
            result = Integer.parseInt(text);
            numbers[result] = result;
        } catch (NumberFormatException e) {
            result = e.getMessage().length();
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            result = -1;
            throw e;
        } finally {
            count = result;
            for (int i = 0; i < 3; i++) {
                result += i;
            }
        }
        return result;
    }

    static <T extends Comparable<T>> T largest(List<T> list) throws IOException {
        T best = null;
        for (T element : list) {
            if (best == null || element.compareTo(best) > 0) {
                best = element;
            }
        }
        if (best == null) {
            throw new IOException();
        }
        return best;
    }

    Base chain(Base from) throws CloneNotSupportedException {
        Base at = from;
        Iterator<Object> others = new ArrayList<Object>().iterator();
        while (others.hasNext()) {
            Object other = others.next();
            if (other instanceof Base) {
                at = (Base) other;
            }
        }
        Derived mine = at instanceof Derived ? (Derived) at : new Derived();
        mine.count = mine.step(1);
        int[] array = {1, 2};
        int[] twin = array.clone();
        Object same = mine.clone();
        return same == twin ? make(same) : mine;
    }

    class Inner {
        int read() {
            return own + count + uses++;
        }
    }

    int inner() {
        return new Inner().read();
    }

    static char letter(CharSequence text, boolean[] seen, byte[] bytes, short[] shorts) {
        char letter = text.charAt(0);
        seen[letter % seen.length] = true;
        bytes[0] = (byte) letter;
        shorts[0] += bytes[0];
        float[] floats = {1f};
        double[] doubles = {2};
        floats[0] = (float) doubles[0];
        char[] letters = new char[] {letter};
        return letters[shorts[0] & 0];
    }
}
