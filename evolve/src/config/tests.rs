use super::*;
use crate::document::{Document, Fault};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// A job that is right, on lines that the tests count on.
const RIGHT: &str = r#"name = "tiny"
seed = 7

[game]
name = "solitaire-chess"
group = 3

[player]
name = "beam"
width = 2
depth = 3

[weights]
evolve = ["run_*", "tile_gold"]
fixed = ["*_drift"]

[weights.values]
run_1 = 2.5

[weights.ranges]
run_1 = [-1, 4]

[evolution]
population = 6
games = 4
generations = 3
elites = 1
"#;

fn parse(text: &str) -> Result<Job, Fault> {
    Job::parse(&Document::new(Path::new("job.toml"), text.to_string()))
}

fn right() -> Job {
    parse(RIGHT).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The fault of the right job with a text in the place of another, or at the end if that is empty.
fn fault(old: &str, new: &str) -> Fault {
    let text = if old.is_empty() { format!("{RIGHT}{new}") } else { RIGHT.replacen(old, new, 1) };
    assert_ne!(text, RIGHT);
    parse(&text).map(|_| ()).expect_err(new)
}

#[test]
fn a_right_job() {
    let job = right();
    assert_eq!((job.name.as_str(), job.seed, job.game.name()), ("tiny", 7, "solitaire-chess"));
    assert_eq!(job.options.get("group"), 3);
    assert_eq!(job.submission, job.player);
    let names: Vec<_> = job.space.evolving().map(|weight| weight.name).collect();
    assert_eq!(names, ["tile_gold", "run_1", "run_2", "run_on"]);
    assert_eq!(job.space.start_genome()[1], 2.5);
    let run_1 = job.space.evolving().nth(1).unwrap();
    assert_eq!((run_1.min, run_1.max), (-1.0, 4.0));
    assert_eq!((job.evolution.population, job.evolution.parents, job.games), (6, 3, 4));
    assert_eq!(job.limits, Limits { generations: Some(3), time: None });
}

#[test]
fn every_mistake_is_answered_with_its_line() {
    for (old, new, line, said) in [
        // What does not exist.
        ("seed = 7", "sed = 7", 2, "no key `sed`; it has `name`, `seed`"),
        ("", "\n[evolutions]\npopulation = 3\n", 29, "no key `evolutions`; it has "),
        ("", "plans = 3\n", 28, "[evolution] has no key `plans`"),
        ("fixed =", "fix =", 15, "[weights] has no key `fix`; it has "),
        ("", "\n[validation]\ngame = 30\n", 30, "[validation] has no key `game`"),
        ("", "\n[final]\ngame = 30\n", 30, "[final] has no key `game`"),
        ("tile_gold", "tile_gild", 14, "no weight `tile_gild`; the nearest name is `tile_gold`"),
        ("\"*_drift\"", "\"*_drfit\"", 15, "no weight fits `*_drfit`"),
        ("run_1 = 2.5", "run1 = 2.5", 18, "no weight `run1`; the nearest name is `run_1`"),
        ("run_1 = [", "run_0 = [", 21, "no weight `run_0`"),
        ("solitaire-chess", "chess", 5, "no game `chess`; there are: solitaire-chess"),
        ("group = 3", "groups = 3", 6, "no setting `groups`; it has `group`"),
        ("\"beam\"", "\"bream\"", 9, "no player `bream`; it has `greedy`, `beam`"),
        ("width = 2", "breadth = 2", 10, "no setting `breadth`; it has `width`, `depth`"),
        ("", "\n[submission]\nname = \"best\"\n", 30, "no player `best`"),
        // What is missing.
        ("name = \"tiny\"\n", "", 1, "a job needs a `name`"),
        ("group = 3\n", "", 4, "solitaire-chess needs `group`"),
        ("name = \"beam\"\n", "", 8, "[player] needs a `name`"),
        ("name = \"solitaire-chess\"\n", "", 4, "[game] needs a `name`"),
        ("generations = 3\n", "", 23, "needs `generations`, `time` (like \"8h\") or both"),
        // What is not allowed.
        ("seed = 7", "seed = -7", 2, "`seed` takes a whole number from 0 to "),
        ("seed = 7", "seed = \"7\"", 2, "not \"7\""),
        ("seed = 7", "seed = 0.5", 2, "not 0.5"),
        ("group = 3", "group = 7", 6, "`group` of solitaire-chess is 7; allowed are 1 to 6"),
        ("group = 3", "group = \"three\"", 6, "`group` takes a whole number"),
        ("width = 2", "width = 0", 10, "allowed are 1 to 10000"),
        ("run_1 = 2.5", "run_1 = 1000", 18, "`run_1` takes a number from -20 to 20"),
        ("run_1 = 2.5", "run_1 = nan", 18, "`run_1` takes a number from -20 to 20"),
        ("run_1 = 2.5", "run_1 = \"much\"", 18, "`run_1` takes a number"),
        ("run_1 = 2.5", "run_1 = -2.5", 21, "`run_1` starts at -2.5, which is outside this range"),
        ("[-1, 4]", "[4, -1]", 21, "the first below the second"),
        ("[-1, 4]", "[-1, 400]", 21, "within -20 and 20"),
        ("[-1, 4]", "[-1]", 21, "[smallest, largest]"),
        ("[-1, 4]", "4", 21, "[smallest, largest]"),
        ("[\"run_*\", \"tile_gold\"]", "\"run_*\"", 14, "`weights.evolve` takes a list of texts"),
        ("[\"*_drift\"]", "[\"*\"]", 13, "no weight is left to evolve"),
        ("population = 6", "population = 1", 24, "from 2 to 100000, not 1"),
        ("games = 4", "games = 0", 25, "`evolution.games` takes"),
        ("generations = 3", "generations = 0", 26, "`evolution.generations` takes"),
        ("generations = 3", "time = 8", 26, "a length of time like"),
        ("generations = 3", "time = \"0s\"", 26, "a length of time like"),
        ("generations = 3", "time = \"8\"", 26, "a length of time like"),
        ("elites = 1", "elites = 6", 27, "it must leave room for children in a population of 6"),
        ("elites = 1", "parents = 7", 27, "`evolution.parents` is 7, but `population` is only 6"),
        ("elites = 1", "selection = \"luck\"", 27, "\"truncation\" or \"tournament\", not \"luck\""),
        ("elites = 1", "tournament = 1", 27, "`evolution.tournament` takes"),
        ("elites = 1", "rate = 0", 27, "`evolution.rate` takes"),
        ("elites = 1", "step = inf", 27, "`evolution.step` takes"),
        ("elites = 1", "adapt = true", 27, "`evolution.adapt` takes"),
        ("", "\n[validation]\ngames = 29\n", 30, "from 30 to"),
        ("", "\n[final]\nverdict = 29\n", 30, "from 30 to"),
        ("[evolution]", "[[evolution]]", 23, "`evolution` is a section"),
        ("seed = 7", "evolution = 7", 23, "duplicate key"),
        ("seed = 7", "seed 7", 2, ""),
        ("seed = 7", "seed = 7\nseed = 8", 3, "duplicate key"),
    ] {
        let fault = fault(old, new);
        assert!(fault.message.contains(said), "{new}: {fault}");
        assert_eq!(fault.line, Some(line), "{new}: {fault}");
    }
}

#[test]
fn results_stay_below_their_folder() {
    for name in ["", "..", "../x", "a/../../x", "/x", "a//b", "a/", ".hidden", "a b", "a\\\\b", "C:", "ä", "a\\n"] {
        let fault = fault("\"tiny\"", &format!("\"{name}\""));
        assert_eq!(fault.line, Some(1), "{name}");
    }
    for name in ["a", "a/b", "group-6_v1.2", "2024"] {
        assert_eq!(parse(&RIGHT.replace("\"tiny\"", &format!("\"{name}\""))).unwrap().name, name);
    }
}

#[test]
fn files_that_are_no_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.toml");
    let fault = |path| Job::read(path).map(|_| ()).unwrap_err();
    assert_eq!((fault(&path).line, &fault(&path).path), (None, &path));
    fs::write(&path, b"name = \"\xff\"").unwrap();
    assert!(fault(&path).message.contains("UTF-8"), "{}", fault(&path));
    fs::write(&path, "").unwrap();
    assert!(fault(&path).message.contains("needs a `name`"));
    assert!(fault(folder.path()).message.contains("cannot be read"));
}

#[test]
fn starting_weights_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.toml");
    let with_start = RIGHT.replace("[weights]\n", &format!("[weights]\nstart = \"{}\"\n", path.display()));
    let fault = parse(&with_start).map(|_| ()).unwrap_err();
    assert_eq!(fault.line, Some(14));
    assert!(fault.message.contains("weights.toml") && fault.message.contains("cannot be read"), "{fault}");

    let job = right();
    let mut weights = job.space.start().to_vec();
    weights[0] = 3.25;
    let (game, options, player) = (job.game, job.options.clone(), job.player.clone());
    let policy = crate::policy_file::Policy { game, options, submission: player.clone(), player, weights };
    fs::write(&path, policy.to_toml()).unwrap();
    let job = parse(&with_start).unwrap();
    assert_eq!((job.space.start()[0], job.space.start_genome()[1]), (3.25, 2.5));
    // The resolved job needs the file no more.
    fs::remove_file(&path).unwrap();
    assert_eq!(parse(&job.to_toml()).unwrap().space, job.space);
}

#[test]
fn the_reference_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/config.md");
    let text = fs::read_to_string(file).unwrap();
    assert!(text == reference(), "docs/config.md is not what the program says: evolve keys > docs/config.md");
}

fn choice<const N: usize>(texts: [&'static str; N]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(texts.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_resolved_job_is_the_same_job(
        seed in 0..=i64::MAX as u64,
        value in -1.0..4.0,
        low in -20.0..-1.0,
        (population, parents, elites) in (2_usize..1000).prop_flat_map(|n| (Just(n), 1..=n, 0..n)),
        selection in choice(["truncation", "tournament"]),
        crossover in choice(["mean", "uniform", "blend"]),
        adapt in choice(["weights", "step", "none"]),
        (step, rate) in (1e-6..1e6, 1e-6..1.0),
        milliseconds in prop::option::of(1_u64..u64::from(u32::MAX)),
        (every, held_out, verdict) in (0_u64..100, 30_usize..1000, 30_usize..1000),
    ) {
        let time = milliseconds.map_or(String::new(), |time| format!("time = \"{time}ms\"\n"));
        let text = RIGHT
            .replace("seed = 7", &format!("seed = {seed}"))
            .replace("run_1 = 2.5", &format!("run_1 = {value:?}"))
            .replace("run_1 = [-1, 4]", &format!("run_1 = [{low:?}, 4]"))
            .replace("population = 6", &format!("population = {population}\nparents = {parents}"))
            .replace("elites = 1", &format!("elites = {elites}\nstep = {step:?}\nrate = {rate:?}"))
            + &time
            + &format!("selection = \"{selection}\"\ncrossover = \"{crossover}\"\nadapt = \"{adapt}\"\n")
            + &format!("[validation]\nevery = {every}\ngames = {held_out}\n[final]\nverdict = {verdict}\n");
        let job = parse(&text).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        let resolved = job.to_toml();
        let again = parse(&resolved).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        prop_assert_eq!(again.to_toml(), resolved);
        prop_assert_eq!(&again.space, &job.space);
        prop_assert_eq!(again.evolution, job.evolution);
        prop_assert_eq!(again.limits, job.limits);
        prop_assert_eq!((again.seed, again.games, again.validation), (job.seed, job.games, job.validation));
        prop_assert_eq!((again.finals, again.submission), (job.finals, job.submission));
    }
}
