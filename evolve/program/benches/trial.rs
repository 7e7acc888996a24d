//! What a trial costs beyond the program's own time: a program that does nothing but print a score, started by bare
//! `fork`, `exec` and `wait` and played as a trial, and a worker that answers at once, asked over bare pipes and played.

use criterion::{Criterion, criterion_group, criterion_main};
use evolve_core::document::Document;
use evolve_core::problem::{Candidate, Catalogue, Problem};
use evolve_core::seed::Purpose;
use evolve_core::setup::Setup;
use evolve_core::source::Source;
use evolve_core::trial::Deal;
use evolve_program::PROGRAM;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const PARAMETERS: &str = "[parameters]\nk = { int = [1, 20], start = 5 }\ntemp = { float = [0, 1], start = 0.5 }\n";

/// As long as what a trial asks: `sed -u` reads letter by letter.
const QUESTION: &str = r#"{"instance":"1234567890","seed":1234567890,"random":1234567890,"params":{"k":5,"temp":0.5}}"#;

fn program(keys: &str) -> &'static dyn Problem {
    let document = Document::new(Path::new("job.toml"), format!("[program]\n{keys}\n{PARAMETERS}"));
    let catalogue = Catalogue::new(&[]).declaring(&PROGRAM);
    let source = document.parse("a job", |top| Source::read(top, &catalogue)).expect("the job is right");
    source.problem.prepare(&Setup::default()).expect("the programs are there");
    source.problem
}

fn played(bench: &mut criterion::Bencher<'_>, problem: &'static dyn Problem) {
    let (parameters, setup) = (problem.parameters(), Setup::default());
    let contender = problem.contender(&setup, Candidate::new(&parameters, &[5.0, 0.5]));
    let mut player = contender.player();
    let mut number = 0;
    bench.iter(|| {
        number += 1;
        player.play(&Deal { purpose: Purpose::Training, number, seed: number }).expect("it has a score")
    });
    problem.release();
}

fn processes(c: &mut Criterion) {
    let mut group = c.benchmark_group("process");
    group.bench_function("fork, exec and wait", |bench| {
        bench.iter(|| Command::new("echo").args(["Score = 5 0.5"]).output().expect("echo is there"));
    });
    let echo = evolve_process::Program::from_command(["echo", "Score = 5 0.5"]);
    group.bench_function("a supervised process", |bench| {
        bench.iter(|| echo.run(evolve_process::Input::Empty, None).expect("echo is there"));
    });
    let problem = program("command = \"echo 'Score = {k} {temp}'\"");
    group.bench_function("a trial", |bench| played(bench, problem));
    group.finish();
}

fn workers(c: &mut Criterion) {
    let mut group = c.benchmark_group("worker");
    // A line for a line, unbuffered: `sed` is everywhere.
    let words = ["-u", "s/.*/7/"];
    group.bench_function("a line and its answer", |bench| {
        let child = Command::new("sed").args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("sed is there");
        let (mut input, mut output) =
            (child.stdin.take().expect("piped"), BufReader::new(child.stdout.take().expect("piped")));
        let mut answer = String::new();
        bench.iter(|| {
            input.write_all(format!("{QUESTION}\n").as_bytes()).expect("written");
            answer.clear();
            output.read_line(&mut answer).expect("read")
        });
        drop(input);
        child.wait().expect("it ends");
    });
    group.bench_function("a supervised line", |bench| {
        let mut worker =
            evolve_process::Program::from_command(["sed"].iter().chain(&words)).start().expect("sed is there");
        let until = || evolve_process::Until::after(std::time::Duration::from_secs(60));
        bench.iter(|| worker.ask(QUESTION, until()).expect("an answer"));
    });
    let problem = program("command = [\"sed\", \"-u\", \"s/.*/7/\"]\nworker = true");
    group.bench_function("a trial", |bench| played(bench, problem));
    group.finish();
}

criterion_group!(benches, processes, workers);
criterion_main!(benches);
