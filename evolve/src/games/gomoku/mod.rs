//! Gomoku against a fixed strategy: arena, proof and listing of the game that `policy::gomoku` plays.

mod duel;
mod export;
mod proof;
mod referee;

use crate::game::{Arena, Contestant, Game, PlayerChoice, PlayerKind, Program, Proof, Setting, Values};
use crate::judge::referee::{Outcome, Referee};
use crate::policy_file::Policy;
use duel::Duel;
use policy::clock::Clock;
use policy::gomoku::board::Cell;
use policy::gomoku::lookahead::{Settings, WIDEST};
use policy::gomoku::player::Player;
use policy::gomoku::position::{Cells, Position};
use policy::gomoku::search::Search;
use policy::gomoku::weights::Weights;
use policy::weights::Weight;
use std::collections::HashMap;
use std::time::Duration;

/// The game.
pub struct Gomoku;

static PLAYERS: [PlayerKind; 2] = [
    PlayerKind { name: "greedy", meaning: "the best move by the evaluation alone", settings: &[] },
    PlayerKind {
        name: "lookahead",
        meaning: "a search through the opponent's own replies, the worst that its noise allows",
        settings: &[
            Setting {
                name: "width",
                meaning: "own moves looked at in each position",
                min: 1,
                max: WIDEST as u32,
                default: Some(8),
            },
            Setting { name: "depth", meaning: "own moves looked ahead", min: 1, max: 20, default: Some(1) },
            Setting {
                name: "playout",
                meaning: "own moves of greedy play after those, at most",
                min: 0,
                max: 180,
                default: Some(20),
            },
        ],
    },
];

/// The search of a checked choice of player.
fn search(player: &PlayerChoice) -> Search {
    let values = &player.values;
    match player.name.as_str() {
        "greedy" => Search::Greedy,
        "lookahead" => Search::Lookahead(Settings {
            width: values.get("width") as usize,
            depth: values.get("depth"),
            playout: values.get("playout"),
        }),
        _ => unreachable!("players are checked when they are read"),
    }
}

struct Table {
    search: Search,
}

/// The most moves that a contestant remembers; a game has about 15.
const REMEMBERED: usize = 200_000;

struct Seat {
    player: Box<dyn Player>,
    /// Moves chosen before: the opponent's noise is so small that the same positions come again and again. Never
    /// walked through, so its order does not matter.
    known: HashMap<[Cells; 2], Cell>,
}

impl Seat {
    fn new(player: Box<dyn Player>) -> Self {
        Seat { player, known: HashMap::new() }
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

impl Arena for Table {
    fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_> {
        Box::new(Seat::new(self.search.player(read(weights))))
    }
}

impl Contestant for Seat {
    fn play(&mut self, deal: u64) -> Outcome {
        let mut duel = Duel::new(deal);
        loop {
            if let Some(outcome) = duel.outcome() {
                return outcome;
            }
            let cell = self.choose(duel.position());
            duel.play(cell);
        }
    }
}

/// The weights from checked values.
fn read(values: &[f64]) -> Weights {
    Weights::from_values(values.try_into().expect("a candidate has every declared weight"))
}

impl Game for Gomoku {
    fn name(&self) -> &'static str {
        "gomoku"
    }

    fn summary(&self) -> &'static str {
        "five in a row on 19 x 19 cells as the second player, against a fixed strategy that looks one move ahead"
    }

    fn options(&self) -> &'static [Setting] {
        &[]
    }

    fn players(&self) -> &'static [PlayerKind] {
        &PLAYERS
    }

    fn weights(&self) -> Vec<Weight> {
        Weights::DECLARED.to_vec()
    }

    fn arena(&self, _options: &Values, player: &PlayerChoice) -> Box<dyn Arena> {
        Box::new(Table { search: search(player) })
    }

    fn referee(&self, _options: &Values, deal: u64) -> Box<dyn Referee> {
        Box::new(referee::Game::new(deal))
    }

    fn prove(&self, policy: &Policy) -> Result<Proof, String> {
        proof::prove(search(&policy.submission).player(read(&policy.weights)))
    }

    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
        export::program(policies, time_limit)
    }
}
