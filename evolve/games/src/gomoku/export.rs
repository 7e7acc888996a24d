//! A submission for Gomoku.

use super::search;
use crate::export::{Entry, Sources, literal, one};
use evolve_core::export::{Program, Tuned};
use policy::gomoku::lookahead::Settings;
use policy::gomoku::search::Search;
use policy::gomoku::weights::Weights;
use std::time::Duration;

/// The program.
///
/// # Errors
/// If there is more than one policy, a weight is not finite, or the program would be too large.
pub fn program(policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<Program, String> {
    let policy = one(policies)?;
    let default = Weights::DEFAULT.values();
    let weights = literal("Weights", Weights::DECLARED, policy.values, (&default, "DEFAULT"), "")?;
    let (uses, settings, player) = match search(&policy.setup.player) {
        Search::Greedy => ("use gomoku::player::Greedy;", String::new(), "&mut Greedy::new(WEIGHTS)"),
        Search::Lookahead(Settings { width, depth, playout }) => (
            "use gomoku::lookahead::{Lookahead, Settings};",
            format!(
                "\n/// The search.\n\
                 const SETTINGS: Settings = Settings {{ width: {width}, depth: {depth}, playout: {playout} }};\n"
            ),
            "&mut Lookahead::new(WEIGHTS, SETTINGS)",
        ),
    };
    let items = format!(
        "\
{uses}
use gomoku::weights::Weights;

/// The weights.
const WEIGHTS: Weights = {weights};
{settings}"
    );
    let entry = Entry {
        game: "Gomoku against a fixed strategy",
        about: vec![policy.about.clone()],
        play: "gomoku::dialogue::play",
        player,
        items,
        time_limit,
    };
    entry.program(&[Sources::policy()])
}
