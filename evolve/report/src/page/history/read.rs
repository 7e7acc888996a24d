//! Reads the trials of a run, and the scores of its baseline.

use evolve_core::document::cell;
use evolve_core::model::space::Space;
use evolve_core::run::rows::{TRIALS, TrialRow};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The file of the baseline's outcomes.
const BASELINE: &str = "baseline.jsonl";

/// A trial with its tuned values.
pub struct Played {
    pub row: TrialRow,
    pub values: Vec<Option<f64>>,
}

/// Reads the trials of a folder, up to an incomplete row; `None` without a table of trials.
pub fn read(folder: &Path, space: &Space) -> Option<Vec<Played>> {
    let mut table = csv::Reader::from_path(folder.join(TRIALS)).ok()?;
    let headers = table.headers().ok()?.clone();
    let columns: Vec<Option<usize>> = space
        .tuned()
        .map(|parameter| headers.iter().position(|header| header.strip_prefix("value.") == Some(&parameter.name)))
        .collect();
    let played = |record: csv::StringRecord| {
        let row = record.deserialize(Some(&headers)).ok()?;
        let value = |(parameter, column): (&evolve_core::model::parameter::Parameter, &Option<usize>)| {
            parameter.parse(cell::text(record.get((*column)?)?))
        };
        Some(Played { row, values: space.tuned().zip(&columns).map(value).collect() })
    };
    // Stop at an incomplete last row, which a run may be writing.
    Some(table.records().map_while(Result::ok).map_while(played).collect())
}

/// Whether a trial is one of the baseline, whose values are `start`.
pub fn is_start(of: &Played, start: &[f64]) -> bool {
    of.values.iter().zip(start).all(|(value, start)| *value == Some(*start))
}

/// A line of the file of the baseline's outcomes.
#[derive(Deserialize)]
struct Reference {
    seed: u64,
    scenario: usize,
    score: f64,
}

/// Returns the scores of the baseline by seed: those of its trials and, if a trial has only one scenario,
/// of its references.
pub fn scores_of_baseline(folder: &Path, played: &[Played], space: &Space) -> BTreeMap<u64, f64> {
    let text = fs::read_to_string(folder.join(BASELINE)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Reference>(line).ok());
    let references: Vec<Reference> = lines.collect();
    let is_single = references.iter().all(|line| line.scenario == 0);
    let mut scores: BTreeMap<u64, f64> =
        references.iter().filter(|_| is_single).map(|line| (line.seed, line.score)).collect();
    let start = space.evolving_values(space.start());
    for of in played.iter().filter(|of| is_start(of, &start) && of.row.failure.is_empty() && !of.row.capped) {
        scores.insert(of.row.seed, of.row.score);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::model::parameter::Parameter;

    #[test]
    fn trials_are_read_up_to_an_incomplete_row() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,capped,metrics,groups,value.way,value.k\n\
                     0,search,0,a,0,1,10,-10,,false,,,b,5\n\
                     1,search,1,'=b,0,2,12,-12,time limit,true,,,a,7\n\
                     2,search,0,a,0";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let parameters = vec![Parameter::int("k", 1, 9, 5), Parameter::choice("way", ["a", "b"], 0)];
        let space = Space::new(parameters, vec![5.0, 0.0], vec![0, 1]);
        let played = read(folder.path(), &space).unwrap();
        assert_eq!(played.len(), 2);
        assert_eq!(played[0].values, [Some(5.0), Some(1.0)]);
        assert_eq!((played[1].values[0], played[1].row.capped), (Some(7.0), true));
        assert!(read(&folder.path().join("none"), &space).is_none());
        // The baseline's scores are in its own file, or in its trials.
        let reference = |scenario| format!("{{\"seed\":2,\"scenario\":{scenario},\"score\":15.0,\"sum\":1}}\n");
        fs::write(folder.path().join(BASELINE), format!("{{\"program\":\"a\"}}\n{}", reference(0))).unwrap();
        let start = Space::new(space.parameters().to_vec(), vec![5.0, 1.0], vec![0, 1]);
        assert_eq!(scores_of_baseline(folder.path(), &played, &start), BTreeMap::from([(1, 10.0), (2, 15.0)]));
        fs::write(folder.path().join(BASELINE), reference(0) + &reference(1)).unwrap();
        assert_eq!(scores_of_baseline(folder.path(), &played, &start), BTreeMap::from([(1, 10.0)]));
    }
}
