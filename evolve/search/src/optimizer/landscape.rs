//! The effects of parameters as an optimizer's model knows them: what reports show.

use crate::statistics::Interval;

/// The landscape around a candidate, by a model of the outcomes. Gains are differences of the
/// objective from the start, on the scale of comparisons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Landscape {
    /// The tuned values of the candidate, in the order of the space.
    pub values: Vec<f64>,
    /// A slice for each tuned parameter, in the order of the space.
    pub slices: Vec<Slice>,
    /// The shares of parameters in the variance of the mean effect over the space: each alone, then
    /// pairs of the most important ones.
    pub shares: Vec<Share>,
    /// Maps of pairs of important parameters, those with the strongest interaction first.
    pub maps: Vec<Map>,
    /// The trials of the model, in the order of play.
    pub trials: Vec<Corrected>,
    /// The gain of the candidate that the model recommended after some numbers of its trials,
    /// judged by its present kernel.
    pub course: Vec<(usize, Interval)>,
    /// The number of generations that the model searched; another optimizer searches after them.
    pub generations: u64,
}

/// The mean effect of a parameter, through the candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The index of the parameter in the space.
    pub place: usize,
    /// Whether the parameter's condition holds in the candidate.
    pub is_awake: bool,
    /// The values of the parameter, ascending, each with the gain there. Forbidden values are left
    /// out.
    pub points: Vec<(f64, Interval)>,
}

/// The mean effect of two parameters, through the candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The indices of the parameters in the space.
    pub places: [usize; 2],
    /// Ascending values of each parameter.
    pub values: [Vec<f64>; 2],
    /// The gain at each value of the first parameter, for each value of the second in turn; `None`
    /// where the combination is forbidden. Between some of the values, widths of intervals are
    /// interpolated.
    pub gains: Vec<Option<Interval>>,
}

/// The share of a parameter, or of the interaction of two, in the variance of the mean effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The index of the parameter in the space.
    pub place: usize,
    /// The other parameter of a pair.
    pub other: Option<usize>,
    /// The share, from 0 to 1, with the range of a jackknife over trials.
    pub share: Interval,
}

/// A trial without the level of its case.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrected {
    /// The tuned values, in the order of the space.
    pub values: Vec<f64>,
    /// The number of the case among all cases of the search.
    pub case: u64,
    /// The trial's objective.
    pub objective: f64,
    /// The difference from the start, less the level of the case. An outcome much worse than the
    /// start's is reduced.
    pub gain: f64,
}
