//! Parses moves that consist of several whole numbers.

use evolve_contest::judge::Reply;

/// Collects the `N` numbers of a move, which some programs print on several lines. A number is a
/// sequence of digits, optionally after a `-`. Numbers are separated by ASCII white space. All
/// readers of contests accept at least this syntax.
#[derive(Clone, Debug, Default)]
pub struct Numbers<const N: usize> {
    got: Vec<i64>,
}

impl<const N: usize> Numbers<N> {
    /// Takes a line that the program printed. Returns the numbers once all have arrived.
    ///
    /// # Errors
    /// The reply to a line that does not have these numbers. `what` describes them, such as `a row
    /// and a column`.
    pub fn take(&mut self, line: &str, what: &str) -> Result<[i64; N], Reply> {
        for word in line.split_ascii_whitespace() {
            // Rust would also accept a plus sign.
            match word.parse() {
                Ok(number) if !word.starts_with('+') => self.got.push(number),
                _ => {
                    self.got.clear();
                    return Err(Reply::Garbage(format!("expected {what}")));
                }
            }
        }
        if self.got.len() < N {
            return Err(Reply::More);
        }
        let numbers = self.got.as_slice().try_into();
        self.got.clear();
        numbers.map_err(|_| Reply::Garbage(format!("expected {what}, and no more")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_span_several_lines() {
        let mut numbers = Numbers::<2>::default();
        assert_eq!(numbers.take(" 3  -4 ", "two"), Ok([3, -4]));
        assert_eq!(numbers.take("", "two"), Err(Reply::More));
        assert_eq!(numbers.take("5", "two"), Err(Reply::More));
        assert_eq!(numbers.take("6", "two"), Ok([5, 6]));
        assert_eq!(numbers.take("1 2 3", "two"), Err(Reply::Garbage("expected two, and no more".into())));
        assert_eq!(numbers.take("1 x", "two"), Err(Reply::Garbage("expected two".into())));
        assert_eq!(numbers.take("7 8", "two"), Ok([7, 8]), "the faulty rest was discarded");
        assert_eq!(numbers.take("\t-1\t007 ", "two"), Ok([-1, 7]));
    }

    #[test]
    fn texts_that_contests_may_reject_are_garbage() {
        let mut numbers = Numbers::<2>::default();
        for line in [
            "+1 2",
            "1 +2",
            "1\u{a0}2",
            "1\u{2003}2",
            "1 2\u{3000}",
            "1 -",
            "1 --2",
            "1 2.0",
            "1 0x2",
            "1 \u{664}",
            "-0+1 2",
        ] {
            let garbage = numbers.take(line, "two");
            assert!(matches!(garbage, Err(Reply::Garbage(_))), "{line:?}: {garbage:?}");
        }
        assert!(matches!(numbers.take("1 9223372036854775808", "two"), Err(Reply::Garbage(_))));
    }
}
