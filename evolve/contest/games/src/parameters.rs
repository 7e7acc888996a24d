//! Parameters from the weights of players.

use evolve_search::model::parameter::Parameter;
use policy::weights::Weight;

/// Returns a parameter for each declared weight, in the same order.
pub fn parameters<'w>(weights: impl IntoIterator<Item = &'w Weight>) -> Vec<Parameter> {
    let parameter = |weight: &Weight| {
        let &Weight { name, meaning, min, max, scale, default } = weight;
        Parameter::float(name, min, max, default).unit(scale).meaning(meaning)
    };
    weights.into_iter().map(parameter).collect()
}
