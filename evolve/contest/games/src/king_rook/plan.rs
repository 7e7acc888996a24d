//! The moves of a player in all positions at once.
//!
//! The player is a full-width search, so its results at one depth follow from its results in all
//! positions at the previous depth: one pass over the graph for each depth replaces a search for
//! each position.

use super::graph::{Graph, Id};
use policy::king_rook::player::{DRAW, MATE, later, leaf, moves, on_the_way};
use policy::king_rook::position::{Contest, Move, State};
use policy::king_rook::symmetry::Mirror;
use policy::king_rook::weights::Weights;

/// The largest number of White's moves until the mate; [`NEVER`] if some defence escapes.
pub type Length = u32;

/// Black can escape, by a draw or by repetition.
pub const NEVER: Length = Length::MAX;

/// Returns the values of all positions with Black to move, by the evaluation alone.
pub fn leaves(graph: &Graph, weights: &Weights) -> Vec<i32> {
    let value = |(id, position): (Id, &Contest)| match graph.state(id) {
        State::Checkmate => MATE,
        State::RookLost | State::Stalemate => DRAW,
        State::Open(replies) => leaf(weights, position, replies),
    };
    (0..).zip(graph.positions()).map(value).collect()
}

/// Returns the values of all positions with Black to move, one move of White deeper than `values`.
pub fn deeper(graph: &Graph, weights: &Weights, leaves: &[i32], values: &[i32]) -> Vec<i32> {
    let best = |id| graph.white(id).iter().map(|&to| values[to as usize]).max().unwrap_or(DRAW);
    let white: Vec<i32> = (0..values.len() as Id).map(best).collect();
    let value = |id: usize| {
        let worst = graph.black(id as Id).iter().map(|&to| later(white[to as usize])).min();
        worst.map_or(values[id], |worst| on_the_way(weights, worst, leaves[id]))
    };
    (0..values.len()).map(value).collect()
}

/// The moves of a player, by position.
pub struct Plan {
    /// The index of White's move in the order of [`moves`].
    moves: Vec<u8>,
}

impl Plan {
    /// Computes the moves of the player with these weights that looks `depth` moves ahead.
    pub fn new(graph: &Graph, weights: &Weights, depth: u32) -> Self {
        let leaves = leaves(graph, weights);
        let mut values = leaves.clone();
        for _ in 1..depth {
            values = deeper(graph, weights, &leaves, &values);
        }
        let choose = |id| {
            let rank = |to: Id| (values[to as usize], leaves[to as usize]);
            let numbered = graph.white(id).iter().zip(0..).map(|(&to, number)| (rank(to), number));
            // Of equal moves, the first one wins.
            numbered.reduce(|a, b| if b.0 > a.0 { b } else { a }).map_or(0, |(_, number)| number)
        };
        Plan { moves: (0..leaves.len() as Id).map(choose).collect() }
    }

    /// Creates a plan from given moves, by position in standard form, each as an index in the order
    /// of [`moves`].
    pub fn of(moves: Vec<u8>) -> Self {
        Plan { moves }
    }

    /// Returns the position after White's move.
    pub fn next(&self, graph: &Graph, id: Id) -> Id {
        graph.white(id)[usize::from(self.moves[id as usize])]
    }

    /// Returns White's move.
    pub fn choose(&self, graph: &Graph, position: &Contest) -> Option<Move> {
        let mirror = Mirror::to_standard(position);
        let number = usize::from(self.moves[graph.id(position) as usize]);
        moves(&mirror.position(position)).nth(number).map(|step| mirror.step(step))
    }

    /// Returns the length of the longest line from each position with White to move.
    pub fn lengths(&self, graph: &Graph) -> Vec<Length> {
        // This is a depth-first search with an explicit stack: if a line returns to itself, Black
        // can repeat positions forever.
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
                // The result of the previous reply is known now.
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
