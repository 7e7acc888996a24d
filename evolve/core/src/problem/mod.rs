//! What can be tuned: a problem with its parameters, and what plays it.
//!
//! A problem needs a name, its parameters and a [`Contender`]. What only contest games have stands apart: a referee
//! ([`Contest`]), a proof ([`Provable`]), an exported program ([`Exportable`]), replays ([`Replayable`]).

use crate::contest::Contest;
use crate::export::Exportable;
use crate::optimizer::{METHODS, Method};
use crate::parameter::Parameter;
use crate::proof::Provable;
use crate::replay::Replayable;
use crate::seed::Purpose;
use crate::setup::{PlayerKind, Setting, Setup};
use crate::source::Declares;
use crate::trial::{Deal, Failure, Outcome};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Something that can be tuned.
pub trait Problem: Sync {
    /// Its name on the command line and in jobs.
    fn name(&self) -> &str;

    /// One line for listings.
    fn summary(&self) -> &str {
        ""
    }

    /// Options that make different problems of it.
    fn options(&self) -> &[Setting] {
        &[]
    }

    /// The players that can be tuned; none if there is but one way to play.
    fn players(&self) -> &[PlayerKind] {
        &[]
    }

    /// The parameters, in the order of candidates' values.
    fn parameters(&self) -> Vec<Parameter>;

    /// Told before [`prepare`](Self::prepare) what is around its trials. Those who need none of it ignore it.
    fn surround(&self, _surroundings: Surroundings) {}

    /// The names of the instances of a purpose, where there is a list of them. The deal with number `n` of that purpose
    /// is number `n % len` of the list, repeated for time `n / len`: deals of one instance are not independent.
    fn instances(&self, _purpose: Purpose) -> Option<Vec<String>> {
        None
    }

    /// What its deals and scores are, as a text: problems of one text that play otherwise, such as two versions of a
    /// program, compare with each other. `None`: it compares with itself alone.
    fn measure(&self) -> Option<String> {
        None
    }

    /// Prepares what all trials need and is dear to make, on the calling thread, before the first of them.
    ///
    /// # Errors
    /// A message if there cannot be any trial.
    fn prepare(&self, _setup: &Setup) -> Result<(), String> {
        Ok(())
    }

    /// The files that outcomes depend on, with their checksums, once it is prepared. A run remembers them, because
    /// outcomes on others would not compare.
    ///
    /// # Errors
    /// A message if one cannot be read.
    fn inputs(&self) -> Result<Vec<(String, u32)>, String> {
        Ok(Vec::new())
    }

    /// A candidate made ready to be played.
    fn contender<'a>(&'a self, setup: &'a Setup, candidate: Candidate<'a>) -> Box<dyn Contender + 'a>;

    /// Gives back what is held between trials, such as processes and folders.
    fn release(&self) {}

    /// Whether the same candidate on the same deal always has the same outcome, measured times apart.
    fn reproduces(&self) -> bool {
        true
    }

    /// The contest's side of it.
    fn contest(&self) -> Option<&dyn Contest> {
        None
    }

    /// Proofs that no opponent can beat a policy.
    fn provable(&self) -> Option<&dyn Provable> {
        None
    }

    /// Programs made of policies.
    fn exportable(&self) -> Option<&dyn Exportable> {
        None
    }

    /// Trials to be looked at, move by move.
    fn replayable(&self) -> Option<&dyn Replayable> {
        None
    }
}

/// What is around the trials of a problem.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folder in which it may keep what a person needs to see failed trials again, and pictures; `None`: nothing is
    /// kept.
    pub folder: Option<PathBuf>,
    /// Raised when trials under way are to be given up. They end with a failure of the kind [`STOPPED`].
    pub stop: Option<Arc<AtomicBool>>,
    /// The folder in which it may keep what is dear to make for later processes; `None`: it keeps nothing.
    pub cache: Option<PathBuf>,
    /// Told what takes its time or is kept, a line each; `None`: nobody is.
    pub note: Option<fn(&str)>,
}

/// The kind of failure of a trial that was given up on request, which says nothing about the candidate.
pub const STOPPED: &str = "stopped";

/// A value for each parameter of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    parameters: &'a [Parameter],
    values: &'a [f64],
}

impl<'a> Candidate<'a> {
    /// The candidate with these values, in the order of the parameters.
    ///
    /// # Panics
    /// If there is not one value a parameter.
    pub fn new(parameters: &'a [Parameter], values: &'a [f64]) -> Self {
        assert_eq!(parameters.len(), values.len(), "one value a parameter");
        Candidate { parameters, values }
    }

    /// The parameters.
    pub fn parameters(&self) -> &'a [Parameter] {
        self.parameters
    }

    /// All values, in the order of the parameters.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// The value of a number.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn float(&self, name: &str) -> f64 {
        let place = self.parameters.iter().position(|parameter| parameter.name == name);
        self.values[place.unwrap_or_else(|| panic!("no parameter `{name}` is declared"))]
    }

    /// The value of a whole number.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn int(&self, name: &str) -> i64 {
        self.float(name) as i64
    }

    /// The place of the name that a choice has.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn choice(&self, name: &str) -> usize {
        self.float(name) as usize
    }

    /// Whether a switch is on.
    ///
    /// # Panics
    /// If there is no parameter of that name.
    pub fn switch(&self, name: &str) -> bool {
        self.float(name) != 0.0
    }
}

/// A candidate made ready. It makes players, one for each thread that plays trials with it; what they share lives here.
///
/// Where a player keeps nothing from one trial to the next, a closure from a deal to its outcome is a contender.
pub trait Contender: Send + Sync {
    /// A player of one trial after another.
    fn player(&self) -> Box<dyn Player + '_>;
}

/// Plays trials with one candidate.
pub trait Player: Send {
    /// Plays a deal. The outcome depends on the candidate and the deal alone, not on what was played before.
    ///
    /// # Errors
    /// A failure that ends the run. One that counts is an outcome with its [`failure`](Outcome::failure) set.
    fn play(&mut self, deal: &Deal) -> Result<Outcome, Failure>;
}

impl<F: Fn(&Deal) -> Result<Outcome, Failure> + Send + Sync> Contender for F {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(Calls(self))
    }
}

/// A player that calls a function for each trial.
struct Calls<'a, F>(&'a F);

impl<F: Fn(&Deal) -> Result<Outcome, Failure> + Sync> Player for Calls<'_, F> {
    fn play(&mut self, deal: &Deal) -> Result<Outcome, Failure> {
        (self.0)(deal)
    }
}

/// What a program knows: problems, in the order of listings, sections in which jobs declare others, and optimizers.
#[derive(Clone)]
pub struct Catalogue {
    problems: Vec<&'static dyn Problem>,
    declares: Vec<&'static dyn Declares>,
    methods: Vec<&'static Method>,
}

impl Catalogue {
    /// A catalogue of these problems.
    ///
    /// # Panics
    /// If two have the same name.
    pub fn new(problems: &[&'static dyn Problem]) -> Self {
        for (i, problem) in problems.iter().enumerate() {
            let name = problem.name();
            assert!(problems[..i].iter().all(|other| other.name() != name), "two problems are called `{name}`");
        }
        Catalogue { problems: problems.to_vec(), declares: Vec::new(), methods: METHODS.to_vec() }
    }

    /// The same with problems that jobs declare in a section of their own.
    #[must_use]
    pub fn declaring(mut self, declares: &'static dyn Declares) -> Self {
        self.declares.push(declares);
        self
    }

    /// The same without problems that jobs declare themselves.
    #[must_use]
    pub fn without_declared(&self) -> Self {
        Catalogue { declares: Vec::new(), ..self.clone() }
    }

    /// The same with one more optimizer that jobs can name.
    #[must_use]
    pub fn with_method(mut self, method: &'static Method) -> Self {
        self.methods.push(method);
        self
    }

    /// The optimizers that jobs can name, the one of jobs that name none first.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> {
        self.methods.iter().copied()
    }

    /// What jobs can declare in a section of their own.
    pub fn declares(&self) -> impl Iterator<Item = &'static dyn Declares> {
        self.declares.iter().copied()
    }

    /// All problems.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Problem> {
        self.problems.iter().copied()
    }

    /// The problem of that name.
    ///
    /// # Errors
    /// A message that lists the problems there are.
    pub fn find(&self, name: &str) -> Result<&'static dyn Problem, String> {
        self.iter().find(|problem| problem.name() == name).ok_or_else(|| {
            let known: Vec<_> = self.iter().map(|problem| problem.name()).collect();
            format!("there is no game `{name}`; there are: {}", known.join(", "))
        })
    }
}
