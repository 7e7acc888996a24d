//! Trials repeated alone, to see whether trials that run at the same time disturb each other.

use crate::evaluator::{Round, evaluate_candidate};
use crate::judgement::effect::changed;
use crate::model::trial::{Deal, Outcome, PlayError};

/// The usual number of trials that are repeated alone.
pub const ALONE: usize = 4;

/// When a repeated trial has the same outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Always.
    Always,
    /// If no other trial runs at the same time.
    Alone,
    /// Not even then.
    Never,
}

/// Repeats trials one at a time. `beside` are their outcomes when they ran side by side.
///
/// # Errors
/// The first failed trial, if failures end the run.
pub fn alone(
    round: &mut dyn Round,
    candidate: usize,
    deals: &[Deal],
    beside: &[Outcome],
) -> Result<Repeats, PlayError> {
    let mut repeat = || -> Result<Vec<Outcome>, PlayError> {
        let outcomes = deals.iter().map(|&deal| evaluate_candidate(round, candidate, &[deal]));
        Ok(outcomes.collect::<Result<Vec<_>, _>>()?.concat())
    };
    let first = repeat()?;
    if changed(beside, &first) == 0 {
        return Ok(Repeats::Always);
    }
    // Only outcomes that repeat show that the others are the reason.
    Ok(if changed(&first, &repeat()?) == 0 { Repeats::Alone } else { Repeats::Never })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Trial;
    use crate::model::seed::Split;

    /// Plays trials whose scores depend on the number of trials beside them, or on the number of those before.
    struct Disturbed {
        by_others: bool,
        by_time: bool,
        played: usize,
    }

    impl Round for Disturbed {
        fn add(&mut self, _: &[Vec<f64>]) {}

        fn evaluate(&mut self, trials: &[Trial]) -> Result<Vec<Outcome>, PlayError> {
            self.played += 1;
            let wrong = usize::from(self.by_others) * trials.len() + usize::from(self.by_time) * self.played;
            Ok(trials.iter().map(|trial| Outcome::of((trial.deal.number as usize + wrong) as f64)).collect())
        }
    }

    #[test]
    fn the_reason_of_other_outcomes_is_found() {
        for (by_others, by_time, repeats) in
            [(false, false, Repeats::Always), (true, false, Repeats::Alone), (true, true, Repeats::Never)]
        {
            let mut round = Disturbed { by_others, by_time, played: 0 };
            let deals = Deal::first(1, Split::Validation, 3);
            let beside = evaluate_candidate(&mut round, 0, &deals).unwrap();
            assert_eq!(alone(&mut round, 0, &deals, &beside).unwrap(), repeats);
        }
    }
}
