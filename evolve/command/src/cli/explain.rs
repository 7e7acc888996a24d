//! `evolve explain`.

use super::contestants::{finalist_of, find_run, run_of_finalist, weights};
use super::progress::{bar, hand_out_json, say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue, check_inputs, context};
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::job::recorded::RecordedVerdict;
use evolve_core::judgement::explain::{Subject, Worth, table};
use evolve_core::names::EXPLANATION;
use evolve_search::evaluator::Threads;
use evolve_search::file::{replace_plain, slashed};
use evolve_search::model::problem::{Context, StopFlags};
use evolve_search::model::seed::Split;
use evolve_search::shell::shell_word;
use evolve_search::statistics::{Interval, counted, digits, grouped};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

/// Measure how much each tuned parameter contributes
///
/// For each tuned parameter, plays a variant of the recommendation in which that parameter has its
/// start value again. A number that still has its start value is set to zero instead. Parameters
/// whose names differ only in the number at their end, such as moves_1 and moves_2, are also reset
/// together. A parameter that follows features is also set to a constant, its level. The worth of a
/// parameter, or of a group, is the score that the variant loses.
///
/// All variants play the same trials as the recommendation: the instances of the test if the job
/// has a list of instances, otherwise new ones. If trials are not deterministic, each variant is
/// compared with trials of the recommendation played immediately before or after it.
///
/// A row says `helps` or `harms` only if its 95 % confidence interval excludes zero. The intervals
/// hold for all rows together (Bonferroni).
///
/// Prints the number of trials before it plays them. Also writes the table to explain.csv in the
/// run's folder, where `evolve report` finds it.
///
/// A run that found no improvement recommends the baseline, and there is nothing to explain;
/// `RUN:finalist` explains the finalist of its test, and writes no file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve explain results/first
  evolve explain first --trials 5000
  evolve explain first:finalist
  evolve explain first --json")]
pub struct Args {
    /// Run, by name or folder, or RUN:finalist
    #[arg(value_name = "RUN", add = super::completions::runs())]
    run: String,

    /// Number of trials of each variant [default: 400; with a list of instances, one for each
    /// instance, but at least 30 unless replicates would be identical]
    #[arg(short = 'n', long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    trials: Option<u32>,

    /// Seed of the trials
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Number of parallel trials; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A row of the table.
#[derive(Serialize)]
struct Row<'a> {
    parameter: &'a str,
    set_to: &'static str,
    /// The mean, and the ends of its interval.
    worth: Interval,
    #[serde(skip_serializing_if = "Option::is_none")]
    trials_changed: Option<f64>,
}

impl<'a> Row<'a> {
    fn of(Worth { part, worth, trials_changed }: &'a Worth) -> Self {
        Row { parameter: &part.name, set_to: part.to.name(), worth: *worth, trials_changed: *trials_changed }
    }
}

/// The largest total number of trials, because memory holds all outcomes.
const MOST_TRIALS: usize = 5_000_000;

impl Args {
    /// Plays, writes the table, and reports.
    pub fn run(self) -> Outcome {
        let name = Path::new(&self.run);
        let finalist = run_of_finalist(name);
        let folder = find_run(finalist.unwrap_or(name))?;
        let job = Job::recorded(&folder, catalogue())
            .map_err(|fault| Failure::Usage(format!("{fault}\n(`evolve explain` takes the folder of a run)")))?;
        let policy = weights(name)?;
        if policy.recommends_baseline() {
            return Err(Failure::Usage(self.of_baseline(&policy)));
        }
        let problem = &*job.problem;
        let context = Context { stop: StopFlags::all(&super::interrupt::flag()?), ..context() };
        let instances = problem.instances(Split::Measurement).map(|names| names.len().max(30));
        let trials = self.trials.map_or(instances.unwrap_or(400), |trials| trials as usize);
        let trials = problem.worth_playing(Split::Measurement, trials);
        // Further trials of the only case would repeat it.
        let trials = if problem.behaviour().is_one_case() { trials.min(2) } else { trials };
        let subject = Subject { problem, space: &job.space, values: &policy.values };
        let all = trials * subject.candidates();
        if all > MOST_TRIALS {
            return Err(Failure::Usage(format!(
                "{} of each variant are {}, and the maximum is {}: set --trials {}",
                counted(trials as u64, "trial"),
                grouped(all as u64),
                grouped(MOST_TRIALS as u64),
                MOST_TRIALS / subject.candidates()
            )));
        }
        let (candidates, each) = (counted(subject.candidates() as u64, "candidate"), counted(trials as u64, "trial"));
        let repeated = match subject.repeated(trials) {
            0 => String::new(),
            repeated => format!(", and {} to see whether they repeat", grouped(repeated as u64)),
        };
        say(&format!("{}: {candidates}, {each} each{repeated}", job.name));
        let fixed = subject.fixed();
        if !fixed.is_empty() {
            say(&format!("not set back, because the rest is forbidden: {}", fixed.join(", ")));
        }
        let evaluator = Threads::open(problem, self.parallel, context)?;
        let bar = bar(0, "{pos} of {len} trials played, about {eta} left");
        let mut progress = |played: usize, of: usize| {
            bar.set_length(of as u64);
            bar.set_position(played as u64);
        };
        let worths = subject.explain(&evaluator, self.seed, trials, &mut progress);
        bar.finish_and_clear();
        let worths = worths?;
        check_inputs(&evaluator)?;
        if self.json {
            hand_out_json(&worths.iter().map(Row::of).collect::<Vec<_>>())?;
        } else {
            show(&text(&job, &worths, trials))?;
        }
        // Reports show the table beside the recommended values.
        if finalist.is_none() {
            let path = folder.join(EXPLANATION);
            replace_plain(&path, table(&worths).as_bytes()).map_err(Failure::at(&path))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Says that there is nothing to explain.
    fn of_baseline(&self, policy: &Policy) -> String {
        let run = &self.run;
        let kept = format!("{run} found no improvement and recommends the baseline, so no parameter contributes");
        match policy.verdict.as_ref().and_then(RecordedVerdict::interval) {
            Some(_) => {
                let finalist = shell_word(&slashed(&finalist_of(Path::new(run))));
                format!("{kept}; explain the finalist of its test with: evolve explain {finalist}")
            }
            None => kept,
        }
    }
}

/// Formats the table for people. If `trials` are all there are and repeat exactly, so are their
/// means.
fn text(job: &Job, worths: &[Worth], trials: usize) -> String {
    let reproduces = worths.iter().any(|one| one.trials_changed.is_some());
    let is_exact = reproduces && job.problem.is_exact(trials);
    let mut table = Table::new([Align::Left, Align::Left, Align::Right, Align::Left, Align::Left, Align::Right]);
    let changed = if reproduces { "trials changed" } else { "" };
    table.row([&"parameter", &"set to", &"worth", &"interval", &"result", &changed]);
    for Worth { part, worth, trials_changed } in worths {
        let Interval { mean, low, high } = *worth;
        let digits = digits(worth.half_width(), mean);
        let interval = match low.is_finite() {
            true if is_exact => "exact".to_string(),
            true => format!("{low:+.digits$} to {high:+.digits$}"),
            false => "too few trials".to_string(),
        };
        let result = match worth.clearly("helps", "harms") {
            "" => "not clear",
            clear => clear,
        };
        // The share of changed trials means nothing if no trial repeats exactly.
        let changed = trials_changed.map(|share| format!("{:.1} %", 100.0 * share)).unwrap_or_default();
        table.row([&part.name, &part.to.name(), &format!("{mean:+.digits$}"), &interval, &result, &changed]);
    }
    let joint = match worths.len() {
        _ if is_exact => "the trials are all there are, and repeat exactly".to_string(),
        1 => "95 % interval".to_string(),
        rows => format!("95 % intervals for all {rows} rows together (Bonferroni)"),
    };
    format!("{}: {}\n\n{table}{joint}\n", job.name, job.problem.title())
}
