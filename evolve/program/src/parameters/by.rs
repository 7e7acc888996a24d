//! Parameters that follow features of instances: `temp = { float = [1, 1000], by = ["n"] }`.

use super::Parameters;
use crate::file::{ByKeys, SpreadKeys};
use evolve_core::model::features::{Feature, Values, range};
use evolve_core::model::parameter::Parameter;
use evolve_core::model::parameter::follow::{By, named, on_instance};
use indexmap::IndexMap;
use std::collections::{BTreeSet, HashMap};

/// The largest number of different numbers that are groups, and of words.
const FEW: usize = 5;
const MOST_GROUPS: usize = 50;

/// The features of all instances.
#[derive(Clone, Debug, Default)]
pub struct FeatureTable {
    features: Vec<Feature>,
    places: HashMap<String, usize>,
}

impl FeatureTable {
    pub fn new<'n>(features: Vec<Feature>, instances: impl Iterator<Item = &'n str>) -> Self {
        FeatureTable { features, places: instances.map(String::from).zip(0..).collect() }
    }

    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Returns the values of parameters on an instance.
    pub fn on(&self, instance: &str, parameters: &Parameters, values: &[f64]) -> Vec<f64> {
        let place = self.places.get(instance);
        on_instance(parameters.all(), values, |name| place.and_then(|&place| named(&self.features, name, place)))
    }
}

impl Parameters {
    /// Adds the coefficients of parameters that follow features. If features are not known, only
    /// those whose ranges are declared have any.
    ///
    /// # Errors
    /// The parameter at fault, with the message.
    pub fn follow(&mut self, features: Option<&[Feature]>) -> Result<(), (String, String)> {
        for i in 0..self.items.len() {
            let Some(keys) = self.items[i].by.clone() else { continue };
            let (name, place) = (self.items[i].name.clone(), self.items[i].places.start);
            let spreads =
                spreads(keys, features).map_err(|message| (name.clone(), format!("`{name}.by`: {message}")))?;
            for (feature, spread) in &spreads {
                let of = |by| Parameter::coefficient(&self.all[place], place, feature, by);
                let coefficients: Vec<Parameter> = match spread {
                    SpreadKeys::Numbers([low, high]) => vec![of(By::Number { low: *low, high: *high })],
                    SpreadKeys::Groups(groups) => groups.iter().map(|group| of(By::Group(group.clone()))).collect(),
                };
                self.all.extend(coefficients);
            }
            self.items[i].by = Some(ByKeys::Spreads(spreads));
        }
        Ok(())
    }
}

/// Returns the range or the groups of each feature that is named.
fn spreads(keys: ByKeys, features: Option<&[Feature]>) -> Result<IndexMap<String, SpreadKeys>, String> {
    let names: Vec<String> = match keys {
        ByKeys::Spreads(spreads) => {
            let is_empty = |spread: &SpreadKeys| match spread {
                SpreadKeys::Numbers([low, high]) => low >= high,
                SpreadKeys::Groups(groups) => groups.is_empty() || groups.len() > MOST_GROUPS,
            };
            return match spreads.iter().find(|(_, spread)| is_empty(spread)) {
                Some((name, _)) => Err(format!("`{name}` takes [smallest, largest], or up to {MOST_GROUPS} groups")),
                None => Ok(spreads),
            };
        }
        ByKeys::Names(names) => names,
    };
    let Some(features) = features else { return Ok(IndexMap::new()) };
    let spread_of = |name: String| {
        let Some(feature) = features.iter().find(|feature| feature.name == name) else {
            let known: Vec<&str> = features.iter().map(|feature| feature.name.as_str()).collect();
            return Err(match known.is_empty() {
                true => format!("there is no feature `{name}`: declare it in `features` of [program]"),
                false => format!("there is no feature `{name}`; the features are {}", known.join(", ")),
            });
        };
        Ok((name, spread(feature)?))
    };
    names.into_iter().map(spread_of).collect()
}

fn spread(feature: &Feature) -> Result<SpreadKeys, String> {
    let (different, numbers) = match &feature.values {
        Values::Words(words) => (words.iter().cloned().collect::<BTreeSet<String>>(), &[][..]),
        Values::Numbers(numbers) => (numbers.iter().map(ToString::to_string).collect(), &numbers[..]),
    };
    match (different.len(), numbers.is_empty()) {
        (0 | 1, _) => Err(format!("`{}` is the same on all instances", feature.name)),
        (count, true) if count > MOST_GROUPS => {
            Err(format!("`{}` has {count} different words; up to {MOST_GROUPS} can be groups", feature.name))
        }
        (count, is_word) if is_word || count <= FEW => {
            let mut groups: Vec<String> = different.into_iter().collect();
            let number = |group: &String| group.parse().unwrap_or(f64::INFINITY);
            groups.sort_by(|a, b| number(a).total_cmp(&number(b)).then(a.cmp(b)));
            Ok(SpreadKeys::Groups(groups))
        }
        _ => {
            let (low, high) = range(numbers);
            Ok(SpreadKeys::Numbers([low, high]))
        }
    }
}
