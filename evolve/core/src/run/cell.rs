//! Texts in tables that people open in spreadsheets, which take a text that begins like a formula for one and carry it out.

use std::borrow::Cow;

/// A text as a cell: one that begins like a formula, and is no number, has an apostrophe before it. So has one that begins
/// with an apostrophe, so that all read back.
pub fn cell(text: &str) -> Cow<'_, str> {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\'']) && text.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// The text of a cell.
pub fn text(cell: &str) -> &str {
    cell.strip_prefix('\'').unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::{cell, text};

    #[test]
    fn no_cell_is_a_formula_and_all_read_back() {
        for (written, is) in [
            ("=cmd|calc!A0", "'=cmd|calc!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("-O2", "'-O2"),
            ("'quoted", "''quoted"),
            ("-12.5", "-12.5"),
            ("+3", "+3"),
            ("in/0001", "in/0001"),
            ("", ""),
        ] {
            assert_eq!(cell(written), is);
            assert_eq!(text(is), written);
        }
    }
}
