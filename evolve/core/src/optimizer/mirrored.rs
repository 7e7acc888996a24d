//! Mirrored pairs (experimental knobs).

use super::sampling::{directions, dot};
use super::{Ask, Generation, Method, Optimizer};
use crate::key::Takes;
use crate::seed::{Purpose, generator, seed};
use crate::space::Coordinate;
use crate::statistics::{mean, standard_deviation};
use serde::{Deserialize, Serialize};
use serde_json::Value;

crate::settings! {
    /// The settings of mirrored pairs.
    pub struct Settings {
        pairs: usize = "32", Takes::Integer(1, 100_000), "pairs a generation";
        step: f64 = "0.15", Takes::Number(1e-6, 1e6), "step";
        sigma: f64 = "1.0", Takes::Number(1e-6, 1e6), "perturbation";
        decay: f64 = "3200.0", Takes::Number(1.0, 1e12), "games";
        power: f64 = "0.5", Takes::Number(0.0, 2.0), "decay power";
        size: f64 = "0.0", Takes::Number(0.0, 10.0), "k";
        travel: f64 = "0.2", Takes::Number(0.0, 10.0), "k2";
        momentum: f64 = "0.9", Takes::Number(0.0, 0.999), "momentum";
        average: f64 = "3.0", Takes::Number(0.0, 100.0), "power of the average";
        clip: f64 = "2.5", Takes::Number(0.1, 100.0), "clip";
        scales: f64 = "0.0", Takes::Number(0.0, 1.0), "rate of scales";
        csa: f64 = "0.0", Takes::Number(0.0, 10.0), "rate of the step";
        cpath: f64 = "0.1", Takes::Number(0.0, 1.0), "path";
        least: f64 = "0.0", Takes::Number(0.0, 1.0), "";
    }
}

/// Mirrored pairs, as jobs name it.
pub static METHOD: Method = Method {
    name: "mirrored",
    meaning: "pairs of candidates on either side of the mean, each pair on a deal of its own",
    keys: Settings::KEYS,
    read: |section| Box::new(Settings::read(section)),
};

impl super::Settings for Settings {
    fn method(&self) -> &'static Method {
        &METHOD
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        Settings::write(self)
    }

    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer> {
        let n = space.len();
        let state = State {
            generation: 0,
            games: 0,
            x: vec![0.0; n],
            average: vec![0.0; n],
            momentum: vec![0.0; n],
            path: vec![0.0; n],
            scales: vec![0.0; n],
            gain: 0.0,
            centre: Vec::new(),
        };
        let mut this = Mirrored { space: space.to_vec(), settings: self.clone(), seed, state };
        this.state.centre = this.point(&this.state.average);
        Box::new(this)
    }

    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String> {
        let state = State::deserialize(state).map_err(|error| error.to_string())?;
        Ok(Box::new(Mirrored { space: space.to_vec(), settings: self.clone(), seed, state }))
    }
}

struct Mirrored {
    space: Vec<Coordinate>,
    settings: Settings,
    seed: u64,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    generation: u64,
    games: u64,
    x: Vec<f64>,
    average: Vec<f64>,
    momentum: Vec<f64>,
    path: Vec<f64>,
    scales: Vec<f64>,
    gain: f64,
    centre: Vec<f64>,
}

impl Mirrored {
    fn point(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.space).map(|(x, c)| (c.start + x * c.scale).clamp(c.min, c.max)).collect()
    }

    fn lengths(&self) -> Vec<f64> {
        let s = &self.settings;
        let of = |((x, c), log): ((&f64, &Coordinate), &f64)| {
            let z = c.start / c.scale + x;
            (1.0 + (s.size * z) * (s.size * z) + (s.travel * x) * (s.travel * x)).sqrt() * libm::exp(*log)
        };
        self.state.x.iter().zip(&self.space).zip(&self.state.scales).map(of).collect()
    }

    fn directions(&self) -> Vec<Vec<f64>> {
        let mut random = generator(seed(self.seed, Purpose::Variation, self.state.generation, 0));
        directions(self.settings.pairs, self.space.len(), &mut random)
    }
}

impl Optimizer for Mirrored {
    fn ask(&self, _used: f64) -> Ask {
        let lengths = self.lengths();
        let pairs = self.settings.pairs;
        let mut points = Vec::with_capacity(2 * pairs);
        for direction in self.directions() {
            for sign in [1.0, -1.0] {
                let x: Vec<f64> = (0..lengths.len())
                    .map(|j| self.state.x[j] + sign * self.settings.sigma * lengths[j] * direction[j])
                    .collect();
                points.push(self.point(&x));
            }
        }
        let trials = (0..2 * pairs).map(|i| (i, i / 2)).collect();
        Ask { points, deals: pairs, trials }
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation> {
        let s = self.settings.clone();
        let n = self.space.len();
        let differences: Vec<f64> = objectives.chunks(2).map(|pair| pair[0] - pair[1]).collect();
        let rms = (dot(&differences, &differences) / differences.len() as f64).sqrt();
        let directions = self.directions();
        let mut u = vec![0.0; n];
        if rms > 0.0 {
            let w: Vec<f64> = differences.iter().map(|d| (d / rms).clamp(-s.clip, s.clip)).collect();
            let norm = dot(&w, &w).sqrt();
            for (w, e) in w.iter().zip(&directions) {
                for j in 0..n {
                    u[j] += w * e[j] / norm;
                }
            }
        }
        let lengths = self.lengths();
        let state = &mut self.state;
        let l = s.step * libm::exp(state.gain) / libm::pow(1.0 + state.games as f64 / s.decay, s.power);
        let t = state.generation as f64 + 1.0;
        let correction = 1.0 - libm::pow(s.momentum, t);
        let c = s.cpath;
        for j in 0..n {
            state.momentum[j] = s.momentum * state.momentum[j] + (1.0 - s.momentum) * u[j];
            state.path[j] = (1.0 - c) * state.path[j] + (c * (2.0 - c)).sqrt() * u[j];
            let step = l * lengths[j] * state.momentum[j] / correction;
            let x = state.x[j] + step;
            let co = &self.space[j];
            state.x[j] = x.clamp((co.min - co.start) / co.scale, (co.max - co.start) / co.scale);
            let p2 = state.path[j] * state.path[j];
            state.scales[j] += 0.5 * s.scales * (p2.min(9.0) - 1.0);
        }
        let length2 = dot(&state.path, &state.path) / n as f64;
        state.gain += s.csa * (length2.sqrt() - 1.0).min(1.0);
        state.generation += 1;
        state.games += ask.trials.len() as u64;
        let share = ((1.0 + s.average) / (t + s.average)).min(1.0);
        for j in 0..n {
            state.average[j] += share * (state.x[j] - state.average[j]);
        }
        self.state.centre = self.point(&self.state.average);
        if std::env::var_os("LAB").is_some() && self.state.generation % 16 == 0 {
            let all = standard_deviation(objectives);
            let rho = 1.0 - rms * rms / (2.0 * all * all);
            let st = &self.state;
            eprintln!("{} {:.1} sd {:.1} rho {:.3} u {:.2} path {:.2} x {:.2} l {:.3} D {:.2}", st.games, mean(objectives), all, rho, (dot(&u,&u)/n as f64).sqrt(), length2.sqrt(), (dot(&st.x,&st.x)/n as f64).sqrt(), l, lengths.iter().sum::<f64>()/n as f64);
        }
        let means = ask.means(objectives);
        let best = super::recombination::ranking(&means)[0];
        Some(Generation {
            number: self.state.generation - 1,
            best: (ask.points[best].clone(), means[best]),
            mean: mean(&means),
            spread: standard_deviation(&means),
            deviations: self.deviations(),
        })
    }

    fn generation(&self) -> u64 {
        self.state.generation
    }

    fn mean(&self) -> &[f64] {
        &self.state.centre
    }

    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)> {
        vec![("mean", self.state.centre.clone()), ("last", self.point(&self.state.x))]
    }

    fn deviations(&self) -> Vec<f64> {
        self.lengths().iter().zip(&self.space).map(|(length, c)| self.settings.sigma * length * c.scale).collect()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.state).expect("a state is numbers")
    }
}
