//! The build of a run, which a worker must match to play the same way.

use crate::digest::Digest;
use crate::error::NatsError;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::Problem;
use serde::{Deserialize, Serialize};

/// The parts of a program's identity that outcomes depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// The version of players and search.
    pub version: u64,
    pub problem: String,
    /// The hash of the problem's parameters and settings.
    pub declaration: Digest,
    /// The hash of the executable, if outcomes may depend on it in unknown ways: the problem is not
    /// deterministic, and is not a program of the job, whose files come from the run.
    pub executable: Option<Digest>,
}

impl Build {
    /// Returns the identity of this process for a problem.
    ///
    /// # Errors
    /// If the executable cannot be read.
    pub fn here(problem: &dyn Problem, is_program: bool) -> Result<Self, NatsError> {
        let mut declaration = String::new();
        for parameter in problem.parameters() {
            let (min, max) = parameter.range();
            let start = parameter.start.to_bits();
            let Parameter { name, kind, grid, .. } = &parameter;
            declaration += &format!("{name} {kind:?} {grid:?} {min:?} {max:?} {start:x}\n");
        }
        declaration += &format!("{:?} {:?}", problem.options(), problem.player());
        let executable = if problem.behaviour().reproduces() || is_program { None } else { Some(executable()?) };
        Ok(Build {
            version: evolve_core::VERSION,
            problem: problem.name().to_string(),
            declaration: Digest::of(declaration.as_bytes()),
            executable,
        })
    }

    /// Returns why a worker with another build cannot play for a run of this one, if so.
    pub fn refusal(&self, worker: &Build) -> Option<String> {
        if worker.version != self.version {
            return Some(other_version(self.version, worker.version));
        }
        if worker.problem != self.problem || worker.declaration != self.declaration {
            return Some(format!(
                "{} has other parameters or settings in this build: use the same build",
                self.problem
            ));
        }
        (worker.executable != self.executable).then(|| {
            format!(
                "outcomes of {} are not deterministic, and this is another executable: use the same \
                one",
                self.problem
            )
        })
    }
}

/// Describes why a worker of another version cannot play for a run.
pub fn other_version(run: u64, worker: u64) -> String {
    format!("the run has version {run}, and this build has version {worker}: use the same build on all machines")
}

fn executable() -> Result<Digest, NatsError> {
    let read = std::env::current_exe().and_then(|path| {
        // Read the running executable, even if its file was replaced meanwhile.
        let running = std::path::Path::new("/proc/self/exe");
        Digest::of_file(if running.exists() { running } else { &path })
    });
    read.map_err(|error| NatsError::Machine(format!("cannot read this program's own file: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_distinguished() {
        let run = Build { version: 2, problem: "bowl".to_string(), declaration: Digest::of(b""), executable: None };
        assert_eq!(run.refusal(&run), None);
        let other = Digest::of(b"other");
        for (worker, said) in [
            (Build { version: 3, ..run.clone() }, "version 2, and this build has version 3"),
            (Build { problem: "tour".to_string(), ..run.clone() }, "other parameters"),
            (Build { declaration: other, ..run.clone() }, "other parameters"),
            (Build { executable: Some(other), ..run.clone() }, "another executable"),
        ] {
            let refusal = run.refusal(&worker).unwrap();
            assert!(refusal.contains(said), "{refusal}");
        }
    }
}
