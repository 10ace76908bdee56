/** Short-lived objects: points, a list that is turned over again and again, and small arrays. */
public class Allocation {
    static final class Point {
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        Point plus(Point o) {
            return new Point(x + o.x, y - o.y);
        }
    }

    static final class Cell {
        final Point head;
        final Cell tail;

        Cell(Point head, Cell tail) {
            this.head = head;
            this.tail = tail;
        }
    }

    static Cell reverse(Cell list, Point by) {
        Cell out = null;
        for (Cell c = list; c != null; c = c.tail) {
            out = new Cell(c.head.plus(by), out);
        }
        return out;
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        Cell list = null;
        for (int i = 0; i < 100; i++) {
            list = new Cell(new Point(i, -i), list);
        }
        int sum = 0;
        for (int i = 0; i < n; i++) {
            list = reverse(list, new Point(i, i & 3));
            int[] small = {list.head.x, list.head.y, i};
            for (int v : small) {
                sum = sum * 31 + v;
            }
        }
        for (Cell c = list; c != null; c = c.tail) {
            sum = sum * 31 + c.head.x + c.head.y;
        }
        System.out.println("Allocation " + n + " " + sum);
    }
}
