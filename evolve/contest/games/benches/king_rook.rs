//! Speed of king and rook: `cargo bench --bench king_rook`, on one core.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use evolve_games_testing::{Arena, problem, with_player};
use policy::king_rook::player::Player;
use policy::king_rook::position::Contest;
use policy::king_rook::weights::Weights;

/// Measures the games of one candidate in the arena, including the computation of its plan, in
/// games per second.
fn games_a_candidate(c: &mut Criterion) {
    let mut bench = c.benchmark_group("games");
    bench.sample_size(10);
    for defender in ["mixed", "every"] {
        let game = with_player(&*problem("king-rook", &[("defender", defender)]), "search", &[("depth", 3)]);
        let weights = Weights::DEFAULT.values();
        let arena = Arena::new(&*game);
        bench.throughput(Throughput::Elements(1000));
        // A new contender has no plan yet.
        bench.bench_function(defender, |b| b.iter(|| arena.play_deals(&weights, 0..1000)));
    }
}

/// Measures the first move of a game, which is the slowest, in moves per second.
fn first_moves(c: &mut Criterion) {
    let mut bench = c.benchmark_group("first moves");
    bench.sample_size(10);
    let position = Contest::new(0, 89, 44).unwrap();
    for depth in 1..=4 {
        bench.throughput(Throughput::Elements(1));
        bench.bench_function(format!("depth {depth}"), |b| {
            b.iter_batched_ref(
                || Player::<10, 9>::new(Weights::DEFAULT, depth),
                |player| player.choose(&position),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, games_a_candidate, first_moves);
criterion_main!(benches);
