//! A candidate and its variants, played side by side on the same cases.

use super::{Queue, Trial, Values, play};
use crate::model::seed::seed;
use crate::model::trial::{Case, Outcome, PlayError, is_swapped, order};

/// How often to play the candidate that the variants are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Once on each case, for all variants, because the outcome would repeat.
    Once,
    /// Again beside each variant. The luck of one play, or a machine that slows down, then affects
    /// only one comparison.
    Anew,
    /// Again beside each variant, but on other cases, because the problem may remember the outcome
    /// of the start on a case.
    Apart,
}

/// A candidate and its variants, with their outcomes.
pub struct Variants {
    kind: Base,
    /// The candidate, then its variants.
    candidates: Vec<Values>,
    base: Vec<Vec<Outcome>>,
    variants: Vec<Vec<Outcome>>,
}

impl Variants {
    /// Creates an empty record of the outcomes of candidates: the first one, and its variants.
    pub fn new(kind: Base, candidates: Vec<Values>) -> Self {
        let variants = candidates.len() - 1;
        let bases = if kind == Base::Once { 1 } else { variants };
        Variants { kind, candidates, base: vec![Vec::new(); bases], variants: vec![Vec::new(); variants] }
    }

    pub fn trials_a_case(kind: Base, variants: usize) -> usize {
        if kind == Base::Once { 1 + variants } else { 2 * variants }
    }

    /// Plays cases in order. The place of a case among all cases decides the [order] of the
    /// candidates on it. Returns the number of trials played.
    ///
    /// # Errors
    /// The first failed trial that does not count. The outcomes of these cases are then discarded.
    pub fn play_cases(&mut self, queue: &mut dyn Queue, cases: &[Case]) -> Result<usize, PlayError> {
        let trials: Vec<(usize, Case)> =
            (self.played()..).zip(cases).flat_map(|(place, case)| self.trials(place, case)).collect();
        let trial = |&(candidate, case): &(usize, Case)| Trial::new(&self.candidates[candidate], case);
        let outcomes = play(queue, trials.iter().map(trial).collect())?;
        let group = if self.kind == Base::Once { trials.len() / cases.len().max(1) } else { 2 };
        for (trials, outcomes) in trials.chunks(group.max(1)).zip(outcomes.chunks(group.max(1))) {
            let beside = trials.iter().map(|&(candidate, _)| candidate).max().unwrap_or(0);
            for (&(candidate, _), outcome) in trials.iter().zip(outcomes) {
                match (candidate, self.kind) {
                    (0, Base::Once) => self.base[0].push(outcome.clone()),
                    (0, _) => self.base[beside - 1].push(outcome.clone()),
                    (variant, _) => self.variants[variant - 1].push(outcome.clone()),
                }
            }
        }
        Ok(trials.len())
    }

    /// Returns the number of cases played so far.
    fn played(&self) -> usize {
        self.base.first().map_or(0, Vec::len)
    }

    /// Returns the trials of a case, each as the index of a candidate, and the case that it plays.
    fn trials(&self, place: usize, case: &Case) -> Vec<(usize, Case)> {
        let apart = |variant: usize| match self.kind {
            Base::Apart => Case { seed: seed(case.seed, case.split, variant as u64, case.number), ..*case },
            _ => *case,
        };
        let variants = self.variants.len();
        if self.kind == Base::Once {
            return order(place, 1 + variants).map(|candidate| (candidate, *case)).collect();
        }
        // Each pair is first on equally many cases, and each member of a pair is first equally
        // often, whatever the pair.
        let first = place / 2 % variants.max(1);
        let pair = |i: usize| {
            let variant = 1 + (first + i) % variants;
            let sides = if is_swapped(place) { [variant, 0] } else { [0, variant] };
            sides.map(|candidate| (candidate, apart(variant)))
        };
        (0..variants).flat_map(pair).collect()
    }

    /// Returns the outcomes of the candidate and of a variant, case by case.
    pub fn pair(&self, variant: usize) -> [&[Outcome]; 2] {
        let base = if self.kind == Base::Once { 0 } else { variant };
        [&self.base[base], &self.variants[variant]]
    }

    /// Returns all outcomes of the candidate.
    pub fn base(&self) -> impl Iterator<Item = &Outcome> {
        self.base.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::Split;

    /// Returns the candidate, the case and the position in the order of play as scores, and records
    /// the trials.
    #[derive(Default)]
    struct Clock {
        trials: Vec<Trial>,
        popped: usize,
    }

    impl Queue for Clock {
        fn push(&mut self, trials: Vec<Trial>) {
            self.trials.extend(trials);
        }

        fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
            let before = self.popped;
            self.popped += count;
            let score = |place: usize| {
                let Trial { candidate, case, .. } = &self.trials[place];
                Outcome::of(1000.0 * candidate[0] + case.number as f64).metrics([place as f64])
            };
            Ok((before..self.popped).map(score).collect())
        }
    }

    fn candidates(count: u32) -> Vec<Values> {
        (0..count).map(|number| Values::from([f64::from(number)])).collect()
    }

    #[test]
    fn the_candidate_is_played_again_beside_every_variant() {
        let cases = Case::first(1, Split::Search, 40);
        for kind in [Base::Anew, Base::Apart] {
            let (mut clock, mut paired) = (Clock::default(), Variants::new(kind, candidates(4)));
            for piece in cases.chunks(7) {
                assert_eq!(paired.play_cases(&mut clock, piece), Ok(piece.len() * Variants::trials_a_case(kind, 3)));
            }
            let mut first = 0;
            for variant in 0..3 {
                let [base, own] = paired.pair(variant);
                assert_eq!((base.len(), own.len()), (40, 40));
                for (number, (base, own)) in base.iter().zip(own).enumerate() {
                    assert_eq!((base.score, own.score), (number as f64, (1000 * (variant + 1) + number) as f64));
                    let lead = base.metrics[0] - own.metrics[0];
                    assert_eq!(lead.abs(), 1.0, "the two plays are adjacent");
                    first += usize::from(lead < 0.0);
                }
            }
            assert_eq!(first, 60, "of 120 pairs begin with the candidate");
            let firsts = clock.trials.chunks(6).map(|of_case| {
                let [first, second] = [&of_case[0], &of_case[1]].map(|trial| trial.candidate[0] as usize);
                (first == 0, first.max(second))
            });
            let mut seen: Vec<(bool, usize)> = firsts.collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 6, "each pair is first on a case, in both orders");
            let seeds = clock.trials.iter().filter(|trial| trial.case.number == 0).map(|trial| trial.case.seed);
            let mut seeds: Vec<u64> = seeds.collect();
            seeds.sort_unstable();
            seeds.dedup();
            assert_eq!(seeds.len(), if kind == Base::Apart { 3 } else { 1 });
        }
    }

    #[test]
    fn reproducible_candidates_are_played_once() {
        let (mut clock, mut paired) = (Clock::default(), Variants::new(Base::Once, candidates(4)));
        let cases = Case::first(1, Split::Search, 40);
        assert_eq!(paired.play_cases(&mut clock, &cases), Ok(160));
        for variant in 0..3 {
            let scores = |row: &[Outcome]| row.iter().map(|outcome| outcome.score).collect::<Vec<_>>();
            let [base, own] = paired.pair(variant).map(scores);
            assert_eq!(base, (0..40).map(f64::from).collect::<Vec<_>>());
            assert!(own.iter().zip(&base).all(|(own, base)| own - base == 1000.0 * (variant + 1) as f64));
        }
    }
}
