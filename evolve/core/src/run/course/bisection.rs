//! The search for parameters of a finalist that change no outcome. These parameters return to their
//! start values.
//!
//! The parameters that may be without effect, the idle ones, are set back together, and the
//! resulting candidate plays one case after another. If the outcome of a case changes, a path from
//! the finalist to this candidate sets the idle parameters back one by one, and bisection finds the
//! steps that change the outcome. The parameters of these steps keep the finalist's values, and the
//! search starts again with the others.
//!
//! The search ends when no case has another outcome than with the finalist. The parameters that
//! remain were then played together, so parameters that have an effect only in combination are
//! found, too.

use crate::judgement::measured::Measured;
use serde::{Deserialize, Serialize};

/// The state of the search for parameters without effect, between two schedules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bisection {
    /// The finalist's outcome on each case.
    outcomes: Vec<Measured>,
    /// The places of the parameters that may be without effect.
    idle: Vec<usize>,
    /// The next case, or the one on which bisection is under way.
    case: usize,
    /// The number of consecutive cases without a change when all idle parameters are set back.
    passed: usize,
    /// The parts of the path on the current case that change the outcome and have yet to be halved.
    spans: Vec<Span>,
    /// Indices into `idle` of the parameters that were found to change the outcome of the case.
    found: Vec<usize>,
    /// The number of trials so far.
    trials: u64,
    /// Whether the search reached its limit of trials, so that undecided parameters keep the
    /// finalist's values.
    is_cut: bool,
}

/// A part of a path, from the step with the first `from` parameters set back to the step with the
/// first `to` set back, and the outcomes at both ends.
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

impl Bisection {
    /// Starts the search from a finalist's outcomes on some cases and the places of the parameters
    /// that differ from the start.
    pub fn new(outcomes: Vec<Measured>, moved: Vec<usize>) -> Self {
        let (spans, found) = (Vec::new(), Vec::new());
        Bisection { outcomes, idle: moved, case: 0, passed: 0, spans, found, trials: 0, is_cut: false }
    }

    /// Returns the places of the parameters that may be without effect. Once the search is over,
    /// these are without effect.
    pub fn idle(&self) -> &[usize] {
        &self.idle
    }

    /// Returns whether the search needs no more trials.
    pub fn is_over(&self) -> bool {
        self.idle.is_empty() || self.passed >= self.outcomes.len()
    }

    /// Returns whether the search decided every parameter before it reached its limit of trials.
    pub fn is_whole(&self) -> bool {
        !self.is_cut
    }

    /// Returns the next trials, each as the number of leading [`idle`](Self::idle) parameters to
    /// set back, and the case.
    pub fn asks(&self) -> Vec<(usize, usize)> {
        if self.spans.is_empty() {
            // The batch doubles with each pass: a parameter with an effect shows early, and few
            // schedules confirm the rest.
            let (cases, all) = (self.outcomes.len(), self.idle.len());
            let count = self.passed.max(1).min(cases - self.passed);
            return (0..count).map(|i| (all, (self.case + i) % cases)).collect();
        }
        self.spans.iter().map(|span| (span.middle(), self.case)).collect()
    }

    /// Records the outcomes of the requested trials. After `most` trials, undecided parameters
    /// count as having an effect.
    pub fn record(&mut self, outcomes: &[Measured], most: u64) {
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

    /// Records outcomes with all idle parameters set back.
    fn look(&mut self, outcomes: &[Measured]) {
        let cases = self.outcomes.len();
        let same = (0..outcomes.len()).take_while(|i| outcomes[*i] == self.outcomes[(self.case + i) % cases]).count();
        self.case = (self.case + same) % cases;
        match outcomes.get(same) {
            None => self.passed += same,
            Some(changed) => {
                self.passed = 0;
                self.add(Span {
                    from: 0,
                    to: self.idle.len(),
                    ends: [self.outcomes[self.case].clone(), changed.clone()],
                });
            }
        }
    }

    /// Records the outcomes in the middle of each span.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: usize = 40;

    /// Returns the parameters without effect under an outcome function, the number of trials, and
    /// whether all were decided.
    fn left(parameters: usize, most: u64, outcome: impl Fn(&[usize], usize) -> f64) -> (Vec<usize>, u64, bool) {
        let measured = |back: &[usize], case: usize| {
            let score = outcome(back, case);
            Measured { objective: score, score, ..Measured::default() }
        };
        let start = (0..CASES).map(|case| measured(&[], case)).collect();
        let mut effects = Bisection::new(start, (0..parameters).collect());
        while !effects.is_over() {
            let asks = effects.asks();
            let outcomes: Vec<Measured> =
                asks.iter().map(|&(count, case)| measured(&effects.idle()[..count], case)).collect();
            effects.record(&outcomes, most);
        }
        (effects.idle().to_vec(), effects.trials, effects.is_whole())
    }

    #[test]
    fn parameters_without_effect_are_found() {
        // Every third parameter matters, each on some cases only.
        let matters = |place: usize, case: usize| place.is_multiple_of(3) && (case + place).is_multiple_of(5);
        let outcome = |back: &[usize], case: usize| {
            back.iter().filter(|&&place| matters(place, case)).map(|&place| 1.0 + place as f64).sum()
        };
        let (idle, trials, is_whole) = left(136, u64::MAX, outcome);
        assert!(is_whole);
        assert_eq!(idle, (0..136).filter(|&place: &usize| !place.is_multiple_of(3)).collect::<Vec<_>>());
        assert!(trials < 400, "{trials}");
        let (_, trials, _) = left(5, u64::MAX, |back, _| back.len() as f64);
        assert!(trials <= 5, "{trials}");
        assert_eq!(left(5, u64::MAX, |_, case| case as f64), ((0..5).collect(), CASES as u64, true));
    }

    #[test]
    fn parameters_with_a_joint_effect_are_not_set_back_together() {
        let both =
            |back: &[usize], case: usize| f64::from(u8::from(case == 17 && back.contains(&2) && back.contains(&6)));
        assert_eq!(left(9, u64::MAX, both).0, [0, 1, 2, 3, 4, 5, 7, 8]);
    }

    #[test]
    fn undecided_parameters_keep_their_values_at_the_limit() {
        let rare = |back: &[usize], case: usize| f64::from(u8::from(case == 30 && back.contains(&7)));
        assert_eq!(left(50, u64::MAX, rare).0.len(), 49);
        assert_eq!(left(50, 20, rare), (vec![], 32, false));
    }
}
