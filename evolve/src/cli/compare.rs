//! `evolve compare`.

use super::contestants::{Contestant, read};
use super::progress::{say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome};
use evolve_core::comparison::{Answer, Comparison, Units};
use evolve_core::evaluator::{Evaluator, Threads, Trial};
use evolve_core::problem::Problem;
use evolve_core::seed::Purpose;
use evolve_core::statistics::{Estimate, LEAST_SAMPLE, decimals};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Compares policies on the same fresh games until the answer is clear
///
/// Takes two or more: runs by name or folder, weights files, jobs (their starting weights), `defaults`, or another version
/// of a program as `NAME: COMMAND`, which has the instances and scores of the job or run beside it. All play the same
/// games, and each is compared with the first, game by game. After every batch the answer is looked at, by an interval
/// that holds however often one looks; games end when each answer is clear, or at --games.
///
/// Where a program has a list of instances, its games are those that no search saw, and repetitions of an instance count
/// as one. With more than two, the error rate is shared among the comparisons. The exit status is 0, whatever the answer.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve compare results/first defaults
  evolve compare results/first results/second job.toml --games 100000
  evolve compare results/first results/second --margin 0.5 --json
  evolve compare 'old: ./v1 {seed}' 'new: ./v2 {seed}'
  evolve compare job.toml 'new: ./v2 --k {k} {seed}'")]
pub struct Args {
    /// Runs, weights files, jobs, `defaults`, or `NAME: COMMAND`
    #[arg(required = true, num_args = 2.., value_name = "POLICY")]
    policies: Vec<String>,

    /// Games to play at most, each by all [default: 10000, or each instance once]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(2..))]
    games: Option<u32>,

    /// Differences within this count as none, so that policies can be found the same
    #[arg(long, value_name = "DIFFERENCE", default_value_t = 0.0, value_parser = margin)]
    margin: f64,

    /// The share of answers that may be wrong
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = error)]
    error: f64,

    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games to play at the same time; 0: one for each core
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    threads: usize,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn margin(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    (value.is_finite() && value >= 0.0).then_some(value).ok_or_else(|| "a margin is 0 or more".to_string())
}

fn error(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    (0.0001..=0.5).contains(&value).then_some(value).ok_or_else(|| "an error rate is from 0.0001 to 0.5".to_string())
}

/// One that played, and how it compares with the first.
#[derive(Serialize)]
struct Row {
    policy: String,
    score: f64,
    standard_error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
}

#[derive(Serialize)]
struct Compared {
    answer: &'static str,
    difference: f64,
    low: f64,
    high: f64,
    wins: u64,
    losses: u64,
}

#[derive(Serialize)]
struct Document {
    problem: String,
    seed: u64,
    games: usize,
    /// How many instances the games are of, where there is a list of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
    error: f64,
    margin: f64,
    policies: Vec<Row>,
}

impl Args {
    /// Plays and reports.
    pub fn run(self) -> Outcome {
        let contestants = read(&self.policies)?;
        let units = self.units(contestants[0].policy.source.problem)?;
        let others = contestants.len() - 1;
        let mut comparisons = vec![units.comparison(self.error / others as f64, self.margin); others];
        let scores = self.play(&contestants, units, &mut comparisons)?;
        let document = self.document(&contestants, units, &comparisons, &scores);
        let mut stdout = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut stdout, &document).map_err(io::Error::from)?;
            writeln!(stdout)?;
        } else {
            drop(stdout);
            show(&text(&document))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What is played at most, in what counts as one.
    fn units(&self, problem: &dyn Problem) -> Result<Units, Failure> {
        let instances = problem.instances(Purpose::Measurement).map(|names| names.len());
        let most = self.games.map_or(instances.unwrap_or(10_000), |games| games as usize);
        match instances {
            None if most < LEAST_SAMPLE => Err(Failure::Usage(format!("--games {most}: {LEAST_SAMPLE} are the least"))),
            _ => Ok(Units::of(problem, Purpose::Measurement, most)),
        }
    }

    /// Plays until every answer is clear; the scores of each.
    fn play(&self, all: &[Contestant], units: Units, comparisons: &mut [Comparison]) -> Result<Vec<Vec<f64>>, Failure> {
        let most = units.count;
        // One evaluator each: players may differ.
        let threads = all.iter().map(|one| {
            let source = &one.policy.source;
            Threads::new(source.problem, &source.setup, self.threads).map_err(Failure::Work)
        });
        let threads: Vec<Threads> = threads.collect::<Result<_, _>>()?;
        let candidates: Vec<[Vec<f64>; 1]> = all.iter().map(|one| [one.policy.values.clone()]).collect();
        let mut rounds: Vec<_> = threads.iter().zip(&candidates).map(|(one, candidate)| one.round(candidate)).collect();
        let style = ProgressStyle::with_template("{pos} of at most {len} games each, {msg}");
        let bar = ProgressBar::new(units.deals as u64).with_style(style.expect("the template is well-formed"));
        let mut scores = vec![Vec::new(); all.len()];
        let mut played = 0;
        while played < most && comparisons.iter().any(|comparison| comparison.answer() == Answer::Open) {
            let size = units.next_batch(played);
            let deals = units.between(self.seed, Purpose::Measurement, played, played + size);
            let trials: Vec<Trial> = deals.into_iter().map(|deal| Trial { candidate: 0, deal }).collect();
            let mut objectives = Vec::new();
            for (round, scores) in rounds.iter_mut().zip(&mut scores) {
                let outcomes = round.play(&trials).map_err(|failure| Failure::Work(failure.to_string()))?;
                scores.extend(outcomes.iter().map(|outcome| outcome.score));
                objectives.push(outcomes.iter().map(|outcome| outcome.objective).collect::<Vec<_>>());
            }
            for (comparison, objectives_of) in comparisons.iter_mut().zip(&objectives[1..]) {
                let differences: Vec<f64> = objectives[0].iter().zip(objectives_of).map(|(a, b)| a - b).collect();
                units.means(played, &differences).into_iter().for_each(|difference| comparison.add(difference));
            }
            played += size;
            bar.inc(trials.len() as u64);
            let open = comparisons.iter().filter(|comparison| comparison.answer() == Answer::Open).count();
            bar.set_message(format!("{open} answers open"));
        }
        bar.finish_and_clear();
        say(&format!("{} games each", scores[0].len()));
        Ok(scores)
    }

    fn document(&self, all: &[Contestant], units: Units, comparisons: &[Comparison], scores: &[Vec<f64>]) -> Document {
        let compared = |comparison: &Comparison| {
            let (low, high) = comparison.interval();
            let (wins, losses) = comparison.wins_and_losses();
            let answer = match comparison.answer() {
                Answer::Better => "the first is better",
                Answer::Worse => "the first is worse",
                Answer::Same => "the same within the margin",
                Answer::Open => "not clear",
            };
            Compared { answer, difference: comparison.mean(), low, high, wins, losses }
        };
        let rows = all.iter().zip(scores).enumerate().map(|(i, (one, scores))| {
            let Estimate { mean, standard_error, .. } = Estimate::of(scores);
            let compared = i.checked_sub(1).map(|i| compared(&comparisons[i]));
            Row { policy: evolve_process::plain(&one.name), score: mean, standard_error, compared }
        });
        Document {
            problem: all[0].policy.source.title(),
            seed: self.seed,
            games: scores[0].len(),
            instances: units.instances.then(|| comparisons[0].count()),
            error: self.error,
            margin: self.margin,
            policies: rows.collect(),
        }
    }
}

/// The answers for a person.
fn text(document: &Document) -> String {
    let Document { problem, games, instances, error, policies, .. } = document;
    let digits = policies.iter().map(|row| decimals(row.score.abs())).min().unwrap_or(2);
    let mut scores = Table::new([Align::Left, Align::Right, Align::Right]);
    scores.row([&"policy", &"score", &"standard error"]);
    for Row { policy, score, standard_error, .. } in policies {
        scores.row([policy, &format!("{score:.digits$}"), &format!("{standard_error:.digits$}")]);
    }
    let sure = 100.0 * (1.0 - error);
    let (of, unit) = match instances {
        Some(count) => (format!(" of {count} instances"), "instances"),
        None => (String::new(), "games"),
    };
    let mut text = format!("{problem}, {games} games{of} each\n\n{scores}\n");
    for row in &policies[1..] {
        let Some(Compared { answer, difference, low, high, wins, losses }) = &row.compared else { continue };
        // Differences are of what is optimized, which may be of another size than scores.
        let digits = decimals(difference.abs());
        text += &format!(
            "{} against {}: {answer}\n  difference {difference:+.digits$}, {sure} % interval {low:+.digits$} to \
             {high:+.digits$} however often one looks; {wins} {unit} won, {losses} lost\n",
            policies[0].policy, row.policy
        );
    }
    text
}
