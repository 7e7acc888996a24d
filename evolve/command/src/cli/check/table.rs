//! The effect of each parameter.

use super::measure::Sample;
use crate::cli::table::{Align, Table};
use evolve_core::job::Job;
use evolve_core::judgement::comparison::Units;
use evolve_core::judgement::effect::{changed, effect};
use evolve_core::judgement::measured::differences_of;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::Split;
use evolve_search::statistics::{Interval, digits};
use serde::Serialize;
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// The probability that a table calls any row clear by chance.
const ERROR: f64 = 0.05;
/// Number of parameters in the short table.
const SHOWN: usize = 10;

/// A parameter and its trials.
pub struct Row<'a> {
    pub parameter: &'a Parameter,
    start: f64,
    pub ends: Vec<End>,
}

/// A parameter at another value.
pub struct End {
    pub value: f64,
    pub effect: Interval,
    /// Number of cases whose outcome changed, number of cases on which the change failed and the
    /// start did not, and number of all cases.
    pub changed: usize,
    pub failed: usize,
    pub cases: usize,
}

impl<'a> Row<'a> {
    /// Returns the tried parameters in declaration order. Intervals hold for all ends
    /// simultaneously.
    pub fn all(job: &'a Job, sample: &Sample) -> Vec<Self> {
        let problem = &*job.problem;
        let moves = &sample.plan.moves;
        let alpha = ERROR / moves.len().max(1) as f64;
        let units = Units::of(problem, Split::Search, sample.cases);
        let mut rows: Vec<Row<'a>> = Vec::new();
        for (number, one) in moves.iter().enumerate() {
            let [start, other] = sample.of_move(number);
            let end = End {
                value: one.value,
                effect: effect(&differences_of(problem, other, start), units, alpha),
                changed: changed(start, other),
                failed: other.iter().zip(start).filter(|(a, b)| a.failure.is_some() && b.failure.is_none()).count(),
                cases: start.len(),
            };
            let parameter = &job.space.parameters()[one.place];
            match rows.last_mut().filter(|row| std::ptr::eq(row.parameter, parameter)) {
                Some(row) => row.ends.push(end),
                None => rows.push(Row { parameter, start: job.space.start()[one.place], ends: vec![end] }),
            }
        }
        rows
    }

    /// Returns whether the parameter changed any outcome.
    pub fn changes(&self) -> bool {
        self.ends.iter().any(|end| end.changed > 0)
    }

    /// Returns whether the parameter moves the mean beyond noise.
    pub fn is_clear(&self) -> bool {
        self.ends.iter().any(|end| end.effect.beyond_noise() > 0.0)
    }

    /// Returns every tried value.
    pub fn tried(&self) -> impl Iterator<Item = Tried<'_>> {
        let Row { parameter, start, ends } = self;
        ends.iter().map(|end| Tried {
            parameter: &parameter.name,
            start: parameter.json(*start),
            value: parameter.json(end.value),
            difference: end.effect,
            trials: end.cases,
            changed: end.changed,
            failed: end.failed,
        })
    }

    /// Returns the end with the largest effect.
    fn best(&self) -> &End {
        self.ends.iter().max_by(|a, b| a.order(b)).expect("a row has an end")
    }
}

/// A parameter at a tried value, for programs.
#[derive(Serialize)]
pub struct Tried<'a> {
    parameter: &'a str,
    start: Value,
    value: Value,
    /// The mean difference of the objective, and its joint 95 % interval; positive is better.
    difference: Interval,
    /// The numbers of trials, of those whose outcome changed, and of those that failed only at this
    /// value.
    trials: usize,
    changed: usize,
    failed: usize,
}

impl End {
    /// Sorts by effects beyond noise, then by the mean in units of the noise, then by the number of
    /// changed outcomes.
    fn order(&self, other: &Self) -> Ordering {
        let key = |end: &End| {
            let (mean, half) = (end.effect.mean, end.effect.half_width());
            let relative = if half > 0.0 && half.is_finite() { mean.abs() / half } else { 0.0 };
            (end.effect.beyond_noise(), relative, end.changed as f64)
        };
        let (a, b) = (key(self), key(other));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    }
}

/// Returns the ten parameters that matter most, each at the value with the larger effect, and the
/// number of others.
pub fn most(rows: &[Row<'_>], is_exact: bool, rating: Rating) -> String {
    let mut ranked: Vec<&Row<'_>> = rows.iter().filter(|row| !is_exact || row.changes()).collect();
    ranked.sort_by(|a, b| b.best().order(a.best()));
    let others = ranked.len().saturating_sub(SHOWN);
    ranked.truncate(SHOWN);
    if ranked.is_empty() {
        return String::new();
    }
    let of = if others > 0 { "the ten parameters that matter most" } else { "each parameter" };
    let mut text = format!(
        "\n{of}, at the tried value that changes the score most; positive is better\n({}; `--all` shows every value):\n",
        sure(rows)
    );
    text += &table(ranked.iter().map(|row| (*row, row.best())), is_exact, rating);
    let silent = rows.iter().filter(|row| is_exact && !row.changes()).count();
    let others = (others > 0).then(|| match is_exact {
        true => format!("{others} others change outcomes"),
        false => format!("{others} others"),
    });
    let silent = (silent > 0).then(|| format!("{silent} without effect"));
    let rest: Vec<String> = others.into_iter().chain(silent).collect();
    if !rest.is_empty() {
        let _ = writeln!(text, "{}", rest.join(", "));
    }
    text
}

/// Every parameter at all values.
pub fn whole(rows: &[Row<'_>], is_exact: bool, rating: Rating) -> String {
    let all = rows.iter().flat_map(|row| row.ends.iter().map(move |end| (row, end)));
    format!(
        "\nevery parameter at every tried value: the difference from the start; positive is better\n({}):\n{}",
        sure(rows),
        table(all, is_exact, rating)
    )
}

/// The confidence of the intervals, in words.
fn sure(rows: &[Row<'_>]) -> String {
    match rows.iter().map(|row| row.ends.len()).sum::<usize>() {
        1 => "95 % interval".to_string(),
        ends => format!("joint 95 % intervals for the {ends} values tried"),
    }
}

fn table<'r>(ends: impl Iterator<Item = (&'r Row<'r>, &'r End)>, is_exact: bool, rating: Rating) -> String {
    let mut table =
        Table::new([Align::Left, Align::Left, Align::Left, Align::Right, Align::Left, Align::Left, Align::Right]);
    // Changed outcomes carry no information if repeated trials differ.
    let changed = if is_exact { "outcomes changed" } else { "" };
    table.row([&"parameter", &"start", &"set to", &"difference", &"interval", &"result", &changed]);
    // Differences are in the unit of the objective, which may differ from the score's; ratios are
    // shown in percent.
    let (factor, unit) = if rating.is_ratio() { (100.0, " %") } else { (1.0, "") };
    for (row, end) in ends {
        let Interval { mean, low, high } = end.effect;
        // A difference relative to the larger of two scores is at most 1.
        let [low, high] =
            [low, high].map(|end| if rating.is_ratio() && end.is_finite() { end.clamp(-1.0, 1.0) } else { end });
        let usual = digits(factor * end.effect.half_width(), factor * mean);
        // An end of a clear effect is not shown as 0.
        let is_shown = |digits: usize, end: f64| 2.0 * (factor * end).abs() >= 0.1_f64.powi(digits as i32);
        let is_clear = low > 0.0 || high < 0.0;
        let digits = (usual..usual + 4)
            .find(|&digits| !is_clear || is_shown(digits, low) && is_shown(digits, high))
            .unwrap_or(usual);
        let shown = |number: f64| format!("{:+.digits$}{unit}", factor * number);
        let interval = match low.is_finite() {
            _ if is_exact && end.changed == 0 => String::new(),
            true => format!("{} to {}", shown(low), shown(high)),
            false => "unknown".to_string(),
        };
        let mean = if is_exact && end.changed == 0 { "none".to_string() } else { shown(mean) };
        let result = match end.effect.clearly("better", "worse") {
            "" if is_exact && end.changed == 0 => "",
            "" => "not clear",
            clear => clear,
        };
        let share = format!("{:.0} %", 100.0 * end.changed as f64 / end.cases.max(1) as f64);
        let changed = if is_exact { share } else { String::new() };
        let (start, value) = (row.parameter.show(row.start), row.parameter.show(end.value));
        table.row([&row.parameter.name, &start, &value, &mean, &interval, &result, &changed]);
    }
    table.to_string()
}
