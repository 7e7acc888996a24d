//! Formats foreign text so that it is safe in a line on a terminal.

use std::fmt::Write as _;

/// The longest quoted text, in characters before escaping.
const QUOTED: usize = 80;

/// The longest quoted end of standard error, in bytes.
const QUOTED_STDERR: usize = 320;

/// Quotes the start of a program's output on one line: escapes control characters, quotation marks
/// and bytes that are not UTF-8, and replaces the part after 80 characters by an ellipsis.
pub fn excerpt(bytes: &[u8]) -> String {
    let mut text = String::from('"');
    let mut room = QUOTED;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if room == 0 {
                return text + "\"…";
            }
            room -= 1;
            // `escape_debug` would also escape the apostrophe.
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

/// Returns the end of a program's standard error, at most about 320 bytes, as one [`plain`] line.
/// Its original lines are joined by ` | `.
pub fn last_words(stderr: &[u8]) -> String {
    let stderr = stderr.trim_ascii();
    let start = stderr.len().saturating_sub(QUOTED_STDERR);
    let text = String::from_utf8_lossy(&stderr[start..]);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(plain).collect();
    String::from(if start > 0 { "…" } else { "" }) + &lines.join(" | ")
}

/// Makes text safe for one line on a terminal. Escapes control characters (including line ends and
/// terminal escapes), invisible characters and characters that change the direction of text, in
/// Rust's notation, such as `\u{202e}`. Keeps other characters, including quotation marks and
/// backslashes, so that plain text is unchanged.
pub fn plain(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\'' | '\\' => result.push(c),
            // Escape combining marks only if no character precedes them.
            _ => result.extend(String::from_iter(['a', c]).escape_debug().skip(1)),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_one_short_line() {
        assert_eq!(excerpt(b"it's 3 4\r"), r#""it's 3 4\r""#);
        assert_eq!(excerpt(b"\0\xff \"x\""), r#""\0\xff \"x\"""#);
        let long = excerpt(&[b'a'; 1000]);
        assert_eq!(long.chars().count(), QUOTED + 3);
        assert!(long.ends_with("\"…"));
        assert_eq!(excerpt(&[0xff; 81]), format!("\"{}\"…", "\\xff".repeat(80)));
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
        assert_eq!(last_words(b"a\x1b[31mb"), r"a\u{1b}[31mb");
    }

    #[test]
    fn plain_text_cannot_control_a_terminal() {
        for same in ["it's \"3\" \\ 4", "größer als 3 μs…", "e\u{301}", r"\u{1b}"] {
            assert_eq!(plain(same), same);
        }
        assert_eq!(plain("a\x1b]0;title\x07b\n"), r"a\u{1b}]0;title\u{7}b\n");
        assert_eq!(plain("\u{9b}2J \u{202e}evil\u{2066} \u{200b}\u{feff}\u{2028}\u{a0}"), {
            r"\u{9b}2J \u{202e}evil\u{2066} \u{200b}\u{feff}\u{2028}\u{a0}"
        });
    }
}
