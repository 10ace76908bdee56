package papers;

import dalang.Verify;

/**
 * The first phase of a garbage collector: marks every object that can be reached from a root. The
 * objects may form any graph.
 *
 * <p>Complete paths of {@code checkMark}: the number of graphs with at most n nodes, each with two
 * edges that may be missing, in which all nodes can be reached from the root; and one for no root.
 * With chains of at most k references, of which the first leads to the root: the number of graphs
 * whose nodes are all at most k-1 edges away from it. That is 306 for k = 2: no root, 4 graphs with
 * one node, 45 with two, 256 with three.
 */
public final class Marking {
    static final class Cell {
        boolean marked;
        Cell left;
        Cell right;
    }

    /** A list of cells, made by the collector and never part of its input. */
    private static final class Cells {
        final Cell cell;
        final Cells rest;

        Cells(Cell cell, Cells rest) {
            this.cell = cell;
            this.rest = rest;
        }

        static boolean has(Cells cells, Cell cell) {
            for (Cells one = cells; one != null; one = one.rest) {
                if (one.cell == cell) {
                    return true;
                }
            }
            return false;
        }

        /** Those that are before the others. */
        static Cells until(Cells cells, Cells others) {
            return cells == others ? null : new Cells(cells.cell, until(cells.rest, others));
        }
    }

    Cell root;

    void mark() {
        Cells pending = root == null ? null : new Cells(root, null);
        while (pending != null) {
            Cell cell = pending.cell;
            pending = pending.rest;
            if (!cell.marked) {
                cell.marked = true;
                if (cell.right != null) {
                    pending = new Cells(cell.right, pending);
                }
                if (cell.left != null) {
                    pending = new Cells(cell.left, pending);
                }
            }
        }
    }

    /**
     * Takes one edge of a cell only. The smallest input that shows it has two cells: the root's left
     * edge goes to the root, its right edge to the other cell.
     */
    void markBuggy() {
        Cells pending = root == null ? null : new Cells(root, null);
        while (pending != null) {
            Cell cell = pending.cell;
            pending = pending.rest;
            if (!cell.marked) {
                cell.marked = true;
                if (cell.left != null) {
                    pending = new Cells(cell.left, pending);
                } else if (cell.right != null) {
                    pending = new Cells(cell.right, pending);
                }
            }
        }
    }

    /**
     * The cells that can be reached from one. The nearest come first, so that a cell is met by one of
     * the shortest ways to it.
     */
    private static Cells reach(Cell start) {
        Cells reached = visit(start, null);
        Cells nearest = reached;
        while (nearest != null) {
            Cells before = reached;
            for (Cells one = nearest; one != null; one = one.rest) {
                reached = visit(one.cell.left, reached);
                reached = visit(one.cell.right, reached);
            }
            nearest = Cells.until(reached, before);
        }
        return reached;
    }

    /** The cells that have been reached already, and one more if it is there and new. */
    private static Cells visit(Cell cell, Cells reached) {
        if (cell == null) {
            return reached;
        }
        // Reading a field first decides which object it is; comparing it then decides nothing more.
        boolean ignored = cell.marked;
        return Cells.has(reached, cell) ? reached : new Cells(cell, reached);
    }

    private static boolean all(Cells cells, boolean marked) {
        for (Cells one = cells; one != null; one = one.rest) {
            if (one.cell.marked != marked) {
                return false;
            }
        }
        return true;
    }

    // ---- the checks ----

    void checkMark() {
        Cells live = reach(root);
        Verify.assume(all(live, false));
        mark();
        Verify.check(all(live, true));
    }

    /** Must fail, with two cells. */
    void checkMarkBuggy() {
        Cells live = reach(root);
        Verify.assume(all(live, false));
        markBuggy();
        Verify.check(all(live, true));
    }
}
