//! Programs for tests: small scripts in a temporary folder, declared by a job.
#![allow(dead_code, reason = "not every test uses all of it")]

use evolve_core::job::{Catalogue, Job};
use evolve_program::PROGRAM;
use evolve_search::document::{Document, Fault};
use evolve_search::model::problem::{Candidate, Context, Problem, Session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Failure, Outcome, PlayError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// A folder with scripts and inputs.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, replacing `$DIR` by the folder.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, self.here(text)).unwrap();
        path
    }

    pub fn here(&self, text: &str) -> String {
        text.replace("$DIR", self.path().to_str().unwrap())
    }

    /// Reads the program of a job, replacing `$DIR` by the folder.
    pub fn read(&self, job: &str) -> Result<Arc<dyn Problem>, Fault> {
        let document = Document::new(Path::new("job.toml"), self.here(job));
        Catalogue::new(&[]).declaring(&PROGRAM).problem(&document)
    }

    /// Reads a complete job, replacing `$DIR` by the folder.
    pub fn job(&self, job: &str) -> Result<Job, Fault> {
        let document = Document::new(Path::new("job.toml"), self.here(job));
        Job::parse(&document, &Catalogue::new(&[]).declaring(&PROGRAM))
    }

    /// Opens the program of a valid job.
    pub fn program(&self, job: &str) -> Opened {
        self.program_with(job, Context::default())
    }

    pub fn program_with(&self, job: &str, context: Context) -> Opened {
        let problem = self.read(job).unwrap_or_else(|fault| panic!("{fault}"));
        let session = Arc::from(problem.open(context).unwrap());
        Opened { problem, session }
    }

    /// Opens a program `sh solver.sh` that receives `$k` and `$seed`, with further keys of
    /// `[program]`.
    pub fn script(&self, script: &str, keys: &str) -> Opened {
        self.script_with(script, keys, Context::default())
    }

    pub fn script_with(&self, script: &str, keys: &str, context: Context) -> Opened {
        self.file("solver.sh", &format!("k=$1\nseed=$2\n{script}\n"));
        let job = format!(
            "[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}}\"\nseeds = \"0-49\"\nsplit = false\n{keys}\n\
             [parameters]\nk = {{ int = [1, 20], start = 5 }}\n"
        );
        self.program_with(&job, context)
    }
}

/// An open program.
pub struct Opened {
    pub problem: Arc<dyn Problem>,
    pub session: Arc<dyn Session>,
}

impl Opened {
    /// Returns a case of an instance in the search.
    pub fn case_of(&self, instance: &str) -> Case {
        let names = self.problem.instances(Split::Search).expect("a list of instances");
        case(names.iter().position(|name| name == instance).expect("a listed instance") as u64)
    }
}

pub fn case(number: u64) -> Case {
    Case { split: Split::Search, number, seed: evolve_search::model::seed::seed(1, Split::Search, 0, number) }
}

/// Plays a trial that is not stopped.
pub fn play(program: &Opened, values: &[f64], case: &Case) -> Result<Outcome, Failure> {
    played(program, values, case).map_err(|error| match error {
        PlayError::Fatal(failure) => failure,
        PlayError::Stopped => panic!("the trial was given up"),
    })
}

pub fn played(program: &Opened, values: &[f64], case: &Case) -> Result<Outcome, PlayError> {
    let parameters = program.problem.parameters();
    let contender = Arc::clone(&program.session).contender(Candidate::new(&parameters, values));
    contender.player().play(case, None)
}

/// Returns whether the process with this id runs.
pub fn runs(pid: &str) -> bool {
    // A zombie does not count as running.
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}
