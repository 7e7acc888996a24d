//! `evolve repeat`.

use super::contestants::find_run;
use super::overrides::{Overrides, Set};
use super::progress::show;
use super::{Failure, Outcome, context};
use evolve_core::job::Job;
use evolve_core::names::{CONFIG, TRIALS};
use evolve_core::run::rows::TrialRow;
use evolve_core::run::trials::{PastTrial, Trials};
use evolve_search::evaluator::{Evaluator, Threads, play_candidate};
use evolve_search::model::trial::{self, Case};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Play one trial of a run again, and compare its score with the recorded one
///
/// Takes the values, the instance and the seed of the trial from trials.csv, and plays it with the
/// program as it is now. Changes no file of the run.
///
/// A capped trial is played to its end, so its score only has to be at least as bad as its bound.
///
/// The exit status is 1 if the trial failed or has another score than it had.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve repeat results/first 117
  evolve repeat first 117 --set program.timeout=20s")]
pub struct Args {
    /// Run, by name or folder
    #[arg(value_name = "RUN", add = super::completions::runs())]
    run: PathBuf,

    /// Number of the trial in trials.csv
    #[arg(value_name = "TRIAL")]
    trial: u64,

    /// Set a key of the job, as in program.timeout=20s
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Set>,
}

impl Args {
    pub fn run(self) -> Outcome {
        let folder = find_run(&self.run)?;
        let job = Overrides::new(&self.set).job(&folder.join(CONFIG))?;
        let (row, values) = recorded(&folder, self.trial, &job)?;
        let split = job.plan(job.limits.budget.map(|budget| budget as f64)).split(row.stage);
        let case = Case { split, number: row.number, seed: row.seed };
        let names = job.problem.instances(split).unwrap_or_default();
        let case = at_instance(case, &row.instance, &names).ok_or_else(|| {
            Failure::Usage(format!(
                "the list of instances has changed: {}, which trial {} played, is not in its stage any more",
                row.instance, self.trial
            ))
        })?;
        let threads = Threads::open(&*job.problem, 1, context()).map_err(|error| Failure::Work(error.to_string()))?;
        let outcomes = play_candidate(threads.queue().as_mut(), &values.as_slice().into(), &[case]);
        let outcomes = outcomes.map_err(|error| Failure::Work(error.to_string()))?;
        let [outcome] = &outcomes[..] else { unreachable!("one trial has one outcome") };
        show(&text(&row, &job, &values, outcome))?;
        Ok(ExitCode::from(u8::from(!row.agrees_with(outcome))))
    }
}

/// Returns the case on the instance with this name. Its place in the list may have changed.
fn at_instance(case: Case, name: &str, names: &[String]) -> Option<Case> {
    if case.instance(names) == name {
        return Some(case);
    }
    let place = names.iter().position(|other| other == name)? as u64;
    let round = names.len() as u64;
    Some(Case { number: case.number / round * round + place, ..case })
}

/// Returns the row of a trial, and its values.
fn recorded(folder: &Path, trial: u64, job: &Job) -> Result<(TrialRow, Vec<f64>), Failure> {
    let fault = |what: &str| Failure::Usage(format!("{}: {what}", folder.join(TRIALS).display()));
    let table = Trials::open(folder).ok_or_else(|| fault("no such table: only runs of programs have one"))?;
    let played = table.played(&job.space).into_iter().find(|played| played.row.trial == trial);
    let PastTrial { row, values: tuned } = played.ok_or_else(|| fault(&format!("no trial {trial}")))?;
    let mut values = job.space.start().to_vec();
    for (&place, value) in job.space.tuned_indices().iter().zip(tuned) {
        let name = &job.space.parameters()[place].name;
        values[place] = value.ok_or_else(|| fault(&format!("trial {trial} has no value of {name}")))?;
    }
    Ok((row, values))
}

fn text(row: &TrialRow, job: &Job, values: &[f64], outcome: &trial::Outcome) -> String {
    let names = job.space.tuned().map(|parameter| parameter.name.as_str());
    let values: Vec<String> =
        names.zip(job.space.shown(values)).map(|(name, value)| format!("{name} = {value}")).collect();
    let end = |score: f64, failure: &str| match failure {
        "" => score.to_string(),
        failure => format!("{failure} (counts as {score})"),
    };
    let mut lines = vec![
        format!("trial      {}, {}", row.trial, row.stage.name()),
        format!("instance   {}", row.instance),
        format!("values     {}", values.join(", ")),
        format!("recorded   {}{}", end(row.score, &row.failure), row.or_worse()),
        format!(
            "now        {}",
            end(outcome.score, &outcome.failure.as_ref().map_or(String::new(), |of| of.kind.to_string()))
        ),
    ];
    lines.retain(|line| line.len() > "instance   ".len());
    lines.extend(outcome.failure.as_ref().map(|failure| format!("failure    {}", failure.message)));
    lines.join("\n") + "\n"
}
