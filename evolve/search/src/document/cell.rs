//! Cells of CSV tables. A spreadsheet would execute a text that begins like a formula, so such a
//! text is escaped.

use std::borrow::Cow;

/// Escapes a text for a cell with an apostrophe before it, if it begins like a formula and is not a
/// number. A text that begins with an apostrophe gets another one, so that [`text`] restores every
/// text.
pub fn cell(text: &str) -> Cow<'_, str> {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\'']) && text.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Returns the original text of a cell.
pub fn text(cell: &str) -> &str {
    cell.strip_prefix('\'').unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::{cell, text};

    #[test]
    fn no_cell_is_a_formula_and_every_text_is_restored() {
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
