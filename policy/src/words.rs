//! A judge's messages, read as words: the protocols ignore the kind and amount of white space between them.

use std::io::{BufRead, Read};

/// The words of an input, one by one; it never reads beyond the line that it needs.
#[derive(Debug)]
pub struct Words<R> {
    input: R,
    line: Vec<u8>,
    next: usize,
}

/// Longer words, in bytes, are none of any contest; they are cut off here.
pub const LONGEST: usize = 1000;

impl<R: BufRead> Words<R> {
    /// The words of `input` from where it stands.
    pub fn new(input: R) -> Self {
        Words { input, line: Vec::new(), next: 0 }
    }

    /// The next word, `None` at the end of the input. Text that is not UTF-8 is escaped, fit to be shown.
    ///
    /// # Errors
    /// A message if reading fails.
    // An iterator would promise that it can be asked again after an error.
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
