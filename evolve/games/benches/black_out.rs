//! How fast Black Out goes: `cargo bench --bench black_out`. The weights are the hand-set ones, which lose at times and
//! so play all kinds of games.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evolve::games;
use evolve::games::black_out::oracle::Oracle;
use policy::black_out::weights::Weights;
use std::hint::black_box;

/// Games a second against each quick opponent, on one core.
fn duels(c: &mut Criterion) {
    let game = games::find("black-out").unwrap();
    let player = game.player("greedy", []).unwrap();
    let mut bench = c.benchmark_group("greedy, games");
    for (opponent, name) in [(2, "solving"), (3, "erring"), (4, "greedy"), (5, "random")] {
        let given = [("opponent".to_string(), opponent)];
        let options = evolve::game::Values::check("black-out", game.options(), given).unwrap();
        let arena = game.arena(&options, &player);
        bench.throughput(Throughput::Elements(100));
        bench.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                let mut contestant = arena.contestant(&Weights::DEFAULT.values());
                (0..100).map(|deal| contestant.play(black_box(deal)).score).sum::<f64>()
            });
        });
    }
}

/// The solution of a smaller board; positions a second.
fn oracle(c: &mut Criterion) {
    let mut bench = c.benchmark_group("oracle, positions");
    bench.sample_size(10);
    bench.throughput(Throughput::Elements(1 << 24));
    bench.bench_function("4 x 6", |b| b.iter(|| Oracle::solve(black_box(4), 6)));
}

criterion_group!(benches, duels, oracle);
criterion_main!(benches);
