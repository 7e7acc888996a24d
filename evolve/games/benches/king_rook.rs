//! How fast king and rook goes: `cargo bench --bench king_rook`, on one core.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use evolve::game::Game;
use evolve::games;
use policy::king_rook::player::Player;
use policy::king_rook::position::Contest;
use policy::king_rook::weights::Weights;

fn game() -> &'static dyn Game {
    games::find("king-rook").unwrap()
}

/// Games of one candidate in the arena, the work on its plan included; games a second.
fn games_a_candidate(c: &mut Criterion) {
    let mut bench = c.benchmark_group("games");
    bench.sample_size(10);
    let game = game();
    for (name, defender) in [("mixed", 0), ("every", 5)] {
        let options = [("defender".to_string(), defender)];
        let options = evolve::game::Values::check(game.name(), game.options(), options).unwrap();
        let player = game.player("search", [("depth".to_string(), 3)]).unwrap();
        bench.throughput(Throughput::Elements(1000));
        bench.bench_function(name, |b| {
            b.iter(|| {
                // A new arena remembers no plan.
                let arena = game.arena(&options, &player);
                let mut contestant = arena.contestant(&Weights::DEFAULT.values());
                (0..1000).map(|deal| contestant.play(deal).score).sum::<f64>()
            });
        });
    }
}

/// The first move of a game, which is the slowest; moves a second.
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
