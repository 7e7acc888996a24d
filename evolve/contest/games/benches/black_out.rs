//! Speed of Black Out: `cargo bench --bench black_out`. The weights are the hand-set ones, which
//! sometimes lose and so reach all kinds of positions.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evolve_games::black_out::oracle::Oracle;
use evolve_games_testing::{Arena, problem};
use policy::black_out::weights::Weights;
use std::hint::black_box;

/// Measures games per second against each quick opponent, on one core.
fn duels(c: &mut Criterion) {
    let mut bench = c.benchmark_group("greedy, games");
    for name in ["solving", "erring", "greedy", "random"] {
        let arena = Arena::new(&*problem("black-out", &[("opponent", name)]));
        bench.throughput(Throughput::Elements(100));
        bench.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| arena.play_deals(black_box(&Weights::DEFAULT.values()), 0..100));
        });
    }
}

/// Measures the solution of a smaller board, in positions per second.
fn oracle(c: &mut Criterion) {
    let mut bench = c.benchmark_group("oracle, positions");
    bench.sample_size(10);
    bench.throughput(Throughput::Elements(1 << 24));
    bench.bench_function("4 x 6", |b| b.iter(|| Oracle::solve(black_box(4), 6)));
}

criterion_group!(benches, duels, oracle);
criterion_main!(benches);
