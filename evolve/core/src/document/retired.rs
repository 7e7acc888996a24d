//! Keys and values of jobs in earlier versions, each with the message for a job that still has them.

const AUTO_OR_GENETIC: &str = "remove `optimizer` for `auto`, or write `optimizer = \"genetic\"`";
const NOTHING_TO_SET: &str = "remove it: `auto` has no settings";

/// Each entry is (section, key, message). The message completes "[section] no longer has `key`: ...".
const KEYS: &[(&str, &str, &str)] = &[
    // [evolution]; a former value of `optimizer` is listed under the name of the key
    ("evolution.optimizer", "evolution-strategy", AUTO_OR_GENETIC),
    ("evolution.optimizer", "cma-es", AUTO_OR_GENETIC),
    ("evolution.optimizer", "mirrored", AUTO_OR_GENETIC),
    ("evolution", "racing", "remove it"),
    ("evolution", "tournament", "tournaments have three members; remove it"),
    ("evolution", "parents", "a third of `population` become parents; remove it"),
    ("evolution", "decay", "mutations shrink by a fixed rule; remove it"),
    ("evolution", "adapt", NOTHING_TO_SET),
    ("evolution", "covariance", NOTHING_TO_SET),
    ("evolution", "pairs", NOTHING_TO_SET),
    ("evolution", "perturbation", NOTHING_TO_SET),
    ("evolution", "size", NOTHING_TO_SET),
    ("evolution", "travel", NOTHING_TO_SET),
    ("evolution", "rate", "it is now `mutation_rate`"),
    ("evolution", "step", "it is now `sigma0`"),
    // [weights]
    ("weights", "evolve", "it is now `include`"),
    ("weights", "fixed", "it is now `exclude`"),
    ("evolution", "games", "it is now `trials`"),
    // [validation] and [final]
    ("validation", "", "write the trials of a validation as `validation` in [evolution]"),
    (
        "final",
        "",
        "write the trials of the selection and of the test as `selection` and `test` in [evolution]; `budget` counts them",
    ),
    // [transfer]
    (
        "transfer",
        "",
        "remove it, and measure with the other player: `evolve compare defaults RUN --set player.name=NAME`",
    ),
    // [program]
    ("program", "generator", "run it in `build`, and name the files that it writes with `stdin` and `seeds`"),
    ("program", "inputs", "run the generator in `build`, and name the files that it writes with `stdin` and `seeds`"),
    ("program", "parameters", "declare them in [parameters], or with markers in a file of `source`"),
    ("program", "instances", "list them with `seeds` or `files`; `split = false` uses all of them in every split"),
    ("program", "groups", "print the kind of an instance as a metric, and name it in `group_by`"),
    ("program", "wrong", "a line with \"wrong answer\" in the output marks one"),
    ("program", "prefix", "name each variable, as in env = { K = \"{k}\" }"),
    ("program", "templates", "read `{params}`, a JSON file of all parameters, or write the file in a script"),
    ("program", "retries", "try again in the script that `command` names"),
    ("program", "processes", "use `ulimit -u` in the script that `command` names"),
    ("program", "output", "the limit is 16 MiB for each stream"),
    ("program", "tool_timeout", "a scorer has a minute"),
    ("program", "dir", "change to the folder `{dir}` in the script that `command` names"),
    ("program", "reproduces", "it is now `deterministic`"),
    ("program", "groups_by", "it is now `group_by`"),
    ("program", "cpu", "it is now `cpu_limit`"),
    ("program", "memory", "it is now `memory_limit`"),
    // [parameters], with any name
    ("parameters.*", "when", "it is now `condition`"),
    ("parameters.*", "meaning", "it is now `description`"),
    // [scenarios]
    ("scenarios", "rows", "list the values of each variable, as in `side = [0, 1]`; all combinations are played"),
    ("scenarios", "aggregate", "the score of a trial is the mean of its scenarios; remove this line"),
    ("scenarios", "deal", "a trial is played in all scenarios; remove this line"),
];

/// Returns the message for a former key of a section, or for a former section, which is listed with an empty key.
pub fn answer(section: &str, key: &str) -> Option<&'static str> {
    let is_meant = |of: &str| match of.strip_suffix('*') {
        Some(start) => section.starts_with(start),
        None => section == of,
    };
    KEYS.iter().find(|(of, name, _)| is_meant(of) && *name == key).map(|&(_, _, answer)| answer)
}
