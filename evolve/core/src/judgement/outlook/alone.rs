//! Trials repeated alone, to see whether trials that run at the same time disturb each other.

use super::SHARED;
use crate::judgement::effect::changed;
use evolve_search::evaluator::{Queue, Values, play_candidate};
use evolve_search::model::trial::{Case, Failure, Outcome, PlayError};

/// The usual number of trials that are repeated alone.
pub const ALONE: usize = 4;

/// When a repeated trial has the same outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    Always,
    /// If no other trial runs at the same time.
    Alone,
    /// Not even then.
    Never,
}

/// Plays trials side by side.
///
/// # Errors
/// The first failed trial, if failures end the run. If no trial fails when it is repeated alone,
/// the error names what trials may share.
pub fn beside(queue: &mut dyn Queue, candidate: &Values, cases: &[Case]) -> Result<Vec<Outcome>, PlayError> {
    let failure = match play_candidate(queue, candidate, cases) {
        Err(PlayError::Fatal(failure)) if cases.len() > 1 => failure,
        done => return done,
    };
    let advice = match one_by_one(queue, candidate, &cases[..cases.len().min(ALONE)]) {
        Ok(_) => Some(format!("no trial fails alone: {SHARED}")),
        Err(PlayError::Fatal(_)) => None,
        Err(PlayError::Stopped) => return Err(PlayError::Stopped),
    };
    Err(Failure { advice, ..failure }.into())
}

fn one_by_one(queue: &mut dyn Queue, candidate: &Values, cases: &[Case]) -> Result<Vec<Outcome>, PlayError> {
    let outcomes = cases.iter().map(|&case| play_candidate(queue, candidate, &[case]));
    Ok(outcomes.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Repeats trials one at a time. `beside` are their outcomes when they ran side by side. Returns
/// the outcomes of the first repetition, too.
///
/// # Errors
/// The first failed trial, if failures end the run.
pub fn alone(
    queue: &mut dyn Queue,
    candidate: &Values,
    cases: &[Case],
    beside: &[Outcome],
) -> Result<(Repeats, Vec<Outcome>), PlayError> {
    let first = one_by_one(queue, candidate, cases)?;
    if changed(beside, &first) == 0 {
        return Ok((Repeats::Always, first));
    }
    // Only outcomes that repeat show that the others are the reason.
    let repeats = match changed(&first, &one_by_one(queue, candidate, cases)?) {
        0 => Repeats::Alone,
        _ => Repeats::Never,
    };
    Ok((repeats, first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::evaluator::Trial;
    use evolve_search::model::seed::Split;
    use evolve_search::model::trial::FailureKind;

    /// Plays trials whose scores depend on the number of trials beside them, or on the number of
    /// those before.
    struct Disturbed {
        by_others: bool,
        by_time: bool,
        played: usize,
        trials: Vec<Trial>,
    }

    impl Queue for Disturbed {
        fn push(&mut self, trials: Vec<Trial>) {
            self.trials = trials;
        }

        fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
            self.played += 1;
            let wrong = usize::from(self.by_others) * count + usize::from(self.by_time) * self.played;
            Ok(self.trials.iter().map(|trial| Outcome::of((trial.case.number as usize + wrong) as f64)).collect())
        }
    }

    #[test]
    fn the_reason_of_other_outcomes_is_found() {
        for (by_others, by_time, repeats) in
            [(false, false, Repeats::Always), (true, false, Repeats::Alone), (true, true, Repeats::Never)]
        {
            let mut queue = Disturbed { by_others, by_time, played: 0, trials: Vec::new() };
            let cases = Case::first(1, Split::Validation, 3);
            let beside = super::beside(&mut queue, &Values::from([]), &cases).unwrap();
            assert_eq!(alone(&mut queue, &Values::from([]), &cases, &beside).unwrap().0, repeats);
        }
    }

    /// Fails if others run at the same time, or always.
    struct Fails(bool);

    impl Queue for Fails {
        fn push(&mut self, _: Vec<Trial>) {}

        fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
            match self.0 || count > 1 {
                true => Err(Failure::new(FailureKind::Exit, "no file").into()),
                false => Ok(vec![Outcome::of(1.0)]),
            }
        }
    }

    #[test]
    fn a_failure_that_does_not_repeat_alone_names_what_trials_share() {
        let cases = Case::first(1, Split::Validation, 3);
        for (always, advice) in [(false, true), (true, false)] {
            let error = beside(&mut Fails(always), &Values::from([]), &cases).unwrap_err().to_string();
            assert!(error.starts_with("exit code: no file"), "{error}");
            assert_eq!(error.contains(SHARED), advice, "{error}");
        }
    }
}
