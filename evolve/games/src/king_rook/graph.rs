//! All positions of the contest's board up to mirror images, and what every move leads to.

use super::oracle::every_position;
use policy::king_rook::board::cells;
use policy::king_rook::player::moves;
use policy::king_rook::position::{Contest, State};
use policy::king_rook::symmetry::standard;
use std::sync::OnceLock;

/// Number of a position up to mirror images.
pub type Id = u32;

/// Positions as nodes; each stands for White to move as well as for Black to move.
pub struct Graph {
    /// The number of each position by its place in a table of all; [`NONE`] where three pieces cannot stand so.
    ids: Vec<Id>,
    /// The positions in standard form.
    positions: Vec<Contest>,
    /// State of each position with Black to move.
    states: Vec<State>,
    white: Edges,
    black: Edges,
}

const NONE: Id = Id::MAX;

/// Lists of numbers, one after the other.
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

/// The graph; made when it is first asked for.
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

    /// The number of a position.
    pub fn id(&self, position: &Contest) -> Id {
        self.ids[position.number()]
    }

    /// The positions in standard form, by number.
    pub fn positions(&self) -> &[Contest] {
        &self.positions
    }

    /// The state of a position with Black to move.
    pub fn state(&self, id: Id) -> State {
        self.states[id as usize]
    }

    /// The position after each move of White, in the order of [`moves`].
    pub fn white(&self, id: Id) -> &[Id] {
        self.white.of(id)
    }

    /// The position after each move of Black, unless the game is over or the rook lost.
    pub fn black(&self, id: Id) -> &[Id] {
        self.black.of(id)
    }
}
