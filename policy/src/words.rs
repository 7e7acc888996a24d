//! A judge's messages, split into words: the protocols ignore the kind and amount of white space
//! between words.

use std::io::{BufRead, Read};

/// A reader of the words of an input. It never reads beyond the line of the word that it returns.
#[derive(Debug)]
pub struct Words<R> {
    input: R,
    line: Vec<u8>,
    next: usize,
}

/// The length in bytes at which words are cut off. No contest's protocol has longer ones.
pub const LONGEST: usize = 1000;

impl<R: BufRead> Words<R> {
    /// Returns a reader that starts at the current position of `input`.
    pub fn new(input: R) -> Self {
        Words { input, line: Vec::new(), next: 0 }
    }

    /// Returns the next word, or `None` at the end of the input. Bytes that are not UTF-8 are
    /// replaced and control characters escaped, so that the word can be printed.
    ///
    /// # Errors
    /// A message if reading fails.
    // Not an `Iterator`: callers must stop after an error.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<String>, String> {
        loop {
            let rest = &self.line[self.next..];
            if let Some(start) = rest.iter().position(|byte| !byte.is_ascii_whitespace()) {
                let rest = &rest[start..];
                let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                self.next += start + length;
                let word = String::from_utf8_lossy(&rest[..length.min(LONGEST)]);
                return Ok(Some(word.escape_debug().to_string()));
            }
            self.line.clear();
            self.next = 0;
            let mut limited = (&mut self.input).take(LONGEST as u64 * 100);
            let read = limited.read_until(b'\n', &mut self.line).map_err(|error| format!("cannot read: {error}"))?;
            if read == 0 {
                return Ok(None);
            }
        }
    }
}
