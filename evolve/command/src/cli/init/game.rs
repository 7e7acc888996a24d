//! A commented job for a game: every option, player and weight that it has.

use evolve_core::job::policy_file::toml_value;
use evolve_core::model::problem::Problem;
use evolve_core::model::setup::{PlayerKind, Setting, Takes};

/// A job that plays the game in the first of its players.
pub fn job(game: &dyn Problem) -> String {
    let name = game.name();
    let mut text = format!(
        "# A job for {name}: {}.\n# Next: evolve check, then evolve run. What is commented out shows what else there is, with its default.\n\
         name = \"{name}\"\n\n[game]\nname = \"{name}\"\n",
        game.summary()
    );
    game.options().iter().for_each(|option| text += &setting(option));
    if let Some((first, others)) = game.players().split_first() {
        text += &format!("\n# The player in which the weights evolve.\n[player]\n{}", player(first, ""));
        for other in others {
            text += &format!("\n{}", player(other, "# "));
        }
    }
    text += "\n[evolution]\n";
    text += &line("budget = 20000", "games of the search; checks and the verdict come on top");
    text += "\n# Which weights evolve: names, or patterns with `*` for any letters.\n[weights]\n# evolve = [\"*\"]\n# fixed = []\n";
    text += "\n# Where the search starts, with the range of each weight, and its scale: how far one step of the search goes.\n\
             [weights.values]\n";
    for parameter in game.parameters() {
        let (min, max) = parameter.range();
        let start = toml_value(&parameter, parameter.start);
        let comment = format!("{min} to {max}, scale {}: {}", parameter.scale, parameter.meaning);
        text += &line(&format!("# {} = {start}", parameter.name), &comment);
    }
    text
}

/// A player with its settings; those of all but the chosen one are commented out.
fn player(PlayerKind { name, meaning, settings }: &PlayerKind, mark: &str) -> String {
    let mut text = line(&format!("{mark}name = \"{name}\""), meaning);
    settings.iter().for_each(|one| text += &setting(one));
    text
}

/// An option with its default, or with its first value if it has none.
fn setting(setting: &Setting) -> String {
    let Setting { name, meaning, takes, default } = setting;
    let (first, quote) = match takes {
        Takes::Number(min, _) => (*min, ""),
        Takes::Name(_) => (0, "\""),
    };
    let mark = if default.is_some() { "# " } else { "" };
    let value = setting.show(default.unwrap_or(first));
    line(&format!("{mark}{name} = {quote}{value}{quote}"), &format!("{takes}: {meaning}"))
}

fn line(entry: &str, comment: &str) -> String {
    format!("{entry:<28}# {comment}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::document::Document;
    use evolve_core::job::Job;
    use std::path::Path;

    #[test]
    fn the_jobs_of_all_games_can_run_and_show_their_defaults() {
        let catalogue = crate::cli::catalogue();
        let parse = |text: String| Job::parse(&Document::new(Path::new("job.toml"), text), catalogue).unwrap();
        for game in catalogue.iter() {
            let text = job(&**game);
            let plain = parse(text.clone());
            assert!(plain.space.evolving().count() == game.parameters().len());
            // What is commented out says the same, apart from the other players.
            let mut blocks: Vec<&str> = text.split("\n\n").collect();
            blocks.retain(|block| !block.starts_with("# name = "));
            let said: String = blocks.join("\n\n").replace("\n# The", "\n#: The").replace("\n# W", "\n#: W");
            let said = said.replace("# A job", "#: A job").replace("\n# Next", "\n#: Next").replace("\n# ", "\n");
            assert_eq!(parse(said).to_toml(), plain.to_toml(), "{}", game.name());
        }
    }
}
