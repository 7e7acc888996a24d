//! The time limit of a program: which trials have which limit, and how it reaches the program.
//!
//! Trials whose outcomes [decide](Split::decides) have the full limit. All others, which only guide
//! the search, may have a shorter one.

use crate::file::{LimitKeys, ProgramKeys};
use crate::parameters::marker::LimitMarker;
use crate::parameters::variable;
use crate::program::Program;
use crate::score::Score;
use crate::template::{BuiltIn, Template, Unit};
use evolve_core::job::time_limit::{TimeLimits, seconds};
use evolve_search::document::{Fault, Section, Time};
use evolve_search::model::seed::Split;
use std::time::Duration;

impl LimitKeys {
    /// Returns the limit of trials on cases of a split.
    pub fn at(&self, split: Split) -> Duration {
        let search = self.search.filter(|_| !split.decides());
        search.unwrap_or(self.full).0
    }
}

impl Program {
    /// Returns the same program with other time limits; `None` if it receives none.
    fn limited(&self, limit: impl FnOnce(LimitKeys) -> LimitKeys) -> Option<Self> {
        let limit = Some(limit(self.declared.keys.limit?));
        Some(self.with_keys(ProgramKeys { limit, ..self.declared.keys.clone() }))
    }

    /// Returns the same program with the full time limit in every trial; `None` if the search has
    /// no shorter one.
    pub fn at_full_limit(&self) -> Option<Self> {
        TimeLimits::of(self).filter(TimeLimits::is_shortened)?;
        self.limited(|limit| LimitKeys { search: None, ..limit })
    }

    /// Returns the same program with time limits that let it compute as much as on a machine that
    /// is slower by this factor; `None` if it receives none.
    pub fn slowed(&self, factor: f64) -> Option<Self> {
        let slowed = |Time(time): Time| Time(time.div_f64(factor));
        self.limited(|LimitKeys { full, search }| LimitKeys { full: slowed(full), search: search.map(slowed) })
    }
}

/// Adds the environment variables from which marked lines read the limit.
pub fn add_variables<'m>(keys: &mut ProgramKeys, markers: impl Iterator<Item = &'m LimitMarker>) {
    let is_worker = keys.worker;
    for marker in markers.filter(|marker| marker.reads_itself && !is_worker) {
        let value = Template::parse(&format!("{{{}}}", BuiltIn::Limit(marker.unit).name())).expect("a placeholder");
        keys.env.entry(variable(&marker.name)).or_insert(value);
    }
}

/// The smallest limit.
const LEAST: Duration = Duration::from_millis(1);

/// Checks that the limit reaches the program, and fits the other limits of the job.
///
/// # Errors
/// The first fault.
pub fn check(
    keys: &ProgramKeys,
    score: &Score,
    markers: &[(String, LimitMarker)],
    section: &Section<'_>,
) -> Result<(), Fault> {
    let fault = |names: &[&str], what: String| Err(section.fault(names, what));
    let Some(limit) = keys.limit else {
        return markers.first().map_or(Ok(()), |(file, marker)| {
            let full = marker.limit().map(|limit| format!(", such as `limit = {{ full = \"{}\" }}`", text(limit)));
            let full = full.unwrap_or_default();
            let (name, line) = (&marker.name, marker.line);
            fault(&["source"], format!("{file}:{line} marks `{name}` as the time limit: set `limit`{full}"))
        });
    };
    let placeholders = Unit::ALL.map(BuiltIn::Limit);
    if !keys.worker && !placeholders.into_iter().any(|placeholder| keys.mentions(placeholder)) {
        let [ms, s] = placeholders.map(BuiltIn::name);
        return fault(
            &["limit"],
            match markers.first() {
                Some((file, LimitMarker { name, line, written, .. })) => format!(
                    "`limit`: {file}:{line} marks `{name}`, but does not read it: write `param(\"{}\", {written})` in \
                     place of {written}, or pass `{{{ms}}}` or `{{{s}}}` in `command` or `env`",
                    variable(name)
                ),
                None => format!(
                    "`limit`: the program does not receive it: write `{{{ms}}}` or `{{{s}}}` in `command` or `env`, or \
                     mark a constant of the `source` with `// evolve: limit ms`"
                ),
            },
        );
    }
    let [full, search] = [Split::Test, Split::Search].map(|split| limit.at(split));
    if search > full {
        let [full, search] = [full, search].map(seconds);
        return fault(&["limit", "search"], format!("`limit`: `search` is {search}, and `full` only {full}"));
    }
    if search < LEAST {
        return fault(&["limit"], format!("`limit`: the minimum is {}", seconds(LEAST)));
    }
    if score.clock().is_some() {
        let what = "`limit`: the score is the run time, which a time limit would set; remove `limit` (`timeout` stops \
                    long trials)";
        return fault(&["limit"], what.to_string());
    }
    let stops = [("timeout", Some(keys.timeout)), ("cpu_limit", keys.cpu_limit)];
    let early = stops.into_iter().find_map(|(name, stop)| Some((name, stop.filter(|stop| stop.0 <= full)?)));
    if let Some((name, stop)) = early {
        let what = format!(
            "`{name}` is {}, and the program runs until its time limit of {}: raise `{name}`",
            seconds(stop.0),
            seconds(full)
        );
        return fault(&[if section.has(name) { name } else { "limit" }], what);
    }
    if section.has("deterministic") && keys.deterministic {
        let what = "a program that runs until a time limit is not deterministic: remove `deterministic`";
        return fault(&["deterministic"], what.to_string());
    }
    Ok(())
}

/// Returns a limit as files have it.
fn text(limit: Duration) -> String {
    format!("{}ms", limit.as_millis())
}
