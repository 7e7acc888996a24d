//! A search that ignores outcomes and recommends a random point near the start. With only good
//! searches, the battery could pass because they stay at the start.

use evolve_search::document::schema;
use evolve_search::model::seed::generator;
use evolve_search::model::space::Space;
use evolve_search::optimizer::sampling::normal;
use evolve_search::optimizer::{Ask, FinalistKind, Generation, Method, Optimizer, Settings, StateError, Terms, Told};
use serde_json::{Map, Value};

/// The method as jobs name it.
pub static WANDER: Method = Method {
    name: "wander",
    meaning: "recommends its random point, whatever the outcomes",
    keys: schema::none,
    read: |_| Ok(Box::new(Wander)),
};

#[derive(Clone)]
struct Wander;

impl Settings for Wander {
    fn method(&self) -> &'static Method {
        &WANDER
    }

    fn write(&self) -> Map<String, Value> {
        Map::new()
    }

    fn start(&self, space: &Space, _: Terms, seed: u64) -> Box<dyn Optimizer> {
        let mut random = generator(seed);
        let mut point = || -> Vec<f64> {
            space.coordinates().iter().map(|one| one.clamp(one.start + 2.0 * one.unit * normal(&mut random))).collect()
        };
        Box::new(Wanderer { points: [point(), point()], generation: 0 })
    }

    /// It ends at once and is never resumed.
    fn resume(&self, _: &Space, _: Terms, _: u64, _: &Value) -> Result<Box<dyn Optimizer>, StateError> {
        Err(StateError::Inconsistent)
    }
}

struct Wanderer {
    points: [Vec<f64>; 2],
    generation: u64,
}

impl Optimizer for Wanderer {
    fn ask(&self) -> Ask {
        Ask::all(self.points.to_vec(), 10)
    }

    fn tell(&mut self, ask: &Ask, told: &Told<'_>) -> Generation {
        let means = ask.means(told.objectives);
        self.generation += 1;
        Generation {
            number: self.generation - 1,
            best: (self.points[0].clone(), means[0]),
            mean: means[0],
            spread: 0.0,
            deviations: self.deviations(),
        }
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn mean(&self) -> &[f64] {
        &self.points[0]
    }

    fn recommended(&self) -> Vec<(FinalistKind, Vec<f64>)> {
        let [mean, last] = self.points.clone();
        vec![(FinalistKind::Mean, mean), (FinalistKind::Last, last)]
    }

    fn method(&self) -> &'static str {
        "wandering"
    }

    fn deviations(&self) -> Vec<f64> {
        vec![0.0; self.points[0].len()]
    }

    fn state(&self) -> Value {
        self.generation.into()
    }
}
