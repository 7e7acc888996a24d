//! Speed of Solitaire chess: `cargo bench`. Rates are removals or games per second, on one core
//! unless stated. The weights are those of the reference runs in `results/`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evolve_core::job::Job;
use evolve_core::job::policy_file::Policy;
use evolve_core::run::{Nobody, Run};
use evolve_games_testing::{Arena, with_player};
use evolve_search::document::Document;
use evolve_search::evaluator::{Evaluator, Queue, Threads, Trial, Values, play};
use evolve_search::model::problem::{Context, Input};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Outcome, PlayError};
use policy::random::SplitMix64;
use policy::solitaire_chess::board::Piece;
use policy::solitaire_chess::groups::{GROUPS, alphabet};
use policy::solitaire_chess::playout::Playouts;
use policy::solitaire_chess::position::Position;
use std::collections::VecDeque;
use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

fn reference(name: &str) -> Policy {
    evolve_games_testing::reference(&format!("solitaire-chess/{name}"))
}

/// Measures random playouts with exact scores, in removals per second.
fn playouts(c: &mut Criterion) {
    let mut bench = c.benchmark_group("playouts, removals");
    for group in [3, 4, 5, 6] {
        let mut random = SplitMix64::new(1);
        let types = GROUPS[group - 1];
        let starts: Vec<Playouts> = (0..100)
            .map(|_| {
                let shown: [Piece; 64] = std::array::from_fn(|_| types[random.below(types.len() as u32) as usize]);
                Playouts::new(&Position::new(|tile| shown[tile as usize]), alphabet(group))
            })
            .collect();
        let run = |seed: u64| {
            let (mut removals, mut points) = (0, 0);
            for playouts in &starts {
                playouts.play_all(seed..seed + 10, |_, ending| {
                    removals += u64::from(ending.removals);
                    points += u64::from(ending.points);
                });
            }
            (removals, points)
        };
        bench.throughput(Throughput::Elements(run(1).0));
        bench.bench_function(BenchmarkId::new("group", group), |b| b.iter(|| run(black_box(1))));
    }
}

/// Measures the greedy player with tuned weights, in removals per second.
fn greedy(c: &mut Criterion) {
    let mut bench = c.benchmark_group("greedy, removals");
    for group in [3, 4, 5, 6] {
        let policy = reference(&format!("group-{group}-greedy"));
        let arena = Arena::new(&*policy.problem);
        let removals = |outcome: &Outcome| outcome.metrics[0];
        let all: f64 = arena.play_deals(&policy.values, 0..20).iter().map(removals).sum();
        bench.throughput(Throughput::Elements(all as u64));
        bench.bench_function(BenchmarkId::new("group", group), |b| {
            b.iter(|| arena.play_deals(&policy.values, 0..20));
        });
    }
}

/// Measures the beam with tuned weights, in games per second.
fn beam(c: &mut Criterion) {
    let mut bench = c.benchmark_group("beam 10 x 16, games");
    bench.sample_size(20);
    for group in [3, 4, 5, 6] {
        let policy = reference(&format!("group-{group}"));
        let arena = Arena::new(&*with_player(&*policy.problem, "beam", &[("width", 10), ("depth", 16)]));
        bench.throughput(Throughput::Elements(8));
        bench.bench_function(BenchmarkId::new("group", group), |b| b.iter(|| arena.play_deals(&policy.values, 0..8)));
    }
}

/// Measures the speed-up by threads: the same games on one and two threads.
fn threads(c: &mut Criterion) {
    let mut bench = c.benchmark_group("threads, games");
    let policy = reference("group-6-greedy");
    let game = with_player(&*policy.problem, "greedy", &[]);
    let candidates: Vec<Values> = (0..20).map(|_| policy.values.as_slice().into()).collect();
    let deals = Case::first(1, Split::Measurement, 50);
    let on = |&deal: &Case| candidates.iter().map(move |candidate| Trial::new(candidate, deal));
    let trials: Vec<Trial> = deals.iter().flat_map(on).collect();
    bench.throughput(Throughput::Elements(trials.len() as u64));
    for threads in [1, 2] {
        let evaluator = Threads::open(&*game, threads, Context::default()).unwrap();
        bench.bench_function(BenchmarkId::from_parameter(threads), |b| {
            b.iter(|| play(&mut *evaluator.queue(), trials.clone()));
        });
    }
}

/// Records the trials of each batch.
struct Recorder<'a> {
    threads: &'a Threads,
    played: Mutex<Vec<Vec<Trial>>>,
}

struct RecorderQueue<'a> {
    inner: Box<dyn Queue + 'a>,
    trials: VecDeque<Trial>,
    played: &'a Mutex<Vec<Vec<Trial>>>,
}

impl Evaluator for Recorder<'_> {
    fn queue(&self) -> Box<dyn Queue + '_> {
        Box::new(RecorderQueue { inner: self.threads.queue(), trials: VecDeque::new(), played: &self.played })
    }

    fn inputs(&self) -> &[Input] {
        self.threads.inputs()
    }

    fn parallelism(&self) -> usize {
        self.threads.parallelism()
    }
}

impl Queue for RecorderQueue<'_> {
    fn push(&mut self, trials: Vec<Trial>) {
        self.trials.extend(trials.iter().cloned());
        self.inner.push(trials);
    }

    fn pop(&mut self, count: usize) -> Result<Vec<Outcome>, PlayError> {
        let mut trials: Vec<Trial> = self.trials.drain(..count).collect();
        trials.sort_by_key(|trial| trial.candidate.as_ptr());
        self.played.lock().unwrap().push(trials);
        self.inner.pop(count)
    }
}

/// Measures the overhead of a run of ten seconds: optimizer, checkpoints and tables, relative to
/// the games alone.
fn overhead(c: &mut Criterion) {
    const JOB: &str = "name = \"bench\"\nseed = 1\n[game]\nname = \"solitaire-chess\"\ngroup = 5\n[player]\nname = \"greedy\"\n\
        [search]\noptimizer = \"genetic\"\npopulation = 40\ntrials = 50\ngenerations = 60\nvalidation = 30\n\
        selection = 30\ntest = 30\n";
    let mut bench = c.benchmark_group("run, games");
    bench.sample_size(10);
    let job = Job::parse(&Document::new(Path::new("job.toml"), JOB.to_string()), &evolve_games_testing::catalogue())
        .unwrap_or_else(|fault| panic!("{fault}"));
    let threads = Threads::open(&*job.problem, 1, Context::default()).unwrap();
    let recorder = Recorder { threads: &threads, played: Mutex::default() };
    let run = |evaluator: &dyn Evaluator| {
        let results = TempDir::new().unwrap();
        Run::start(&job, evaluator, results.path()).unwrap().execute(&AtomicBool::new(false), &mut Nobody).unwrap()
    };
    run(&recorder);
    let played = recorder.played.into_inner().unwrap();
    bench.throughput(Throughput::Elements(played.iter().map(|trials| trials.len() as u64).sum()));
    let arena = Arena::new(&*job.problem);
    bench.bench_function("bare", |b| {
        b.iter(|| {
            for trials in &played {
                for of_candidate in trials.chunk_by(Trial::is_of_same) {
                    let seeds = of_candidate.iter().map(|trial| trial.case.seed);
                    black_box(arena.play_deals(&of_candidate[0].candidate, seeds));
                }
            }
        });
    });
    bench.bench_function("run", |b| b.iter(|| run(&threads)));
}

criterion_group!(benches, playouts, greedy, beam, threads, overhead);
criterion_main!(benches);
