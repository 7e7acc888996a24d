//! Tests that a parameter whose condition is false does not reach the program.

mod common;

use common::{Place, case, play};
use evolve_program::Program;
use evolve_program::format::Format;
use evolve_search::model::trial::Outcome;
use std::fs;

/// `b` needs `a`, and `c` needs `b`, whose start value alone would activate it.
const PARAMETERS: &str = "[parameters]\na = { bool = true, start = false }\n\
    b = { int = [1, 9], start = 5, condition = \"a == true\" }\n\
    c = { float = [0, 1], start = 0.5, count = 2, condition = \"b > 3\" }\n\
    d = { bool = true, start = true, condition = \"a == true\" }\n";

const ACTIVE: [f64; 5] = [1.0, 7.0, 0.25, 0.75, 1.0];
const INACTIVE: [f64; 5] = [0.0, 5.0, 0.5, 0.5, 1.0];

/// Plays a trial of a program that prints its arguments and variables, and returns these lines.
fn seen(keys: &str, values: [f64; 5]) -> String {
    let place = Place::new();
    place.file(
        "solver.sh",
        "{ echo \"$@\"; env | grep ^SEEN_ | sort; for file in \"$@\"; do [ -f \"$file\" ] && cat \"$file\"; done; } > $DIR/seen\n\
         echo Score = 1",
    );
    let program = place.program(&format!("[program]\n{keys}\n{PARAMETERS}"));
    let outcome = play(&program, &values, &case(0)).unwrap();
    assert_eq!(outcome.failure, None);
    fs::read_to_string(place.path().join("seen")).unwrap()
}

#[test]
fn arguments_of_inactive_parameters_are_left_out() {
    let all = "command = \"sh $DIR/solver.sh {args}\"";
    assert_eq!(seen(all, ACTIVE), "--a true --b 7 --c 0.25,0.75 --d true\n");
    assert_eq!(seen(all, INACTIVE), "--a false\n");
    let named = "command = \"sh $DIR/solver.sh {a} {b:--b} {c:--c=} {d:--d} {b} end\"";
    assert_eq!(seen(named, ACTIVE), "true --b 7 --c=0.25,0.75 --d 7 end\n");
    assert_eq!(seen(named, INACTIVE), "false 5 end\n", "a single value keeps its place");
}

#[test]
fn variables_and_files_leave_inactive_parameters_out() {
    let env = "command = \"sh $DIR/solver.sh\"\n\
        env = { SEEN_A = \"{a}\", SEEN_B = \"{b}\", SEEN_C = \"{c}\", SEEN_D = \"{d:--d}\", SEEN_E = \"{b:--b} e\" }";
    assert_eq!(seen(env, ACTIVE), "\nSEEN_A=true\nSEEN_B=7\nSEEN_C=0.25,0.75\nSEEN_D=--d\nSEEN_E=--b 7 e\n");
    assert_eq!(seen(env, INACTIVE), "\nSEEN_A=false\nSEEN_E= e\n");
    // Neither do variables of the user's shell: a test of this folder never has a variable HOME of
    // its own.
    let inherited =
        "command = \"sh -c 'echo $HOME > $DIR/seen; echo Score = 1' {a} {c} {d}\"\nenv = { HOME = \"{b}\" }";
    assert_eq!([ACTIVE, INACTIVE].map(|values| seen(inherited, values)), ["7\n", "\n"]);
    let file = |values| {
        let seen = seen("command = \"sh $DIR/solver.sh {params}\"", values);
        seen.lines().nth(1).unwrap().to_string()
    };
    assert_eq!(file(ACTIVE), r#"{"a":true,"b":7,"c":[0.25,0.75],"d":true}"#);
    assert_eq!(file(INACTIVE), r#"{"a":false}"#);
}

#[test]
fn workers_receive_active_parameters() {
    let place = Place::new();
    place.file("worker.sh", "while read -r line; do echo \"$line\" >> $DIR/seen; echo 1; done");
    let program = place.program(&format!("[program]\ncommand = \"sh $DIR/worker.sh\"\nworker = true\n{PARAMETERS}"));
    for values in [ACTIVE, INACTIVE] {
        assert_eq!(play(&program, &values, &case(0)).map(|Outcome { score, .. }| score), Ok(1.0));
    }
    let seen = fs::read_to_string(place.path().join("seen")).unwrap();
    let params: Vec<&str> = seen.lines().filter_map(|line| Some(line.split_once("\"params\":")?.1)).collect();
    assert_eq!(params, [r#"{"a":true,"b":7,"c":[0.25,0.75],"d":true}}"#, r#"{"a":false}}"#]);
}

#[test]
fn exported_values_are_as_the_program_receives_them() {
    let exported = |command: &str, format| {
        let place = Place::new();
        place.file("solver.sh", "");
        let job = format!("[program]\ncommand = \"sh $DIR/solver.sh {command}\"\n{PARAMETERS}");
        let problem = place.read(&job).unwrap_or_else(|fault| panic!("{fault}"));
        let program = Program::of(&*problem).unwrap();
        [ACTIVE, INACTIVE].map(|values| program.format(format, &values).unwrap())
    };
    let named = "{a} {b:--b} {c:--c=} {d:--d}";
    assert_eq!(exported(named, Format::Args), ["true --b 7 --c=0.25,0.75 --d\n", "false\n"]);
    assert_eq!(exported("{b:--b} {a:--a} {c:--c} {d:--d}", Format::Args)[1], "\n");
    assert_eq!(exported("{args}", Format::Args)[1], "--a false\n");
    let json = |values: &str| values.parse::<serde_json::Value>().unwrap();
    let [active, inactive] = exported("{args}", Format::Json);
    assert_eq!(json(&active), json(r#"{"a":true,"b":7,"c":[0.25,0.75],"d":true}"#));
    assert_eq!(json(&inactive), json(r#"{"a":false}"#));
    // A constant has to exist.
    assert!(exported("{args}", Format::C)[1].contains("const int b = 5;"));
}
