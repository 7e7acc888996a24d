//! The graph of all positions on the contest's board, up to mirror images, and the result of every
//! move.

use super::oracle::every_position;
use policy::king_rook::board::cells;
use policy::king_rook::player::moves;
use policy::king_rook::position::{Contest, State};
use policy::king_rook::symmetry::standard;
use std::sync::OnceLock;

/// The number of a position, which its mirror images share.
pub type Id = u32;

/// The graph, with positions as nodes. Each node stands for White to move as well as for Black to
/// move.
pub struct Graph {
    /// The number of each position by its index in a table of all; [`NONE`] for impossible
    /// placements of the pieces.
    ids: Vec<Id>,
    /// The positions in standard form.
    positions: Vec<Contest>,
    /// The state of each position with Black to move.
    states: Vec<State>,
    white: Edges,
    black: Edges,
}

const NONE: Id = Id::MAX;

/// Concatenated lists of positions.
struct Edges {
    ends: Vec<u32>,
    to: Vec<Id>,
}

impl Edges {
    fn of(&self, id: Id) -> &[Id] {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.to[start as usize..self.ends[id as usize] as usize]
    }

    fn collect(positions: &[Contest], mut list: impl FnMut(usize, &Contest, &mut Vec<Id>)) -> Self {
        let mut edges = Edges { ends: Vec::with_capacity(positions.len()), to: Vec::new() };
        for (id, position) in positions.iter().enumerate() {
            list(id, position, &mut edges.to);
            edges.ends.push(edges.to.len() as u32);
        }
        edges
    }
}

/// Returns the graph, which is computed on the first call.
pub fn graph() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(Graph::new)
}

impl Graph {
    fn new() -> Self {
        let mut ids = vec![NONE; 90 * 90 * 90];
        let mut positions: Vec<Contest> = Vec::new();
        for position in every_position::<10, 9>().filter(|position| standard(position) == *position) {
            ids[position.number()] = positions.len() as Id;
            positions.push(position);
        }
        for position in every_position::<10, 9>() {
            ids[position.number()] = ids[standard(&position).number()];
        }
        let states: Vec<State> = positions.iter().map(Contest::state).collect();
        let id = |position: Contest| ids[position.number()];
        let white = Edges::collect(&positions, |_, position, to| {
            to.extend(moves(position).map(|step| id(position.after(step))));
        });
        let black = Edges::collect(&positions, |i, position, to| {
            if let State::Open(replies) = states[i] {
                to.extend(cells(replies).map(|black| id(Contest { black, ..*position })));
            }
        });
        Graph { ids, positions, states, white, black }
    }

    /// Returns the number of a position.
    pub fn id(&self, position: &Contest) -> Id {
        self.ids[position.number()]
    }

    /// Returns the positions in standard form, by number.
    pub fn positions(&self) -> &[Contest] {
        &self.positions
    }

    /// Returns the state of a position with Black to move.
    pub fn state(&self, id: Id) -> State {
        self.states[id as usize]
    }

    /// Returns the position after each move of White, in the order of [`moves`].
    pub fn white(&self, id: Id) -> &[Id] {
        self.white.of(id)
    }

    /// Returns the position after each move of Black; empty if the game is over or the rook lost.
    pub fn black(&self, id: Id) -> &[Id] {
        self.black.of(id)
    }
}
