//! Tests of plots, from the files of runs to the figures.

use evolve_core::job::Catalogue;
use evolve_report::ReportError;
use evolve_report::plot::{plot_run, plot_runs};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const VALIDATION: &str = "\
stage,generation,trials_played,candidate,trials,score,standard_error,objective,difference,low,high
validation,0,0,baseline,500,9100.5,40.25,9100.5,0,0,0
validation,2,240,mean,500,9400,41,9400,299.5,200,399
selection,2,360,mean,4000,9500,20,9500,400,350,450
test,0,360,baseline,8000,9100,15,9100,0,0,0
test,2,360,mean,8000,9480,15,9480,380,350,410
";

/// The name, path of means and path of deviations of each weight.
type Weights<'a> = &'a [(&'a str, [f64; 3], [f64; 3])];

/// Returns a `generations.csv` of three generations, with an unknown column and with leaders far
/// from the mean.
fn generations(weights: Weights<'_>) -> String {
    let mut csv = "generation,trials_played,best,mean,sd,diversity,seconds".to_string();
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

fn no_problems() -> Catalogue {
    Catalogue::new(&[])
}

/// Returns the plots of a run with these files, with their names.
fn plots(generations: &str, validation: Option<&str>) -> Result<Vec<(String, String)>, ReportError> {
    let root = TempDir::new().unwrap();
    let run = run(&root, "seed-7", generations, validation);
    let files = plot_run(&run, &no_problems());
    assert_eq!(files.is_ok(), run.join("plots").exists());
    let named =
        |file: PathBuf| (file.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&file).unwrap());
    Ok(files?.into_iter().map(named).collect())
}

fn failure(generations: &str, validation: Option<&str>) -> String {
    plots(generations, validation).unwrap_err().to_string()
}

/// Returns the lines of a figure with this colour and width, as points in pixels.
fn lines(svg: &str, colour: &str, width: u32) -> Vec<Vec<(f64, f64)>> {
    let style = format!(" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>");
    let points = svg.lines().filter_map(|line| line.strip_prefix("<polyline points=\"")?.strip_suffix(&*style));
    let point = |point: &str| {
        let (x, y) = point.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    points.map(|points| points.trim_end_matches('"').split(' ').map(point).collect()).collect()
}

/// Returns heights above the first point, relative to the last one.
fn shape(line: &[(f64, f64)]) -> Vec<f64> {
    let (first, last) = (line[0].1, line[line.len() - 1].1);
    line.iter().map(|&(_, y)| (first - y) / (first - last)).collect()
}

const BLUE: &str = "#0072b2";
const SKY: &str = "#3d93c7";
const GREY: &str = "#5a626b";

#[test]
fn series_have_their_shapes() {
    let weights: Weights = &[("king<1>", [1.0, 5.0, 2.0], [0.1, 0.1, 0.1])];
    let table = generations(weights).replace("9210.5", "9390.5");
    let pictures = plots(&table, Some(VALIDATION)).unwrap();
    let [(scores, svg), (weights, of_weights)] = &pictures[..] else { panic!("{} pictures", pictures.len()) };
    assert_eq!([scores, weights], ["scores.svg", "weights.svg"]);
    for text in [
        "validation, 95 % interval",
        "held-out test",
        "search: best",
        "search: mean",
        "Trials, validation included",
        "Objective",
        "Difference from the baseline (objective)",
        "Run seed-7 · +380 (+350 to +410) in 8000 trials",
    ] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text} in {svg}");
    }
    // Differences are above, the search below, with the best above the mean. Symbols of the legend
    // have only two points.
    let curve =
        |colour, width| lines(svg, colour, width).into_iter().filter(|line| line.len() == 3).collect::<Vec<_>>();
    let (best, mean) = (&curve(SKY, 2)[0], &curve(GREY, 2)[0]);
    assert!(best.iter().zip(mean).all(|(best, mean)| best.1 < mean.1), "the best is above the mean");
    // In the middle generation, the best is far up and the mean halfway.
    assert!((shape(mean)[1] - 0.5).abs() < 0.1 && shape(best)[1] > 5.0, "{mean:?} {best:?}");
    // The line of the weight follows the mean, not the leader.
    assert!(of_weights.contains("king&lt;1&gt;"));
    let path = lines(of_weights, BLUE, 2).into_iter().find(|line| line.len() == 3).unwrap();
    assert!((shape(&path)[1] - 4.0).abs() < 0.1, "{path:?}");
}

/// A finalist that does not hold the constraints is not an improvement, at any score.
#[test]
fn the_subtitle_is_the_verdict_of_the_run() {
    for (improvement, said) in [(true, "better than the baseline"), (false, "nothing found")] {
        let root = TempDir::new().unwrap();
        let run = run(&root, "seed-7", &generations(&[]), Some(VALIDATION));
        let verdict = format!(
            "[verdict]\nimprovement = {improvement}\nfinalist = \"mean\"\ngeneration = 2\ntrials = 8000\nstart = 9100.0\n\
             mean = 9480.0\ndifference = 380.0\nlow = 350.0\nhigh = inf\n"
        );
        fs::write(run.join("recommendation.toml"), verdict).unwrap();
        let files = plot_run(&run, &no_problems()).unwrap();
        let svg = fs::read_to_string(&files[0]).unwrap();
        assert!(svg.contains(&format!(">Run seed-7 · {said}: +380 (+350 to +410) in 8000 trials</text>")), "{svg}");
    }
}

#[test]
fn several_runs_are_compared_by_their_differences() {
    let root = TempDir::new().unwrap();
    // Both runs have the same gain, at different levels of scores.
    let other = VALIDATION.replace(",9100", ",1100").replace(",9400", ",1400");
    let weights: Weights = &[("b", [1.0, 2.0, 3.0], [0.5; 3])];
    let runs = [
        run(&root, "high", &generations(weights), Some(VALIDATION)),
        run(&root, "low", &generations(weights), Some(&other)),
    ];
    let files = plot_runs(&runs, &root.path().join("both/plots"), &no_problems()).unwrap();
    let svg = fs::read_to_string(&files[0]).unwrap();
    let of_run =
        |colour| lines(&svg, colour, 3).into_iter().filter(|line| line[1].0 - line[0].0 > 100.0).collect::<Vec<_>>();
    let (high, low) = (of_run(BLUE), of_run("#d55e00"));
    assert_eq!(high, low, "differences do not depend on the level of scores");
    assert!(high[0][1].1 < high[0][0].1, "both rise");
    assert!(svg.contains(">high: +380 (+350 to +410)<") && svg.contains(">low: +380"), "{svg}");
    // The same input gives the same bytes. Runs with equal names are distinguished by their paths.
    let again = plot_runs(&runs, &root.path().join("again"), &no_problems()).unwrap();
    assert_eq!(
        files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>(),
        again.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>()
    );
    let runs = ["x/run", "y/run"].map(|name| run(&root, name, &generations(&[]), None));
    let files = plot_runs(&runs, &root.path().join("plots"), &no_problems()).unwrap();
    let svg = fs::read_to_string(&files[0]).unwrap();
    assert!(svg.contains("x/run<") && svg.contains("y/run<"), "{svg}");
}

#[test]
fn degenerate_runs_are_plotted() {
    let header = "generation,trials_played,best,mean,weight.w,mean.w,sd.w\n";
    let start = &VALIDATION[..VALIDATION.find("validation,2").unwrap()];
    let extreme = "1,1,1e308,-1e308,0,-1e308,1e308\n2,18446744073709551615,1e-320,0,0,1e308,0\n";
    let cases = [
        ("one row", "1,0,5,5,0,0,0\n", None, 2),
        ("constant", "1,10,5,5,0,3,0\n2,20,5,5,0,3,0\n", Some(start), 2),
        ("extreme", extreme, None, 2),
        ("no generation", "", Some(start), 1),
    ];
    for (name, rows, validation, figures) in cases {
        let pictures =
            plots(&(header.to_string() + rows), validation).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(pictures.len(), figures, "{name}");
        assert!(pictures.iter().all(|(_, svg)| !svg.contains("NaN") && !svg.contains("inf")), "{name}: {pictures:?}");
    }
}

#[test]
fn errors_have_lines() {
    let header = "generation,trials_played,best,mean,sd\n";
    let no_checks = &VALIDATION[..=VALIDATION.find('\n').unwrap()];
    for validation in [None, Some(no_checks)] {
        assert!(failure(header, validation).contains("nothing to plot yet"));
    }
    let error = plot_run(Path::new("nowhere"), &no_problems()).unwrap_err();
    assert!(matches!(error, ReportError::Read(..)) && error.to_string().contains("generations.csv"), "{error}");

    let table = generations(&[("w", [1.125, 2.0, 3.0], [0.25; 3])]);
    for column in ["generation", "trials_played", "best", "mean", "sd.w"] {
        let error = failure(&table.replacen(column, "other", 1), None);
        assert!(error.contains("generations.csv: ") && error.contains(column), "{error}");
    }
    for (old, new, message) in [
        ("9210.5", "NaN", "line 3: invalid value: floating point `NaN`, expected a finite number"),
        ("9020,", "inf,", "line 4: invalid value: floating point `inf`, expected a finite number"),
        ("1.125", "", "line 2, column \"mean.w\": expected a finite number, found \"\""),
        ("\n2,", "\n2.5,", "line 4, column \"generation\": invalid digit found in string"),
    ] {
        let error = failure(&table.replacen(old, new, 1), None);
        assert!(error.ends_with(&format!("generations.csv: {message}")), "{error}");
    }
    let error = failure(&table, Some(&VALIDATION.replace(",41,", ",?,")));
    assert!(error.contains("validation.csv: line 3, column \"standard_error\""), "{error}");
    let error = failure(&format!("{header}1,2,3\n"), None);
    assert!(error.contains("generations.csv: ") && error.contains("line: 2"), "{error}");
}
