//! Rounds of a job with a deadline: search, test and adoption, one after another, until then.
//!
//! Each round is a run of its own that follows the one before. A killed process continues from the
//! folders of the rounds. The first round is short, so that a tested version is there early.

mod source;
mod versions;

pub use versions::Versions;

use super::{Args, End, Start, execute};
use crate::cli::after::{self, Following, next_name};
use crate::cli::change::{self, Change, version_of};
use crate::cli::contestants::{comparable, weights};
use crate::cli::overrides::Overrides;
use crate::cli::progress::{Reporter, rounded, say, show};
use crate::cli::{Failure, Outcome, catalogue, compare};
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::judgement::comparison::Answer;
use evolve_core::names::{CONFIG, RESULTS};
use evolve_core::run::{RunError, RunState, Snapshot};
use evolve_program::{Program, hand_on, same_program};
use evolve_search::document::{Deadline, Time};
use evolve_search::file::{make_folder, slashed};
use evolve_search::statistics::{Interval, counted};
use source::{Scope, Source};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use versions::policy as policy_of;

/// The share of the time that is left for the first round, and for each later one.
const FIRST: f64 = 1.0 / 8.0;
const LATER: f64 = 1.0 / 3.0;
/// A round that would be shorter than this share of the longest one takes all the time that is
/// left.
const SHORT: f64 = 1.0 / 10.0;
/// The share of the time that is left which no round takes, because trials end late.
const SPARE: f64 = 0.02;
/// The number of times that a round copies and builds its source, until the author saves no file
/// meanwhile.
const ATTEMPTS: u32 = 3;
/// The shortest round.
const LEAST: Duration = Duration::from_secs(5);

/// Plays rounds until the deadline.
///
/// # Errors
/// If the first round cannot start, a round fails that plays no changed program, or the user stops.
pub fn run(args: &Args, job: Job, deadline: Deadline, stop: &Arc<AtomicBool>) -> Outcome {
    let first = job.name.clone();
    let home = folder(&first);
    if !args.resume && matches!(Snapshot::of(&home, catalogue()), Some(Ok(_))) {
        return Err(Failure::Usage(format!("{}: continue it with --resume", RunError::Exists(home))));
    }
    let second = folder(&next_name(&first));
    if !home.exists() && second.exists() {
        // It would be taken for the second round.
        return Err(Failure::Usage(format!("{} exists already: give the first round another name", slashed(&second))));
    }
    if deadline.left().is_zero() && !args.resume {
        return Err(Failure::Usage(format!("the deadline {} has passed", String::from(deadline))));
    }
    if let Some(file) = Program::of(&*job.problem).and_then(source::outside) {
        return Err(Failure::Usage(format!(
            "`source`: {file} is not a path within the current folder, which a job with a deadline copies for each version: run \
             it in the folder of the source, and write the path from there"
        )));
    }
    let versions = Versions::of(&home);
    versions.clean();
    let mut rounds = Rounds {
        args,
        first,
        deadline,
        most: job.limits.time,
        stop,
        versions,
        adoption: Cell::default(),
        takes_all: false,
        recovers: false,
        stamp: Cell::default(),
        builds: Cell::default(),
        is_outdated: Cell::default(),
    };
    rounds.versions.point()?;
    rounds.catch_up()?;
    while let Some((next, time)) = rounds.next()? {
        if !rounds.play(&next, time)? {
            break;
        }
    }
    rounds.report()
}

fn folder(name: &str) -> PathBuf {
    Path::new(RESULTS).join(name)
}

/// The next round.
struct Round {
    name: String,
    /// The complete run that it follows.
    before: Option<PathBuf>,
    /// Whether it was stopped, and the seconds that it has spent.
    stopped: Option<f64>,
}

/// The job of a round, and the version of the program.
struct Prepared {
    job: Job,
    /// The gain of a changed program.
    change: Option<Change>,
    /// Whether it plays the current program.
    is_new: bool,
}

struct Rounds<'a> {
    args: &'a Args,
    /// The name of the first round.
    first: String,
    deadline: Deadline,
    /// The longest round.
    most: Option<Time>,
    /// Raised by the user.
    stop: &'a Arc<AtomicBool>,
    versions: Versions,
    /// The longest time that it took to make a version.
    adoption: Cell<Duration>,
    /// Whether the next round gets all the time that is left.
    takes_all: bool,
    /// Whether the next round plays the version of the run before, because the new one failed.
    recovers: bool,
    /// The [stamp](Scope::stamp) of the current folder at the start of the round.
    stamp: Cell<Option<u64>>,
    /// The number of times that the program of the round was built.
    builds: Cell<u32>,
    /// Whether the last attempt built another program than that of the kept source.
    is_outdated: Cell<bool>,
}

impl Rounds<'_> {
    /// Prints a line, unless the user wants only errors.
    fn say(&self, text: &str) {
        if !self.args.quiet {
            say(text);
        }
    }

    /// Returns the next round and its time; `None` if no time is left for one.
    fn next(&self) -> Result<Option<(Round, Duration)>, Failure> {
        let (mut name, mut before, mut stopped) = (self.first.clone(), self.args.after.clone(), None);
        let (mut longest, mut pace) = (0.0f64, 0.0);
        while let Some(found) = Snapshot::of(&folder(&name), catalogue()) {
            let found = found.map_err(|run| Failure::Work(format!("{}: {}", slashed(&run.folder), run.reason)))?;
            let figures = &found.run.figures;
            let seconds = figures.seconds.unwrap_or_default();
            if found.is_complete() {
                (longest, before) = (longest.max(seconds), Some(folder(&name)));
                pace = seconds / figures.trials.unwrap_or_default().max(1) as f64;
            } else if found.run_state() != RunState::Failed || before.is_none() {
                stopped = Some(seconds);
                break;
            }
            name = next_name(&name);
        }
        let left = self.deadline.left();
        let usable = left.mul_f64(1.0 - SPARE).saturating_sub(2 * self.adoption.get());
        // A run needs a generation and a test, and a comparison may come before it.
        let least = LEAST.max(Duration::from_secs_f64((60.0 * pace).min(1e9)));
        if usable < least {
            return Ok(None);
        }
        let share = usable.mul_f64(if before.is_some() { LATER } else { FIRST });
        let time = share.max(least);
        let is_last = usable.saturating_sub(time) < least || share.as_secs_f64() < SHORT * longest;
        let time = if is_last || self.takes_all { usable } else { time };
        Ok(Some((Round { name, before, stopped }, time)))
    }

    /// Adopts the last complete round, if the process was killed before.
    fn catch_up(&mut self) -> Result<(), Failure> {
        let last = self.next()?.and_then(|(round, _)| round.before);
        let Some(last) = last.filter(|last| self.args.after.as_ref() != Some(last)) else { return Ok(()) };
        let is_known = self.versions.best().is_some_and(|(_, best)| Path::new(&best.run) == last);
        if is_known { Ok(()) } else { self.adopt(&last).map(drop) }
    }

    /// Plays a round. Returns whether another one may follow.
    fn play(&mut self, round: &Round, time: Duration) -> Result<bool, Failure> {
        let begin = Instant::now();
        self.say(&format!("\nround {}: {}, until {}", round.name, rounded(time), String::from(self.deadline)));
        let mut played = self.prepared(round)?;
        played.job.deadline = None;
        self.builds.set(0);
        let run = folder(&round.name);
        let ended = loop {
            let ended = self.attempt(round, &played, begin + time);
            // The author may have saved a file between the copy of the source and the build.
            if !self.is_outdated.take() || self.builds.get() == ATTEMPTS {
                break ended;
            }
        };
        match ended {
            Ok(End::Complete) => {
                (self.takes_all, self.recovers) = (false, false);
                let is_adopted = self.adopt(&run)?;
                if !is_adopted && begin.elapsed() < time / 2 {
                    self.wait(&played.job, &run);
                }
                Ok(!self.stop.load(Ordering::Relaxed))
            }
            Ok(End::Stopped(_)) if self.stop.load(Ordering::Relaxed) => {
                let again = self.args.again();
                Err(Failure::Stopped(format!("saved in {}; continue with: {again}", slashed(&run))))
            }
            Ok(End::Stopped(_)) => {
                say(&format!("the deadline came before the end of {}", slashed(&run)));
                Ok(false)
            }
            Ok(End::TooShort(failure)) if self.takes_all => {
                say(&failure.message().unwrap_or_default());
                Ok(false)
            }
            Ok(End::TooShort(_)) => {
                self.takes_all = true;
                Ok(true)
            }
            Err(Failure::Stopped(_)) if !self.stop.load(Ordering::Relaxed) => Ok(false),
            // The author may be in the middle of a change.
            Err(failure @ (Failure::Work(_) | Failure::Usage(_))) if played.is_new && round.before.is_some() => {
                say(&format!("{}; the next round plays the version before", failure.message().unwrap_or_default()));
                self.recovers = true;
                Ok(true)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Keeps the source of a round, and plays it.
    fn attempt(&self, round: &Round, played: &Prepared, end: Instant) -> Result<End, Failure> {
        let &Prepared { ref job, is_new, .. } = played;
        let run = folder(&round.name);
        make_folder(&run).map_err(Failure::at(&run))?;
        match &round.before {
            _ if round.stopped.is_some() => {}
            Some(before) if !is_new => Source::keep_again(&run, before)?,
            _ => Source::keep(&run, job)?,
        }
        let args = self.args.of_round(&round.name, round.before.clone(), round.stopped.is_some());
        let stop = Arc::new(AtomicBool::new(false));
        let ends = self.deadline.left().saturating_sub(2 * self.adoption.get());
        let before = Duration::from_secs_f64(round.stopped.unwrap_or_default());
        let reporter = Reporter::new(self.args.quiet);
        let start = Start { reporter, stop: Arc::clone(&stop), recalls: !is_new, until: Some((end, before)) };
        thread::scope(|scope| {
            let over = Arc::new(AtomicBool::new(false));
            let (flag, is_over, user) = (Arc::clone(&stop), Arc::clone(&over), Arc::clone(self.stop));
            scope.spawn(move || watch(&user, &is_over, &flag, Instant::now() + ends));
            let ended = execute(args, job.clone(), start, &|run| self.begin(run, played));
            over.store(true, Ordering::Relaxed);
            ended
        })
    }

    fn prepared(&self, round: &Round) -> Result<Prepared, Failure> {
        let Args { config, set, seed, parallel, .. } = self.args;
        if round.stopped.is_some() {
            // As it began.
            let job = Overrides::default().job(&folder(&round.name).join(CONFIG))?;
            return Ok(Prepared { job: self.limited(job), change: None, is_new: false });
        }
        let named = Overrides::new(set).name(Some(&round.name));
        let Some(before) = &round.before else {
            return Ok(Prepared { job: named.seed(*seed).job(config)?, change: None, is_new: true });
        };
        let new = || -> Result<(Job, Option<Change>), Failure> {
            let jobs = after::jobs(config, before, &named)?;
            jobs.news().iter().for_each(|news| self.say(news));
            change::better(before, &jobs, parallel.unwrap_or_default())
        };
        let failed = match (!self.recovers).then(new) {
            Some(Ok((job, change))) => return Ok(Prepared { job, change, is_new: true }),
            Some(Err(failure @ (Failure::Work(_) | Failure::Usage(_)))) => failure.message(),
            Some(Err(failure)) => return Err(failure),
            None => None,
        };
        if let Some(message) = failed {
            say(&format!("{message}; the round plays the version of {}", slashed(before)));
        }
        let Following { carried, .. } =
            after::jobs(&before.join(CONFIG), before, &Overrides::default().name(Some(&round.name)))?;
        let run = folder(&round.name);
        let handed = make_folder(&run).and_then(|()| hand_on(before, &run));
        let is_handed = handed.map_err(Failure::at(&run))?;
        Ok(Prepared { job: self.limited(carried), change: None, is_new: !is_handed })
    }

    /// Returns the job of an earlier round without the time of that round.
    fn limited(&self, mut job: Job) -> Job {
        job.limits.time = self.most;
        job
    }

    /// Checks that the program of a new round is that of its kept source, and makes the first
    /// version.
    fn begin(&self, run: &Path, Prepared { job, change, is_new }: &Prepared) -> Result<(), Failure> {
        // The program is built.
        self.stamp.set(Program::of(&*job.problem).map(|program| Scope::of(program, run).stamp()));
        if let Some(source) = Source::of(run)?.filter(|_| *is_new) {
            self.builds.set(self.builds.get() + 1);
            // Some builds never make the same bytes.
            if !source.is_current(self.builds.get() == ATTEMPTS) {
                self.is_outdated.set(true);
                return Err(Failure::Work("the source changed while it was built".to_string()));
            }
        }
        change::keep(change.as_ref(), run)?;
        if self.versions.best().is_some() {
            return Ok(());
        }
        let policy = Policy::of_job(job);
        let begin = Instant::now();
        let added = self.versions.add(run, &policy, None, "the source at the start");
        self.adoption.set(begin.elapsed());
        added.or_else(tell)
    }

    /// Waits until the source changes: the search ended before its time, since it has nothing left
    /// to try.
    fn wait(&self, job: &Job, run: &Path) {
        let Some(program) = Program::of(&*job.problem) else { return };
        let scope = Scope::of(program, run);
        let is_same = || Some(scope.stamp()) == self.stamp.get();
        if is_same() {
            self.say("the search has nothing left to try; the next round begins when the source changes");
        }
        while is_same() && !self.stop.load(Ordering::Relaxed) && !self.deadline.left().is_zero() {
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Adopts what a complete round recommends if it is better than the best version. Returns
    /// whether it is.
    fn adopt(&mut self, run: &Path) -> Result<bool, Failure> {
        let begin = Instant::now();
        let policy = weights(run)?;
        let job = Job::recorded(run, catalogue()).map_err(|fault| Failure::Work(fault.to_string()))?;
        let finalist = policy.verdict.clone().filter(|_| !policy.recommends_baseline());
        // Whether the test compared the finalist with the best version itself.
        let is_tested = match self.versions.best() {
            Some((folder, version)) => {
                policy_of(&folder)?.values == job.space.start() && same_program(Path::new(&version.run), run)
            }
            None => true,
        };
        let many = match self.rounds_to(run) {
            ..=1 => String::new(),
            count => format!(", after {} without a gain", counted(count - 1, "round")),
        };
        let better = match is_tested {
            true => Ok(finalist.map(|verdict| (verdict.interval(), format!("test of {}{many}", slashed(run))))),
            false => self.challenge(run, &job).map(|gain| {
                gain.map(|gain| (Some(gain), format!("comparison of {} with the version before{many}", slashed(run))))
            }),
        };
        let added = better.and_then(|better| match better {
            Some((gain, evidence)) => self.versions.add(run, &policy, gain, &evidence).map(|()| true),
            None => Ok(false),
        });
        self.adoption.set(self.adoption.get().max(begin.elapsed()));
        added.or_else(|failure| tell(failure).map(|()| false))
    }

    /// Returns the number of rounds since the best version was confirmed, including this one. Each
    /// had its chance of a gain by luck.
    fn rounds_to(&self, run: &Path) -> u64 {
        let from = self.versions.best().filter(|(_, best)| best.number > 0).map(|(_, best)| PathBuf::from(best.run));
        let mut name = self.first.clone();
        let (mut count, mut is_after) = (0, from.is_none());
        while folder(&name).exists() {
            count += u64::from(is_after);
            is_after |= from.as_ref() == Some(&folder(&name));
            if folder(&name) == run {
                break;
            }
            name = next_name(&name);
        }
        count
    }

    /// Compares what a round recommends with the best version. Returns the gain if it is better.
    fn challenge(&self, run: &Path, job: &Job) -> Result<Option<Interval>, Failure> {
        let (Some(best), Some(new)) = (self.versions.candidate()?, version_of(run, &slashed(run))?) else {
            return Ok(None);
        };
        let all = comparable(vec![best, new])?;
        // Other cases than those on which the start of the round was chosen.
        let args = compare::Args::of(change::trials(run, job), !job.seed, self.args.parallel.unwrap_or_default());
        let document = args.compare(&all)?;
        show(&format!("{}\n", document.text()))?;
        let compared = document.candidates[1].compared.as_ref().filter(|compared| compared.answer == Answer::Better);
        Ok(compared.map(|compared| compared.paired.gain()))
    }

    /// Reports the best version.
    fn report(&self) -> Outcome {
        match self.versions.best() {
            Some(_) => show(&self.versions.text()?)?,
            None => say("no version was confirmed"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Reports a version that could not be made; the one before stays.
fn tell(failure: Failure) -> Result<(), Failure> {
    match failure {
        Failure::Work(message) | Failure::Usage(message) => {
            say(&format!("warning: {message}; the best version is the one before"));
            Ok(())
        }
        failure => Err(failure),
    }
}

/// Sets a flag at a time, or if the user stops, unless the round is over before.
fn watch(user: &AtomicBool, over: &AtomicBool, flag: &AtomicBool, end: Instant) {
    while !over.load(Ordering::Relaxed) {
        if user.load(Ordering::Relaxed) || Instant::now() >= end {
            flag.store(true, Ordering::Relaxed);
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
}
