//! Constraints of a program: limits on its metrics, and on quantities that the supervisor measures.

use crate::file::ProgramKeys;
use crate::gauge::Gauge;
use crate::score::Score;
use evolve_search::document::text::nearest;
use evolve_search::document::{Fault, Section};
use evolve_search::model::constraint::Constraint;
use evolve_search::model::limit::LimitError;
use indexmap::IndexMap;

#[derive(Clone, Default)]
pub struct Constraints {
    /// Limits by quantity, as written.
    pub written: IndexMap<String, String>,
    pub all: Vec<Constraint>,
    /// The quantities among them that the supervisor measures.
    pub gauges: Vec<Gauge>,
}

/// Reads the constraints.
///
/// # Errors
/// A text that is not a limit, or an unknown quantity.
pub fn read(
    written: IndexMap<String, String>,
    keys: &ProgramKeys,
    score: &Score,
    program: &Section<'_>,
    section: &Section<'_>,
) -> Result<Constraints, Fault> {
    let mut read = Constraints::default();
    for (name, text) in &written {
        let fault = |message: String| section.fault(&[name], format!("`constraints.{name}`: {message}"));
        let limit = text.parse().map_err(|error: LimitError| fault(error.to_string()))?;
        let printed = score.metrics().iter().position(|metric| metric == name);
        let (metric, unit) = match printed {
            Some(metric) => (metric, ""),
            None => {
                let gauge = Gauge::ALL.into_iter().find(|gauge| gauge.name() == name);
                let gauge = gauge.ok_or_else(|| fault(unknown(score, name)))?;
                if keys.worker {
                    let message = "a worker plays many trials, so a single one cannot be measured: declare a metric that the worker answers";
                    return Err(fault(message.to_string()));
                }
                if program.has("deterministic") && keys.deterministic {
                    let message =
                        format!("`{name}` is a measurement, which is not deterministic: remove `deterministic`");
                    return Err(program.fault(&["deterministic"], message));
                }
                read.gauges.push(gauge);
                (score.metrics().len() + read.gauges.len() - 1, gauge.unit())
            }
        };
        read.all.push(Constraint { name: name.clone(), metric, unit, limit });
    }
    Ok(Constraints { written, ..read })
}

impl Constraints {
    /// Returns whether the run time is limited, as measured or as the program prints it.
    pub(crate) fn limits_time(&self) -> bool {
        let times = [Gauge::Time, Gauge::Wall].map(Gauge::name);
        self.all.iter().any(|constraint| times.contains(&constraint.name.as_str()))
    }

    /// Returns the reason why every trial has to reach its own values, if it has to.
    pub(crate) fn needs_values(&self) -> Option<&'static str> {
        const REASON: &str = "[constraints] needs the values of every trial, and a stopped trial has none";
        (!self.all.is_empty()).then_some(REASON)
    }

    /// Returns the message about a limit that needs a process, if any, for trials without one.
    pub(crate) fn needs_process(&self) -> Option<String> {
        let name = self.gauges.first()?.name();
        Some(format!(
            "`constraints.{name}` can only be measured on a process, and this job starts none: declare `metrics = [\"{name}\"]`, and \
             report its value with each score"
        ))
    }
}

fn unknown(score: &Score, name: &str) -> String {
    let gauges = Gauge::ALL.map(Gauge::name);
    let known = || gauges.into_iter().chain(score.metrics().iter().map(|metric| metric.as_str()));
    let hint = nearest(name, known()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let all: Vec<String> = known().map(|name| format!("`{name}`")).collect();
    format!("unknown quantity{hint}\n  allowed: {}, and others that `metrics` declares", all.join(", "))
}
