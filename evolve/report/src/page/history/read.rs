//! Reads the scores of a run's baseline.

use evolve_core::names::BASELINE;
use evolve_core::run::trials::PastTrial;
use evolve_search::model::space::Space;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A line of the file of the baseline's outcomes.
#[derive(Deserialize)]
struct Reference {
    seed: u64,
    scenario: usize,
    score: f64,
}

/// Returns whether others are compared with a trial: the baseline reached its score in it.
pub fn is_reference(of: &PastTrial, start: &[f64]) -> bool {
    of.is_of(start) && of.row.is_whole()
}

/// Returns the scores of the baseline by seed: those of its trials and, if a trial has only one
/// scenario, of its references.
pub fn scores_of_baseline(folder: &Path, played: &[PastTrial], space: &Space) -> BTreeMap<u64, f64> {
    let text = fs::read_to_string(folder.join(BASELINE)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Reference>(line).ok());
    let references: Vec<Reference> = lines.collect();
    let is_single = references.iter().all(|line| line.scenario == 0);
    let mut scores: BTreeMap<u64, f64> =
        references.iter().filter(|_| is_single).map(|line| (line.seed, line.score)).collect();
    let start = space.evolving_values(space.start());
    for of in played.iter().filter(|of| is_reference(of, &start)) {
        scores.insert(of.row.seed, of.row.score);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::run::rows::TrialRow;
    use evolve_search::model::parameter::Parameter;

    #[test]
    fn scores_of_the_baseline_are_in_its_own_file_or_in_its_trials() {
        let folder = tempfile::TempDir::new().unwrap();
        let parameters = vec![Parameter::int("k", 1, 9, 5), Parameter::choice("way", ["a", "b"], 0)];
        let start = Space::new(parameters, vec![5.0, 1.0], vec![0, 1]);
        let of = |seed: u64, score: f64, k: f64| {
            let row = TrialRow { seed, score, ..TrialRow::default() };
            PastTrial { row, values: vec![Some(k), Some(1.0)] }
        };
        let mut failed = of(3, 99.0, 5.0);
        failed.row.failure = "exit code".to_string();
        let played = [of(1, 10.0, 5.0), of(2, 12.0, 7.0), failed];
        let reference = |scenario| format!("{{\"seed\":2,\"scenario\":{scenario},\"score\":15.0,\"sum\":1}}\n");
        fs::write(folder.path().join(BASELINE), format!("{{\"program\":\"a\"}}\n{}", reference(0))).unwrap();
        assert_eq!(scores_of_baseline(folder.path(), &played, &start), BTreeMap::from([(1, 10.0), (2, 15.0)]));
        fs::write(folder.path().join(BASELINE), reference(0) + &reference(1)).unwrap();
        assert_eq!(scores_of_baseline(folder.path(), &played, &start), BTreeMap::from([(1, 10.0)]));
    }
}
