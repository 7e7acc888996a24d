//! `evolve best`.

use super::contestants::find_run;
use super::progress::{hand_out, hand_out_json, show};
use super::run::rounds::Versions;
use super::{Failure, Outcome};
use evolve_search::file::slashed;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the best version that a run with a deadline confirmed, and its gain
///
/// A job with `deadline` keeps its best version in results/NAME/best: the source with its values
/// written back, built and played once. A version comes into this folder only if a held-out test or
/// a comparison shows that it is better than the one before, and in one step, so that the folder is
/// complete at any moment. Earlier versions stay in results/NAME/versions.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  evolve best first
  cp \"$(evolve best first --path)/main.cpp\" submission.cpp")]
pub struct Args {
    /// Run with a deadline, by name or folder
    #[arg(value_name = "RUN", add = super::completions::runs())]
    run: PathBuf,

    /// Print only the path of the folder
    #[arg(long, conflicts_with = "json")]
    path: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> Outcome {
        let folder = find_run(&self.run)?;
        let versions = Versions::of(&folder);
        let Some((path, version)) = versions.best() else {
            return Err(Failure::Usage(format!(
                "{} has no versions: a run with a `deadline` in [search] makes them; `evolve export` writes the values of a \
                 single run",
                slashed(&folder)
            )));
        };
        if self.path {
            // The folder of the version, which stays when a better one follows.
            hand_out(&format!("{}\n", slashed(&path)))?;
        } else if self.json {
            let all: Vec<_> = versions.all().into_iter().map(|(_, version)| version).collect();
            let gain = versions.gain().map(|(_, gain)| gain);
            let json = json!({ "path": slashed(&path), "best": version, "gain": gain, "versions": all });
            hand_out_json(&json)?;
        } else {
            show(&versions.text()?)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
