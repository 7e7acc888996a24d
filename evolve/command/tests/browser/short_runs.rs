//! Pages of short runs of a program, which have a model: history, landscape, instances and trials.

use super::axe;
use super::driver::Browser;
use crate::shared::Bench;
use serde_json::json;
use std::fs;
use std::time::Instant;

/// The best values are k = 15 and fast; `rate` has no effect.
const SOLVER: &str = r#"#!/bin/sh
score=$((1000 + ($1 - 15) * ($1 - 15) + $4 % 17 * 10))
[ "$3" = fast ] && score=$((score - 40))
echo "Score = $score"
"#;

const PROGRAM: &str = r#"name = "short"

[program]
command = "sh solver.sh {k} {rate} {way} {seed}"
seeds = "0-99"
goal = "minimize"

[parameters]
k = { int = [1, 20], start = 4 }
rate = { float = [1e-3, 1e3], log = true, start = 1 }
way = { choice = ["slow", "fast", "odd"], start = "slow" }

[search]
budget = 120
"#;

#[test]
#[ignore = "needs chromium and chromedriver"]
fn history_landscape_and_trials() {
    let bench = Bench::new(PROGRAM);
    bench.write("solver.sh", SOLVER);
    bench.run(&["--quiet"]);
    let run = bench.path().join("results/short");
    let url = format!("file://{}", run.join("report.html").display());
    let browser = Browser::start();
    browser.size(1200, 900);
    browser.open(&url);

    // The run has written the page.
    assert!(browser.text("return document.title") == "short");
    // Every trial is in the history.
    browser.wait("the history", "return document.querySelectorAll('#history-0 .chart svg path').length > 2");
    let points = "return [...document.querySelectorAll('#history-0 .chart svg path')]
        .map((path) => (path.getAttribute('d').match(/h0|h8L/g) ?? []).length).reduce((a, b) => a + b)";
    let trials = bench.read("results/short/trials.csv").lines().count() - 1;
    assert_eq!(browser.ask(points), trials);
    // A point is read with its instance and values, and the curve at its place.
    browser.ask("document.querySelector('#history-0 .chart svg').focus()");
    browser.press("\u{e014}", 3);
    let read = browser.text("return document.querySelector('#history-0 .readout').textContent");
    assert!(read.starts_with("Trial 2, search, instance ") && read.contains(", k ") && read.contains("way "), "{read}");
    // It leads to its row, with the number of trials.csv and what the baseline scored there.
    browser.press("\u{e007}", 1);
    let row = browser.text("return document.querySelector('#table-0 .detail').textContent");
    let table = fs::read_to_string(run.join("trials.csv")).unwrap();
    let cells: Vec<&str> = table.lines().nth(3).unwrap().split(',').collect();
    assert!(row.starts_with("Trial 2, ") && row.contains("evolve repeat results/short 2"), "{row}");
    assert!(
        row.contains(&format!("seed {}", cells[5].trim_start_matches('s'))) && row.contains("baseline: k = 4"),
        "{row}"
    );
    assert_eq!(browser.ask("return location.hash"), "#trial-2");
    browser.ask("[...document.querySelectorAll('#table-0 .bar button')].find((of) => of.textContent === 'Close trial 2').click()");
    // Points beyond the axis are marked and counted; after a zoom, the line of zero is in the chart
    // or nowhere.
    let beyond = "return [...document.querySelectorAll('#history-0 .beyond')]
        .map((path) => (path.getAttribute('d').match(/h8L/g) ?? []).length).reduce((a, b) => a + b)";
    let said = browser.text("return document.querySelector('#history-0 .outside').textContent");
    assert_eq!(said.is_empty(), browser.ask(beyond) == 0, "{said}");
    browser.ask("document.querySelector('#history-0 .chart svg').focus()");
    browser.press("+", 3);
    let zero = "const zero = document.querySelector('#history-0 .chart svg .zero')?.y1.baseVal.value;
        return zero === undefined || (zero >= 10 && zero <= 276)";
    assert_eq!(browser.ask(zero), true);
    browser.press("0", 1);

    // The parameter with the largest effect comes first, on axes of its own.
    let captions =
        "return [...document.querySelectorAll('#landscape-0 figcaption strong')].map((of) => of.textContent)";
    let captions = browser.ask(captions);
    assert_eq!(captions[0], "k");
    assert_eq!(captions.as_array().unwrap().len(), 3);
    // A map of each pair, whose cells can be read by keys.
    assert_eq!(browser.ask("return document.querySelectorAll('#landscape-0 select option').length"), 3);
    browser.ask("document.querySelector('#landscape-0 .map svg').focus()");
    browser.press("\u{e014}", 1);
    let cell = browser.text("return document.querySelector('#landscape-0 .map .readout').textContent");
    assert!(cell.contains(" = ") && cell.contains(": +") && cell.contains(" to +"), "{cell}");
    // Cells with a wide interval are hatched, those near the trials are not.
    let hatched = browser.ask("return document.querySelectorAll('#landscape-0 .map .vague').length").as_u64().unwrap();
    let cells = browser.ask("return document.querySelectorAll('#landscape-0 .map rect').length").as_u64().unwrap();
    assert!(hatched < cells / 2, "{hatched} of {cells}");
    // The same trials over time.
    let time = "[...document.querySelectorAll('#history-0 button')].find((of) => of.textContent === 'Time')";
    browser.ask(&format!("{time}.click()"));
    assert_eq!(browser.ask(points), trials);
    let axis = browser
        .text("return [...document.querySelectorAll('#history-0 .chart text')].map((of) => of.textContent).join(' ')");
    assert!(axis.contains("Time spent on trials") && axis.contains(" s"), "{axis}");
    // Scores and run times, also on an axis of ratios.
    let press = |text: &str| {
        browser.ask(&format!(
            "[...document.querySelectorAll('#history-0 button')].find((of) => of.textContent === '{text}').click()"
        ));
    };
    let labels = "return [...document.querySelectorAll('#history-0 .chart')][0].textContent";
    let said = "return document.querySelector('#history-0 > p').textContent";
    assert!(browser.text(said).contains("Above zero is better"), "{}", browser.text(said));
    let texts = [
        ("Score", "Score", "Lower is better"),
        ("Logarithm", "Score", "Lower is better"),
        ("Seconds", "Seconds", "Each point is the run time of a trial"),
    ];
    for (height, shown, text) in texts {
        press(height);
        // The text is about what is shown, and the other buttons stay as they are.
        assert!(browser.text(said).contains(text) && !browser.text(said).contains("gain over"), "{height}");
        assert_eq!(browser.ask(&format!("return {time}.getAttribute('aria-pressed')")), "true", "{height}");
        browser.wait(height, &format!("{} === {trials}", points.replace("a + b)", "a + b, 0)")));
        assert!(browser.text(labels).contains(shown), "{height}");
    }
    press("Gain");
    // The distribution opens; all trials lie at or below the largest gain, which several have.
    browser.ask("document.querySelector('#history-0 summary').click()");
    browser.wait("the distribution", "return document.querySelector('#history-0 details .chart svg') !== null");
    browser.ask("document.querySelector('#history-0 details .chart svg').focus()");
    browser.press("\u{e012}", 1);
    let reading = browser.text("return document.querySelector('#history-0 details .readout').textContent");
    assert!(reading.starts_with("Gain ") && reading.contains("trials: search 100.0 %"), "{reading}");
    // A drawing is saved as a file of its own, with its colours.
    browser.download_to(bench.path());
    browser.ask("document.querySelector('button[aria-label^=\"Save SVG: History\"]').click()");
    browser.wait_for("the file", || bench.so_far("History-of-short.svg").ends_with("</svg>"));
    let saved = bench.read("History-of-short.svg");
    assert!(saved.starts_with("<svg xmlns=") && saved.contains("stroke=\"rgb("), "{saved}");
    assert!(!saved.contains("var(--line"), "{saved}");
    let shares = browser.text("return document.querySelector('#landscape-0 .shares tbody').textContent");
    assert!(shares.starts_with('k') && ["rate", "way"].iter().all(|name| shares.contains(name)), "{shares}");
    // The contents lead to every part.
    let led = "return [...document.querySelectorAll('.contents a')].every((of) => document.querySelector(of.hash))
        && document.querySelectorAll('.contents a').length === document.querySelectorAll('main > section').length";
    assert_eq!(browser.ask(led), true);
    // What a gain and its interval are, and the trials of the budget.
    let verdict = browser.text("return document.querySelector('#verdict-0').textContent");
    for part in ["A gain is the difference", "The interval is Student's t", &format!("{trials} of 120 trials")] {
        assert!(verdict.contains(part), "{part}: {verdict}");
    }
    // A slice is read by keys.
    browser.ask("document.querySelector('#landscape-0 .slices svg').focus()");
    browser.press("\u{e012}", 1);
    let slice = browser.text("return document.querySelector('#landscape-0 .slices .readout').textContent");
    assert!(slice.starts_with("k = ") && slice.contains(" to "), "{slice}");
    // Its name draws it large, and small again.
    let width = "return document.querySelector('#landscape-0 .slices svg').getBoundingClientRect().width > 900";
    for large in [true, false] {
        assert_eq!(browser.ask(width), !large);
        browser.ask("document.querySelector('#landscape-0 .slices button').click()");
        assert_eq!(browser.ask(width), large);
    }
    // Each whole number has a cell of the same width.
    let widths = "return new Set([...document.querySelectorAll('#landscape-0 .map svg')][0].querySelectorAll('rect[fill-opacity]')
        .values().map((of) => Math.round(10 * of.width.baseVal.value))).size";
    browser.ask("const select = document.querySelector('#landscape-0 select'); select.value = [...select.options].find((of) => of.textContent.startsWith('k × way')).value; select.dispatchEvent(new Event('change'))");
    assert_eq!(browser.ask(widths), 1);
    let ticks = |name: &str| {
        let of =
            "[...document.querySelectorAll('#landscape-0 figure')].find((of) => of.querySelector('strong').textContent";
        browser.text(&format!(
            "return [...{of} === '{name}').querySelectorAll('text')].map((of) => of.textContent).join(' ')"
        ))
    };
    assert!(ticks("way").contains("slow fast odd way"), "{}", ticks("way"));
    assert!(ticks("rate").contains("0.1 10 1000"), "{}", ticks("rate"));

    // Instances are sorted by their heads, and trials filtered by conditions.
    let first = "return document.querySelector('#trials-0 .scroll tbody tr td').textContent";
    browser
        .ask("[...document.querySelectorAll('#trials-0 th button')].find((of) => of.textContent === 'Tuned').click()");
    assert_ne!(browser.text(first), "");
    let sorted = "const all = [...document.querySelectorAll('#trials-0 .scroll tbody tr td:nth-child(3)')]
        .map((of) => Number(of.textContent.replaceAll(',', '')));
        return all.length > 5 && all.every((score, i) => i === 0 || all[i - 1] <= score)";
    assert_eq!(browser.ask(sorted), true);
    browser.ask("const search = document.querySelector('#table-0 input[type=search]'); search.value = 'way=fast k>=10'; search.dispatchEvent(new Event('input'))");
    let shown = "return [...document.querySelectorAll('#table-0 tbody tr')].map((row) => row.textContent)";
    let shown = browser.ask(shown);
    let shown = shown.as_array().unwrap();
    assert!(!shown.is_empty() && shown.iter().all(|row| row.as_str().unwrap().ends_with("fast")), "{shown:?}");
    // Conditions are written as the page shows numbers; a wrong one is said.
    let filtered = |words: &str| {
        browser.ask(&format!(
            "const search = document.querySelector('#table-0 input[type=search]'); search.value = '{words}';
            search.dispatchEvent(new Event('input'));
            return [document.querySelector('#table-0 .bar span').textContent, document.querySelector('#table-0 .edge').textContent]"
        ))
    };
    assert_eq!(filtered("score<1,050"), filtered("score < 1050"));
    assert_ne!(filtered("score<1,050")[0], filtered("score<5")[0]);
    assert_eq!(filtered("k>10, way=slow"), filtered("way=slow k>10"));
    let [unknown, misnamed, empty] = ["foo=3", "way=quick", "k>"].map(|words| filtered(words)[1].to_string());
    assert!(unknown.contains("No column") && unknown.contains("score, gain") && unknown.contains("rate"));
    // A word that names nothing is said, and what to write; the words of the legend name trials.
    let [word, column, shown] = ["foo", "k in 5", "baseline"].map(&filtered);
    assert!(word[1].as_str().unwrap().starts_with("\"foo\" is not understood: write baseline, search"), "{word}");
    assert!(column[1].as_str().unwrap().starts_with("\"k\" is a column: write a condition, such as k="), "{column}");
    assert!(shown[1] == "" && shown[0].as_str().unwrap().contains(" of "), "{shown}");
    assert!(misnamed.contains("slow, fast, odd") && empty.contains("not a number"), "{misnamed} {empty}");
    filtered("way=fast k>=10");
    browser.ask("document.querySelector('#table-0 tbody button.open').click()");
    assert!(browser.text("return document.querySelector('#table-0 .detail').textContent").contains("rate = "));
    // Its command works in the folder that the page names.
    let [home, again] = ["#verdict-0 .home", "#table-0 .detail p code"]
        .map(|of| browser.text(&format!("return document.querySelector('{of}').textContent")));
    let played = bench.shell(&home, &again);
    assert!(played.status.success(), "{home}: {again}: {}", String::from_utf8_lossy(&played.stderr));
    // Where it wins, by a number of the instances.
    assert!(browser.text("return document.querySelector('#trials-0').textContent").contains("Score of the baseline"));
    axe::finds_nothing(&browser, &url, "return document.querySelectorAll('#table-0 tbody tr').length > 0");
    browser.size(1200, 900);
    browser.scheme("light");
    browser.open(&url);
    // What scrolls can be reached by keys.
    let reached = "return [...document.querySelectorAll('.scroll')].every((of) => of.tabIndex === 0 && of.getAttribute('aria-label'))";
    assert_eq!(browser.ask(reached), true);
    browser.size(390, 800);
    browser.open(&url);
    let wide = browser.ask("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 390, "{wide} pixels on a screen of 390");
    // All of an open trial is in sight, though its table is wider.
    browser.ask("document.querySelector('#table-0 tbody button.open').click()");
    let right = "return document.querySelector('#table-0 .detail div').getBoundingClientRect().right <= 380
        && document.querySelector('#table-0 table').getBoundingClientRect().right > 390";
    assert_eq!(browser.ask(right), true);
    assert_eq!(browser.complaints(), json!([]));

    // Two runs: comparison first, on an axis on which all of them have a place, with the gains of
    // their own pages.
    let course = "return JSON.stringify(data.runs.find(({ name }) => name === 'short').history.course)";
    let own = browser.text(course);
    bench.run(&["--quiet", "--no-report", "--name", "other", "--seed", "2"]);
    bench.does(&["report", "results/short", "results/other", "--output", "two.html"]);
    browser.size(1200, 900);
    let two = format!("file://{}", bench.path().join("two.html").display());
    browser.open(&two);
    browser.wait("the curves", "return document.querySelectorAll('#curve .chart svg path').length > 2");
    assert_eq!(browser.text("return document.querySelector('main > section').id"), "comparison");
    let curves = "return [...document.querySelectorAll('#curve .chart svg path[fill=none]')].length";
    assert_eq!(browser.ask(curves), 2);
    assert_eq!(browser.text(course), own);
    let shares = browser.text("return document.querySelector('#importances tbody tr').textContent");
    assert!(shares.starts_with('k') && shares.matches('%').count() == 2, "{shares}");
    // The bars of a column begin at the same place; the tests share instances; the contents show
    // that they go on.
    let zeros = "return new Set([...document.querySelectorAll('#importances tr td:nth-child(2) svg')]
        .map((of) => Math.round(of.getBoundingClientRect().left))).size";
    assert_eq!(browser.ask(zeros), 1);
    let tests = browser.text("return document.querySelector('#comparison tbody').textContent");
    assert!(tests.contains(" of the same instances") && tests.contains("evolve compare"), "{tests}");
    let edge = "return getComputedStyle(document.querySelector('.contents')).backgroundImage";
    assert!(browser.text(edge).contains("linear-gradient"));
    browser.ask("document.querySelector('#curve summary').click()");
    let spread = "return document.querySelectorAll('#curve details .chart svg path[fill=none]').length === 2";
    browser.wait("both distributions", spread);
    // What each run has alone is closed, and opens by its link.
    browser.wait("a closed part", "return document.querySelector('#history-1 > details').open === false");
    browser.ask("document.querySelector('.contents a[href=\"#history-1\"]').click()");
    browser.wait("the history", "return document.querySelectorAll('#history-1 .chart svg path').length > 2");
    axe::finds_nothing(&browser, &two, "return document.querySelectorAll('#importances td').length > 2");
    browser.size(1200, 900);
    browser.scheme("light");

    // Before the end, the incumbent is on top: by its file or, before the first validation, by the
    // model.
    for name in ["incumbent.toml", "aside.toml"] {
        let place = run.join(name);
        fs::rename(run.join("recommendation.toml"), &place).unwrap();
        bench.does(&["report", "results/short"]);
        browser.open(&url);
        let now = browser.text("return document.querySelector('#now-0').textContent");
        assert!(now.contains("Incumbent") && now.contains('k') && now.contains("fast"), "{name}: {now}");
        fs::rename(place, run.join("recommendation.toml")).unwrap();
    }

    // A long table.
    bench.lengthen("short");
    bench.does(&["report", "results/short"]);
    assert!(fs::metadata(run.join("report.html")).unwrap().len() < 2_000_000);
    // How long it takes is printed, not asserted: `cargo test --test browser short_runs --
    // --ignored --nocapture`.
    let begin = Instant::now();
    browser.open(&url);
    browser.wait("trials", "return document.querySelectorAll('#table-0 tbody tr').length === 100");
    println!("the page of 100,000 trials is there after {:.1} s", begin.elapsed().as_secs_f64());
    assert!(browser.text("return document.querySelector('#table-0').textContent").contains("of 100,000 trials"));
    assert_eq!(browser.complaints(), json!([]));
}
