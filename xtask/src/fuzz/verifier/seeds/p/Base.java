package p;

/** Protected members, to be used from another package. */
public class Base implements Cloneable {
    protected int count;
    protected Object held;
    protected static long total;
    public double open;

    protected Base(int count) {
        this.count = count;
    }

    public Base() {
        this(1);
    }

    protected int step(int by) {
        count += by;
        return count;
    }

    protected static Base make(Object held) {
        Base base = new Base();
        base.held = held;
        return base;
    }

    public Object clone() throws CloneNotSupportedException {
        return super.clone();
    }
}
