//! Writes a commented job for a game: all its options, players and weights.

use evolve_core::job::policy_file::toml_value;
use evolve_core::job::{Game, PlayerKind};
use evolve_search::document::schema::{properties, smallest, takes};
use evolve_search::document::text::inline;
use schemars::Schema;
use serde_json::Value;

/// Returns a job that plays the game with its first player.
pub fn job(game: &Game) -> String {
    let name = game.name();
    let mut text = format!(
        "# A job for {name}: {}.\n# Next: evolve check, then evolve run. Lines that are commented out show other \
            settings with their defaults.\n\
         name = \"{name}\"\n\n[game]\nname = \"{name}\"\n",
        game.sample.summary()
    );
    text += &settings(&game.options);
    if let Some((first, others)) = game.players.split_first() {
        text += &format!("\n# The player to tune.\n[player]\n{}", player(first, ""));
        for other in others {
            text += &format!("\n{}", player(other, "# "));
        }
    }
    text += "\n[search]\n";
    text += &line("budget = 20000", "trials of the run, including the held-out test");
    text += "\n# The weights to tune: names, or patterns with `*` for any letters.\n[weights]\n# include = [\"*\"]\n# \
        exclude = []\n";
    text += "\n# The start of the search, with the range and the unit of each weight.\n\
             [weights.values]\n";
    for parameter in game.sample.parameters() {
        let start = toml_value(&parameter, parameter.start);
        let comment = format!("{}, unit {}: {}", parameter.allowed(), parameter.unit, parameter.meaning);
        text += &line(&format!("# {} = {start}", parameter.name), &comment);
    }
    text
}

/// Formats a player with its settings; the settings of the other players are commented out.
fn player(PlayerKind { name, meaning, settings }: &PlayerKind, mark: &str) -> String {
    let mut text = line(&format!("{mark}name = \"{name}\""), meaning);
    text += &self::settings(settings);
    text
}

/// Formats settings with their defaults, or with the smallest value of a required setting.
fn settings(settings: &Schema) -> String {
    let setting = |(name, key): (String, Value)| {
        let mark = if key.get("default").is_some() { "# " } else { "" };
        let value = key.get("default").cloned().unwrap_or_else(|| smallest(&key));
        let comment = format!("{}: {}", takes(&key), key["description"].as_str().unwrap_or_default());
        line(&format!("{mark}{name} = {}", inline(&value)), &comment)
    };
    properties(settings).into_iter().map(setting).collect()
}

fn line(entry: &str, comment: &str) -> String {
    format!("{entry:<28}# {comment}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::job::Job;
    use evolve_search::document::Document;
    use std::path::Path;

    #[test]
    fn the_jobs_of_all_games_can_run_and_show_their_defaults() {
        let catalogue = crate::cli::catalogue();
        let parse = |text: String| Job::parse(&Document::new(Path::new("job.toml"), text), catalogue).unwrap();
        for game in catalogue.games() {
            let text = job(game);
            let plain = parse(text.clone());
            assert!(plain.space.tuned().count() == game.sample.parameters().len());
            // The commented lines state the defaults, except the lines of other players.
            let mut blocks: Vec<&str> = text.split("\n\n").collect();
            blocks.retain(|block| !block.starts_with("# name = "));
            let said: String = blocks.join("\n\n").replace("\n# The", "\n#: The").replace("\n# W", "\n#: W");
            let said = said.replace("# A job", "#: A job").replace("\n# Next", "\n#: Next").replace("\n# ", "\n");
            assert_eq!(parse(said).to_toml(), plain.to_toml(), "{}", game.name());
        }
    }
}
