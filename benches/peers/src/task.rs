//! A benchmark problem: the problem of a committed job, with its start, ranges and fixed
//! parameters.

use crate::{families, solvers};
use evolve_core::job::{Catalogue, Game, Job};
use evolve_games::GAMES;
use evolve_program::PROGRAM;
use evolve_search::document::Document;
use evolve_search::model::problem::{Candidate, Context, Session};
use evolve_search::model::seed::{Split, seed};
use evolve_search::model::trial::{Case, Outcome};
use evolve_search::optimizer::Again;
use evolve_search::statistics::Estimate;
use std::path::Path;
use std::sync::Arc;

/// A problem with a search space.
pub struct Task {
    /// The name in tables.
    pub name: String,
    /// The default numbers of games after which optimizers give their recommendations.
    pub stops: &'static [usize],
    pub job: Job,
    session: Arc<dyn Session>,
}

/// The tasks in the order of tables, with their jobs. Like their jobs, beams start at the greedy
/// player's weights.
const TASKS: [(&str, &str, &[usize]); 11] = [
    ("group-4-greedy", "configs/solitaire-chess/group-4-greedy.toml", &STOPS),
    ("group-5-greedy", "configs/solitaire-chess/group-5-greedy.toml", &STOPS),
    ("group-6-greedy", "configs/solitaire-chess/group-6-greedy.toml", &STOPS),
    ("group-5-beam", "configs/solitaire-chess/group-5.toml", &STOPS),
    ("group-6-beam", "configs/solitaire-chess/group-6.toml", &STOPS),
    ("chess-puzzle-greedy", "configs/chess-puzzle/greedy.toml", &STOPS),
    // A search of seven parameters takes fewer trials than a search of hundreds of weights.
    ("program", "benches/peers/program/job.toml", &FEW),
    ("assignment", "benches/peers/assignment/job.toml", &FEW),
    ("blocks", "benches/peers/blocks/job.toml", &FEW),
    ("minisat", "benches/peers/minisat/job.toml", &FEW),
    ("minisat-conflicts", "benches/peers/minisat/conflicts.toml", &FEW),
];
const STOPS: [usize; 4] = [12_500, 25_000, 50_000, 100_000];
const FEW: [usize; 6] = [30, 60, 120, 300, 1_000, 3_000];

/// Splits the name of a family or solver: all parameters of `near-grp6+group` follow the group, and
/// its start is near.
fn parts(name: &str) -> (&str, &str, bool) {
    let (name, by) = name.split_once('+').unwrap_or((name, "nothing"));
    name.strip_prefix("near-").map_or((name, by, false), |name| (name, by, true))
}

/// Returns the mean of the best function of features in a family such as `grp6+group`.
pub fn best(name: &str) -> Result<f64, String> {
    let (kind, by, near) = parts(name);
    let options = serde_json::json!({ "kind": kind, "by": by, "near": near });
    let options = serde_json::from_value(options).map_err(|error| error.to_string())?;
    Ok(families::best(options))
}

impl Task {
    /// Reads the job of a task. Paths are relative to the root of the repository.
    pub fn read(name: &str) -> Result<Self, String> {
        let (plain, by, near) = parts(name);
        let family = families::Name::ALL.iter().any(|family| family.0 == plain);
        let solver = solvers::Name::ALL.iter().find(|solver| solver.0 == plain);
        let task = TASKS.iter().find(|task| task.0 == plain);
        let games: Vec<Game> = GAMES.iter().cloned().chain([families::game(), solvers::game()]).collect();
        let catalogue = Catalogue::new(&games).declaring(&PROGRAM);
        let of = |game: String| {
            let text = format!("name = \"{plain}\"\n[game]\n{game}\n[search]\nbudget = 1000\n");
            Job::parse(&Document::new(Path::new(name), text), &catalogue)
        };
        let (job, stops) = match task {
            Some(&(_, job, stops)) => (Job::read(Path::new(job), &catalogue), stops),
            None if family => {
                (of(format!("name = \"family\"\nkind = \"{plain}\"\nby = \"{by}\"\nnear = {near}")), &FEW[..])
            }
            None if let Some((_, solver)) = solver => {
                let follow = by == solver.feature();
                if by != "nothing" && !follow {
                    return Err(format!("parameters of `{plain}` follow `{}`, not `{by}`", solver.feature()));
                }
                (of(format!("name = \"solver\"\nsolver = \"{plain}\"\nfollow = {follow}")), &FEW[..])
            }
            None => {
                let families = families::Name::ALL.iter().map(|family| family.0);
                let solvers = solvers::Name::ALL.iter().map(|solver| solver.0);
                let known: Vec<_> = TASKS.iter().map(|task| task.0).chain(families).chain(solvers).collect();
                return Err(format!("there is no problem `{name}`; there are {}", known.join(", ")));
            }
        };
        let job = job.map_err(|faults| faults.to_string())?;
        let session = job.problem.open(Context::default());
        let session = session.map_err(|error| error.to_string())?;
        Ok(Task { name: name.to_string(), stops, job, session: Arc::from(session) })
    }

    pub fn play(&self, candidate: &[f64], cases: impl Iterator<Item = Case>) -> Result<Vec<Outcome>, String> {
        self.play_against(candidate, cases.map(|case| (case, None)))
    }

    /// Plays cases with a candidate, with the objectives of rivals that cap its trials.
    pub fn play_against(
        &self,
        candidate: &[f64],
        cases: impl Iterator<Item = (Case, Option<f64>)>,
    ) -> Result<Vec<Outcome>, String> {
        let candidate = Candidate::new(self.job.space.parameters(), candidate);
        let contender = Arc::clone(&self.session).contender(candidate);
        let mut player = contender.player();
        let play = |(case, rival): (Case, Option<f64>)| player.play(&case, rival);
        cases.map(play).collect::<Result<_, _>>().map_err(|failure| failure.to_string())
    }

    /// Estimates the score of a candidate, rounded, on `cases` held-out cases, which are the same
    /// for all runs with this seed: the mean, or the geometric mean if the objective is the
    /// logarithm.
    pub fn measured(&self, candidate: &[f64], run: u64, cases: usize) -> Result<Estimate, String> {
        let space = &self.job.space;
        let mut rounded = candidate.to_vec();
        for &i in space.tuned_indices() {
            rounded[i] = space.parameters()[i].rounded(candidate[i]);
        }
        let played = self.play(&rounded, Case::first(run, Split::Measurement, cases).into_iter())?;
        // All optimizers see objectives. With `scale = "log"`, these are about the geometric mean,
        // not about the mean.
        let is_log = played.iter().all(|outcome| (outcome.objective + outcome.score.ln()).abs() < 1e-9);
        if is_log {
            let logs = Estimate::of(&played.iter().map(|outcome| outcome.score.ln()).collect::<Vec<_>>());
            let mean = logs.mean.exp();
            return Ok(Estimate { mean, standard_error: mean * logs.standard_error, ..logs });
        }
        Ok(Estimate::of(&played.iter().map(|outcome| outcome.score).collect::<Vec<_>>()))
    }
}

/// Returns a case of the search. Where instances are listed, its number draws one of them.
pub fn searched(run: u64, generation: u64, place: u64) -> Case {
    let split = Split::Search;
    let seed = seed(run, split, generation, place);
    Case { split, number: seed, seed }
}

/// Returns the case of the search with this number among its cases. Each run begins at another
/// instance of the list.
pub fn numbered(run: u64, of: Again) -> Case {
    Case { number: of.number + APART * run, ..searched(run, of.generation, of.place) }
}

/// Returns the place of a run's first instance in a list.
pub fn apart(run: u64, instances: usize) -> usize {
    (APART * run % instances.max(1) as u64) as usize
}

/// The distance between the first instances of runs.
const APART: u64 = 37;
