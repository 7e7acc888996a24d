//! Single games: rows of a table, and a comparison of two programs on the same games.

use super::process::Dialogue;
use evolve_search::model::trial::{Metrics, Outcome};
use evolve_search::statistics::{Estimate, Interval, LEAST_SAMPLE};
use serde::Serialize;
use std::io::{self, Write};

/// The result of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game<'d> {
    /// The number of the dialogue that contains the game.
    pub dialogue: u64,
    /// The index of the game in the dialogue, from 0.
    pub place: usize,
    /// The end of the dialogue, see [`Verdict::kind`](super::verdict::Verdict::kind).
    pub result: &'static str,
    /// The score, in the contest's unit.
    pub score: f64,
    /// The time of the whole dialogue in seconds.
    pub seconds: f64,
    /// The referee's outcome; `None` if the dialogue failed.
    pub outcome: Option<&'d Outcome>,
}

/// Returns the games of dialogues that are numbered from `first` and should have `games_each` games
/// each. Every game of a failed dialogue gets the score `failed`.
pub fn games(dialogues: &[Dialogue], first: u64, games_each: usize, failed: f64) -> Vec<Game<'_>> {
    let of_dialogue = |(number, dialogue)| of_dialogue(number, dialogue, games_each, failed);
    (first..).zip(dialogues).flat_map(of_dialogue).collect()
}

fn of_dialogue(number: u64, dialogue: &Dialogue, games_each: usize, failed: f64) -> impl Iterator<Item = Game<'_>> {
    let is_correct = dialogue.verdict.is_correct();
    let count = if is_correct { dialogue.outcomes.len() } else { games_each };
    (0..count).map(move |place| {
        let outcome = dialogue.outcomes.get(place).filter(|_| is_correct);
        Game {
            dialogue: number,
            place,
            result: dialogue.verdict.kind(),
            score: outcome.map_or(failed, |outcome| outcome.score),
            seconds: dialogue.time.as_secs_f64(),
            outcome,
        }
    })
}

/// Writes a row for each game: `game`, `place` in its dialogue, `result`, `score`, `seconds`, then
/// the named parts of the score and kinds of the game, which are empty if the dialogue failed. If
/// `against` has the games of another program on the same deals, `against_result`, `against_score`
/// and `against_seconds` follow `seconds`.
pub fn write_csv(output: impl Write, metrics: &Metrics, games: &[Game], against: Option<&[Game]>) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    let Metrics { names, groups, .. } = metrics;
    let mut header = vec!["game", "place", "result", "score", "seconds"];
    if against.is_some() {
        header.extend(["against_result", "against_score", "against_seconds"]);
    }
    header.extend(names.iter().chain(groups).map(String::as_str));
    writer.write_record(&header)?;
    for (i, game) in games.iter().enumerate() {
        let measured = |game: &Game| [game.result.to_string(), game.score.to_string(), format!("{:.3}", game.seconds)];
        let mut row = vec![game.dialogue.to_string(), game.place.to_string()];
        row.extend(measured(game));
        if let Some(against) = against {
            row.extend(against.get(i).map_or([const { String::new() }; 3], measured));
        }
        let outcome = game.outcome;
        let metric = |place: usize| outcome.and_then(|outcome| outcome.metrics.get(place)).map(f64::to_string);
        let group = |place: usize| outcome.and_then(|outcome| outcome.groups.get(place)).cloned();
        row.extend((0..names.len()).map(|place| metric(place).unwrap_or_default()));
        row.extend((0..groups.len()).map(|place| group(place).unwrap_or_default()));
        writer.write_record(&row)?;
    }
    writer.flush()
}

/// The comparison of two programs on the same games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairs {
    /// The number of games that both programs played.
    pub games: usize,
    /// The mean score of the second program.
    pub score: f64,
    /// The number of failed dialogues of the second program.
    pub failed: usize,
    /// The mean difference of scores, the first program's minus the second's, game by game.
    pub difference: f64,
    /// The lower end of the 95 % confidence interval of the mean difference; the next field is the
    /// upper end.
    pub low: f64,
    pub high: f64,
    /// The number of games in which the first program scored more.
    pub more: usize,
    /// The number of games in which the first program scored less.
    pub less: usize,
}

impl Pairs {
    /// Compares two programs on the games that both played, matched by number.
    pub fn new(games: &[Game], against: &[Game], failed: usize) -> Self {
        let pairs: Vec<(f64, f64)> = games.iter().zip(against).map(|(a, b)| (a.score, b.score)).collect();
        let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let Interval { mean, low, high } = Estimate::paired(&ours, &theirs).interval();
        Pairs {
            games: pairs.len(),
            score: Estimate::of(&theirs).mean,
            failed,
            difference: mean,
            low,
            high,
            more: pairs.iter().filter(|(a, b)| a > b).count(),
            less: pairs.iter().filter(|(a, b)| a < b).count(),
        }
    }

    /// Returns the answer that the interval gives.
    pub fn answer(&self) -> &'static str {
        match self {
            Pairs { games, .. } if *games < LEAST_SAMPLE => "too few games for an answer",
            Pairs { low, .. } if *low > 0.0 => "better",
            Pairs { high, .. } if *high < 0.0 => "worse",
            _ => "no significant difference",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;
    use std::time::Duration;

    fn metrics() -> Metrics {
        Metrics::new(&["made"], &["size"])
    }

    fn dialogue(scores: &[f64], is_correct: bool) -> Dialogue {
        let outcome =
            |&score: &f64| Outcome { metrics: vec![score / 2.0], groups: vec!["5".to_string()], ..Outcome::of(score) };
        Dialogue {
            outcomes: scores.iter().map(outcome).collect(),
            time: Duration::from_millis(250),
            verdict: if is_correct { Verdict::Correct } else { Verdict::EarlyEnd { line: 1, running: false } },
            stderr: String::new(),
            transcript: None,
        }
    }

    #[test]
    fn every_game_is_a_row_including_those_of_failed_dialogues() {
        let dialogues = [dialogue(&[4.0, 6.0], true), dialogue(&[8.0], false)];
        let games = games(&dialogues, 7, 2, -1.0);
        let mut text = Vec::new();
        write_csv(&mut text, &metrics(), &games, None).unwrap();
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r"
        game,place,result,score,seconds,made,size
        7,0,correct,4,0.250,2,5
        7,1,correct,6,0.250,3,5
        8,0,early end,-1,0.250,,
        8,1,early end,-1,0.250,,
        ");
        let mut text = Vec::new();
        write_csv(&mut text, &metrics(), &games[..2], Some(&games[2..3])).unwrap();
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r"
        game,place,result,score,seconds,against_result,against_score,against_seconds,made,size
        7,0,correct,4,0.250,early end,-1,0.250,2,5
        7,1,correct,6,0.250,,,,3,5
        ");
    }

    #[test]
    fn programs_are_compared_game_by_game() {
        let ours = [dialogue(&[4.0, 6.0, 9.0], true)];
        let theirs = [dialogue(&[3.0, 4.0, 6.0], true)];
        let (ours, theirs) = (games(&ours, 0, 3, 0.0), games(&theirs, 0, 3, 0.0));
        let pairs = Pairs::new(&ours, &theirs, 0);
        assert_eq!((pairs.games, pairs.difference, pairs.more, pairs.less), (3, 2.0, 3, 0));
        // The half-width is t(2) times the standard deviation, 1, over the root of 3.
        assert!((pairs.high - 2.0 - 4.302_652_73 / 3f64.sqrt()).abs() < 1e-6, "{pairs:?}");
        assert_eq!(pairs.answer(), "too few games for an answer");
        assert_eq!(Pairs { games: 100, ..pairs.clone() }.answer(), "no significant difference");
        assert_eq!(Pairs { games: 100, low: 0.5, ..pairs }.answer(), "better");
        assert_eq!(Pairs::new(&theirs, &ours[..2], 0).games, 2);
    }
}
