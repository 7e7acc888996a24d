//! Speed of ChessPuzzle on one core: clicks of the greedy player, clicks considered by a beam, and
//! simulated games, each per second, over the contest's own games 1 to 10 or positions in the
//! middle of them. The weights are those of the reference run in `results/`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evolve_games::chess_puzzle::deal::Deal;
use policy::chess_puzzle::beam::{Beam, Settings};
use policy::chess_puzzle::board::Cell;
use policy::chess_puzzle::evaluation::Evaluations;
use policy::chess_puzzle::field::{Field, HIDDEN, Head};
use policy::chess_puzzle::sampled::{self, play_out};
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::Weights;
use policy::clock::Clock;
use std::hint::black_box;

fn weights() -> Weights {
    Weights::from_values(&evolve_games_testing::reference("chess-puzzle/refined").values).unwrap()
}

/// Plays a game greedily for at most `most` clicks. Returns the clicks, the remaining tiles, and
/// the state of play.
fn play(weights: &Weights, deal: &Deal, most: u32) -> (u32, Field, Head) {
    let mut position = deal.start();
    let mut player = Search::Greedy.player(weights, &position);
    while position.clicks() < most {
        let Some(cell) = player.choose(&Clock::UNLIMITED) else { break };
        let revealed = deal.click(&mut position, cell);
        player.click(cell, revealed.map_or(HIDDEN, |piece| piece as u8));
    }
    let head = position.last().map_or(Head::Start, |(cell, piece)| Head::At(cell, piece as u8));
    (position.clicks(), Field::new(&position), head)
}

/// Returns the contest's own games, half played, each with its evaluations.
fn middles(weights: &Weights) -> Vec<(Field, Head, Evaluations)> {
    let half = |number| {
        let deal = Deal::original(number);
        let position = deal.start();
        let (_, field, head) = play(weights, &deal, position.tiles() / 2);
        (field, head, Evaluations::new(weights, position.board(), position.layers()))
    };
    (1..=10).map(half).collect()
}

fn greedy(c: &mut Criterion) {
    let weights = weights();
    let deals: Vec<Deal> = (1..=10).map(Deal::original).collect();
    let run = |weights: &Weights| deals.iter().map(|deal| play(weights, deal, u32::MAX).0).sum::<u32>();
    let mut bench = c.benchmark_group("chess-puzzle");
    bench.throughput(Throughput::Elements(run(&weights).into()));
    bench.bench_function("greedy, clicks", |b| b.iter(|| run(black_box(&weights))));
}

fn beam(c: &mut Criterion) {
    let middles = middles(&weights());
    let mut beam = Beam::default();
    let mut run = || {
        let before = beam.considered();
        for (field, head, evaluations) in &middles {
            beam.search(Settings { width: 16, depth: 12 }, field, *head, evaluations, &Clock::UNLIMITED);
        }
        beam.considered() - before
    };
    let mut bench = c.benchmark_group("chess-puzzle");
    bench.throughput(Throughput::Elements(run()));
    bench.bench_function("beam 16 x 12, clicks considered", |b| b.iter(&mut run));
}

fn rollouts(c: &mut Criterion) {
    let middles = middles(&weights());
    let run = || {
        let mut left = 0;
        for (field, head, evaluations) in &middles {
            let Head::At(last, piece) = *head else { continue };
            let next = |&&cell: &&Cell| field.height(cell) > 0;
            let Some(&cell) = field.targets(last, piece).iter().find(next) else { continue };
            left += play_out(&mut field.clone(), cell, &sampled::Deal(1), evaluations);
        }
        left
    };
    let mut bench = c.benchmark_group("chess-puzzle");
    bench.throughput(Throughput::Elements(middles.len() as u64));
    bench.bench_function("games played out from the middle", |b| b.iter(|| black_box(run())));
}

criterion_group!(benches, greedy, beam, rollouts);
criterion_main!(benches);
