package papers;

import dalang.Verify;

/**
 * The first phase of a garbage collector: marks every object that can be reached from a root. The
 * objects may form any graph.
 *
 * <p>Complete paths of {@code checkMark}: the number of graphs with at most n nodes, each with two
 * edges that may be missing, in which all nodes can be reached from the root; and one for no root.
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

    /** The cells that have been reached already, and those that can be reached from one more. */
    private static Cells reach(Cell cell, Cells reached) {
        if (cell == null) {
            return reached;
        }
        // Reading a field first decides which object it is; comparing it then decides nothing more.
        boolean ignored = cell.marked;
        if (Cells.has(reached, cell)) {
            return reached;
        }
        return reach(cell.right, reach(cell.left, new Cells(cell, reached)));
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
        Cells live = reach(root, null);
        Verify.assume(all(live, false));
        mark();
        Verify.check(all(live, true));
    }

    /** Must fail, with two cells. */
    void checkMarkBuggy() {
        Cells live = reach(root, null);
        Verify.assume(all(live, false));
        markBuggy();
        Verify.check(all(live, true));
    }
}
