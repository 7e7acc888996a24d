//! The scores of a run: the difference from the baseline on held-out trials, and the scores of the
//! search.

use super::interval;
use crate::draw::{
    Area, Axis, BLUE, Chart, Colour, Font, GREY, Interval, MARGIN, Mark, PALETTE, SKY, Series, VERMILLION, axis_of,
    figure,
};
use crate::tables::Run;
use evolve_core::job::Stage;
use evolve_core::run::rows::ValidationRow;
use evolve_search::model::rating::Rating;
use evolve_search::statistics::Z95;

/// The width of a plot in pixels, and the height of the area below its head.
const SIZE: (f64, f64) = (1600.0, 836.0);
/// The height of the chart of differences in pixels, if the chart of the search is below it.
const DIFFERENCES: f64 = 416.0;
/// The height of labels in pixels.
const EM: f64 = 18.0;
const GAMES: &str = "Trials, validation included";
const DIFFERENCE: &str = "Difference from the baseline (objective)";

/// Draws the plot as SVG: the difference of each run from its start and, for a single run, the
/// scores of its search below. Differences of objectives that are ratios are in percent.
pub fn draw(runs: &[Run], rating: Rating) -> String {
    let zero = Series::new(GREY, Mark::Level, [Interval::point(0.0, 0.0)]);
    let (title, subtitle, mut charts) = match runs {
        [run] => {
            let labels = ["validation, 95 % interval", "held-out test"];
            let charts = [differences(run, BLUE, VERMILLION, labels), training(run, rating)].map(present);
            let subtitle = format!("Run {} · {}", run.name, verdict(run, rating));
            ("Gain in held-out trials", subtitle, Vec::from(charts))
        }
        runs => {
            let of_run = |(run, colour): (&Run, Colour)| {
                let label = gain(run, rating).map_or(run.name.clone(), |gain| format!("{}: {gain}", run.name));
                differences(run, colour, colour, [&label, ""])
            };
            let differences = runs.iter().zip(PALETTE.into_iter().cycle()).flat_map(of_run).collect();
            let how = "Difference from the baseline in validation, with its 95 % confidence interval; a diamond is \
                the held-out test";
            ("Gain of each run", how.to_string(), vec![differences])
        }
    };
    charts[0].push(zero);
    let (mut svg, top) = figure(SIZE.0, SIZE.1, title, &subtitle, &charts.concat());
    let x = Axis::counting(runs.iter().map(Run::trials_played).max().unwrap_or(0), 10);
    // Only the first chart has differences.
    let axis = |(i, series): (usize, &Vec<Series>)| {
        axis_of(series, None, 6).in_percent(if i == 0 { rating } else { Rating::Objective })
    };
    let axes: Vec<Axis> = charts.iter().enumerate().map(axis).collect();
    let labels = axes.iter().map(|axis| axis.label_width(Font::plain(EM, GREY))).fold(0.0, f64::max);
    let bottom = top + SIZE.1 - MARGIN - 3.4 * EM;
    let mut area = Area { left: MARGIN + 2.4 * EM + labels, right: SIZE.0 - MARGIN, top: top + 10.0, bottom };
    let names = [DIFFERENCE, "Objective"];
    for (i, ((series, axis), name)) in charts.iter().zip(&axes).zip(names).enumerate() {
        let is_last = i + 1 == charts.len();
        area.bottom = if is_last { bottom } else { top + DIFFERENCES };
        let mut chart = Chart::new(&mut svg, area, &x, axis, EM);
        chart.name(EM, if is_last { GAMES } else { "" }, (MARGIN + EM / 2.0, name));
        chart.draw(series, 2.0);
        area.top = area.bottom + 44.0;
    }
    svg.finish()
}

/// Returns the difference from the baseline in validations, and the difference in the test, on
/// separate trials.
fn differences(run: &Run, colour: Colour, of_verdict: Colour, labels: [&str; 2]) -> Vec<Series> {
    let held_out: Vec<Interval> =
        run.stage(Stage::Validation).filter_map(|row| interval(row, row.trials_played)).collect();
    let verdict = run.tested().and_then(|(_, chosen)| interval(chosen, run.trials_played()));
    vec![
        Series::new(colour, Mark::Band, held_out.clone()),
        Series::new(colour, Mark::Points, held_out).named(labels[0]),
        Series::new(of_verdict, Mark::Diamonds, verdict).named(labels[1]),
    ]
}

/// Returns the objectives of the search, and those on held-out trials.
fn training(run: &Run, rating: Rating) -> Vec<Series> {
    let rows = || run.generations.iter();
    let held_out = |row: &ValidationRow| {
        let x = row.trials_played;
        if rating.is_ratio() {
            // In the search, the objective is 1 plus the gain; in validations, it is a score.
            let Interval { x, low, value, high } = interval(row, x)?;
            return Some(Interval { x, low: 1.0 + low, value: 1.0 + value, high: 1.0 + high });
        }
        // The standard error is that of the score, which is the objective, up to its sign, or on
        // another scale.
        let error = if row.objective.abs() == row.score.abs() { row.standard_error } else { 0.0 };
        let (value, half) = (row.objective, Z95 * error);
        Some(Interval { x: x as f64, low: value - half, value, high: value + half })
    };
    let best = rows().map(|row| Interval::point(row.trials_played as f64, row.best));
    let mean = rows().map(|row| Interval::point(row.trials_played as f64, row.mean));
    vec![
        Series::new(SKY, Mark::Line, best).named("search: best"),
        Series::new(GREY, Mark::Line, mean).named("search: mean"),
        Series::new(BLUE, Mark::Points, run.stage(Stage::Validation).filter_map(held_out)),
    ]
}

/// Removes empty series.
fn present(mut series: Vec<Series>) -> Vec<Series> {
    series.retain(|one| !one.points.is_empty());
    series
}

/// Formats the gain in a run's verdict, with its interval; returns `None` before the verdict.
fn gain(run: &Run, rating: Rating) -> Option<String> {
    let of = run.tested()?.1.difference()?;
    Some(rating.text(of).replace('-', "\u{2212}"))
}

/// Describes the verdict of a run in one line.
fn verdict(run: &Run, rating: Rating) -> String {
    let (Some(gain), Some((_, chosen))) = (gain(run, rating), run.tested()) else {
        return "no verdict yet".to_string();
    };
    let result = run.verdict.as_ref().map_or("", |verdict| verdict.found().label());
    format!("{result}{gain} in {} trials", chosen.trials)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::optimizer::FinalistKind;

    #[test]
    fn ratios_are_in_percent() {
        let row = |stage, candidate, difference| ValidationRow {
            stage,
            generation: 0,
            trials_played: 100,
            candidate,
            trials: 30,
            score: 1.0,
            standard_error: 0.01,
            objective: 1.0,
            difference: Some(difference),
            low: Some(difference - 0.02),
            high: Some(difference + 0.02),
        };
        let estimates = vec![row(Stage::Test, FinalistKind::Baseline, 0.0), row(Stage::Test, FinalistKind::Mean, 0.12)];
        let run = Run {
            name: "tour".to_string(),
            generations: Vec::new(),
            weights: Vec::new(),
            estimates,
            times: Vec::new(),
            verdict: None,
        };
        let [ratios, scores] =
            [Rating::Ratio, Rating::Objective].map(|rating| draw(std::slice::from_ref(&run), rating));
        assert!(ratios.contains("+12.0 % (+10.0 to +14.0)") && ratios.contains(">10 %<"), "{ratios}");
        assert!(scores.contains("+0.12") && !scores.contains(" %<"), "{scores}");
    }

    #[test]
    fn held_out_trials_are_on_the_scale_of_the_search() {
        let row = |score, objective, difference: f64| ValidationRow {
            stage: Stage::Validation,
            trials_played: 100,
            score,
            standard_error: 10.0,
            objective,
            difference: Some(difference),
            low: Some(difference - 0.25),
            high: Some(difference + 0.25),
            ..ValidationRow::default()
        };
        let run = |row| Run {
            name: "tour".to_string(),
            generations: Vec::new(),
            weights: Vec::new(),
            estimates: vec![row],
            times: Vec::new(),
            verdict: None,
        };
        let ends = |row, rating| {
            let Interval { low, value, high, .. } = training(&run(row), rating)[2].points[0];
            [low, value, high]
        };
        let half = 10.0 * Z95;
        assert_eq!(ends(row(300.0, 300.0, 0.5), Rating::Objective), [300.0 - half, 300.0, 300.0 + half]);
        assert_eq!(ends(row(300.0, -300.0, 0.5), Rating::Objective), [-300.0 - half, -300.0, -300.0 + half]);
        // The standard error of a score says nothing about its logarithm.
        assert_eq!(ends(row(300.0, -5.7, 0.5), Rating::Objective), [-5.7; 3]);
        // A ratio to the baseline's score, as in the search.
        assert_eq!(ends(row(300.0, 300.0, 0.5), Rating::Ratio), [1.25, 1.5, 1.75]);
    }
}
