//! An explanation as tables of a run's folder. `docs/files.md` describes their columns.

use super::{Difference, Explanation};

/// The names of the tables.
pub const TABLES: [&str; 3] = ["explain.csv", "ablation.csv", "slices.csv"];

impl Explanation {
    /// The tables by their names.
    pub fn tables(&self) -> Vec<(&'static str, String)> {
        let number = |number: f64| number.to_string();
        let ends = |difference: &Difference| [difference.mean, difference.low, difference.high].map(number);
        let worths = self.worths.iter().map(|one| {
            let moves = one.moves_changed.map(number).unwrap_or_default();
            let kind = if one.is_group() { "group" } else { "weight" };
            let rest = [moves, number(one.games_changed), one.to().name().to_string(), kind.to_string()];
            [vec![one.part.name.clone()], ends(&one.worth).to_vec(), rest.to_vec()].concat()
        });
        let path = self.path.iter().enumerate().map(|(i, step)| {
            let name = vec![(i + 1).to_string(), step.name.clone()];
            [name, ends(&step.gain).to_vec(), ends(&step.total).to_vec()].concat()
        });
        let points = self.slices.iter().flat_map(|slice| {
            slice.points.iter().map(|point| {
                let marks = [point.is_flat, point.is_recommended].map(|mark| mark.to_string());
                let name = vec![slice.name.clone(), point.shown.clone()];
                [name, ends(&point.difference).to_vec(), marks.to_vec()].concat()
            })
        });
        let header = [
            "name,worth,low,high,moves_changed,games_changed,set_to,kind",
            "step,name,gain,gain_low,gain_high,total,total_low,total_high",
            "name,value,difference,low,high,flat,recommended",
        ];
        let rows: [Vec<Vec<String>>; 3] = [worths.collect(), path.collect(), points.collect()];
        let tables = TABLES.into_iter().zip(header).zip(rows);
        tables.map(|((name, header), rows)| (name, csv(header, &rows))).collect()
    }
}

fn csv(header: &str, rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header.split(',')).expect("writing to memory does not fail");
    for row in rows {
        writer.write_record(row).expect("rows are as long as the header");
    }
    let bytes = writer.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("rows are texts")
}
