//! ChessPuzzle: dealers, arena and listing of the game that `policy::chess_puzzle` plays.

pub mod deal;
mod export;
mod java;
mod referee;

use crate::game::{Arena, Contestant, Game, PlayerChoice, PlayerKind, Program, Setting, Values};
use crate::judge::referee::{Outcome, Referee};
use crate::policy_file::Policy;
use deal::Deal;
use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::field::HIDDEN;
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::{Terms, Weights};
use policy::clock::Clock;
use policy::weights::Weight;
use std::time::Duration;

/// The game.
pub struct ChessPuzzle;

const WIDTH: Setting =
    Setting { name: "width", meaning: "lines kept at each depth", min: 1, max: 10_000, default: Some(10) };
const DEPTH: Setting = Setting { name: "depth", meaning: "clicks looked ahead", min: 1, max: 2250, default: Some(10) };

static PLAYERS: [PlayerKind; 3] = [
    PlayerKind { name: "greedy", meaning: "the best click by the evaluation alone", settings: &[] },
    PlayerKind { name: "beam", meaning: "beam search over the visible tiles", settings: &[WIDTH, DEPTH] },
    PlayerKind {
        name: "sampled",
        meaning: "beam search, then games played out over sampled completions of the hidden tiles",
        settings: &[
            WIDTH,
            DEPTH,
            Setting {
                name: "samples",
                meaning: "completions a click, in rounds of 16; in an exported program with a time limit the clock decides",
                min: 1,
                max: 100_000,
                default: Some(64),
            },
        ],
    },
];

/// The search of a checked choice of player.
fn search(player: &PlayerChoice) -> Search {
    let values = &player.values;
    let beam = || Settings { width: values.get("width") as usize, depth: values.get("depth") as usize };
    match player.name.as_str() {
        "greedy" => Search::Greedy,
        "beam" => Search::Beam(beam()),
        "sampled" => Search::Sampled { beam: beam(), samples: values.get("samples") },
        _ => unreachable!("players are checked when they are read"),
    }
}

/// The contest's score, and by which sizes and layers it is grouped in reports.
fn outcome(position: &Position) -> Outcome {
    let cells = position.board().cells();
    let size = match cells {
        ..=79 => "36-79 cells",
        80..=124 => "80-124 cells",
        125..=169 => "125-169 cells",
        _ => "170-225 cells",
    };
    Outcome {
        score: position.score(),
        parts: Vec::new(),
        kinds: vec![("board", size.to_string()), ("layers", position.layers().to_string())],
    }
}

struct Table {
    search: Search,
}

struct Seat {
    weights: Weights,
    search: Search,
}

impl Arena for Table {
    fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_> {
        let weights = Weights::from_values(weights).expect("a candidate has every declared weight");
        Box::new(Seat { weights, search: self.search })
    }
}

impl Contestant for Seat {
    fn play(&mut self, deal: u64) -> Outcome {
        let deal = Deal::new(deal);
        let mut position = deal.start();
        let mut player = self.search.player(&self.weights, &position);
        while let Some(cell) = player.choose(&Clock::UNLIMITED) {
            let revealed = deal.click(&mut position, cell);
            player.click(cell, revealed.map_or(HIDDEN, |piece| piece as u8));
        }
        outcome(&position)
    }
}

impl Game for ChessPuzzle {
    fn name(&self) -> &'static str {
        "chess-puzzle"
    }

    fn summary(&self) -> &'static str {
        "click away stacked tiles of a large board in chess-like steps, as many as possible"
    }

    fn options(&self) -> &'static [Setting] {
        &[]
    }

    fn players(&self) -> &'static [PlayerKind] {
        &PLAYERS
    }

    fn weights(&self) -> Vec<Weight> {
        [Terms::DECLARED, Terms::DRIFTS, Terms::TIGHT, Terms::LAYERS].concat()
    }

    fn arena(&self, _: &Values, player: &PlayerChoice) -> Box<dyn Arena> {
        Box::new(Table { search: search(player) })
    }

    fn referee(&self, _: &Values, deal: u64) -> Box<dyn Referee> {
        Box::new(referee::Game::new(Deal::new(deal)))
    }

    fn original(&self, _: &Values, number: u64) -> Result<Box<dyn Referee>, String> {
        Ok(Box::new(referee::Game::new(Deal::original(number))))
    }

    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
        export::program(policies, time_limit)
    }
}
