//! What a worker must have in common with a run, so that it plays the same.

use crate::digest::Digest;
use crate::error::NatsError;
use evolve_core::model::problem::Problem;
use evolve_core::model::setup::Setup;
use serde::{Deserialize, Serialize};

/// What a program is, as far as outcomes depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// The version of players and search.
    pub version: u64,
    /// The name of the problem.
    pub problem: String,
    /// The hash of the problem's parameters and settings.
    pub declaration: Digest,
    /// The hash of the executable, where outcomes may depend on it unseen: the problem does not reproduce, and is no
    /// program of the job, whose files are those of the run.
    pub executable: Option<Digest>,
}

impl Build {
    /// What this process is when it plays a problem.
    ///
    /// # Errors
    /// If its own executable cannot be read.
    pub fn here(problem: &dyn Problem, setup: &Setup, is_program: bool) -> Result<Self, NatsError> {
        let mut declaration = String::new();
        for parameter in problem.parameters() {
            let (min, max) = parameter.range();
            let start = parameter.start.to_bits();
            declaration += &format!("{} {:?} {min:?} {max:?} {start:x}\n", parameter.name, parameter.kind);
        }
        declaration += &format!("{setup:?}");
        let executable = if problem.reproduces() || is_program { None } else { Some(executable()?) };
        Ok(Build {
            version: evolve_core::VERSION,
            problem: problem.name().to_string(),
            declaration: Digest::of(declaration.as_bytes()),
            executable,
        })
    }

    /// Why a worker of another build cannot play for a run of this one, if so.
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
            format!("outcomes of {} do not reproduce, and this is another executable: use the same one", self.problem)
        })
    }
}

/// Why a worker of another version cannot play for a run.
pub fn other_version(run: u64, worker: u64) -> String {
    format!(
        "it is of version {run} of players and search, and this build has version {worker}: use the same build on all machines"
    )
}

fn executable() -> Result<Digest, NatsError> {
    let read = std::env::current_exe().and_then(|path| {
        // By what runs, also if the file was replaced since.
        let running = std::path::Path::new("/proc/self/exe");
        Digest::of_file(if running.exists() { running } else { &path })
    });
    read.map_err(|error| NatsError::Machine(format!("this program's own file cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_told_apart() {
        let run = Build { version: 2, problem: "bowl".to_string(), declaration: Digest::of(b""), executable: None };
        assert_eq!(run.refusal(&run), None);
        let other = Digest::of(b"other");
        for (worker, said) in [
            (Build { version: 3, ..run.clone() }, "version 2 of players and search, and this build has version 3"),
            (Build { problem: "tour".to_string(), ..run.clone() }, "other parameters"),
            (Build { declaration: other, ..run.clone() }, "other parameters"),
            (Build { executable: Some(other), ..run.clone() }, "another executable"),
        ] {
            let told = run.refusal(&worker).unwrap();
            assert!(told.contains(said), "{told}");
        }
    }
}
