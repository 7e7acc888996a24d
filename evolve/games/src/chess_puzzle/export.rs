//! A submission for ChessPuzzle.

use super::search;
use crate::export::{Entry, Sources, literal, one};
use evolve_core::export::{Program, Tuned};
use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::{Terms, Weights};
use std::time::Duration;

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<Program, String> {
    let policy = one(policies)?;
    let weights = Weights::from_values(policy.values).expect("a policy has every declared weight");
    let terms = |terms: &Terms, default: &Terms, name| {
        literal("Terms", Terms::DECLARED, &terms.values(), (&default.values(), name), "    ")
    };
    let settings = |beam: Settings| {
        format!(
            "\n/// The beam.\nconst BEAM: Settings = Settings {{ width: {}, depth: {} }};\n",
            beam.width, beam.depth
        )
    };
    let (uses, search, player) = match search(&policy.setup.player) {
        Search::Greedy => ("use chess_puzzle::greedy::Greedy;", String::new(), "Box::new(Greedy)"),
        Search::Beam(beam) => {
            ("use chess_puzzle::beam::{Settings, Wide};", settings(beam), "Box::new(Wide::new(BEAM))")
        }
        Search::Sampled { beam, samples } => (
            "use chess_puzzle::beam::Settings;\nuse chess_puzzle::sampled::Sampled;",
            format!("{}\n/// Completions a click, without a clock.\nconst SAMPLES: u32 = {samples};\n", settings(beam)),
            "Box::new(Sampled::new(BEAM, SAMPLES))",
        ),
    };
    let items = format!(
        "\
{uses}
use chess_puzzle::player::Player;
use chess_puzzle::weights::{{Terms, Weights}};

/// The weights.
const WEIGHTS: Weights = Weights {{
    start: {},
    drift: {},
    tight: {},
    layers: {},
}};
{search}",
        terms(&weights.start, &Terms::DEFAULT, "DEFAULT")?,
        terms(&weights.drift, &Terms::ZERO, "ZERO")?,
        terms(&weights.tight, &Terms::ZERO, "ZERO")?,
        terms(&weights.layers, &Terms::ZERO, "ZERO")?,
    );
    let entry = Entry {
        game: "ChessPuzzle",
        about: vec![policy.about.clone()],
        play: "chess_puzzle::dialogue::play",
        player: &format!("|position: &_| Player::new(&WEIGHTS, {player}, position)"),
        items,
        time_limit,
    };
    entry.program(&[Sources::policy()])
}
