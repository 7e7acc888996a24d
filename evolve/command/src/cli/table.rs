//! Aligned columns of text.

use std::fmt;

/// The alignment of a text in its column.
#[derive(Clone, Copy, Debug)]
pub enum Align {
    /// Left, for words.
    Left,
    Right,
}

/// Rows of `N` columns, indented by two spaces and separated by two.
#[derive(Debug)]
pub struct Table<const N: usize> {
    columns: [Align; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub fn new(columns: [Align; N]) -> Self {
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row at the end. Escapes control characters in names, and shortens long names.
    pub fn row(&mut self, row: [&dyn fmt::Display; N]) {
        self.rows.push(row.map(|text| clipped(evolve_process::plain(&text.to_string()))));
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: [usize; N] = std::array::from_fn(|column| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
        });
        for row in &self.rows {
            let mut line = String::new();
            for ((text, width), align) in row.iter().zip(widths).zip(self.columns) {
                line += &match align {
                    Align::Left => format!("  {text:<width$}"),
                    Align::Right => format!("  {text:>width$}"),
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// The largest width of a column.
const WIDEST: usize = 120;

fn clipped(text: String) -> String {
    match text.char_indices().nth(WIDEST) {
        None => text,
        Some(_) => text.chars().take(WIDEST - 3).chain("...".chars()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened() {
        let mut table = Table::new([Align::Left, Align::Right]);
        table.row([&"a".repeat(1 << 17), &1]);
        table.row([&"b", &22]);
        let wide = "a".repeat(WIDEST - 3) + "...";
        assert_eq!(table.to_string(), format!("  {wide}   1\n  b{}  22\n", " ".repeat(WIDEST - 1)));
    }
}
