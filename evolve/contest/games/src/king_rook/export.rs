//! The exported program of king and rook.

use super::KingRook;
use evolve_bundle::{Entry, POLICY, literal, one};
use evolve_contest::export::{ExportError, Exportable, ExportedProgram, Tuned};
use policy::king_rook::weights::Weights;
use std::time::Duration;

impl Exportable for KingRook {
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError> {
        let policy = one(policies)?;
        let depth = self.player.depth();
        let default = Weights::DEFAULT.values();
        let weights = literal("Weights", Weights::DECLARED, policy.values, (&default, "DEFAULT"), "")?;
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
            title: "king and rook against king",
            about: vec![policy.about.clone()],
            sources: &POLICY,
            module: "king_rook",
            player: "&mut Player::new(WEIGHTS, DEPTH)",
            items,
            // The program moves within milliseconds.
            time_limit: None,
        };
        let mut program = entry.program()?;
        if time_limit.is_some() {
            program.notes.push("king-rook plays without a clock: the time limit changes nothing".to_string());
        }
        Ok(program)
    }
}
