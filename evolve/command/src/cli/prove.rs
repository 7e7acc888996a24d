//! `evolve prove`.

use super::contestants::weights;
use super::progress::{hand_out_json, say, show};
use super::{Failure, Outcome, contest, games};
use evolve_contest::Contest;
use evolve_contest::proof::{Proof, Refutation};
use evolve_core::job::Game;
use evolve_search::model::problem::Candidate;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Prove that no opponent can beat a tuned player, or find moves that beat it
///
/// Plays as the exported program does, but without a time limit, against every reply of an opponent
/// from every start. Prints the proof as counts of the positions searched, or a line of play that
/// beats the player.
///
/// The exit status is 0 if the player cannot be beaten, 1 if it can, and 2 if the arguments are
/// wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve prove results/king-rook
  evolve prove recommendation.toml --json")]
pub struct Args {
    /// Run, by name or folder, or a weights file
    #[arg(value_name = "WEIGHTS", add = super::completions::runs())]
    weights: PathBuf,

    /// Number of threads; 0: one for each core
    #[arg(short = 'j', long, value_name = "NUMBER", default_value_t = 0, value_parser = super::threads())]
    parallel: usize,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ProveJson<'a> {
    game: &'a str,
    weights: String,
    proven: bool,
    counts: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refutation: Option<&'a Refutation>,
}

impl Args {
    pub fn run(self) -> Outcome {
        let policy = weights(&self.weights)?;
        let problem = &policy.submission;
        let provable = |problem| contest(problem).and_then(Contest::provable);
        let Some(provable) = provable(&**problem) else {
            let name = problem.name();
            let games = games().iter().filter(|game| provable(&*game.sample).is_some()).map(Game::name);
            return Err(Failure::Usage(format!(
                "cannot prove {name}: it has too many replies to search; `prove` works for {}",
                games.collect::<Vec<_>>().join(", ")
            )));
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.parallel).build();
        let pool = pool.map_err(|error| Failure::Work(format!("cannot start threads: {error}")))?;
        let parameters = problem.parameters();
        let candidate = Candidate::new(&parameters, &policy.values);
        let start = Instant::now();
        let proof = pool.install(|| provable.prove(candidate)).map_err(|error| Failure::Work(error.to_string()))?;
        say(&format!("searched in {:.1} s", start.elapsed().as_secs_f64()));

        if self.json {
            let document = ProveJson {
                game: problem.name(),
                weights: self.weights.display().to_string(),
                proven: proof.refutation.is_none(),
                counts: proof.counts.iter().copied().collect(),
                refutation: proof.refutation.as_ref(),
            };
            hand_out_json(&document)?;
        } else {
            show(&text(&proof))?;
        }
        Ok(ExitCode::from(u8::from(proof.refutation.is_some())))
    }
}

/// Formats the proof for people.
fn text(proof: &Proof) -> String {
    let mut text = String::new();
    let width = proof.counts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, count) in &proof.counts {
        let digits = if count.fract() == 0.0 { 0 } else { 3 };
        text += &format!("{name:width$}  {count:>12.digits$}\n");
    }
    match &proof.refutation {
        None => text += "\nProven: no opponent can beat this player.\n",
        Some(Refutation { reason, line }) => {
            text += &format!("\nBeaten: {reason}.\n");
            for part in line {
                text += &format!("  {part}\n");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_read_as_tables() {
        let counts = vec![("positions", 529_240.0), ("mean moves", 12.5)];
        let mut proof = Proof { counts, refutation: None };
        assert_eq!(
            text(&proof),
            "positions         529240\nmean moves        12.500\n\nProven: no opponent can beat this player.\n"
        );
        proof.refutation =
            Some(Refutation { reason: "the rook is lost".into(), line: vec!["Ra1".into(), "Gb2".into()] });
        assert!(text(&proof).ends_with("\n\nBeaten: the rook is lost.\n  Ra1\n  Gb2\n"));
    }
}
