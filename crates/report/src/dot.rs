//! Execution trees as graphs for Graphviz: one cluster for each method.

use crate::signature::method_spelling;
use dalang_classes::one_line;
use dalang_explore::{Exploration, Leaf, TreeNode};
use std::fmt::Write;

/// Labels are cut after this many characters.
const MOST: usize = 120;

/// The trees of all methods that have one.
pub fn dot(methods: &[Exploration]) -> String {
    let mut text = String::from("digraph dalang {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (method, cluster) in methods.iter().zip(0..) {
        if method.tree.is_some() {
            draw(method, cluster, &mut text);
        }
    }
    text.push_str("}\n");
    text
}

fn draw(method: &Exploration, cluster: u32, text: &mut String) {
    let Some(tree) = &method.tree else { return };
    let title = quoted(&method_spelling(&method.method));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  subgraph cluster_{cluster} {{\n    label={title};");
    for (node, number) in tree.nodes.iter().zip(0_u32..) {
        let _ = writeln!(text, "    n{cluster}_{number} [{}];", look(node));
        if let Some(parent) = node.parent {
            let edge = format!("n{cluster}_{parent} -> n{cluster}_{number}");
            let _ = writeln!(text, "    {edge}{};", label(node));
        }
    }
    text.push_str("  }\n");
}

/// What was decided and by which rule, if anything was.
fn label(node: &TreeNode) -> String {
    if node.label.is_empty() {
        return String::new();
    }
    format!(" [label={}]", quoted(&format!("{}\n{}", cut(&node.label), node.rule)))
}

fn look(node: &TreeNode) -> String {
    match &node.leaf {
        Leaf::Inner => "label=\"\", shape=point".to_owned(),
        Leaf::Ended(how) => format!("label={}", quoted(&cut(how))),
        Leaf::AssumedAway => "label=\"assumed away\", style=dashed".to_owned(),
        Leaf::Stopped(why) => {
            let label = quoted(&format!("given up: {}", cut(why)));
            format!("label={label}, style=filled, fillcolor=lightyellow")
        }
    }
}

fn cut(label: &str) -> String {
    let label = one_line(label);
    if label.chars().count() <= MOST {
        return label.into_owned();
    }
    label.chars().take(MOST).chain("...".chars()).collect()
}

fn quoted(label: &str) -> String {
    let escaped = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::dot;
    use crate::sample;
    use dalang_explore::{Leaf, Tree, TreeNode};
    use expect_test::expect;

    fn node(parent: Option<u32>, choice: u32, label: &str, leaf: Leaf) -> TreeNode {
        TreeNode { parent, choice, rule: "branch", label: label.to_owned(), leaf }
    }

    #[test]
    fn a_tree_is_a_cluster() {
        let mut method = sample::safe();
        method.tree = Some(Tree {
            nodes: vec![
                node(None, 0, "", Leaf::Inner),
                node(Some(0), 0, "x == \"a\\b\"", Leaf::Ended("return".to_owned())),
                node(Some(0), 1, &"y".repeat(200), Leaf::Stopped("loop".to_owned())),
                node(Some(0), 2, "z\u{7}", Leaf::AssumedAway),
            ],
        });
        let expected = expect![[r#"
            digraph dalang {
              node [shape=box, fontname="monospace"];
              subgraph cluster_1 {
                label="demo.Meeting.middle()";
                n1_0 [label="", shape=point];
                n1_1 [label="return"];
                n1_0 -> n1_1 [label="x == \"a\\b\"\nbranch"];
                n1_2 [label="given up: loop", style=filled, fillcolor=lightyellow];
                n1_0 -> n1_2 [label="yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...\nbranch"];
                n1_3 [label="assumed away", style=dashed];
                n1_0 -> n1_3 [label="z\\u0007\nbranch"];
              }
            }
        "#]];
        expected.assert_eq(&dot(&[sample::safe(), method]));
    }
}
