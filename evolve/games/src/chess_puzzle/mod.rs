//! ChessPuzzle: dealers, arena and listing of the game that `policy::chess_puzzle` plays.

pub mod deal;
mod export;
mod java;
mod referee;
mod replay;

use crate::parameters::parameters;
use deal::Deal;
use evolve_core::model::contest::{Contest, Referee, Referees};
use evolve_core::model::export::Exportable;
use evolve_core::model::parameter::Parameter;
use evolve_core::model::problem::{Context, OpenError, Problem, Session, session};
use evolve_core::model::replay::Replayable;
use evolve_core::model::setup::{PlayerChoice, PlayerKind, Setting, Setup, Takes, Values};
use evolve_core::model::trial::{Deal as Trial, Metrics, Outcome};
use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::field::HIDDEN;
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::{Terms, Weights};
use policy::clock::Clock;

pub struct ChessPuzzle;

const WIDTH: Setting =
    Setting { name: "width", meaning: "lines kept at each depth", takes: Takes::Number(1, 10_000), default: Some(10) };
const DEPTH: Setting =
    Setting { name: "depth", meaning: "clicks looked ahead", takes: Takes::Number(1, 2250), default: Some(10) };

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
                takes: Takes::Number(1, 100_000),
                default: Some(64),
            },
        ],
    },
];

/// The search of a choice of player.
///
/// # Panics
/// If it names no player of this game; those of jobs and weights files are checked when they are read.
pub fn search(player: &PlayerChoice) -> Search {
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
    Outcome::of(position.score()).kind(size).kind(position.layers().to_string())
}

/// Plays a game.
fn play_game(search: Search, weights: &Weights, trial: &Trial) -> Outcome {
    let deal = Deal::new(trial.seed);
    let mut position = deal.start();
    let mut player = search.player(weights, &position);
    while let Some(cell) = player.choose(&Clock::UNLIMITED) {
        let revealed = deal.click(&mut position, cell);
        player.click(cell, revealed.map_or(HIDDEN, |piece| piece as u8));
    }
    outcome(&position)
}

impl Problem for ChessPuzzle {
    fn name(&self) -> &str {
        "chess-puzzle"
    }

    fn summary(&self) -> &str {
        "click away stacked tiles of a large board in chess-like steps, as many as possible"
    }

    fn players(&self) -> &[PlayerKind] {
        &PLAYERS
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&[], &["board", "layers"])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters([Terms::DECLARED, Terms::DRIFTS, Terms::TIGHT, Terms::LAYERS].into_iter().flatten())
    }

    fn open(&self, setup: &Setup, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let search = search(&setup.player);
        Ok(session(move |candidate| {
            let weights = Weights::from_values(candidate.values()).expect("a candidate has every declared weight");
            move |trial: &Trial| Ok(play_game(search, &weights, trial))
        }))
    }

    offers!(contest: Contest, exportable: Exportable, replayable: Replayable);
}

impl Contest for ChessPuzzle {
    fn open(&self, _: &Values, _: Context) -> Result<Box<dyn Referees>, OpenError> {
        Ok(Box::new(Games))
    }

    fn has_originals(&self) -> bool {
        true
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}

/// The games of the contest, and others.
struct Games;

impl Referees for Games {
    fn referee(&self, deal: u64) -> Box<dyn Referee> {
        Box::new(referee::Match::new(Deal::new(deal)))
    }

    fn original(&self, number: u64) -> Result<Box<dyn Referee>, String> {
        Ok(Box::new(referee::Match::new(Deal::original(number))))
    }
}
