//! Objects as an outline: one line for each, what it leads to below it.

use super::{Cell, Picture, Row};

pub fn draw(picture: &Picture) -> String {
    let mut text = String::new();
    for row in &picture.inputs {
        entry(picture, row, "", "", &mut text);
    }
    text
}

fn entry(picture: &Picture, row: &Row, before: &str, below: &str, text: &mut String) {
    let Cell::Child(number) = row.cell else {
        text.push_str(&format!("{before}{}\n", row.text()));
        return;
    };
    let Some(node) = picture.nodes.get(&number) else { return };
    let is_child = |row: &&Row| matches!(row.cell, Cell::Child(_));
    let (children, plain): (Vec<&Row>, Vec<&Row>) = node.rows.iter().partition(is_child);
    let plain: Vec<String> = plain.into_iter().map(Row::text).collect();
    let plain = if plain.is_empty() { String::new() } else { format!(" ({})", plain.join(", ")) };
    text.push_str(&format!("{before}{} = {}{plain}\n", row.label, node.title));
    for (index, child) in children.iter().enumerate() {
        let last = index + 1 == children.len();
        let (branch, trunk) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        entry(picture, child, &format!("{below}{branch}"), &format!("{below}{trunk}"), text);
    }
}
