//! Every key of a job file, declared once. Reading, checking, the resolved config and the reference page
//! (`evolve keys`) all follow from these declarations.

use crate::document::{Key, Takes};
use crate::policy_file::NAME;
use crate::statistics::LEAST_SAMPLE;
use std::fmt::Write;

/// The largest seed and count: what TOML's integers hold.
const MOST: u64 = i64::MAX as u64;

/// Top level: the run's name.
pub const RUN: Key = Key {
    name: "name",
    takes: Takes::Text,
    default: None,
    meaning: "folder of the results below `results/`: letters, digits, `-`, `_`, `.` and `/`; required",
};
/// Top level: the seed.
pub const SEED: Key = Key {
    name: "seed",
    takes: Takes::Integer(0, MOST),
    default: Some("1"),
    meaning: "every random number of the run follows from it",
};

/// `[weights]`: where evolution starts.
pub const START: Key = Key {
    name: "start",
    takes: Takes::Text,
    default: Some("\"defaults\""),
    meaning: "starting weights: \"defaults\", or a weights file or the folder of a run, from the current folder",
};
/// `[weights]`: patterns of weights that evolve.
pub const EVOLVE: Key = Key {
    name: "evolve",
    takes: Takes::Texts,
    default: Some("[\"*\"]"),
    meaning: "which weights evolve: names, or patterns with `*` for any letters",
};
/// `[weights]`: patterns of weights that do not.
pub const FIXED: Key = Key {
    name: "fixed",
    takes: Takes::Texts,
    default: Some("[]"),
    meaning: "which of those stay as they start after all",
};

/// `[evolution]`: candidates a generation.
pub const POPULATION: Key = Key {
    name: "population",
    takes: Takes::Integer(2, 100_000),
    default: Some("36"),
    meaning: "candidates a generation",
};
/// `[evolution]`: games a candidate.
pub const GAMES: Key = Key {
    name: "games",
    takes: Takes::Integer(1, 1_000_000),
    default: Some("24"),
    meaning: "games that each candidate plays in a generation, the same for all, new ones every generation",
};
/// `[evolution]`: the last generation.
pub const GENERATIONS: Key = Key {
    name: "generations",
    takes: Takes::Integer(1, 1_000_000_000),
    default: None,
    meaning: "generations to evolve; this, `time` or both must be given",
};
/// `[evolution]`: the time budget.
pub const TIME: Key = Key {
    name: "time",
    takes: Takes::Duration,
    default: None,
    meaning: "time to evolve, stops not counted, the final round besides; the generation under way is completed. \
              How many generations fit depends on the machine: what must reproduce is limited by `generations`",
};
/// `[evolution]`: selection.
pub const SELECTION: Key = Key {
    name: "selection",
    takes: Takes::Choice(&["truncation", "tournament"]),
    default: Some("\"truncation\""),
    meaning: "how parents are chosen: the best ones, or the winners of small tournaments",
};
/// `[evolution]`: parents.
pub const PARENTS: Key = Key {
    name: "parents",
    takes: Takes::Integer(1, 100_000),
    default: None,
    meaning: "parents chosen in a generation, at most `population`; left out: half of it",
};
/// `[evolution]`: tournament size.
pub const TOURNAMENT: Key = Key {
    name: "tournament",
    takes: Takes::Integer(2, 1000),
    default: Some("3"),
    meaning: "candidates in each tournament",
};
/// `[evolution]`: crossover.
pub const CROSSOVER: Key = Key {
    name: "crossover",
    takes: Takes::Choice(&["mean", "uniform", "blend"]),
    default: Some("\"mean\""),
    meaning: "what a child starts from: the mean of all parents, better ones counting more; each weight from either \
              of two parents; or a point between two parents. The mean averages noise away",
};
/// `[evolution]`: elites.
pub const ELITES: Key = Key {
    name: "elites",
    takes: Takes::Integer(0, 100_000),
    default: Some("1"),
    meaning: "the best candidates that live on unchanged, to be measured again on new games; less than `population`",
};
/// `[evolution]`: the first mutations.
pub const STEP: Key = Key {
    name: "step",
    takes: Takes::Number(1e-6, 1e6),
    default: Some("1.0"),
    meaning: "standard deviation of the first mutations, in units of each weight's scale",
};
/// `[evolution]`: mutation rate.
pub const RATE: Key = Key {
    name: "rate",
    takes: Takes::Number(1e-6, 1.0),
    default: Some("1.0"),
    meaning: "share of a child's weights that mutate",
};
/// `[evolution]`: adaptation.
pub const ADAPT: Key = Key {
    name: "adapt",
    takes: Takes::Choice(&["weights", "step", "none"]),
    default: Some("\"weights\""),
    meaning: "what of the mutations adapts: every weight's own scale and the common step, the common step, or nothing",
};

/// `[validation]`: how often.
pub const EVERY: Key = Key {
    name: "every",
    takes: Takes::Integer(0, 1_000_000_000),
    default: Some("10"),
    meaning: "generations from one validation of the population's mean on held-out games to the next; 0: never",
};
/// `[validation]`: games.
pub const HELD_OUT: Key = Key {
    name: "games",
    takes: Takes::Integer(LEAST_SAMPLE as u64, 100_000_000),
    default: Some("200"),
    meaning: "held-out games, the same at every validation, paired with the starting weights on them",
};

/// `[final]`: games of the finalists.
pub const FINAL: Key = Key {
    name: "games",
    takes: Takes::Integer(2, 100_000_000),
    default: Some("500"),
    meaning: "fresh games of the final round that chooses among the finalists",
};
/// `[final]`: games of the verdict.
pub const VERDICT: Key = Key {
    name: "verdict",
    takes: Takes::Integer(LEAST_SAMPLE as u64, 100_000_000),
    default: Some("1000"),
    meaning: "other fresh games, on which the chosen finalist is compared with the starting weights",
};
/// `[final]`: leaders.
pub const LEADERS: Key = Key {
    name: "leaders",
    takes: Takes::Integer(1, 64),
    default: Some("4"),
    meaning: "leaders of how many generations, spread over the run, are finalists beside the population's mean, its \
              average over the last generations and the starting weights",
};

/// A section of a job file.
pub struct SectionKeys {
    /// Its name; empty for the top level.
    pub name: &'static str,
    /// What it is about.
    pub meaning: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// All sections, in the order in which they are written.
pub const SECTIONS: [SectionKeys; 10] = [
    SectionKeys { name: "", meaning: "", keys: &[RUN, SEED] },
    SectionKeys {
        name: "game",
        meaning: "Which game, and its options: whole numbers, listed by `evolve games NAME`.",
        keys: &[NAME],
    },
    SectionKeys {
        name: "player",
        meaning: "In which player the weights evolve, and its settings: whole numbers, listed by `evolve games NAME`.",
        keys: &[NAME],
    },
    SectionKeys {
        name: "submission",
        meaning: "The same for the player of the exported program. Left out: the player that the weights evolve in.",
        keys: &[NAME],
    },
    SectionKeys {
        name: "weights",
        meaning: "Where evolution starts, and what of it evolves.",
        keys: &[START, EVOLVE, FIXED],
    },
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
        meaning: "The genetic algorithm.",
        keys: &[
            POPULATION,
            GAMES,
            GENERATIONS,
            TIME,
            SELECTION,
            PARENTS,
            TOURNAMENT,
            CROSSOVER,
            ELITES,
            STEP,
            RATE,
            ADAPT,
        ],
    },
    SectionKeys { name: "validation", meaning: "Held-out games while the run goes on.", keys: &[EVERY, HELD_OUT] },
    SectionKeys { name: "final", meaning: "How the run recommends a policy.", keys: &[FINAL, VERDICT, LEADERS] },
];

/// The names of a section's keys.
pub(super) fn names(section: &str) -> Vec<&'static str> {
    let section = SECTIONS.iter().find(|keys| keys.name == section);
    section.map(|section| section.keys.iter().map(|key| key.name).collect()).unwrap_or_default()
}

/// The reference of all keys, as Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# The keys of a job file\n\nA job is a TOML file. An unknown key, a weight that does not exist or a value \
         that is not allowed is\nanswered with its line before the first game is played.\n",
    );
    for section in &SECTIONS {
        let title = if section.name.is_empty() { "Top level".to_string() } else { format!("`[{}]`", section.name) };
        write!(text, "\n## {title}\n").expect("writing to a string does not fail");
        if !section.meaning.is_empty() {
            write!(text, "\n{}\n", section.meaning).expect("writing to a string does not fail");
        }
        if section.keys.is_empty() {
            continue;
        }
        text.push_str("\n| key | takes | default | meaning |\n|---|---|---|---|\n");
        for key in section.keys {
            let default = key.default.map_or(String::new(), |default| format!("`{default}`"));
            writeln!(text, "| `{}` | {} | {default} | {} |", key.name, key.takes, key.meaning)
                .expect("writing to a string does not fail");
        }
    }
    text
}
