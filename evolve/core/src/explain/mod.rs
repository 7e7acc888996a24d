//! What the weights of a recommendation are worth: each set back, the path from the start to it, slices through it.
//!
//! All is paired: candidates of one question play the same fresh deals, and each of the three questions has deals of its
//! own. Intervals hold for all answers to a question together (Bonferroni), by units that are independent.

pub mod parts;
mod slices;
mod table;

pub use slices::{Point, Slice};

use crate::comparison::Units;
use crate::evaluator::{Evaluator, Trial};
use crate::problem::{Candidate, Problem};
use crate::seed::{Purpose, seed};
use crate::setup::Setup;
use crate::space::Space;
use crate::statistics::{Estimate, two_sided};
use crate::trial::{Deal, Failure, Outcome};
use parts::{Back, Part};

/// What is explained.
pub struct Subject<'a> {
    /// What is played.
    pub problem: &'static dyn Problem,
    /// How it is played.
    pub setup: &'a Setup,
    /// The weights, and where they started.
    pub space: &'a Space,
    /// What is recommended.
    pub values: &'a [f64],
}

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Every deal follows from it.
    pub seed: u64,
    /// Deals of each candidate.
    pub games: usize,
    /// Of how many weights there are slices, those worth most first.
    pub slices: usize,
}

/// A difference with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The mean of the paired differences.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// What a part is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The part.
    pub part: Part,
    /// By how much the recommendation is better than without it.
    pub worth: Difference,
    /// The share of the moves that it changes, where deals can be replayed: how often the next move is another one.
    pub moves_changed: Option<f64>,
    /// The share of the games whose outcome it changes.
    pub games_changed: f64,
}

/// A step from the start to the recommendation.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is set to its recommended value in it.
    pub name: String,
    /// The difference to the step before.
    pub gain: Difference,
    /// The difference to the start.
    pub total: Difference,
}

/// All that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Weights and then groups, each in the order of their worth, the most first.
    pub worths: Vec<Worth>,
    /// The way from the start to the recommendation, by the worth of its steps.
    pub path: Vec<Step>,
    /// Slices through the recommendation.
    pub slices: Vec<Slice>,
}

/// The share of answers to a question that may be wrong, all together.
const ERROR: f64 = 0.05;
/// Of how many games one is replayed to count moves, and how many are at most.
const REPLAYED: usize = 10;
const MOST_REPLAYED: usize = 40;

/// How many games an explanation plays, replays apart.
pub fn games(subject: &Subject<'_>, effort: &Effort) -> usize {
    let weights = parts::weights(subject.space, subject.values);
    let groups = parts::groups(&weights);
    let steps = parts::steps(&weights, &groups).len();
    let sliced = weights.len().min(effort.slices);
    effort.games * (1 + weights.len() + groups.len() + 1 + steps + 1 + slices::MOST_POINTS * sliced)
}

/// Explains a recommendation; `told` hears of games as they are played.
///
/// # Errors
/// The first trial that failed and does not count.
pub fn explain(
    subject: &Subject<'_>,
    evaluator: &dyn Evaluator,
    effort: &Effort,
    told: &mut dyn FnMut(usize),
) -> Result<Explanation, Failure> {
    let units = Units::of(subject.problem, Purpose::Measurement, effort.games);
    let mut bench = Bench { subject, evaluator, effort, units, told };
    let weights = parts::weights(subject.space, subject.values);
    let groups = parts::groups(&weights);
    let worths = bench.worths(&[&weights[..], &groups].concat())?;
    let (mut of_weights, mut of_groups) = (worths[..weights.len()].to_vec(), worths[weights.len()..].to_vec());
    let mut steps = parts::steps(&weights, &groups);
    let worth = |part: &Part| worths.iter().find(|one| one.part == *part).map_or(0.0, |one| one.worth.mean);
    steps.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let path = bench.path(&steps)?;
    let order = |worths: &mut Vec<Worth>| worths.sort_by(|a, b| b.worth.mean.total_cmp(&a.worth.mean));
    order(&mut of_weights);
    order(&mut of_groups);
    let mut sliced: Vec<&Worth> = of_weights.iter().collect();
    sliced.sort_by(|a, b| b.worth.mean.abs().total_cmp(&a.worth.mean.abs()));
    sliced.truncate(effort.slices);
    let places: Vec<usize> = sliced.iter().map(|one| one.part.back[0].0).collect();
    let slices = bench.slices(&places)?;
    of_weights.extend(of_groups);
    Ok(Explanation { worths: of_weights, path, slices })
}

/// Plays candidates.
struct Bench<'a> {
    subject: &'a Subject<'a>,
    evaluator: &'a dyn Evaluator,
    effort: &'a Effort,
    units: Units,
    told: &'a mut dyn FnMut(usize),
}

/// The questions, each with deals of its own.
#[derive(Clone, Copy)]
enum Question {
    Worths = 1,
    Path = 2,
    Slices = 3,
}

impl Bench<'_> {
    fn deals(&self, question: Question) -> Vec<Deal> {
        let own = seed(self.effort.seed, Purpose::Measurement, question as u64, u64::MAX);
        Deal::first(own, Purpose::Measurement, self.effort.games)
    }

    /// The outcomes of each candidate on the deals of a question.
    fn play(&mut self, question: Question, candidates: &[Vec<f64>]) -> Result<Vec<Vec<Outcome>>, Failure> {
        let deals = self.deals(question);
        let mut round = self.evaluator.round(candidates);
        let mut outcomes = Vec::new();
        for candidate in 0..candidates.len() {
            let trials: Vec<Trial> = deals.iter().map(|&deal| Trial { candidate, deal }).collect();
            outcomes.push(round.play(&trials)?);
            (self.told)(trials.len());
        }
        Ok(outcomes)
    }

    /// How much better the first is than the second, as one of so many answers.
    fn difference(&self, first: &[Outcome], second: &[Outcome], answers: usize) -> Difference {
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a.objective - b.objective).collect();
        let estimate = Estimate::of(&self.units.means_by_number(&differences));
        let (low, high) = estimate.interval_at(two_sided(ERROR / answers.max(1) as f64));
        Difference { mean: estimate.mean, low, high }
    }

    fn worths(&mut self, parts: &[Part]) -> Result<Vec<Worth>, Failure> {
        let values = self.subject.values;
        let mut candidates = vec![values.to_vec()];
        candidates.extend(parts.iter().map(|part| part.without(values)));
        let outcomes = self.play(Question::Worths, &candidates)?;
        let moves = self.moves(&candidates)?;
        let whole = &outcomes[0];
        let is_other = |(a, b): &(&Outcome, &Outcome)| a.objective != b.objective || a.parts != b.parts;
        let worth = |(i, part): (usize, &Part)| Worth {
            part: part.clone(),
            worth: self.difference(whole, &outcomes[i + 1], parts.len()),
            moves_changed: moves.as_ref().map(|moves| moves[i]),
            games_changed: whole.iter().zip(&outcomes[i + 1]).filter(is_other).count() as f64 / whole.len() as f64,
        };
        Ok(parts.iter().enumerate().map(worth).collect())
    }

    /// For each candidate but the first, how often its next move is another than that of the first, where both have come
    /// the same way; `None` if deals cannot be replayed.
    fn moves(&self, candidates: &[Vec<f64>]) -> Result<Option<Vec<f64>>, Failure> {
        let Subject { problem, setup, space, .. } = self.subject;
        let Some(replayable) = problem.replayable() else { return Ok(None) };
        let mut deals = self.deals(Question::Worths);
        deals.truncate((self.effort.games / REPLAYED).clamp(1, MOST_REPLAYED));
        let replay = |values: &Vec<f64>| replayable.replay(setup, Candidate::new(space.parameters(), values), &deals);
        let whole = replay(&candidates[0])?;
        let mut shares = Vec::new();
        for candidate in &candidates[1..] {
            let (mut moves, mut changed) = (0, 0);
            for (one, other) in whole.iter().zip(replay(candidate)?) {
                let same = one.steps.iter().zip(&other.steps);
                let same = same.take_while(|(a, b)| a.name == b.name && a.cells == b.cells).count();
                let is_other = same < one.steps.len();
                moves += same + usize::from(is_other);
                changed += usize::from(is_other);
            }
            shares.push(changed as f64 / moves.max(1) as f64);
        }
        Ok(Some(shares))
    }

    fn path(&mut self, steps: &[Part]) -> Result<Vec<Step>, Failure> {
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        let Subject { space, values, .. } = self.subject;
        let mut candidates = vec![space.start().to_vec()];
        for step in steps {
            let mut next = candidates[candidates.len() - 1].clone();
            step.back.iter().for_each(|&(place, _)| next[place] = values[place]);
            candidates.push(next);
        }
        let outcomes = self.play(Question::Path, &candidates)?;
        let step = |(i, step): (usize, &Part)| Step {
            name: step.name.clone(),
            // Of each step the gain and the total.
            gain: self.difference(&outcomes[i + 1], &outcomes[i], 2 * steps.len()),
            total: self.difference(&outcomes[i + 1], &outcomes[0], 2 * steps.len()),
        };
        Ok(steps.iter().enumerate().map(step).collect())
    }
}

impl Worth {
    /// Whether the part does anything that can be seen.
    pub fn is_settled(&self) -> bool {
        self.worth.low > 0.0 || self.worth.high < 0.0
    }

    /// Whether it is a group.
    pub fn is_group(&self) -> bool {
        self.part.back.len() > 1
    }

    /// What it was set back to.
    pub fn to(&self) -> Back {
        self.part.to
    }
}

#[cfg(test)]
mod tests;
