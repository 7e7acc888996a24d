//! Parameters that follow features of instances: `temp = { float = [1, 1000], by = ["n"] }`.

use super::Parameters;
use crate::file::{ByKeys, SpreadKeys};
use evolve_search::document::Complaint;
use evolve_search::model::features::{Feature, Features, Values, range};
use evolve_search::model::parameter::Parameter;
use evolve_search::model::parameter::follow::{self, By, on_instance};
use evolve_search::model::trial::is_usable;
use indexmap::IndexMap;
use serde_json::Number;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The largest number of different numbers that are groups, and of words.
const FEW: usize = 5;
const MOST_GROUPS: usize = 50;

/// The features of all instances; none if the job declares none.
#[derive(Debug, Default)]
pub struct Known {
    pub features: Vec<Feature>,
    /// Those of the instances of the search.
    pub searched: Arc<Features>,
    /// The index of each instance in the features and groups.
    pub places: HashMap<String, usize>,
    /// The groups of each instance by features.
    pub groups: Vec<Vec<String>>,
}

impl Known {
    pub fn groups_of(&self, instance: &str) -> &[String] {
        self.places.get(instance).map_or(&[], |&place| &self.groups[place])
    }

    /// Returns the values of parameters on an instance.
    pub fn on(&self, instance: &str, parameters: &Parameters, values: &[f64]) -> Vec<f64> {
        let place = self.places.get(instance);
        on_instance(parameters.all(), values, |name| {
            place.and_then(|&place| follow::named(&self.features, name, place))
        })
    }
}

impl Parameters {
    /// Adds the coefficients of parameters that follow features. If features are not known, only
    /// those whose ranges are declared have any.
    ///
    /// # Errors
    /// The first parameter that cannot follow its features.
    pub fn follow(&mut self, features: Option<&[Feature]>) -> Result<(), Complaint> {
        for i in 0..self.items.len() {
            let Some(keys) = self.items[i].by.clone() else { continue };
            let (name, place) = (self.items[i].name.clone(), self.items[i].places.start);
            let fault = |message: String| Complaint::new(&[&name, "by"], message);
            if let Some(other) = self.depending_on(place) {
                return Err(Complaint::new(
                    &[other, "condition"],
                    format!(
                        "`{other}.condition`: `{name}` follows features, so its value differs between instances: remove `by`, or \
                         this condition"
                    ),
                ));
            }
            let spreads = spreads(keys, features).map_err(|message| fault(format!("`{name}.by`: {message}")))?;
            for (feature, spread) in &spreads {
                let parameter = &self.all[place];
                let of = |by| Parameter::coefficient(parameter, place, feature, by);
                let starting = |(group, value): (&String, &Number)| {
                    let value = value.as_f64().filter(|&value| parameter.allows(value)).ok_or_else(|| {
                        fault(format!("`{name}.by.{feature}.{group}`: {value} is not {}", parameter.allowed()))
                    })?;
                    Ok(Parameter::coefficient_of_group(parameter, place, feature, group, value))
                };
                let coefficients: Vec<Parameter> = match spread {
                    SpreadKeys::Numbers([low, high]) => vec![of(By::Number { low: *low, high: *high })],
                    SpreadKeys::Groups(groups) => groups.iter().map(|group| of(By::Group(group.clone()))).collect(),
                    SpreadKeys::Starts(starts) => starts.iter().map(starting).collect::<Result<_, Complaint>>()?,
                };
                self.all.extend(coefficients);
            }
            self.items[i].by = Some(ByKeys::Spreads(spreads));
        }
        Ok(())
    }
}

impl Parameters {
    /// Returns the name of a parameter whose condition depends on this one, if any.
    fn depending_on(&self, place: usize) -> Option<&str> {
        let depends = |one: &&Parameter| one.condition.as_ref().is_some_and(|own| own.places().contains(&place));
        self.all.iter().find(depends).map(|one| one.name.as_str())
    }
}

/// Returns the range or the groups of each feature that is named.
fn spreads(keys: ByKeys, features: Option<&[Feature]>) -> Result<IndexMap<String, SpreadKeys>, String> {
    match keys {
        ByKeys::Spreads(spreads) => {
            let is_empty = |spread: &SpreadKeys| match spread {
                SpreadKeys::Numbers([low, high]) => !(is_usable(*low) && is_usable(*high) && low < high),
                SpreadKeys::Groups(groups) => {
                    let different: BTreeSet<&String> = groups.iter().collect();
                    groups.is_empty() || groups.len() > MOST_GROUPS || different.len() < groups.len()
                }
                SpreadKeys::Starts(starts) => starts.is_empty() || starts.len() > MOST_GROUPS,
            };
            if let Some((name, _)) = spreads.iter().find(|(_, spread)| is_empty(spread)) {
                return Err(format!("`{name}` takes [smallest, largest], or up to {MOST_GROUPS} groups, each once"));
            }
            let occurring = |(name, spread): (String, SpreadKeys)| match (spread, features) {
                (SpreadKeys::Starts(starts), Some(features)) => {
                    let starts = occurring(named(features, &name)?, starts)?;
                    Ok((name, SpreadKeys::Starts(starts)))
                }
                (SpreadKeys::Numbers(_), Some(features))
                    if matches!(named(features, &name)?.values, Values::Words(_)) =>
                {
                    Err(format!("`{name}` is a word, so it has no range"))
                }
                (spread, Some(features)) => named(features, &name).map(|_| (name, spread)),
                (spread, None) => Ok((name, spread)),
            };
            spreads.into_iter().map(occurring).collect()
        }
        ByKeys::Names(names) => {
            let Some(features) = features else { return Ok(IndexMap::new()) };
            names.into_iter().map(|name| spread(named(features, &name)?).map(|spread| (name, spread))).collect()
        }
    }
}

fn named<'f>(features: &'f [Feature], name: &str) -> Result<&'f Feature, String> {
    features.iter().find(|feature| feature.name == name).ok_or_else(|| {
        let known: Vec<&str> = features.iter().map(|feature| feature.name.as_str()).collect();
        match known.is_empty() {
            true => format!("there is no feature `{name}`: declare it in `features` of [program]"),
            false => format!("there is no feature `{name}`; the features are {}", known.join(", ")),
        }
    })
}

/// Returns the groups with start values that occur.
fn occurring(feature: &Feature, starts: IndexMap<String, Number>) -> Result<IndexMap<String, Number>, String> {
    let groups = groups(feature);
    if let Some(group) = groups.iter().find(|group| !starts.contains_key(*group)) {
        let known: Vec<&str> = starts.keys().map(String::as_str).collect();
        let name = &feature.name;
        return Err(format!("`{name}` is {group} on an instance, and there are values for {}", known.join(", ")));
    }
    Ok(starts.into_iter().filter(|(group, _)| groups.contains(group)).collect())
}

/// Returns the different values of a feature.
fn groups(feature: &Feature) -> BTreeSet<String> {
    match &feature.values {
        Values::Words(words) => words.iter().cloned().collect(),
        Values::Numbers(numbers) => numbers.iter().map(ToString::to_string).collect(),
    }
}

fn spread(feature: &Feature) -> Result<SpreadKeys, String> {
    let different = groups(feature);
    let numbers = match &feature.values {
        Values::Words(_) => &[][..],
        Values::Numbers(numbers) => &numbers[..],
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
