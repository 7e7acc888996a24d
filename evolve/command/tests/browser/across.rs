//! Trials across parameters, metrics and features: parallel coordinates, scatter, functions of
//! features, importance with intervals, and the paths after a model.

use super::axe;
use super::driver::Browser;
use crate::shared::Bench;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::time::Instant;

/// The best `k` is a fifth of the instance's number, and `w` the best in each kind; `rate` has no
/// effect.
const SOLVER: &str = r#"#!/bin/sh
n=$((10 + $5 * 37 % 91))
case $(($5 % 3)) in 0) b=5;; 1) b=10;; *) b=15;; esac
d=$(($1 * 5 - n)) e=$(($2 - b)) bonus=0
[ "$4" = fast ] && bonus=300
echo "moves: $(($1 * 10 + $5 % 7))"
echo "Score = $((20000 - d * d - 40 * e * e + bonus))"
"#;

fn job() -> String {
    let mut features = [String::new(), String::new()];
    for seed in 0..60 {
        write!(features[0], "{}, ", 10 + seed * 37 % 91).unwrap();
        write!(features[1], "\"{}\", ", ["a", "b", "c"][seed % 3]).unwrap();
    }
    let [n, kind] = features;
    format!(
        r#"name = "across"
[program]
command = "sh solver.sh {{k}} {{w}} {{rate}} {{way}} {{seed}}"
seeds = "0-59"
metrics = {{ moves = 'moves: (\d+)' }}
features = {{ n = [{n}], kind = [{kind}] }}
[parameters]
k = {{ int = [1, 20], start = 3, by = ["n"] }}
w = {{ int = [1, 20], start = 3, by = ["kind"] }}
rate = {{ float = [1e-3, 1e3], log = true, start = 1 }}
way = {{ choice = ["slow", "fast", "odd"], start = "slow" }}
[search]
budget = 160
"#
    )
}

/// The trials in the filter, by the table and by the chart.
fn counts(browser: &Browser) -> [String; 2] {
    ["#table-0 .bar .soft", "#parallel-0 .bar .soft"]
        .map(|of| browser.text(&format!("return document.querySelector('{of}').textContent")))
}

fn words(browser: &Browser) -> String {
    browser.text("return document.querySelector('#table-0 input[type=search]').value")
}

/// The cells of a column of the table.
fn column(browser: &Browser, name: &str) -> Vec<String> {
    let cells = browser.ask(&format!(
        "const heads = [...document.querySelectorAll('#table-0 th')].map((of) => of.textContent);
        return [...document.querySelectorAll('#table-0 tbody tr')].map((row) => row.children[heads.indexOf('{name}')].textContent)"
    ));
    cells.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_string()).collect()
}

fn choose(browser: &Browser, select: usize, text: &str) {
    browser.ask(&format!(
        "const select = document.querySelectorAll('#scatter-0 select')[{select}];
        select.value = [...select.options].find((of) => of.textContent === '{text}').value;
        select.dispatchEvent(new Event('change'))"
    ));
}

fn brushes(browser: &Browser) {
    let axes = "return [...document.querySelectorAll('#parallel-0 .head')].map((of) => of.firstChild.textContent)";
    let axes = browser.ask(axes);
    let colours = "return document.querySelector('#parallel-0 .legend').textContent";
    let scale = browser.text(colours);
    let shown: Vec<&str> = axes.as_array().unwrap().iter().map(|of| of.as_str().unwrap()).collect();
    assert_eq!(shown, ["k", "w", "rate", "way", "Gain"]);
    // By keys: the words of the filter, the table and the chart have the same trials.
    browser.ask("document.querySelector('#parallel-0 [aria-label=\"k: lower end\"]').focus()");
    browser.press("\u{e013}", 9);
    assert_eq!(words(browser), "k>=10");
    let found = column(browser, "k");
    assert!(!found.is_empty() && found.iter().all(|k| k.parse::<u32>().unwrap() >= 10), "{found:?}");
    assert!(counts(browser).iter().all(|count| count.contains(" of ")), "{:?}", counts(browser));
    let end = "return document.activeElement.getAttribute('aria-valuetext')";
    assert_eq!(browser.text(end), "10");
    // By drag, over the places of two names.
    let place = "const box = document.querySelectorAll('#parallel-0 .hit')[3].getBoundingClientRect();
        document.querySelector('#parallel-0').scrollIntoView();
        const at = document.querySelectorAll('#parallel-0 .hit')[3].getBoundingClientRect();
        return [at.left + at.width / 2, at.top, at.height]";
    browser.ask("document.documentElement.style.scrollBehavior = 'auto'");
    let place: Vec<f64> = browser.ask(place).as_array().unwrap().iter().map(|of| of.as_f64().unwrap()).collect();
    let at = |share: f64| (place[0], place[1] + share * place[2]);
    browser.drag(at(0.65), at(0.35));
    assert_eq!(words(browser), "k>=10 way=fast");
    assert!(column(browser, "way").iter().all(|way| way == "fast"));
    // The colours are those of all trials, whatever is chosen.
    assert_eq!(browser.text(colours), scale);
    browser.drag(at(0.9), at(0.35));
    assert_eq!(words(browser), "k>=10 way=slow|fast");
    // A click frees an axis, and a button all of them.
    browser.drag(at(0.5), at(0.5));
    assert_eq!(words(browser), "k>=10");
    browser.ask("document.querySelector('#parallel-0 .bar button').click()");
    assert_eq!(words(browser), "");
    // A typed condition is shown on its axis.
    browser.ask("const search = document.querySelector('#table-0 input[type=search]'); search.value = 'rate<=10 gain>5%'; search.dispatchEvent(new Event('input'))");
    let value =
        "return document.querySelector('#parallel-0 [aria-label=\"rate: upper end\"]').getAttribute('aria-valuetext')";
    assert_eq!(browser.text(value), "10");
    // These gains are differences of scores, so the number means itself.
    browser.ask("const search = document.querySelector('#table-0 input[type=search]'); search.value = 'gain>0.3'; search.dispatchEvent(new Event('input'))");
    let bar = browser.text("return document.querySelector('#table-0 .bar').textContent");
    assert!(bar.contains(" of ") && !bar.contains("is read as"), "{bar}");
    // Conditions that no trial passes, and unfinished ones, are no fault of the chart.
    browser.ask("const search = document.querySelector('#table-0 input[type=search]'); for (search.value of ['k>15 k<5', 'k>', 'way=', 'rate>1e9']) search.dispatchEvent(new Event('input'))");
    browser.ask("document.querySelector('#table-0 .bar button').click()");
    assert!(counts(browser).iter().all(|count| !count.contains(" of ") || count.contains("trials")));
}

fn scatters(browser: &Browser, least: u64) {
    let options = "return [...document.querySelectorAll('#scatter-0 select')[0].options].map((of) => of.textContent)";
    let options = browser.ask(options);
    for name in ["Trial", "Score", "Gain", "Rank", "Seconds", "k", "rate", "way", "moves", "n", "kind"] {
        assert!(options.as_array().unwrap().contains(&Value::from(name)), "{name}: {options}");
    }
    choose(browser, 0, "k");
    choose(browser, 1, "moves");
    choose(browser, 2, "Rank");
    browser.wait("the scatter", "return document.querySelectorAll('#scatter-0 .chart svg path').length > 4");
    let legend = "return document.querySelector('#scatter-0 .legend').textContent";
    assert!(browser.text(legend).starts_with("Rank 1 to "), "{}", browser.text(legend));
    browser.ask("document.querySelector('#scatter-0 .chart svg').focus()");
    browser.press("\u{e014}", 1);
    let read = "return document.querySelector('#scatter-0 .readout').textContent";
    let read = browser.text(read);
    // The leftmost point, which has the least value.
    assert!(read.starts_with("Trial ") && read.contains(&format!("k {least}, moves {least}")), "{read}");
    assert!(read.contains("Rank "), "{read}");
    // It stands beside its point, which has a ring.
    let apart = "const [tip, ring] = ['.tip', '.ring'].map((of) => document.querySelector(`#scatter-0 ${of}`).getBoundingClientRect());
        return [tip.left - ring.right, tip.top - ring.bottom]";
    let apart = numbers(browser, apart);
    assert!(apart.iter().all(|of| of.abs() < 20.0), "{apart:?}");
    // Each trial is a point, also of names and on an axis by ratios.
    let trials = browser.ask("return document.querySelector('#table-0 .bar .soft').textContent");
    choose(browser, 0, "rate");
    choose(browser, 1, "way");
    let points = "return `${[...document.querySelectorAll('#scatter-0 .chart svg path')]
        .map((path) => (path.getAttribute('d').match(/h0|h8L/g) ?? []).length).reduce((a, b) => a + b, 0)} trials`";
    browser.wait("the points", "return document.querySelector('#scatter-0 .chart svg')?.textContent.includes('odd')");
    assert_eq!(browser.ask(points), trials);
    let labels = browser.text("return document.querySelector('#scatter-0 .chart svg').textContent");
    assert!(labels.contains("0.1") && labels.contains("1000"), "{labels}");
    browser.ask("document.querySelector('#scatter-0 .chart svg').focus()");
    browser.press("+", 2);
    browser.press("\u{e014}", 1);
    browser.press("\u{e007}", 1);
    let row = browser.text("return document.querySelector('#table-0 .detail').textContent");
    assert!(row.contains("moves = ") && row.contains("kind = "), "{row}");
    zooms(browser);
}

/// Drags over a part of the scatter, which is then the whole chart, until a double click.
fn zooms(browser: &Browser) {
    choose(browser, 0, "k");
    choose(browser, 1, "Gain");
    browser.wait("the scatter", "return document.querySelector('#scatter-0 .chart svg')?.textContent.includes('Gain')");
    let labels = "return document.querySelector('#scatter-0 .chart svg').textContent";
    let whole = browser.text(labels);
    let place = numbers(
        browser,
        "document.querySelector('#scatter-0').scrollIntoView();
        const at = document.querySelector('#scatter-0 .chart svg').getBoundingClientRect();
        return [at.left, at.top, at.width, at.height]",
    );
    let at = |x: f64, y: f64| (place[0] + x * place[2], place[1] + y * place[3]);
    browser.drag(at(0.3, 0.2), at(0.6, 0.4));
    let part = browser.text(labels);
    assert!(!part.contains("20") && part != whole, "{part}");
    browser.ask("document.querySelector('#scatter-0 .chart svg').dispatchEvent(new MouseEvent('dblclick'))");
    assert_eq!(browser.text(labels), whole);
}

fn numbers(browser: &Browser, script: &str) -> Vec<f64> {
    browser.ask(script).as_array().unwrap().iter().map(|of| of.as_f64().unwrap()).collect()
}

/// Clicks in a chart at the first place of a path in it, and returns the trial that opens on top of
/// the table, marked in the address. `part` is how far the click is from the first to the second
/// place.
fn opens(browser: &Browser, chart: &str, path: &str, part: f64) -> u64 {
    browser.ask("location.hash = ''");
    let place = numbers(
        browser,
        &format!(
            "const svg = document.querySelector('{chart}');
            svg.scrollIntoView({{ block: 'center' }});
            const path = [...svg.querySelectorAll('{path}')].filter((of) => of.getAttribute('d')).pop();
            const [a, b, c, d] = path.getAttribute('d').match(/[-\\d.]+/g).map(Number);
            const at = new DOMPoint(a + {part} * (c - a), b + {part} * (d - b)).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y]"
        ),
    );
    browser.drag((place[0], place[1]), (place[0], place[1]));
    let hash = browser.text("return location.hash");
    let first = browser.text("return document.querySelector('#table-0 tbody button.open').textContent");
    assert_eq!(hash, format!("#trial-{first}"), "{chart}");
    let read = browser.text(&format!(
        "return document.querySelector('{chart}').closest('figure, .slices, section').querySelector('.readout:not(:empty)').textContent"
    ));
    assert!(read.starts_with(&format!("Trial {first}, ")), "{chart}: {read}");
    let detail = browser.text("return document.querySelector('#table-0 tbody tr:nth-child(2)').textContent");
    assert!(detail.starts_with(&format!("Trial {first}, ")), "{chart}: {detail}");
    first.parse().unwrap()
}

/// Every chart opens the trial of its points or lines, which is marked in all of them.
fn charts_open_trials(browser: &Browser) {
    let marks =
        "return ['#history-0 circle.marked', '#landscape-0 .slices circle.marked', '#landscape-0 .map circle.marked']
        .map((of) => document.querySelector(of).getAttribute('visibility'))
        .concat(document.querySelector('#parallel-0 path.marked').getAttribute('d') ? 'visible' : 'hidden')";
    let all = |state: &str| json!([state, state, state, state]);
    assert_eq!(browser.ask(marks), all("hidden"));
    opens(browser, "#parallel-0 .chart svg", ".lines path", 0.6);
    assert_eq!(browser.ask(marks), all("visible"));
    opens(browser, "#landscape-0 .slices svg", ".age", 0.0);
    opens(browser, "#landscape-0 .map svg", "path[stroke-linecap=round]", 0.0);
    // The filter stays; the browser's way back leads to the chart.
    browser.ask("const search = document.querySelector('#table-0 input[type=search]'); search.value = 'k>15'; search.dispatchEvent(new Event('input'))");
    browser.ask("document.querySelector('#parallel-0').scrollIntoView()");
    let place = browser.ask("return Math.round(scrollY)");
    opens(browser, "#landscape-0 .slices svg", ".age", 0.0);
    assert_eq!(words(browser), "k>15");
    assert_ne!(browser.ask("return Math.round(scrollY)"), place);
    browser.ask("history.back()");
    browser.wait("the chart", "return location.hash === '' && document.querySelector('#landscape-0 .slices svg').getBoundingClientRect().top < innerHeight");
    browser.ask("[...document.querySelectorAll('#table-0 .bar button')].find((of) => of.textContent.startsWith('Close trial')).click()");
    assert_eq!(browser.ask(marks), all("hidden"));
    browser.ask("[...document.querySelectorAll('#table-0 .bar button')].find((of) => of.textContent === 'Clear filter').click()");
}

/// The timeline has a bar for each trial, which can be read and opened.
fn timeline(browser: &Browser, trials: u64) {
    browser.ask(
        "[...document.querySelectorAll('#history-0 summary')].find((of) => of.textContent === 'Timeline').click()",
    );
    let chart = "#history-0 details[open] .chart svg";
    browser.wait("the timeline", &format!("return document.querySelector('{chart}') !== null"));
    let bars = format!(
        "return [...document.querySelectorAll('{chart} path')].map((of) => of.getAttribute('d').match(/M/g).length).reduce((a, b) => a + b)"
    );
    assert_eq!(browser.ask(&bars), trials);
    browser.ask(&format!("document.querySelector('{chart}').focus()"));
    browser.press("\u{e014}", 1);
    let read = browser.text("return document.querySelector('#history-0 details[open] .readout').textContent");
    assert!(read.starts_with("Trial ") && read.contains("score "), "{read}");
    let text = browser.text("return document.querySelector('#history-0 details[open]').textContent");
    assert!(text.contains(" UTC") && text.contains(" trials ran at a time."), "{text}");
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn trials_across_parameters_metrics_and_features() {
    let bench = Bench::new(&job());
    bench.write("solver.sh", SOLVER);
    // Coefficients are not among the parameters that people declare.
    let (output, errors) = bench.texts(&["run", "job.toml"], 0);
    assert!([output, errors].concat().contains("tuning 4 of 4 parameters"));
    let url = format!("file://{}", bench.path().join("results/across/report.html").display());
    let browser = Browser::start();
    browser.size(1200, 900);
    browser.open(&url);
    brushes(&browser);
    let trials = bench.read("results/across/trials.csv");
    let place = trials.lines().next().unwrap().split(',').position(|name| name == "value.k").unwrap();
    let values = trials.lines().skip(1).map(|row| row.split(',').nth(place).unwrap().parse().unwrap());
    scatters(&browser, values.min().unwrap());
    browser.ask("[...document.querySelectorAll('#table-0 .bar button')].find((of) => of.textContent.startsWith('Close trial')).click()");
    charts_open_trials(&browser);
    timeline(&browser, bench.read("results/across/trials.csv").lines().count() as u64 - 1);
    // An address names a trial.
    browser.open(&format!("{url}#trial-5"));
    let first = "return document.querySelector('#table-0 tbody tr:nth-child(2)').textContent";
    assert!(browser.text(first).starts_with("Trial 5, "), "{}", browser.text(first));
    browser.open(&url);

    // Functions over their features, a line and bars, which are read by keys.
    let captions =
        "return [...document.querySelectorAll('#functions-0 figcaption strong')].map((of) => of.textContent)";
    assert_eq!(browser.ask(captions), json!(["k over n", "w over kind"]));
    for (figure, starts, marks) in [(0, "n = 10: k = ", "path"), (1, "kind: a: w = ", "rect")] {
        browser.ask(&format!("document.querySelectorAll('#functions-0 svg')[{figure}].focus()"));
        browser.press("\u{e012}", 80);
        let read =
            browser.text(&format!("return document.querySelectorAll('#functions-0 .readout')[{figure}].textContent"));
        assert!(read.starts_with(starts), "{read}");
        let drawn = format!(
            "return document.querySelectorAll('#functions-0 svg')[{figure}].querySelectorAll('{marks}').length"
        );
        assert_eq!(browser.ask(&drawn), if figure == 0 { 1 } else { 3 });
    }
    // Importance has an interval.
    let row = browser.ask("return [...document.querySelectorAll('#landscape-0 .shares tbody tr')[0].children].map((of) => of.textContent)");
    let [share, interval] = [2, 3].map(|i| row[i].as_str().unwrap().replace(" %", ""));
    let ends: Vec<f64> = interval.split(" to ").map(|end| end.parse().unwrap()).collect();
    let share: f64 = share.parse().unwrap();
    assert!(ends[0] <= share && share <= ends[1] && ends[1] > ends[0], "{row}");
    assert_eq!(browser.complaints(), json!([]));

    let ready = "return document.querySelectorAll('#table-0 tbody tr').length > 0 && document.querySelectorAll('#scatter-0 .chart svg path').length > 2";
    axe::finds_nothing(&browser, &url, ready);
    browser.scheme("light");
    browser.size(390, 800);
    browser.open(&url);
    let wide = browser.ask("return document.documentElement.scrollWidth");
    assert!(wide.as_u64().unwrap() <= 390, "{wide} pixels on a screen of 390");

    // A long table: the page is small, and its charts are there at once.
    bench.lengthen("across");
    bench.does(&["report", "results/across"]);
    let size = fs::metadata(bench.path().join("results/across/report.html")).unwrap().len();
    assert!(size < 2_000_000, "{size} bytes");
    browser.size(1200, 900);
    // How long it takes is printed, not asserted.
    let begin = Instant::now();
    browser.open(&url);
    browser.wait("trials", "return document.querySelectorAll('#table-0 tbody tr').length === 100");
    let opened = begin.elapsed();
    let brushed = browser.ask(
        "const begin = performance.now();
        const end = document.querySelector('#parallel-0 [aria-label=\"k: lower end\"]');
        end.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp' }));
        return performance.now() - begin",
    );
    println!("the page of 100,000 trials, {size} bytes, is there after {opened:.1?}, and filtered after {brushed} ms");
    assert_eq!(words(&browser), "k>=2");
    assert_eq!(browser.complaints(), json!([]));
}

/// A job whose model has few trials, because it has many dimensions.
fn wide_job() -> String {
    let names: Vec<String> = (0..17).map(|i| format!("x{i}")).collect();
    let options: String = names.iter().map(|name| format!(" {{{name}}}")).collect();
    let parameters: String = names.iter().map(|name| format!("{name} = {{ int = [0, 100], start = 50 }}\n")).collect();
    format!(
        "name = \"wide\"\n[program]\ncommand = \"sh solver.sh {{seed}}{options}\"\nseeds = \"0-99\"\n\
         [parameters]\n{parameters}[search]\nbudget = 300\ntest = 0\n"
    )
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn paths_begin_after_the_model() {
    let bench = Bench::new(&wide_job());
    bench.write("solver.sh", "#!/bin/sh\necho \"Score = $((1000 + $2 + $3 * 2 - $4 + $1 % 17))\"\n");
    bench.run(&["--quiet"]);
    let browser = Browser::start();
    browser.size(1200, 900);
    browser.open(&format!("file://{}", bench.path().join("results/wide/report.html").display()));
    assert_eq!(browser.ask("return document.querySelector('#landscape-0') !== null"), true);
    let weights = browser.text("return document.querySelector('#weights').textContent");
    assert!(weights.contains("where a search with a population followed the model"), "{weights}");
    assert_eq!(browser.ask("return document.querySelectorAll('#weights .spark svg').length"), 17);
    // At first, the most important parameters are shown.
    let heads = "return [...document.querySelectorAll('#parallel-0 .head')].map((of) => of.firstChild.textContent)";
    let heads = browser.ask(heads);
    assert_eq!(heads.as_array().unwrap().len(), 9);
    assert!(["x0", "x1"].iter().any(|name| heads.as_array().unwrap().contains(&Value::from(*name))), "{heads}");
    assert_eq!(browser.complaints(), json!([]));
}
