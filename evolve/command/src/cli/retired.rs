//! Subcommands and flags of earlier versions, each with the message for users who still write them.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Each entry is (subcommand, replacement).
const COMMANDS: &[(&str, &str)] = &[
    ("evaluate", "`evaluate` is now `compare`: evolve compare RUN --trials 1000"),
    ("show", "`show` is now `status`: evolve status RUN"),
    ("finish", "`finish` is now `run --finish`: evolve run CONFIG --resume --finish"),
    ("games", "`games` is now `init --game`: evolve init --game NAME (the protocol: evolve judge --protocol NAME)"),
    ("keys", "`keys` is now a page, docs/config.md; `evolve init` writes a commented job"),
];

/// Each entry is (subcommand, flag, replacement).
const FLAGS: &[(&str, &str, &str)] = &[
    ("run", "--workers", "`--workers` is now `--server`: evolve run CONFIG --server URL"),
    (
        "run",
        "--other-version",
        "`--other-version` is now `--allow-mismatch`: evolve run CONFIG --resume --allow-mismatch",
    ),
    ("worker", "--join", "`--join` is now `--server`: evolve worker --server URL"),
    ("worker", "--idle", "`--idle` is now `--idle-timeout`: evolve worker --server URL --idle-timeout 10m"),
    ("compare", "--games", "`--games` is now `--trials`: evolve compare RUN --trials 1000"),
    ("compare", "--error", "`--error` is now `--alpha`: evolve compare RUN OTHER --alpha 0.01"),
    ("explain", "--games", "`--games` is now `--trials`: evolve explain RUN --trials 1000"),
    ("report", "--games", "`--games` is now `--trials`: evolve report RUN --trials 100"),
    ("judge", "--seeds", "`--seeds` is now `--cases`: evolve judge GAME --cases 1-100"),
    (
        "run",
        "--seeds",
        "`--seeds` was removed; run each seed separately: evolve run CONFIG --seed 2 --name \
        NAME/seed-2",
    ),
    ("explain", "--slices", "`--slices` was removed: evolve explain RUN measures each weight"),
];

/// Returns the message for a command line that clap rejects, if it uses a subcommand or flag of an earlier version.
pub fn answer(error: &clap::Error, words: &[String]) -> Option<&'static str> {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.split('=').next().unwrap_or_default().to_string()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = named(ContextKind::InvalidSubcommand)?;
            COMMANDS.iter().find(|(command, _)| *command == name).map(|&(_, answer)| answer)
        }
        ErrorKind::UnknownArgument => {
            let (command, name) = (words.first()?, named(ContextKind::InvalidArg)?);
            if name == "--threads" {
                return Some("`--threads` is now `--jobs`: -j NUMBER");
            }
            FLAGS.iter().find(|(of, flag, _)| of == command && *flag == name).map(|&(_, _, answer)| answer)
        }
        _ => None,
    }
}
