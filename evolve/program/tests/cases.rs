//! Tests of cases: instances, their replicates, inputs and scenarios.

mod common;

use common::{Place, case, play};
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::judgement::measured::{Measured, possible_loss};
use evolve_program::PROGRAM;
use evolve_search::document::Document;
use evolve_search::evaluator::{Evaluator, Threads, Trial, Values};
use evolve_search::model::problem::Context;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, FailureKind, Metrics};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const K: &str = "[parameters]\nk = { int = [1, 20], start = 5 }\n";

#[test]
fn cases_cycle_through_the_instances_of_their_split() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = $2; echo random = $3 >&2; echo \"$2 $3\" >> $DIR/log");
    let program = place.program(&format!(
        "[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}} {{random}}\"\nseeds = \"0-99\"\n{K}"
    ));
    let names = program.problem.instances(Split::Test).unwrap();
    assert_eq!(names.len(), 30);
    for number in [0, 1, 29, 30, 61] {
        let case = Case { split: Split::Test, number, seed: 1000 + number };
        let outcome = play(&program, &[5.0], &case).unwrap();
        assert_eq!(outcome.score.to_string(), names[(number % 30) as usize]);
        assert_eq!(outcome.groups, [outcome.score.to_string()]);
    }
    let log = fs::read_to_string(place.path().join("log")).unwrap();
    let dice: Vec<_> = log.lines().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_ne!(dice[0], dice[3], "another replicate of the instance has other dice");
    assert!(dice.iter().all(|random| random.parse::<i32>().is_ok_and(|random| random >= 0)));
}

#[test]
fn without_instances_seeds_are_unlimited() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = $2");
    let program = place.program(&format!("[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}}\"\n{K}"));
    assert_eq!(program.problem.instances(Split::Search), None);
    let scores: Vec<f64> = (0..5).map(|number| play(&program, &[5.0], &case(number)).unwrap().score).collect();
    assert!((1..5).all(|i| scores[i] != scores[i - 1]), "{scores:?}");
}

#[test]
fn inputs_are_files() {
    let place = Place::new();
    for (name, text) in [("a", "5 3"), ("b", "7 3"), ("c", "9 10")] {
        place.file(&format!("in/{name}.txt"), &format!("{text}\n"));
    }
    place.file("solver.sh", "read x n; echo n = $n Score = $x");
    let program = place.program(&format!(
        "[program]\ncommand = \"sh $DIR/solver.sh {{k}}\"\nfiles = \"$DIR/in/*.txt\"\nsplit = false\n\
         score = 'n = (?<n>\\d+) Score = (?<score>\\d+)'\ngroup_by = [\"n\"]\n{K}"
    ));
    let outcomes = ["a", "b", "c"].map(|name| play(&program, &[5.0], &program.case_of(name)).unwrap());
    assert_eq!(outcomes.each_ref().map(|outcome| outcome.score), [5.0, 7.0, 9.0]);
    let [first, again] = [0, 3].map(|number| play(&program, &[5.0], &case(number)).unwrap().score);
    assert_eq!(first, again, "the list from its start");
    assert_eq!(program.problem.metrics(), Metrics::new(&["n"], &["n", "instance"]));
    assert_eq!((&outcomes[2].metrics[..], &outcomes[2].groups[..]), (&[10.0][..], &["10".into(), "c".into()][..]));
    let text = program.problem.to_toml();
    assert_eq!(place.program(&text).problem.to_toml(), text);
    // A file that matches two patterns is one instance.
    let listed = text.replace("in/*.txt\"", "in/b.txt\", \"$DIR/in/[ab].txt\"]").replace("files = ", "files = [");
    let listed = place.program(&listed);
    let names = listed.problem.instances(Split::Search).unwrap();
    assert_eq!(names.iter().collect::<BTreeSet<_>>(), BTreeSet::from([&"a".to_string(), &"b".to_string()]));
    let again = listed.problem.to_toml();
    assert!(again.contains("files = ["), "{again}");
    assert_eq!(place.program(&again).problem.to_toml(), again);
}

#[test]
fn a_scorer_reads_input_and_output() {
    let place = Place::new();
    place.file("in/0.txt", "40\n");
    place.file("solver.sh", "read x; echo $((x + $1))");
    place.file("vis.sh", "[ -s $1 ] && echo Score = $(($(cat $2) * 2)) >&2");
    let job = format!(
        "[program]\ncommand = \"sh $DIR/solver.sh {{k}}\"\nscorer = \"sh $DIR/vis.sh {{input}} {{output}}\"\n\
         files = \"$DIR/in/*.txt\"\nsplit = false\non_failure = -1\n{K}"
    );
    assert_eq!(play(&place.program(&job), &[2.0], &case(0)).unwrap().score, 84.0);
    place.file("vis.sh", "echo bad tour >&2; exit 1");
    let failure = play(&place.program(&job), &[2.0], &case(0)).unwrap().failure.unwrap();
    assert!(failure.kind == FailureKind::Scorer && failure.message.contains("bad tour"), "{failure}");
}

#[test]
fn a_trial_is_played_in_all_scenarios() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = $(($1 + $2 * 10 + $3 * 100))");
    let program = place.program(&format!(
        "[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{a}} {{b}}\"\nseeds = \"0-2\"\nsplit = false\n{K}\
         [scenarios]\na = [1, 2]\nb = [1, 3]\n"
    ));
    let all = play(&program, &[5.0], &case(0)).unwrap();
    assert_eq!(program.problem.metrics().names, ["a=1 b=1", "a=1 b=3", "a=2 b=1", "a=2 b=3"]);
    assert_eq!(all.metrics, [115.0, 315.0, 125.0, 325.0]);
    assert_eq!(all.score, 220.0);
}

#[test]
fn trials_are_played_in_the_requested_order() {
    let place = Place::new();
    place.file("solver.sh", "echo $1 >> $DIR/played; echo Score = $1");
    let program = place.program(&format!("[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}}\"\n{K}"));
    let threads = Threads::open(&*program.problem, 1, Context::default()).unwrap();
    let candidates = [5.0, 7.0].map(|k| Values::from([k]));
    let order = [0, 1, 1, 0, 0, 1, 1, 0];
    let trials = (0..).zip(order).map(|(i, candidate)| Trial::new(&candidates[candidate], case(i / 2))).collect();
    evolve_search::evaluator::play(threads.queue().as_mut(), trials).unwrap();
    assert_eq!(fs::read_to_string(place.path().join("played")).unwrap(), "5\n7\n7\n5\n5\n7\n7\n5\n");
}

#[test]
fn ratios_compare_with_the_start_on_the_same_case() {
    let place = Place::new();
    place.file("solver.sh", "echo $1 >> $DIR/played; echo Score = $((($1 + 1) * 10))");
    let job = |goal: &str, more: &str| {
        format!(
            "[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}}\"\nscale = \"relative\"\ngoal = \"{goal}\"\n{more}\n{K}"
        )
    };
    let program = place.program(&job("minimize", ""));
    let outcome = play(&program, &[2.0], &case(0)).unwrap();
    assert_eq!((outcome.score, outcome.objective), (30.0, 1.5), "a ratio of 2, bounded");
    assert_eq!(play(&program, &[5.0], &case(0)).unwrap().objective, 1.0);
    assert_eq!(play(&program, &[11.0], &case(0)).unwrap().objective, 0.5);
    assert_eq!(fs::read_to_string(place.path().join("played")).unwrap(), "5\n2\n11\n", "the start is played once");
    assert_eq!(play(&place.program(&job("maximize", "")), &[11.0], &case(0)).unwrap().objective, 1.5);

    place.file("solver.sh", "[ $1 = 5 ] || exit 1; echo Score = 60");
    let outcome = play(&place.program(&job("minimize", "")), &[2.0], &case(0)).unwrap();
    assert_eq!((outcome.score, outcome.objective), (600.0, 0.0), "worst");
    place.file("solver.sh", "exit 1");
    let failure = play(&place.program(&job("minimize", "")), &[2.0], &case(0)).unwrap_err();
    assert!(failure.message.contains("the baseline fails"), "{failure}");

    place.file("solver.sh", "echo Score = 60");
    place.file("best.csv", "instance,score\n7,30\n8,60\n");
    let more = "seeds = \"7-8\"\nsplit = false\n";
    let best = job("minimize", more).replace("\"relative\"", &place.here("{ best = \"$DIR/best.csv\" }"));
    let program = place.program(&best);
    let objectives = ["7", "8"].map(|seed| play(&program, &[5.0], &program.case_of(seed)).unwrap().objective);
    assert_eq!(objectives, [0.5, 1.0]);
}

/// The unit of a score shifts its logarithm, and changes no verdict.
#[test]
fn a_possible_loss_does_not_depend_on_the_unit() {
    let place = Place::new();
    let of = |objectives: [f64; 2], keys| {
        let baseline = objectives.map(|objective| Measured { objective, ..Measured::default() });
        possible_loss(&*place.script("echo Score = 1", keys).problem, &baseline)
    };
    assert_eq!(of([0.1, -0.1], "scale = \"log\""), of([-7.0, -7.2], "scale = \"log\""));
    assert_eq!(of([40.0, 60.0], ""), 50.0);
}

#[test]
fn parameters_reach_the_program_in_every_way() {
    let place = Place::new();
    place.file("solver.sh", "cat $1 >&2; echo \"$AHC_K $LIST $3\" >&2; echo 'Score = 1'; exit 1");
    let program = place.program(
        "[program]\ncommand = \"sh $DIR/solver.sh {params} {args}\"\nenv = { AHC_K = \"{k}\", LIST = \"{list}\" }\n\
         on_failure = 0\n\
         [parameters]\nk = { int = [1, 20], start = 5 }\nmove = { choice = [\"swap\", \"2opt\"] }\n\
         list = { float = [0, 1], count = 2, separator = \" \" }\n",
    );
    let outcome = play(&program, &[5.0, 1.0, 0.25, 1.0], &case(0)).unwrap();
    let said = outcome.failure.unwrap().message;
    for part in ["{\"k\":5,\"move\":\"2opt\",\"list\":[0.25,1.0]}", "5 0.25 1.0 5"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn outcomes_do_not_depend_on_simultaneous_trials() {
    let place = Place::new();
    place.file(
        "solver.sh",
        "[ $(($2 % 5)) = 0 ] && exit 1; echo $(($1 * 7 + $2 + $3 % 1000)) > $4/x; echo Score = $(cat $4/x)",
    );
    let program = place.program(&format!(
        "[program]\ncommand = \"sh $DIR/solver.sh {{k}} {{seed}} {{random}} {{dir}}\"\nseeds = \"0-9\"\nsplit = false\nscale = \"relative\"\n\
         goal = \"minimize\"\non_failure = 5000\n{K}"
    ));
    let candidates: Vec<Values> = (1..=4).map(|k| Values::from([f64::from(k)])).collect();
    let on = |number| candidates.iter().map(move |candidate| Trial::new(candidate, case(number)));
    let trials: Vec<Trial> = (0..10).flat_map(on).collect();
    let play = |threads: usize| {
        let threads = Threads::open(&*program.problem, threads, Context::default()).unwrap();
        let outcomes = evolve_search::evaluator::play(threads.queue().as_mut(), trials.clone()).unwrap();
        outcomes
            .into_iter()
            .map(|outcome| evolve_search::model::trial::Outcome { time: None, started: None, ..outcome })
            .collect::<Vec<_>>()
    };
    let one = play(1);
    assert!(one.iter().any(|outcome| outcome.failure.is_some()) && one.iter().any(|outcome| outcome.failure.is_none()));
    assert_eq!(one, play(4));
}

#[test]
fn values_survive_changes_of_parameters() {
    let place = Place::new();
    place.file("solver.sh", "echo Score = 1");
    let weights = place.file(
        "recommendation.toml",
        "[program]\ncommand = \"gone\"\n[parameters]\nk = { int = [1, 20] }\n[weights]\nk = 12\nold = 3\nmove = \"insert\"\n",
    );
    let job = "name = \"x\"\n[program]\ncommand = \"sh $DIR/solver.sh {args}\"\n[parameters]\nk = { int = [1, 20], start = 5 }\n\
               new = { float = [0, 1], start = 0.5 }\nmove = { choice = [\"swap\", \"2opt\"] }\n\
               [weights]\nstart = \"$DIR/recommendation.toml\"\n[search]\nbudget = 100\n";
    let read = || {
        let document = Document::new(Path::new("job.toml"), place.here(job));
        Job::parse(&document, &Catalogue::new(&[]).declaring(&PROGRAM))
    };
    let start = |job: Job| job.space.start().to_vec();
    assert_eq!(start(read().unwrap_or_else(|fault| panic!("{fault}"))), [12.0, 0.5, 0.0]);
    fs::write(weights, "[weights]\nold = 3\n").unwrap();
    assert!(read().map(start).unwrap_err().to_string().contains("none of these values"));
}
