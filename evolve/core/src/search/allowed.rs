//! Any optimizer in a space with forbidden combinations: a point that is forbidden is repaired, as one out of range is.
//!
//! The optimizer asks freely. Of a forbidden point, the nearest allowed one is played, and its `tell` receives that one.
//! Recommendations are repaired as well.

use super::{Ask, FinalistKind, Generation, Optimizer};
use crate::model::space::Space;
use crate::statistics::Interval;
use serde_json::Value;

/// An optimizer whose points are allowed.
pub struct Allowed {
    optimizer: Box<dyn Optimizer>,
    space: Space,
    mean: Vec<f64>,
}

impl Allowed {
    /// The optimizer in this space; itself if nothing is forbidden there.
    pub fn within(space: &Space, optimizer: Box<dyn Optimizer>) -> Box<dyn Optimizer> {
        if !space.is_restricted() {
            return optimizer;
        }
        let mean = space.allowed(optimizer.mean().to_vec());
        Box::new(Allowed { optimizer, space: space.clone(), mean })
    }
}

impl Optimizer for Allowed {
    fn ask(&self) -> Ask {
        let ask = self.optimizer.ask();
        Ask { points: ask.points.into_iter().map(|point| self.space.allowed(point)).collect(), ..ask }
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64], capped: &[usize]) -> Generation {
        let generation = self.optimizer.tell(ask, objectives, capped);
        self.mean = self.space.allowed(self.optimizer.mean().to_vec());
        generation
    }

    fn generation(&self) -> u64 {
        self.optimizer.generation()
    }

    fn mean(&self) -> &[f64] {
        &self.mean
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        self.optimizer.recommended().into_iter().map(|(kind, point)| (kind, self.space.allowed(point))).collect()
    }

    fn gain(&self) -> Option<Interval> {
        self.optimizer.gain()
    }

    fn method(&self) -> &'static str {
        self.optimizer.method()
    }

    fn deviations(&self) -> Vec<f64> {
        self.optimizer.deviations()
    }

    fn state(&self) -> Value {
        self.optimizer.state()
    }
}
