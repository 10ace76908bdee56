//! The input of a violation, drawn.
//!
//! Few objects are boxes with arrows; where boxes would be too wide, an outline; where there are
//! many objects, a table. Each object is drawn where it is reached first, and whatever else leads to
//! it says its number: `(cycle)` if it leads back to where it came from, `(shared)` if not.

mod boxes;
mod canvas;
mod outline;

use crate::signature::short;
use crate::value::{Values, zero};
use dalang_classes::one_line;
use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
use std::collections::{BTreeMap, BTreeSet};

/// More objects than this are a table.
const DRAWN: usize = 12;
/// Wider or higher than this, boxes are an outline.
const WIDTH: usize = 100;
const HEIGHT: usize = 40;
/// No table is longer than this.
const LISTED: usize = 60;

/// One field, element or input.
struct Row {
    label: String,
    cell: Cell,
}

enum Cell {
    /// It is this, in words.
    Text(String),
    /// It is the object with this number, which is drawn here.
    Child(u32),
}

impl Row {
    /// What the row says if no arrow leaves it.
    fn text(&self) -> String {
        match &self.cell {
            Cell::Text(text) => format!("{} = {text}", self.label),
            Cell::Child(_) => self.label.clone(),
        }
    }
}

/// An object to draw.
struct Node {
    title: String,
    rows: Vec<Row>,
}

/// What is drawn: the inputs, and every object by its number.
struct Picture {
    inputs: Vec<Row>,
    nodes: BTreeMap<u32, Node>,
}

/// Draws the objects of a witness. Empty if there is nothing that a line does not say as well.
pub fn diagram(witness: &Witness) -> String {
    let values = Values::new(witness);
    if !values.has_drawn() {
        return String::new();
    }
    if witness.objects.len() > DRAWN {
        return table(&values);
    }
    let picture = Picture::new(&values);
    let boxes = boxes::draw(&picture);
    if boxes.width() <= WIDTH && boxes.height() <= HEIGHT {
        boxes.text()
    } else {
        outline::draw(&picture)
    }
}

impl Picture {
    fn new(values: &Values<'_>) -> Self {
        let mut builder = Builder {
            values,
            ambiguous: ambiguous(values.witness),
            nodes: BTreeMap::new(),
            way: Vec::new(),
        };
        let inputs = values.named.iter();
        // What is no object is said in the line above the drawing.
        let drawn = inputs.filter(|(_, value)| values.drawn(value).is_some());
        let inputs = drawn.map(|(name, value)| builder.row(&one_line(name), value)).collect();
        Self { inputs, nodes: builder.nodes }
    }
}

struct Builder<'a, 'w> {
    values: &'a Values<'w>,
    ambiguous: BTreeSet<&'w str>,
    nodes: BTreeMap<u32, Node>,
    /// The objects that lead to the one that is looked at.
    way: Vec<u32>,
}

impl Builder<'_, '_> {
    fn row(&mut self, label: &str, value: &WitnessValue) -> Row {
        let cell = match self.values.drawn(value) {
            None => Cell::Text(self.values.text(value)),
            Some(number) if self.way.contains(&number) => Cell::Text(format!("#{number} (cycle)")),
            Some(number) if self.nodes.contains_key(&number) => {
                Cell::Text(format!("#{number} (shared)"))
            }
            Some(number) => {
                self.add(number);
                Cell::Child(number)
            }
        };
        Row { label: label.to_owned(), cell }
    }

    fn add(&mut self, number: u32) {
        let Some(object) = self.values.object(number) else { return };
        let title = format!("#{number} {}", title(object, &self.ambiguous));
        self.nodes.insert(number, Node { title, rows: Vec::new() });
        self.way.push(number);
        let rows = self.rows(object);
        self.way.pop();
        if let Some(node) = self.nodes.get_mut(&number) {
            node.rows = rows;
        }
    }

    fn rows(&mut self, object: &WitnessObject) -> Vec<Row> {
        match &object.body {
            WitnessBody::Fields(fields) => {
                fields.iter().map(|(name, value)| self.row(&one_line(name), value)).collect()
            }
            WitnessBody::Array(length, elements) => {
                let element = |(index, value): (&u32, _)| self.row(&format!("[{index}]"), value);
                let mut rows: Vec<Row> = elements.iter().map(element).collect();
                rows.extend(others(&object.class, *length, elements.len()));
                rows
            }
            WitnessBody::Boxed(value) | WitnessBody::Cached(value) => {
                vec![self.row("value", value)]
            }
            WitnessBody::Text(_)
            | WitnessBody::Interned(_)
            | WitnessBody::Constant(_)
            | WitnessBody::Static(_) => Vec::new(),
        }
    }
}

/// What the elements are that do not matter.
fn others(class: &str, length: u32, known: usize) -> Option<Row> {
    let label = if known == 0 { "all" } else { "others" };
    let text = zero(class).unwrap_or("null").to_owned();
    (length as usize > known).then(|| Row { label: label.to_owned(), cell: Cell::Text(text) })
}

/// Class names that mean two classes when their packages are left out.
fn ambiguous(witness: &Witness) -> BTreeSet<&str> {
    let mut full: BTreeMap<&str, &str> = BTreeMap::new();
    let classes = witness.objects.iter().map(|object| &*object.class);
    classes
        .filter_map(|class| {
            let known = *full.entry(short(class)).or_insert(class);
            (known != class).then_some(short(class))
        })
        .collect()
}

fn title(object: &WitnessObject, ambiguous: &BTreeSet<&str>) -> String {
    let class = short(&object.class);
    let class = if ambiguous.contains(class) { &*object.class } else { class };
    let class = one_line(class);
    match &object.body {
        WitnessBody::Array(length, _) => class.replacen("[]", &format!("[{length}]"), 1),
        WitnessBody::Fields(_) | WitnessBody::Boxed(_) => class.into_owned(),
        WitnessBody::Cached(_) => format!("{class} (cached)"),
        WitnessBody::Text(_)
        | WitnessBody::Interned(_)
        | WitnessBody::Constant(_)
        | WitnessBody::Static(_) => {
            let literal = crate::value::literal(object).unwrap_or_default();
            format!("{class} {literal}")
        }
    }
}

/// One line for each object.
fn table(values: &Values<'_>) -> String {
    let ambiguous = ambiguous(values.witness);
    let mut rows = Vec::new();
    for (number, object) in (1..).zip(&values.witness.objects) {
        // Those that are written where they are used would be here twice.
        if values.drawn(&WitnessValue::Object(number)).is_some() {
            rows.push((format!("#{number}"), title(object, &ambiguous), content(values, object)));
        }
    }
    let [left, middle] = [
        rows.iter().map(|row| row.0.len()).max().unwrap_or(0),
        rows.iter().map(|row| unicode_width::UnicodeWidthStr::width(&*row.1)).max().unwrap_or(0),
    ];
    let mut text = String::new();
    for (number, title, content) in rows.iter().take(LISTED) {
        let gap = middle - unicode_width::UnicodeWidthStr::width(&**title);
        let line = format!("{number:<left$}  {title}{}  {content}", " ".repeat(gap));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if rows.len() > LISTED {
        text.push_str(&format!("and {} more objects\n", rows.len() - LISTED));
    }
    text
}

fn content(values: &Values<'_>, object: &WitnessObject) -> String {
    let pair = |name: &str, value: &WitnessValue| format!("{name} = {}", values.text(value));
    let parts: Vec<String> = match &object.body {
        WitnessBody::Fields(fields) => {
            fields.iter().map(|(name, value)| pair(&one_line(name), value)).collect()
        }
        WitnessBody::Array(length, elements) => {
            let known = elements.iter().map(|(index, value)| pair(&format!("[{index}]"), value));
            let others = others(&object.class, *length, elements.len());
            known.chain(others.map(|row| row.text())).collect()
        }
        WitnessBody::Boxed(value) | WitnessBody::Cached(value) => vec![pair("value", value)],
        WitnessBody::Text(_)
        | WitnessBody::Interned(_)
        | WitnessBody::Constant(_)
        | WitnessBody::Static(_) => Vec::new(),
    };
    parts.join(", ")
}

#[cfg(test)]
mod tests;
