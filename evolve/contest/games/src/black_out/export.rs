//! The exported program of Black Out.

use super::BlackOut;
use evolve_bundle::{Entry, POLICY, literal, one};
use evolve_contest::export::{ExportError, Exportable, ExportedProgram, Tuned};
use policy::black_out::player::Settings;
use policy::black_out::weights::Weights;
use std::time::Duration;

impl Exportable for BlackOut {
    fn export(&self, policies: &[Tuned<'_>], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError> {
        let policy = one(policies)?;
        let settings = Settings::from(self.player);
        let default = Weights::DEFAULT.values();
        let weights = literal("Weights", Weights::DECLARED, policy.values, (&default, "DEFAULT"), "")?;
        let items = format!(
            "\
use black_out::player::{{Player, Settings}};
use black_out::weights::Weights;

/// The weights.
const WEIGHTS: Weights = {weights};

/// Settings of the search.
const SETTINGS: Settings = {settings:?};
"
        );
        let entry = Entry {
            title: "Black Out",
            about: vec![policy.about.clone()],
            sources: &POLICY,
            module: "black_out",
            player: "&mut Player::new(WEIGHTS, SETTINGS)",
            items,
            time_limit,
        };
        entry.program()
    }
}
