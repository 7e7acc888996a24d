//! Best known scores that runs keep: each run refers to the scores at its start, and adds the
//! better ones that it found at its end.

use crate::program::{Declaration, Program};
use crate::scale::read_best;
use evolve_core::names::BEST_SCORES;
use evolve_core::run::rows::TrialRow;
use evolve_core::run::trials::Trials;
use evolve_search::file::{make_folder, replace_plain};
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::{Context, OpenError};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

impl Program {
    /// Returns the program with the scores to which its run refers: those at the start of the run.
    pub(crate) fn with_own_scores(self, context: &Context) -> Result<Self, OpenError> {
        let (Some(_), Some(run)) = (self.declared.keys.scale.kept_file(), &context.run_folder) else { return Ok(self) };
        let own = run.join(BEST_SCORES);
        if !context.resumes || !own.exists() {
            let text = table(&self.declared.best);
            let written = make_folder(run).and_then(|()| replace_plain(&own, text.as_bytes()));
            written.map_err(|error| format!("{}: {error}", own.display()))?;
            return Ok(self);
        }
        let best = read_best(&own).map_err(|error| error.to_string())?;
        Ok(Program::new(Declaration { best, ..Declaration::clone(&self.declared) }))
    }

    /// Adds the scores of a run to the file of best known scores, if the job lets runs keep it.
    /// Returns the number of instances with a new score. Runs that end at the same moment may lose
    /// one, which a later run finds again.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn keep_best(&self, run: &Path) -> io::Result<usize> {
        let Some(file) = self.declared.keys.scale.kept_file() else { return Ok(0) };
        let mut best = if file.exists() { read_best(file).map_err(io::Error::other)? } else { BTreeMap::new() };
        let mut improved = 0;
        for (instance, score) in found(run, self.declared.keys.goal) {
            let is_better = best.get(&instance).is_none_or(|&known| is_better(self.declared.keys.goal, score, known));
            if is_better {
                best.insert(instance, score);
                improved += 1;
            }
        }
        if improved > 0 {
            replace_plain(file, table(&best).as_bytes())?;
        }
        Ok(improved)
    }
}

fn is_better(goal: Direction, score: f64, other: f64) -> bool {
    match goal {
        Direction::Maximize => score > other,
        Direction::Minimize => score < other,
    }
}

/// Returns the best score of each instance in the trials of a run. Only positive scores can be a
/// reference.
fn found(run: &Path, goal: Direction) -> BTreeMap<String, f64> {
    let mut best: BTreeMap<String, f64> = BTreeMap::new();
    let mut trials = Trials::open(run);
    let rows = trials.iter_mut().flat_map(Trials::rows);
    for TrialRow { instance, score, .. } in rows.filter(|row| row.is_whole() && row.score > 0.0) {
        let known = best.entry(instance).or_insert(score);
        *known = if is_better(goal, score, *known) { score } else { *known };
    }
    best.remove("");
    best
}

fn table(best: &BTreeMap<String, f64>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["instance", "score"]).expect("writing to memory does not fail");
    for (instance, score) in best {
        writer.write_record([instance, &score.to_string()]).expect("writing to memory does not fail");
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
