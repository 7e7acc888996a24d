//! Games to be looked at.

use super::duel::{Duel, Ending};
use super::{Entrant, Gomoku, Play, read, search};
use evolve_core::problem::Candidate;
use evolve_core::replay::{Considered, Face, Place, Replay, Replayable, Reply, Split, Step, Why};
use evolve_core::setup::Setup;
use evolve_core::trial::{Deal, Failure};
use policy::gomoku::board::{CELLS, Cell, SIDE, Side, coordinates};
use policy::gomoku::evaluation;
use policy::gomoku::player::must;
use policy::gomoku::position::Position;
use policy::gomoku::search::Search;
use policy::gomoku::threats::win_by_fours;

const EMPTY: u16 = 0;
const BLACK: u16 = 1;
const WHITE: u16 = 2;

impl Replayable for Gomoku {
    fn replay(&self, setup: &Setup, candidate: Candidate<'_>, deals: &[Deal]) -> Result<Vec<Replay>, Failure> {
        let entrant = Entrant { weights: read(candidate.values()), search: search(&setup.player) };
        let mut player = Play::new(entrant.search.player(entrant.weights));
        let replays = deals.iter().map(|deal| {
            let mut duel = Duel::new(deal.seed);
            let mut start = vec![EMPTY; CELLS];
            for cell in (0..CELLS as Cell).filter(|&cell| duel.position().stone(cell) == Some(Side::Black)) {
                start[usize::from(place(cell))] = BLACK;
            }
            let mut steps = Vec::new();
            let outcome = loop {
                if let Some(outcome) = duel.outcome() {
                    break outcome;
                }
                let cell = player.choose(duel.position());
                let why = why(duel.position(), cell, candidate.values(), entrant.search);
                let reply = duel.play(cell);
                steps.push(Step {
                    name: name(cell),
                    cells: vec![place(cell)],
                    changes: vec![(place(cell), WHITE)],
                    reply: reply.map(|reply| Reply {
                        name: name(reply),
                        cells: vec![place(reply)],
                        changes: vec![(place(reply), BLACK)],
                    }),
                    why: Some(why),
                    ..Step::default()
                });
            };
            let ending = match duel.ending() {
                Some(Ending::Won) => format!("won in {} moves", steps.len()),
                Some(Ending::Lost) => format!("lost in {} moves", steps.len()),
                _ => "drawn: the board is full".to_string(),
            };
            Replay {
                look: "stones",
                rows: SIDE,
                columns: SIDE,
                faces: vec![Face::new("", "empty"), Face::new("", "black"), Face::new("", "white")],
                start,
                facts: vec![("player", "White".to_string())],
                parts: Vec::new(),
                steps,
                score: outcome.score,
                ending,
            }
        });
        Ok(replays.collect())
    }
}

/// Where a cell is drawn: x to the right, y upwards.
fn place(cell: Cell) -> Place {
    let (x, y) = coordinates(cell);
    ((SIDE - y) * SIDE + x - 1) as Place
}

fn name(cell: Cell) -> String {
    let (x, y) = coordinates(cell);
    format!("{x},{y}")
}

/// What the values leave out of a search.
const SEARCHED: &str = "the search plays the moves of the largest values on, against every likely reply, and takes the \
                        one that ends best; the values below only say which moves it looks at";

fn why(position: &Position, choice: Cell, weights: &[f64], search: Search) -> Why {
    if let Some(cell) = must(position) {
        let wins = position.fives(Side::White).0 == Some(cell);
        return Why::decided(if wins { "completes five in a row" } else { "has to stop five in a row" });
    }
    let searched = matches!(search, Search::Lookahead(_));
    if searched && let Some(win) = win_by_fours(&mut position.clone()) {
        return Why::decided(format!("a forced win by fours, in {} moves", win.moves));
    }
    let pool: Vec<Cell> = position.near().collect();
    let Some(place_of_choice) = pool.iter().position(|&cell| cell == choice) else { return Why::only() };
    let value = |values: &[f64], cell: Cell| evaluation::value(position, cell, &read(values));
    let considered = |&cell: &Cell| Considered {
        name: name(cell),
        cells: vec![place(cell)],
        value: value(weights, cell),
        ..Considered::default()
    };
    let (mut why, other) = Why::rank(pool.iter().map(considered).collect(), place_of_choice);
    why.note = searched.then(|| SEARCHED.to_string());
    why.split = other.map(|other| {
        Split::new(weights, |without| {
            let values = without.of(weights);
            value(&values, choice) - value(&values, pool[other])
        })
    });
    why
}
