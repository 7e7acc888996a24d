use super::*;
use crate::fixture::{Bowl, Options, Player, Shape, TINY, catalogue, job, parse};
use crate::job::policy_file::Policy;
use evolve_search::document::{Document, Fault, schema};
use proptest::prelude::*;
use std::any::Any;
use std::fs;
use std::path::Path;

/// Returns the fault of the tiny job with a text replaced, or with one appended if `old` is empty.
fn fault(old: &str, new: &str) -> Fault {
    let text = if old.is_empty() { format!("{TINY}{new}") } else { TINY.replacen(old, new, 1) };
    assert_ne!(text, TINY);
    parse(&text).map(|_| ()).expect_err(new)
}

/// A limit or a size is declared by its field alone.
#[test]
fn every_limit_and_size_is_read_and_written() {
    let mut keys = schema::properties(&schema::of::<file::SearchKeys>());
    keys.shift_remove("optimizer");
    // A deadline is of a series of runs, each of which has a time.
    keys.shift_remove("deadline");
    assert_eq!(keys.len(), 7);
    let sizes = "validation = 30\nselection = 8\ntest = 30\n";
    for (name, of_name) in &keys {
        let example = of_name.get("examples").and_then(|examples| examples.as_array()?.last());
        let value = example.map_or("1234".to_string(), ToString::to_string);
        let generations = if name == "generations" { "" } else { "generations = 3\n" };
        let line = format!("{name} = {value}\n");
        let text = TINY.replace(sizes, "").replace("generations = 3\n", &format!("{generations}{line}"));
        let job = parse(&text).unwrap_or_else(|fault| panic!("{fault}"));
        let again = parse(&job.to_toml()).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(job.to_toml().contains(&line), "{line}");
        assert_eq!((again.limits, again.sizes), (job.limits, job.sizes));
    }
}

#[test]
fn a_valid_job() {
    let job = job(&[]);
    assert_eq!((job.name.as_str(), job.seed, job.problem.name()), ("tiny", 5, "bowl"));
    let problem: &dyn Any = &*job.problem;
    let Bowl { options, player } = problem.downcast_ref().unwrap();
    assert_eq!((options, player), (&Options { noise: 4, shape: Shape::Round }, &Player::Plain { depth: 3 }));
    assert_eq!(job.submission.player(), job.problem.player());
    let names: Vec<_> = job.space.tuned().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(names, ["slope_x", "slope_y", "steps", "move", "polish", "heat"]);
    assert_eq!(job.space.start()[..2], [5.0, -3.0]);
    assert_eq!(job.space.parameters()[1].range(), (-4.0, 4.0));
    assert_eq!(job.limits, Limits { budget: None, generations: Some(3), time: None });
    assert_eq!(job.sizes, Sizes { validation: Some(30), selection: Some(8), test: Some(30) });
    assert_eq!(job.optimizer.method().name, "genetic");
}

#[test]
fn every_fault_is_reported_with_its_line() {
    for (old, new, line, said) in [
        // Unknown names.
        ("seed = 5", "sed = 5", 2, "no key `sed`; did you mean `seed`?"),
        ("seed = 5", "colour = 5", 2, "no key `colour`; it has `name`, `seed`"),
        // Keys of other sections.
        ("seed = 5", "budget = 5", 2, "a job has no key `budget`; it has `name`"),
        ("noise = 4", "noise = 4\nseed = 4", 7, "[game] has no key `seed`; it has `noise`, `shape`"),
        ("slope_x = 5", "noise = 5", 17, "[weights.values] has no key `noise`"),
        ("", "\n[searches]\npopulation = 3\n", 32, "no key `searches`; did you mean `search`?"),
        ("population = 5", "popluation = 5", 23, "[search] has no key `popluation`; did you mean `population`?"),
        ("exclude =", "excluded =", 14, "[weights] has no key `excluded`; did you mean `exclude`?"),
        ("selection = 8", "selections = 8", 29, "[search] has no key `selections`; did you mean `selection`?"),
        ("\"steps\"", "\"setps\"", 13, "no weight `setps`; the nearest name is `steps`"),
        ("\"*_drift\"", "\"*_drfit\"", 14, "no weight matches `*_drfit`"),
        ("slope_x = 5", "slop_x = 5", 17, "[weights.values] has no key `slop_x`; did you mean `slope_x`?"),
        ("slope_y = [", "sloppy = [", 20, "no weight `sloppy`; the nearest name is `slope_y`"),
        ("\"bowl\"", "\"bowls\"", 5, "no game `bowls`; the games are: bowl"),
        ("noise = 4", "noises = 4", 6, "[game] has no key `noises`; did you mean `noise`?"),
        ("\"plain\"", "\"plane\"", 9, "no player `plane`; the choices are `plain`, `bold`; did you mean `plain`?"),
        ("depth = 3", "deep = 3", 10, "[player] has no key `deep`; did you mean `depth`?"),
        ("", "\n[submission]\nname = \"best\"\n", 33, "no player `best`; the choices are `plain`, `bold`"),
        ("test = 30", "test = 30\n[search.extra]", 31, "[search] has no key `extra`"),
        (
            "\"genetic\"",
            "\"genetics\"",
            26,
            "no optimizer `genetics`; the optimizers are: auto, genetic; did you mean `genetic`?",
        ),
        // Keys of other optimizers.
        ("\"genetic\"", "\"auto\"", 23, "`population` is a key of the optimizer `genetic`, and this is `auto`"),
        // Missing keys.
        ("name = \"tiny\"\n", "", 1, "a job needs `name`"),
        ("noise = 4\n", "", 4, "[game] needs `noise`: how far scores scatter"),
        ("name = \"plain\"\n", "", 8, "[player] needs `name`"),
        ("name = \"bowl\"\n", "", 4, "[game] needs `name`"),
        (
            "generations = 3\n",
            "",
            22,
            "needs a limit: `budget` (trials), `generations`, `time` (such as \"8h\"), or `deadline`",
        ),
        // Values that are not allowed.
        ("seed = 5", "seed = -5", 2, "`seed` takes a whole number, at least 0, not -5"),
        ("seed = 5", "seed = \"5\"", 2, "not \"5\""),
        ("seed = 5", "seed = 0.5", 2, "not 0.5"),
        ("noise = 4", "noise = 101", 6, "`game.noise` takes a whole number from 0 to 100, not 101"),
        ("noise = 4", "noise = \"much\"", 6, "`game.noise` takes a whole number from 0 to 100, not \"much\""),
        ("noise = 4", "noise = 4\nshape = \"flat\"", 7, "`game.shape` takes \"round\" or \"long\", not \"flat\""),
        ("noise = 4", "noise = 4\nshape = 1", 7, "`game.shape` takes \"round\" or \"long\", not 1"),
        ("noise = 4", "noise = 4.5", 6, "`game.noise` takes a whole number from 0 to 100, not 4.5"),
        ("depth = 3", "depth = 0", 10, "`player.depth` takes a whole number from 1 to 9, not 0"),
        ("slope_x = 5", "slope_x = 1000", 17, "`weights.values.slope_x` takes a number from -10 to 10"),
        ("slope_x = 5", "slope_x = nan", 17, "`weights.values.slope_x` takes a number from -10 to 10"),
        ("slope_x = 5", "slope_x = \"much\"", 17, "`weights.values.slope_x` takes a number"),
        ("slope_x = 5", "steps = 2.5", 17, "`weights.values.steps` takes a whole number from 1 to 20"),
        (
            "slope_x = 5",
            "move = \"jump\"",
            17,
            "`weights.values.move` takes one of \"swap\", \"turn\", \"skip\", not \"jump\"",
        ),
        ("slope_x = 5", "polish = 1", 17, "`weights.values.polish` takes true or false"),
        ("slope_x = 5", "slope_y = 5", 20, "the start of `slope_y` is 5.0, outside this range"),
        ("[-4, 4]", "[4, -4]", 20, "must be [smallest, largest]"),
        ("[-4, 4]", "[-4, 400]", 20, "each a number from -10 to 10"),
        ("[-4, 4]", "[-4]", 20, "[smallest, largest]"),
        ("[-4, 4]", "4", 20, "[smallest, largest]"),
        ("slope_y = [-4, 4]", "steps = [1.5, 4]", 20, "the range of `steps`"),
        ("[\"*_drift\"]", "\"*_drift\"", 14, "`weights.exclude` takes a list of strings"),
        ("[\"*_drift\"]", "[\"*\"]", 12, "no weight is left to tune"),
        ("population = 5", "population = 1", 23, "from 4 to 10000, not 1"),
        ("trials = 3", "trials = 0", 24, "`search.trials` takes"),
        ("generations = 3", "generations = 0", 25, "`search.generations` takes"),
        ("generations = 3", "budget = 0", 25, "`search.budget` takes"),
        ("generations = 3", "time = 8", 25, "a duration such as"),
        ("generations = 3", "time = \"0s\"", 25, "a duration such as"),
        ("generations = 3", "time = \"8\"", 25, "a duration such as"),
        ("elites = 1", "elites = 5", 27, "`search.elites` is 5; the maximum with a population of 5 is 4"),
        ("elites = 1", "parent_selection = \"luck\"", 27, "\"truncation\" or \"tournament\", not \"luck\""),
        ("elites = 1", "mutation_rate = 2", 27, "`search.mutation_rate` takes"),
        ("elites = 1", "sigma0 = inf", 27, "`search.sigma0` takes"),
        ("generations = 3", "budget = 19", 25, "`search.budget` takes a whole number, at least 20"),
        ("validation = 30", "validation = 5", 28, "`search.validation` is 0, or at least 6, not 5"),
        ("test = 30", "test = 5", 30, "`search.test` is 0, or at least 6, not 5"),
        ("test = 30", "test = -1", 30, "`search.test` takes"),
        ("[search]", "[[search]]", 22, "`search` is a section"),
        ("seed = 5", "search = 5", 22, "duplicate key"),
        ("seed = 5", "seed 5", 2, ""),
        ("seed = 5", "seed = 5\nseed = 6", 3, "duplicate key"),
    ] {
        let fault = fault(old, new);
        // A missing top-level key has no line.
        let has_line = fault.place.is_some_and(|(at, _)| at == line) || said.starts_with("a job needs");
        assert!(has_line && fault.message.contains(said), "{new}: {fault}");
    }
}

/// Faults are located by line and column, or by the flag that set the value.
#[test]
fn faults_have_places() {
    let text = TINY.replace("noise = 4", "noise   =  400");
    let said = parse(&text).map(|_| ()).unwrap_err().to_string();
    assert_eq!(said, "job.toml:6:1: `game.noise` takes a whole number from 0 to 100, not 400");
    let inline = TINY.replace("[player]\nname = \"plain\"\ndepth = 3\n", "");
    let said =
        parse(&format!("player = {{ name = \"plain\", depth = 0 }}\n{inline}")).map(|_| ()).unwrap_err().to_string();
    assert!(said.starts_with("job.toml:1:28: `player.depth` takes"), "{said}");

    let set = |key: &str, old: &str, new: &str| {
        let at = key.split('.').map(String::from).collect();
        let document = Document::new(Path::new("job.toml"), TINY.to_string());
        let document = document.with_set(TINY.replacen(old, new, 1), vec![(at, format!("--set {key}={new}"))]);
        Job::parse(&document, &catalogue()).map(|_| ()).unwrap_err().to_string()
    };
    let said = set("search.validation", "validation = 30", "validation = 3");
    assert!(said.starts_with("--set search.validation=validation = 3: `search.validation` is 0"), "{said}");
    let said = set("search.elites", "elites = 1", "elites = 7");
    assert!(
        said.contains("--set search.elites=elites = 7: `search.elites` is 7; the maximum with a population of 5"),
        "{said}"
    );
    let said = set("budget", "seed = 5", "budget = 5");
    assert_eq!(
        said,
        "--set budget=budget = 5: a job has no key `budget`; it has `name`, `seed`, `version`, `weights`, `search`, `game`, `player`, `submission`"
    );
    // Other faults have their place in the file, even if flags inserted lines.
    let wrong = TINY.replace("test = 30", "test = 3");
    let document = Document::new(Path::new("job.toml"), wrong.clone());
    let document = document.with_set(wrong.replacen("seed = 5", "seed = 5\nversion = 4", 1), Vec::new());
    let said = Job::parse(&document, &catalogue()).map(|_| ()).unwrap_err().to_string();
    assert!(said.starts_with("job.toml:30:1: `search.test` is 0"), "{said}");
}

#[test]
fn results_stay_below_their_folder() {
    for name in ["", "..", "../x", "a/../../x", "/x", "a//b", "a/", ".hidden", "a b", "a\\\\b", "C:", "ä", "a\\n"] {
        assert_eq!(fault("\"tiny\"", &format!("\"{name}\"")).place.map(|(line, _)| line), Some(1), "{name}");
    }
    for name in ["a", "a/b", "group-6_v1.2", "2024"] {
        assert_eq!(job(&[("tiny", name)]).name, name);
    }
}

#[test]
fn files_that_are_not_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.toml");
    let said = |path: &Path| Job::read(path, &catalogue()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(said(&path), format!("{}: no such file", path.display()));
    fs::write(folder.path().join("other.toml"), "").unwrap();
    let (other, meant) = (folder.path().join("other"), folder.path().join("other.toml"));
    assert_eq!(said(&other), format!("{}: no such file; did you mean {}?", other.display(), meant.display()));
    fs::write(&path, b"name = \"\xff\"").unwrap();
    assert!(said(&path).contains("UTF-8"), "{}", said(&path));
    fs::write(&path, "").unwrap();
    assert!(said(&path).contains("needs a section [game]"), "{}", said(&path));
    assert!(said(folder.path()).contains("cannot be read"));
}

#[test]
fn starting_weights_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recommendation.toml");
    let with_start = TINY.replace("[weights]\n", &format!("[weights]\nstart = \"{}\"\n", path.display()));
    let fault = parse(&with_start).map(|_| ()).unwrap_err();
    assert_eq!(fault.place.map(|(line, _)| line), Some(13));
    let said = fault.to_string();
    assert!(said.contains("recommendation.toml") && said.contains("no such file"), "{said}");

    let job = job(&[]);
    let values = vec![3.25, 1.0, -2.0, 7.0, 2.0, 1.0, 0.5];
    let policy = Policy {
        problem: Arc::clone(&job.problem),
        submission: job.submission.clone(),
        values,
        run: None,
        verdict: None,
    };
    fs::write(&path, policy.to_toml()).unwrap();
    let job = parse(&with_start).unwrap_or_else(|fault| panic!("{fault}"));
    // [weights.values] overrides the values of the file.
    assert_eq!(job.space.start(), [5.0, 1.0, -2.0, 7.0, 2.0, 1.0, 0.5]);
    // The resolved job no longer needs the file.
    fs::remove_file(&path).unwrap();
    assert_eq!(parse(&job.to_toml()).unwrap_or_else(|fault| panic!("{fault}")).space, job.space);
}

#[test]
fn faults_of_a_weights_file_are_reported() {
    let job = job(&[]);
    let values = job.space.start().to_vec();
    let text = Policy {
        problem: Arc::clone(&job.problem),
        submission: job.submission.clone(),
        values,
        run: None,
        verdict: None,
    }
    .to_toml();
    let read = |text: &str| Policy::parse(&Document::new(Path::new("w.toml"), text.to_string()), &catalogue());
    assert_eq!(read(&text).unwrap_or_else(|fault| panic!("{fault}")).to_toml(), text);
    for (old, new, said) in [
        ("slope_x =", "slope_xx =", "[weights] has no key `slope_xx`; did you mean `slope_x`?"),
        ("polish = ", "# ", "[weights] needs `polish`"),
        (
            "move = \"swap\"",
            "move = \"jump\"",
            "`weights.move` takes one of \"swap\", \"turn\", \"skip\", not \"jump\"",
        ),
        ("[weights]", "[wieghts]", "a weights file has no key `wieghts`; did you mean `weights`?"),
    ] {
        let wrong = text.replace(old, new);
        assert_ne!(wrong, text);
        let fault = read(&wrong).map(|_| ()).unwrap_err().to_string();
        assert!(fault.contains(said), "{fault}");
    }
}

fn choice<const N: usize>(texts: [&'static str; N]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(texts.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_resolved_job_is_the_same_job(
        seed in 0..=i64::MAX as u64,
        (value, low) in (-1.0..4.0, -10.0..-3.0),
        (steps, kind, polish) in (1..=20, choice(["swap", "turn", "skip"]), any::<bool>()),
        shape in choice(["round", "long"]),
        (population, elites) in (4_usize..1000).prop_flat_map(|n| (Just(n), 0..n)),
        selection in choice(["truncation", "tournament"]),
        crossover in choice(["uniform", "blend", "sbx"]),
        (step, rate) in (1e-6..1e6, 0.0..1.0),
        (milliseconds, budget) in (prop::option::of(1_u64..u64::from(u32::MAX)), prop::option::of(20_u64..1 << 50)),
        (validation, test) in (30_usize..1000, 30_usize..1000),
    ) {
        let time = milliseconds.map_or(String::new(), |time| format!("time = \"{time}ms\"\n"));
        let budget = budget.map_or(String::new(), |budget| format!("budget = {budget}\n"));
        let text = TINY
            .replace("seed = 5", &format!("seed = {seed}"))
            .replace("noise = 4", &format!("noise = 4\nshape = \"{shape}\""))
            .replace("slope_x = 5", &format!("slope_x = {value:?}\nsteps = {steps}\nmove = \"{kind}\"\npolish = {polish}"))
            .replace("[-4, 4]", &format!("[{low:?}, 4]\nsteps = [1, 20]"))
            .replace("population = 5", &format!("population = {population}"))
            .replace("elites = 1", &format!("elites = {elites}"))
            .replace("generations = 3\n", &format!(
                "generations = 3\n{time}{budget}sigma0 = {step:?}\nmutation_rate = {rate:?}\nparent_selection = \"{selection}\"\n\
                 crossover = \"{crossover}\"\n"
            ))
            .replace("validation = 30", &format!("validation = {validation}"))
            .replace("test = 30", &format!("test = {test}"));
        let job = parse(&text).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        let resolved = job.to_toml();
        let again = parse(&resolved).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        prop_assert_eq!(again.to_toml(), resolved);
        prop_assert_eq!(&again.space, &job.space);
        prop_assert_eq!(again.optimizer.write(), job.optimizer.write());
        prop_assert_eq!((again.limits, again.seed), (job.limits, job.seed));
        prop_assert_eq!(again.sizes, job.sizes);
        prop_assert_eq!(again.submission.to_toml(), job.submission.to_toml());
        prop_assert_eq!(again.problem.to_toml(), job.problem.to_toml());
        prop_assert_eq!((job.version, again.version), (None, Some(crate::VERSION)));
    }
}
