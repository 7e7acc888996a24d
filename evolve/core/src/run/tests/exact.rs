//! Tests that a run writes the same bytes with any evaluator, however often it is stopped, and
//! under other limits before its search is over.

use super::*;
use crate::job::{Catalogue, Game};
use crate::run::rows::ValidationRow;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{OpenError, Problem, Session, session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::io::Write;
use std::sync::Arc;

#[test]
fn threads_do_not_change_the_result() {
    let job = tiny();
    let runs = [1, 2, 16].map(|count| {
        let results = folder();
        let evaluator = threads(&job, count);
        let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        run.execute(&AtomicBool::new(false), &mut Nobody).unwrap_or_else(|error| panic!("{error}"));
        files(results.path())
    });
    assert_same(&runs[0], &runs[1], "2 threads");
    assert_same(&runs[0], &runs[2], "16 threads");
}

#[test]
fn a_stop_at_any_batch_does_not_change_the_result() {
    let job = tiny();
    let whole = whole(&job);
    let mut stopped = true;
    let mut batches = 0;
    while stopped {
        let results = folder();
        stopped = play(Run::start, &job, &threads(&job, 2), results.path(), batches) == Ending::Stopped;
        resume(&job, results.path());
        assert_same(&whole, &files(results.path()), &format!("after {batches} batches"));
        batches += 1;
    }
    // The baseline, three generations, a validation, the selection and the test have several
    // batches each.
    assert!(batches > 20, "{batches}");
}

#[test]
fn a_run_of_many_stops_is_the_same() {
    let (job, results) = (tiny(), folder());
    let mut stops = 0;
    while play(Run::resume, &job, &threads(&job, 2), results.path(), 1) == Ending::Stopped {
        // A crash leaves rows beyond the checkpoint, and partial files.
        for name in views::names(&job).iter().chain([&names::LOG]) {
            let mut table = fs::OpenOptions::new().append(true).open(file(results.path(), name)).unwrap();
            table.write_all(b"7,8,9").unwrap();
        }
        for name in [".checkpoint.Xy12Zz.new", ".recommendation.toml.D4e5F6.new", ".generations.csv.777777.new"] {
            fs::write(file(results.path(), name), "half").unwrap();
        }
        fs::write(file(results.path(), "notes.new"), "mine").unwrap();
        stops += 1;
    }
    assert!(stops > 20, "{stops}");
    let mut files = files(results.path());
    assert_eq!(files.remove("notes.new"), Some(b"mine".to_vec()), "not a file of the run");
    assert_same(&whole(&job), &files, "stopped after every batch");
}

/// Checks that a run of `short`, stopped after any number of batches of its search, resumes to the
/// bytes of `long`.
fn assert_prolongs(short: &Job, long: &Job) {
    let whole = whole(long);
    let mut batches = 0;
    loop {
        let results = folder();
        let evaluator = threads(short, 2);
        let mut run = Run::start(short, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(execute(&mut run, batches).unwrap(), Ending::Stopped, "its search is not over");
        let is_over = run.state().ended;
        drop(run);
        if is_over {
            break;
        }
        resume(long, results.path());
        assert_same(&whole, &files(results.path()), &format!("prolonged after {batches} batches"));
        batches += 1;
    }
    assert!(batches > 5, "{batches}");
}

#[test]
fn a_search_with_a_larger_limit_equals_a_run_with_that_limit() {
    assert_prolongs(&tiny(), &job(&[("generations = 3", "generations = 6")]));
}

#[test]
fn a_larger_budget_prolongs_a_search() {
    // A generation takes 15 trials; the other stages take 144 and a twentieth of the search. The
    // rest of a budget stays unused.
    let (short, long) = (job(&[("generations = 3", "budget = 195")]), job(&[("generations = 3", "budget = 225")]));
    assert_prolongs(&short, &long);
    let results = folder();
    complete(&long, results.path());
    assert_eq!(fs::read_to_string(file(results.path(), "generations.csv")).unwrap().lines().count(), 1 + 5);
}

/// A validation follows ten times as many trials of the search: 300, in 20 generations.
#[test]
fn validations_follow_at_fixed_distances_and_at_the_end() {
    let results = folder();
    complete(&job(&[("generations = 3", "generations = 50")]), results.path());
    let rows = fs::read_to_string(file(results.path(), "validation.csv")).unwrap();
    let checks: Vec<&str> =
        rows.lines().filter(|row| row.contains(",mean,30,") && row.starts_with("validation")).collect();
    let generations: Vec<&str> = checks.iter().map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(generations, ["20", "40", "50"]);
}

/// A long search does not record every generation, but always its last one.
#[test]
fn a_narrowed_search_records_its_last_generation() {
    let of = |generations: u64| job(&[("generations = 3", &format!("generations = {generations}"))]);
    let long = of(126);
    let recorded = |results: &Path| -> Vec<u64> {
        let table = fs::read_to_string(file(results, "generations.csv")).unwrap();
        table.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
    };
    for generations in [122, 123] {
        // A smaller limit ends the search within a generation or after it.
        let results = folder();
        let evaluator = threads(&long, 2);
        let mut run = Run::start(&long, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        while run.generation() < generations {
            execute(&mut run, 2).unwrap();
        }
        drop(run);
        resume(&tiny(), results.path());
        let config = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
        let rows = recorded(results.path());
        assert!(rows[..100].iter().copied().eq(0..100) && rows.len() == 112, "{rows:?}");
        assert_eq!(rows.last().map(|last| last + 1), config.limits.generations);
        assert_same(&whole(&config), &files(results.path()), &format!("narrowed after {generations} generations"));
    }
}

#[test]
fn the_config_of_a_narrowed_run_reproduces_it() {
    let (short, long) = (tiny(), job(&[("generations = 3", "generations = 6")]));
    let mut reached = Vec::new();
    let mut ended = false;
    let mut batches = 0;
    while !ended {
        let results = folder();
        ended = matches!(play(Run::start, &long, &threads(&long, 2), results.path(), batches), Ending::Complete(_));
        resume(&short, results.path());
        let config = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
        assert_same(&whole(&config), &files(results.path()), &format!("narrowed after {batches} batches"));
        reached.push(config.limits.generations.unwrap());
        batches += 1;
    }
    reached.dedup();
    assert_eq!(reached, [3, 4, 5, 6]);
}

/// A user can end the search early. The result can be reproduced.
#[test]
fn a_search_can_be_finished_at_any_batch() {
    // The first job has one validation at the end, the second another one after two generations.
    for trials in ["trials = 3", "trials = 30"] {
        let long = job(&[("trials = 3", trials), ("generations = 3", "generations = 4")]);
        let mut reached = Vec::new();
        let mut batches = 0;
        loop {
            let results = folder();
            let evaluator = threads(&long, 2);
            let mut run = Run::start(&long, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
            if matches!(execute(&mut run, batches).unwrap(), Ending::Complete(_)) {
                break;
            }
            run.finish().unwrap();
            // Finishing again changes nothing, and neither does a stop in between.
            run.finish().unwrap();
            execute(&mut run, 1).unwrap();
            drop(run);
            let finished = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
            resume(&finished, results.path());
            let what = format!("{trials}, finished after {batches} batches");
            assert_same(&whole(&finished), &files(results.path()), &what);
            reached.push(finished.limits.generations.unwrap());
            batches += 1;
        }
        reached.dedup();
        assert_eq!(reached, [1, 2, 3, 4], "{trials}");
    }
}

/// Returns a job with a budget, from which its sizes follow.
fn with_budget(budget: u64) -> Job {
    let text = crate::fixture::TINY.replace("generations = 3", &format!("budget = {budget}"));
    let sizes = ["validation = 30\n", "selection = 8\n", "test = 30\n"];
    crate::fixture::parse(&sizes.iter().fold(text, |text, size| text.replace(size, ""))).unwrap()
}

#[test]
fn the_budget_limits_all_trials() {
    for budget in [27, 60, 200, 1000, 3000, 6000] {
        let (job, results) = (with_budget(budget), folder());
        let evaluator = threads(&job, 2);
        let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        execute(&mut run, usize::MAX).unwrap();
        let state = run.state();
        assert!(state.trials() <= budget, "{} of {budget}", state.trials());
        // The search gets at least half of the budget, apart from the rest of a generation.
        assert!(2 * state.search_trials() + 30 >= budget, "{} of {budget}", state.search_trials());
        let recorded = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
        assert_same(&whole(&recorded), &files(results.path()), &format!("{budget} again"));
    }
}

/// One generation takes 15 trials, and the smallest test 12.
#[test]
fn a_budget_holds_a_generation_and_a_test() {
    let (job, results) = (with_budget(26), folder());
    let evaluator = threads(&job, 2);
    let refused = Run::start(&job, &evaluator, results.path()).map(|_| ()).unwrap_err().to_string();
    assert!(refused.starts_with("`budget` = 26 is too small") && refused.ends_with("take 27 trials"), "{refused}");
    assert!(fs::read_dir(results.path()).unwrap().next().is_none(), "no files remain");
}

/// The size of validations stays as in the run; selection and test grow with the budget.
#[test]
fn a_larger_budget_gives_the_test_more() {
    for (short, long) in [(320, 4000), (3000, 6000)] {
        let (job, results) = (with_budget(short), folder());
        assert_eq!(play(Run::start, &job, &threads(&job, 2), results.path(), 12), Ending::Stopped);
        let verdict = resume(&with_budget(long), results.path());
        // With validations, the test is as large as they show to be enough.
        assert!(tested(&verdict).1.most > if short < 2000 { 300 } else { 0 }, "{verdict}");
        let recorded = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
        assert_eq!(recorded.limits.budget, Some(long));
        assert_same(&whole(&recorded), &files(results.path()), "prolonged");
    }
}

/// A problem of medium size, where the budget decides how to search, with instances for each split.
struct Listed;

impl Problem for Listed {
    fn name(&self) -> &str {
        "listed"
    }

    fn parameters(&self) -> Vec<Parameter> {
        (0..20).map(|i| Parameter::float(format!("x{i}"), -1.0, 1.0, 0.0)).collect()
    }

    fn instances(&self, split: Split) -> Option<Vec<String>> {
        let count = if split == Split::HeldOut { 30 } else { 10 };
        Some((0..count).map(|i| i.to_string()).collect())
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        Ok(session(|candidate| {
            let sum: f64 = candidate.values().iter().sum();
            move |case: &Case| Ok(Outcome::of(sum * (1 + case.number % 30) as f64 + (case.seed % 7) as f64))
        }))
    }
}

/// Returns a job on this problem within a limit.
fn listed(limit: &str) -> Job {
    let text = crate::fixture::TINY.split("[game]").next().unwrap().to_string()
        + &format!("[game]\nname = \"listed\"\n[search]\n{limit}\n");
    parse_with(&text, &Catalogue::new(&[Game::plain(Arc::new(Listed))])).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The table of validations has the standard errors of the verdict, of which each instance is one
/// observation.
#[test]
fn replicates_of_an_instance_are_one_observation() {
    let results = folder();
    let verdict = complete(&listed("budget = 400\ntest = 60"), results.path());
    let (compared, sample) = tested(&verdict);
    assert!(sample.instances.is_some_and(|(count, _)| count < compared.trials), "{verdict}");
    let mut table = csv::Reader::from_path(file(results.path(), "validation.csv")).unwrap();
    let rows = table.deserialize().map(|row: Result<ValidationRow, _>| row.unwrap());
    let errors: Vec<f64> = rows.filter(|row| row.stage == Stage::Test).map(|row| row.standard_error).collect();
    assert_eq!(errors, sample.errors);
}

/// The config of a run that was finished early has what its budget decided: the method of the
/// search, and the instances of the test.
#[test]
fn the_config_reproduces_a_finished_run_of_any_size() {
    for limit in ["budget = 300", "budget = 2500", "generations = 20"] {
        let (job, results) = (listed(limit), folder());
        let evaluator = threads(&job, 2);
        let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(execute(&mut run, 15).unwrap(), Ending::Stopped, "{limit}");
        drop(run);
        let mut run = Run::resume(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        run.finish().unwrap();
        execute(&mut run, usize::MAX).unwrap();
        let config = Job::read(&file(results.path(), "config.toml"), &job.catalogue).unwrap();
        assert_eq!(config.limits.budget, job.limits.budget, "{limit}");
        assert_same(&whole(&config), &files(results.path()), limit);
    }
}

#[test]
fn a_job_may_have_no_test() {
    let job = job(&[("test = 30", "test = 0")]);
    let results = folder();
    let verdict = complete(&job, results.path());
    assert!(!verdict.is_improvement() && verdict.recommends_finalist());
    assert!(verdict.to_string().contains("not tested, as the job says"), "{verdict}");
    let policy = crate::job::policy_file::Policy::read(&results.path().join("tiny"), &catalogue()).unwrap();
    assert_ne!(policy.values, job.space.start());
    assert!(policy.verdict.is_none());
    let before = files(results.path());
    resume(&job, results.path());
    assert_same(&before, &files(results.path()), "resumed");
}

/// A run may stop after saving the checkpoint of its finished search, but before cutting the log.
#[test]
fn a_stop_while_a_search_is_finished_does_not_change_the_result() {
    let (job, results) = (job(&[("generations = 3", "generations = 6")]), folder());
    let evaluator = threads(&job, 1);
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    while run.generation() < 2 || run.state().partial.is_empty() {
        execute(&mut run, 1).unwrap();
    }
    let log = file(results.path(), names::LOG);
    let records = fs::read(&log).unwrap();
    run.finish().unwrap();
    drop(run);
    fs::write(&log, [&records[..], b"{}\n"].concat()).unwrap();
    let finished = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
    resume(&finished, results.path());
    assert_same(&whole(&finished), &files(results.path()), "stopped before its log was cut");
}

/// A run has one verdict, whatever limits the job has when it resumes.
#[test]
fn a_complete_run_keeps_its_verdict_and_its_limits() {
    let results = folder();
    let verdict = complete(&tiny(), results.path());
    let before = files(results.path());
    for changes in [("generations = 3", "generations = 6"), ("generations = 3", "budget = 5000")] {
        assert_eq!(resume(&job(&[changes]), results.path()), verdict);
        assert_same(&before, &files(results.path()), changes.1);
    }
}

#[test]
fn resuming_a_complete_run_changes_nothing() {
    let (job, results) = (tiny(), folder());
    let verdict = complete(&job, results.path());
    let before = files(results.path());
    let again = play(Run::resume, &job, &threads(&job, 1), results.path(), 0);
    assert_eq!(again, Ending::Complete(Box::new(verdict)));
    assert_same(&before, &files(results.path()), "resumed");
}

#[test]
fn the_exported_player_can_change_after_the_run() {
    let other = job(&[("[weights]", "[submission]\nname = \"bold\"\n[weights]")]);
    let results = folder();
    complete(&tiny(), results.path());
    play(Run::resume, &other, &threads(&other, 1), results.path(), 0);
    assert_same(&whole(&other), &files(results.path()), "with another submission");
}

#[test]
fn a_run_stopped_before_its_first_checkpoint_starts_again() {
    let (job, results) = (tiny(), folder());
    fs::create_dir(results.path().join("tiny")).unwrap();
    fs::write(file(results.path(), "config.toml"), job.to_toml()).unwrap();
    let refused = Run::start(&job, &threads(&job, 1), results.path()).map(|_| ());
    assert!(matches!(refused, Err(RunError::Exists(_))));
    resume(&job, results.path());
    assert_same(&whole(&job), &files(results.path()), "started again");
}

/// The limit covers the whole run; the duration of a trial depends on the machine.
#[test]
fn time_limits_a_run() {
    for sizes in ["validation = 30\nselection = 8\ntest = 30\n", ""] {
        let text = crate::fixture::TINY.replace("validation = 30\nselection = 8\ntest = 30\n", sizes);
        let job = crate::fixture::parse(&text.replace("generations = 3", "time = \"300ms\"")).unwrap();
        let results = folder();
        let evaluator = threads(&job, 2);
        let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        assert!(matches!(run.execute(&AtomicBool::new(false), &mut Nobody), Ok(Ending::Complete(_))));
        let state = run.state();
        assert!(state.search.generations > 0 && state.search.seconds < state.counters.seconds, "{state:?}");
        // A busy machine may delay any batch, and a slow first trial makes the rest of the run look
        // long.
        assert!(state.counters.seconds < 3.0, "{}", state.counters.seconds);
        let declared = crate::job::Plan { validation: 30, selection: 8, test: 30, ..state.plan };
        assert_eq!(sizes.is_empty(), state.plan != declared, "{:?}", state.plan);
        let before = files(results.path());
        drop(run);
        resume(&job, results.path());
        assert_same(&before, &files(results.path()), "resumed");
    }
}

#[test]
fn starting_weights_are_kept_unless_others_are_better() {
    let better = folder();
    let job = job(&[("generations = 3", "generations = 30")]);
    assert!(complete(&job, better.path()).is_improvement());
    let policy =
        |results: &TempDir| crate::job::policy_file::Policy::read(&results.path().join("tiny"), &catalogue()).unwrap();
    assert_ne!(policy(&better).values, job.space.start());

    // This weight has no effect.
    let evolve = "include = [\"slope_*\", \"move\", \"steps\", \"polish\", \"heat\"]\nexclude = [\"*_drift\"]";
    let same = crate::fixture::job(&[(evolve, "include = [\"slope_far_drift\"]")]);
    let results = folder();
    let verdict = complete(&same, results.path());
    assert!(!verdict.is_improvement());
    assert!(verdict.to_string().contains("no improvement found"));
    assert_eq!(policy(&results).values, same.space.start());
}
