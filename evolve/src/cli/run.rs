//! `evolve run`.

use super::judge::quoted;
use super::machines::{Machines, Playing};
use super::progress::{Teller, rounded, say, show};
use super::table::{Align, Table};
use super::{Failure, Outcome, catalogue, interrupt, overrides, surroundings, transfer, watch};
use evolve_core::config::{Job, Limits};
use evolve_core::problem::Surroundings;
use evolve_core::run::state::Phase;
use evolve_core::run::{Ending, Run, Verdict};
use evolve_core::setup::PlayerChoice;
use evolve_core::statistics::{Estimate, decimals};
use evolve_report::plot::plot_run;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Carries out a job: searches for better weights and says whether they are better
///
/// CONFIG is a TOML file; `evolve keys` explains what can stand in it. Results go to the folder results/NAME of the
/// current folder, NAME being that of the job: tables, plots, and in the end weights.toml with the recommended weights
/// and the verdict on them. An existing run is never overwritten.
///
/// The run can be stopped at any time, by Ctrl-C or in any other way, and goes on with --resume, to the same results as
/// if it had never been stopped. They do not depend on the number of threads either.
///
/// With --resume the limits of the search, `budget`, `generations` and `time`, may have grown or shrunk, even if the run
/// was complete; a search that has gone beyond smaller limits ends at once. The sizes of [validation] and [final] stay
/// those of the run. [submission] may have changed as well.
///
/// The exit status is 0 if the run is complete, whatever the verdict, 2 if the job or the arguments are wrong, 130 if it
/// was interrupted, and 1 if anything else went wrong. A second Ctrl-C does not wait for the games under way.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve run job.toml
  evolve run job.toml --resume --threads 4
  evolve run job.toml --seed 2 --name first/seed-2 --set evolution.budget=20000
  evolve run job.toml --seeds 1-5
  evolve run job.toml --workers nats://head:4222
  evolve run job.toml --quiet && cat results/first/weights.toml")]
pub struct Args {
    /// The job
    #[arg(value_name = "CONFIG")]
    config: PathBuf,

    /// Go on with the run that was stopped; start it if there is none
    #[arg(long)]
    resume: bool,

    /// Go on even though another version of players or search began the run, or with other input files; it then cannot
    /// be reproduced
    #[arg(long, requires = "resume")]
    other_version: bool,

    /// Seed of the run, in the place of the job's
    #[arg(long, value_name = "NUMBER", conflicts_with = "seeds")]
    seed: Option<u64>,

    /// Name of the run, in the place of the job's
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// A study: a run for each of these seeds, NAME/seed-1 and so on, and a table of how much they differ
    #[arg(long, value_name = "FIRST-LAST", value_parser = seeds)]
    seeds: Option<(u64, u64)>,

    /// Any other key of the job, as in evolution.budget=20000
    #[arg(long, value_name = "KEY=VALUE", value_parser = overrides::parse)]
    set: Vec<(String, String)>,

    /// Games to play at the same time, or processes of a program; 0, as without it: one for each core
    #[arg(long, visible_alias = "jobs", value_name = "NUMBER", value_parser = super::threads())]
    threads: Option<usize>,

    #[command(flatten)]
    machines: Machines,

    /// Say nothing but errors; the results are in the files
    #[arg(long)]
    quiet: bool,

    /// Show the run in a browser while it goes on, as `evolve watch` does
    #[arg(long)]
    watch: bool,
}

fn seeds(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last && last - first < 1000 => Ok((first, last)),
        _ => Err("seeds are given as in 1-5, at most a thousand".to_string()),
    }
}

/// How a run is begun.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Go on with a run that is there.
    pub resume: bool,
    /// Even if it is of another version.
    pub other_version: bool,
    /// End its search at once.
    pub finish: bool,
    /// Show it in a browser.
    pub watch: bool,
}

/// What plays a run.
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// Threads here, as they were asked for.
    pub threads: Option<usize>,
    /// Workers, if any.
    pub machines: Option<Machines>,
}

impl Players {
    fn playing(&self, job: &Job, stop: &Arc<AtomicBool>, teller: &Teller) -> Result<Playing, Failure> {
        let screen = teller.screen();
        let notes = move |text: &str| screen.say(text);
        match &self.machines {
            Some(machines) => machines.playing(job, self.threads, stop, notes),
            None => Playing::here(job, self.threads),
        }
    }
}

impl Args {
    fn players(&self) -> Players {
        Players { threads: self.threads, machines: Some(self.machines.clone()) }
    }

    /// Starts the run or goes on with it; with several seeds, one after the other.
    pub fn run(self) -> Outcome {
        let mut set = self.set.clone();
        if let Some(name) = &self.name {
            set.push(("name".to_string(), format!("\"{}\"", name.escape_debug())));
        }
        if let Some(seed) = self.seed {
            set.push(("seed".to_string(), seed.to_string()));
        }
        let job = overrides::read(&self.config, &set)?;
        match self.seeds {
            None => self.carry_out(&job),
            Some((first, last)) => self.study(&job, first..=last, &set),
        }
    }

    fn carry_out(&self, job: &Job) -> Outcome {
        let start = Start { resume: self.resume, other_version: self.other_version, finish: false, watch: self.watch };
        let mut again = format!("evolve run {}", quoted(&self.config.to_string_lossy()));
        for (key, value) in &self.set {
            again += &format!(" --set {}", quoted(&format!("{key}={value}")));
        }
        again += &self.machines.again();
        again += &self.name.as_ref().map(|name| format!(" --name {}", quoted(name))).unwrap_or_default();
        again += &self.seed.map(|seed| format!(" --seed {seed}")).unwrap_or_default();
        carry_out(job, Path::new("results"), start, &self.players(), self.quiet, &format!("{again} --resume"))
    }

    /// A run for each seed, and how much they differ.
    fn study(&self, job: &Job, seeds: impl Iterator<Item = u64>, set: &[(String, String)]) -> Outcome {
        let mut verdicts = Vec::new();
        for seed in seeds {
            let name = format!("{}/seed-{seed}", job.name);
            let mut set = set.to_vec();
            set.push(("name".to_string(), format!("\"{name}\"")));
            set.push(("seed".to_string(), seed.to_string()));
            let job = overrides::read(&self.config, &set)?;
            let start =
                Start { resume: self.resume, other_version: self.other_version, finish: false, watch: self.watch };
            let again = format!("evolve run {} --seeds .. --resume", quoted(&self.config.to_string_lossy()));
            let (status, verdict) = play(&job, Path::new("results"), start, &self.players(), self.quiet, &again)?;
            match verdict {
                Some(verdict) => verdicts.push((name, verdict)),
                None => return Ok(status),
            }
        }
        let mut table = Table::new([Align::Left, Align::Right, Align::Right, Align::Left]);
        table.row([&"run", &"score", &"difference", &"95 % interval"]);
        for (name, verdict) in &verdicts {
            let (low, high) = verdict.interval;
            let digits = decimals(verdict.mean.abs());
            table.row([
                name,
                &format!("{:.digits$}", verdict.mean),
                &format!("{:+.digits$}", verdict.difference),
                &format!("{low:+.digits$} to {high:+.digits$}"),
            ]);
        }
        let all = Estimate::of(&verdicts.iter().map(|(_, verdict)| verdict.difference).collect::<Vec<_>>());
        let digits = decimals(all.mean.abs());
        let spread = all.standard_error * (all.n as f64).sqrt();
        writeln!(
            io::stdout(),
            "\n{table}\nmean difference {:+.digits$}, standard deviation from run to run {spread:.digits$}",
            all.mean
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Carries out a job; `again` is the command that goes on with it.
pub fn carry_out(job: &Job, results: &Path, start: Start, players: &Players, quiet: bool, again: &str) -> Outcome {
    play(job, results, start, players, quiet, again).map(|(status, _)| status)
}

fn play(
    job: &Job,
    results: &Path,
    start: Start,
    players: &Players,
    quiet: bool,
    again: &str,
) -> Result<(ExitCode, Option<Verdict>), Failure> {
    let mut teller = Teller::new(quiet);
    let screen = teller.screen();
    let stop = interrupt::patient_flag(move || {
        if !quiet {
            screen.say("stopping after the games under way; again to stop at once");
        }
    })?;
    let problem = job.source.problem;
    let around = Surroundings { folder: Some(results.join(&job.name)), ..surroundings() };
    problem.surround(Surroundings { stop: Some(stop.clone()), ..around.clone() });
    if job.version.is_some_and(|version| version != evolve_core::VERSION) && !start.resume {
        say(&format!(
            "note: this job is of a run of version {} of players and search; version {} may find something else",
            job.version.unwrap_or_default(),
            evolve_core::VERSION
        ));
    }
    let playing = match players.playing(job, &stop, &teller) {
        Err(failure) if stop.load(Ordering::Relaxed) => {
            say(&failure.message().unwrap_or_default());
            return Ok((ExitCode::from(interrupt::STATUS), None));
        }
        playing => playing?,
    };
    let evaluator = playing.evaluator();
    // A build is given up on request, but trials under way are played to their end: they may be dear.
    problem.surround(around);
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if !job.source.declaration.is_empty() && playing.is_here() && evaluator.parallelism() > cores {
        say(&format!(
            "note: {} trials at a time on {cores} cores: a program that watches the clock gets less done in its time, and \
             scores worse, than it would alone; --jobs {cores} is as many as there are cores for",
            evaluator.parallelism()
        ));
    }
    let begun = match start {
        Start { resume: true, other_version: true, .. } => Run::resume_other_version(job, evaluator, results),
        Start { resume: true, .. } => Run::resume(job, evaluator, results),
        _ => Run::start(job, evaluator, results),
    };
    let mut run = begun.map_err(|error| Failure::Work(error.to_string()))?;
    if start.finish {
        run.finish().map_err(|error| Failure::Work(error.to_string()))?;
    }
    if let Some(earlier) = run.replaced() {
        let games = earlier.games;
        say(&format!("note: the run goes back before its verdict on {games} games, which a new one will replace"));
    }
    let was_complete = run.state().phase == Phase::Done;
    if !quiet && !was_complete {
        say(&headline(job));
        if run.state().games > 0 {
            say(&format!("going on {}", whereabouts(&run)));
        }
    }
    if !was_complete {
        playing.begin(run.folder())?;
    }
    let watching = start.watch.then(|| watch::start(run.folder().to_path_buf(), None)).transpose()?;
    if let Some(watching) = &watching {
        // Even if quiet: there is no other way to know.
        say(&format!("watch it at {}", watching.address()));
    }
    let ending = run.go(&stop, &mut teller).map_err(|error| Failure::Work(error.to_string()))?;
    let time = rounded(Duration::try_from_secs_f64(run.state().seconds).unwrap_or_default());
    match ending {
        Ending::Complete(verdict) => {
            // The results are safe; a picture that cannot be drawn takes nothing from them.
            let drawn = plot_run(run.folder(), catalogue());
            let was = if was_complete { "was complete already" } else { "complete" };
            teller.end(&format!("{was} {}, in {time}", whereabouts(&run)));
            if !quiet {
                playing.summary().iter().for_each(|line| say(line));
                summary(&verdict, run.folder(), job)?;
            }
            carry_over(job, &verdict, run.folder(), &playing, players.threads.unwrap_or(0), quiet)?;
            if let Err(error) = drawn {
                say(&format!("the plots could not be drawn: {error}; draw them later by `evolve plot`"));
            }
            if let Some(watching) = watching {
                watching.part();
            }
            Ok((ExitCode::SUCCESS, Some(verdict)))
        }
        Ending::Stopped => {
            teller.end(&format!("stopped {}, in {time}", whereabouts(&run)));
            // Even if quiet: the run is not what was asked for.
            say(&format!("all is saved in {}; go on with: {again}", run.folder().display()));
            Ok((ExitCode::from(interrupt::STATUS), None))
        }
    }
}

/// Says how what was found does in the real player, where the job names one; once a run.
fn carry_over(
    job: &Job,
    verdict: &Verdict,
    folder: &Path,
    playing: &Playing,
    threads: usize,
    quiet: bool,
) -> Result<(), Failure> {
    if job.transfer.is_none() || folder.join(transfer::FILE).exists() {
        return Ok(());
    }
    // The real player is not what workers were asked to play.
    let own = (!playing.is_here()).then(|| Playing::here(job, Some(threads))).transpose()?;
    let evaluator = own.as_ref().unwrap_or(playing).evaluator();
    let policy = super::contestants::weights(folder)?;
    let recommended = verdict.is_improvement().then_some(&policy.values[..]);
    if let Some(found) = transfer::measure(job, recommended, evaluator, threads)? {
        transfer::write(&found, folder)?;
        if !quiet {
            show(&format!("\n{}\n", transfer::text(&found).trim_end()))?;
        }
    }
    Ok(())
}

fn whereabouts(run: &Run<'_>) -> String {
    let (generation, state) = (run.generation(), run.state());
    format!("after {generation} generations and {} games", state.games)
}

/// What is run, in a line.
fn headline(job: &Job) -> String {
    let options: String = job.source.setup.options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    let (evolving, all) = (job.space.evolving().count(), job.space.parameters().len());
    let Limits { budget, generations, time } = job.limits;
    let budget = budget.map(|budget| format!("{budget} games"));
    let generations = generations.map(|generations| format!("{generations} generations"));
    let time = time.map(|time| humantime::format_duration(time).to_string());
    let limits: Vec<String> = budget.into_iter().chain(generations).chain(time).collect();
    let player = match job.source.setup.player.name.is_empty() {
        true => String::new(),
        false => format!(", player {}", player(&job.source.setup.player)),
    };
    format!(
        "{}: {}{options}{player}, {evolving} of {all} parameters evolve by {}, for {}",
        job.name,
        job.source.problem.name(),
        job.optimizer.method().name,
        limits.join(" or ")
    )
}

fn player(player: &PlayerChoice) -> String {
    let settings: String = player.values.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    format!("{}{settings}", player.name)
}

/// The verdict, the files, and what to do next.
fn summary(verdict: &Verdict, folder: &Path, job: &Job) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{verdict}\n")?;
    for (name, what) in [
        ("weights.toml", "the recommended weights, with this verdict"),
        ("generations.csv", "every generation"),
        ("validation.csv", "held-out games, final round, verdict"),
        ("plots/", "both drawn"),
        ("config.toml", "the job with every key"),
    ] {
        writeln!(stdout, "{}  {what}", folder.join(format!("{name:<15}")).display())?;
    }
    let folder = quoted(&folder.to_string_lossy());
    match job.source.problem.exportable() {
        Some(_) => writeln!(stdout, "\nnext: evolve export {folder} --output submission.rs"),
        None if !job.source.declaration.is_empty() => writeln!(stdout, "\nnext: evolve export {folder} --format args"),
        None => writeln!(stdout, "\nnext: evolve show {folder}"),
    }
}
