//! Implements a problem for a program.

use crate::failure::Counts;
use crate::file::ProgramKeys;
use crate::host::{Host, HostAnswer};
use crate::instances::Instances;
use crate::program::{Declaration, Program};
use crate::scale::Scale;
use crate::score::Clock;
use crate::session::ProgramSession;
use evolve_search::document::Table;
use evolve_search::document::text::table;
use evolve_search::model::behaviour::Behaviour;
use evolve_search::model::constraint::Constraint;
use evolve_search::model::features::Features;
use evolve_search::model::goal::Goal;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, Declared, NoObjective, OpenError, Problem, Session};
use evolve_search::model::seed::Split;
use evolve_search::model::space::Space;
use evolve_search::model::trial::{FailureKind, INSTANCE, Metrics, is_usable};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

impl Program {
    /// Creates a session whose trials a host plays instead of the command.
    ///
    /// # Errors
    /// If an instance, an input or a best score is missing.
    pub fn hosted(&self, context: Context, host: Arc<dyn Host>) -> Result<Box<dyn Session>, OpenError> {
        Ok(Box::new(ProgramSession::hosted(self, context, host)?))
    }

    /// Returns whether a host's answer ends the run instead of counting as a result.
    pub fn is_ended_by(&self, answer: &HostAnswer) -> bool {
        let Declaration { keys, score, .. } = &*self.declared;
        let ends = |kind| matches!(self.declared.counts(kind), Counts::Stop);
        match answer {
            HostAnswer::Failed(_) => ends(FailureKind::Exit),
            HostAnswer::Score(value, metrics) => match score.of_host(*value, metrics) {
                // The objective exists for any reference, or for none.
                Ok(_) => !is_usable(*value) || !keys.scale.objective(keys.goal, *value, 1.0).is_ok_and(is_usable),
                Err(_) => ends(FailureKind::Score),
            },
        }
    }
}

impl Problem for Program {
    fn name(&self) -> &str {
        &self.declared.name
    }

    fn summary(&self) -> &str {
        "a program that the job declares"
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.declared.parameters.all().to_vec()
    }

    fn objective(&self, score: f64) -> Result<f64, NoObjective> {
        let keys = &self.declared.keys;
        match keys.scale.has_reference() {
            true => {
                Err(NoObjective("a ratio needs the score of a reference: learn from the folder of a run".to_string()))
            }
            false => keys.scale.objective(keys.goal, score, 1.0),
        }
    }

    fn metrics(&self) -> Metrics {
        let Declaration { scenarios, instances, .. } = &*self.declared;
        let mut names: Vec<String> = self.declared.metrics().map(String::from).collect();
        let mut groups = names.clone();
        groups.retain(|metric| self.declared.groups_by(metric));
        groups.extend(self.declared.grouping_features().map(String::from));
        let scenarios = if scenarios.rows().len() > 1 { scenarios.rows() } else { &[] };
        names.extend(scenarios.iter().map(|row| row.name.clone()));
        if matches!(instances, Instances::Listed { .. }) {
            groups.push(INSTANCE.to_string());
        }
        Metrics { names, groups, scenarios: scenarios.len() }
    }

    fn constraints(&self) -> Vec<Constraint> {
        self.declared.constraints.all.clone()
    }

    fn declared(&self) -> Option<&dyn Declared> {
        Some(self)
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        // The instances of an inspected run may be missing.
        let instances = self.declared.instances.of(split).filter(|instances| !instances.is_empty())?;
        Some(instances.into_iter().map(|instance| instance.name.clone()).collect())
    }

    fn features(&self) -> Arc<Features> {
        self.declared.known.as_ref().map(|known| Arc::clone(&known.searched)).unwrap_or_default()
    }

    fn open(&self, context: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(Box::new(ProgramSession::open(self, context)?))
    }

    fn behaviour(&self) -> Behaviour {
        self.behaviour
    }

    fn not_deterministic(&self) -> Option<Arc<dyn Problem>> {
        Some(Arc::new(self.with_keys(ProgramKeys { deterministic: false, ..self.declared.keys.clone() })))
    }

    fn goal(&self) -> Option<Goal> {
        let Declaration { keys, score, .. } = &*self.declared;
        let score = match score.clock() {
            None => Goal::SCORE,
            Some(Clock::Cpu) => "the CPU time",
            Some(Clock::Wall) => "the wall-clock time",
        };
        let of = match keys.scale {
            Scale::Log => format!("the logarithm of {score}"),
            Scale::Best(_) => format!("{score}, relative to the best known one"),
            Scale::Raw | Scale::Relative => score.to_string(),
        };
        Some(Goal { direction: keys.goal, of, rating: keys.scale.rating(), logarithm: keys.scale == Scale::Log })
    }
}

impl Declared for Program {
    fn sections(&self) -> Table {
        table(&self.declared.file())
    }

    fn space(&self, parameters: Vec<Parameter>, start: Vec<f64>, tuned: Vec<usize>) -> Space {
        self.declared.parameters.space(parameters, start, tuned)
    }

    fn comparison_key(&self) -> String {
        let Declaration { keys, score, variables, .. } = &*self.declared;
        let measurement = self.instances(Split::Measurement);
        let (inputs, scorer) = self.declared.known_inputs(Split::Measurement);
        let limit = self.time_limit(Split::Measurement);
        // These decide how long a run time can be.
        let stops = score.clock().map(|_| [Some(keys.timeout), keys.cpu_limit]);
        let failures = (&keys.on_failure, &keys.success_status);
        // Outside the search, ratios refer to the compared scores.
        let rating = (keys.goal, score.written(), &keys.scale);
        json!([measurement, inputs, scorer, rating, variables, limit, stops, failures]).to_string()
    }

    fn time_limit(&self, split: Split) -> Option<Duration> {
        self.declared.keys.limit.map(|limit| limit.at(split))
    }

    fn marked_source(&self) -> Option<&str> {
        self.declared.keys.source.first().map(String::as_str)
    }
}
