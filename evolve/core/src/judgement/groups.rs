//! The difference of two candidates by group of instances, such as small and large ones.

use crate::judgement::comparison::{Answer, Comparison, Looks, Units};
use crate::judgement::measured::{Measured, differences_of_scores, scores};
use evolve_search::model::goal::Direction;
use evolve_search::statistics::{Interval, LEAST_CLAIM, digits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The error probability of the intervals of all groups together.
const ERROR: f64 = 0.05;

/// The largest number of groups with a line of their own; of more, only those that clearly differ
/// have one.
const MOST: usize = 12;

/// The scores of two candidates in a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The quantity and its value, such as `K = 3`.
    pub name: String,
    /// The number of trials or, with a list of instances, of instances.
    pub count: usize,
    /// The mean scores of the first and the second candidate.
    pub means: [f64; 2],
    /// The mean difference, the second minus the first. The intervals of all groups hold together;
    /// `None` of few observations.
    pub difference: Option<Interval>,
}

/// Returns the groups of the trials of two candidates, ordered unit by unit, by name and then by
/// value. `names` are the problem's [groups](evolve_search::model::trial::Metrics::groups). Returns
/// no groups if there is only one. If no other outcomes exist, differences are exact.
pub fn groups(names: &[String], units: Units, [first, second]: [&[Measured]; 2], is_exact: bool) -> Vec<Group> {
    let played = units.in_batches(first.len()).unwrap_or(units.count);
    let differences = units.observations(0, &differences_of_scores(second, first));
    let [first_means, second_means] = [first, second].map(|all| units.means(&scores(all)));
    let mut members: BTreeMap<(usize, Option<i64>, String), Vec<usize>> = BTreeMap::new();
    for unit in 0..played {
        let case = units.cases_before(unit);
        // A failed trial does not know its group.
        let Some(known) = [&first[case], &second[case]].into_iter().find(|one| !one.failed) else { continue };
        for (place, value) in known.groups.iter().enumerate().filter(|(_, value)| !value.is_empty()) {
            members.entry((place, leading(value), value.clone())).or_default().push(unit);
        }
    }
    let of_name = |place: usize| members.keys().filter(|(other, ..)| *other == place).count();
    let several: Vec<_> = members.iter().filter(|((place, ..), _)| of_name(*place) > 1).collect();
    let alpha = ERROR / several.len().max(1) as f64;
    let group = |(&(place, _, ref value), members): (&(usize, Option<i64>, String), &Vec<usize>)| {
        let mean = |of: &[f64]| members.iter().map(|&unit| of[unit]).sum::<f64>() / members.len() as f64;
        let comparison = Comparison::new(Looks::once(alpha, members.len()), 0.0);
        let comparison = comparison.with(members.iter().map(|&unit| differences[unit]));
        Some(Group {
            name: format!("{} = {value}", names.get(place)?),
            count: members.len(),
            means: [mean(&first_means), mean(&second_means)],
            difference: match is_exact {
                true => Some(comparison.exact()),
                false => (members.len() >= LEAST_CLAIM).then(|| comparison.interval()),
            },
        })
    };
    several.into_iter().filter_map(group).collect()
}

/// Returns the whole number at the beginning of a group's value, such as 5 of `5 to 12`.
fn leading(value: &str) -> Option<i64> {
    value.split(' ').next()?.parse().ok()
}

impl Group {
    /// Returns the answer about the second candidate.
    pub fn answer(&self, goal: Direction) -> Answer {
        let answer = self.difference.map_or(Answer::Open, |difference| Answer::of(difference, 0.0));
        if goal == Direction::Minimize { answer.reversed() } else { answer }
    }

    /// Returns the group in a line: `K = 3: 2513.1 to 1964.9, -548 (-700 to -396), worse`.
    pub fn line(&self, goal: Direction) -> String {
        let Group { name, means: [first, second], difference, .. } = self;
        let digits = |error: f64| digits(error, first.abs().max(second.abs()));
        let (digits, difference) = match difference {
            None => (digits(0.0), " (too few trials)".to_string()),
            Some(Interval { mean, low, high }) if low == high => {
                let digits = digits(0.01 * mean.abs());
                (digits, format!(", {mean:+.digits$}"))
            }
            Some(interval) => (digits(interval.half_width() / 2.0), format!(", {interval}")),
        };
        let answer = match self.answer(goal) {
            answer if answer.is_clear() => format!(", {answer}"),
            _ => String::new(),
        };
        format!("{name}: {first:.digits$} to {second:.digits$}{difference}{answer}")
    }
}

/// Returns the lines of the groups, and one that counts the omitted groups.
pub fn lines(groups: &[Group], goal: Direction) -> Vec<String> {
    let is_shown = |group: &&Group| groups.len() <= MOST || group.answer(goal).is_clear();
    let mut lines: Vec<String> = groups.iter().filter(is_shown).take(MOST).map(|group| group.line(goal)).collect();
    match groups.len() - lines.len() {
        0 => {}
        others if lines.is_empty() => lines.push(format!("{others} groups, none of which clearly differs")),
        others => lines.push(format!("{others} more groups")),
    }
    lines
}

/// Returns the names of the groups in which the second candidate is clearly worse.
pub fn worse(groups: &[Group], goal: Direction) -> Vec<&str> {
    groups.iter().filter(|group| group.answer(goal) == Answer::Worse).map(|group| group.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_has_its_own_interval() {
        let names = ["K".to_string(), "side".to_string()];
        let candidate = |second: bool| -> Vec<Measured> {
            let one = |case: usize| {
                let k = [3, 10][case % 2];
                let moved = if second { if k == 3 { -50.0 } else { 80.0 } } else { 0.0 };
                let score = 100.0 * k as f64 + (case % 5) as f64 + moved + if second { (case % 7) as f64 } else { 0.0 };
                Measured {
                    score,
                    objective: score,
                    groups: vec![k.to_string(), "left".to_string()],
                    ..Measured::default()
                }
            };
            (0..40).map(one).collect()
        };
        let units = Units { count: 40, cases: 40, instances: false };
        let all = groups(&names, units, [&candidate(false), &candidate(true)], false);
        let named: Vec<(&str, usize)> = all.iter().map(|group| (group.name.as_str(), group.count)).collect();
        assert_eq!(named, [("K = 3", 20), ("K = 10", 20)], "numbers are ordered by size, and a single group is none");
        assert_eq!(worse(&all, Direction::Maximize), ["K = 3"]);
        assert_eq!(worse(&all, Direction::Minimize), ["K = 10"]);
        let lines = lines(&all, Direction::Maximize);
        assert!(lines[0].starts_with("K = 3: 302.0") && lines[0].ends_with("), worse"), "{lines:?}");
        assert!(lines[1].contains(", +8") && lines[1].ends_with("), better"), "{lines:?}");
    }

    #[test]
    fn groups_of_an_exact_comparison_have_no_interval() {
        let candidate = |more: f64| -> Vec<Measured> {
            let one = |case: usize| {
                let score = 10.0 * case as f64 + more;
                let groups = vec![(case % 2).to_string()];
                Measured { score, objective: score, groups, ..Measured::default() }
            };
            (0..4).map(one).collect()
        };
        let units = Units { count: 4, cases: 4, instances: true };
        let all = groups(&["kind".to_string()], units, [&candidate(0.0), &candidate(-2.5)], true);
        let lines = lines(&all, Direction::Minimize);
        assert_eq!(lines, ["kind = 0: 10.000 to 7.500, -2.500, better", "kind = 1: 20.000 to 17.500, -2.500, better"]);
    }

    #[test]
    fn of_many_groups_only_those_that_differ_have_a_line() {
        let group = |i: usize, mean: f64| Group {
            name: format!("n = {i}"),
            count: 9,
            means: [100.0, 100.0 + mean],
            difference: Some(Interval { mean, low: mean - 1.0, high: mean + 1.0 }),
        };
        let all: Vec<Group> = (0..30).map(|i| group(i, if i == 17 { -4.0 } else { 0.5 })).collect();
        assert_eq!(lines(&all, Direction::Maximize).len(), 2);
        assert_eq!(lines(&all, Direction::Maximize)[1], "29 more groups");
        assert_eq!(lines(&all[..12], Direction::Maximize).len(), 12);
        let alike: Vec<Group> = (0..30).map(|i| group(i, 0.5)).collect();
        assert_eq!(lines(&alike, Direction::Maximize), ["30 groups, none of which clearly differs"]);
    }
}
