//! Parts of texts with brackets and quotes.

/// Splits a list into parts, but not within brackets and quotes.
pub fn parts(text: &str) -> Vec<&str> {
    let (mut start, mut parts) = (0, Vec::new());
    for (place, _) in outside(text).filter(|&(_, c)| c == ',') {
        parts.push(text[start..place].trim());
        start = place + 1;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the places of characters outside of brackets and quotes.
pub fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut depth, mut quote) = (0_usize, None);
    text.char_indices().filter(move |&(_, c)| {
        let is_outside = depth == 0 && quote.is_none();
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outside
    })
}

/// Returns the text before the bracket that closes an open one, and the text after it.
pub fn closed(text: &str) -> Option<(&str, &str)> {
    let end = outside(text).find(|&(_, c)| ")]}".contains(c))?.0;
    Some((&text[..end], &text[end + 1..]))
}

/// Removes the quotes around a word.
pub fn bare(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_quotes_stay_together() {
        assert_eq!(parts("a, 'b, c', f(1, [2, 3]), \"),\", "), ["a", "'b, c'", "f(1, [2, 3])", "\"),\""]);
        assert_eq!(closed("1, \"min(a, 10)\") | x"), Some(("1, \"min(a, 10)\"", " | x")));
        assert_eq!(closed("(1, ')'"), None);
    }
}
