//! A submission for king and rook.

use super::depth;
use crate::export::{Entry, Sources, literal, one};
use evolve_core::export::{Program, Tuned};
use policy::king_rook::weights::Weights;

/// The program. It moves within milliseconds, whatever the time limit.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[Tuned<'_>]) -> Result<Program, String> {
    let policy = one(policies)?;
    let default = Weights::DEFAULT.values();
    let weights = literal("Weights", Weights::DECLARED, policy.values, (&default, "DEFAULT"), "")?;
    let depth = depth(&policy.setup.player);
    let items = format!(
        "\
use king_rook::player::Player;
use king_rook::weights::Weights;

/// The weights.
const WEIGHTS: Weights = {weights};

/// Moves of White looked ahead.
const DEPTH: u32 = {depth};
"
    );
    let entry = Entry {
        game: "king and rook against king",
        about: vec![policy.about.clone()],
        play: "king_rook::dialogue::play",
        player: "&mut Player::new(WEIGHTS, DEPTH)",
        items,
        time_limit: None,
    };
    entry.program(&[Sources::policy()])
}
