//! Measures what the optimizer itself costs a trial, and prints a number that is the same if, and
//! only if, it asked the same.
//!
//!     cargo bench --profile dist -p evolve-tuner-search --bench model

use chacha20::ChaCha8Rng;
use evolve_search::document::Document;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::space::Space;
use evolve_search::optimizer::sampling::normal;
use evolve_search::optimizer::{Cases, METHODS, Terms, Told, start};
use rand::SeedableRng;
use std::path::Path;
use std::time::Instant;

const DIMENSIONS: usize = 6;

fn main() {
    for cases in [Cases::One, Cases::Many] {
        for trials in [300, 1000] {
            let (milliseconds, sum) = searched(cases, trials);
            println!("{cases:?}, {trials} trials: {milliseconds:.2} ms a trial, {sum:016x}");
        }
    }
}

/// Searches a function that takes no time. Returns the milliseconds a trial, and a sum of all
/// points.
fn searched(cases: Cases, trials: u64) -> (f64, u64) {
    let parameters = (0..DIMENSIONS).map(|i| Parameter::float(format!("x{i}"), 0.0, 1.0, 0.2)).collect();
    let space = Space::new(parameters, vec![0.2; DIMENSIONS], (0..DIMENSIONS).collect());
    let document = Document::new(Path::new("model"), String::new());
    let settings = (METHODS[0].read)(&document.top("search").expect("it is empty")).expect("all keys are optional");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut played, mut sum) = (0, 0u64);
    let begin = Instant::now();
    let mut optimizer = start(&*settings, &space, Terms { cases, trials }, 1);
    while played < trials {
        let ask = optimizer.ask();
        let mut objectives = Vec::new();
        for &(point, case) in &ask.trials {
            let x = &ask.points[point];
            x.iter().for_each(|x| sum = (sum ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(31));
            let noise = if cases == Cases::One { 0.0 } else { 0.1 * normal(&mut random) + case as f64 };
            objectives.push(noise - x.iter().zip(1..).map(|(x, i)| (x - 0.1 * f64::from(i)).powi(2)).sum::<f64>());
        }
        played += objectives.len() as u64;
        optimizer.tell(&ask, &Told { objectives: &objectives, penalized: &objectives, ..Told::default() });
    }
    (begin.elapsed().as_secs_f64() * 1000.0 / played as f64, sum)
}
