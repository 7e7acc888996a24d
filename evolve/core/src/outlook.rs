//! What a job can hope for, before it runs: the noise of a trial, what pairing gains, what the verdict will see.

use crate::comparison::Units;
use crate::config::{Job, Limits};
use crate::evaluator::{Evaluator, Round, Trial};
use crate::optimizer::sampling::normal;
use crate::seed::{Purpose, generator, seed};
use crate::statistics::{Estimate, correlation, mean, standard_deviation};
use crate::trial::{Deal, Outcome, PlayError};

/// Outcomes of one candidate after another on the same deals.
///
/// # Errors
/// The first trial that failed and does not count.
pub fn play(round: &mut dyn Round, candidate: usize, deals: &[Deal]) -> Result<Vec<Outcome>, PlayError> {
    let trials: Vec<Trial> = deals.iter().map(|&deal| Trial { candidate, deal }).collect();
    round.play(&trials)
}

/// How trials scatter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The mean objective of the start.
    pub level: f64,
    /// The standard deviation of its objective from deal to deal.
    pub alone: f64,
    /// The standard deviation of differences to neighbours on the same deal.
    pub paired: f64,
    /// The correlation of the start's objectives with those of neighbours on the same deals.
    pub correlation: f64,
    /// The largest difference in the mean, to either side, that a neighbour made.
    pub largest: f64,
}

/// How many neighbours are played, and how far they are from the start in every coordinate, in units of variation.
pub const NEIGHBOURS: usize = 4;
const DISTANCE: f64 = 2.0;

/// Candidates in some distance from a point of a job's space in all that evolves. The same for the same seed.
fn neighbours(job: &Job) -> Vec<Vec<f64>> {
    let neighbour = |number: usize| {
        let mut random = generator(seed(job.seed, Purpose::Variation, u64::MAX, number as u64));
        let point = job.space.coordinates().iter().map(|coordinate| {
            let place = coordinate.start + DISTANCE * coordinate.scale * normal(&mut random);
            coordinate.clamp(place)
        });
        job.space.candidate(&point.collect::<Vec<_>>())
    };
    (0..NEIGHBOURS).map(neighbour).collect()
}

impl Noise {
    /// Measures it: the start and its neighbours on so many deals of the search.
    ///
    /// # Errors
    /// The first trial that failed and does not count.
    pub fn measure(job: &Job, evaluator: &dyn Evaluator, deals: usize) -> Result<Self, PlayError> {
        let deals = Deal::first(job.seed, Purpose::Training, deals);
        let mut candidates = vec![job.space.start().to_vec()];
        candidates.extend(neighbours(job));
        let mut round = evaluator.round(&candidates);
        let mut rows = Vec::new();
        for candidate in 0..candidates.len() {
            let outcomes = play(round.as_mut(), candidate, &deals)?;
            rows.push(outcomes.iter().map(|outcome| outcome.objective).collect::<Vec<f64>>());
        }
        let differences: Vec<Vec<f64>> =
            rows[1..].iter().map(|row| row.iter().zip(&rows[0]).map(|(a, b)| a - b).collect()).collect();
        let variances: Vec<f64> = differences.iter().map(|row| standard_deviation(row).powi(2)).collect();
        let correlations: Vec<f64> = rows[1..].iter().map(|row| correlation(row, &rows[0])).collect();
        Ok(Noise {
            level: mean(&rows[0]),
            alone: standard_deviation(&rows[0]),
            paired: mean(&variances).sqrt(),
            correlation: mean(&correlations),
            largest: differences.iter().map(|row| mean(row).abs()).fold(0.0, f64::max),
        })
    }

    /// How many times as many games it would take to see the same on deals of each one's own.
    pub fn pairing_gains(&self) -> f64 {
        if self.paired > 0.0 { 2.0 * (self.alone / self.paired).powi(2) } else { f64::INFINITY }
    }

    /// How many deals it takes to find a difference in four of five verdicts.
    pub fn deals_to_see(&self, difference: f64) -> f64 {
        (FOUND * self.paired / difference).powi(2)
    }
}

/// A difference of so many standard errors is found in four of five verdicts: 2.33 by which the interval reaches to either
/// side after all games, and 0.84.
const FOUND: f64 = 2.326 + 0.842;

/// What a run will take, and what it can see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Trials of the search.
    pub search: f64,
    /// Generations of it.
    pub generations: f64,
    /// Trials of checks on held-out games.
    pub checks: f64,
    /// Trials of the final round and, at most, of the verdict.
    pub finals: f64,
    /// Independent observations of the verdict at most: deals, or instances.
    pub units: usize,
    /// Half the width of the verdict's interval after all its games, where the finalist is near the start.
    pub half_width: f64,
    /// The difference that is found in four of five verdicts.
    pub found: f64,
}

impl Forecast {
    /// The forecast of a job, whose trials take so many seconds.
    pub fn of(job: &Job, noise: &Noise, seconds: f64) -> Self {
        let Limits { budget, generations, time } = job.limits;
        let optimizer = job.optimizer.start(job.space.coordinates(), job.seed);
        let each = optimizer.ask().trials.len().max(1) as f64;
        let by_time = time.map(|time| time.as_secs_f64() / seconds.max(1e-9));
        let by_generations = generations.map(|generations| generations as f64 * each);
        let limits = [budget.map(|budget| budget as f64), by_generations, by_time];
        let search = limits.into_iter().flatten().fold(f64::INFINITY, f64::min);
        // The start's, and one at the end.
        let checks = 2.0 + search / job.validation.trials_between() as f64;
        let finalists = (1 + optimizer.recommended().len()) as f64;
        let units = Units::of(&*job.source.problem, Purpose::Verdict, job.finals.verdict);
        let error = noise.paired / (units.count as f64).sqrt();
        Forecast {
            search,
            generations: search / each,
            checks: checks * job.validation.games as f64,
            finals: finalists * job.finals.games as f64 + 2.0 * job.finals.verdict as f64,
            units: units.count,
            half_width: (FOUND - 0.842) * error,
            found: FOUND * error,
        }
    }

    /// All trials, at most.
    pub fn trials(&self) -> f64 {
        self.search + self.checks + self.finals
    }
}

/// What one value of one parameter does.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The mean difference to the start.
    pub difference: Estimate,
    /// The share of the deals whose outcome changed.
    pub changed: f64,
}

impl Effect {
    /// The effect by outcomes on the same deals.
    pub fn of(outcomes: &[Outcome], start: &[Outcome]) -> Self {
        let differences: Vec<f64> = outcomes.iter().zip(start).map(|(a, b)| a.objective - b.objective).collect();
        let changed = outcomes.iter().zip(start).filter(|(a, b)| a.objective != b.objective || a.parts != b.parts);
        Effect { changed: changed.count() as f64 / start.len().max(1) as f64, difference: Estimate::of(&differences) }
    }
}

/// What is likely to go wrong with a job, in sentences.
pub fn warnings(job: &Job, forecast: &Forecast, noise: &Noise) -> Vec<String> {
    let mut warnings = Vec::new();
    let (mut at_bound, mut narrow) = (Vec::new(), Vec::new());
    for &place in job.space.places() {
        let parameter = &job.space.parameters()[place];
        if !parameter.is_number() {
            continue;
        }
        let (min, max) = parameter.range();
        let start = job.space.start()[place];
        if start == min || start == max {
            at_bound.push(parameter.name.as_str());
        }
    }
    let coordinates = job.space.coordinates();
    if coordinates.len() == job.space.places().len() {
        let is_narrow =
            |place: &usize| coordinates[*place].max - coordinates[*place].min < 3.0 * coordinates[*place].scale;
        let names: Vec<&str> = job.space.evolving().map(|parameter| parameter.name.as_str()).collect();
        narrow = (0..coordinates.len()).filter(is_narrow).map(|place| names[place]).collect();
    }
    if !at_bound.is_empty() {
        warnings.push(format!("at a bound from the start, so that one side is closed: {}", at_bound.join(", ")));
    }
    if !narrow.is_empty() {
        let names = narrow.join(", ");
        warnings.push(format!("ranges narrower than three units of variation, too narrow to search: {names}"));
    }
    if forecast.generations < 10.0 {
        warnings.push(format!(
            "the search has about {:.0} generations: give it a larger limit, or fewer candidates or games a generation",
            forecast.generations.floor()
        ));
    }
    let least = 20.0 * coordinates.len() as f64;
    if forecast.search < least {
        warnings.push(format!(
            "{:.0} trials are few for {} coordinates; {least:.0} are the least that is likely to find anything",
            forecast.search,
            coordinates.len()
        ));
    }
    if noise.largest > 0.0 && forecast.found > noise.largest {
        warnings.push(
            "the verdict cannot tell even the largest difference that was seen here from luck: give it more games"
                .to_string(),
        );
    }
    if noise.paired == 0.0 {
        warnings.push("no neighbour of the start played any deal differently: what evolves has no effect".to_string());
    }
    if forecast.checks + forecast.finals > forecast.search {
        warnings.push("checks, final round and verdict play more than the search".to_string());
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Threads;
    use crate::fixture::job;
    use crate::problem::Context;

    #[test]
    fn noise_is_measured_and_pairing_pays() {
        let job = job(&[("noise = 4", "noise = 100")]);
        let evaluator = Threads::open(&*job.source.problem, &job.source.setup, 2, Context::default()).unwrap();
        let noise = Noise::measure(&job, &evaluator, 400).unwrap();
        // Half of a hundred's even spread, in the objective; the same deals have the same luck.
        assert!((noise.alone - 50.0 / 12_f64.sqrt()).abs() < 1.0, "{noise:?}");
        assert!(noise.correlation > 0.9 && noise.pairing_gains() > 10.0, "{noise:?}");
        let forecast = Forecast::of(&job, &noise, 0.001);
        assert_eq!((forecast.search, forecast.units), (45.0, 30));
        let warnings = warnings(&job, &forecast, &noise).join("\n");
        assert!(warnings.contains("about 3 generations") && warnings.contains("play more than"), "{warnings}");
    }

    #[test]
    fn what_cannot_work_is_told() {
        let job = job(&[("slope_y = [-4, 4]", "slope_y = [-3, -2]\nslope_x = [4, 5]")]);
        let evaluator = Threads::open(&*job.source.problem, &job.source.setup, 2, Context::default()).unwrap();
        let noise = Noise::measure(&job, &evaluator, 30).unwrap();
        let warnings = warnings(&job, &Forecast::of(&job, &noise, 0.001), &noise).join("\n");
        assert!(
            warnings.contains("at a bound from the start, so that one side is closed: slope_x, slope_y"),
            "{warnings}"
        );
    }
}
