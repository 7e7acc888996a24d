//! The same games and measurements for optimizers outside, by lines of JSON.
//!
//! The first line out is the problem: `{"start": [..], "min": [..], "max": [..]}`, in units of each parameter's scale. Then
//! each line in is a request: `{"points": [[..], ..], "games": 8}` has every point play so many new deals, the same for all,
//! and is answered with a list of mean scores; `{"recommend": [..]}` is measured on fresh deals, and is answered with the mean.

use crate::case::Case;
use crate::run;
use crate::summary::{self, Row};
use evolve_core::optimizer::Ask;
use serde::Deserialize;
use serde_json::json;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// Plays for an optimizer outside.
#[derive(clap::Args)]
pub struct Serve {
    /// The problem.
    #[arg(long)]
    problem: String,
    /// What the optimizer is called in the table.
    #[arg(long)]
    label: String,
    /// The seed of the deals.
    #[arg(long)]
    seed: u64,
    /// Fresh deals that recommendations are measured on.
    #[arg(long, default_value_t = 4000)]
    held_out: usize,
    /// The table; lines are added at its end.
    #[arg(long)]
    out: PathBuf,
}

/// A line in.
#[derive(Deserialize)]
#[serde(untagged)]
enum Request {
    Play { points: Vec<Vec<f64>>, games: usize },
    Recommend { recommend: Vec<f64>, after: usize },
}

impl Serve {
    /// Answers until there are no more lines.
    pub fn carry_out(self) -> Result<(), String> {
        let case = Case::read(&self.problem)?;
        let space = case.job.space.coordinates();
        let list = |of: fn(&evolve_core::space::Coordinate) -> f64| space.iter().map(of).collect::<Vec<f64>>();
        let problem = json!({
            "start": list(|c| c.start / c.scale), "min": list(|c| c.min / c.scale), "max": list(|c| c.max / c.scale),
        });
        answer(&problem)?;
        let mut generation = 0;
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| error.to_string())?;
            let request: Request = serde_json::from_str(&line).map_err(|error| format!("{error} in {line:.80}"))?;
            let point = |scaled: Vec<f64>| -> Result<Vec<f64>, String> {
                if scaled.len() != space.len() {
                    return Err(format!("a point of {} values, not {}", scaled.len(), space.len()));
                }
                Ok(scaled.iter().zip(space).map(|(x, c)| (x * c.scale).clamp(c.min, c.max)).collect())
            };
            match request {
                Request::Play { points, games } => {
                    let ask = Ask::all(points.into_iter().map(point).collect::<Result<_, _>>()?, games);
                    let objectives = run::play(&case, &ask, self.seed, generation)?;
                    generation += 1;
                    answer(&json!(ask.means(&objectives)))?;
                }
                Request::Recommend { recommend, after } => {
                    let held_out = case.measured(&point(recommend)?, self.seed, self.held_out)?;
                    let row = Row::new(case.name, &self.label, self.seed, &run::Row { games: after, held_out });
                    summary::append(&self.out, &[row])?;
                    answer(&json!(held_out.mean))?;
                }
            }
        }
        Ok(())
    }
}

fn answer(value: &serde_json::Value) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{value}").and_then(|()| out.flush()).map_err(|error| error.to_string())
}
