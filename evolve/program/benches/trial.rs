//! Measures the cost of a trial beyond the program's own time. A program that only prints a score
//! is started by bare `fork`, `exec` and `wait`, and played as a trial; a worker that answers at
//! once is asked over bare pipes, and played.

use criterion::{Criterion, criterion_group, criterion_main};
use evolve_core::job::Catalogue;
use evolve_program::PROGRAM;
use evolve_search::document::Document;
use evolve_search::model::problem::{Candidate, Context, Problem, Session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

const PARAMETERS: &str = "[parameters]\nk = { int = [1, 20], start = 5 }\ntemp = { float = [0, 1], start = 0.5 }\n";

/// A line as long as the request of a trial, because `sed -u` reads character by character.
const QUESTION: &str = r#"{"instance":"1234567890","seed":1234567890,"random":1234567890,"params":{"k":5,"temp":0.5}}"#;

/// The arguments of `sed` that answer each line with a line, unbuffered.
const WORDS: [&str; 2] = ["-u", "s/.*/7/"];

/// The numbers of simultaneous trials.
const JOBS: [usize; 2] = [1, 2];

fn program(keys: &str) -> Arc<dyn Problem> {
    let document = Document::new(Path::new("job.toml"), format!("[program]\n{keys}\n{PARAMETERS}"));
    let catalogue = Catalogue::new(&[]).declaring(&PROGRAM);
    catalogue.problem(&document).expect("the job is right")
}

/// Measures `jobs` threads that each call their own closure from `make` repeatedly.
fn timed<T: FnMut()>(bench: &mut criterion::Bencher<'_>, jobs: usize, make: impl Fn() -> T + Sync) {
    bench.iter_custom(|count| {
        let ready = Barrier::new(jobs);
        let work = || {
            let mut once = make();
            // The first request starts a worker.
            once();
            ready.wait();
            let start = Instant::now();
            (0..count).for_each(|_| once());
            start.elapsed()
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().expect("it does not panic")).max().expect("a thread")
        })
    });
}

fn played(bench: &mut criterion::Bencher<'_>, jobs: usize, problem: &dyn Problem) {
    let session = problem.open(Context::default()).expect("the programs are there");
    let session: Arc<dyn Session> = Arc::from(session);
    let parameters = problem.parameters();
    let contender = Arc::clone(&session).contender(Candidate::new(&parameters, &[5.0, 0.5]));
    timed(bench, jobs, || {
        let mut player = contender.player();
        let mut number = 0;
        move || {
            number += 1;
            player.play(&Case { split: Split::Search, number, seed: number }, None).expect("it has a score");
        }
    });
}

fn processes(c: &mut Criterion) {
    for jobs in JOBS {
        let mut group = c.benchmark_group(format!("process, {jobs} at a time"));
        group.bench_function("fork, exec and wait", |bench| {
            let run = || || drop(Command::new("echo").args(["Score = 5 0.5"]).output().expect("echo is there"));
            timed(bench, jobs, run);
        });
        let echo = evolve_process::Program::from_command(["echo", "Score = 5 0.5"]);
        group.bench_function("a supervised process", |bench| {
            timed(bench, jobs, || || drop(echo.run(evolve_process::Stdin::Empty, None).expect("echo is there")));
        });
        let problem = program("command = \"echo 'Score = {k} {temp}'\"");
        group.bench_function("a trial", |bench| played(bench, jobs, &*problem));
        group.finish();
    }
}

/// A process with two pipes that answers each line with a line: `sed`, which exists everywhere.
struct Bare {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    answer: String,
}

impl Bare {
    fn new() -> Self {
        let child = Command::new("sed").args(WORDS).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("sed is there");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("piped")));
        Bare { child, input, output, answer: String::new() }
    }

    fn ask(&mut self) {
        let input = self.input.as_mut().expect("it is there until the end");
        input.write_all(format!("{QUESTION}\n").as_bytes()).expect("written");
        self.answer.clear();
        self.output.read_line(&mut self.answer).expect("read");
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        self.input = None;
        self.child.wait().expect("it ends");
    }
}

fn workers(c: &mut Criterion) {
    for jobs in JOBS {
        let mut group = c.benchmark_group(format!("worker, {jobs} at a time"));
        group.bench_function("a line and its answer", |bench| {
            timed(bench, jobs, || {
                let mut bare = Bare::new();
                move || bare.ask()
            });
        });
        group.bench_function("a supervised line", |bench| {
            timed(bench, jobs, || {
                let mut worker =
                    evolve_process::Program::from_command(["sed"].iter().chain(&WORDS)).start().expect("sed is there");
                let until = || evolve_process::Until::after(Duration::from_secs(60));
                move || drop(worker.ask(QUESTION, until()).expect("an answer"))
            });
        });
        let problem = program("command = [\"sed\", \"-u\", \"s/.*/7/\"]\nworker = true");
        group.bench_function("a trial", |bench| played(bench, jobs, &*problem));
        group.finish();
    }
}

criterion_group!(benches, processes, workers);
criterion_main!(benches);
