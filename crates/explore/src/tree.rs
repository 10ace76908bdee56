//! The execution tree: where paths divide, by which rule, and how each ends.

/// What is at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The path goes on.
    Inner,
    /// It ended: how, for people.
    Ended(String),
    /// An assumption does not hold.
    AssumedAway,
    /// It was given up: why.
    Stopped(String),
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The node above; none for the root.
    pub parent: Option<u32>,
    /// The number of the alternative that leads here.
    pub choice: u32,
    /// The rule that the alternative comes from, `branch` for a condition of the program.
    pub rule: &'static str,
    /// What was decided, for people.
    pub label: String,
    /// What is here.
    pub leaf: Leaf,
}

/// The execution tree, parents before children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<TreeNode>,
}
