//! Replays of games.

use super::duel::{Duel, Ending};
use super::{Entrant, Gomoku, Play, read};
use evolve_contest::replay::{Considered, Face, Place, Probes, Replay, Replayable, Response, Step, Why};
use evolve_search::model::problem::{Candidate, Context};
use evolve_search::model::trial::{Case, PlayError};
use policy::gomoku::board::{CELLS, Cell, SIDE, Side, coordinates};
use policy::gomoku::evaluation;
use policy::gomoku::lookahead::{LOST, Lookahead, Settings, WON};
use policy::gomoku::player::must;
use policy::gomoku::position::Position;
use policy::gomoku::search::Search;
use policy::gomoku::threats::win_by_fours;
use policy::gomoku::weights::Weights;

const EMPTY: u16 = 0;
const BLACK: u16 = 1;
const WHITE: u16 = 2;

impl Replayable for Gomoku {
    fn replay(&self, candidate: Candidate<'_>, deals: &[Case], _: &Context) -> Result<Vec<Replay>, PlayError> {
        let entrant = Entrant { weights: read(candidate.values()), search: self.player.search() };
        let probes = Probes::new(candidate.values(), read);
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
                let why = why(duel.position(), cell, &probes, entrant.search);
                let reply = duel.make_move(cell);
                steps.push(Step {
                    name: name(cell),
                    cells: vec![place(cell)],
                    changes: vec![(place(cell), WHITE)],
                    reply: reply.map(|reply| Response {
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

/// Returns the place where a cell is drawn: x to the right, y upwards.
fn place(cell: Cell) -> Place {
    let (x, y) = coordinates(cell);
    ((SIDE - y) * SIDE + x - 1) as Place
}

fn name(cell: Cell) -> String {
    let (x, y) = coordinates(cell);
    format!("{x},{y}")
}

/// The note for a search that leaves the choice to the evaluation.
const EQUAL: &str = "the search values these moves equally; the evaluation decides";

const SHALLOWER: &str = "the search values these moves equally; the choice of a shallower search decides";

/// The note on the values of a search.
const ENDS: &str = "values of the ends: 1000 for a win and -1000 for a loss, minus the moves until then";

fn why(position: &Position, choice: Cell, probes: &Probes<Weights>, search: Search) -> Why {
    if let Some(cell) = must(position) {
        let wins = position.fives(Side::White).0 == Some(cell);
        return Why::decided(if wins { "completes five in a row" } else { "has to stop five in a row" });
    }
    match search {
        Search::Greedy => by_evaluation(position, choice, probes, &position.near().collect::<Vec<_>>()),
        Search::Lookahead(settings) => match win_by_fours(&mut position.clone()) {
            Some(win) => Why::decided(format!("a forced win by fours, in {} moves", win.moves)),
            None => by_search(position, choice, probes, settings),
        },
    }
}

fn described(cell: Cell) -> Considered {
    Considered { name: name(cell), cells: vec![place(cell)], ..Considered::default() }
}

/// Explains a move by the evaluation of a pool of moves.
fn by_evaluation(position: &Position, choice: Cell, probes: &Probes<Weights>, pool: &[Cell]) -> Why {
    let Some(chosen) = pool.iter().position(|&cell| cell == choice) else { return Why::only() };
    let value = |weights: &Weights, &cell: &Cell| evaluation::value(position, cell, weights);
    probes.why(pool, chosen, |&cell| described(cell), value)
}

/// Explains a move of a search by the values of the ends, and between equal ones by the evaluation,
/// which orders the moves of the search.
fn by_search(position: &Position, choice: Cell, probes: &Probes<Weights>, settings: Settings) -> Why {
    let found = Lookahead::new(*probes.whole(), settings).values(position);
    let Some(chosen) = found.iter().position(|&(cell, _)| cell == choice) else { return Why::only() };
    let (_, best) = found[chosen];
    let told = match best {
        1.. => format!("wins in at most {} moves against every likely reply", WON - best),
        0 => "undecided within the search's depth".to_string(),
        _ => format!("Black may win after {} moves against every move", best - LOST),
    };
    let equal: Vec<Cell> = found.iter().filter(|&&(_, value)| value == best).map(|&(cell, _)| cell).collect();
    let (why, what) = if equal.len() > 1 {
        let why = by_evaluation(position, choice, probes, &equal);
        let is_largest = why.split.as_ref().is_none_or(|split| split.difference >= 0.0);
        (why, if is_largest { EQUAL } else { SHALLOWER })
    } else {
        let considered = |&(cell, value): &(Cell, i32)| Considered { value: value.into(), ..described(cell) };
        (Why::valued(found.iter().map(considered).collect(), chosen), ENDS)
    };
    Why { note: Some(format!("{told}; {what}")), ..why }
}
