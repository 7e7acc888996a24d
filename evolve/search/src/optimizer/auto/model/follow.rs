//! Parameters that follow features of instances: read off the model, which knows how candidates
//! differ between instances.
//!
//! The trials play candidates without coefficients, so a space with parameters that follow features
//! has no more dimensions to search than one without. From the best candidate, the coefficients are
//! chosen greedily: the one whose change lowers the mean over instances most is changed, as long as
//! the model is sure enough. The levels of parameters with coefficients are changed with them. From
//! then on, every other trial improves on these values on an instance.
//!
//! The start may follow features itself, as after a run that found a function. Then all candidates
//! have its coefficients, and those chosen here are changes of these. The dimensions of the model
//! are the levels, so that the start is a constant like any other.

use super::Model;
use super::encoding::encoded;
use super::gain::Gains;
use super::posterior::Posterior;
use super::process::{Met, ModelTrial, Part, Process};
use super::propose::{self, Around};
use crate::model::parameter::follow::{By, named, on_instance};
use crate::model::space::Role;
use crate::statistics::{Interval, mean as mean_of};
use chacha20::ChaCha8Rng;
use rand::RngExt;
use std::collections::BTreeSet;

/// The number of instances that stand for all of them.
const SAMPLED: usize = 32;
/// The coefficients that are compared, with both signs; for groups, these times [`OF_GROUPS`].
const COEFFICIENTS: [f64; 12] = [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];
const OF_GROUPS: f64 = 0.6;
/// The changes of a level that are compared, with both signs, in shares of the explored range.
const LEVELS: [f64; 8] = [0.0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3];
/// A change counts if its gain exceeds this many standard deviations.
const SURE: f64 = 0.5;
/// The penalty for the square of a coefficient, in units of the outcomes.
const PENALTY: f64 = 0.01;
/// The coefficients are chosen again when the number of trials has grown by this factor.
const GROWTH: f64 = 1.3;
/// The number of trials after which trials serve the coefficients.
const FIRST: usize = 60;

/// Changes of coefficients, and then of levels, with the values and means on each instance.
struct Way {
    coefficients: Vec<f64>,
    parts: Vec<Part>,
    means: Vec<f64>,
    /// The mean over instances, with the penalty.
    cost: f64,
}

impl Way {
    /// Returns whether any of the first `count`, which are no changes of levels, is not 0.
    fn follows(&self, count: usize) -> bool {
        self.coefficients[..count].iter().any(|&coefficient| coefficient != 0.0)
    }
}

impl Model {
    /// Returns the indices of the coefficients in the space, which are its last tuned parameters.
    fn coefficients(&self) -> &[usize] {
        let of_all = self.space.coordinates().iter().rev();
        let count = of_all.take_while(|coordinate| coordinate.role == Role::Coefficient).count();
        let tuned = self.space.tuned_indices();
        &tuned[tuned.len() - count..]
    }

    /// Returns whether parameters follow features that the model knows.
    pub fn follows(&self) -> bool {
        self.state.instances.features() > 0 && !self.is_constrained() && !self.coefficients().is_empty()
    }

    /// Chooses the coefficients again, if there are many new trials.
    pub(super) fn follow(&mut self) {
        if self.follows() && self.trials() as f64 >= GROWTH * self.state.followed as f64 {
            self.state.coefficients = self.best().map_or_else(Vec::new, |(best, _)| self.chosen(&best));
            self.state.followed = self.trials();
        }
    }

    /// Returns the dimensions of the parameters that follow features.
    fn followers(&self) -> Vec<usize> {
        let parameters = self.space.parameters();
        let of = |&place: &usize| parameters[place].follows.as_deref().map(|follows| follows.place);
        let places: BTreeSet<usize> = self.coefficients().iter().filter_map(of).collect();
        let tuned = self.space.tuned_indices();
        places.iter().filter_map(|place| tuned.iter().position(|other| other == place)).collect()
    }

    /// Returns the best coefficients around the best candidate, and then the changes of levels.
    fn chosen(&self, best: &[f64]) -> Vec<f64> {
        let Some(kernel) = &self.state.kernel else { return Vec::new() };
        let process = self.process(kernel);
        let places = self.coefficients();
        let largest: Vec<f64> = places.iter().map(|&place| self.largest(place)).collect();
        let mut options: Vec<Vec<f64>> = largest.iter().map(|&largest| signed(&COEFFICIENTS, largest)).collect();
        let followers = self.followers();
        options.extend(followers.iter().map(|_| signed(&LEVELS, 1.0)));
        let mut now = self.way(&process, best, vec![0.0; options.len()], None);
        // Each change is one step of a descent.
        for _ in 0..3 * options.len() {
            // Constants are those of a played candidate.
            let count = if now.follows(places.len()) { options.len() } else { places.len() };
            let changed = |i: usize, value: f64| {
                let mut coefficients = now.coefficients.clone();
                coefficients[i] = value;
                self.way(&process, best, coefficients, Some(&now))
            };
            let best_of = |i: usize| {
                let ways = options[i].iter().map(|&value| changed(i, value));
                ways.min_by(|a, b| a.cost.total_cmp(&b.cost)).filter(|way| way.cost < now.cost - 1e-9)
            };
            let mut ways: Vec<Way> = (0..count).filter_map(best_of).collect();
            ways.sort_by(|a, b| a.cost.total_cmp(&b.cost));
            let old = process.mixture(now.parts.clone());
            let is_sure = |way: &Way| {
                let new = process.mixture(way.parts.clone());
                old.mean - new.mean > SURE * process.variance_between_mixtures(&old, &new).sqrt()
            };
            let Some(way) = ways.into_iter().find(is_sure) else { break };
            now = way;
        }
        if now.follows(places.len()) { now.coefficients } else { Vec::new() }
    }

    /// Returns what coefficients make of a candidate. Values that are the same as in `known` have
    /// the same means.
    fn way(&self, process: &Process<'_>, best: &[f64], coefficients: Vec<f64>, known: Option<&Way>) -> Way {
        let parts = self.parts(best, &coefficients);
        let mean = |(place, part): (usize, &Part)| match known {
            Some(known) if known.parts[place] == *part => known.means[place],
            _ => process.mean_on_instance(part),
        };
        let means: Vec<f64> = parts.iter().enumerate().map(mean).collect();
        let penalty = PENALTY * coefficients.iter().map(|x| x * x).sum::<f64>();
        Way { cost: mean_of(&means) + penalty, coefficients, parts, means }
    }

    /// Returns the largest coefficient that is tried; 0 if the search's instances do not differ in
    /// the feature.
    fn largest(&self, place: usize) -> f64 {
        let Some(follows) = self.space.parameters()[place].follows.as_deref() else { return 0.0 };
        let is_known = self.space.features().columns().iter().any(|feature| feature.name == follows.feature);
        match follows.by {
            _ if !is_known => 0.0,
            By::Number { .. } => 1.0,
            By::Group(_) => OF_GROUPS,
        }
    }

    /// Returns the values of a candidate with these coefficients on each sampled instance.
    fn parts(&self, values: &[f64], coefficients: &[f64]) -> Vec<Part> {
        let (count, candidate) = (self.space.features().instances().min(SAMPLED), self.candidate(values, coefficients));
        (0..count).map(|instance| (instance, self.on_instance(&candidate, instance))).collect()
    }

    /// Returns the values of all parameters, with these changes of coefficients.
    fn candidate(&self, values: &[f64], coefficients: &[f64]) -> Vec<f64> {
        self.space.candidate(&self.following(values, coefficients))
    }

    /// Returns the model's view of a candidate on an instance: the levels that would have its
    /// values there with the coefficients of the start.
    fn on_instance(&self, candidate: &[f64], instance: usize) -> Vec<f64> {
        let columns = self.space.features().columns();
        let own = |candidate: &[f64]| {
            let own = on_instance(self.space.parameters(), candidate, |name| named(columns, name, instance));
            encoded(&self.dimensions, &self.space.point(&own))
        };
        let (places, start) = (self.coefficients(), self.space.start());
        // Exact, and the usual case: the start is constant.
        if places.iter().all(|&place| start[place] == 0.0) {
            return own(candidate);
        }
        let mut of_start = candidate.to_vec();
        places.iter().for_each(|&place| of_start[place] = start[place]);
        let level = encoded(&self.dimensions, &self.space.point(candidate));
        let moved = own(candidate).into_iter().zip(own(&of_start)).map(|(of, from)| of - from);
        let level = level.into_iter().zip(moved).zip(&self.dimensions);
        level.map(|((level, by), dimension)| if by == 0.0 { level } else { dimension.snapped(level + by) }).collect()
    }

    /// Returns the candidate with changed levels.
    fn levelled(&self, values: &[f64], coefficients: &[f64]) -> Vec<f64> {
        let mut values = values.to_vec();
        let changes = coefficients.iter().skip(self.coefficients().len());
        for (d, &change) in self.followers().into_iter().zip(changes).filter(|(_, change)| **change != 0.0) {
            values[d] = self.dimensions[d].snapped(values[d] + change);
        }
        values
    }

    /// Returns the point of the space with these changes of coefficients.
    pub(super) fn following(&self, values: &[f64], coefficients: &[f64]) -> Vec<f64> {
        let mut point = self.point(&self.levelled(values, coefficients));
        let first = point.len() - self.coefficients().len();
        point[first..].iter_mut().zip(coefficients).for_each(|(own, &change)| *own += change);
        point
    }

    /// Returns the recommended candidate with coefficients chosen from all trials.
    pub fn recommended_now(&self) -> Vec<f64> {
        match self.best().filter(|_| self.follows()) {
            Some((best, _)) => self.following(&best, &self.chosen(&best)),
            None => self.recommended(),
        }
    }

    /// Returns the gain of a candidate with the present coefficients; `None` without any.
    pub(super) fn gain_of_following(&self, gains: &Gains<'_>, best: &[f64]) -> Option<Interval> {
        let coefficients = &self.state.coefficients;
        (self.follows() && !coefficients.is_empty())
            .then(|| gains.of_parts(self.parts(&self.start(), &[]), self.parts(best, coefficients)))
    }

    /// Returns a trial that improves on the present coefficients, on an instance drawn from the
    /// first `offers` cases; `None` if it is not the turn of the coefficients. The trial is one of
    /// a pair if the level of its case is not known.
    pub(super) fn serving(
        &self,
        posterior: &Posterior<'_>,
        around: Around<'_>,
        best: &Met,
        offers: usize,
        share: &dyn Fn(u32, u32) -> f64,
        random: &mut ChaCha8Rng,
    ) -> Option<Vec<ModelTrial>> {
        if !self.follows() || self.trials() < FIRST || !random.random_bool(0.5) {
            return None;
        }
        let case = random.random_range(0..offers as u32) as usize;
        let instance = posterior.process.instance_of(case)?;
        let aimed = posterior.aimed_at(instance);
        let own = self.on_instance(&self.candidate(&best.values, &self.state.coefficients), instance);
        let seen = aimed.ranked(self.played());
        let chosen = propose::improving(&aimed, around, aimed.process.met(own.clone()), &seen, share, random);
        let is_new = case >= self.state.cases.len();
        let pair = (is_new && chosen != own).then(|| ModelTrial::new(own, case));
        Some([ModelTrial::new(chosen, case)].into_iter().chain(pair).collect())
    }
}

/// Returns multiples of a number with both signs.
fn signed(shares: &[f64], unit: f64) -> Vec<f64> {
    shares.iter().flat_map(|share| [share * unit, -share * unit]).collect()
}
