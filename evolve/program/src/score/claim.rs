//! Finds the default form of a score, `Score = 123`.

use super::number;
use evolve_process::excerpt;
use memchr::memrchr;
use regex::bytes::Regex;
use std::sync::LazyLock;

/// The bytes that are searched at a time. The score is usually near the end of an output.
const WINDOW: usize = 64 << 10;

/// The word and the sign before the score.
static CLAIM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i-u)\bscore[ \t]*[=:]").expect("a regex"));

/// A text that claims to be a score.
#[derive(Debug)]
pub struct Claim<'t> {
    /// It, and the rest of its line.
    text: &'t [u8],
    /// The offset where the number should be.
    number: usize,
}

impl Claim<'_> {
    /// Returns the score.
    ///
    /// # Errors
    /// Why it is not a number, with the claim.
    pub fn number(&self) -> Result<f64, String> {
        let Claim { text, number } = self;
        let read = number::leading(text[*number..].trim_ascii_start());
        read.map_err(|misread| format!("{} {misread}", excerpt(text.trim_ascii_end())))
    }
}

/// Returns the last claim, which is on one line.
pub fn last(text: &[u8]) -> Option<Claim<'_>> {
    let mut end = text.len();
    while end > 0 {
        // A window begins where a line does.
        let from = memrchr(b'\n', &text[..end.saturating_sub(WINDOW)]).map_or(0, |end| end + 1);
        let window = &text[from..end];
        let found = CLAIM.find_iter(window).filter(|found| is_claim(window, found.range())).last();
        if let Some(found) = found {
            let claim = &window[found.start()..];
            let line = memchr::memchr(b'\n', claim).unwrap_or(claim.len());
            return Some(Claim { text: &claim[..line], number: found.len() });
        }
        end = from;
    }
    None
}

/// Returns whether a match is a claim, unlike `z-score: 3`, `score == 3` and `score::new`.
fn is_claim(text: &[u8], found: std::ops::Range<usize>) -> bool {
    let is_joined = matches!(text[..found.start], [.., word, b'-'] if word.is_ascii_alphanumeric());
    !is_joined && !matches!(text.get(found.end), Some(b'=' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Result<f64, String>> {
        last(text.as_bytes()).map(|claim| claim.number())
    }

    #[test]
    fn other_words_are_no_claims() {
        for other in [
            "highscore = 99",
            "zscore: 1.5",
            "z-score: 1.5",
            "best_score = 7",
            "score",
            "scores: 3",
            "score 3",
            "score == 3",
            "solver::score::best: 3",
            "\"score\": 3",
            "score\n= 3",
        ] {
            assert_eq!(read(other), None, "{other}");
            assert_eq!(read(&format!("Score = 5\n{other}\n")), Some(Ok(5.0)), "{other}");
        }
        for own in ["score = 3", "Final SCORE:3", "(score\t: 3)", "best.score=3", "- score = 3", "\u{6700}score = 3"] {
            assert_eq!(read(own), Some(Ok(3.0)), "{own}");
        }
    }

    #[test]
    fn the_last_claim_is_found_wherever_it_is() {
        let noise = "x".repeat(99) + "\n";
        for (before, after) in [(0, 0), (0, 2000), (2000, 0), (2000, 2000), (655, 1), (1, 655)] {
            let text = |last: &str| {
                format!("Score = 1\n{}score: 2 Score = {last}\n{}", noise.repeat(before), noise.repeat(after))
            };
            assert_eq!(read(&text("3")), Some(Ok(3.0)));
            assert_eq!(read(&text("nan")), Some(Err("\"Score = nan\" is not a number".to_string())));
        }
        let line = "y".repeat(3 * WINDOW);
        assert_eq!(
            read(&format!("score = 4{line}")),
            Some(Err(format!("\"score = 4{}\"… {}", "y".repeat(71), number::Misread::Cut)))
        );
        assert_eq!(read(&format!("{line} score = 4 {line}")), Some(Ok(4.0)));
    }
}
