//! Fuzz targets for everything that evolve reads from others, each a function of bytes.
//!
//! A target panics if it finds a fault: a panic of the tested code, or a broken guarantee. It
//! returns whether the input was accepted, so that tests can check that a corpus passes the first
//! checks. `tests/corpus.rs` runs all targets for a few seconds; `long.sh` runs one with libFuzzer,
//! guided by coverage.

mod checkpoints;
mod files;
mod games;
#[cfg(feature = "nats")]
mod messages;
mod program;
mod tables;

pub mod mutate;

use arbitrary::{Result, Unstructured};
use evolve_games::black_out::BlackOut;
use evolve_games::chess_puzzle::ChessPuzzle;
use evolve_games::gomoku::Gomoku;
use evolve_games::king_rook::KingRook;
use evolve_games::solitaire_chess::SolitaireChess;
use games::{Game, judge, player};

/// A function that reads foreign bytes.
pub struct Target {
    /// The name of the target and of the folder with its corpus.
    pub name: &'static str,
    /// The number of inputs in the short run, fewer for slow targets.
    pub tries: usize,
    read: fn(Unstructured<'_>) -> Result<bool>,
}

impl Target {
    /// Runs the target. Returns whether it accepted the bytes; it rejects bytes that end too early.
    pub fn run(&self, bytes: &[u8]) -> bool {
        (self.read)(Unstructured::new(bytes)).unwrap_or(false)
    }
}

pub const TARGETS: &[Target] = &[
    Target { name: "job", tries: 3000, read: files::job },
    Target { name: "weights", tries: 3000, read: files::weights },
    Target { name: "program-job", tries: 3000, read: program::job },
    Target { name: "markers", tries: 5000, read: program::markers },
    Target { name: "template", tries: 5000, read: program::template },
    Target { name: "score", tries: 5000, read: program::score },
    Target { name: "checkpoint", tries: 300, read: checkpoints::resume },
    Target { name: "tables", tries: 300, read: tables::page },
    Target { name: "trials", tries: 300, read: tables::trials },
    #[cfg(feature = "nats")]
    Target { name: "messages", tries: 10_000, read: messages::messages },
    Target { name: "judge-solitaire-chess", tries: 1000, read: judge::<SolitaireChess> },
    Target { name: "judge-chess-puzzle", tries: 1000, read: judge::<ChessPuzzle> },
    Target { name: "judge-gomoku", tries: 500, read: judge::<Gomoku> },
    Target { name: "judge-black-out", tries: 200, read: judge::<BlackOut> },
    Target { name: "judge-king-rook", tries: 1000, read: judge::<KingRook> },
    Target { name: "player-solitaire-chess", tries: 1000, read: player::<SolitaireChess> },
    Target { name: "player-chess-puzzle", tries: 1000, read: player::<ChessPuzzle> },
    Target { name: "player-gomoku", tries: 500, read: player::<Gomoku> },
    Target { name: "player-black-out", tries: 500, read: player::<BlackOut> },
    Target { name: "player-king-rook", tries: 300, read: player::<KingRook> },
    Target { name: "twin-solitaire-chess", tries: 1000, read: SolitaireChess::twin },
    Target { name: "twin-chess-puzzle", tries: 500, read: ChessPuzzle::twin },
    Target { name: "twin-gomoku", tries: 15, read: Gomoku::twin },
    Target { name: "twin-black-out", tries: 500, read: BlackOut::twin },
    Target { name: "twin-king-rook", tries: 1000, read: KingRook::twin },
];

pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Returns the inputs that only evolve itself can write, each with its target and name. The rest of
/// the corpus is written by hand.
pub fn samples() -> Vec<(String, String, Vec<u8>)> {
    let mut all = checkpoints::samples();
    #[cfg(feature = "nats")]
    all.extend(messages::samples());
    all.extend(games::samples::<SolitaireChess>());
    all.extend(games::samples::<ChessPuzzle>());
    all.extend(games::samples::<Gomoku>());
    all.extend(games::samples::<BlackOut>());
    all.extend(games::samples::<KingRook>());
    all
}
