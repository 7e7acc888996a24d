//! How fast Solitaire chess goes: `cargo bench`. Rates are of removals or of games a second, on one core where nothing
//! else is said. The weights are those of the reference runs in `results/`.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evolve::config::Job;
use evolve::evaluator::{Evaluator, Threads};
use evolve::game::Arena;
use evolve::judge::referee::Outcome;
use evolve::policy_file::Policy;
use evolve::run::Run;
use evolve::run::watch::Nobody;
use policy::random::SplitMix64;
use policy::solitaire_chess::board::Piece;
use policy::solitaire_chess::groups::{GROUPS, alphabet};
use policy::solitaire_chess::playout::Playouts;
use policy::solitaire_chess::position::Position;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

fn reference(name: &str) -> Policy {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/solitaire-chess");
    Policy::read(&results.join(name)).unwrap()
}

/// An arena for the player `name` with these settings, and the weights to play with.
fn arena(policy: &Policy, name: &str, settings: &[(&str, i64)]) -> Box<dyn Arena> {
    let settings = settings.iter().map(|&(name, value)| (name.to_string(), value));
    let player = policy.game.player(name, settings).unwrap();
    policy.game.arena(&policy.options, &player)
}

fn play(arena: &dyn Arena, weights: &[f64], deals: std::ops::Range<u64>) -> Vec<Outcome> {
    let mut contestant = arena.contestant(weights);
    deals.map(|deal| contestant.play(deal)).collect()
}

/// Random playouts with the exact score; removals a second.
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

/// The greedy player with evolved weights; removals a second.
fn greedy(c: &mut Criterion) {
    let mut bench = c.benchmark_group("greedy, removals");
    for group in [3, 4, 5, 6] {
        let policy = reference(&format!("group-{group}-greedy"));
        let arena = policy.game.arena(&policy.options, &policy.player);
        let removals = |outcome: &Outcome| outcome.parts.iter().find(|(name, _)| *name == "tiles").unwrap().1;
        let all: f64 = play(&*arena, &policy.weights, 0..20).iter().map(removals).sum();
        bench.throughput(Throughput::Elements(all as u64));
        bench.bench_function(BenchmarkId::new("group", group), |b| {
            b.iter(|| play(&*arena, &policy.weights, 0..20));
        });
    }
}

/// The beam with evolved weights; games a second.
fn beam(c: &mut Criterion) {
    let mut bench = c.benchmark_group("beam 10 x 16, games");
    bench.sample_size(20);
    for group in [3, 4, 5, 6] {
        let policy = reference(&format!("group-{group}"));
        let arena = arena(&policy, "beam", &[("width", 10), ("depth", 16)]);
        bench.throughput(Throughput::Elements(8));
        bench.bench_function(BenchmarkId::new("group", group), |b| b.iter(|| play(&*arena, &policy.weights, 0..8)));
    }
}

/// What threads bring: the same games on one and on two.
fn threads(c: &mut Criterion) {
    let mut bench = c.benchmark_group("threads, games");
    let policy = reference("group-6-greedy");
    let candidates = [&policy.weights[..]; 20];
    let deals: Vec<u64> = (0..50).collect();
    bench.throughput(Throughput::Elements((candidates.len() * deals.len()) as u64));
    for threads in [1, 2] {
        let evaluator = Threads::new(arena(&policy, "greedy", &[]), threads).unwrap();
        bench
            .bench_function(BenchmarkId::from_parameter(threads), |b| b.iter(|| evaluator.scores(&candidates, &deals)));
    }
}

/// Candidates and the deals that all of them played.
type Asked = (Vec<Vec<f64>>, Vec<u64>);

/// Notes what was asked for.
struct Recorder<'a> {
    threads: &'a Threads,
    asked: Mutex<Vec<Asked>>,
}

impl Evaluator for Recorder<'_> {
    fn scores(&self, candidates: &[&[f64]], deals: &[u64]) -> Vec<Vec<f64>> {
        let candidates_asked = candidates.iter().map(|weights| weights.to_vec()).collect();
        self.asked.lock().unwrap().push((candidates_asked, deals.to_vec()));
        self.threads.scores(candidates, deals)
    }

    fn parallelism(&self) -> usize {
        self.threads.parallelism()
    }
}

/// What a run of ten seconds adds to its games: genetic algorithm, checkpoints, tables, plots. The games played bare are
/// the measure.
fn overhead(c: &mut Criterion) {
    const JOB: &str = "name = \"bench\"\nseed = 1\n[game]\nname = \"solitaire-chess\"\ngroup = 5\n[player]\nname = \"greedy\"\n\
        [evolution]\npopulation = 40\ngames = 50\ngenerations = 60\n[validation]\nevery = 4\ngames = 30\n\
        [final]\ngames = 30\nverdict = 30\nleaders = 1\n";
    let mut bench = c.benchmark_group("run, games");
    bench.sample_size(10);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("job.toml");
    fs::write(&file, JOB).unwrap();
    let job = Job::read(&file).unwrap();
    let arena = || job.game.arena(&job.options, &job.player);
    let threads = Threads::new(arena(), 1).unwrap();
    let recorder = Recorder { threads: &threads, asked: Mutex::default() };
    let run = |evaluator: &dyn Evaluator| {
        let results = TempDir::new().unwrap();
        Run::start(&job, evaluator, results.path()).unwrap().go(&AtomicBool::new(false), &mut Nobody).unwrap()
    };
    run(&recorder);
    let asked = recorder.asked.into_inner().unwrap();
    let games = asked.iter().map(|(candidates, deals)| candidates.len() * deals.len()).sum::<usize>();
    bench.throughput(Throughput::Elements(games as u64));
    let arena = arena();
    bench.bench_function("bare", |b| {
        b.iter(|| {
            for (candidates, deals) in &asked {
                for candidate in candidates {
                    let mut contestant = arena.contestant(candidate);
                    deals.iter().for_each(|&deal| {
                        black_box(contestant.play(deal));
                    });
                }
            }
        });
    });
    bench.bench_function("run", |b| b.iter(|| run(&threads)));
}

criterion_group!(benches, playouts, greedy, beam, threads, overhead);
criterion_main!(benches);
