//! Tests of trials that stop at a multiple of a rival's score.

mod common;

use common::{Opened, Place, case};
use evolve_search::model::problem::Candidate;
use evolve_search::model::trial::{FailureKind, Outcome};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Plays a trial against a rival with this score, on the logarithmic scale.
fn play(program: &Opened, k: f64, rival: Option<f64>) -> Outcome {
    let (parameters, values) = (program.problem.parameters(), [k]);
    let contender = Arc::clone(&program.session).contender(Candidate::new(&parameters, &values));
    let rival = rival.map(|score| -libm::log(score));
    contender.player().play(&case(0), rival).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_run_time_is_stopped_at_twice_the_rivals() {
    let place = Place::new();
    for (score, script) in [("time", "[ $k = 1 ] || while :; do :; done"), ("wall", "[ $k = 1 ] || exec sleep 1000")] {
        let program = place.script(script, &format!("score = \"{score}\"\ntimeout = \"2m\""));
        assert!(program.problem.behaviour().has_rivals);
        let began = Instant::now();
        let capped = play(&program, 5.0, Some(0.1));
        assert!(began.elapsed() < Duration::from_secs(100), "{score}: {:?}", began.elapsed());
        assert!(capped.capped && (capped.score - 0.2).abs() < 1e-9, "{score}: {capped:?}");
        assert_eq!((capped.failure, capped.objective), (None, -libm::log(capped.score)));
        let fast = play(&program, 1.0, Some(10.0));
        assert!(!fast.capped && fast.score < 20.0, "{fast:?}");
    }
    // A cap above the time limit has no effect: such a trial is a time-out with its penalty.
    let program = place.script("exec sleep 1000", "score = \"wall\"\ntimeout = \"300ms\"");
    for rival in [None, Some(0.2)] {
        let late = play(&program, 5.0, rival);
        assert_eq!((late.score, late.capped, late.failure.unwrap().kind), (3.0, false, FailureKind::Time));
    }
}

#[test]
fn a_count_of_work_stops_at_its_cap() {
    let place = Place::new();
    place.file("solver.sh", "n=$(($1 * 100)); [ $n -lt $2 ] || n=$2; echo \"n = $n of $2\"\n");
    let job = |keys: &str| {
        format!(
            "[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{cap}} {{seed}}\"\nseeds = \"0-49\"\ngoal = \"minimize\"\n\
             scale = \"log\"\nscore = 'n = (?<score>\\d+) of (?<cap>\\d+)'\n{keys}\n[parameters]\nk = {{ int = [1, 20] }}\n"
        )
    };
    let played = |keys: &str, k, rival| {
        let Outcome { score, metrics, capped, failure, .. } = play(&place.program(&job(keys)), k, rival);
        assert_eq!(failure, None);
        (score, metrics[0], capped)
    };
    // Logarithms are not exactly inverted, but the caps of counts are whole.
    assert_eq!(played("", 20.0, Some(301.0)), (602.0, 602.0, true));
    assert_eq!(played("", 5.0, Some(301.0)), (500.0, 602.0, false));
    assert_eq!(played("capping = 1.5", 20.0, Some(301.0)), (452.0, 452.0, true));
    let all = f64::from(i32::MAX);
    assert_eq!(played("", 20.0, None), (2000.0, all, false));
    // A program that stops at the largest cap does not reach its score.
    place.file("solver.sh", "n=$(($1 * 1000000000)); [ $n -lt $2 ] || n=$2; echo \"n = $n of $2\"\n");
    assert_eq!(played("", 2.0, None), (2e9, all, false));
    let clipped = play(&place.program(&job("on_failure = 1e12")), 3.0, None).failure.unwrap();
    assert!(clipped.kind == FailureKind::Score && clipped.message.contains("reaches 2147483647"), "{clipped:?}");
    assert!(place.program(&job("")).problem.behaviour().has_rivals);
    assert!(!place.program(&job("capping = \"off\"")).problem.behaviour().has_rivals);
}

#[test]
fn a_worker_receives_the_cap_with_its_trial() {
    let place = Place::new();
    place.file(
        "worker.py",
        "import json, sys\nfor line in sys.stdin:\n    trial = json.loads(line)\n    \
         print(min(trial[\"params\"][\"k\"] * 100, trial.get(\"cap\", 10**9)), flush=True)\n",
    );
    let job = "[program]\ncommand = \"python3 $DIR/worker.py\"\nworker = true\nseeds = \"0-49\"\ngoal = \"minimize\"\n\
               scale = \"raw\"\ncapping = 3\n[parameters]\nk = { int = [1, 20] }\n";
    let program = place.program(job);
    let parameters = program.problem.parameters();
    let contender = Arc::clone(&program.session).contender(Candidate::new(&parameters, &[20.0]));
    let mut player = contender.player();
    let mut play = |rival| player.play(&case(0), rival).unwrap();
    assert_eq!((play(Some(-300.0)).score, play(Some(-300.0)).capped), (900.0, true));
    assert_eq!((play(None).score, play(None).capped), (2000.0, false));
}

#[test]
fn caps_without_effect_are_refused() {
    let place = Place::new();
    let refused = |command: &str, keys: &str| {
        let job = format!(
            "[program]\ncommand = \"sh -c {command}{{k}}{{seed}}\"\nseeds = \"0-49\"\n{keys}\n\
             [parameters]\nk = {{ int = [1, 20] }}\n"
        );
        place.read(&job).err().unwrap_or_else(|| panic!("{keys} is taken")).to_string()
    };
    let few = "goal = \"minimize\"\nscale = \"log\"\n";
    for (command, keys, what) in [
        ("", format!("{few}capping = 2"), "write `{cap}` in `command`"),
        ("", "capping = 2".to_string(), "only a minimized one has a cap"),
        ("{cap}", String::new(), "only a minimized one has a cap"),
        ("{cap}", format!("{few}capping = 0.5"), "`capping` is 0.5; write a number of 1 or more"),
        ("{cap}", format!("{few}capping = \"of\""), "capping"),
        ("{cap}{x}", format!("{few}[scenarios]\nx = [1, 2]"), "several scenarios"),
        ("", "score = \"time\"\ncapping = 0".to_string(), "`capping` is 0;"),
    ] {
        let message = refused(command, &keys);
        assert!(message.contains(what), "{keys}: {message}");
        assert!(message.contains("job.toml:"), "{message}");
    }
}
