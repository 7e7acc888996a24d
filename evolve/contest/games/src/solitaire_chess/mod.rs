//! Solitaire chess: the dealer, the arena and the catalogue entry of the game that
//! `policy::solitaire_chess` plays.

mod export;
mod referee;
mod replay;
mod settings;

use self::settings::Options;
use crate::parameters::parameters;
use evolve_contest::Contest;
use evolve_contest::export::Exportable;
use evolve_contest::judge::{Judge, Referee, Referees};
use evolve_contest::replay::Replayable;
use evolve_core::job::Game;
use evolve_search::document::Table;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{
    Context, OpenError, Problem, Remembering, Session, session, written, written_player,
};
use evolve_search::model::seed::generator;
use evolve_search::model::trial::{Case, Metrics, Outcome};
use policy::clock::Clock;
use policy::solitaire_chess::board::{ALL, Piece, Tile, tiles};
use policy::solitaire_chess::groups::{GROUPS, alphabet};
use policy::solitaire_chess::player::Player;
use policy::solitaire_chess::position::{Position, Score, TIERS};
use policy::solitaire_chess::weights::{Terms, Weights};
use rand::RngExt;

pub struct SolitaireChess {
    options: Options,
    player: settings::Player,
}

/// A dealt game: the pieces of each layer, bronze first, by tile.
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

    /// Returns the start of the game.
    pub fn start(&self) -> Position {
        Position::new(|tile| self.0[0][tile as usize])
    }

    /// Removes the visible piece of a legal tile, and returns the piece below.
    pub fn remove(&self, position: &mut Position, tile: Tile) -> Option<Piece> {
        let revealed = self.0.get(position.tier(tile) + 1).map(|layer| layer[tile as usize]);
        position.remove(tile, revealed);
        revealed
    }
}

fn outcome(score: &Score) -> Outcome {
    Outcome::of(f64::from(score.total())).metrics(score.parts().map(|(_, points)| f64::from(points)))
}

/// Plays a game of a group.
fn play_game(group: u32, player: &mut Player, case: &Case) -> Outcome {
    let deal = Deal::new(group, case.seed);
    let mut position = deal.start();
    let alphabet = alphabet(group as usize);
    while let Some(tile) = player.choose(&position, alphabet, &Clock::UNLIMITED) {
        deal.remove(&mut position, tile);
    }
    outcome(position.score())
}

pub fn game() -> Game {
    Game::new(|options, player| SolitaireChess { options, player })
}

impl Problem for SolitaireChess {
    fn name(&self) -> &str {
        "solitaire-chess"
    }

    fn summary(&self) -> &str {
        "remove pieces from a 6 x 6 board in chess-like steps; tiles, runs and sets score"
    }

    fn options(&self) -> Table {
        written(&self.options)
    }

    fn player(&self) -> Option<Table> {
        Some(written_player(&self.player))
    }

    fn metrics(&self) -> Metrics {
        Metrics::new(&Score::default().parts().map(|(name, _)| name), &[])
    }

    fn parameters(&self) -> Vec<Parameter> {
        parameters(Terms::DECLARED.iter().chain(Terms::DRIFTS))
    }

    fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
        let (group, search) = (self.options.group, self.player.search());
        Ok(session(move |candidate| {
            let weights = Weights::from_values(candidate.values()).expect("a candidate has every declared weight");
            Remembering(move || {
                let mut player = search.player(weights);
                move |case: &Case| Ok(play_game(group, &mut player, case))
            })
        }))
    }
}

impl Contest for SolitaireChess {
    offers!(judge: Judge, exportable: Exportable, replayable: Replayable);
}

impl Judge for SolitaireChess {
    fn open(&self, _: Context) -> Result<Box<dyn Referees>, OpenError> {
        let group = self.options.group;
        let referee = move |deal| -> Box<dyn Referee> { Box::new(referee::Match::new(Deal::new(group, deal))) };
        Ok(Box::new(referee))
    }

    fn protocol(&self) -> &'static str {
        include_str!("protocol.txt")
    }
}
