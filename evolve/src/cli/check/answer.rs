//! What `evolve check` says first: whether the job can run, how long it takes, what it can find, and what looks wrong.

use super::measure::{Again, First, Sample};
use super::table::Row;
use crate::cli::progress::rounded;
use evolve_core::config::Job;
use evolve_core::outlook::{Forecast, Noise, warnings};
use evolve_core::statistics::{Estimate, decimals_by, standard_deviation};
use std::fmt;
use std::time::Duration;

/// Names in a line.
const NAMED: usize = 5;
/// A correlation that is worth a word.
const CORRELATED: f64 = 0.1;

/// All that the answer says.
pub struct Answer<'a> {
    pub job: &'a Job,
    pub first: &'a First,
    pub sample: &'a Sample,
    pub rows: &'a [Row<'a>],
    pub noise: Noise,
    pub forecast: Forecast,
    /// Trials at a time.
    pub parallel: usize,
}

/// A time, to as much as matters.
pub fn about(seconds: f64) -> String {
    match Duration::try_from_secs_f64(seconds) {
        Ok(_) if seconds < 1.0 => "less than a second".to_string(),
        Ok(time) => format!("about {}", rounded(time)),
        Err(_) => "longer than a century".to_string(),
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer { job, sample, .. } = self;
        let extent = &self.forecast.extent;
        let time = about(extent.trials() * sample.pace);
        writeln!(f, "{}: {}\n\nthe job can run: {:.0} trials at most, {time}", job.name, job.source.title(), extent.trials())?;
        for (name, text) in [
            ("trials", Some(self.trials())),
            ("a trial", Some(self.speed())),
            ("the start", Some(self.start())),
            ("reproduces", Some(self.reproduces())),
            ("parameters", Some(self.parameters())),
            ("the verdict", Some(self.verdict())),
            ("same deals", self.pairing()),
        ] {
            if let Some(text) = text {
                writeln!(f, "  {name:<13}{text}")?;
            }
        }
        for warning in self.warnings() {
            writeln!(f, "warning: {warning}")?;
        }
        if let Some(left_out) = sample.plan.left_out(sample.pace) {
            writeln!(f, "note: {left_out}")?;
        }
        Ok(())
    }
}

impl Answer<'_> {
    fn trials(&self) -> String {
        let extent = &self.forecast.extent;
        format!("{:.0} of the search, {:.0} of checks, final round and verdict", extent.search, extent.checks + extent.finals)
    }

    fn speed(&self) -> String {
        let each = match self.sample.each {
            each if each >= 1.0 => format!("{each:.2} s"),
            each if each >= 0.01 => format!("{:.0} ms", 1e3 * each),
            each => format!("{:.2} ms", 1e3 * each),
        };
        let rate = 1.0 / self.sample.pace.max(1e-9);
        let digits = if rate < 10.0 { 1 } else { 0 };
        let at_a_time = if self.parallel == 1 { "one".to_string() } else { self.parallel.to_string() };
        format!("{each}, {at_a_time} at a time: {rate:.digits$} a second")
    }

    fn start(&self) -> String {
        let all: Vec<_> = self.sample.paired.base().collect();
        let scores: Vec<f64> = all.iter().map(|outcome| outcome.score).collect();
        let Estimate { mean, standard_error, .. } = Estimate::of(&scores);
        let (digits, spread) = (decimals_by(standard_error), standard_deviation(&scores));
        let mut text = format!("scores {mean:.digits$}, from trial to trial {spread:.digits$} (standard deviation)");
        let failed = all.iter().filter(|outcome| outcome.failure.is_some()).count();
        if failed > 0 {
            text += &format!("; {failed} of {} trials failed", all.len());
        }
        text
    }

    fn reproduces(&self) -> String {
        let count = self.first.outcomes.len();
        match self.first.again {
            Again::Same => format!("yes: {count} trials, played twice, gave the same again"),
            Again::Undeclared => "no, as the job says: what a run finds depends on the machine".to_string(),
            Again::Other => format!("NO: of {count} trials, played twice, some gave another score"),
        }
    }

    fn parameters(&self) -> String {
        let all = self.job.space.places().len();
        let (deals, exact) = (self.sample.deals, self.sample.is_exact());
        let clear = self.rows.iter().filter(|row| row.is_clear()).count();
        let mut text = match exact {
            true => {
                let matter = self.rows.iter().filter(|row| row.changes()).count();
                format!("{matter} of {all} matter: they change outcomes, {clear} the mean by more than noise")
            }
            false => format!("{clear} of {all} move the mean by more than noise, on {deals} trials beside the start's"),
        };
        let silent: Vec<&str> = self.silent().collect();
        if !silent.is_empty() {
            let names = if silent.len() <= NAMED { format!(": {}", silent.join(", ")) } else { String::new() };
            text += &format!("; {} changed nothing in {deals} trials, and keep their start{names}", silent.len());
        }
        let space = &self.job.space;
        let asleep = space.places().iter().map(|&place| &space.parameters()[place]);
        let asleep = asleep.filter(|parameter| {
            parameter.condition.as_ref().is_some_and(|condition| !condition.holds(space.start()))
        });
        let asleep: Vec<&str> = asleep.map(|parameter| parameter.name.as_str()).collect();
        if !asleep.is_empty() {
            text += &format!("; not tried, because the condition does not hold at the start: {}", named(&asleep));
        }
        text
    }

    /// Parameters that changed no outcome, where that can be seen.
    fn silent(&self) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().filter(|row| self.sample.is_exact() && !row.changes());
        rows.map(|row| row.parameter.name.as_str())
    }

    fn verdict(&self) -> String {
        let Forecast { extent, found, .. } = self.forecast;
        let unit = match (extent.units.instances, self.job.source.declaration.is_empty()) {
            (true, _) => "instances",
            (false, true) => "games",
            (false, false) => "trials",
        };
        let count = extent.units.count;
        if found == 0.0 {
            return match self.noise.has_changed {
                true => format!("sees any difference, on {count} {unit}: neighbours differ by the same on every deal"),
                false => format!("has nothing to see: neighbours played all {} deals alike", self.sample.deals),
            };
        }
        let level = self.noise.level.abs();
        let share = 100.0 * found / level.max(f64::MIN_POSITIVE);
        let ratio = self.job.source.problem.is_rated_by_ratio();
        let digits = decimals_by(found);
        let difference = match ratio {
            true => format!("{share:.*} %", decimals_by(share)),
            false if level > 0.0 => format!("{found:.digits$} ({share:.*} %)", decimals_by(share)),
            false => format!("{found:.digits$}"),
        };
        let mut text = format!("finds a difference of {difference} four times of five, on {count} {unit}");
        if !extent.units.instances {
            // A tenth of a night's trials go to either side of the verdict.
            let night = NIGHT / self.sample.pace.max(1e-9);
            let by_night = share * (count as f64 / (0.1 * night).max(1.0)).sqrt();
            text += &format!("; a night of 8 hours finds {by_night:.*} %", decimals_by(by_night));
        }
        text
    }

    fn pairing(&self) -> Option<String> {
        let correlation = self.noise.correlation;
        let gains = self.noise.pairing_gains();
        // Ratios need the same deals in any case.
        let says = self.noise.has_changed && !self.job.source.problem.is_rated_by_ratio();
        (says && correlation >= CORRELATED).then(|| {
            let times = if gains < 1000.0 { format!("{gains:.1}") } else { "more than 1000".to_string() };
            format!(
                "scores of neighbours correlate by {correlation:.2}: on deals of each one's own it would take {times} times as \
                 many trials"
            )
        })
    }

    fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.first.again == Again::Other {
            all.push(
                "trials do not reproduce, although the job says so: what a run finds will not come out again. Write \
                 `reproduces = false`, or take the program's dice from {random}"
                    .to_string(),
            );
        }
        let silent = self.silent().count();
        if !self.noise.has_changed {
            all.push("nothing that evolves has any effect. Does the player look at it, and do values arrive?".to_string());
        } else if silent > 0 && !self.job.source.declaration.is_empty() {
            let names: Vec<&str> = self.silent().collect();
            all.push(format!("{} changed no outcome. Does the program read it, and do its values arrive?", named(&names)));
        }
        let failing = self.rows.iter().flat_map(|row| row.ends.iter().map(move |end| (row, end)));
        let failing = failing.filter(|(_, end)| 2 * end.failed > end.deals);
        let failing: Vec<String> = failing
            .map(|(row, end)| {
                let (name, value) = (&row.parameter.name, row.parameter.show(end.value));
                format!("{name} = {value} ({} of {} trials)", end.failed, end.deals)
            })
            .collect();
        if !failing.is_empty() {
            let texts: Vec<&str> = failing.iter().map(String::as_str).collect();
            all.push(format!("fails where the start does not: {}", named(&texts)));
        }
        all.extend(warnings(self.job, &self.forecast, &self.noise));
        all
    }
}

/// A night, in seconds.
const NIGHT: f64 = 8.0 * 3600.0;

/// Some names, and how many others there are.
fn named(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        others => format!("{shown} and {others} others"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_names_are_short() {
        assert_eq!(about(0.2), "less than a second");
        assert_eq!(about(75.4), "about 1m 15s");
        assert_eq!(about(f64::INFINITY), "longer than a century");
        assert_eq!(named(&["a", "b"]), "a, b");
        assert_eq!(named(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 others");
    }
}
