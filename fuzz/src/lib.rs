//! Fuzz targets: everything that evolve reads from others, each a function of bytes.
//!
//! A target panics if it finds a fault: a panic of the code under it, or a promise that does not hold. It answers whether
//! the bytes were taken, so that tests can tell that a corpus reaches what lies behind the first check.
//! `tests/corpus.rs` runs all of them for a few seconds; `long.sh` runs one with libFuzzer, guided by coverage.

mod checkpoints;
mod dialogues;
mod files;
#[cfg(feature = "nats")]
mod messages;
mod parts;
mod program;
mod tables;
mod twins;

pub mod mutate;
pub mod samples;

/// Something that reads bytes from others.
pub struct Target {
    /// Its name, and that of the folder with its corpus.
    pub name: &'static str,
    /// Reads some bytes; whether they were taken.
    pub run: fn(&[u8]) -> bool,
    /// Inputs that the short run tries: fewer of those that are slow.
    pub tries: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "job", run: files::job, tries: 3000 },
    Target { name: "weights", run: files::weights, tries: 3000 },
    Target { name: "program-job", run: program::job, tries: 3000 },
    Target { name: "markers", run: program::markers, tries: 5000 },
    Target { name: "template", run: program::template, tries: 5000 },
    Target { name: "score", run: program::score, tries: 5000 },
    Target { name: "checkpoint", run: checkpoints::resume, tries: 300 },
    Target { name: "tables", run: tables::page, tries: 300 },
    Target { name: "trials", run: tables::trials, tries: 300 },
    #[cfg(feature = "nats")]
    Target { name: "messages", run: messages::messages, tries: 10_000 },
    Target { name: "judge-solitaire-chess", run: dialogues::judge::<0>, tries: 1000 },
    Target { name: "judge-chess-puzzle", run: dialogues::judge::<1>, tries: 1000 },
    Target { name: "judge-gomoku", run: dialogues::judge::<2>, tries: 500 },
    Target { name: "judge-black-out", run: dialogues::judge::<3>, tries: 200 },
    Target { name: "judge-king-rook", run: dialogues::judge::<4>, tries: 1000 },
    Target { name: "player-solitaire-chess", run: dialogues::player::<0>, tries: 1000 },
    Target { name: "player-chess-puzzle", run: dialogues::player::<1>, tries: 1000 },
    Target { name: "player-gomoku", run: dialogues::player::<2>, tries: 500 },
    Target { name: "player-black-out", run: dialogues::player::<3>, tries: 500 },
    Target { name: "player-king-rook", run: dialogues::player::<4>, tries: 300 },
    Target { name: "twin-solitaire-chess", run: twins::solitaire_chess::run, tries: 1000 },
    Target { name: "twin-chess-puzzle", run: twins::chess_puzzle::run, tries: 500 },
    Target { name: "twin-gomoku", run: twins::gomoku::run, tries: 15 },
    Target { name: "twin-black-out", run: twins::black_out::run, tries: 500 },
    Target { name: "twin-king-rook", run: twins::king_rook::run, tries: 1000 },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
