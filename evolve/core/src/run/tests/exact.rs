//! A run gives the same bytes whoever plays it, and however often it is stopped, prolonged or narrowed.

use super::*;
use std::io::Write;

#[test]
fn threads_do_not_matter() {
    let job = tiny();
    let runs = [1, 2, 16].map(|count| {
        let results = TempDir::new().unwrap();
        let evaluator = threads(&job, count);
        let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        run.execute(&AtomicBool::new(false), &mut Nobody).unwrap_or_else(|error| panic!("{error}"));
        files(results.path())
    });
    assert_same(&runs[0], &runs[1], "2 threads");
    assert_same(&runs[0], &runs[2], "16 threads");
}

#[test]
fn a_stop_at_any_batch_does_not_matter() {
    let job = tiny();
    let whole = whole(&job);
    let mut stopped = true;
    let mut batches = 0;
    while stopped {
        let results = TempDir::new().unwrap();
        stopped = play(Run::start, &job, &threads(&job, 2), results.path(), batches) == Ending::Stopped;
        resume(&job, results.path());
        assert_same(&whole, &files(results.path()), &format!("after {batches} batches"));
        batches += 1;
    }
    // The start, three generations, a check, the selection and the test have several batches each.
    assert!(batches > 20, "{batches}");
}

#[test]
fn a_run_of_many_stops_is_the_same() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let mut stops = 0;
    while play(Run::resume, &job, &threads(&job, 2), results.path(), 1) == Ending::Stopped {
        // What a crash leaves: rows without a checkpoint, and files half written.
        for name in views::names(&job).iter().chain([&record::LOG]) {
            let mut table = fs::OpenOptions::new().append(true).open(file(results.path(), name)).unwrap();
            table.write_all(b"7,8,9").unwrap();
        }
        for name in [".checkpoint.Xy12Zz.new", ".weights.toml.D4e5F6.new", ".generations.csv.777777.new"] {
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

/// A run of each job, stopped after any number of batches or complete, goes on to the bytes of the second one.
fn assert_prolongs(short: &Job, long: &Job) {
    let whole = whole(long);
    let mut ended = false;
    let mut batches = 0;
    while !ended {
        let results = TempDir::new().unwrap();
        let evaluator = threads(short, 2);
        ended = matches!(play(Run::start, short, &evaluator, results.path(), batches), Ending::Complete(_));
        resume(long, results.path());
        assert_same(&whole, &files(results.path()), &format!("prolonged after {batches} batches"));
        batches += 1;
    }
}

#[test]
fn a_prolonged_run_is_as_if_it_had_been_that_long_from_the_start() {
    assert_prolongs(&tiny(), &job(&[("generations = 3", "generations = 6")]));
}

#[test]
fn a_larger_budget_prolongs_a_run() {
    // A generation is 15 trials; what is left of a budget after the last one that fits stays unused.
    let (short, long) = (job(&[("generations = 3", "budget = 50")]), job(&[("generations = 3", "budget = 75")]));
    assert_prolongs(&short, &long);
    let results = TempDir::new().unwrap();
    complete(&long, results.path());
    assert_eq!(fs::read_to_string(file(results.path(), "generations.csv")).unwrap().lines().count(), 1 + 5);
}

/// With checks that come as the search has played ten times as many trials: 300, in 20 generations.
#[test]
fn checks_of_a_prolonged_run_come_as_if_it_had_been_that_long_from_the_start() {
    let job = |generations: u64| job(&[("generations = 3", &format!("generations = {generations}"))]);
    let (short, long) = (job(12), job(50));
    let results = TempDir::new().unwrap();
    complete(&short, results.path());
    resume(&long, results.path());
    assert_same(&whole(&long), &files(results.path()), "prolonged");
    let rows = fs::read_to_string(file(results.path(), "validation.csv")).unwrap();
    let checks: Vec<&str> =
        rows.lines().filter(|row| row.contains(",mean,30,") && row.starts_with("validation")).collect();
    let generations: Vec<&str> = checks.iter().map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(generations, ["20", "40", "50"]);
}

/// Of a long search not every generation is recorded, but the last one is, wherever that comes to be.
#[test]
fn a_long_search_is_thinned_the_same_way_however_it_came_about() {
    let of = |generations: u64| job(&[("generations = 3", &format!("generations = {generations}"))]);
    let long = of(126);
    let whole_long = whole(&long);
    let recorded = |results: &Path| -> Vec<u64> {
        let table = fs::read_to_string(file(results, "generations.csv")).unwrap();
        table.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
    };
    for generations in [122, 123] {
        let (short, results) = (of(generations), TempDir::new().unwrap());
        complete(&short, results.path());
        let rows = recorded(results.path());
        assert!(rows[..100].iter().copied().eq(0..100) && rows.len() == 112, "{rows:?}");
        assert_eq!(rows.last(), Some(&(generations - 1)));
        resume(&long, results.path());
        assert_same(&whole_long, &files(results.path()), &format!("prolonged after {generations} generations"));

        // Ended by a smaller limit, within a generation or after it.
        let results = TempDir::new().unwrap();
        let evaluator = threads(&long, 2);
        let mut run = Run::start(&long, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        while run.generation() < generations {
            execute(&mut run, 2).unwrap();
        }
        drop(run);
        resume(&tiny(), results.path());
        let config = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
        assert_same(&whole(&config), &files(results.path()), &format!("narrowed after {generations} generations"));
        resume(&long, results.path());
        assert_same(&whole_long, &files(results.path()), &format!("narrowed after {generations} and prolonged"));
    }
}

#[test]
fn the_config_of_a_narrowed_run_tells_how_to_reproduce_it() {
    let (short, long) = (tiny(), job(&[("generations = 3", "generations = 6")]));
    let whole_long = whole(&long);
    let mut reached = Vec::new();
    let mut ended = false;
    let mut batches = 0;
    while !ended {
        let results = TempDir::new().unwrap();
        ended = matches!(play(Run::start, &long, &threads(&long, 2), results.path(), batches), Ending::Complete(_));
        resume(&short, results.path());
        let config = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
        let narrowed = format!("narrowed after {batches} batches");
        assert_same(&whole(&config), &files(results.path()), &narrowed);
        reached.push(config.limits.generations.unwrap());
        resume(&long, results.path());
        assert_same(&whole_long, &files(results.path()), &format!("{narrowed}, and prolonged again"));
        batches += 1;
    }
    reached.dedup();
    assert_eq!(reached, [3, 4, 5, 6]);
}

/// Whoever has seen enough ends the search; that, too, can be reproduced and taken back.
#[test]
fn a_search_can_be_finished_at_any_batch() {
    // With a check at the end alone, and with one after two generations.
    for games in ["games = 3", "games = 30"] {
        let long = job(&[("games = 3", games), ("generations = 3", "generations = 4")]);
        let whole_long = whole(&long);
        let mut reached = Vec::new();
        let mut batches = 0;
        loop {
            let results = TempDir::new().unwrap();
            let evaluator = threads(&long, 2);
            let mut run = Run::start(&long, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
            if matches!(execute(&mut run, batches).unwrap(), Ending::Complete(_)) {
                break;
            }
            run.finish().unwrap();
            // Once more changes nothing, and a stop in between does not matter.
            run.finish().unwrap();
            execute(&mut run, 1).unwrap();
            drop(run);
            let finished = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
            resume(&finished, results.path());
            let what = format!("{games}, finished after {batches} batches");
            assert_same(&whole(&finished), &files(results.path()), &what);
            reached.push(finished.limits.generations.unwrap());
            resume(&long, results.path());
            assert_same(&whole_long, &files(results.path()), &format!("{what}, and prolonged again"));
            batches += 1;
        }
        reached.dedup();
        assert_eq!(reached, [1, 2, 3, 4], "{games}");
    }
}

/// Sizes that follow from the budget are those that the run began with, until the job names others.
#[test]
fn a_larger_budget_keeps_the_sizes_of_the_run() {
    let sized = |budget: u64, sizes: &str| {
        let limit = format!("budget = {budget}");
        let text = crate::fixture::TINY.replace("generations = 3", &limit).replace("verdict = 30\n", sizes);
        crate::fixture::parse(&text.replace("games = 8\n", "").replace("games = 30\n", "")).unwrap()
    };
    let (short, long) = (sized(320, ""), sized(4000, ""));
    assert_eq!((short.finals.verdict, long.finals.verdict), (32, 400));
    let results = TempDir::new().unwrap();
    complete(&short, results.path());
    assert_eq!(resume(&long, results.path()).games, 32);
    let recorded = Job::read(&file(results.path(), "config.toml"), &catalogue()).unwrap();
    assert_eq!((recorded.limits.budget, recorded.finals.verdict), (Some(4000), 32));
    assert_same(&whole(&recorded), &files(results.path()), "prolonged");
}

/// A run may be stopped between the checkpoint that takes it back and the log that follows.
#[test]
fn a_stop_while_a_run_goes_back_does_not_matter() {
    let long = job(&[("generations = 3", "generations = 6")]);
    let results = TempDir::new().unwrap();
    let earlier = complete(&tiny(), results.path());
    let log = file(results.path(), record::LOG);
    let records = fs::read(&log).unwrap();
    let evaluator = threads(&long, 1);
    let run = Run::resume(&long, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.replaced(), Some(&earlier));
    drop(run);
    assert_ne!(fs::read(&log).unwrap(), records);
    fs::write(&log, records).unwrap();
    resume(&long, results.path());
    assert_same(&whole(&long), &files(results.path()), "stopped before its log was cut");
}

#[test]
fn a_complete_run_stays_as_it_is() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let verdict = complete(&job, results.path());
    let before = files(results.path());
    let again = play(Run::resume, &job, &threads(&job, 1), results.path(), 0);
    assert_eq!(again, Ending::Complete(verdict));
    assert_same(&before, &files(results.path()), "resumed");
}

#[test]
fn the_exported_player_can_be_chosen_afterwards() {
    let other = job(&[("[weights]", "[submission]\nname = \"bold\"\n[weights]")]);
    let results = TempDir::new().unwrap();
    complete(&tiny(), results.path());
    play(Run::resume, &other, &threads(&other, 1), results.path(), 0);
    assert_same(&whole(&other), &files(results.path()), "with another submission");
}

#[test]
fn a_run_stopped_before_its_first_checkpoint_starts_again() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    fs::create_dir(results.path().join("tiny")).unwrap();
    fs::write(file(results.path(), "config.toml"), job.to_toml()).unwrap();
    let refused = Run::start(&job, &threads(&job, 1), results.path()).map(|_| ());
    assert!(matches!(refused, Err(RunError::Exists(_))));
    resume(&job, results.path());
    assert_same(&whole(&job), &files(results.path()), "started again");
}

#[test]
fn time_limits_a_search() {
    let job = job(&[("generations = 3", "time = \"50ms\"")]);
    let results = TempDir::new().unwrap();
    let evaluator = threads(&job, 2);
    let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(run.execute(&AtomicBool::new(false), &mut Nobody), Ok(Ending::Complete(_))));
    let searching = run.state().searching_seconds;
    assert!(searching >= 0.05, "{searching}");
    // The last generation began while there was time, to the milliseconds of the table.
    let timing = fs::read_to_string(file(results.path(), "timing.csv")).unwrap();
    let seconds = timing.lines().skip(1).map(|row| row.split(',').nth(2).unwrap().parse().unwrap());
    let seconds: Vec<f64> = seconds.collect();
    if let [.., before, last] = seconds[..] {
        assert!(searching - (last - before) <= 0.051, "{searching} {seconds:?}");
    }
}

#[test]
fn starting_weights_stay_unless_others_are_better() {
    let better = TempDir::new().unwrap();
    let job = job(&[("generations = 3", "generations = 30")]);
    assert!(complete(&job, better.path()).is_improvement());
    let policy =
        |results: &TempDir| crate::job::policy_file::Policy::read(&results.path().join("tiny"), &catalogue()).unwrap();
    assert_ne!(policy(&better).values, job.space.start());

    // This weight bears on nothing.
    let evolve = "include = [\"slope_*\", \"move\", \"steps\", \"polish\", \"heat\"]\nexclude = [\"*_drift\"]";
    let same = crate::fixture::job(&[(evolve, "include = [\"slope_far_drift\"]")]);
    let results = TempDir::new().unwrap();
    let verdict = complete(&same, results.path());
    assert!(!verdict.is_improvement());
    assert!(verdict.to_string().contains("no improvement found"));
    assert_eq!(policy(&results).values, same.space.start());
}
