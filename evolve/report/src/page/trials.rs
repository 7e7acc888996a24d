//! The trials of a program one by one: baseline against tuned, by instance and scenario, failures with commands to
//! reproduce them, and pictures. From `trials.csv` and the files beside it.

use super::thin::short;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use evolve_core::model::seed::Split;
use evolve_core::model::trial::Deal;
use evolve_core::run::cell;
use evolve_core::run::rows::{Stage, TRIALS, TrialRow};
use evolve_core::statistics::{Estimate, Interval};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The trials on a page.
#[derive(Serialize)]
pub struct Trials {
    /// `verdict`, or `held-out` until there is one.
    stage: Stage,
    /// Deals that both played, those not shown included.
    deals: usize,
    /// Deals where the tuned one did better, and worse.
    better: usize,
    worse: usize,
    pairs: Vec<Pair>,
    /// The mean scores in each scenario, where a trial is several.
    scenarios: Vec<Scenario>,
    /// Failures by stage and kind.
    failures: Vec<(Stage, String, usize)>,
    kept: Vec<Kept>,
    pictures: Vec<Picture>,
}

/// Start and tuned on the same deal.
#[derive(Serialize)]
struct Pair {
    instance: String,
    replicate: u64,
    seed: String,
    score: [f64; 2],
    /// Difference of the objectives, the second minus the first: positive where the tuned candidate did better.
    gain: f64,
    failure: [String; 2],
}

#[derive(Serialize)]
struct Scenario {
    name: String,
    score: [f64; 2],
    /// The mean difference in score, and the ends of its 95 % interval.
    difference: Interval,
}

/// A failure that was kept.
#[derive(Serialize)]
struct Kept {
    name: String,
    reason: String,
    /// The command that shows it again.
    again: String,
}

#[derive(Serialize)]
struct Picture {
    title: String,
    /// A `data:` address.
    source: String,
}

/// Pairs that are shown at most: those with the largest gains and losses.
const PAIRS: usize = 1000;
/// Kept failures shown at most.
const FAILURES: usize = 60;
/// Bytes of all pictures, before they are encoded.
const PICTURES: usize = 900_000;

/// Whether those who are compared on a row's deal played in the other order.
fn is_swapped(row: &TrialRow) -> bool {
    Deal { split: Split::Test, number: row.number, seed: row.seed }.is_swapped()
}

impl Trials {
    /// The trials of the run in a folder, which a person would name as `shown`; `None` if it has no table of them.
    pub fn read(folder: &Path, shown: &str) -> Option<Self> {
        let mut table = csv::Reader::from_path(folder.join(TRIALS)).ok()?;
        // By the number of the deal, the first and the last that played it.
        let mut stages: [BTreeMap<u64, (TrialRow, TrialRow)>; 2] = Default::default();
        let mut failures: BTreeMap<(Stage, String), usize> = BTreeMap::new();
        // A run may be writing its last row: that one comes the next time.
        for mut row in table.deserialize().map_while(Result::<TrialRow, _>::ok) {
            // Of a cell that holds several, the first one begins it.
            row.parts.0.iter_mut().take(1).for_each(|(name, _)| *name = cell::text(name).to_string());
            if !row.failure.is_empty() {
                *failures.entry((row.stage, row.failure.clone())).or_default() += 1;
            }
            let place = match row.stage {
                Stage::Validation => 0,
                Stage::Test => 1,
                Stage::Search | Stage::Selection => continue,
            };
            stages[place].entry(row.number).and_modify(|pair| pair.1 = row.clone()).or_insert((row.clone(), row));
        }
        let [held_out, verdict] = stages;
        let (stage, rows) = if verdict.is_empty() { (Stage::Validation, held_out) } else { (Stage::Test, verdict) };
        // They are the start and the tuned one. In the verdict, the deal says who of them plays first.
        let in_order = |(a, b)| if stage == Stage::Test && is_swapped(&a) { (b, a) } else { (a, b) };
        let rows: Vec<(TrialRow, TrialRow)> = rows.into_values().map(in_order).collect();
        let gains = || rows.iter().map(|(start, tuned)| tuned.objective - start.objective);
        let mut pairs: Vec<Pair> = rows.iter().map(pair).collect();
        pairs.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.instance.cmp(&b.instance)));
        if pairs.len() > PAIRS {
            pairs.drain(PAIRS / 2..pairs.len() - PAIRS / 2);
        }
        Some(Trials {
            stage,
            deals: rows.len(),
            better: gains().filter(|gain| *gain > 0.0).count(),
            worse: gains().filter(|gain| *gain < 0.0).count(),
            pairs,
            scenarios: scenarios(&rows),
            failures: failures.into_iter().map(|((stage, kind), count)| (stage, kind, count)).collect(),
            kept: kept(&folder.join("failures"), shown),
            pictures: pictures(&folder.join("pictures")),
        })
    }
}

fn pair((start, tuned): &(TrialRow, TrialRow)) -> Pair {
    Pair {
        instance: cell::text(&start.instance).to_string(),
        replicate: start.replicate,
        seed: start.seed.to_string(),
        score: [short(start.score), short(tuned.score)],
        gain: short(tuned.objective - start.objective),
        failure: [start.failure.clone(), tuned.failure.clone()],
    }
}

fn scenarios(rows: &[(TrialRow, TrialRow)]) -> Vec<Scenario> {
    let Some((first, _)) = rows.first() else { return Vec::new() };
    let scenario = |(place, (name, _)): (usize, &(String, f64))| {
        let values =
            |row: &TrialRow| row.parts.0.get(place).filter(|(other, _)| other == name).map(|(_, value)| *value);
        let both = rows.iter().filter_map(|(start, tuned)| Some((values(start)?, values(tuned)?)));
        let (start, tuned): (Vec<f64>, Vec<f64>) = both.unzip();
        Scenario {
            name: name.clone(),
            score: [short(Estimate::of(&start).mean), short(Estimate::of(&tuned).mean)],
            difference: Estimate::paired(&tuned, &start).interval().map(short),
        }
    };
    first.parts.0.iter().enumerate().map(scenario).collect()
}

/// The entries of a folder in the order of their names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    entries
}

fn kept(folder: &Path, shown: &str) -> Vec<Kept> {
    let kept = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let reason = fs::read_to_string(path.join("reason.txt")).ok()?.trim().to_string();
        let again = format!("sh {}/failures/{name}/again.sh", shown.trim_end_matches('/'));
        Some(Kept { name, reason, again })
    };
    entries(folder).into_iter().filter_map(kept).take(FAILURES).collect()
}

fn pictures(folder: &Path) -> Vec<Picture> {
    let mut room = PICTURES;
    let mut pictures = Vec::new();
    for path in entries(folder) {
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            _ => continue,
        };
        let Ok(bytes) = fs::read(&path) else { continue };
        let Some(left) = room.checked_sub(bytes.len()) else { continue };
        room = left;
        // As in `0003-0-tuned`: deal, scenario, who.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let title = match stem.splitn(3, '-').collect::<Vec<_>>()[..] {
            [deal, scenario, who] => {
                let number = |text: &str| {
                    text.parse::<u64>().map_or(text.to_string(), |number| number.saturating_add(1).to_string())
                };
                format!("trial {}, scenario {}, {who}", number(deal), number(scenario))
            }
            _ => stem,
        };
        pictures.push(Picture { title, source: format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes)) });
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_of_a_deal_are_compared() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,parts,value.k\n\
                     0,validation,0,a,0,1,10,-10,,easy=4 hard=6,5\n\
                     1,validation,1,b,0,2,12,-12,,easy=5 hard=7,5\n\
                     2,search,0,c,0,3,9,-9,time limit,easy=4 hard=5,6\n\
                     3,validation,0,a,0,1,8,-8,,easy=4 hard=4,6\n\
                     4,validation,1,b,0,2,13,-13,exit code,easy=5 hard=8,6\n\
                     5,validation,0,a,0,1,7";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let kept = folder.path().join("failures/exit-00000001");
        fs::create_dir_all(&kept).unwrap();
        fs::write(kept.join("reason.txt"), "exit code: 3\n").unwrap();
        fs::create_dir(folder.path().join("pictures")).unwrap();
        fs::write(folder.path().join("pictures/0000-0-tuned.svg"), "<svg/>").unwrap();
        let trials = Trials::read(folder.path(), "results/tour").unwrap();
        assert_eq!((trials.stage, trials.deals, trials.better, trials.worse), (Stage::Validation, 2, 1, 1));
        assert_eq!((trials.pairs[0].score, trials.pairs[0].gain), ([10.0, 8.0], 2.0));
        assert_eq!(trials.pairs[1].failure, ["", "exit code"]);
        assert_eq!((trials.scenarios[1].score, trials.scenarios[1].difference.mean), ([6.5, 6.0], -0.5));
        assert_eq!(trials.failures.iter().map(|(.., count)| count).sum::<usize>(), 2);
        assert_eq!(trials.kept[0].again, "sh results/tour/failures/exit-00000001/again.sh");
        assert_eq!(trials.pictures[0].title, "trial 1, scenario 1, tuned");
        assert_eq!(trials.pictures[0].source, "data:image/svg+xml;base64,PHN2Zy8+");
        assert!(Trials::read(&kept, "").is_none());
    }

    /// On deals of an odd seed the tuned one plays first.
    #[test]
    fn the_start_of_a_verdict_is_the_start_whoever_plays_first() {
        let folder = tempfile::TempDir::new().unwrap();
        let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,parts,value.k\n\
                     0,test,0,a,0,2,10,10,,,5\n1,test,0,a,0,2,14,14,,,7\n\
                     2,test,1,'=b,0,3,15,15,,,7\n3,test,1,'=b,0,3,11,11,,,5\n";
        fs::write(folder.path().join("trials.csv"), table).unwrap();
        let trials = Trials::read(folder.path(), "results/tour").unwrap();
        assert_eq!((trials.deals, trials.better, trials.worse), (2, 2, 0));
        assert!(trials.pairs.iter().all(|pair| pair.gain == 4.0));
        assert_eq!((trials.pairs[0].instance.as_str(), trials.pairs[0].score), ("=b", [11.0, 15.0]));
    }
}
