//! Keys and values that jobs once had, each with the line that answers a job which still has them.

/// Section, key, answer. The answer completes "[section] no longer has `key`: ...".
const KEYS: &[(&str, &str, &str)] = &[
    // [evolution]
    // [validation] and [final]
    // [transfer]
    (
        "transfer",
        "",
        "remove it, and measure in the other player by `evolve compare RUN defaults --set player.name=NAME`",
    ),
    // [program]
    // [scenarios]
];

/// What to do about a key that a section once had, or about a section, under its own name and an empty key.
pub fn answer(section: &str, key: &str) -> Option<&'static str> {
    KEYS.iter().find(|(of, name, _)| *of == section && *name == key).map(|&(_, _, answer)| answer)
}
