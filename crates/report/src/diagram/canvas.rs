//! A page of characters that are put anywhere. Wide characters take two places.

use unicode_width::UnicodeWidthChar;

/// The second place of a wide character.
const TAKEN: char = '\0';

#[derive(Default)]
pub struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    /// Writes a text from a place to the right.
    pub fn put(&mut self, column: usize, row: usize, text: &str) {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        let line = &mut self.rows[row];
        let mut at = column;
        for character in text.chars() {
            let width = character.width().unwrap_or(0);
            if width == 0 {
                continue;
            }
            if line.len() < at + width {
                line.resize(at + width, ' ');
            }
            line[at] = character;
            line[at + 1..at + width].fill(TAKEN);
            at += width;
        }
    }

    /// Draws a line down, from below one row to above another.
    pub fn down(&mut self, column: usize, from: usize, to: usize) {
        for row in from + 1..to {
            self.put(column, row, "│");
        }
    }

    pub fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    pub fn height(&self) -> usize {
        self.rows.len()
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let line: String = row.iter().filter(|&&character| character != TAKEN).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
