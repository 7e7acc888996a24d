//! A program as a problem that can be tuned.

use crate::program::{Declaration, Program};
use crate::scale::Scale;
use crate::{building, play};
use evolve_core::parameter::Parameter;
use evolve_core::problem::{Candidate, Contender, Problem, Surroundings};
use evolve_core::seed::Purpose;
use evolve_core::setup::Setup;
use evolve_core::trial::Deal;
use std::sync::PoisonError;

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

    fn surround(&self, surroundings: Surroundings) {
        *self.surroundings.lock().unwrap_or_else(PoisonError::into_inner) = surroundings;
    }

    fn measure(&self) -> Option<String> {
        let Declaration { keys, score, scale, scenarios, .. } = &self.declared;
        let measurement = self.instances(Purpose::Measurement);
        // Ratios are to the start's own scores, which are another program's in another one.
        let own = if matches!(scale, Scale::Relative) { self.text.as_str() } else { "" };
        let (score, scale, scenarios) = (score.written(), scale.toml(), scenarios.toml());
        Some(format!("{measurement:?} {:?} {score} {scale} {scenarios} {own}", keys.goal))
    }

    fn instances(&self, purpose: Purpose) -> Option<Vec<String>> {
        let instances = self.declared.instances.of(purpose)?;
        Some(instances.into_iter().map(|instance| instance.name.clone()).collect())
    }

    fn prepare(&self, _: &Setup) -> Result<(), String> {
        building::prepare(self)
    }

    fn inputs(&self) -> Result<Vec<(String, u32)>, String> {
        building::inputs(self)
    }

    fn contender<'a>(&'a self, _: &'a Setup, candidate: Candidate<'a>) -> Box<dyn Contender + 'a> {
        let values = candidate.values();
        Box::new(move |deal: &Deal| play::play(self, values, deal))
    }

    fn release(&self) {
        self.slots.release();
    }

    fn keeps_order(&self) -> bool {
        true
    }

    fn is_rated_by_ratio(&self) -> bool {
        self.declared.scale == Scale::Relative
    }

    fn reproduces(&self) -> bool {
        self.declared.keys.reproduces
    }
}
