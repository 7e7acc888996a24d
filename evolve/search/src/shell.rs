//! Commands as text that a POSIX shell splits into the same words.

/// Joins words into one line for a POSIX shell.
pub fn shell_line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(shell_word).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a POSIX shell.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        // Only words with a zero byte cannot be quoted, and these cannot be passed to a program
        // anyway.
        false => shlex::try_quote(word).unwrap_or_default().into_owned(),
    }
}
