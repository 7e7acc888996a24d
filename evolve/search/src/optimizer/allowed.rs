//! An optimizer in a space with forbidden combinations: forbidden points are repaired, like points
//! out of range.
//!
//! The optimizer may request any point. The nearest allowed point is played instead of a forbidden
//! one, and `tell` receives that point. Recommendations are repaired as well.

use super::landscape::Landscape;
use super::{Ask, FinalistKind, Generation, Optimizer, Told};
use crate::model::space::Space;
use crate::statistics::Interval;
use serde_json::Value;

/// An optimizer whose points are all allowed.
pub struct Allowed {
    optimizer: Box<dyn Optimizer>,
    space: Space,
    mean: Vec<f64>,
}

impl Allowed {
    /// Wraps the optimizer to repair forbidden points; returns it unchanged if the space forbids
    /// nothing.
    pub fn within(space: &Space, optimizer: Box<dyn Optimizer>) -> Box<dyn Optimizer> {
        if !space.is_restricted() {
            return optimizer;
        }
        let mean = space.allowed(optimizer.mean().to_vec());
        Box::new(Allowed { optimizer, space: space.clone(), mean })
    }

    fn repaired(&self, ask: Ask) -> Ask {
        Ask { points: ask.points.into_iter().map(|point| self.space.allowed(point)).collect(), ..ask }
    }
}

impl Optimizer for Allowed {
    fn ask(&self) -> Ask {
        self.repaired(self.optimizer.ask())
    }

    fn ahead(&self) -> Vec<Ask> {
        self.optimizer.ahead().into_iter().map(|ask| self.repaired(ask)).collect()
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let generation = self.optimizer.tell(ask, told);
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

    fn landscape(&self) -> Option<Landscape> {
        self.optimizer.landscape()
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
