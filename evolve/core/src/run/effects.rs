//! The parameters of a finalist that change no outcome: these keep their start.
//!
//! All parameters that may be without effect are set back together, deal by deal, until no outcome has changed on all
//! deals in a row. On a deal that changes, parameters are set back one after the other: only steps that change the
//! outcome count, and halving finds them. Those parameters stay as found, and the rest starts again. The final set was
//! played as a whole, so parameters that only have an effect together are covered.

use crate::judgement::measured::Measured;
use serde::{Deserialize, Serialize};

/// The state of it between two rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effects {
    /// The finalist's outcome on each deal.
    outcomes: Vec<Measured>,
    /// Places of the parameters that may be without effect.
    idle: Vec<usize>,
    /// The deal that comes next, or that is looked into.
    deal: usize,
    /// On how many deals in a row nothing changed with all of them set back.
    passed: usize,
    /// Parts of the path on the deal that change its outcome, and are to be halved.
    spans: Vec<Span>,
    /// Which of `idle`, by their places in it, were found to change the outcome of the deal.
    found: Vec<usize>,
    /// Trials so far.
    trials: u64,
    /// Whether some were taken to matter because it would have taken too many trials to know.
    is_cut: bool,
}

/// A part of a path, from the step with the first `from` set back to the one with the first `to`, and the outcomes at
/// both ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Span {
    from: usize,
    to: usize,
    ends: [Measured; 2],
}

impl Span {
    fn middle(&self) -> usize {
        self.from.midpoint(self.to)
    }
}

impl Effects {
    /// The beginning: outcomes of a finalist on some deals, and the places of parameters at which it is not the start.
    pub fn new(outcomes: Vec<Measured>, moved: Vec<usize>) -> Self {
        let (spans, found) = (Vec::new(), Vec::new());
        Effects { outcomes, idle: moved, deal: 0, passed: 0, spans, found, trials: 0, is_cut: false }
    }

    /// The places of the parameters that may be without effect; that are, once it is over.
    pub fn idle(&self) -> &[usize] {
        &self.idle
    }

    /// Whether nothing is left to be played.
    pub fn is_over(&self) -> bool {
        self.idle.is_empty() || self.passed >= self.outcomes.len()
    }

    /// Whether it is known of every parameter whether it has an effect.
    pub fn is_whole(&self) -> bool {
        !self.is_cut
    }

    /// The next trials: the number of [`idle`](Self::idle) parameters to set back, first ones first, and the deal.
    pub fn asks(&self) -> Vec<(usize, usize)> {
        if self.spans.is_empty() {
            // As many as have passed: what has an effect shows early, and what has none costs few rounds.
            let (deals, all) = (self.outcomes.len(), self.idle.len());
            let count = self.passed.max(1).min(deals - self.passed);
            return (0..count).map(|i| (all, (self.deal + i) % deals)).collect();
        }
        self.spans.iter().map(|span| (span.middle(), self.deal)).collect()
    }

    /// Takes the outcomes of the requested trials. Beyond `most` trials, undecided parameters count as having an
    /// effect.
    pub fn told(&mut self, outcomes: &[Measured], most: u64) {
        self.trials += outcomes.len() as u64;
        match self.spans.is_empty() {
            true => self.look(outcomes),
            false => self.halve(outcomes),
        }
        if self.trials > most {
            self.is_cut |= !self.spans.is_empty();
            let rest = std::mem::take(&mut self.spans);
            self.found.extend(rest.iter().flat_map(|span| span.from..span.to));
        }
        if self.spans.is_empty() && !self.found.is_empty() {
            let found = std::mem::take(&mut self.found);
            let mut place = 0..;
            self.idle.retain(|_| !found.contains(&place.next().expect("places do not end")));
        }
    }

    /// Takes outcomes with all set back.
    fn look(&mut self, outcomes: &[Measured]) {
        let deals = self.outcomes.len();
        let same = (0..outcomes.len()).take_while(|i| outcomes[*i] == self.outcomes[(self.deal + i) % deals]).count();
        self.deal = (self.deal + same) % deals;
        match outcomes.get(same) {
            None => self.passed += same,
            Some(changed) => {
                self.passed = 0;
                self.add(Span {
                    from: 0,
                    to: self.idle.len(),
                    ends: [self.outcomes[self.deal].clone(), changed.clone()],
                });
            }
        }
    }

    /// Takes the outcomes in the middle of each span.
    fn halve(&mut self, outcomes: &[Measured]) {
        for (span, outcome) in std::mem::take(&mut self.spans).into_iter().zip(outcomes) {
            let middle = span.middle();
            let [start, end] = span.ends;
            self.add(Span { from: span.from, to: middle, ends: [start, outcome.clone()] });
            self.add(Span { from: middle, to: span.to, ends: [outcome.clone(), end] });
        }
    }

    fn add(&mut self, span: Span) {
        match span.to - span.from {
            _ if span.ends[0] == span.ends[1] => {}
            1 => self.found.push(span.from),
            _ => self.spans.push(span),
        }
    }

    /// Whether data read from a file is consistent with itself and with a selection of `deals` deals and `parameters`
    /// parameters.
    pub fn fits(&self, deals: usize, parameters: usize) -> bool {
        let idle = self.idle.len();
        self.outcomes.len() == deals
            && self.deal < deals
            && !self.is_over()
            && self.trials < 1 << 60
            && self.idle.iter().all(|&place| place < parameters)
            && self.found.iter().all(|&place| place < idle)
            && self.spans.iter().all(|span| span.from < span.to && span.to - span.from > 1 && span.to <= idle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEALS: usize = 40;

    /// The remaining parameters for a given outcome function, and the number of trials that it took.
    fn left(parameters: usize, most: u64, outcome: impl Fn(&[usize], usize) -> f64) -> (Vec<usize>, u64, bool) {
        let measured = |back: &[usize], deal: usize| {
            let score = outcome(back, deal);
            Measured { objective: score, score, ..Measured::default() }
        };
        let start = (0..DEALS).map(|deal| measured(&[], deal)).collect();
        let mut effects = Effects::new(start, (0..parameters).collect());
        while !effects.is_over() {
            assert!(effects.fits(DEALS, parameters), "{effects:?}");
            let asks = effects.asks();
            let outcomes: Vec<Measured> =
                asks.iter().map(|&(count, deal)| measured(&effects.idle()[..count], deal)).collect();
            effects.told(&outcomes, most);
        }
        (effects.idle().to_vec(), effects.trials, effects.is_whole())
    }

    #[test]
    fn those_without_effect_are_found() {
        // Every third matters, each on some deals only.
        let matters = |place: usize, deal: usize| place.is_multiple_of(3) && (deal + place).is_multiple_of(5);
        let outcome = |back: &[usize], deal: usize| {
            back.iter().filter(|&&place| matters(place, deal)).map(|&place| 1.0 + place as f64).sum()
        };
        let (idle, trials, is_whole) = left(136, u64::MAX, outcome);
        assert!(is_whole);
        assert_eq!(idle, (0..136).filter(|&place: &usize| !place.is_multiple_of(3)).collect::<Vec<_>>());
        assert!(trials < 400, "{trials}");
        let (_, trials, _) = left(5, u64::MAX, |back, _| back.len() as f64);
        assert!(trials <= 5, "{trials}");
        assert_eq!(left(5, u64::MAX, |_, deal| deal as f64), ((0..5).collect(), DEALS as u64, true));
    }

    #[test]
    fn what_has_an_effect_only_together_is_not_set_back_together() {
        let both =
            |back: &[usize], deal: usize| f64::from(u8::from(deal == 17 && back.contains(&2) && back.contains(&6)));
        assert_eq!(left(9, u64::MAX, both).0, [0, 1, 2, 3, 4, 5, 7, 8]);
    }

    #[test]
    fn where_it_would_take_too_long_parameters_stay_as_found() {
        let rare = |back: &[usize], deal: usize| f64::from(u8::from(deal == 30 && back.contains(&7)));
        assert_eq!(left(50, u64::MAX, rare).0.len(), 49);
        assert_eq!(left(50, 20, rare), (vec![], 32, false));
    }
}
