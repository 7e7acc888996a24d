//! What each weight is worth, from `explain.csv` in the folder of a run, where there is one.

use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a weight is worth: what is lost without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The difference that it makes.
    worth: f64,
    /// Its 95 % interval.
    interval: Option<(f64, f64)>,
}

/// By the names of weights. A table that is not there or has other columns gives nothing; so does a row without a number.
pub fn read(folder: &Path) -> BTreeMap<String, Worth> {
    let Ok(mut table) = csv::ReaderBuilder::new().flexible(true).from_path(folder.join("explain.csv")) else {
        return BTreeMap::new();
    };
    let headers = table.headers().cloned().unwrap_or_default();
    let column = |name: &str| headers.iter().position(|header| header.trim() == name);
    let (Some(name), Some(worth)) = (column("name"), column("worth")) else { return BTreeMap::new() };
    let row = |record: csv::StringRecord| {
        let number =
            |column: Option<usize>| record.get(column?)?.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let interval = number(column("low")).zip(number(column("high")));
        let worth = Worth { worth: number(Some(worth))?, interval };
        Some((record.get(name)?.trim().to_string(), worth))
    };
    table.records().filter_map(Result::ok).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_there_is_read() {
        let folder = tempfile::TempDir::new().unwrap();
        assert!(read(folder.path()).is_empty());
        let file = folder.path().join("explain.csv");
        fs::write(&file, "low,name,worth,high,more\n1,a,2,3,x\n,b,-1,,\n,c,,,\n").unwrap();
        let found = read(folder.path());
        assert_eq!(found["a"], Worth { worth: 2.0, interval: Some((1.0, 3.0)) });
        assert_eq!(found["b"], Worth { worth: -1.0, interval: None });
        assert_eq!(found.len(), 2);
        fs::write(&file, "weight,gain\na,2\n").unwrap();
        assert!(read(folder.path()).is_empty());
    }
}
