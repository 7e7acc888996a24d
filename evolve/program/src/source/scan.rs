//! Splits a text into code, comments and strings.

use super::Language;
use evolve_search::document::text::line_start;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// The kind of a piece of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    Code,
    Comment,
    /// A string or character literal, including quotation marks.
    Text,
}

/// A piece of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub kind: PieceKind,
    pub place: Range<usize>,
}

/// Splits a text into pieces, which together are the whole text.
pub fn scan(text: &str, language: Language) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut at, mut code) = (0, 0);
    while let Some(next) = text[at..].chars().next() {
        let found = match language {
            Language::Other => comment_of_any(text, at),
            _ => token(text, at, language),
        };
        match found.filter(|(_, length)| *length > 0) {
            Some((kind, length)) => {
                if code < at {
                    pieces.push(Piece { kind: PieceKind::Code, place: code..at });
                }
                pieces.push(Piece { kind, place: at..at + length });
                at += length;
                code = at;
            }
            None => at += next.len_utf8(),
        }
    }
    if code < at {
        pieces.push(Piece { kind: PieceKind::Code, place: code..at });
    }
    pieces
}

/// Replaces the pieces of these kinds by blanks. All other bytes and all line ends keep their
/// places.
pub fn blanked(text: &str, pieces: &[Piece], kinds: &[PieceKind]) -> String {
    let mut result = String::with_capacity(text.len());
    for Piece { kind, place } in pieces {
        match kinds.contains(kind) {
            false => result.push_str(&text[place.clone()]),
            true => result.extend(text[place.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
        }
    }
    result
}

/// Returns the kind and length of a comment or string that begins at `at`.
fn token(text: &str, at: usize, language: Language) -> Option<(PieceKind, usize)> {
    use Language::{C, Cpp, Hashes, Java, Python, Rust, Slashes};
    let rest = &text[at..];
    let before = text[..at].chars().next_back();
    let is_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let starts_word = before.is_none_or(char::is_whitespace);
    let starts_line = before.is_none_or(|c| c == '\n');
    let line = match language {
        C | Cpp | Rust | Java | Slashes => rest.starts_with("//"),
        Python => rest.starts_with('#'),
        Hashes => rest.starts_with('#') && starts_word,
        _ => rest.starts_with("--"),
    };
    let is_block = |(open, close, _): &&(&str, &str, bool)| match *open {
        // A row of `#====` is a line.
        "#=" => rest.starts_with(open) && !rest.starts_with("#==") && rest.contains(close),
        _ => rest.starts_with(open) && (starts_line || !open.starts_with('=')),
    };
    if let Some((open, close, nests)) = blocks(language).iter().find(is_block) {
        return Some((PieceKind::Comment, block_length(rest, open, close, *nests)));
    }
    if line {
        return Some((PieceKind::Comment, rest.find('\n').unwrap_or(rest.len())));
    }
    let length = match (rest.as_bytes()[0], language) {
        (b'R', Cpp) => raw_of_cpp(rest),
        (b'r', Rust) if !is_word || before == Some('b') => raw_of_rust(rest),
        (b'"' | b'\'', Python) | (b'"', Java | Slashes) if is_triple(rest) => {
            Some(until(rest, 3, &rest[..3], true, true))
        }
        (b'`', Java | Slashes) => Some(until(rest, 1, "`", true, true)),
        // Strings of these languages may span lines. A quotation mark after a backslash is a
        // character, and one after a name is a prime or an adjoint.
        (b'"' | b'\'', Hashes) if before == Some('\\') => None,
        (b'"', Rust | Hashes) => Some(until(rest, 1, "\"", true, true)),
        (b'"', _) => Some(until(rest, 1, "\"", true, false)),
        (b'\'', Hashes) if !is_word && !before.is_some_and(|c| ")].".contains(c)) => {
            Some(until(rest, 1, "'", false, true))
        }
        (b'\'', Python) => Some(until(rest, 1, "'", true, false)),
        (b'\'', Java | Slashes) if !is_word => Some(until(rest, 1, "'", true, false)),
        // The quote must be neither a digit separator nor part of a lifetime.
        (b'\'', C | Cpp | Rust) if !is_word || prefixes(language).contains(&word_at_end(&text[..at])) => {
            CHARACTER.find(rest).map(|found| found.end())
        }
        _ => None,
    };
    length.map(|length| (PieceKind::Text, length))
}

static CHARACTER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^'(?:\\[^\n][^'\n]*|[^'\\\n])'").expect("a regex"));

fn is_triple(rest: &str) -> bool {
    rest.starts_with("\"\"\"") || rest.starts_with("'''")
}

/// Returns the signs around comments that may span lines, and whether such comments may contain
/// others.
fn blocks(language: Language) -> &'static [(&'static str, &'static str, bool)] {
    use Language::{C, Cpp, Dashes, Hashes, Java, Rust, Slashes};
    match language {
        Rust => &[("/*", "*/", true)],
        C | Cpp | Java | Slashes => &[("/*", "*/", false)],
        // Haskell and Lua.
        Dashes => &[("{-", "-}", true), ("--[[", "]]", false)],
        // Julia, Ruby and Perl.
        Hashes => &[("#=", "=#", true), ("=begin", "\n=end", false), ("=pod", "\n=cut", false)],
        _ => &[],
    }
}

/// Returns the prefixes of character literals.
fn prefixes(language: Language) -> &'static [&'static str] {
    match language {
        Language::Rust => &["b"],
        _ => &["L", "u", "U", "u8"],
    }
}

/// Returns the letters, digits and `_` at the end of a text.
fn word_at_end(text: &str) -> &str {
    let rest = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    &text[rest.len()..]
}

/// Returns the length of a string whose opening has `open` bytes, including its closing mark. An
/// unclosed string ends with the line.
fn until(rest: &str, open: usize, close: &str, has_escapes: bool, has_lines: bool) -> usize {
    let mut at = open;
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with(close) {
            return at + close.len();
        }
        if c == '\n' && !has_lines {
            return at;
        }
        at += c.len_utf8();
        if c == '\\' && has_escapes {
            at += rest[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    rest[open..].find('\n').map_or(rest.len(), |end| open + end)
}

fn block_length(rest: &str, open: &str, close: &str, nests: bool) -> usize {
    let (mut at, mut depth) = (open.len(), 1);
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with(close) {
            (at, depth) = (at + close.len(), depth - 1);
            if depth == 0 {
                return at;
            }
        } else if nests && rest[at..].starts_with(open) {
            (at, depth) = (at + open.len(), depth + 1);
        } else {
            at += c.len_utf8();
        }
    }
    at
}

/// Returns the length of a raw string `R"end(..)end"`.
fn raw_of_cpp(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix("R\"")?;
    let end = inside.find('(').filter(|&end| end <= 16)?;
    Some(until(rest, end + 3, &format!("){}\"", &inside[..end]), false, true))
}

/// Returns the length of a raw string `r"..."` or `r#"..."#`.
fn raw_of_rust(rest: &str) -> Option<usize> {
    let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
    rest[1 + hashes..]
        .starts_with('"')
        .then(|| until(rest, hashes + 2, &format!("\"{}", "#".repeat(hashes)), false, true))
}

/// Patterns for most languages: a line that is only a comment, and a comment that declares a
/// parameter.
static OF_ANY: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let regex = |text: &str| Regex::new(text).expect("a regex");
    [
        regex(r"^(?://|#\s|##|--|;|%|/\*|\(\*|<!--)[^\n]*"),
        regex(r"^(?://|#|--|;|%|/\*|\(\*|<!--)[\s;#/!*]*evolve:[^\n]*"),
    ]
});

fn comment_of_any(text: &str, at: usize) -> Option<(PieceKind, usize)> {
    let line = line_start(text, at);
    let starts_line = text[line..at].trim().is_empty();
    let [whole, marker] = &*OF_ANY;
    let found = marker.find(&text[at..]).or_else(|| whole.find(&text[at..]).filter(|_| starts_line))?;
    Some((PieceKind::Comment, found.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments_and_texts(text: &str, language: Language) -> Vec<&str> {
        let pieces = scan(text, language);
        assert_eq!(pieces.iter().map(|piece| &text[piece.place.clone()]).collect::<String>(), text);
        pieces.iter().filter(|piece| piece.kind != PieceKind::Code).map(|piece| &text[piece.place.clone()]).collect()
    }

    #[test]
    fn comments_and_strings_are_recognized() {
        for (language, text, found) in [
            (
                Language::Cpp,
                "a 1'000 '\"' /* b\n// */ c // d\n\"e\\\"//\"",
                vec!["'\"'", "/* b\n// */", "// d", "\"e\\\"//\""],
            ),
            (Language::Cpp, "R\"x(a)\" // b)x\" c", vec!["R\"x(a)\" // b)x\""]),
            (
                Language::Rust,
                "r#\"a\" // \"# /* b /* c */ d */ &'a x, 'y' \"f\n//\"",
                vec!["r#\"a\" // \"#", "/* b /* c */ d */", "'y'", "\"f\n//\""],
            ),
            (Language::Python, "a // 2 # b\n'''c\n# d''' 'it\\'s' \"x", vec!["# b", "'''c\n# d'''", "'it\\'s'", "\"x"]),
            (Language::Slashes, "`a\n// b` // c", vec!["`a\n// b`", "// c"]),
            (Language::Cpp, "L'\"' // a\nu8'\"' // b", vec!["'\"'", "// a", "'\"'", "// b"]),
            (Language::Rust, "b'\"' // a\n&'b x // c", vec!["'\"'", "// a", "// c"]),
            (Language::Hashes, "${#a} # b\n'c\n# d'", vec!["# b", "'c\n# d'"]),
            (Language::Hashes, "B = A' # a\nx[1]' # b\nit\\'s # c\n'd", vec!["# a", "# b", "# c", "'d"]),
            (Language::Hashes, "#= a\n#= b =# c =# d # e\n#=== f\ng", vec!["#= a\n#= b =# c =#", "# e", "#=== f"]),
            (Language::Hashes, "a\n=begin\nb\n=end\nc", vec!["=begin\nb\n=end"]),
            (Language::Hashes, "=begin\n=begin\n=end\nc", vec!["=begin\n=begin\n=end"]),
            (Language::Dashes, "a {- b\n-- -} -- c", vec!["{- b\n-- -}", "-- c"]),
            (Language::Dashes, "a --[[ b\nc --[[ ]] d", vec!["--[[ b\nc --[[ ]]"]),
            (Language::Other, "a ; b\n ;; c\n", vec![";; c"]),
        ] {
            assert_eq!(comments_and_texts(text, language), found, "{text}");
        }
    }

    #[test]
    fn blanks_keep_places() {
        let text = "int é = 1; // ü\nchar c = ';';\n";
        let pieces = scan(text, Language::Cpp);
        let blanked = blanked(text, &pieces, &[PieceKind::Comment, PieceKind::Text]);
        assert_eq!(blanked, "int é = 1;      \nchar c =    ;\n");
        assert_eq!(blanked.len(), text.len());
    }
}
