//! Objects as boxes, each to the right of the one that leads to it.
//!
//! An arrow leaves a row to the right and never goes up: a box is placed so that its title is level
//! with the row that leads to it, or below. Arrows of one box that have to go down do so in columns
//! of their own, the later row's column being further left; so no two of them cross.

use super::canvas::Canvas;
use super::{Cell, Picture, Row};
use unicode_width::UnicodeWidthStr;

/// The room for an arrow between two boxes that are level.
const ARROW: usize = 3;

pub fn draw(picture: &Picture) -> Canvas {
    let mut canvas = Canvas::default();
    let width = picture.inputs.iter().map(|row| row.text().width()).max().unwrap_or(0);
    // The first title is a row below the edge of its box.
    for (place, row) in picture.inputs.iter().enumerate() {
        canvas.put(0, 1 + place, &row.text());
    }
    let mut drawing = Drawing { picture, canvas };
    drawing.children(&picture.inputs, 0, width + 2, 1);
    drawing.canvas
}

struct Drawing<'a> {
    picture: &'a Picture,
    canvas: Canvas,
}

impl Drawing<'_> {
    /// Draws an object and all that it leads to, and gives the first row that is free below.
    fn object(&mut self, number: u32, column: usize, row: usize) -> usize {
        let Some(node) = self.picture.nodes.get(&number) else { return row + 1 };
        let texts = node.rows.iter().map(|row| row.text().width());
        let width = texts.chain([node.title.width()]).max().unwrap_or(0);
        let edge = "─".repeat(width + 2);
        self.canvas.put(column, row, &format!("┌{edge}┐"));
        let lines = std::iter::once(node.title.clone()).chain(node.rows.iter().map(Row::text));
        for (line, place) in lines.zip(row + 1..) {
            self.canvas.put(column, place, "│");
            self.canvas.put(column + 2, place, &line);
            self.canvas.put(column + width + 3, place, "│");
        }
        let end = row + node.rows.len() + 2;
        self.canvas.put(column, end, &format!("└{edge}┘"));
        let below = self.children(&node.rows, column + 2, column + width + 4, row + 2);
        below.max(end + 1)
    }

    /// Draws what rows lead to. The rows begin at a row and column, and their box ends before the
    /// column `right`.
    fn children(&mut self, rows: &[Row], column: usize, right: usize, first: usize) -> usize {
        let arrows: Vec<(usize, &Row, u32)> = rows
            .iter()
            .zip(first..)
            .filter_map(|(row, place)| match row.cell {
                Cell::Child(number) => Some((place, row, number)),
                Cell::Text(_) => None,
            })
            .collect();
        // All but the first may have to go down.
        let bends = arrows.len().saturating_sub(1);
        let left = right + bends + ARROW;
        let mut free = 0;
        for (index, &(place, row, number)) in arrows.iter().enumerate() {
            let top = free.max(place.saturating_sub(1));
            let start = column + row.label.width() + 1;
            self.arrow(start, place, right + bends - index.min(bends), left, top + 1);
            free = self.object(number, left, top);
        }
        free
    }

    /// Draws an arrow from a row to the title of a box.
    fn arrow(&mut self, start: usize, from: usize, bend: usize, left: usize, to: usize) {
        let line = |length: usize| "─".repeat(length);
        if from == to {
            self.canvas.put(start, from, &format!("{}▶", line(left - start - 1)));
            return;
        }
        self.canvas.put(start, from, &format!("{}┐", line(bend - start)));
        self.canvas.down(bend, from, to);
        self.canvas.put(bend, to, &format!("└{}▶", line(left - bend - 2)));
    }
}
