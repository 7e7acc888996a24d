//! Every key of a job file that is not a problem's or an optimizer's own, declared once. Reading, checking, the resolved
//! config and the reference page (docs/config.md) follow from these declarations.

use crate::key::{Key, SectionKeys, Takes};
use crate::problem::Catalogue;
use crate::source::NAME;
use crate::statistics::LEAST_SAMPLE;
use std::fmt::Write;

/// The largest seed and count: what TOML's integers hold.
const MOST: u64 = i64::MAX as u64;
/// The most games of a check, final round or verdict: the outcomes of all are in memory, and in the checkpoint.
const MOST_GAMES: u64 = 1_000_000;

crate::settings! {
    /// The top level.
    pub struct Top {
        name: String = "", Takes::Text,
            "folder of the results below `results/`: letters, digits, `-`, `_`, `.` and `/`; required";
        seed: u64 = "1", Takes::Integer(0, MOST), "every random number of the run follows from it";
        version: Option<u64> = "", Takes::Integer(1, MOST),
            "written by runs: the version of players and search that the results are of";
    }
}

crate::settings! {
    /// `[weights]`: where the search starts, and what it searches.
    pub struct Weights {
        start: String = "\"defaults\"", Takes::Text,
            "starting weights: \"defaults\", or a weights file or the folder of a run, from the current folder";
        evolve: Vec<String> = "[\"*\"]", Takes::Texts,
            "which weights evolve: names, or patterns with `*` for any letters";
        fixed: Vec<String> = "[]", Takes::Texts, "which of those stay as they start after all";
    }
}

crate::settings! {
    /// `[evolution]`: which optimizer, and when the search ends.
    pub struct Search {
        optimizer: String = "\"auto\"", Takes::Text,
            "which optimizer: `auto`, which has nothing to set, or `genetic`, with the keys below";
        budget: Option<u64> = "", Takes::Integer(1, MOST >> 3),
            "games of the search; this, `generations`, `time` or several of them must be given";
        generations: Option<u64> = "", Takes::Integer(1, 1_000_000_000), "generations to evolve";
        time: Option<std::time::Duration> = "", Takes::Duration,
            "time to evolve, stops not counted, the final round besides; the generation under way is completed. How \
             many generations fit depends on the machine: what must reproduce is limited by `budget` or `generations`";
    }
}

crate::settings! {
    /// `[validation]`: held-out games.
    pub struct Validation {
        games: Option<usize> = "", Takes::Integer(LEAST_SAMPLE as u64, MOST_GAMES),
            "held-out games, on which the mean is checked whenever the search has played ten times as many, paired with \
             the starting weights on them; left out: 200, or a 200th of `budget`, at least 30";
    }
}

crate::settings! {
    /// `[final]`: the final round and the verdict.
    pub struct Final {
        games: Option<usize> = "", Takes::Integer(2, MOST_GAMES),
            "fresh games of the final round that chooses among the finalists; left out: 500, or a 100th of `budget`, \
             at least 30";
        verdict: Option<usize> = "", Takes::Integer(LEAST_SAMPLE as u64, MOST_GAMES),
            "other fresh games at most, on which the chosen finalist is compared with the starting weights: the verdict \
             ends as soon as it is clear, that is worse, or better by a difference known to within a half of it; left \
             out: 1000, or a 10th of `budget`, at least 30, and no more than five of an instance";
    }
}

/// The sections of a job, apart from those in which it declares a problem of its own, in the order in which they are
/// written.
pub const SECTIONS: [SectionKeys<'static>; 10] = [
    SectionKeys { name: "", meaning: "", keys: Top::KEYS },
    SectionKeys {
        name: "game",
        meaning: "Which game, and its options, listed in the job of `evolve init --game NAME`.",
        keys: &[NAME],
    },
    SectionKeys {
        name: "player",
        meaning: "In which player the weights evolve, and its settings, listed in the job of `evolve init --game NAME`.",
        keys: &[NAME],
    },
    SectionKeys {
        name: "submission",
        meaning: "The same for the player of the exported program. Left out: the player that the weights evolve in.",
        keys: &[NAME],
    },
    SectionKeys { name: "weights", meaning: "Where the search starts, and what it searches.", keys: Weights::KEYS },
    SectionKeys {
        name: "weights.values",
        meaning: "`NAME = value`: starts this weight at another value, within its range.",
        keys: &[],
    },
    SectionKeys {
        name: "weights.ranges",
        meaning: "`NAME = [smallest, largest]`: narrows the range of a weight.",
        keys: &[],
    },
    SectionKeys {
        name: "evolution",
        meaning: "The search. Besides these keys it has those of its optimizer, below.",
        keys: Search::KEYS,
    },
    SectionKeys { name: "validation", meaning: "Held-out games while the run goes on.", keys: Validation::KEYS },
    SectionKeys { name: "final", meaning: "How the run recommends a policy.", keys: Final::KEYS },
];

/// The reference of all keys, as Markdown.
pub fn reference(catalogue: &Catalogue) -> String {
    let mut text = String::from(
        "# The keys of a job file\n\nA job is a TOML file. An unknown key, a weight that does not exist or a value \
         that is not allowed is\nanswered with its line before the first game is played.\n",
    );
    for section in &SECTIONS {
        let title = if section.name.is_empty() { "Top level".to_string() } else { format!("`[{}]`", section.name) };
        write_section(&mut text, &title, section);
        if section.name == "evolution" {
            for method in catalogue.methods() {
                let title = format!("`[evolution]`, with `optimizer = \"{}\"`", method.name);
                let meaning = format!("{}.", capitalised(method.meaning));
                write_section(&mut text, &title, &SectionKeys { name: "", meaning: &meaning, keys: method.keys });
            }
        }
    }
    for section in catalogue.declares().flat_map(|declares| declares.sections()) {
        write_section(&mut text, &format!("`[{}]`", section.name), section);
    }
    text
}

fn write_section(text: &mut String, title: &str, section: &SectionKeys<'_>) {
    write!(text, "\n## {title}\n").expect("writing to a string does not fail");
    if !section.meaning.is_empty() {
        write!(text, "\n{}\n", section.meaning).expect("writing to a string does not fail");
    }
    if section.keys.is_empty() {
        return;
    }
    text.push_str("\n| key | takes | default | meaning |\n|---|---|---|---|\n");
    for Key { name, takes, default, meaning } in section.keys {
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        writeln!(text, "| `{name}` | {takes} | {default} | {meaning} |").expect("writing to a string does not fail");
    }
}

/// A sentence of a phrase.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
