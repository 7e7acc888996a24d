//! Captured output of limited size.

/// The beginning and the end of a program's output on one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    total: u64,
    /// The beginning, at most `most_head` bytes.
    head: Vec<u8>,
    most_head: usize,
    /// The end, at most `most_tail` bytes. The buffer may hold twice as many, so that they seldom
    /// move.
    tail: Vec<u8>,
    most_tail: usize,
}

impl Captured {
    pub(crate) fn new(most_head: usize, most_tail: usize) -> Self {
        Self { most_head, most_tail, ..Self::default() }
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(self.most_head - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(self.most_tail)..];
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * self.most_tail {
            self.tail.drain(..self.tail.len() - self.most_tail);
        }
    }

    /// Returns the number of bytes that the program wrote, including those not kept.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the kept end, without the bytes of the kept beginning.
    pub fn tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(self.most_tail)..]
    }

    /// Returns all kept bytes: beginning and end, or the whole output if it is as short.
    pub fn bytes(&self) -> Vec<u8> {
        [&self.head, self.tail()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_kept() {
        for piece in [1, 3, 7, 100] {
            let text: Vec<u8> = (0..100).collect();
            let mut captured = Captured::new(10, 5);
            for bytes in text.chunks(piece) {
                captured.extend(bytes);
            }
            assert_eq!((captured.bytes(), captured.tail()), ([&text[..10], &text[95..]].concat(), &text[95..]));
            assert_eq!(captured.total(), 100);
        }
        let mut captured = Captured::new(3, 3);
        captured.extend(b"abcdef");
        assert_eq!((captured.bytes().as_slice(), captured.total()), (b"abcdef".as_slice(), 6));
        let mut captured = Captured::new(0, 0);
        captured.extend(b"abc");
        assert_eq!((captured.bytes().as_slice(), captured.total()), (b"".as_slice(), 3));
    }
}
