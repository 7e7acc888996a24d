use std::time::Duration;

use super::*;
use crate::verdict::Verdict;

fn dialogue(scores: &[f64], seconds: f64, verdict: Verdict) -> Dialogue {
    let outcomes = scores
        .iter()
        .map(|&score| Outcome { score, metrics: vec![score / 4.0, score * 3.0 / 4.0], ..Outcome::default() })
        .collect();
    Dialogue { outcomes, time: Duration::from_secs_f64(seconds), verdict, stderr: String::new(), transcript: None }
}

fn correct(score: f64) -> Dialogue {
    dialogue(&[score], 0.5, Verdict::Correct)
}

fn lingered(scores: &[f64]) -> Dialogue {
    dialogue(scores, 2.0, Verdict::Lingered { grace: Duration::from_secs(1) })
}

fn summed_up(dialogues: &[Dialogue], games_each: usize, failed_score: f64) -> Report {
    Report::new(dialogues, &Metrics::new(&["area", "bonus"], &[]), 0, games_each, failed_score)
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-12
}

#[test]
fn a_known_sample() {
    let scores = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
    let report = summed_up(&scores.map(correct), 1, 0.0);
    let score = report.scores.score.unwrap();
    assert_eq!((report.scores.games, report.failed), (8, 0));
    assert!(close(score.mean, 5.0));
    assert!(close(score.standard_deviation.unwrap(), (32.0_f64 / 7.0).sqrt()));
    assert!(close(score.standard_error.unwrap(), (32.0_f64 / 56.0).sqrt()));
    assert_eq!((score.min, score.q25, score.median, score.q75, score.max), (2.0, 4.0, 4.5, 5.5, 9.0));
    assert!(close(score.q05, 2.7) && close(score.q95, 8.3));
    assert_eq!(report.mean_of_correct, Some(score.mean));
    assert_eq!(report.scores.parts[0], Part { name: "area".into(), mean: 1.25 });
    assert_eq!(report.scores.parts[1], Part { name: "bonus".into(), mean: 3.75 });
}

#[test]
fn a_failed_dialogue_loses_all_its_games() {
    let dialogues = [
        dialogue(&[6.0, 12.0], 1.0, Verdict::Correct),
        lingered(&[100.0]),
        dialogue(&[6.0, 0.0], 2.0, Verdict::Correct),
    ];
    let report = summed_up(&dialogues, 2, 0.0);
    assert_eq!((report.dialogues, report.scores.games, report.failed), (3, 6, 1));
    assert_eq!(report.scores.score.as_ref().unwrap().mean, 4.0);
    assert_eq!(report.scores.score.as_ref().unwrap().max, 12.0);
    assert_eq!(report.mean_of_correct, Some(6.0));
    assert_eq!(report.scores.parts.iter().map(|part| part.mean).sum::<f64>(), 4.0);
    assert_eq!(report.failed_by_kind, BTreeMap::from([("lingered", 1)]));
    assert_eq!(report.failures[0].dialogue, 1);
    let time = report.time.unwrap();
    assert_eq!((time.slowest_dialogue, time.slowest), (1, 2.0));
    assert!(close(time.mean, 5.0 / 3.0));
}

#[test]
fn a_failure_is_no_better_than_the_worst_game() {
    let report = summed_up(&[correct(-3.0), lingered(&[])], 1, -98.0);
    let score = report.scores.score.as_ref().unwrap();
    assert_eq!((score.min, score.max, score.mean), (-98.0, -3.0, -50.5));
    assert_eq!((report.mean_of_correct, report.failed_score), (Some(-3.0), -98.0));
    assert!(report.to_string().contains("counted as score -98"), "{report}");
}

#[test]
fn samples_of_no_and_one_dialogue() {
    let none = summed_up(&[], 1, 0.0);
    assert_eq!((none.scores.score.clone(), none.mean_of_correct, none.time.clone()), (None, None, None));
    assert_eq!(none.to_string(), "games   0\nfailed  0\n");

    let score = summed_up(&[correct(3.0)], 1, 0.0).scores.score.unwrap();
    assert_eq!((score.mean, score.q05, score.q95), (3.0, 3.0, 3.0));
    assert_eq!((score.standard_deviation, score.standard_error), (None, None));

    let failed = summed_up(&[lingered(&[])], 1, 0.0);
    assert_eq!((failed.scores.games, failed.mean_of_correct, failed.scores.parts.len()), (1, None, 2));
    assert_eq!(failed.scores.score.unwrap().mean, 0.0);
}

#[test]
fn a_report_as_text() {
    let dialogues = [correct(1200.0), lingered(&[]), correct(800.0), correct(1000.5)];
    insta::assert_snapshot!(summed_up(&dialogues, 1, 0.0).to_string(), @r"
    games                      4
    failed                     1 counted as score 0
      lingered                 1

    mean score             750.1
      standard error       263.0
      standard deviation   526.1
      of correct games    1000.2 without those failed
      area                 187.5 part
      bonus                562.6 part

    lowest score             0.0
       5 %                 120.0
      25 %                 600.0
      median               900.2
      75 %                1050.4
      95 %                1170.1
    highest score         1200.0

    mean time              0.875 s
    longest time           2.000 s, game 1
    ");
}

#[test]
fn a_report_as_json() {
    let json = serde_json::to_value(summed_up(&[correct(4.0), lingered(&[])], 1, 0.0)).unwrap();
    assert_eq!(json["score"]["mean"], 2.0);
    assert_eq!(json["parts"][1]["name"], "bonus");
    assert_eq!(json["failed_by_kind"]["lingered"], 1);
    assert_eq!(json["failures"][0]["dialogue"], 1);
    assert_eq!(json["failures"][0]["kind"], "lingered");
    assert_eq!(json["failures"][0]["message"], "still running 1.000 s after the game was over");
}
