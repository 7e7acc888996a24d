//! Plots of runs, from the files to the figures.

use evolve_core::problem::Catalogue;
use evolve_report::plot::{PlotError, plot_run, plot_runs};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const VALIDATION: &str = "\
stage,generation,games_played,policy,games,mean,standard_error,difference,low,high
held-out,0,0,start,500,9100.5,40.25,0,0,0
held-out,2,240,mean,500,9400,41,299.5,200,399
finalists,2,360,mean,4000,9500,20,400,350,450
verdict,0,360,start,8000,9100,15,0,0,0
verdict,2,360,mean,8000,9480,15,380,350,410
";

/// The name, path of the mean and deviation of each weight.
type Weights<'a> = &'a [(&'a str, [f64; 3], [f64; 3])];

/// A `generations.csv` of three generations, with a column that the plots do not know; leaders are far off the mean.
fn generations(weights: Weights<'_>) -> String {
    let mut csv = "generation,games,best,mean,spread,diversity,seconds".to_string();
    for (name, ..) in weights {
        csv += &format!(",weight.{name},sd.{name},mean.{name}");
    }
    for g in 0..3 {
        csv += &format!("\n{g},{},{}.5,{},75.25,0.5,soon", 120 * (g + 1), 9200 + 10 * g, 9000 + 10 * g);
        for (_, mean, deviation) in weights {
            csv += &format!(",{},{},{}", 1000 + g, deviation[g], mean[g]);
        }
    }
    csv + "\n"
}

fn run(root: &TempDir, name: &str, generations: &str, validation: Option<&str>) -> PathBuf {
    let folder = root.path().join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("generations.csv"), generations).unwrap();
    if let Some(validation) = validation {
        fs::write(folder.join("validation.csv"), validation).unwrap();
    }
    folder
}

fn nobody() -> Catalogue {
    Catalogue::new(&[])
}

fn names(files: &[PathBuf]) -> Vec<String> {
    files.iter().filter_map(|file| file.file_name()).map(|name| name.to_string_lossy().into_owned()).collect()
}

/// The error for a run with these files.
fn failure(generations: &str, validation: Option<&str>) -> PlotError {
    let root = TempDir::new().unwrap();
    let run = run(&root, "run", generations, validation);
    let error = plot_run(&run, &nobody()).unwrap_err();
    assert!(!run.join("plots").exists());
    error
}

/// The lines of a figure in a colour and width: their points in pixels.
fn lines(svg: &str, colour: &str, width: u32) -> Vec<Vec<(f64, f64)>> {
    let wanted = [format!("stroke=\"{colour}\""), format!("stroke-width=\"{width}\"")];
    let of_kind =
        svg.lines().filter(|line| line.starts_with("<polyline") && wanted.iter().all(|part| line.contains(part)));
    of_kind
        .map(|line| {
            let (_, points) = line.split_once("points=\"").unwrap();
            let points = points.split_once('"').unwrap().0.split_whitespace();
            points
                .map(|point| point.split_once(',').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect()
        })
        .collect()
}

/// Height above the first point, in units of that of the last one.
fn shape(line: &[(f64, f64)]) -> Vec<f64> {
    let (first, last) = (line[0].1, line[line.len() - 1].1);
    line.iter().map(|&(_, y)| (first - y) / (first - last)).collect()
}

const BLUE: &str = "#0072B2";
const SKY: &str = "#56B4E9";
const GREY: &str = "#5F656B";

#[test]
fn each_series_is_drawn_as_what_it_is() {
    let root = TempDir::new().unwrap();
    let weights: Weights = &[("king<1>", [1.0, 5.0, 2.0], [0.1, 0.1, 0.1])];
    let table = generations(weights).replace("9210.5", "9390.5");
    let files = plot_run(&run(&root, "seed-7", &table, Some(VALIDATION)), &nobody()).unwrap();
    assert_eq!(names(&files), ["scores-by-generation.svg", "scores-by-games.svg", "weights-1.svg"]);
    let svg = fs::read_to_string(&files[0]).unwrap();
    for text in [
        "held-out games, 95 % interval",
        "verdict, on fresh games",
        "training: best",
        "training: mean",
        "Generation",
        "Score",
        "Difference to the start (score)",
        "Run seed-7 · better than the start: +380.0 (+350.0 to +410.0) on 8000 games",
    ] {
        assert!(svg.contains(&format!(">\n{text}\n<")), "{text} in {svg}");
    }
    // Differences above, training below: best over mean. The symbols of the legend have two points.
    let curve =
        |colour, width| lines(&svg, colour, width).into_iter().filter(|line| line.len() == 3).collect::<Vec<_>>();
    let (best, mean) = (&curve(SKY, 2)[0], &curve(GREY, 2)[0]);
    assert!(best.iter().zip(mean).all(|(best, mean)| best.1 < mean.1), "the best is above the mean");
    // In the middle generation the best is far up, and the mean halfway.
    assert!((shape(mean)[1] - 0.5).abs() < 0.2 && shape(best)[1] > 5.0, "{mean:?} {best:?}");
    // The weight's line is the mean's, not the leader's.
    let svg = fs::read_to_string(&files[2]).unwrap();
    assert!(svg.contains("king&lt;1&gt;"));
    let path = lines(&svg, BLUE, 2).into_iter().find(|line| line.len() == 3).unwrap();
    assert!((shape(&path)[1] - 4.0).abs() < 0.1, "{path:?}");
}

#[test]
fn without_a_mean_the_leaders_are_smoothed() {
    let root = TempDir::new().unwrap();
    let table = generations(&[("w", [1.0, 5.0, 2.0], [0.1, 0.1, 0.1])]).replace("mean.w", "other");
    let files = plot_run(&run(&root, "old", &table, Some(VALIDATION)), &nobody()).unwrap();
    let svg = fs::read_to_string(&files[2]).unwrap();
    assert!(svg.contains(">\nleaders, smoothed\n<"), "{svg}");
}

#[test]
fn several_runs_are_compared_by_their_differences() {
    let root = TempDir::new().unwrap();
    // The same gain on deals of another level.
    let other = VALIDATION.replace(",9100", ",1100").replace(",9400", ",1400");
    let weights: Weights = &[("b", [1.0, 2.0, 3.0], [0.5; 3])];
    let runs = [
        run(&root, "high", &generations(weights), Some(VALIDATION)),
        run(&root, "low", &generations(weights), Some(&other)),
    ];
    let files = plot_runs(&runs, &root.path().join("both/plots"), &nobody()).unwrap();
    let svg = fs::read_to_string(&files[0]).unwrap();
    let of_run =
        |colour| lines(&svg, colour, 3).into_iter().filter(|line| line[1].0 - line[0].0 > 100.0).collect::<Vec<_>>();
    let (high, low) = (of_run(BLUE), of_run("#D55E00"));
    assert_eq!(high, low, "the level of the deals does not matter");
    assert!(high.last().unwrap()[1].1 < high.last().unwrap()[0].1, "both rise");
    assert!(svg.contains("\nhigh: +380.0 (+350.0 to +410.0)\n") && svg.contains("\nlow: +380.0"), "{svg}");
}

#[test]
fn runs_of_one_name_are_told_apart_by_their_paths() {
    let root = TempDir::new().unwrap();
    let runs = ["x/run", "y/run"].map(|name| run(&root, name, &generations(&[]), None));
    let files = plot_runs(&runs, &root.path().join("plots"), &nobody()).unwrap();
    let svg = fs::read_to_string(&files[0]).unwrap();
    assert!(svg.contains("x/run\n") && svg.contains("y/run\n"), "{svg}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let root = TempDir::new().unwrap();
    let named: Vec<String> = (0..40).map(|i| format!("weight_{i}")).collect();
    let weights: Vec<_> = named.iter().map(|name| (name.as_str(), [1.0, 2.0, 0.0], [0.5; 3])).collect();
    let table = generations(&weights);
    let runs = ["a", "b"].map(|name| run(&root, name, &table, Some(VALIDATION)));
    let first = plot_runs(&runs, &root.path().join("first"), &nobody()).unwrap();
    let second = plot_runs(&runs, &root.path().join("second"), &nobody()).unwrap();
    assert_eq!((first.len(), names(&first)), (4, names(&second)));
    for (first, second) in first.iter().zip(&second) {
        assert!(fs::read(first).unwrap() == fs::read(second).unwrap(), "{first:?}");
    }
}

#[test]
fn degenerate_runs_are_plotted() {
    let root = TempDir::new().unwrap();
    let header = "generation,games,best,mean,spread,weight.w,sd.w\n";
    let start = &VALIDATION[..VALIDATION.find("held-out,2").unwrap()];
    let extreme = "1,1,1e308,-1e308,1e308,-1e308,1e308\n\
                   2,18446744073709551615,1e-320,0,0,1e308,0\n";
    let cases = [
        ("one row", "1,0,5,5,0,0,0\n", None, 3),
        ("constant", "1,10,5,5,0,3,0\n2,20,5,5,0,3,0\n", Some(start), 3),
        ("extreme", extreme, None, 3),
        ("no generation", "", Some(start), 2),
    ];
    for (name, rows, validation, figures) in cases {
        let run = run(&root, name, &(header.to_string() + rows), validation);
        let files = plot_run(&run, &nobody()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(files.len(), figures, "{name}");
    }
}

#[test]
fn a_run_needs_something_to_plot() {
    let header = "generation,games,best,mean,spread\n";
    let no_validations = &VALIDATION[..=VALIDATION.find('\n').unwrap()];
    for validation in [None, Some(no_validations)] {
        let error = failure(header, validation);
        assert!(matches!(error, PlotError::EmptyRun { .. }), "{error}");
    }
    let error = plot_runs(&[], Path::new("nowhere"), &nobody()).unwrap_err();
    assert!(matches!(error, PlotError::NoRuns));
    let error = plot_run(TempDir::new().unwrap().path(), &nobody()).unwrap_err();
    assert!(matches!(error, PlotError::Read { .. }) && error.to_string().contains("generations.csv"), "{error}");
}

#[test]
fn what_is_wrong_is_located() {
    let table = generations(&[("w", [1.125, 2.0, 3.0], [0.25; 3])]);
    for column in ["generation", "games", "best", "mean", "spread", "sd.w"] {
        let error = failure(&table.replacen(column, "other", 1), None);
        let PlotError::MissingColumn { column: found, .. } = &error else {
            panic!("{error}");
        };
        // The names are told that runs write now; those of before are read as well.
        let now = [("games", "games_played"), ("spread", "sd")].into_iter().find(|(before, _)| *before == column);
        assert_eq!(found, now.map_or(column, |(_, now)| now));
    }
    let error = failure(&table, Some("stage,generation\n")).to_string();
    assert!(error.ends_with("validation.csv: no column \"games_played\""), "{error}");
    let (number, count) = ("expected a finite number, found", "expected a whole number, found");
    for (old, new, message) in [
        ("9210.5", "NaN", format!("line 3, column \"best\": {number} \"NaN\"")),
        ("9020,", "inf,", format!("line 4, column \"mean\": {number} \"inf\"")),
        ("1.125", "", format!("line 2, column \"mean.w\": {number} \"\"")),
        ("\n2,", "\n2.5,", format!("line 4, column \"generation\": {count} \"2.5\"")),
    ] {
        let error = failure(&table.replacen(old, new, 1), None).to_string();
        assert!(error.ends_with(&format!("generations.csv: {message}")), "{error}");
    }
    let error = failure(&table, Some(&VALIDATION.replace(",41,", ",?,"))).to_string();
    assert!(error.contains("validation.csv: line 3, column \"standard_error\""), "{error}");
    let error = failure("generation,games,best,mean,spread\n1,2,3\n", None);
    assert!(matches!(error, PlotError::Csv { .. }) && error.to_string().contains("line: 2"), "{error}");
}
