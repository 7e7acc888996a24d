//! The exported program of ChessPuzzle.

use super::ChessPuzzle;
use evolve_bundle::{Entry, POLICY, literal, one};
use evolve_contest::export::{ExportError, Exportable, ExportedProgram, Tuned};
use policy::chess_puzzle::weights::{Terms, Weights};
use std::time::Duration;

impl Exportable for ChessPuzzle {
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError> {
        let policy = one(policies)?;
        let search = self.player.search();
        let weights = Weights::from_values(policy.values).expect("a policy has every declared weight");
        let terms = |terms: &Terms, default: &Terms, name| {
            literal("Terms", Terms::DECLARED, &terms.values(), (&default.values(), name), "\t")
        };
        let items = format!(
            "\
use chess_puzzle::beam::Settings;
use chess_puzzle::search::Search;
use chess_puzzle::weights::{{Terms, Weights}};

/// The weights.
const WEIGHTS: Weights = Weights {{
\tstart: {},
\tdrift: {},
\ttight: {},
\tlayers: {},
}};

/// The search. With a clock, that decides how many completions are sampled.
const SEARCH: Search = Search::{search:?};
",
            terms(&weights.start, &Terms::DEFAULT, "DEFAULT")?,
            terms(&weights.drift, &Terms::ZERO, "ZERO")?,
            terms(&weights.tight, &Terms::ZERO, "ZERO")?,
            terms(&weights.layers, &Terms::ZERO, "ZERO")?,
        );
        let entry = Entry {
            title: "ChessPuzzle",
            about: vec![policy.about.clone()],
            sources: &POLICY,
            module: "chess_puzzle",
            player: "|position: &_| SEARCH.player(&WEIGHTS, position)",
            items,
            time_limit,
        };
        entry.program()
    }
}
