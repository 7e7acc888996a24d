//! Solitaire chess: dealer, arena and listing of the game that `policy::solitaire_chess` plays.

mod export;
mod referee;
mod replay;

use crate::parameters::parameters;
use evolve_core::model::contest::{Contest, Referee, Referees};
use evolve_core::model::export::Exportable;
use evolve_core::model::parameter::Parameter;
use evolve_core::model::problem::{Context, OpenError, Problem, Remembering, Session, session};
use evolve_core::model::replay::Replayable;
use evolve_core::model::seed::generator;
use evolve_core::model::setup::{PlayerChoice, PlayerKind, Setting, Setup, Takes, Values};
use evolve_core::model::trial::{Deal as Trial, Metrics, Outcome};
use policy::clock::Clock;
use policy::solitaire_chess::beam::Settings;
use policy::solitaire_chess::board::{ALL, Piece, Tile, tiles};
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::groups::{GROUPS, alphabet};
use policy::solitaire_chess::player::Player;
use policy::solitaire_chess::position::{Position, Score, TIERS};
use policy::solitaire_chess::search::{Rollouts, Search};
use policy::solitaire_chess::weights::{Terms, Weights};
use rand::RngExt;

pub struct SolitaireChess;

const WIDTH: Setting =
    Setting { name: "width", meaning: "lines kept at each depth", takes: Takes::Number(1, 10_000), default: Some(10) };
const DEPTH: Setting =
    Setting { name: "depth", meaning: "removals looked ahead", takes: Takes::Number(1, 108), default: Some(16) };

const EXACT: Setting = Setting {
    name: "exact",
    meaning: "exact play where at most so many boards may still come in each part of the board (0: never)",
    takes: Takes::Number(0, 1_000_000),
    default: Some(0),
};

static PLAYERS: [PlayerKind; 4] = [
    PlayerKind {
        name: "greedy",
        meaning: "the best removal by the evaluation alone",
        settings: &[Setting {
            name: "margin",
            meaning: "points below the best at a glance within which the three best get a close look (1000: any)",
            takes: Takes::Number(0, ANY),
            default: Some(ANY),
        }],
    },
    PlayerKind { name: "beam", meaning: "beam search over the visible tiles", settings: &[WIDTH, DEPTH] },
    PlayerKind {
        name: "expectimax",
        meaning: "beam search, then a smaller beam behind its best endings for every type that may show there",
        settings: &[
            WIDTH,
            DEPTH,
            Setting {
                name: "endings",
                meaning: "endings followed further, as many as the beam is wide at most",
                takes: Takes::Number(1, 10_000),
                default: Some(10),
            },
            Setting {
                name: "inner_width",
                meaning: "lines of the smaller beam",
                takes: Takes::Number(1, 10_000),
                default: Some(4),
            },
            Setting { name: "inner_depth", meaning: "its depth", takes: Takes::Number(1, 108), default: Some(8) },
            Setting {
                name: "deeper",
                meaning: "of these endings those followed behind a second unknown tile, by beams half as large",
                takes: Takes::Number(0, 10_000),
                default: Some(0),
            },
            Setting {
                name: "deepest",
                meaning: "of these again those followed behind a third one, by beams a quarter as large",
                takes: Takes::Number(0, 10_000),
                default: Some(0),
            },
            Setting {
                name: "rollouts",
                meaning: "rollouts for one choice, at most, where that leaves a doubt",
                takes: Takes::Number(0, 1_000_000),
                default: Some(0),
            },
            Setting {
                name: "rollout_length",
                meaning: "removals of a rollout, before the inner beam says what may still come",
                takes: Takes::Number(1, 108),
                default: Some(20),
            },
            Setting {
                name: "rollout_width",
                meaning: "lines of the beam that plays them",
                takes: Takes::Number(1, 10_000),
                default: Some(4),
            },
            Setting { name: "rollout_depth", meaning: "its depth", takes: Takes::Number(1, 108), default: Some(8) },
            EXACT,
        ],
    },
    PlayerKind {
        name: "sampled",
        meaning: "beam searches over sampled completions of the hidden tiles",
        settings: &[
            WIDTH,
            DEPTH,
            Setting {
                name: "samples",
                meaning: "completions a move",
                takes: Takes::Number(1, 100_000),
                default: Some(16),
            },
            EXACT,
        ],
    },
];

static OPTIONS: [Setting; 1] =
    [Setting { name: "group", meaning: "which types of pieces appear", takes: Takes::Number(1, 6), default: None }];

/// The search of a choice of player.
///
/// # Panics
/// If it names no player of this game; those of jobs and weights files are checked when they are read.
pub fn search(player: &PlayerChoice) -> Search {
    let values = &player.values;
    let settings =
        |width: &str, depth: &str| Settings { width: values.get(width) as usize, depth: values.get(depth) as usize };
    let beam = || settings("width", "depth");
    match player.name.as_str() {
        "greedy" => Search::Greedy { margin: values.get("margin") },
        "beam" => Search::Beam(beam()),
        "expectimax" => Search::Expectimax {
            beam: beam(),
            endings: values.get("endings") as usize,
            inner: settings("inner_width", "inner_depth"),
            deeper: ["deeper", "deepest"].map(|name| values.get(name) as usize),
            rollouts: match values.get("rollouts") {
                0 => None,
                most => Some(Rollouts {
                    most,
                    length: values.get("rollout_length"),
                    beam: settings("rollout_width", "rollout_depth"),
                }),
            },
            exact: values.get("exact"),
        },
        "sampled" => Search::Sampled { beam: beam(), samples: values.get("samples"), exact: values.get("exact") },
        _ => unreachable!("players are checked when they are read"),
    }
}

/// A whole game as dealt: the pieces of each layer, bronze first, by tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal([[Piece; 64]; TIERS]);

impl Deal {
    /// Deals all three layers uniformly from the group's types.
    pub fn new(group: u32, seed: u64) -> Self {
        let types = GROUPS[group as usize - 1];
        let mut random = generator(seed);
        let mut layers = [[types[0]; 64]; TIERS];
        for layer in &mut layers {
            for tile in tiles(ALL) {
                layer[tile as usize] = types[random.random_range(0..types.len() as u32) as usize];
            }
        }
        Deal(layers)
    }

    /// The start of the game.
    pub fn start(&self) -> Position {
        Position::new(|tile| self.0[0][tile as usize])
    }

    /// Removes the visible piece of a legal tile, and answers with the piece below.
    pub fn remove(&self, position: &mut Position, tile: Tile) -> Option<Piece> {
        let revealed = self.0.get(position.tier(tile) + 1).map(|layer| layer[tile as usize]);
        position.remove(tile, revealed);
        revealed
    }
}

fn outcome(score: &Score) -> Outcome {
    Outcome::of(f64::from(score.total())).parts(score.parts().map(|(_, points)| f64::from(points)))
}

/// Plays a game of a group.
fn play_game(group: u32, player: &mut Player, trial: &Trial) -> Outcome {
    let deal = Deal::new(group, trial.seed);
    let mut position = deal.start();
    let alphabet = alphabet(group as usize);
    while let Some(tile) = player.choose(&position, alphabet, &Clock::UNLIMITED) {
        deal.remove(&mut position, tile);
    }
    outcome(position.score())
}

impl Problem for SolitaireChess {
    fn name(&self) -> &str {
        "solitaire-chess"
    }

    fn summary(&self) -> &str {
        "remove pieces from a 6 x 6 board in chess-like steps, for tiles, runs and sets"
    }

    fn options(&self) -> &[Setting] {
        &OPTIONS
    }

    fn players(&self) -> &[PlayerKind] {
        &PLAYERS
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&Score::default().parts().map(|(name, _)| name), &[])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters(Terms::DECLARED.iter().chain(Terms::DRIFTS))
    }

    fn open(&self, setup: &Setup, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (group, search) = (setup.options.get("group"), search(&setup.player));
        Ok(session(move |candidate| {
            let weights = Weights::from_values(candidate.values()).expect("a candidate has every declared weight");
            Remembering(move || {
                let mut player = search.player(weights);
                move |trial: &Trial| Ok(play_game(group, &mut player, trial))
            })
        }))
    }

    offers!(contest: Contest, exportable: Exportable, replayable: Replayable);
}

impl Contest for SolitaireChess {
    fn open(&self, options: &Values, _: Context) -> Result<Box<dyn Referees>, OpenError> {
        let group = options.get("group");
        let referee = move |deal| -> Box<dyn Referee> { Box::new(referee::Match::new(Deal::new(group, deal))) };
        Ok(Box::new(referee))
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}
