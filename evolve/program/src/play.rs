//! A trial: one candidate on one instance, in one or all scenarios.

use crate::baseline::Key;
use crate::failure::{Counts, Trouble};
use crate::host::{HostAnswer, HostTrial};
use crate::instances::{Draw, Instances};
use crate::kept;
use crate::pictures;
use crate::program::Attempt;
use crate::run::{self, Printed};
use crate::scale::Scale;
use crate::scenarios::Scenario;
use crate::scope::Scope;
use crate::score::Scored;
use crate::session::{ProgramSession, Way};
use crate::slot::Slot;
use crate::stop::Stop;
use crate::worker;
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::{Candidate, Contender, Input, Player, Session};
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Failure, FailureKind, Outcome, PlayError};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The result of a run in one scenario.
struct Counted {
    score: f64,
    objective: f64,
    /// Empty if the program did not tell them.
    metrics: Vec<f64>,
    failure: Option<Failure>,
    is_bound: bool,
    time: Duration,
}

impl Session for ProgramSession {
    fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    fn changed(&self) -> Option<String> {
        self.watch.changed()
    }

    fn contender(self: Arc<Self>, candidate: Candidate<'_>) -> Box<dyn Contender> {
        Box::new(Plays { program: self, values: candidate.values().to_vec() })
    }
}

/// Plays a candidate, without state between trials.
struct Plays {
    program: Arc<ProgramSession>,
    values: Vec<f64>,
}

impl Contender for Plays {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(self)
    }
}

impl Player for &Plays {
    fn play(&mut self, case: &Case, rival: Option<f64>) -> Result<Outcome, PlayError> {
        let Plays { program, values } = self;
        let draw = program.declared.instances.draw(case);
        let trial = Trial { program, case, draw: &draw, rival };
        let places = 0..program.declared.scenarios.rows().len();
        let started = SystemTime::now();
        let counted = places.map(|place| trial.play_scenario(values, place)).collect::<Result<_, _>>()?;
        Ok(Outcome { started: Some(started), ..trial.outcome(counted) })
    }
}

struct Trial<'a> {
    program: &'a ProgramSession,
    case: &'a Case,
    draw: &'a Draw,
    /// The objective of a rival.
    rival: Option<f64>,
}

impl Trial<'_> {
    fn outcome(&self, counted: Vec<Counted>) -> Outcome {
        let declared = &self.program.declared;
        let mean = |number: &dyn Fn(&Counted) -> f64| counted.iter().map(number).sum::<f64>() / counted.len() as f64;
        let mut outcome = Outcome {
            score: mean(&|counted| counted.score),
            objective: mean(&|counted| counted.objective),
            time: Some(counted.iter().map(|counted| counted.time).sum()),
            capped: counted.iter().any(|counted| counted.is_bound),
            ..Outcome::default()
        };
        // In the order of the problem's metrics.
        let is_known = counted.iter().all(|counted| counted.metrics.len() == declared.metrics().count());
        for (i, metric) in declared.metrics().enumerate() {
            let value = is_known.then(|| mean(&|counted| counted.metrics[i]));
            outcome.metrics.extend(value);
            if declared.groups_by(metric) {
                outcome.groups.push(value.map_or_else(String::new, |value| value.to_string()));
            }
        }
        if counted.len() > 1 {
            outcome.scenarios = counted.iter().map(|counted| counted.objective).collect();
            outcome.metrics.extend(counted.iter().filter(|_| is_known).map(|counted| counted.score));
        }
        outcome.groups.extend_from_slice(self.program.known.groups_of(&self.draw.instance.name));
        if matches!(declared.instances, Instances::Listed { .. }) {
            outcome = outcome.group(self.draw.instance.name.as_str());
        }
        outcome.failure = counted.into_iter().find_map(|counted| counted.failure);
        outcome
    }

    /// Runs a candidate in a scenario; returns the outcome that counts.
    fn play_scenario(&self, values: &[f64], place: usize) -> Result<Counted, PlayError> {
        let declared = &self.program.declared;
        let needs_start = declared.keys.scale == Scale::Relative && self.needs_reference();
        let start = needs_start.then(|| self.start(place)).transpose()?;
        let reference = match (&declared.keys.scale, &start) {
            (Scale::Best(_), _) => self.best(place)?,
            (_, Some(start)) => self.reference(start, place)?,
            _ => 1.0,
        };
        let (Attempt { result, time }, is_bound) = match start {
            // The result would be the same again.
            Some(start) if declared.keys.deterministic && values == self.program.start => (start, false),
            _ => {
                let stop = Stop::of(declared, self.rival, reference);
                let attempt = self.attempt(values, place, stop);
                let is_bound = stop.is_reached(&attempt);
                (attempt, is_bound)
            }
        };
        let (score, metrics, failure) = match result {
            Ok(Scored { score, metrics }) => (score, metrics, None),
            Err(Trouble::Ends(error)) => return Err(error),
            Err(Trouble::Failed(kind, message)) => {
                let failure = self.about(kind, place, &message);
                match declared.counts(kind) {
                    Counts::Score(score) => (score, Vec::new(), Some(failure)),
                    Counts::Worst => {
                        let score = self.worst(place)?;
                        return Ok(Counted {
                            score,
                            objective: 0.0,
                            metrics: Vec::new(),
                            failure: Some(failure),
                            is_bound,
                            time,
                        });
                    }
                    Counts::Stop => {
                        return Err(self.about(kind, place, &self.ending(kind, &message, values, place)).into());
                    }
                }
            }
        };
        let objective = declared.keys.scale.objective(declared.keys.goal, score, reference);
        let objective = objective.map_err(|error| self.about(FailureKind::Scale, place, &error.to_string()))?;
        let objective = if needs_start { Rating::searched(objective) } else { objective };
        Ok(Counted { score, objective, metrics, failure, is_bound, time })
    }

    /// Returns whether a ratio divides by the start's score. Competing candidates are rated by the
    /// best of them in each scenario, so the divisor of their scores makes no difference.
    fn needs_reference(&self) -> bool {
        self.case.split == Split::Search
    }

    /// Returns the score shown in tables for a failure that counts as the worst result.
    fn worst(&self, place: usize) -> Result<f64, PlayError> {
        let declared = &self.program.declared;
        Ok(match (declared.keys.goal, &declared.keys.scale) {
            (Direction::Maximize, _) => 0.0,
            (Direction::Minimize, Scale::Best(_)) => Scale::WORST * self.best(place)?,
            (Direction::Minimize, _) => Scale::WORST * self.reference(&self.start(place)?, place)?,
        })
    }

    /// Returns the message of a failure that ends the run: with the folder of its files, and
    /// advice.
    fn ending(&self, kind: FailureKind, message: &str, values: &[f64], place: usize) -> String {
        let scenario = &self.program.declared.scenarios.rows()[place];
        let values = self.on_instance(values);
        let scope = self.scope(&values, scenario, Stop::default());
        let kept = kept::found(&scope, kind).map_or_else(String::new, |folder| {
            format!("\n  output and a script that repeats it: {}/", folder.display())
        });
        format!(
            "{message}{kept}\n  fix the program, or set `on_failure` in the job to a number, the score of failed trials"
        )
    }

    fn about(&self, kind: FailureKind, place: usize, message: &str) -> Failure {
        let scenario = match self.program.declared.scenarios.rows()[place].name.as_str() {
            "" => String::new(),
            name => format!(" in scenario {name}"),
        };
        Failure { instance: Some(format!("{}{scenario}", self.draw.instance.name)), ..Failure::new(kind, message) }
    }

    /// Returns the baseline's result on this case, which is played once.
    fn start(&self, place: usize) -> Result<Attempt, PlayError> {
        let &Case { split, number, seed } = self.case;
        let key = Key { split, number, seed, scenario: place };
        let attempt = self.program.baseline.result(key, || self.attempt(&self.program.start, place, Stop::default()));
        match attempt.result {
            Err(Trouble::Ends(error)) => Err(error),
            _ => Ok(attempt),
        }
    }

    /// Returns the best known score of the instance, or else the start's.
    fn best(&self, place: usize) -> Result<f64, PlayError> {
        match self.program.declared.best.get(&self.draw.instance.name) {
            Some(&score) => Ok(score),
            None => self.reference(&self.start(place)?, place),
        }
    }

    /// Returns the start's score, for comparison with others.
    fn reference(&self, start: &Attempt, place: usize) -> Result<f64, PlayError> {
        let score = match &start.result {
            Ok(measured) => measured.score,
            Err(Trouble::Ends(error)) => return Err(error.clone()),
            Err(Trouble::Failed(kind, message)) => match self.program.declared.counts(*kind) {
                Counts::Score(score) => score,
                Counts::Worst | Counts::Stop => {
                    let message = self.ending(
                        *kind,
                        &format!("the baseline fails, and {} needs its score: {message}", self.scale()),
                        &self.program.start,
                        place,
                    );
                    return Err(self.about(*kind, place, &message).into());
                }
            },
        };
        match score > 0.0 {
            true => Ok(score),
            false => {
                let message = format!(
                    "the baseline's score is {score}, and {} needs a positive one; use another `scale`",
                    self.scale()
                );
                Err(self.about(FailureKind::Scale, place, &message).into())
            }
        }
    }

    /// Returns the scale whose ratios refer to the baseline's score, in messages.
    fn scale(&self) -> &'static str {
        match self.program.declared.keys.scale {
            Scale::Best(_) => "an instance without a best score",
            _ => "`relative`",
        }
    }

    /// Returns the values of a candidate on the instance of the trial.
    fn on_instance(&self, values: &[f64]) -> Vec<f64> {
        self.program.known.on(&self.draw.instance.name, &self.program.declared.parameters, values)
    }

    /// Returns the placeholders of the trial in a scenario, without a folder.
    fn scope<'s>(&'s self, values: &'s [f64], scenario: &'s Scenario, stop: Stop) -> Scope<'s> {
        let limit = self.program.declared.keys.limit.map(|limit| limit.at(self.case.split));
        Scope { program: self.program, values, draw: self.draw, scenario, stop, limit, dir: Path::new("") }
    }

    /// Runs a candidate in a scenario.
    fn attempt(&self, values: &[f64], place: usize, stop: Stop) -> Attempt {
        let program = self.program;
        let scenario = &program.declared.scenarios.rows()[place];
        let own = self.on_instance(values);
        let scope = self.scope(&own, scenario, stop);
        match &program.way {
            Way::Host(host) => {
                let trial = HostTrial { case: self.case, scenario: place, values, object: scope.question() };
                match host.play(trial) {
                    Some((answer, time)) => Attempt { result: scored(answer, program), time },
                    None => Attempt { result: Err(Trouble::Ends(PlayError::Stopped)), time: Duration::ZERO },
                }
            }
            Way::Worker => self
                .run_in_slot(&scope, |scope, slot, printed, time| worker::ask(scope, slot, &mut printed.stderr, time)),
            &Way::Command { clears } => self.run_in_slot(&scope, |scope, slot, printed, time| {
                if clears {
                    run::clear(slot)?;
                }
                run::run_command(scope, printed, time)
            }),
        }
    }

    /// Runs a candidate in the folder of a slot, and keeps its pictures or, if it fails, its files.
    fn run_in_slot(
        &self,
        scope: &Scope<'_>,
        run: impl FnOnce(&Scope<'_>, &mut Slot, &mut Printed, &mut Duration) -> Result<Scored, Trouble>,
    ) -> Attempt {
        let slots = &self.program.slots;
        let (mut printed, mut time) = (Printed::default(), Duration::ZERO);
        let mut slot = match slots.take() {
            Ok(slot) => slot,
            Err(error) => {
                let trouble = Trouble::fatal(FailureKind::Folder, format!("cannot create a temporary folder: {error}"));
                return Attempt { result: Err(trouble), time };
            }
        };
        let dir = slot.path().to_path_buf();
        let scope = Scope { dir: &dir, ..*scope };
        let result = run(&scope, &mut slot, &mut printed, &mut time);
        match &result {
            Ok(_) => pictures::keep(&scope, self.case, &printed),
            Err(Trouble::Failed(kind, message)) => kept::keep(&scope, *kind, message, &printed),
            Err(Trouble::Ends(_)) => {}
        }
        slots.give_back(slot);
        self.program.end_trial();
        Attempt { result, time }
    }
}

/// Returns the result of a trial that a host played.
fn scored(answer: HostAnswer, program: &ProgramSession) -> Result<Scored, Trouble> {
    match answer {
        HostAnswer::Score(score, metrics) => program.declared.score.of_host(score, &metrics).map_err(Trouble::from),
        HostAnswer::Failed(message) => Err(Trouble::Failed(FailureKind::Exit, message)),
    }
}
