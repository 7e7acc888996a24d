//! A submission for Black Out.

use super::settings;
use crate::export::{Entry, Sources, literal, one};
use evolve_core::export::{Program, Tuned};
use policy::black_out::weights::Weights;
use std::time::Duration;

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<Program, String> {
    let policy = one(policies)?;
    let exact = settings(&policy.setup.player).exact;
    let default = Weights::DEFAULT.values();
    let weights = literal("Weights", Weights::DECLARED, policy.values, (&default, "DEFAULT"), "")?;
    let items = format!(
        "\
use black_out::player::{{Player, Settings}};
use black_out::weights::Weights;

/// The weights.
const WEIGHTS: Weights = {weights};

/// How it looks ahead.
const SETTINGS: Settings = Settings {{ exact: {exact} }};
"
    );
    let entry = Entry {
        game: "Black Out",
        about: vec![policy.about.clone()],
        play: "black_out::dialogue::play",
        player: "&mut Player::new(WEIGHTS, SETTINGS)",
        items,
        time_limit,
    };
    entry.program(&[Sources::policy()])
}
