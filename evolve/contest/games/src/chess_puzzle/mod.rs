//! ChessPuzzle: the dealers, the arena and the catalogue entry of the game that
//! `policy::chess_puzzle` plays.

pub mod deal;
mod export;
mod java;
mod referee;
mod replay;
mod settings;

use crate::parameters::parameters;
use deal::Deal;
use evolve_contest::Contest;
use evolve_contest::export::Exportable;
use evolve_contest::judge::{Judge, NoOriginal, Referee, Referees};
use evolve_contest::replay::Replayable;
use evolve_core::job::{Game, Nothing};
use evolve_search::document::Table;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Context, OpenError, Problem, Session, session, written_player};
use evolve_search::model::trial::{Case, Metrics, Outcome};
use policy::chess_puzzle::field::HIDDEN;
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::{Terms, Weights};
use policy::clock::Clock;

pub struct ChessPuzzle {
    player: settings::Player,
}

/// Returns the contest's score, with the sizes and layers by which reports group games.
fn outcome(position: &Position) -> Outcome {
    let cells = position.board().cells();
    let size = match cells {
        ..=79 => "36-79 cells",
        80..=124 => "80-124 cells",
        125..=169 => "125-169 cells",
        _ => "170-225 cells",
    };
    Outcome::of(position.score()).group(size).group(position.layers().to_string())
}

/// Plays a game.
fn play_game(search: Search, weights: &Weights, case: &Case) -> Outcome {
    let deal = Deal::new(case.seed);
    let mut position = deal.start();
    let mut player = search.player(weights, &position);
    while let Some(cell) = player.choose(&Clock::UNLIMITED) {
        let revealed = deal.click(&mut position, cell);
        player.click(cell, revealed.map_or(HIDDEN, |piece| piece as u8));
    }
    outcome(&position)
}

pub fn game() -> Game {
    Game::new(|_: Nothing, player| ChessPuzzle { player })
}

impl Problem for ChessPuzzle {
    fn name(&self) -> &str {
        "chess-puzzle"
    }

    fn summary(&self) -> &str {
        "click away stacked tiles of a large board in chess-like steps, as many as possible"
    }

    fn player(&self) -> Option<Table> {
        Some(written_player(&self.player))
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&[], &["board", "layers"])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters([Terms::DECLARED, Terms::DRIFTS, Terms::TIGHT, Terms::LAYERS].into_iter().flatten())
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let search = self.player.search();
        Ok(session(move |candidate| {
            let weights = Weights::from_values(candidate.values()).expect("a candidate has every declared weight");
            move |case: &Case| Ok(play_game(search, &weights, case))
        }))
    }
}

impl Contest for ChessPuzzle {
    offers!(judge: Judge, exportable: Exportable, replayable: Replayable);
}

impl Judge for ChessPuzzle {
    fn open(&self, _: Context) -> Result<Box<dyn Referees>, OpenError> {
        Ok(Box::new(Games))
    }

    fn has_originals(&self) -> bool {
        true
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}

/// The games of the contest, and others dealt from seeds.
struct Games;

impl Referees for Games {
    fn referee(&self, deal: u64) -> Box<dyn Referee> {
        Box::new(referee::Match::new(Deal::new(deal)))
    }

    fn original(&self, number: u64) -> Result<Box<dyn Referee>, NoOriginal> {
        Ok(Box::new(referee::Match::new(Deal::original(number))))
    }
}
