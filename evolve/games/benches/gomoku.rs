//! How fast Gomoku goes: `cargo bench --bench gomoku`. Rates are of games or of positions a second on one core, with the
//! weights of the reference run in `results/`.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evolve::policy_file::Policy;
use policy::clock::Clock;
use policy::gomoku::board::{CENTRE, Side};
use policy::gomoku::opponent::reply;
use policy::gomoku::player::{Greedy, Player};
use policy::gomoku::position::Position;
use policy::gomoku::weights::Weights;
use std::hint::black_box;
use std::path::Path;

fn reference() -> Policy {
    Policy::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/gomoku")).unwrap()
}

/// Simulated games. `each anew` takes a new contestant for every game, which remembers no moves of other games.
fn games(c: &mut Criterion) {
    const GAMES: u64 = 20;
    let policy = reference();
    let mut bench = c.benchmark_group("gomoku, games");
    bench.sample_size(10);
    bench.throughput(Throughput::Elements(GAMES));
    let default = policy.game.player("lookahead", []).unwrap();
    for (name, player) in [
        ("greedy", policy.game.player("greedy", []).unwrap()),
        ("lookahead", default),
        ("submission", policy.submission.clone()),
    ] {
        let arena = policy.game.arena(&policy.options, &player);
        bench.bench_function(BenchmarkId::new(name, "each anew"), |b| {
            b.iter(|| (0..GAMES).for_each(|deal| drop(black_box(arena.contestant(&policy.weights).play(deal)))));
        });
        let mut contestant = arena.contestant(&policy.weights);
        bench.bench_function(BenchmarkId::new(name, "remembering"), |b| {
            b.iter(|| (0..GAMES).for_each(|deal| drop(black_box(contestant.play(deal)))));
        });
    }
}

/// A greedy move and its reply.
fn moves(c: &mut Criterion) {
    let policy = reference();
    let weights = Weights::from_values(policy.weights.as_slice().try_into().unwrap());
    let mut player = Greedy::new(weights);
    let mut position = Position::new();
    position.put(CENTRE, Side::Black);
    for _ in 0..4 {
        position.put(player.choose(&position, &Clock::UNLIMITED).unwrap(), Side::White);
        position.put(reply(&position).unwrap(), Side::Black);
    }
    let mut bench = c.benchmark_group("gomoku, positions");
    bench.throughput(Throughput::Elements(1));
    bench.bench_function("greedy move", |b| b.iter(|| player.choose(black_box(&position), &Clock::UNLIMITED)));
    bench.bench_function("opponent's move", |b| b.iter(|| reply(black_box(&position))));
    bench.bench_function("stone put and taken", |b| {
        let cell = position.first_empty().unwrap();
        b.iter(|| {
            position.put(black_box(cell), Side::White);
            position.take(black_box(cell), Side::White);
        });
    });
}

criterion_group!(benches, games, moves);
criterion_main!(benches);
