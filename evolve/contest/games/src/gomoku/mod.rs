//! Gomoku against a fixed strategy: the arena, the proof and the catalogue entry of the game that
//! `policy::gomoku` plays.

mod duel;
mod export;
mod proof;
mod referee;
mod replay;
mod settings;

use crate::parameters::parameters;
use duel::Duel;
use evolve_contest::Contest;
use evolve_contest::export::Exportable;
use evolve_contest::judge::{Judge, Referee, Referees};
use evolve_contest::proof::{Proof, Provable, Unprovable};
use evolve_contest::replay::Replayable;
use evolve_core::job::{Game, Nothing};
use evolve_search::document::Table;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{
    Candidate, Contender, Context, NoObjective, OpenError, Player as Seat, Problem, Session, session, written_player,
};
use evolve_search::model::trial::{Case, Metrics, Outcome, PlayError};
use policy::clock::Clock;
use policy::gomoku::board::Cell;
use policy::gomoku::player::Player;
use policy::gomoku::position::{Cells, Position};
use policy::gomoku::search::Search;
use policy::gomoku::weights::Weights;
use std::collections::HashMap;

pub struct Gomoku {
    player: settings::Player,
}

/// A candidate prepared for play.
struct Entrant {
    weights: Weights,
    search: Search,
}

/// The largest number of moves that a player remembers; a game has about 15.
const REMEMBERED: usize = 200_000;

struct Play {
    player: Box<dyn Player>,
    /// The moves chosen earlier: the opponent's noise is so small that positions repeat often. The
    /// map is never iterated, so its order does not matter.
    known: HashMap<[Cells; 2], Cell>,
}

impl Play {
    fn new(player: Box<dyn Player>) -> Self {
        Play { player, known: HashMap::new() }
    }

    fn choose(&mut self, position: &Position) -> Cell {
        if let Some(&cell) = self.known.get(position.stones()) {
            return cell;
        }
        let cell = self.player.choose(position, &Clock::UNLIMITED).expect("the board is not full");
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        self.known.insert(*position.stones(), cell);
        cell
    }
}

impl Contender for Entrant {
    fn player(&self) -> Box<dyn Seat + '_> {
        Box::new(Play::new(self.search.player(self.weights)))
    }
}

impl Seat for Play {
    fn play(&mut self, case: &Case, _rival: Option<f64>) -> Result<Outcome, PlayError> {
        let mut duel = Duel::new(case.seed);
        loop {
            if let Some(outcome) = duel.outcome() {
                return Ok(outcome);
            }
            let cell = self.choose(duel.position());
            duel.make_move(cell);
        }
    }
}

/// Creates weights from checked values.
fn read(values: &[f64]) -> Weights {
    Weights::from_values(values.try_into().expect("a candidate has every declared weight"))
}

pub fn game() -> Game {
    Game::new(|_: Nothing, player| Gomoku { player })
}

impl Problem for Gomoku {
    fn name(&self) -> &str {
        "gomoku"
    }

    fn summary(&self) -> &str {
        "five in a row on 19 x 19 cells as the second player, against a fixed strategy that looks one move ahead"
    }

    fn player(&self) -> Option<Table> {
        Some(written_player(&self.player))
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&["won", "drawn", "lost", "moves"], &[])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters(Weights::DECLARED)
    }

    fn objective(&self, _: f64) -> Result<f64, NoObjective> {
        Err(NoObjective("the number of moves counts, too".to_string()))
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let search = self.player.search();
        Ok(session(move |candidate| Entrant { weights: read(candidate.values()), search }))
    }
}

impl Contest for Gomoku {
    offers!(judge: Judge, provable: Provable, exportable: Exportable, replayable: Replayable);
}

impl Judge for Gomoku {
    fn open(&self, _: Context) -> Result<Box<dyn Referees>, OpenError> {
        Ok(Box::new(|deal| -> Box<dyn Referee> { Box::new(referee::Match::new(deal)) }))
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}

impl Provable for Gomoku {
    fn prove(&self, candidate: Candidate<'_>) -> Result<Proof, Unprovable> {
        proof::prove(self.player.search().player(read(candidate.values())))
    }
}
