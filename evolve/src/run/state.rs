//! Where a run stands: everything that the rest of it follows from.

use super::records::Records;
use super::round::Round;
use super::verdict::Verdict;
use crate::config::{Job, Limits};
use crate::genetic::{Genetic, ranking};
use crate::statistics::{Estimate, mean, standard_deviation};
use serde::{Deserialize, Serialize};

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Measuring the starting weights on the held-out games.
    Baseline,
    /// Measuring a generation.
    Evolving,
    /// Measuring the population's mean on the held-out games.
    Validating,
    /// The final round among the finalists.
    Finalists,
    /// Comparing the chosen finalist with the starting weights.
    Verdict,
    /// Nothing: it is complete.
    Done,
}

/// The best member of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leader {
    /// Its generation.
    pub generation: u64,
    /// Its weights that evolve.
    pub genome: Vec<f64>,
}

/// One of those among whom the final round chooses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finalist {
    /// Which one: `start`, `mean`, `average` or `leader`.
    pub name: String,
    /// The generation that it is from.
    pub generation: u64,
    /// All weights.
    pub weights: Vec<f64>,
}

/// Bytes of each file that belong to the run so far; what goes beyond was written after the checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// Of `generations.csv`.
    pub generations: u64,
    /// Of `validation.csv`.
    pub validation: u64,
    /// Of `timing.csv`.
    pub timing: u64,
}

/// What the end of evolution adds to, so that it can be taken back if the job is prolonged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Games played by then.
    pub games: u64,
    /// Bytes of `validation.csv` by then.
    pub validation: u64,
}

/// The state of a run between two batches of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What it is doing.
    pub phase: Phase,
    /// The genetic algorithm.
    pub genetic: Genetic,
    /// Scores so far of the round under way, in its order of play.
    pub partial: Vec<f64>,
    /// Scores of the starting weights on the held-out games.
    pub baseline: Vec<f64>,
    /// Leaders of generations, `stride` apart.
    pub leaders: Vec<Leader>,
    /// Generations from one kept leader to the next.
    pub stride: u64,
    /// The leader of the last generation played.
    pub last_leader: Option<Leader>,
    /// Where evolution ended, if it did.
    pub ended: Option<Ended>,
    /// The finalist that the final round chose.
    pub chosen: Option<Finalist>,
    /// The result.
    pub verdict: Option<Verdict>,
    /// Games played so far.
    pub games: u64,
    /// Best and mean fitness of the last generation played.
    pub latest: Option<(f64, f64)>,
    /// Seconds spent on games.
    pub seconds: f64,
    /// Seconds of them spent on generations, which `time` limits.
    pub evolving_seconds: f64,
    /// What belongs to the run of its files.
    pub lengths: Lengths,
}

impl State {
    /// The state of a run that has not played a game.
    pub fn new(job: &Job) -> Self {
        State {
            phase: if job.validation.every > 0 { Phase::Baseline } else { Phase::Evolving },
            genetic: Genetic::new(&job.space, &job.evolution, job.seed),
            partial: Vec::new(),
            baseline: Vec::new(),
            leaders: Vec::new(),
            stride: 1,
            last_leader: None,
            ended: None,
            chosen: None,
            verdict: None,
            games: 0,
            latest: None,
            seconds: 0.0,
            evolving_seconds: 0.0,
            lengths: Lengths::default(),
        }
    }

    /// Goes on to the next round, once every candidate of this one has its score on every deal.
    pub(super) fn complete(&mut self, job: &Job, scores: &[Vec<f64>], records: &mut Records) {
        match self.phase {
            Phase::Baseline => {
                records.validation("held-out", self, "start", &scores[0], &scores[0]);
                self.baseline = scores[0].clone();
                self.phase = Phase::Evolving;
            }
            Phase::Evolving => self.complete_generation(job, scores, records),
            Phase::Validating => {
                if self.ended.is_none() && self.is_over(job) {
                    // The limits were narrowed meanwhile. Prolonged, the run goes back to before this validation.
                    let games = self.games - scores[0].len() as u64;
                    self.ended = Some(Ended { games, validation: self.lengths.validation });
                }
                records.validation("held-out", self, "mean", &scores[0], &self.baseline);
                self.phase = self.next_phase(job);
            }
            Phase::Finalists => {
                let finalists = self.finalists(job);
                for (finalist, of_finalist) in finalists.iter().zip(scores) {
                    records.finalist(self, finalist, of_finalist, &scores[0]);
                }
                let means: Vec<f64> = scores.iter().map(|scores| mean(scores)).collect();
                self.chosen = Some(finalists[ranking(&means)[0]].clone());
                self.phase = Phase::Verdict;
            }
            Phase::Verdict => {
                let chosen = self.chosen.as_ref().expect("a finalist was chosen before the verdict");
                records.verdict(self, "start", 0, &scores[0], &scores[0]);
                records.verdict(self, &chosen.name, chosen.generation, &scores[1], &scores[0]);
                self.verdict = Some(Verdict::new(chosen, &scores[0], &scores[1]));
                self.phase = Phase::Done;
            }
            Phase::Done => {}
        }
    }

    fn complete_generation(&mut self, job: &Job, scores: &[Vec<f64>], records: &mut Records) {
        let fitness: Vec<f64> = scores.iter().map(|scores| mean(scores)).collect();
        let best = ranking(&fitness)[0];
        let generation = self.genetic.generation;
        records.generation(job, self, &fitness, best);
        self.latest = Some((fitness[best], mean(&fitness)));
        let leader = Leader { generation, genome: self.genetic.population[best].genome.clone() };
        if generation.is_multiple_of(self.stride) {
            self.leaders.push(leader.clone());
            if self.leaders.len() > job.finals.leaders {
                // Full: keep every other one, the first of them included, and from now on half as many.
                self.stride *= 2;
                self.leaders.retain(|leader| leader.generation.is_multiple_of(self.stride));
            }
        }
        self.last_leader = Some(leader);
        self.genetic.tell(&fitness, &job.space, &job.evolution, job.seed);
        if self.is_over(job) {
            self.ended = Some(Ended { games: self.games, validation: self.lengths.validation });
        }
        self.phase = self.phase_after_generation(job);
    }

    /// Goes back to the end of the last generation if the job, prolonged, has evolution go on from there; whether it
    /// does. From then on the run is the same as if the job had been that long from the start.
    pub(super) fn reopen(&mut self, job: &Job) -> bool {
        let Some(ended) = self.ended.filter(|_| !self.is_over(job)) else { return false };
        self.ended = None;
        self.games = ended.games;
        self.lengths.validation = ended.validation;
        self.partial.clear();
        self.chosen = None;
        self.verdict = None;
        self.phase = self.phase_after_generation(job);
        true
    }

    /// The limits to tell of a run that goes on with this job and was told to have the limits `then`: those with which
    /// it comes to the same, as far as generations limit it.
    pub(super) fn limits(&self, job: &Job, then: Limits) -> Limits {
        if self.ended.is_some() {
            // Narrower limits change no more what was played.
            return then;
        }
        // The generation under way is completed, whatever the limits.
        let coming = self.genetic.generation + u64::from(self.phase == Phase::Evolving);
        Limits { generations: job.limits.generations.map(|all| all.max(coming)), ..job.limits }
    }

    fn phase_after_generation(&self, job: &Job) -> Phase {
        let is_due = job.validation.every > 0
            && (self.genetic.generation.is_multiple_of(job.validation.every) || self.is_over(job));
        if is_due { Phase::Validating } else { self.next_phase(job) }
    }

    fn is_over(&self, job: &Job) -> bool {
        job.limits.generations.is_some_and(|all| self.genetic.generation >= all)
            || job.limits.time.is_some_and(|time| self.evolving_seconds >= time.as_secs_f64())
    }

    fn next_phase(&self, job: &Job) -> Phase {
        if self.is_over(job) { Phase::Finalists } else { Phase::Evolving }
    }

    /// Those among whom the final round chooses, the starting weights first.
    pub fn finalists(&self, job: &Job) -> Vec<Finalist> {
        let finalist = |name: &str, generation: u64, genome: &[f64]| Finalist {
            name: name.to_string(),
            generation,
            weights: job.space.complete(&job.space.rounded(genome)),
        };
        let generation = self.genetic.generation;
        let mut finalists = vec![
            Finalist { name: "start".to_string(), generation: 0, weights: job.space.start().to_vec() },
            finalist("mean", generation, &self.genetic.centre),
            finalist("average", generation, &self.genetic.average),
        ];
        // The leader of the first generation has hardly evolved.
        let early = self.leaders.iter().filter(|leader| leader.generation > 0);
        let last = self.last_leader.iter().filter(|last| !self.leaders.contains(last));
        finalists.extend(early.chain(last).map(|leader| finalist("leader", leader.generation, &leader.genome)));
        finalists
    }

    /// Whether a state read from a file fits its job and itself, so that the run can go on from it.
    pub(super) fn fits(&self, job: &Job) -> bool {
        let n = job.space.evolving().count();
        let is_genome = |leader: &Leader| leader.genome.len() == n;
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        // Far from what a run can reach, and from what can be added to or doubled.
        let is_count = |count: u64| count < 1 << 60;
        let has_baseline = match self.phase {
            Phase::Baseline => job.validation.every > 0,
            Phase::Validating => job.validation.every > 0 && self.baseline.len() == job.validation.games,
            _ => job.validation.every == 0 || self.baseline.len() == job.validation.games,
        };
        self.genetic.fits(&job.space, &job.evolution)
            && self.leaders.iter().all(is_genome)
            && self.last_leader.iter().all(is_genome)
            && self.stride > 0
            && [self.stride, self.games, self.genetic.generation].into_iter().all(is_count)
            && self.games >= self.partial.len() as u64
            && is_time(self.seconds)
            && is_time(self.evolving_seconds)
            && self.ended.is_none_or(|ended| ended.games <= self.games && ended.validation <= self.lengths.validation)
            && self.chosen.iter().all(|chosen| chosen.weights.len() == job.space.weights().len())
            && (!matches!(self.phase, Phase::Verdict | Phase::Done) || self.chosen.is_some())
            && (self.phase != Phase::Done || self.verdict.is_some())
            && has_baseline
            && Round::of(job, self).is_none_or(|round| self.partial.len() <= round.cells())
    }
}

/// Mean and spread of a generation's fitness.
pub(super) fn spread(fitness: &[f64]) -> (f64, f64) {
    (mean(fitness), standard_deviation(fitness))
}

/// An estimate of how much better one candidate is than another on the same games.
pub(super) fn difference(scores: &[f64], start: &[f64]) -> Estimate {
    Estimate::paired(scores, start)
}
