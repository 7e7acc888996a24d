//! A player's moves in all positions at once.
//!
//! The player is a full-width search, so its result in every position follows from its results in all positions at one
//! move less depth: one pass over the graph for each depth instead of a search for each position.

use super::graph::{Graph, Id};
use policy::king_rook::player::{DRAW, MATE, later, leaf, moves, on_the_way};
use policy::king_rook::position::{Contest, Move, State};
use policy::king_rook::symmetry::Mirror;
use policy::king_rook::weights::Weights;

/// How many moves of White the longest line takes to the mate; [`NEVER`] if some defence escapes.
pub type Length = u32;

/// Black can escape, by a draw or by going round in circles.
pub const NEVER: Length = Length::MAX;

/// The values of all positions with Black to move, by the evaluation alone.
pub fn leaves(graph: &Graph, weights: &Weights) -> Vec<i32> {
    let value = |(id, position): (Id, &Contest)| match graph.state(id) {
        State::Checkmate => MATE,
        State::RookLost | State::Stalemate => DRAW,
        State::Open(replies) => leaf(weights, position, replies),
    };
    (0..).zip(graph.positions()).map(value).collect()
}

/// The values of all positions with Black to move, looked one move of White further ahead than in `values`.
pub fn deeper(graph: &Graph, weights: &Weights, leaves: &[i32], values: &[i32]) -> Vec<i32> {
    let best = |id| graph.white(id).iter().map(|&to| values[to as usize]).max().unwrap_or(DRAW);
    let white: Vec<i32> = (0..values.len() as Id).map(best).collect();
    let value = |id: usize| {
        let worst = graph.black(id as Id).iter().map(|&to| later(white[to as usize])).min();
        worst.map_or(values[id], |worst| on_the_way(weights, worst, leaves[id]))
    };
    (0..values.len()).map(value).collect()
}

/// A player's moves by position.
pub struct Plan {
    /// The place of White's move in the order of [`moves`].
    moves: Vec<u8>,
}

impl Plan {
    /// The moves of the player with these weights that looks `depth` moves ahead.
    pub fn new(graph: &Graph, weights: &Weights, depth: u32) -> Self {
        let leaves = leaves(graph, weights);
        let mut values = leaves.clone();
        for _ in 1..depth {
            values = deeper(graph, weights, &leaves, &values);
        }
        let choose = |id| {
            let rank = |to: Id| (values[to as usize], leaves[to as usize]);
            let numbered = graph.white(id).iter().zip(0..).map(|(&to, number)| (rank(to), number));
            // Of equal moves the first.
            numbered.reduce(|a, b| if b.0 > a.0 { b } else { a }).map_or(0, |(_, number)| number)
        };
        Plan { moves: (0..leaves.len() as Id).map(choose).collect() }
    }

    /// A plan of given moves, by position in standard form, each by its place in the order of [`moves`].
    pub fn of(moves: Vec<u8>) -> Self {
        Plan { moves }
    }

    /// The position after White's move.
    pub fn next(&self, graph: &Graph, id: Id) -> Id {
        graph.white(id)[usize::from(self.moves[id as usize])]
    }

    /// White's move.
    pub fn choose(&self, graph: &Graph, position: &Contest) -> Option<Move> {
        let mirror = Mirror::to_standard(position);
        let number = usize::from(self.moves[graph.id(position) as usize]);
        moves(&mirror.position(position)).nth(number).map(|step| mirror.step(step))
    }

    /// The longest line from each position with White to move.
    pub fn lengths(&self, graph: &Graph) -> Vec<Length> {
        // Depth first with a stack of its own: where a line comes back to itself, Black goes round in circles.
        const UNSEEN: Length = 0;
        const OPEN: Length = Length::MAX - 1;
        let mut lengths = vec![UNSEEN; graph.positions().len()];
        let mut stack: Vec<(Id, usize)> = Vec::new();
        for start in 0..lengths.len() as Id {
            stack.push((start, 0));
            while let Some((id, tried)) = stack.pop() {
                if tried == 0 {
                    if lengths[id as usize] != UNSEEN {
                        continue;
                    }
                    lengths[id as usize] = OPEN;
                }
                let after = self.next(graph, id);
                let replies = graph.black(after);
                // The reply tried last is known by now.
                let escaped = tried > 0 && lengths[replies[tried - 1] as usize] == NEVER;
                if escaped || matches!(graph.state(after), State::RookLost | State::Stalemate) {
                    lengths[id as usize] = NEVER;
                } else if let Some(&reply) = replies.get(tried) {
                    match lengths[reply as usize] {
                        OPEN | NEVER => lengths[id as usize] = NEVER,
                        _ => stack.extend([(id, tried + 1), (reply, 0)]),
                    }
                } else {
                    let longest = replies.iter().map(|&reply| lengths[reply as usize]).max();
                    lengths[id as usize] = longest.unwrap_or(0) + 1;
                }
            }
        }
        lengths
    }
}
