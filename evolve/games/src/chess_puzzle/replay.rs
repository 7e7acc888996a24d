//! Games to be looked at.

use super::deal::Deal;
use super::{ChessPuzzle, outcome, search};
use evolve_core::problem::Candidate;
use evolve_core::replay::{Considered, Face, Place, Replay, Replayable, Split, Step, Why, Without};
use evolve_core::setup::Setup;
use evolve_core::trial::{self, Failure};
use policy::chess_puzzle::board::{Cell, MOST_LAYERS, Piece};
use policy::chess_puzzle::evaluation::Evaluations;
use policy::chess_puzzle::field::{Field, HIDDEN};
use policy::chess_puzzle::player::{GREEDY, Player, Search};
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::weights::Weights;
use policy::clock::Clock;
use std::collections::HashMap;

impl Replayable for ChessPuzzle {
    fn replay(&self, setup: &Setup, candidate: Candidate<'_>, deals: &[trial::Deal]) -> Result<Vec<Replay>, Failure> {
        let (values, search) = (candidate.values(), search(&setup.player));
        Ok(deals.iter().map(|deal| play(&Deal::new(deal.seed), values, search)).collect())
    }
}

fn read(values: &[f64]) -> Weights {
    Weights::from_values(values).expect("a candidate has every declared weight")
}

fn play(deal: &Deal, values: &[f64], search: Search) -> Replay {
    let mut position = deal.start();
    let mut player = Player::new(&read(values), search, &position);
    let mut judge = Judge::new(&position, values, search);
    let (rows, columns, layers) = deal.size();
    let start = (0..position.board().cells() as Cell).map(|cell| face(&position, cell)).collect();
    let mut steps = Vec::new();
    while let Some(cell) = player.choose(&Clock::UNLIMITED) {
        let legal = position.legal();
        let why = judge.why(&legal, cell);
        let revealed = deal.click(&mut position, cell).map_or(HIDDEN, |piece| piece as u8);
        player.click(cell, revealed);
        judge.field.click(cell, revealed);
        steps.push(Step {
            name: name(&position, cell),
            cells: vec![cell.into()],
            // At the start every tile is legal.
            legal: if steps.is_empty() { Vec::new() } else { legal.into_iter().map(Place::from).collect() },
            changes: vec![(cell.into(), face(&position, cell))],
            totals: vec![position.score()],
            why: Some(why),
            ..Step::default()
        });
    }
    Replay {
        look: "stacks",
        rows,
        columns,
        faces: faces(),
        start,
        facts: vec![("board", format!("{rows} x {columns}")), ("layers", layers.to_string())],
        parts: vec!["tiles gone"],
        steps,
        score: outcome(&position).score,
        ending: match position.tiles() - position.clicks() {
            0 => "every tile is gone".to_string(),
            left => format!("stuck with {left} of {} tiles left", position.tiles()),
        },
    }
}

/// An empty cell, then every piece at every height.
fn faces() -> Vec<Face> {
    let stacks = Piece::ALL.into_iter().flat_map(|piece| {
        // The dialogue calls the knight K.
        let text = if piece == Piece::Knight { 'N' } else { piece.letter() };
        (1..=MOST_LAYERS).map(move |count| Face { text: text.to_string(), kind: "stack", count })
    });
    std::iter::once(Face::new("", "empty")).chain(stacks).collect()
}

fn face(position: &Position, cell: Cell) -> u16 {
    match position.top(cell) {
        Some(piece) => 1 + (piece as usize * MOST_LAYERS + position.height(cell) - 1) as u16,
        None => 0,
    }
}

/// A cell by row and column from 1.
fn name(position: &Position, cell: Cell) -> String {
    let columns = position.board().columns();
    format!("r{} c{}", usize::from(cell) / columns + 1, usize::from(cell) % columns + 1)
}

/// What the values leave out of a search.
const SEARCHED: &str = "the search looked further ahead than this one click; the values below are those of the click by \
                        itself, as the greedy player sees it";

/// Tells why a player chose.
struct Judge<'a> {
    field: Field,
    start: Position,
    values: &'a [f64],
    searched: bool,
    /// The evaluations with all weights and without one or all of them, made when they are asked for.
    evaluations: HashMap<Without, Evaluations>,
}

impl<'a> Judge<'a> {
    fn new(start: &Position, values: &'a [f64], search: Search) -> Self {
        Judge {
            field: Field::new(start),
            start: start.clone(),
            values,
            searched: search != GREEDY,
            evaluations: HashMap::new(),
        }
    }

    /// The value of a click as the greedy player sees it.
    fn value(&mut self, cell: Cell, without: Without) -> f64 {
        let Judge { field, start, values, evaluations, .. } = self;
        let evaluations = evaluations
            .entry(without)
            .or_insert_with(|| Evaluations::new(&read(&without.of(values)), start.board(), start.layers()));
        let evaluation = evaluations.at(field.left());
        match evaluation.moves(field, cell, field.top(cell)) {
            Some(moves) => evaluation.change(field, cell) + moves,
            None => -f64::from(field.left() - 1),
        }
    }

    fn why(&mut self, legal: &[Cell], choice: Cell) -> Why {
        let Some(place) = legal.iter().position(|&cell| cell == choice).filter(|_| legal.len() > 1) else {
            return Why::only();
        };
        let considered = legal.iter().map(|&cell| Considered {
            name: name(&self.start, cell),
            cells: vec![cell.into()],
            value: self.value(cell, Without::None),
            ..Considered::default()
        });
        let (mut why, other) = Why::rank(considered.collect(), place);
        why.note = self.searched.then(|| SEARCHED.to_string());
        let values = self.values;
        why.split = other
            .map(|other| Split::new(values, |without| self.value(choice, without) - self.value(legal[other], without)));
        why
    }
}
