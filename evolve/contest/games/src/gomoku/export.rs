//! The exported program of Gomoku.

use super::Gomoku;
use evolve_bundle::{Entry, POLICY, literal, one};
use evolve_contest::export::{ExportError, Exportable, ExportedProgram, Tuned};
use policy::gomoku::weights::Weights;
use std::time::Duration;

impl Exportable for Gomoku {
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError> {
        let policy = one(policies)?;
        let search = self.player.search();
        let default = Weights::DEFAULT.values();
        let weights = literal("Weights", Weights::DECLARED, policy.values, (&default, "DEFAULT"), "")?;
        let items = format!(
            "\
use gomoku::lookahead::Settings;
use gomoku::search::Search;
use gomoku::weights::Weights;

/// The weights.
const WEIGHTS: Weights = {weights};

/// The search.
const SEARCH: Search = Search::{search:?};
"
        );
        let entry = Entry {
            title: "Gomoku against a fixed strategy",
            about: vec![policy.about.clone()],
            sources: &POLICY,
            module: "gomoku",
            player: "&mut *SEARCH.player(WEIGHTS)",
            items,
            time_limit,
        };
        entry.program()
    }
}
