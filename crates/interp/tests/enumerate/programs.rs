//! The programs whose runs are compared, with the heaps that they are run on.
//!
//! Each exercises a rule of the machine or of a policy; the texts say which. How many objects of a class
//! a heap has is chosen so that all aliases of what a program looks at are there, and no more.

use super::graphs::Place;

/// A file with programs.
pub struct Source {
    pub file: &'static str,
    pub programs: &'static [Subject],
}

/// A method, and the heaps that it is run on.
pub struct Subject {
    pub class: &'static str,
    pub method: &'static str,
    /// Classes, and the most objects of each.
    pub sizes: &'static [(&'static str, usize)],
    /// What the receiver and the parameter can be.
    pub roots: [Place; 2],
}

const fn node(method: &'static str) -> Subject {
    let roots = [Place::Some(0), Place::Link(0)];
    Subject { class: "Node", method, sizes: &[("Node", 3)], roots }
}

const fn tree(method: &'static str) -> Subject {
    let roots = [Place::Some(0), Place::Link(0)];
    Subject { class: "Tree", method, sizes: &[("Tree", 2)], roots }
}

const fn mixed(class: &'static str, method: &'static str, roots: [Place; 2]) -> Subject {
    Subject { class, method, sizes: &[("Item", 2), ("Box", 2)], roots }
}

const fn four(method: &'static str) -> Subject {
    let sizes = &[("Four", 1), ("Cell", 3)];
    Subject { class: "Four", method, sizes, roots: [Place::Some(0), Place::Truth] }
}

const BOX_AND_BOX: [Place; 2] = [Place::Some(1), Place::Link(1)];
const BOX_AND_ITEM: [Place; 2] = [Place::Some(1), Place::Link(0)];
const ITEM_AND_BOX: [Place; 2] = [Place::Some(0), Place::Link(1)];

/// All programs.
pub const SOURCES: [Source; 3] = [
    Source {
        file: "list.jl",
        programs: &[
            node("write_read"),
            node("write_write_read"),
            node("third"),
            node("store_read"),
            node("swap"),
            node("relink"),
            node("carry"),
            node("compare"),
            node("same_next"),
            node("nulls"),
            node("contains"),
            node("flagged"),
            node("insert"),
            node("remove"),
            node("reverse"),
            node("mark"),
            node("made"),
            node("either"),
            node("late"),
        ],
    },
    Source {
        file: "tree.jl",
        programs: &[tree("rotate"), tree("mirror"), tree("add"), tree("reach"), tree("cousins")],
    },
    Source {
        file: "mixed.jl",
        programs: &[
            mixed("Item", "settle", ITEM_AND_BOX),
            mixed("Box", "share", BOX_AND_BOX),
            mixed("Box", "apart", BOX_AND_ITEM),
            mixed("Box", "replace", BOX_AND_ITEM),
            four("chain"),
            four("between"),
            four("older"),
        ],
    },
];
