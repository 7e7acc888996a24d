//! Plays the trials of a unit on the calling thread.

use crate::wire::{Played, Unit};
use evolve_search::evaluator::Opened;
use evolve_search::model::trial::{Failure, FailureKind, PlayError};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Plays the trials of a unit one after another. Stops before a case if `quit` returns true, or
/// after a failure that would end the run, which is then the last outcome. A started case is always
/// finished, because the candidates compared on it belong together. A panic counts as a failure.
pub fn play_unit(opened: &Opened, unit: &Unit, quit: impl Fn() -> bool) -> Vec<(u64, Played)> {
    let mut played = Vec::new();
    let all = AssertUnwindSafe(|| play_into(&mut played, opened, unit, quit));
    if let Err(panic) = catch_unwind(all) {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
        let text = format!("the player panicked: {}", text.unwrap_or("it gave no message"));
        let place = unit.places().nth(played.len()).expect("a trial was under way");
        played.push((place, Err(Failure::new(FailureKind::Panic, text))));
    }
    played
}

fn play_into(played: &mut Vec<(u64, Played)>, opened: &Opened, unit: &Unit, quit: impl Fn() -> bool) {
    let mut begun = None;
    for share in &unit.shares {
        let contender = opened.contender(&share.values);
        let mut player = contender.player();
        for (place, case, rival) in &share.trials {
            if begun != Some(case) && quit() {
                return;
            }
            begun = Some(case);
            match player.play(case, *rival) {
                Ok(outcome) => played.push((*place, Ok(outcome))),
                Err(PlayError::Stopped) => return,
                Err(PlayError::Fatal(failure)) => return played.push((*place, Err(failure))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Share;
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::problem::session;
    use evolve_search::model::seed::Split;
    use evolve_search::model::trial::{Case, Outcome};
    use std::cell::Cell;

    /// Opens a problem whose scores identify the candidate and the case.
    fn products() -> Opened {
        let session = session(|candidate| {
            let factor = candidate.float("factor");
            move |case: &Case| match case.number {
                7 => Err(Failure::new(FailureKind::Signal, "").into()),
                8 => Err(PlayError::Stopped),
                9 => panic!("nine"),
                number => Ok(Outcome::of(factor * number as f64)),
            }
        });
        Opened::new(session, vec![Parameter::float("factor", 0.0, 1000.0, 1.0)])
    }

    #[test]
    fn outcomes_have_the_indices_of_their_trials() {
        let opened = products();
        let case = |number| Case { split: Split::Search, number, seed: 0 };
        let share = |factor, trials: &[(u64, u64)]| Share {
            values: vec![factor],
            trials: trials.iter().map(|&(place, number)| (place, case(number), None)).collect(),
        };
        let of = |shares, quit: &dyn Fn() -> bool| play_unit(&opened, &Unit { round: 1, shares }, quit);
        let scores = |played: Vec<(u64, Played)>| -> Vec<(u64, Option<f64>)> {
            played.into_iter().map(|(place, played)| (place, played.ok().map(|outcome| outcome.score))).collect()
        };
        let all = of(vec![share(2.0, &[(4, 1), (6, 2)]), share(3.0, &[(5, 1)])], &|| false);
        assert_eq!(scores(all), [(4, Some(2.0)), (6, Some(4.0)), (5, Some(3.0))]);
        for (number, ends) in [(7, vec![(5, None)]), (8, vec![]), (9, vec![(5, None)])] {
            let some = scores(of(vec![share(2.0, &[(4, 1), (5, number), (6, 2)])], &|| false));
            assert_eq!(some, [vec![(4, Some(2.0))], ends].concat());
        }
        assert_eq!(of(vec![share(2.0, &[(4, 1)])], &|| true), []);
        let asked = Cell::new(0);
        let quits = || asked.replace(asked.get() + 1) > 0;
        let pair = of(vec![share(2.0, &[(4, 1)]), share(3.0, &[(5, 1), (6, 2)])], &quits);
        assert_eq!(scores(pair), [(4, Some(2.0)), (5, Some(3.0))], "compared trials finish");
    }
}
