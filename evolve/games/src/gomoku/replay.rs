//! Games to be looked at.

use super::duel::{Duel, Ending};
use super::{Entrant, Gomoku, Play, read, search};
use evolve_core::problem::Candidate;
use evolve_core::replay::{Considered, Face, Place, Replay, Replayable, Reply, Split, Step, Why};
use evolve_core::setup::Setup;
use evolve_core::trial::{Deal, Failure};
use policy::gomoku::board::{CELLS, Cell, SIDE, Side, coordinates};
use policy::gomoku::evaluation;
use policy::gomoku::lookahead::Lookahead;
use policy::gomoku::lookahead::lines::{End, Found};
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

/// What the values of a search are.
const EQUAL: &str = "the search holds these moves for equally good; of such moves the largest value by the evaluation \
                     decides";

const SHALLOWER: &str = "the search holds these moves for equally good; of such moves that one comes first which a search \
                         less deep preferred";

fn why(position: &Position, choice: Cell, weights: &[f64], search: Search) -> Why {
    if let Some(cell) = must(position) {
        let wins = position.fives(Side::White).0 == Some(cell);
        return Why::decided(if wins { "completes five in a row" } else { "has to stop five in a row" });
    }
    match search {
        Search::Greedy => {
            let pool: Vec<Cell> = position.near().collect();
            by_evaluation(position, choice, weights, &pool)
        }
        Search::Lookahead(settings) => {
            if let Some(win) = win_by_fours(&mut position.clone()) {
                return Why::decided(format!("a forced win by fours, in {} moves", win.moves));
            }
            by_search(position, choice, weights, Lookahead::new(read(weights), settings))
        }
    }
}

/// The moves of a pool by the evaluation.
fn by_evaluation(position: &Position, choice: Cell, weights: &[f64], pool: &[Cell]) -> Why {
    let Some(chosen) = pool.iter().position(|&cell| cell == choice) else { return Why::only() };
    let value = |values: &[f64], cell: Cell| evaluation::value(position, cell, &read(values));
    let considered = |&cell: &Cell| Considered {
        name: name(cell),
        cells: vec![place(cell)],
        value: value(weights, cell),
        ..Considered::default()
    };
    let (mut why, other) = Why::rank(pool.iter().map(considered).collect(), chosen);
    why.split = other.map(|other| {
        Split::new(weights, |without| {
            let values = without.of(weights);
            value(&values, choice) - value(&values, pool[other])
        })
    });
    why
}

/// The moves of a search: by how their lines end, and where these are equally good by the evaluation, which the search
/// goes through its moves by. No weight has a part in how a fixed line ends.
fn by_search(position: &Position, choice: Cell, weights: &[f64], player: Lookahead) -> Why {
    let found = player.alternatives(position);
    let Some(chosen) = found.iter().position(|found| found.cell == choice) else { return Why::only() };
    let best = found[chosen].value;
    let equal: Vec<Cell> = found.iter().filter(|found| found.value == best).map(|found| found.cell).collect();
    let told = match found[chosen].end {
        End::Won(moves) => format!("wins in {moves} moves at the latest, whatever Black is likely to do"),
        End::Open => "nothing is decided as far as the search looks".to_string(),
        End::Lost(moves) => format!("Black may win after {moves} moves, whatever is played"),
    };
    if equal.len() > 1 {
        let mut why = by_evaluation(position, choice, weights, &equal);
        let is_largest = why.split.as_ref().is_none_or(|split| split.difference >= 0.0);
        why.note = Some(format!("{told}; {}", if is_largest { EQUAL } else { SHALLOWER }));
        return why;
    }
    let considered = |found: &Found| Considered {
        name: name(found.cell),
        cells: vec![place(found.cell)],
        line: found.line.iter().map(|&cell| name(cell)).collect(),
        value: f64::from(found.value),
    };
    let (mut why, other) = Why::rank(found.iter().map(considered).collect(), chosen);
    let scale = "the values are those of the ends: 1000 for a win and -1000 for a loss, less the moves until then";
    why.note = Some(format!("{told}; {scale}"));
    why.split = other.map(|other| Split::new(weights, |_| f64::from(best - found[other].value)));
    why
}
