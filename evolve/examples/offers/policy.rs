//! Offers: twelve offers from 0 to 99 come one after another. Keep one, and what you keep is your score; once passed,
//! an offer is gone, and the last one must be kept.

use policy::clock::Clock;
use policy::words::Words;
use std::io::{BufRead, Write};

/// How many offers there are.
pub const OFFERS: usize = 12;

policy::weights! {
    /// What the player goes by.
    pub struct Weights {
        wanted: "what the last but one offer must be to be kept", 0.0..=100.0, 4.0, 50.0;
        patience: "how much more is wanted for each further offer to come", -10.0..=10.0, 0.5, 0.0;
    }
}

/// Whether a player with these weights keeps `offer` when `left` more are to come.
pub fn keeps(weights: &Weights, offer: u32, left: usize) -> bool {
    left == 0 || f64::from(offer) >= weights.wanted + weights.patience * (left - 1) as f64
}

/// The judge sends an offer a line; the answer is `keep` or `pass`. There is nothing to take time for.
///
/// # Errors
/// A message if an offer is not a number from 0 to 99, or reading or writing fails.
pub fn play(input: impl BufRead, mut output: impl Write, _: &Clock, weights: &Weights) -> Result<(), String> {
    let mut words = Words::new(input);
    for left in (0..OFFERS).rev() {
        let Some(word) = words.next()? else { return Ok(()) };
        let offer = word.parse().ok().filter(|offer| *offer < 100);
        let offer = offer.ok_or_else(|| format!("offer {}: `{word}` is not a number from 0 to 99", OFFERS - left))?;
        let kept = keeps(weights, offer, left);
        let answer = if kept { "keep" } else { "pass" };
        writeln!(output, "{answer}")
            .and_then(|()| output.flush())
            .map_err(|error| format!("cannot answer: {error}"))?;
        if kept {
            break;
        }
    }
    Ok(())
}
