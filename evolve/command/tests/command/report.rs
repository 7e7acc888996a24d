//! `evolve report`: the contents of the page. `browser.rs` tests its appearance.

use crate::shared::Bench;
use std::fs;
use std::path::Path;

fn results(run: &str) -> String {
    crate::committed::results().join(run).to_str().unwrap().to_string()
}

/// The page of some runs.
fn page(arguments: &[&str]) -> String {
    let bench = Bench::empty();
    bench.does(&[&["report", "--output", "page.html"], arguments].concat());
    bench.read("page.html")
}

/// The data of a page.
fn data(html: &str) -> serde_json::Value {
    let (_, from) = html.split_once("id=\"data\">").unwrap();
    serde_json::from_str(from.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_is_self_contained_and_reproducible() {
    let run = results("gomoku");
    let few = [&run[..], "--trials", "20"];
    let html = page(&few);
    let without_names = html.replace("http://www.w3.org/2000/svg", "");
    for request in ["http://", "https://", "@import", " src=", "fetch("] {
        assert!(!without_names.contains(request), "{request}");
    }
    assert!(html == page(&[&few[..], &["--parallel", "1"]].concat()));

    let data = data(&html);
    let run = &data["runs"][0];
    assert_eq!(run["words"]["found"], "better");
    assert_eq!(run["words"]["headline"], "Better: the mean score went from 0.895 to 1.000 (+11.7 %)");
    let three = run["weights"].as_array().unwrap().iter().find(|weight| weight["name"] == "three").unwrap();
    assert_eq!((&three["start"], &three["recommended"]), (&40.0.into(), &(-99.87).into()));
    let contests = &data["contests"];
    assert_eq!(contests["names"], serde_json::json!(["baseline", "tuned"]));
    assert_eq!(contests["scores"][1].as_array().unwrap().len(), 20);
    let shown = contests["shown"].as_array().unwrap();
    for shown in shown {
        let deal = shown["deal"].as_u64().unwrap() as usize;
        for (play, scores) in shown["plays"].as_array().unwrap().iter().zip(contests["scores"].as_array().unwrap()) {
            assert_eq!(play["score"], scores[deal], "what is shown is what was played");
        }
    }
}

/// The objective of these games is not their score.
#[test]
fn a_page_gives_the_figures_of_the_run() {
    for (name, headline) in [
        ("gomoku", "Better: the mean score went from 0.895 to 1.000 (+11.7 %)"),
        ("black-out", "Better: the mean score went from 0.333 to 1.000 (+200.0 %)"),
        ("king-rook", "Better: gain +1.152; the mean score is 1.0000"),
    ] {
        let run = results(name);
        let data = data(&page(&[&run, "--trials", "0"]));
        let words = &data["runs"][0]["words"];
        assert_eq!(words["headline"], headline, "{name}");
        let verdict = fs::read_to_string(Path::new(&run).join("recommendation.toml")).unwrap();
        let figures = |line: &str| {
            let found = verdict.lines().find_map(|text| text.strip_prefix("#   ")?.strip_prefix(line));
            found.unwrap_or_else(|| panic!("{name}: no `{line}` in {verdict}")).trim().to_string()
        };
        let first = |line: &str| figures(line).split(' ').next().unwrap().to_string();
        let detail = words["detail"].as_str().unwrap().replace('\u{2212}', "-");
        let scores = format!("scored {} on average, and the tuned values {}.", first("baseline"), first("finalist"));
        assert!(detail.contains(&scores), "{name}: {scores}: {detail}");
        let interval = figures("objective gain").replace("  ", " ").replace(", paired", "");
        assert!(detail.contains(&format!("The paired gain is {interval}.")), "{name}: {detail}");
    }
}

/// The gains of trials are those that the verdict counts.
#[test]
#[cfg(unix)]
fn a_page_shows_the_gains_of_the_verdict() {
    let page_of = |program: &str, solver: &str, rest: &str| {
        let bench = Bench::empty();
        bench.write("solver.sh", solver);
        let job = format!(
            "name = \"first\"\n[program]\n{program}\n[parameters]\nk = {{ int = [1, 20], start = 15 }}\n{rest}"
        );
        bench.write("job.toml", job);
        let said = bench.run(&["--parallel", "2"]);
        bench.does(&["report", "results/first", "--output", "page.html"]);
        (said, data(&bench.read("page.html")))
    };
    // Of two scenarios, the one of small scores gains more by ratio than the one of large scores
    // loses.
    let scenarios = "command = \"sh solver.sh {seed} {k} {size}\"\nseeds = \"0-59\"\nscale = \"relative\"";
    let solver = "case $3 in\n  small) s=$((100 + 5 * (15 - $2) + $1 % 3)) ;;\n  \
        *) s=$((100000 - 500 * (15 - $2) + $1 % 7)) ;;\nesac\necho Score = $s\n";
    let (said, data) =
        page_of(scenarios, solver, "[scenarios]\nsize = [\"small\", \"large\"]\n[search]\nbudget = 120\n");
    assert!(said.contains("better on the scale of the objective, but the mean score is worse."), "{said}");
    let run = &data["runs"][0];
    let headline = run["words"]["headline"].as_str().unwrap();
    assert!(
        headline.starts_with("Better: gain +1") && headline.contains(" %, but the mean score is worse: 46,"),
        "{headline}"
    );
    let trials = &run["trials"];
    assert!(trials["better"] == trials["cases"] && trials["worse"] == 0, "{trials}");
    let names: Vec<&str> =
        trials["scenarios"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["small", "large"]);
    // In the history, the trials of the test have the same gains.
    let history = &run["history"];
    let (pair, listed) = (&trials["pairs"][0], history["trial"].as_array().unwrap());
    let place = listed.iter().position(|trial| *trial == pair["trial"][1]).unwrap();
    assert_eq!(history["gain"][place], pair["gain"]);

    // An exact test plays its first case twice.
    let (_, data) = page_of(
        "command = \"sh solver.sh {k}\"",
        "echo Score = $((100 - ($1 - 7) * ($1 - 7)))\n",
        "[search]\nbudget = 40\n",
    );
    let trials = &data["runs"][0]["trials"];
    assert_eq!((&trials["cases"], &trials["better"]), (&1.into(), &1.into()));
    assert_eq!(trials["pairs"][0]["score"], serde_json::json!([36.0, 100.0]));
}

#[test]
fn names_cannot_end_a_script() {
    let bench = Bench::empty();
    let hostile = "</script><script>alert(1)";
    bench.write(hostile, fs::read(results("gomoku/recommendation.toml")).unwrap());
    let hostile = bench.path().join(hostile);
    let html = page(&[&results("gomoku"), "--trials", "5", "--against", hostile.to_str().unwrap()]);
    assert!(!html.contains("<script>alert"));
    assert_eq!(html.matches("</script>").count(), 2);
    let name = data(&html)["contests"]["names"][2].as_str().unwrap().to_string();
    assert!(name.ends_with("</script><script>alert(1)"), "{name}");
}

/// A run of many generations and weights, derived from a committed run.
fn long_run(generations: usize) -> Bench {
    let bench = Bench::empty();
    let config = fs::read_to_string(results("solitaire-chess/group-6/config.toml")).unwrap();
    let (before, rest) = config.split_once("include = [").unwrap();
    let (_, after) = rest.split_once(']').unwrap();
    let (_, values) = after.split_once("[weights.values]\n").unwrap();
    let names: Vec<&str> = values.lines().map_while(|line| line.split_once(" = ").map(|(name, _)| name)).collect();
    let list: String = names.iter().map(|name| format!("\"{name}\",")).collect();
    bench.write("config.toml", format!("{before}include = [{list}]{after}"));
    let columns = |kind: &str| names.iter().map(|name| format!(",{kind}.{name}")).collect::<String>();
    let mut table = format!(
        "generation,trials_played,best,mean,sd,diversity{}{}{}\n",
        columns("weight"),
        columns("sd"),
        columns("mean")
    );
    for generation in 0..generations {
        table += &format!(
            "{generation},{},{}.123456789,200.987654321,3.5,0.5",
            4000 * (generation + 1),
            210 + generation % 7
        );
        for kind in 0..3 {
            for weight in 0..names.len() {
                table +=
                    &format!(",{}.{:09}", (weight + kind) % 5, (generation * 7919 + weight * 104_729) % 1_000_000_000);
            }
        }
        table.push('\n');
    }
    bench.write("generations.csv", table);
    bench
}

#[test]
fn eight_hours_fit_a_small_page() {
    let run = long_run(5000);
    let html = page(&[run.path().to_str().unwrap()]);
    assert!(html.len() < 5_000_000, "{}", html.len());
    let data = data(&html);
    assert_eq!(data["runs"][0]["words"]["headline"], "No verdict yet");
    assert!(data["runs"][0]["weights"].as_array().unwrap().len() >= 132);
    // Only the baseline can play.
    assert_eq!(data["contests"]["names"], serde_json::json!(["baseline"]));
}

#[test]
fn several_runs_are_compared_on_the_same_games() {
    let (one, other) = (results("solitaire-chess/group-6-greedy"), results("solitaire-chess/group-6"));
    let data = data(&page(&[&one, &other, "--trials", "30"]));
    let comparison = &data["comparisons"][0];
    assert_eq!((&comparison["runs"], &comparison["trials"]), (&serde_json::json!([0, 1]), &30.into()));
    assert_eq!(data["contests"]["names"].as_array().unwrap().len(), 3);
    // Runs of different games can share a page, but play no common games.
    let data = self::data(&page(&[&one, &results("gomoku")]));
    assert_eq!(data["comparisons"][0]["difference"], serde_json::Value::Null);
}

#[test]
fn a_folder_without_a_run_is_an_error() {
    let bench = Bench::empty();
    let refused = |args: &[&str]| bench.texts(args, 2).1;
    let message = refused(&["report", "tmp"]);
    assert!(message.contains("config.toml") && message.contains("is this the folder of a run?"), "{message}");
    for command in ["status", "plot", "report", "explain", "compare", "prove"] {
        let message = refused(&[command, "nothing"]);
        let missing = "no run or weights file `nothing` (also looked for results/nothing); `evolve status` lists runs";
        assert!(message.contains(missing), "{command}: {message}");
    }
    assert!(refused(&["report", &results("gomoku"), &results("king-rook")]).contains("--output"));
}

#[test]
fn names_cannot_control_terminals_or_pictures() {
    let bench = Bench::empty();
    let hostile = "results/<\u{2215}script><script>alert(1)\u{1b}]0;owned\u{7}";
    for name in ["config.toml", "generations.csv", "validation.csv", "recommendation.toml"] {
        let text = fs::read_to_string(crate::committed::results().join("gomoku").join(name)).unwrap();
        // A table may name a weight like this, too.
        bench.write(Path::new(hostile).join(name), text.replace(".three,", ".<script>alert(2)\u{1b}[2J,"));
    }
    let evolve = |arguments: &[&str]| {
        let (output, errors) = bench.texts(arguments, 0);
        let text = output + &errors;
        assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
        text
    };
    assert!(evolve(&["status"]).contains("<script>alert(1)"));
    evolve(&["plot", hostile]);
    let plots = fs::read_dir(bench.path().join(hostile).join("plots")).unwrap();
    let plots: Vec<_> = plots.map(|entry| entry.unwrap().path()).collect();
    assert!(!plots.is_empty());
    for plot in plots {
        let svg = fs::read_to_string(plot).unwrap();
        assert!(!svg.contains("<script") && !svg.contains('\u{1b}'));
    }
    evolve(&["report", hostile, "--trials", "5"]);
    let html = bench.read(Path::new(hostile).join("report.html"));
    assert!(!html.contains("<script>alert") && !html.contains('\u{1b}'));
}
