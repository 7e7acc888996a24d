//! Speed of Gomoku: `cargo bench --bench gomoku`. Rates are games or positions per second on one
//! core, with the weights of the reference run in `results/`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use evolve_games_testing::{Arena, reference, with_player};
use policy::clock::Clock;
use policy::gomoku::board::{CENTRE, Side};
use policy::gomoku::opponent::reply;
use policy::gomoku::position::Position;
use policy::gomoku::search::Search;
use policy::gomoku::weights::Weights;
use std::hint::black_box;

/// Measures simulated games. `each new` creates a contender for every game, which remembers no
/// moves of other games.
fn games(c: &mut Criterion) {
    const GAMES: u64 = 20;
    let policy = reference("gomoku");
    let mut bench = c.benchmark_group("gomoku, games");
    bench.sample_size(10);
    bench.throughput(Throughput::Elements(GAMES));
    let tuned = &*policy.problem;
    for (name, game) in [
        ("greedy", with_player(tuned, "greedy", &[])),
        ("lookahead", with_player(tuned, "lookahead", &[])),
        ("submission", policy.submission.clone()),
    ] {
        let arena = Arena::new(&*game);
        bench.bench_function(BenchmarkId::new(name, "each new"), |b| {
            b.iter(|| (0..GAMES).for_each(|deal| drop(black_box(arena.play_deals(&policy.values, [deal])))));
        });
        let contender = arena.contender(&policy.values);
        let mut contestant = contender.player();
        bench.bench_function(BenchmarkId::new(name, "remembering"), |b| {
            b.iter(|| {
                (0..GAMES).for_each(|deal| drop(black_box(evolve_games_testing::play_deal(&mut *contestant, deal))))
            });
        });
    }
}

/// Measures a greedy move and its reply.
fn moves(c: &mut Criterion) {
    let policy = reference("gomoku");
    let weights = Weights::from_values(policy.values.as_slice().try_into().unwrap());
    let mut player = Search::Greedy.player(weights);
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
