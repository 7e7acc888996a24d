//! Tests that parameters of a finalist without effect return to their start.

use super::*;
use crate::fixture::{Bowl, TINY, parse_with};
use crate::job::policy_file::Policy;
use crate::job::{Catalogue, Game, Stage};
use evolve_search::document::Table;
use evolve_search::model::behaviour::{Behaviour, Variation};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Problem, Session};

const CHANGES: [(&str, &str); 3] = [
    ("exclude = [\"*_drift\"]", "exclude = []"),
    ("generations = 3", "generations = 40"),
    ("selection = 8", "selection = 40"),
];

/// Returns a job that also tunes a parameter without effect, and one that has an effect only if
/// moves are turns.
fn job_with_idle() -> Job {
    job(&CHANGES)
}

fn recommended(results: &TempDir, catalogue: &Catalogue) -> Policy {
    Policy::read(&results.path().join("tiny"), catalogue).unwrap()
}

#[test]
fn parameters_without_effect_keep_their_start() {
    let job = job_with_idle();
    let results = folder();
    let verdict = complete(&job, results.path());
    let values = recommended(&results, &catalogue()).values;
    assert!(verdict.is_improvement(), "{verdict}");
    let moved = (0..values.len()).filter(|&place| values[place] != job.space.start()[place]).count();
    assert_eq!(values[2], 0.0, "a parameter without effect");
    assert_eq!(tested(&verdict).0.matter, Some((moved, 7)));
    assert!(
        moved > 1 && verdict.to_string().contains(&format!("\n  parameters        {moved} of 7 have an effect; ")),
        "{verdict}"
    );
    // The search had moved the parameter.
    let rows = fs::read_to_string(file(results.path(), "generations.csv")).unwrap();
    let mut rows = rows.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let column = rows.next().unwrap().iter().position(|name| *name == "mean.slope_far_drift").unwrap();
    assert_ne!(rows.next_back().unwrap()[column], "0");
}

#[test]
fn threads_and_stops_do_not_change_the_result() {
    let job = job_with_idle();
    let whole = whole(&job);
    for count in [1, 16] {
        let results = folder();
        play(Run::start, &job, &threads(&job, count), results.path(), usize::MAX);
        assert_same(&whole, &files(results.path()), &format!("{count} threads"));
    }
    let results = folder();
    let mut stops = 0;
    while play(Run::resume, &job, &threads(&job, 2), results.path(), 1) == Ending::Stopped {
        let text = fs::read_to_string(file(results.path(), "checkpoint")).unwrap();
        stops += usize::from(text.contains("\"stage\":\"effects\""));
    }
    assert!(stops > 5, "{stops}");
    assert_same(&whole, &files(results.path()), "stopped after every batch");
}

#[test]
fn every_trial_is_counted_under_its_stage() {
    let job = job_with_idle();
    let results = folder();
    let evaluator = threads(&job, 2);
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    let Ending::Complete(verdict) = execute(&mut run, usize::MAX).unwrap() else { panic!("nobody stopped it") };
    let spent = run.state().counters.trials;
    assert_eq!([Stage::Baseline, Stage::Search, Stage::Validation].map(|stage| spent[stage]), [30, 600, 60]);
    assert!(spent[Stage::Selection] >= 80 && spent[Stage::Selection].is_multiple_of(40), "{spent:?}");
    assert_eq!(spent[Stage::Test], 2 * tested(&verdict).0.trials as u64);
    // At most a tenth of the search, plus two more batches.
    assert!((40..=60 + 80).contains(&spent[Stage::Effects]), "{spent:?}");
    assert_eq!(spent.total(), run.state().trials());
}

#[test]
fn short_runs_set_no_parameter_back() {
    let changes = [CHANGES[0], CHANGES[1], ("selection = 8", "selection = 5")];
    let results = folder();
    let verdict = complete(&job(&changes), results.path());
    assert!(verdict.is_improvement() && tested(&verdict).0.matter.is_none(), "{verdict}");
    assert_ne!(recommended(&results, &catalogue()).values[2], 0.0, "the value of the search");
}

/// A bowl whose trials do not reproduce, so that a change may be chance.
struct Clocked(Bowl);

impl Problem for Clocked {
    fn name(&self) -> &str {
        "bowl"
    }

    fn options(&self) -> Table {
        self.0.options()
    }

    fn player(&self) -> Option<Table> {
        self.0.player()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour { variation: Variation::Chance, ..Behaviour::default() }
    }

    fn open(&self, context: Context) -> Result<Box<dyn Session>, OpenError> {
        self.0.open(context)
    }
}

#[test]
fn nothing_is_claimed_if_trials_do_not_reproduce() {
    let text = CHANGES.iter().fold(TINY.to_string(), |text, (old, new)| text.replacen(old, new, 1));
    let catalogue = Catalogue::new(&[Game::new(|options, player| Clocked(Bowl { options, player }))]);
    let job = parse_with(&text, &catalogue).unwrap_or_else(|fault| panic!("{fault}"));
    let results = folder();
    let verdict = complete(&job, results.path());
    assert_eq!(tested(&verdict).0.matter, None);
    assert!(verdict.is_improvement() && !verdict.to_string().contains("matter"), "{verdict}");
    assert_ne!(recommended(&results, &catalogue).values[2], 0.0, "the value of the search");
}
