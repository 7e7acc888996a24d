//! Aligned columns of text.

use std::fmt;

/// On which side of its column a text stands.
#[derive(Clone, Copy, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of `N` columns, indented by two and kept two apart.
#[derive(Debug)]
pub struct Table<const N: usize> {
    columns: [Align; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub fn new(columns: [Align; N]) -> Self {
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row at the end. What others named cannot leave its cell.
    pub fn row(&mut self, row: [&dyn fmt::Display; N]) {
        self.rows.push(row.map(|text| evolve_process::plain(&text.to_string())));
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
