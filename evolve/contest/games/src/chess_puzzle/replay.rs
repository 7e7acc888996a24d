//! Replays of games.

use super::deal::Deal;
use super::{ChessPuzzle, outcome};
use evolve_contest::replay::{Considered, Face, Place, Probes, Replay, Replayable, Step, Why};
use evolve_search::model::problem::{Candidate, Context};
use evolve_search::model::trial::{self, PlayError};
use policy::chess_puzzle::beam::{Beam, Settings};
use policy::chess_puzzle::board::{Cell, MOST_LAYERS, Piece};
use policy::chess_puzzle::evaluation::Evaluations;
use policy::chess_puzzle::field::{Field, HIDDEN, Head};
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::Weights;
use policy::clock::Clock;

impl Replayable for ChessPuzzle {
    fn replay(&self, candidate: Candidate<'_>, deals: &[trial::Case], _: &Context) -> Result<Vec<Replay>, PlayError> {
        let (values, search) = (candidate.values(), self.player.search());
        Ok(deals.iter().map(|deal| replay_deal(&Deal::new(deal.seed), values, search)).collect())
    }
}

fn read(values: &[f64]) -> Weights {
    Weights::from_values(values).expect("a candidate has every declared weight")
}

fn replay_deal(deal: &Deal, values: &[f64], search: Search) -> Replay {
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
            // At the start, every tile is legal.
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

/// Returns an empty cell, then every piece at every height.
fn faces() -> Vec<Face> {
    let stacks = Piece::ALL.into_iter().flat_map(|piece| {
        // The dialogue uses K for the knight.
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

/// Names a cell by row and column, from 1.
fn name(position: &Position, cell: Cell) -> String {
    let columns = position.board().columns();
    format!("r{} c{}", usize::from(cell) / columns + 1, usize::from(cell) % columns + 1)
}

/// The note for a beam with a single line left.
const LEFT_BEHIND: &str = "all other lines were dropped before their ends";
/// The note for a game without hidden tiles.
const PLANNED: &str = "no tile is hidden any more: the click follows a line found to the end of the game";
/// The note for values that do not decide alone.
const PLAYED_OUT: &str = "values of the beam; games were also played out from the best clicks over sampled completions";
/// The note for values that were overruled.
const OVERRULED: &str = "chosen because games played out over sampled completions were clearly better from here than \
    from the click with the best value; values of the beam";

/// Explains the moves of a player.
struct Judge {
    field: Field,
    head: Head,
    start: Position,
    search: Search,
    probes: Probes<Evaluations>,
}

impl Judge {
    fn new(start: &Position, values: &[f64], search: Search) -> Self {
        let evaluations = |values: &[f64]| Evaluations::new(&read(values), start.board(), start.layers());
        let probes = Probes::new(values, evaluations);
        Judge { field: Field::new(start), head: Head::Start, start: start.clone(), search, probes }
    }

    /// Records a click.
    fn click(&mut self, cell: Cell, revealed: u8) {
        self.head = Head::At(cell, self.field.top(cell));
        self.field.click(cell, revealed);
    }

    fn why(&self, legal: &[Cell], choice: Cell) -> Why {
        if legal.len() < 2 {
            return Why::only();
        }
        match self.search {
            Search::Greedy => {
                let chosen = legal.iter().position(|&cell| cell == choice).expect("the chosen move is legal");
                self.probes.why(legal, chosen, |&cell| self.described(cell), |of, &cell| self.value(of, cell))
            }
            Search::Beam(settings) => self.by_beam(settings, legal, choice, None),
            Search::Sampled { .. } if self.field.hidden() == 0 => Why::decided(PLANNED),
            Search::Sampled { beam, .. } => self.by_beam(beam, legal, choice, Some(PLAYED_OUT)),
        }
    }

    fn described(&self, cell: Cell) -> Considered {
        Considered { name: name(&self.start, cell), cells: vec![cell.into()], ..Considered::default() }
    }

    fn value(&self, evaluations: &Evaluations, cell: Cell) -> f64 {
        let field = &self.field;
        let evaluation = evaluations.at(field.left());
        let lost = -f64::from(field.left() - 1);
        let moves = evaluation.moves(field, cell, field.top(cell));
        moves.map_or(lost, |moves| moves + evaluation.change(field, cell))
    }

    /// Explains a choice by the clicks whose lines a beam keeps to their ends, with the line of its
    /// own choice.
    fn by_beam(&self, settings: Settings, legal: &[Cell], choice: Cell, note: Option<&str>) -> Why {
        let mut beam = Beam::default();
        beam.search(settings, &self.field, self.head, self.probes.whole(), &Clock::UNLIMITED);
        let value = |cell: Cell| beam.values()[usize::from(cell)];
        let found: Vec<Cell> = legal.iter().copied().filter(|&cell| value(cell) > f64::NEG_INFINITY).collect();
        let Some(chosen) = found.iter().position(|&cell| cell == choice) else {
            // Simulated games chose this click, although the beam dropped it.
            return Why::decided(OVERRULED);
        };
        let mut line: Vec<Cell> = beam.line().collect();
        let is_best = line.pop() == Some(choice);
        let considered = |&cell: &Cell| Considered {
            line: match cell == choice && is_best {
                true => line.iter().rev().map(|&cell| name(&self.start, cell)).collect(),
                false => Vec::new(),
            },
            value: value(cell),
            ..self.described(cell)
        };
        let note = match note {
            _ if found.len() == 1 => Some(LEFT_BEHIND),
            Some(_) if !is_best => Some(OVERRULED),
            note => note,
        };
        Why { note: note.map(String::from), ..Why::valued(found.iter().map(considered).collect(), chosen) }
    }
}
