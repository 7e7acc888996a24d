//! Plots of runs, from the files to the figures.

use evolve_report::plot::{PlotError, plot_run, plot_runs};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const VALIDATION: &str = "\
stage,generation,games_played,policy,games,mean,standard_error,difference,low,high
held-out,0,0,p0,500,9100.5,40.25,,,
held-out,2,240,p2,500,9400,41,299.5,200,399
finalists,,360,p3,4000,9500,20,400,350,450
verdict,,360,p3,8000,9480,15,380,350,410
";

/// A `generations.csv` with a column that the plots do not know.
fn generations(count: usize, weights: &[&str]) -> String {
    let mut csv = "generation,games,best,mean,spread,diversity,seconds".to_string();
    for name in weights {
        csv += &format!(",weight.{name},sd.{name}");
    }
    for g in 1..=count {
        let score = 9000 + 10 * g;
        let best = score + 200;
        csv += &format!("\n{g},{},{best}.5,{score},75.25,0.5,soon", 120 * g);
        for i in 1..=weights.len() {
            csv += &format!(",{}.125,0.25", g * i % 17);
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

fn file_names(files: &[PathBuf]) -> Vec<String> {
    let names = files.iter().filter_map(|file| file.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// Width and height of an SVG file.
fn size(file: &Path) -> (u32, u32) {
    let svg = fs::read_to_string(file).unwrap();
    let number =
        |name: &str| svg.split_once(&format!(" {name}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap();
    (number("width"), number("height"))
}

/// That each text stands in the SVG file as a label of its own.
fn assert_shown(file: &Path, texts: &[&str]) {
    let svg = fs::read_to_string(file).unwrap();
    for text in texts {
        assert!(svg.contains(&format!(">\n{text}\n<")), "{text} in {svg}");
    }
}

/// The error for a run with these files.
fn failure(generations: &str, validation: Option<&str>) -> PlotError {
    let root = TempDir::new().unwrap();
    let run = run(&root, "run", generations, validation);
    let error = plot_run(&run).unwrap_err();
    assert!(!run.join("plots").exists());
    error
}

#[test]
fn one_run_gets_all_figures() {
    let root = TempDir::new().unwrap();
    let table = generations(3, &["hand", "king<1>"]);
    let run = run(&root, "seed-7", &table, Some(VALIDATION));
    let files = plot_run(&run).unwrap();
    assert_eq!(file_names(&files), ["fitness-by-generation.svg", "fitness-by-games.svg", "weights-1.svg"]);
    assert_eq!(files[0], run.join("plots/fitness-by-generation.svg"));
    let legend = [
        "best of the generation",
        "population mean",
        "± standard deviation",
        "held-out deals, 95% interval",
        "start level",
        "Run seed-7 · score, larger is better",
    ];
    assert_shown(&files[0], &legend);
    assert_shown(&files[0], &["Fitness by generation", "Generation"]);
    assert_shown(&files[1], &legend);
    assert_shown(&files[1], &["Fitness by games played", "Games played, validations included"]);
    assert_shown(&files[2], &["Weights", "leader of the generation", "hand", "king&lt;1&gt;"]);
    assert_eq!(size(&files[0]), (1600, 1000));
    assert_eq!(size(&files[2]), (1110, 440));
}

#[test]
fn several_runs_share_the_figures() {
    let root = TempDir::new().unwrap();
    let runs = [
        run(&root, "narrow", &generations(4, &["a", "b"]), Some(VALIDATION)),
        run(&root, "wide", &generations(3, &["b", "c"]), None),
    ];
    let files = plot_runs(&runs, &root.path().join("both/plots")).unwrap();
    assert_eq!(files.len(), 3);
    for file in &files {
        assert_shown(file, &["narrow", "wide"]);
    }
    let weights = fs::read_to_string(&files[2]).unwrap();
    for name in ["a", "b", "c"] {
        assert_eq!(weights.matches(&format!("\n{name}\n")).count(), 1, "{name}");
    }
}

/// Where the middle of a text stands from above.
fn height_of(svg: &str, text: &str) -> i64 {
    let (before, _) = svg.split_once(&format!(">\n{text}\n<")).unwrap_or_else(|| panic!("no {text}"));
    let (_, element) = before.rsplit_once("<text ").unwrap();
    element.split_once(" y=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap()
}

#[test]
fn a_long_legend_takes_nothing_from_the_charts() {
    let root = TempDir::new().unwrap();
    let runs: Vec<PathBuf> =
        (10..70).map(|i| run(&root, &format!("run-{i}"), &generations(2, &["w"]), Some(VALIDATION))).collect();
    let few = plot_runs(&runs[..2], &root.path().join("few")).unwrap();
    let many = plot_runs(&runs, &root.path().join("many")).unwrap();
    for i in 0..3 {
        let svg = fs::read_to_string(&many[i]).unwrap();
        let further = height_of(&svg, "run-69") - height_of(&svg, "run-10");
        assert!(further > 100, "{further}");
        let height = |files: &[PathBuf]| i64::from(size(&files[i]).1);
        assert_eq!(height(&many), height(&few) + further, "{:?}", many[i]);
    }
    let svg = fs::read_to_string(&many[2]).unwrap();
    assert!(height_of(&svg, "run-69") < height_of(&svg, "w"));
}

#[test]
fn runs_of_one_name_are_told_apart_by_their_paths() {
    let root = TempDir::new().unwrap();
    let runs = ["x/run", "y/run"].map(|name| run(&root, name, &generations(2, &[]), None));
    let files = plot_runs(&runs, &root.path().join("plots")).unwrap();
    let svg = fs::read_to_string(&files[0]).unwrap();
    assert!(svg.contains("x/run\n") && svg.contains("y/run\n"), "{svg}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let root = TempDir::new().unwrap();
    let weights: Vec<String> = (0..40).map(|i| format!("weight_{i}")).collect();
    let weights: Vec<&str> = weights.iter().map(String::as_str).collect();
    let table = generations(6, &weights);
    let runs = ["a", "b"].map(|name| run(&root, name, &table, Some(VALIDATION)));
    let first = plot_runs(&runs, &root.path().join("first")).unwrap();
    let second = plot_runs(&runs, &root.path().join("second")).unwrap();
    assert_eq!(file_names(&first), file_names(&second));
    assert_eq!(first.len(), 4);
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
        let files = plot_run(&run).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(files.len(), figures, "{name}");
    }
    let no_weights = run(&root, "no weights", &generations(3, &[]), Some(VALIDATION));
    assert_eq!(plot_run(&no_weights).unwrap().len(), 2);
}

#[test]
fn a_run_needs_something_to_plot() {
    let no_rows = generations(0, &["w"]);
    let no_validations = &VALIDATION[..=VALIDATION.find('\n').unwrap()];
    for validation in [None, Some(no_validations)] {
        let error = failure(&no_rows, validation);
        assert!(matches!(error, PlotError::EmptyRun { .. }), "{error}");
    }
    let error = plot_runs(&[], Path::new("nowhere")).unwrap_err();
    assert!(matches!(error, PlotError::NoRuns));
}

#[test]
fn a_missing_file_is_named() {
    let root = TempDir::new().unwrap();
    let error = plot_run(root.path()).unwrap_err();
    assert!(matches!(error, PlotError::Read { .. }));
    assert!(error.to_string().contains("generations.csv"), "{error}");
}

#[test]
fn a_missing_column_is_named() {
    let table = generations(2, &["w"]);
    for column in ["generation", "games", "best", "mean", "spread", "sd.w"] {
        let error = failure(&table.replacen(column, "other", 1), None);
        let PlotError::MissingColumn { column: found, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(found, column);
    }
    assert!(matches!(failure("", None), PlotError::MissingColumn { .. }));
    let error = failure(&table, Some("stage,generation\n")).to_string();
    assert!(error.ends_with("validation.csv: no column \"games_played\""), "{error}");
}

#[test]
fn a_bad_value_is_located() {
    let table = generations(3, &["w"]);
    let number = "expected a finite number, found";
    let count = "expected a whole number, found";
    let cases = [
        ("9220.5", "NaN", format!("line 3, column \"best\": {number} \"NaN\"")),
        ("9030,", "inf,", format!("line 4, column \"mean\": {number} \"inf\"")),
        ("1.125", "", format!("line 2, column \"weight.w\": {number} \"\"")),
        ("\n2,", "\n2.5,", format!("line 3, column \"generation\": {count} \"2.5\"")),
        (",240,", ",-240,", format!("line 3, column \"games\": {count} \"-240\"")),
    ];
    for (old, new, message) in cases {
        let error = failure(&table.replacen(old, new, 1), None).to_string();
        assert!(error.ends_with(&format!("generations.csv: {message}")), "{error}");
    }
    let error = failure(&table, Some(&VALIDATION.replace(",41,", ",?,"))).to_string();
    assert!(error.contains("validation.csv: line 3, column \"standard_error\""), "{error}");
}

#[test]
fn a_torn_row_is_located() {
    let error = failure("generation,games,best,mean,spread\n1,2,3\n", None);
    assert!(matches!(error, PlotError::Csv { .. }));
    assert!(error.to_string().contains("line: 2"), "{error}");
}
