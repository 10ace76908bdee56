/** Reads and writes of fields: bodies that move in a box, and a static count of their bounces. */
public class FieldTraffic {
    static final int SIDE = 1000;

    static int bounces;
    static long moved;

    static final class Body {
        int x;
        int y;
        int dx;
        int dy;
        long way;
        Body next;

        Body(int i) {
            x = i * 37 % SIDE;
            y = i * 91 % SIDE;
            dx = i % 7 - 3;
            dy = i % 5 - 2;
        }
    }

    static void step(Body first) {
        for (Body b = first; b != null; b = b.next) {
            b.x += b.dx;
            b.y += b.dy;
            if (b.x < 0 || b.x >= SIDE) {
                b.dx = -b.dx;
                bounces++;
            }
            if (b.y < 0 || b.y >= SIDE) {
                b.dy = -b.dy;
                bounces++;
            }
            b.way += b.dx * b.dx + b.dy * b.dy;
            moved++;
        }
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 75_000;
        Body first = null;
        for (int i = 0; i < 64; i++) {
            Body b = new Body(i);
            b.next = first;
            first = b;
        }
        for (int i = 0; i < n; i++) {
            step(first);
        }
        long sum = bounces + moved;
        for (Body b = first; b != null; b = b.next) {
            sum = sum * 31 + b.x + b.y * 1000L + b.way;
        }
        System.out.println("FieldTraffic " + n + " " + sum);
    }
}
