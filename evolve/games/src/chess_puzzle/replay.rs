//! Games to be looked at.

use super::deal::Deal;
use super::{ChessPuzzle, outcome, search};
use evolve_core::problem::Candidate;
use evolve_core::replay::{Considered, Face, Place, Replay, Replayable, Split, Step, Why, Without};
use evolve_core::setup::Setup;
use evolve_core::trial::{self, Failure};
use policy::chess_puzzle::beam::{Beam, Settings};
use policy::chess_puzzle::board::{Cell, MOST_LAYERS, Piece};
use policy::chess_puzzle::evaluation::Evaluations;
use policy::chess_puzzle::field::{Field, HIDDEN, Head};
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
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
    let mut player = search.player(&read(values), &position);
    let mut judge = Judge::new(&position, values, search);
    let (rows, columns, layers) = deal.size();
    let start = (0..position.board().cells() as Cell).map(|cell| face(&position, cell)).collect();
    let mut steps = Vec::new();
    while let Some(cell) = player.choose(&Clock::UNLIMITED) {
        let legal = position.legal();
        let why = judge.why(&legal, cell);
        let revealed = deal.click(&mut position, cell).map_or(HIDDEN, |piece| piece as u8);
        player.click(cell, revealed);
        judge.click(cell, revealed);
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

/// What is said where the beam has one line left.
const LEFT_BEHIND: &str = "all other lines were left behind before their ends";
/// What is said where nothing is hidden.
const PLANNED: &str = "nothing is hidden any more: a line to the end of the game was looked for, and this follows it";
/// What is said where the values do not decide alone.
const PLAYED_OUT: &str = "the values are those of the beam; from the clicks that look best games were played out over \
                          sampled completions";
/// What is said where they do not decide.
const OVERRULED: &str = "games played out over sampled completions were clearly better from here than from the click that \
                         looks best, and decided; the values are those of the beam";

/// Tells why a player chose.
struct Judge<'a> {
    field: Field,
    head: Head,
    start: Position,
    values: &'a [f64],
    search: Search,
    /// The evaluations with all weights and without one or all of them, made when they are asked for.
    evaluations: HashMap<Without, Evaluations>,
}

impl<'a> Judge<'a> {
    fn new(start: &Position, values: &'a [f64], search: Search) -> Self {
        let field = Field::new(start);
        Judge { field, head: Head::Start, start: start.clone(), values, search, evaluations: HashMap::new() }
    }

    /// Follows the game.
    fn click(&mut self, cell: Cell, revealed: u8) {
        self.head = Head::At(cell, self.field.top(cell));
        self.field.click(cell, revealed);
    }

    /// The evaluations without what is left out.
    fn evaluations(&mut self, without: Without) -> &Evaluations {
        let Judge { start, values, evaluations, .. } = self;
        let new = || Evaluations::new(&read(&without.of(values)), start.board(), start.layers());
        evaluations.entry(without).or_insert_with(new)
    }

    fn why(&mut self, legal: &[Cell], choice: Cell) -> Why {
        if legal.len() < 2 {
            return Why::only();
        }
        let (beam, note) = match self.search {
            Search::Greedy => (ONE, None),
            Search::Beam(beam) if self.field.hidden() > 0 => (beam, None),
            Search::Sampled { beam, .. } if self.field.hidden() > 0 => (beam, Some(PLAYED_OUT)),
            _ => return Why::decided(PLANNED),
        };
        let (field, head) = (self.field.clone(), self.head);
        let mut found = Beam::default().alternatives(beam, &field, head, self.evaluations(Without::None));
        let Some(place) = found.iter().position(|found| found.first == choice) else {
            // Played out, though the beam left it behind.
            return Why::decided(OVERRULED);
        };
        let is_best = found.iter().all(|other| other.value <= found[place].value);
        let chosen = found.swap_remove(place);
        found.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.first.cmp(&b.first)));
        found.insert(0, chosen);
        let considered = found.iter().map(|found| Considered {
            name: name(&self.start, found.first),
            cells: vec![found.first.into()],
            line: found.path.iter().map(|&cell| name(&self.start, cell)).collect(),
            value: found.value,
        });
        let (mut why, other) = Why::rank(considered.collect(), 0);
        why.note = match (note, other) {
            (_, None) => Some(LEFT_BEHIND),
            (Some(_), _) if !is_best => Some(OVERRULED),
            (note, _) => note,
        }
        .map(String::from);
        let values = self.values;
        why.split = other.map(|other| {
            let (chosen, other) = (&found[0].end, &found[other].end);
            Split::new(values, |without| {
                let evaluations = self.evaluations(without);
                chosen.value(evaluations) - other.value(evaluations)
            })
        });
        why
    }
}

/// One click ahead.
const ONE: Settings = Settings { width: 1, depth: 1 };
