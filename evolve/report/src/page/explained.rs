//! The worth of each weight, from `explain.csv` in the folder of a run, if that exists.

use evolve_core::names::EXPLANATION;
use evolve_search::statistics::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A row of the table. Other columns are ignored.
#[derive(Deserialize)]
struct Row {
    name: String,
    worth: f64,
    low: Option<f64>,
    high: Option<f64>,
    trials_changed: Option<f64>,
}

/// The worth of a weight: the loss without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The difference that the weight makes.
    worth: f64,
    /// The 95 % confidence interval.
    interval: Option<(f64, f64)>,
    /// The decimals to show.
    digits: usize,
    /// The share of trials whose outcome changes without the weight.
    trials: Option<f64>,
}

impl Worth {
    pub(super) fn of(worth: f64, interval: Option<(f64, f64)>) -> Self {
        let (low, high) = interval.unwrap_or((worth, worth));
        let digits = Interval { mean: worth, low, high }.digits();
        Worth { worth, interval, digits, trials: None }
    }
}

/// Returns the worths by weight, group and function. Ignores a missing table, a table with other
/// columns, and rows without a number.
pub fn read(folder: &Path) -> BTreeMap<String, Worth> {
    let reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_path(folder.join(EXPLANATION));
    let rows = reader.into_iter().flat_map(csv::Reader::into_deserialize).filter_map(Result::ok);
    rows.filter(|row: &Row| row.worth.is_finite())
        .map(|Row { name, worth, low, high, trials_changed }| {
            let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
            (name, Worth { trials: finite(trials_changed), ..Worth::of(worth, finite(low).zip(finite(high))) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn valid_rows_are_read() {
        let folder = tempfile::TempDir::new().unwrap();
        assert!(read(folder.path()).is_empty());
        let file = folder.path().join("explain.csv");
        fs::write(&file, "low,name,worth,high,trials_changed,more\n1,a,2,3,0.25,x\n,b,-1,,,\n,c,,,,\n").unwrap();
        let found = read(folder.path());
        assert_eq!(found["a"], Worth { worth: 2.0, interval: Some((1.0, 3.0)), digits: 2, trials: Some(0.25) });
        assert_eq!(found["b"], Worth { worth: -1.0, interval: None, digits: 4, trials: None });
        assert_eq!(found.len(), 2);
        fs::write(&file, "weight,gain\na,2\n").unwrap();
        assert!(read(folder.path()).is_empty());
    }
}
