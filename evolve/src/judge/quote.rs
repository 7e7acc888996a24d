//! What a program printed, fit to stand in a line of text.

use std::fmt::Write as _;

/// The longest text quoted in a verdict, characters before escaping.
const QUOTED: usize = 80;

/// The longest end of standard error quoted in a verdict, bytes.
const QUOTED_STDERR: usize = 320;

/// The start of what a program printed as one line between quotation marks: control characters, quotation
/// marks and bytes that are no UTF-8 are escaped, and what is beyond 80 characters becomes an ellipsis.
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut text = String::from('"');
    let mut room = QUOTED;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if room == 0 {
                return text + "\"…";
            }
            room -= 1;
            // `escape_debug` would escape the apostrophe too.
            if c == '\'' { text.push(c) } else { text.extend(c.escape_debug()) }
        }
        for byte in chunk.invalid() {
            if room == 0 {
                return text + "\"…";
            }
            room -= 1;
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text + "\""
}

/// The end of a program's standard error as one line, its own lines joined by ` | `.
pub(super) fn last_words(stderr: &[u8]) -> String {
    let stderr = stderr.trim_ascii();
    let start = stderr.len().saturating_sub(QUOTED_STDERR);
    let mut text = String::from(if start > 0 { "…" } else { "" });
    for (i, line) in
        String::from_utf8_lossy(&stderr[start..]).lines().map(str::trim).filter(|line| !line.is_empty()).enumerate()
    {
        if i > 0 {
            text.push_str(" | ");
        }
        text.extend(line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_one_short_line() {
        assert_eq!(quote(b"it's 3 4\r"), r#""it's 3 4\r""#);
        assert_eq!(quote(b"\0\xff \"x\""), r#""\0\xff \"x\"""#);
        let long = quote(&[b'a'; 1000]);
        assert_eq!(long.chars().count(), QUOTED + 3);
        assert!(long.ends_with("\"…"));
        assert_eq!(quote(&[0xff; 81]), format!("\"{}\"…", "\\xff".repeat(80)));
    }

    #[test]
    fn last_words_keep_the_end() {
        assert_eq!(
            last_words(b"panicked at main.rs:3:\n\n  out of bounds\n"),
            "panicked at main.rs:3: | out of bounds"
        );
        assert_eq!(last_words(b" \n"), "");
        let long = [vec![b'x'; 5000], b"\nthe end\n".to_vec()].concat();
        let words = last_words(&long);
        assert!(words.starts_with('…') && words.ends_with(" | the end"));
        assert!(!last_words(b"a\x1b[31mb").contains('\x1b'));
    }
}
