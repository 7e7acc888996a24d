//! Constraints of a program: limits on its metrics, and on quantities that the supervisor measures.

use crate::gauge::Gauge;
use crate::program::Declaration;
use evolve_core::document::text::nearest;
use evolve_core::document::{Faults, Section};
use evolve_core::model::constraint::{Constraint, LimitError};

/// Reads the constraints. A program whose constraints are measured from outside is not deterministic.
///
/// # Errors
/// A text that is not a limit, or an unknown quantity.
pub fn read(declared: &mut Declaration, program: &Section<'_>, hold: &Section<'_>) -> Result<(), Faults> {
    for (name, text) in declared.held.clone() {
        let fault = |message: String| hold.fault(&[&name], format!("`hold.{name}`: {message}"));
        let limit = text.parse().map_err(|error: LimitError| fault(error.to_string()))?;
        let gauge = match declared.score.metrics().contains(&name) {
            true => None,
            false => {
                let gauge = Gauge::ALL.into_iter().find(|gauge| gauge.name() == name);
                Some(gauge.ok_or_else(|| fault(unknown(declared, &name)))?)
            }
        };
        if let Some(gauge) = gauge {
            if declared.keys.worker {
                let message = "a worker plays many trials, so a single one cannot be measured: declare a metric, and let the worker answer it";
                return Err(fault(message.to_string()));
            }
            if program.has("deterministic") && declared.keys.deterministic {
                let message = format!("`{name}` is a measurement, which is not deterministic: remove `deterministic`");
                return Err(program.fault(&["deterministic"], message));
            }
            declared.keys.deterministic = false;
            declared.gauges.push(gauge);
        } else {
            declared.score.require(&name);
        }
        let part = declared.metrics().position(|metric| metric == name).expect("it is a metric now");
        let unit = gauge.map_or("", Gauge::unit);
        declared.constraints.push(Constraint { name, part, unit, limit });
    }
    Ok(())
}

fn unknown(declared: &Declaration, name: &str) -> String {
    let gauges = Gauge::ALL.map(Gauge::name);
    let known = || gauges.into_iter().chain(declared.score.metrics().iter().map(|metric| metric.as_str()));
    let hint = nearest(name, known()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let all: Vec<String> = known().map(|name| format!("`{name}`")).collect();
    format!("unknown quantity{hint}\n  allowed: {}, and others that `metrics` declares", all.join(", "))
}
