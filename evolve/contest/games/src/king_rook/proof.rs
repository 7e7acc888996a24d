//! The proof that a policy mates from every position against every defence, by a search of all
//! games.

use super::graph::{Graph, Id, graph};
use super::oracle::{contest, every_position};
use super::plan::{NEVER, Plan};
use evolve_contest::proof::{Proof, Refutation};
use policy::king_rook::board::cells;
use policy::king_rook::dialogue::{reply, start, written};
use policy::king_rook::player::{Player, moves};
use policy::king_rook::position::{Contest, State};
use policy::king_rook::weights::Weights;
use rayon::prelude::*;

/// Asks the player for its move in every position, where one of several mirror images suffices,
/// then follows all lines.
pub fn prove(weights: &Weights, depth: u32) -> Proof {
    let graph = graph();
    let positions = graph.positions();
    // Adjacent positions in the list share most of the player's cache.
    let share = positions.len().div_ceil(rayon::current_num_threads()).max(1);
    let chosen = positions.par_chunks(share).flat_map_iter(|positions| {
        let mut player = Player::new(*weights, depth);
        positions.iter().map(move |position| {
            let step = player.choose(position).expect("White always has a move");
            moves(position).position(|other| other == step).expect("the player's moves are legal") as u8
        })
    });
    judge(graph, &Plan::of(chosen.collect()))
}

/// Follows all lines of a plan.
pub fn judge(graph: &Graph, plan: &Plan) -> Proof {
    let lengths = plan.lengths(graph);
    let starts = || every_position::<10, 9>().filter(|position| !position.is_check());
    let (mut count, mut mated, mut sum, mut longest) = (0u32, 0u32, 0u64, 0);
    let (mut perfect_sum, mut perfect_longest) = (0u64, 0);
    let mut escape = None;
    for position in starts() {
        count += 1;
        let perfect = contest().white_to_move(&position).expect("every position is won");
        perfect_sum += u64::from(perfect);
        perfect_longest = perfect_longest.max(perfect);
        let length = lengths[graph.id(&position) as usize];
        if length == NEVER {
            escape = escape.or(Some(position));
        } else {
            mated += 1;
            sum += u64::from(length);
            longest = longest.max(length);
        }
    }
    let mean = sum as f64 / f64::from(mated.max(1));
    let perfect_mean = perfect_sum as f64 / f64::from(count);
    Proof {
        counts: vec![
            ("positions", f64::from(count)),
            ("mated from", f64::from(mated)),
            ("longest line, moves", f64::from(longest)),
            ("longest of perfect play", f64::from(perfect_longest)),
            ("mean line, moves", mean),
            ("mean of perfect play", perfect_mean),
            ("ratio of the means", mean / perfect_mean),
        ],
        refutation: escape.map(|position| refute(graph, plan, &lengths, position)),
    }
}

/// Returns a line in which Black escapes, from a position where it can.
fn refute(graph: &Graph, plan: &Plan, lengths: &[u32], start_position: Contest) -> Refutation {
    let mut position = start_position;
    let mut line = vec![start(&position)];
    let mut seen: Vec<Id> = Vec::new();
    let escapes = |position: &Contest| lengths[graph.id(position) as usize] == NEVER;
    let reason = loop {
        if seen.contains(&graph.id(&position)) {
            break "the game repeats a position";
        }
        seen.push(graph.id(&position));
        let step = plan.choose(graph, &position).expect("White always has a move");
        position = position.after(step);
        line.push(written(step));
        let replies = match position.state() {
            State::Open(replies) => replies,
            State::Stalemate => break "stalemate",
            State::RookLost => {
                line.push(reply(position.rook));
                break "the rook is lost";
            }
            State::Checkmate => unreachable!("a line that ends in mate is no escape"),
        };
        let next = cells(replies).map(|black| Contest { black, ..position }).find(escapes);
        position = next.expect("Black escapes by one of its moves");
        line.push(reply(position.black));
    };
    Refutation { reason: reason.to_string(), line }
}
