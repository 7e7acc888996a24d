//! The comparison of two candidates, instance by instance.

use crate::cli::table::{Align, Table};
use evolve_core::judgement::measured::scores;
use evolve_core::judgement::versus::Versus;
use evolve_search::statistics::decimals;
use serde::Serialize;

/// The number of instances that the text lists.
const LISTED: usize = 10;

#[derive(Serialize)]
pub struct OnInstance {
    instance: String,
    /// The mean scores of the first candidate and of this one.
    scores: [f64; 2],
    /// How much better this candidate is, in the objective.
    difference: f64,
}

/// All instances, those first on which the candidate is worst compared with the first one.
#[derive(Serialize)]
#[serde(transparent)]
pub struct ByInstance(Vec<OnInstance>);

impl ByInstance {
    /// Compares two candidates from their outcomes, which are ordered unit by unit, on the
    /// instances with these names; `None` if the problem lists no instances.
    pub fn of(versus: Versus<'_>, names: Option<&[String]>) -> Option<Self> {
        let names = names.filter(|_| versus.units.instances)?;
        let [first, other] = [versus.baseline, versus.candidate].map(|side| versus.units.means(&scores(side)));
        let on = |(unit, difference): (usize, f64)| OnInstance {
            instance: evolve_process::plain(&names[unit]),
            scores: [first[unit], other[unit]],
            difference,
        };
        let mut all: Vec<OnInstance> =
            versus.objectives().iter().map(|difference| difference.value).enumerate().map(on).collect();
        all.sort_by(|a, b| a.difference.total_cmp(&b.difference));
        Some(ByInstance(all))
    }

    /// Formats the instances on which the candidate is worse, the worst first; empty if there are
    /// none.
    pub fn worse(&self) -> String {
        let worse: Vec<&OnInstance> = self.0.iter().filter(|one| one.difference < 0.0).collect();
        let shown = &worse[..worse.len().min(LISTED)];
        let largest = shown.iter().flat_map(|one| one.scores).map(f64::abs).fold(0.0, f64::max);
        let digits = decimals(largest);
        let mut table = Table::new([Align::Left, Align::Right, Align::Left, Align::Right]);
        for OnInstance { instance, scores: [first, other], .. } in shown {
            table.row([&format!("  {instance}"), &format!("{first:.digits$}"), &"->", &format!("{other:.digits$}")]);
        }
        let rest = match worse.len() - shown.len() {
            0 => String::new(),
            rest => format!("    and {rest} more: --json lists all instances\n"),
        };
        if shown.is_empty() { String::new() } else { format!("  worse on, worst first:\n{table}{rest}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(instance: &str, first: f64, other: f64) -> OnInstance {
        OnInstance { instance: instance.to_string(), scores: [first, other], difference: first - other }
    }

    #[test]
    fn the_worst_instances_are_named_first() {
        let all = ByInstance(vec![on("in/7.txt", 80.0, 95.5), on("in/2.txt", 12.25, 12.5), on("in/1.txt", 9.0, 8.0)]);
        insta::assert_snapshot!(all.worse(), @r"
          worse on, worst first:
            in/7.txt  80.000  ->  95.500
            in/2.txt  12.250  ->  12.500
        ");
        assert_eq!(ByInstance(vec![on("in/1.txt", 9.0, 8.0)]).worse(), "");
        let many = (0..12).map(|i| on(&format!("in/{i}.txt"), 1.0, 2.0)).collect();
        assert!(ByInstance(many).worse().ends_with("and 2 more: --json lists all instances\n"));
    }
}
