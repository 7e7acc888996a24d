//! Tests that a trial of any program has the right score or a failure with its reason, and that no
//! process remains.

mod common;

use common::{Opened, Place, case, play, played, runs};
use evolve_program::Kept;
use evolve_search::evaluator::{Evaluator, Threads, Values, play_candidate};
use evolve_search::model::problem::{Context, OpenError, Problem, StopFlags};
use evolve_search::model::trial::{FailureKind, PlayError};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns why a program cannot be played.
fn refusal(problem: &dyn Problem, context: Context) -> OpenError {
    problem.open(context).err().expect("it cannot be played")
}

#[test]
fn one_crash_in_fifty_counts_and_the_other_trials_score() {
    let place = Place::new();
    let program = place.script("[ $seed = 7 ] && kill -SEGV $$\necho Score = $((k * 100 + seed))", "on_failure = -1.5");
    for number in 0..50 {
        let outcome = play(&program, &[3.0], &program.case_of(&number.to_string())).unwrap();
        if number == 7 {
            assert_eq!(outcome.score, -1.5);
            let failure = outcome.failure.unwrap();
            assert_eq!((failure.kind, failure.instance.as_deref()), (FailureKind::Signal, Some("7")));
        } else {
            assert_eq!((outcome.score, outcome.failure), (300.0 + number as f64, None));
        }
    }
}

#[test]
fn a_failed_trial_tells_no_metrics() {
    let place = Place::new();
    let script = "[ $seed = 7 ] && exit 1\necho nodes = $((seed + 10)) Score = 5";
    let program = place.script(
        script,
        "on_failure = 0\nscore = 'nodes = (?<nodes>\\d+) Score = (?<score>\\d+)'\ngroup_by = [\"nodes\"]",
    );
    let played = ["6", "7"].map(|seed| play(&program, &[3.0], &program.case_of(seed)).unwrap());
    assert_eq!(played.each_ref().map(|outcome| &outcome.metrics[..]), [&[16.0][..], &[]]);
    assert_eq!(played.each_ref().map(|outcome| outcome.groups.join(" ")), ["16 6", " 7"]);
}

#[test]
fn kinds_of_failures_are_distinguished() {
    for (script, kind, said) in [
        ("exit 3", "exit code", "3"),
        ("echo broken >&2; exit 1", "exit code", "broken"),
        ("kill -ABRT $$", "signal", "SIGABRT"),
        ("sleep 1000", "time limit", "limit 0.300 s"),
        ("yes", "output limit", "standard output"),
        ("yes >&2", "output limit", "standard error"),
        ("echo Result 12", "no score", "no `Score = 123` in the output; it ends with: Result 12"),
        ("echo Score = x", "no score", ""),
        ("echo 'Wrong Answer: tour is open'; echo Score = 0", "wrong answer", "tour is open"),
    ] {
        let place = Place::new();
        // A long time limit ensures that it is not the reason, however slow the machine.
        let timeout = if kind == "time limit" { "300ms" } else { "10m" };
        let program = place.script(script, &format!("on_failure = 0\ntimeout = \"{timeout}\""));
        let outcome = play(&program, &[5.0], &case(0)).unwrap();
        let failure = outcome.failure.unwrap_or_else(|| panic!("{script}: no failure"));
        assert_eq!(failure.kind.to_string(), kind, "{script}: {failure}");
        assert!(failure.message.contains(said), "{script}: {failure}");
        assert_eq!(outcome.score, 0.0);
    }
}

#[test]
fn a_count_of_wrong_answers_is_no_failure() {
    let place = Place::new();
    let program = place.script("echo wrong answers: 0 of 100; echo Score = 7", "");
    assert_eq!(play(&program, &[5.0], &case(0)).unwrap().score, 7.0);
}

#[test]
fn the_last_of_two_scores_counts() {
    let place = Place::new();
    let program = place.script("echo Score = 1; echo Score = 2; echo Score = 3 >&2", "");
    assert_eq!(play(&program, &[5.0], &case(0)).unwrap().score, 2.0);
}

#[test]
fn no_process_remains() {
    let place = Place::new();
    // One process stays in the background, one leaves its group, and the time limit ends a third.
    let script = "sleep 1000 & echo $! > $DIR/a; setsid sleep 1000 & echo $! > $DIR/b\n[ $seed = 1 ] && sleep 1000\n\
                  echo Score = 1";
    let script = place.here(script);
    for (number, timeout) in [(0, "10m"), (1, "10s")] {
        let program = place.script(&script, &format!("on_failure = 0\ntimeout = \"{timeout}\""));
        play(&program, &[5.0], &case(number)).unwrap();
        for file in ["a", "b"] {
            let pid = fs::read_to_string(place.path().join(file)).unwrap();
            assert!(!runs(&pid), "{pid} of trial {number} runs");
        }
    }
}

#[test]
fn a_program_that_vanished_ends_the_run() {
    let place = Place::new();
    place.file("solver", "#!/bin/sh\necho Score = 1\n");
    let solver = place.path().join("solver");
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).unwrap();
    let program = place.program(
        "[program]\ncommand = \"$DIR/solver {k}\"\nseeds = \"0-99\"\non_failure = 0\n[parameters]\nk = { int = [1, 20] }\n",
    );
    assert_eq!(play(&program, &[5.0], &case(0)).unwrap().score, 1.0);
    fs::remove_file(solver).unwrap();
    assert!(play(&program, &[5.0], &case(1)).is_err(), "the run ends");
}

#[test]
fn a_missing_input_is_reported_before_the_first_trial_and_ends_the_run_later() {
    let place = Place::new();
    place.file("solver.sh", "read x; echo Score = $x");
    let job = "[program]\ncommand = \"sh $DIR/solver.sh {k}\"\nstdin = \"$DIR/in/{seed:04}.txt\"\nseeds = \"0-3\"\n\
               split = false\non_failure = 0\n[parameters]\nk = { int = [1, 20] }\n";
    let fault = place.read(job).err().unwrap().to_string();
    assert!(fault.contains("job.toml:3:1: 4 of 4 inputs are missing") && fault.contains("in/0000.txt"), "{fault}");
    for seed in 0..4 {
        place.file(&format!("in/{seed:04}.txt"), &format!("{}\n", seed * 10));
    }
    let program = place.program(job);
    let second = program.case_of("2");
    assert_eq!(play(&program, &[5.0], &second).unwrap().score, 20.0);
    fs::remove_file(place.path().join("in/0002.txt")).unwrap();
    let failure = play(&program, &[5.0], &second).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Input);

    place.file("gen.sh", "mkdir -p $DIR/made; for i in 0 1 2 3; do echo $((i * 20)) > $DIR/made/$i; done");
    let made =
        job.replace("in/{seed:04}.txt", "made/{seed}").replace("[program]", "[program]\nbuild = \"sh $DIR/gen.sh\"");
    assert_eq!(play(&place.program(&made), &[5.0], &second).unwrap().score, 40.0);
    place.file("gen.sh", "rm -r $DIR/made");
    let message = refusal(&*place.read(&made).unwrap(), Context::default()).to_string();
    assert!(message.contains("4 of 4 inputs are missing"), "{message}");
}

#[test]
fn failures_end_the_run_by_default() {
    let place = Place::new();
    let program = place.script("exit 3", "");
    let failure = play(&program, &[5.0], &case(4)).unwrap_err();
    assert!(failure.kind == FailureKind::Exit && failure.message.contains("on_failure"), "{failure}");

    let place = Place::new();
    let program = place.script("exit 3", "on_failure = { default = \"stop\", exit = 7 }");
    assert_eq!(play(&program, &[5.0], &case(0)).unwrap().score, 7.0);
}

#[test]
fn a_failure_is_kept_with_the_command_that_reproduces_it() {
    let place = Place::new();
    let input = place.file("in/a b.txt", "17\n");
    place.file("solver.sh", "read x; echo \"seen $x $1 $EVOLVE_K $(cat $2)\" >&2; exit 4");
    let results = place.path().join("results");
    let program = place.program_with(
        "[program]\ncommand = \"sh $DIR/solver.sh {k} {params}\"\nfiles = \"$DIR/in/*.txt\"\nsplit = false\nenv = { EVOLVE_K = \"{k}\" }\n\
         on_failure = 0\n[parameters]\nk = { int = [1, 20] }\nname = { choice = [\"a\", \"it's\"], start = \"it's\" }\n",
        Context { run_folder: Some(results.clone()), ..Context::default() },
    );
    play(&program, &[5.0, 1.0], &case(0)).unwrap();
    play(&program, &[5.0, 1.0], &case(0)).unwrap();
    let kept: Vec<_> = fs::read_dir(results.join("failures")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1, "the same failure is kept once");
    let read = |name: &str| fs::read_to_string(kept[0].join(name)).unwrap();
    assert_eq!(read("input.txt"), fs::read_to_string(input).unwrap());
    assert_eq!(read("parameters.toml"), "k = 5\nname = \"it's\"\n");
    assert!(read("reason.txt").starts_with("exit code: exit status: 4: seen 17 5 5 "), "{}", read("reason.txt"));
    let first = Kept::first(&results).unwrap();
    assert_eq!((first.kind, &*first.message), (FailureKind::Exit, "exit status: 4"));
    drop(program);
    let again = Command::new("sh").arg(kept[0].join("again.sh")).output().unwrap();
    assert_eq!(again.status.code(), Some(4));
    assert_eq!(String::from_utf8(again.stderr).unwrap(), read("stderr.txt"));
    assert!(read("stderr.txt").contains("seen 17 5 5 {\"k\":5,\"name\":\"it's\"}"), "{}", read("stderr.txt"));
}

#[test]
fn which_failures_are_kept_depends_on_neither_threads_nor_interruptions() {
    let cases: Vec<_> = (0..60).map(case).collect();
    let kept = |threads, interrupted| {
        let place = Place::new();
        // The later the trial, the sooner it ends, so that four threads end trials out of order.
        for batch in cases.chunks(if interrupted { 35 } else { 60 }) {
            let context = Context { run_folder: Some(place.path().to_path_buf()), ..Context::default() };
            let script = "[ $seed -lt 8 ] && sleep 0.0$((8 - seed))\n[ $((seed % 2)) = 0 ] && exit 1; echo none";
            let Opened { problem, session } = place.script_with(script, "on_failure = 0", context);
            let threads = Threads::of_session(&*problem, session, threads).unwrap();
            play_candidate(threads.queue().as_mut(), &Values::from([5.0]), batch).unwrap();
        }
        let kept = fs::read_dir(place.path().join("failures")).unwrap();
        let mut kept: Vec<String> = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        kept.sort();
        kept
    };
    let one = kept(1, false);
    assert_eq!(one.iter().filter(|name| name.starts_with("exit-")).count(), 20);
    assert_eq!(one, kept(4, false));
    assert_eq!(one, kept(4, true));
}

#[test]
fn a_failed_build_shows_its_output() {
    let place = Place::new();
    place.file("build.sh", "echo compiling; echo 'solver.cpp:3: error: no such thing' >&2; exit 2");
    let problem = place
        .read(
            "[program]\nbuild = \"sh $DIR/build.sh\"\ncommand = \"./none {k}\"\n[parameters]\nk = { int = [1, 20] }\n",
        )
        .unwrap();
    let message = refusal(&*problem, Context::default()).to_string();
    assert!(message.contains("compiling") && message.contains("no such thing"), "{message}");
    place.file("build.sh", "true");
    let message = refusal(&*problem, Context::default()).to_string();
    assert!(message.contains("no program `./none`"), "{message}");
}

#[test]
fn a_build_and_a_trial_can_be_stopped() {
    let place = Place::new();
    place.file("build.sh", "echo $$ > $DIR/pid; [ -e $DIR/built ] || sleep 1000");
    place.file("solver.sh", "echo $$ > $DIR/pid; sleep 1000");
    let problem = place
        .read("[program]\nbuild = \"sh $DIR/build.sh\"\ncommand = \"sh $DIR/solver.sh {k}\"\n[parameters]\nk = { int = [1, 20] }\n")
        .unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let context = || Context { stop: StopFlags::all(&stop), ..Context::default() };
    // Set the flag as soon as the process exists.
    let pid = place.path().join("pid");
    let stop_at = |work: &dyn Fn()| {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while fs::read_to_string(&pid).unwrap_or_default().trim().is_empty() {
                    std::thread::yield_now();
                }
                stop.store(true, Ordering::SeqCst);
            });
            work();
            let id = fs::read_to_string(&pid).unwrap();
            assert!(!runs(&id), "{id} runs");
            stop.store(false, Ordering::SeqCst);
        })
    };
    stop_at(&|| match refusal(&*problem, context()) {
        OpenError::Stopped(message) => assert!(message.contains("was stopped"), "{message}"),
        other => panic!("{other}"),
    });
    place.file("built", "");
    fs::remove_file(&pid).unwrap();
    let session = problem.open(context()).unwrap();
    fs::remove_file(&pid).unwrap();
    let program = Opened { problem, session: session.into() };
    stop_at(&|| assert_eq!(played(&program, &[5.0], &case(0)), Err(PlayError::Stopped)));
}

#[test]
fn slots_are_removed() {
    let place = Place::new();
    place.file(
        "solver.sh",
        "[ -e $1/left ] && exit 1; echo $1 > $DIR/slot; touch $1/left; mkdir $1/more; echo Score = 1",
    );
    let program =
        place.program("[program]\ncommand = \"sh $DIR/solver.sh {dir} {k}\"\n[parameters]\nk = { int = [1, 20] }\n");
    for number in 0..3 {
        assert_eq!(play(&program, &[5.0], &case(number)).unwrap().score, 1.0, "files of earlier trials are removed");
    }
    let slot = fs::read_to_string(place.path().join("slot")).unwrap();
    assert!(fs::exists(slot.trim()).unwrap());
    drop(program);
    assert!(!fs::exists(slot.trim()).unwrap());
}
