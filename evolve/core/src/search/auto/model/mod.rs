//! A model for few trials: a Gaussian process over candidates and cases chooses the most
//! informative trial.
//!
//! The model estimates the level of every case, so a candidate need not play all cases that its
//! rivals have played. The first trials all use one case. The state has the trials and the
//! hyperparameters of the last fit. Everything else is computed from these.

mod censored;
mod design;
mod earlier;
mod encoding;
mod fit;
mod follow;
mod gain;
mod kernel;
mod kin;
mod landscape;
mod limits;
mod process;
mod propose;
mod squash;
mod state;
mod triangle;

pub use state::State;

use crate::model::seed::{Split, generator, seed};
use crate::model::space::Space;
use crate::search::{Again, Ask, Cases, Told};

use crate::statistics::{Interval, mean, standard_deviation};
use earlier::EarlierRuns;
use encoding::{Dimension, decoded, dimensions, encoded};
use fit::Played;
use gain::Gains;
use kernel::Kernel;
use kin::Instances;
use limits::{Limited, Limits, Prospect};
use process::{Before, Distinct, Met, ModelTrial, Process};
use propose::{Around, Seen};
use rand::RngExt;
use squash::{reduced, spread_of_better};
use state::Request;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use triangle::Triangle;

/// Number of trials in a request, and of requests in progress. Together they keep twelve threads
/// busy. When a trial is chosen, the outcomes of the eight to eleven trials before it are unknown.
const BATCH: usize = 4;
const AHEAD: usize = 3;
/// Priors count as their density to the power of this over the number of trials: piBO (Hvarfner et
/// al., ICLR 2022), whose authors take a tenth of all trials. A density counts as at least this
/// share of the largest one, so that priors exclude nothing.
const BELIEF: f64 = 30.0;
const LEAST_BELIEF: f64 = 1e-12;
/// A gain over the start of this many standard deviations is clear.
const CLEAR: f64 = 2.0;
/// A start that is clearly worse is played on one case for this many trials, up to this number of
/// cases. On a single case, its interaction would be unknown.
const TRIALS_A_START: usize = 20;
const MOST_STARTS: usize = 6;
/// The hyperparameters are fitted again when the number of trials has grown by this factor.
const GROWTH: f64 = 1.15;
/// Largest number of trials of a fit; half of them are the best ones.
const LARGEST_FIT: usize = 200;
/// The number of new instances that are compared for a trial, if their features are known.
const OFFERED: usize = 24;

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    space: Space,
    dimensions: Vec<Dimension>,
    earlier: EarlierRuns,
    cases: Cases,
    seed: u64,
    /// The number of trials after which it makes no more requests.
    most: usize,
    state: State,
    factor: Factor,
}

/// The factor of the covariances of this run's trials, which is kept between requests, because most
/// of the time of a request would go into it. It has the bits that a resumed run computes.
#[derive(Clone, Debug, Default)]
struct Factor(RefCell<Option<(Kernel, Triangle)>>);

impl Factor {
    /// Returns the rows known for a kernel, at most this number.
    fn of(&self, kernel: &Kernel, most: usize) -> Triangle {
        let known = self.0.borrow();
        let known = known.as_ref().filter(|known| known.0 == *kernel);
        known.map(|known| known.1.first(known.1.rows().min(most))).unwrap_or_default()
    }

    /// Keeps the first rows.
    fn keep(&self, kernel: &Kernel, triangle: &Triangle, rows: usize) {
        let mut known = self.0.borrow_mut();
        if known.as_ref().is_none_or(|known| known.0 != *kernel || known.1.rows() < rows) {
            *known = Some((kernel.clone(), triangle.first(rows)));
        }
    }
}

/// It follows from the state.
impl PartialEq for Factor {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Model {
    /// Returns a model of about `most` trials from its state, or at its start; `None` if the state
    /// does not fit this space.
    pub fn new(space: &Space, cases: Cases, seed: u64, most: usize, state: State) -> Option<Self> {
        let dimensions = dimensions(space.coordinates());
        let earlier = EarlierRuns::of(space, &dimensions);
        let is_new = state == State::default();
        let space = space.clone();
        let fits = is_new || state.fits(&dimensions, earlier.runs(), most);
        let mut model =
            fits.then(|| Model { space, dimensions, earlier, cases, seed, most, state, factor: Factor::default() })?;
        if is_new {
            // The only case has no others for which its features could stand.
            if cases == Cases::Many {
                model.state.instances = Instances::of(model.space.features());
            }
            let design = model.design();
            model.request(design, Vec::new(), &[0]);
        }
        Some(model)
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the number of trials so far.
    pub fn trials(&self) -> usize {
        self.state.trials.len()
    }

    /// Returns whether the model has all its trials.
    pub fn is_complete(&self) -> bool {
        self.state.requests.is_empty()
    }

    /// Returns the oldest request in progress.
    ///
    /// # Panics
    /// If the model is complete.
    pub fn ask(&self) -> Ask {
        self.ask_of(&self.state.requests[0])
    }

    /// Returns the requests in progress after the oldest one.
    pub fn ahead(&self) -> Vec<Ask> {
        self.state.requests.iter().skip(1).map(|request| self.ask_of(request)).collect()
    }

    fn ask_of(&self, request: &Request) -> Ask {
        let Request { trials, known, rivals } = request;
        let cases = request.cases() - known;
        let again = self.state.cases[..*known].to_vec();
        let numbers = self.state.cases[*known..request.cases()].iter().map(|case| case.number).collect();
        let mut ask = Ask { points: Vec::new(), cases, numbers, again, trials: Vec::new(), rivals: rivals.clone() };
        for trial in trials {
            let point = self.point(&trial.values);
            let place = ask.points.iter().position(|other| *other == point).unwrap_or_else(|| {
                ask.points.push(point);
                ask.points.len() - 1
            });
            // New cases come first.
            let case = if trial.case < *known { cases + trial.case } else { trial.case - known };
            ask.trials.push((place, case));
        }
        ask
    }

    /// Records the outcomes of the oldest request, and makes further requests.
    pub fn tell(&mut self, ask: &Ask, told: &Told<'_>) {
        let state = &mut self.state;
        if state.batches == 0 {
            state.quantities = told.quantities.iter().map(Limited::new).collect();
        }
        state.quantities.iter_mut().zip(told.quantities).for_each(|(known, quantity)| known.tell(quantity));
        let Request { known, .. } = state.requests.remove(0);
        state.outcomes.add(told);
        for &(point, place) in &ask.trials {
            let case = if place < ask.cases { known + place } else { place - ask.cases };
            let values = encoded(&self.dimensions, &ask.points[point]);
            state.trials.push(ModelTrial::new(values, case));
        }
        state.batches += 1;
        self.state.levels = self.levels_of_best();
        let state = &self.state;
        if state.kernel.is_none() || state.trials.len() as f64 >= GROWTH * state.fitted as f64 + 0.5 {
            self.fit();
        }
        self.follow();
        self.look_ahead();
    }

    /// Returns whether there are constraints.
    pub fn is_constrained(&self) -> bool {
        !self.state.quantities.is_empty()
    }

    /// Returns objectives minus a penalty for each point that does not hold all constraints by the
    /// model, so that it is worse than those that do; `None` without constraints. The penalty is
    /// the same on all cases.
    pub fn penalized(&self, ask: &Ask, objectives: &[f64]) -> Option<Vec<f64>> {
        if !self.is_constrained() {
            return None;
        }
        let limits = self.limits();
        let excess = |point: &Vec<f64>| limits.excess(&encoded(&self.dimensions, point));
        let excesses: Vec<f64> = ask.points.iter().map(excess).collect();
        let spread = ask.spread(objectives);
        // If all objectives are equal, any penalty separates candidates.
        let unit = if spread > 0.0 { spread } else { 1.0 };
        let penalty = |place: usize| if excesses[place] > 0.0 { unit * (1.0 + excesses[place]) } else { 0.0 };
        Some(ask.trials.iter().zip(objectives).map(|(&(point, _), objective)| objective - penalty(point)).collect())
    }

    /// Makes requests up to the number in progress, or until the model has all its trials.
    fn look_ahead(&mut self) {
        let pending = |requests: &[Request]| requests.iter().map(|request| request.trials.len()).sum::<usize>();
        while self.state.requests.len() < AHEAD && self.trials() + pending(&self.state.requests) < self.most {
            let (trials, rivals, numbers) = self.batch();
            self.request(trials, rivals, &numbers);
        }
    }

    /// Adds a request, whose new cases have these numbers.
    fn request(&mut self, trials: Vec<ModelTrial>, rivals: Vec<Option<f64>>, numbers: &[u64]) {
        let State { batches, cases, requests, .. } = &mut self.state;
        let request = Request { trials, known: cases.len(), rivals };
        let generation = *batches + requests.len() as u64;
        cases.extend(numbers.iter().zip(0..).map(|(&number, place)| Again { generation, place, number }));
        requests.push(request);
    }

    /// Returns the numbers of the cases so far.
    fn numbers(&self) -> Vec<u64> {
        self.state.cases.iter().map(|case| case.number).collect()
    }

    fn fit(&mut self) {
        let outcomes = match &self.state.kernel {
            Some(kernel) => self.outcomes(kernel),
            // Bounds count as outcomes until there is a model.
            None => self.standardized(),
        };
        let state = &self.state;
        let n = state.trials.len();
        let above = self.above_levels();
        let order = self.represented(self.fitted_trials(n, |i| above[i]), &above);
        let mut trials: Vec<ModelTrial> = order.iter().map(|&i| state.trials[i].clone()).collect();
        let mut of: Vec<f64> = order.iter().map(|&i| outcomes[i]).collect();
        trials.extend(self.earlier.beside(n).map(|known| known.trial.clone()));
        of.extend(&outcomes[n..]);
        let numbers = self.numbers();
        let played = Played { trials: &trials, outcomes: &of, instances: &self.state.instances, numbers: &numbers };
        let fitted = fit::fit(&self.dimensions, self.cases, self.earlier.runs(), played, state.kernel.as_ref());
        self.state.kernel = Some(fitted.0);
        self.state.fitted = n;
        let start = self.start();
        let mut quantities = std::mem::take(&mut self.state.quantities);
        for quantity in &mut quantities {
            let few = |n: usize, rank: &dyn Fn(usize) -> f64| self.fitted_trials(n, rank);
            quantity.fit((&self.dimensions, self.cases), (&self.state.trials, &start), few);
        }
        self.state.quantities = quantities;
    }

    /// Returns the indices of the trials of a fit among `n` trials, in ascending order: if there
    /// are too many, half of them are those with the least `rank`, and the others are drawn.
    fn fitted_trials(&self, n: usize, rank: impl Fn(usize) -> f64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        if n > LARGEST_FIT {
            order.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
            let mut random = generator(seed(self.seed, Split::Variation, self.state.batches, FIT));
            for place in LARGEST_FIT / 2..LARGEST_FIT {
                let other = random.random_range(place as u32..n as u32) as usize;
                order.swap(place, other);
            }
            order.truncate(LARGEST_FIT);
            order.sort_unstable();
        }
        order
    }

    /// Returns trials with one more of each case that has none: the one least above its level.
    fn represented(&self, mut order: Vec<usize>, above: &[f64]) -> Vec<usize> {
        let trials = &self.state.trials;
        if order.len() == trials.len() {
            return order;
        }
        let mut has = vec![false; self.state.cases.len()];
        order.iter().for_each(|&i| has[trials[i].case] = true);
        let mut best: BTreeMap<usize, usize> = BTreeMap::new();
        for (i, trial) in trials.iter().enumerate().filter(|(_, trial)| !has[trial.case]) {
            let best = best.entry(trial.case).or_insert(i);
            if above[i] < above[*best] {
                *best = i;
            }
        }
        order.extend(best.into_values());
        order.sort_unstable();
        order
    }

    /// Returns the best played candidate, as a point of the space: the one with the least mean
    /// among those that hold all constraints. Returns the start if it breaks no constraint and is
    /// not clearly worse. If it breaks one and no candidate holds all, returns the one that most
    /// probably does.
    pub fn recommended(&self) -> Vec<f64> {
        let of_best = |values: &[f64]| self.following(values, &self.state.coefficients);
        self.best().map_or_else(|| self.space.origin(), |(values, _)| of_best(&values))
    }

    /// Returns the gain of the [recommended](Self::recommended) candidate in objective over the
    /// start, with its 95 % interval; `None` if that is the start, or not known to hold all
    /// constraints.
    pub fn gain(&self) -> Option<Interval> {
        let (best, is_feasible) = self.best()?;
        if !is_feasible {
            return None;
        }
        let State { kernel, trials, .. } = &self.state;
        let (kernel, outcomes) = (kernel.as_ref()?, self.unreduced()?);
        let process = self.process_of(kernel, trials.clone(), &outcomes);
        let gains = Gains::new(&process, &outcomes, &self.start());
        Some(self.gain_of_following(&gains, &best).unwrap_or_else(|| gains.of(&best)))
    }

    /// Returns the outcomes of this run, centred, of which only those are reduced that are much more
    /// than twice as far above the level of their case as the start's; `None` without a model.
    fn unreduced(&self) -> Option<Vec<f64>> {
        let State { kernel, trials, outcomes: observed, .. } = &self.state;
        let of_cases = self.levels();
        let levels: Vec<f64> = trials.iter().map(|trial| of_cases[trial.case]).collect();
        let above = self.above_levels();
        let start = self.start();
        let of_start = trials.iter().zip(&above).filter(|(trial, _)| trial.values == start);
        let least = of_start.map(|(_, &above)| 2.0 * above).fold(f64::NEG_INFINITY, f64::max);
        let above = reduced(&above, least, self.least_spread(&above));
        let outcomes: Vec<f64> = above.iter().zip(&levels).map(|(above, level)| above + level).collect();
        let (centre, unit) = (mean(&outcomes), standard_deviation(&outcomes));
        // Bounds are raised in the unit of the kernel.
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let outcomes = outcomes.iter().map(|y| (y - centre) / unit).collect();
        let raised = censored::imputed(self.before(kernel.as_ref()?), trials, outcomes, observed.bounds());
        Some(raised.iter().map(|y| y * unit).collect())
    }

    fn before<'a>(&'a self, kernel: &'a Kernel) -> Before<'a> {
        Before { dimensions: &self.dimensions, kernel, instances: &self.state.instances, numbers: self.numbers() }
    }

    /// Returns the level of each case, as an outcome: of the best candidate when the model was last
    /// asked, or the least outcome on the case.
    fn levels(&self) -> Vec<f64> {
        let State { trials, outcomes, cases, levels, .. } = &self.state;
        let mut least = vec![f64::INFINITY; cases.len()];
        for (trial, &outcome) in trials.iter().zip(outcomes.values()) {
            least[trial.case] = least[trial.case].min(outcome);
        }
        levels.iter().copied().chain(least.into_iter().skip(levels.len())).collect()
    }

    /// Returns how much each outcome is above the level of its case.
    fn above_levels(&self) -> Vec<f64> {
        let levels = self.levels();
        let State { trials, outcomes, .. } = &self.state;
        trials.iter().zip(outcomes.values()).map(|(trial, outcome)| outcome - levels[trial.case]).collect()
    }

    /// Returns the expected outcome of the best candidate on each case with an outcome; none
    /// without a model.
    fn levels_of_best(&self) -> Vec<f64> {
        let State { kernel: Some(kernel), trials, .. } = &self.state else { return Vec::new() };
        let process = self.process(kernel);
        let best = self.seen(&process, &self.limits()).swap_remove(0).met;
        let played: BTreeSet<usize> = trials.iter().map(|trial| trial.case).collect();
        let squashed = self.squashed();
        let (mean, unit) = (mean(&squashed), self.earlier.unit(&squashed));
        // Cases are requested in order, so those without an outcome are the last ones.
        let count = (0..).take_while(|case| played.contains(case)).count();
        (0..count).map(|case| mean + unit * process.on_case(&best, case)).collect()
    }

    /// Returns the recommended candidate, and whether it is known to hold all constraints; `None`
    /// if that is the start.
    fn best(&self) -> Option<(Vec<f64>, bool)> {
        let process = self.process(self.state.kernel.as_ref()?);
        let limits = self.limits();
        let best = self.seen(&process, &limits).swap_remove(0);
        let start = process.known(process.met(self.start()));
        let is_start_infeasible = limits.prospect(&start.values).is_infeasible;
        let is_feasible = best.prospect.is_feasible;
        if !is_feasible && !is_start_infeasible {
            return None;
        }
        let best = process.known(best.met);
        let (gain, deviation) = (start.mean - best.mean, process.variance_between(&best, &start).sqrt());
        if gain < deviation && !is_start_infeasible {
            return None;
        }
        Some((best.values, is_feasible))
    }

    /// Returns every played candidate once, the best first.
    fn seen(&self, process: &Process<'_>, limits: &Limits<'_>) -> Vec<Seen> {
        let of = |values: Vec<f64>| Seen { prospect: limits.prospect(&values), met: process.met(values) };
        let mut seen: Vec<Seen> = self.played().into_iter().map(of).collect();
        seen.sort_by(|a, b| Prospect::order((a.met.mean, a.prospect), (b.met.mean, b.prospect)));
        seen
    }

    fn limits(&self) -> Limits<'_> {
        Limits::new(&self.dimensions, &self.state.quantities, &self.state.trials, &self.start())
    }

    fn start(&self) -> Vec<f64> {
        encoded(&self.dimensions, &self.space.origin())
    }

    /// Returns the point of a candidate.
    fn point(&self, values: &[f64]) -> Vec<f64> {
        decoded(&self.dimensions, values, self.space.coordinates())
    }

    /// Returns the candidate if it is allowed, or else the nearest one that is.
    fn allowed(&self, values: Vec<f64>) -> Vec<f64> {
        let point = self.point(&values);
        if self.space.allows_point(&point) { values } else { encoded(&self.dimensions, &self.space.allowed(point)) }
    }

    /// Returns every played candidate once, in the order of play.
    fn played(&self) -> Vec<Vec<f64>> {
        Distinct::of(&self.state.trials).candidates
    }

    fn process<'a>(&'a self, kernel: &'a Kernel) -> Process<'a> {
        self.process_of(kernel, self.all_trials(), &self.outcomes(kernel))
    }

    /// Returns the posterior after trials. The trials of this run come first.
    fn process_of<'a>(&'a self, kernel: &'a Kernel, trials: Vec<ModelTrial>, outcomes: &[f64]) -> Process<'a> {
        let own = self.trials();
        let factor = self.factor.of(kernel, own);
        let process = Process::new(self.before(kernel), trials, outcomes, factor);
        self.factor.keep(kernel, process.triangle(), own);
        process
    }

    /// Returns the trials of this run, then the trials of earlier runs.
    fn all_trials(&self) -> Vec<ModelTrial> {
        let earlier = self.earlier.beside(self.trials()).map(|known| &known.trial);
        self.state.trials.iter().chain(earlier).cloned().collect()
    }

    /// Returns the standardized outcomes of all trials, with expected values under a kernel in place
    /// of bounds.
    fn outcomes(&self, kernel: &Kernel) -> Vec<f64> {
        let earlier = self.earlier.beside(self.trials()).zip(self.trials()..);
        let earlier = earlier.filter(|(known, _)| known.is_bound).map(|(_, place)| place);
        let bounds: Vec<usize> = self.state.outcomes.bounds().iter().copied().chain(earlier).collect();
        censored::imputed(self.before(kernel), &self.all_trials(), self.standardized(), &bounds)
    }

    /// Returns the outcomes of this run. Those much more above the level of their case than most
    /// are reduced: the degree of failure does not matter.
    fn squashed(&self) -> Vec<f64> {
        let (levels, above) = (self.levels(), self.above_levels());
        let above = reduced(&above, f64::NEG_INFINITY, self.least_spread(&above));
        self.state.trials.iter().zip(above).map(|(trial, above)| levels[trial.case] + above).collect()
    }

    /// Returns the least spread of outcomes above their levels: a share of the design's spread. The
    /// design covers the space. Later trials are near the best candidate, and without noise most of
    /// them tie with it.
    fn least_spread(&self, above: &[f64]) -> f64 {
        const SHARE: f64 = 0.1;
        let design = self.state.trials.iter().take_while(|trial| trial.case == 0).count();
        SHARE * spread_of_better(&above[..design])
    }

    /// Returns the outcomes of all trials, scaled to mean 0 in each run and standard deviation 1
    /// within runs.
    fn standardized(&self) -> Vec<f64> {
        let squashed = self.squashed();
        let (mean, unit) = (mean(&squashed), self.earlier.unit(&squashed));
        let earlier = self.earlier.beside(squashed.len()).map(|known| known.outcome);
        let all = squashed.iter().map(|y| y - mean).chain(earlier);
        all.map(|y| if unit > 0.0 { y / unit } else { 0.0 }).collect()
    }

    /// Returns the weight of priors for a candidate, which shrinks as the number of trials grows.
    fn belief(&self, values: &[f64]) -> f64 {
        let of = |(dimension, &value): (&Dimension, &f64)| dimension.belief(value);
        let logarithm: f64 = self.dimensions.iter().zip(values).map(of).sum();
        libm::exp(BELIEF / self.state.trials.len() as f64 * logarithm.max(libm::log(LEAST_BELIEF)))
    }

    /// Returns the most informative trials, the rivals on the cases so far, and the numbers of the
    /// new cases. Each trial is chosen as if the others, and the trials of earlier requests, were
    /// in progress.
    fn batch(&self) -> (Vec<ModelTrial>, Vec<Option<f64>>, Vec<u64>) {
        let State { kernel, batches, requests, cases, .. } = &self.state;
        let offered = self.offered();
        let mut process = self.process(kernel.as_ref().expect("a model is fitted to the first batch"));
        offered.iter().for_each(|&number| process.add_case(number));
        let mut limits = self.limits();
        for trial in requests.iter().flat_map(|request| &request.trials) {
            process.expect(trial.clone());
            limits.expect(trial);
        }
        let seen = self.seen(&process, &limits);
        let rivals = self.rivals(&seen);
        let number = batches + requests.len() as u64;
        let mut trials: Vec<ModelTrial> = Vec::new();
        let allowed = |values| self.allowed(values);
        let belief = |values: &[f64]| self.belief(values);
        let around = Around { dimensions: &self.dimensions, cases: self.cases, allowed: &allowed, belief: &belief };
        let all = cases.len() + offered.len();
        let offers = |trials: &[ModelTrial]| {
            let is_new = |&case: &usize| trials.iter().all(|trial| trial.case != case);
            let first = (cases.len()..all).find(is_new).unwrap_or(all);
            // Without features, all new cases are alike.
            if self.state.instances.features() > 0 { all } else { (first + 1).min(all) }
        };
        let mut new = self.challenge((&process, &limits), &seen[0].met, offers(&[]));
        loop {
            for trial in new {
                process.expect(trial.clone());
                limits.expect(&trial);
                trials.push(trial);
            }
            if trials.len() >= BATCH {
                break;
            }
            let place = trials.len() as u64;
            let mut random = generator(seed(self.seed, Split::Variation, number, place));
            let share = self.shares(number * BATCH as u64 + place);
            let (model, offers) = ((&process, &limits), offers(&trials));
            new = self
                .serving(model, around, &seen[0].met, offers, &share, &mut random)
                .unwrap_or_else(|| propose::next(model, around, &seen, offers, &share, &mut random));
        }
        let numbers = self.settled(&mut trials, &offered);
        (trials, rivals, numbers)
    }

    /// Returns the numbers of new cases on offer. Lists of instances are shuffled, so the next ones
    /// are a random selection.
    fn offered(&self) -> Vec<u64> {
        let used: BTreeSet<u64> = self.state.cases.iter().map(|case| case.number).collect();
        let count = if self.state.instances.features() > 0 { OFFERED } else { BATCH + 1 };
        (0..).filter(|number| !used.contains(number)).take(count).collect()
    }

    /// Renumbers new cases in the order of their first trials, and returns their numbers.
    fn settled(&self, trials: &mut [ModelTrial], offered: &[u64]) -> Vec<u64> {
        let known = self.state.cases.len();
        let mut taken: Vec<usize> = Vec::new();
        for trial in trials.iter_mut().filter(|trial| trial.case >= known) {
            let place = taken.iter().position(|&case| case == trial.case).unwrap_or_else(|| {
                taken.push(trial.case);
                taken.len() - 1
            });
            trial.case = known + place;
        }
        taken.iter().map(|case| offered[case - known]).collect()
    }

    /// Returns trials of the start, or of the start and the best candidate, that are most
    /// informative about their difference, unless that is clear and known from several cases. The
    /// recommendation depends on this difference, and so does the gain that is shown, but a start
    /// that seems worse would not be played again.
    fn challenge(&self, (process, limits): (&Process<'_>, &Limits<'_>), best: &Met, offers: usize) -> Vec<ModelTrial> {
        let start = self.start();
        if self.cases == Cases::One || best.values == start {
            return Vec::new();
        }
        let (best, start) = (process.known(best.clone()), process.known(process.met(start)));
        let is_clear = start.mean - best.mean >= CLEAR * process.variance_between(&best, &start).sqrt();
        let of_start = (0..offers).filter(|&case| process.has(&start.values, case)).count();
        if is_clear && of_start >= (self.trials() / TRIALS_A_START).min(MOST_STARTS) {
            return Vec::new();
        }
        propose::most_telling_trials((process, limits), &start, &best, offers)
    }

    /// Returns, for each case, the objective of the best candidate that played it; `seen` lists all
    /// candidates, the best first.
    fn rivals(&self, seen: &[Seen]) -> Vec<Option<f64>> {
        let State { trials, outcomes, cases, .. } = &self.state;
        let mut best = vec![(usize::MAX, None); cases.len()];
        for (trial, outcome) in trials.iter().zip(outcomes.values()) {
            let rank = seen.iter().position(|seen| seen.met.values == trial.values).expect("it was played");
            if rank < best[trial.case].0 {
                best[trial.case] = (rank, Some(-outcome));
            }
        }
        best.into_iter().map(|(_, objective)| objective).collect()
    }

    /// Returns numbers between 0 and 1 that cover a cube evenly: Owen-scrambled Sobol points.
    fn shares(&self, stream: u64) -> impl Fn(u32, u32) -> f64 {
        let scramble = seed(self.seed, Split::Variation, stream, SOBOL) as u32;
        move |index, dimension| f64::from(sobol_burley::sample(index, dimension, scramble))
    }
}

/// Streams of random numbers, separate from the streams of batches.
const SOBOL: u64 = 1 << 32;
const FIT: u64 = (1 << 32) + 1;
