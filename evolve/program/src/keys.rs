//! The sections of a job that declare a program, and their keys.

use evolve_core::text::{Key, SectionKeys, Takes};
use evolve_core::{choices, settings};
use std::time::Duration;

choices! {
    /// Which scores are better.
    pub enum Goal {
        /// Larger ones.
        Maximize = "maximize",
        /// Smaller ones.
        Minimize = "minimize",
    }
}

/// The largest limit in MiB.
const MOST_MIB: u64 = 1 << 30;
const MIB: Takes = Takes::Integer(1, MOST_MIB);

settings! {
    /// Keys of `[program]` with one form.
    pub struct ProgramKeys {
        worker: bool = "false", Takes::Switch, "the program stays alive and answers a line to each trial; see `workers/`";
        stdin: Option<String> = "", Takes::Text, "file that the program reads on standard input; left out: the instance's input, if the command does not name it as `{input}`";
        source: Vec<String> = "[]", Takes::Texts, "source files with parameters declared by comments such as `// evolve: [1, 20]`";
        seeds: Option<String> = "", Takes::Form("a text like \"0-99\" or \"0-49, 100, 102\""), "seeds of the instances; if there are no instances at all, seeds never end";
        files: Option<String> = "", Takes::Text, "pattern of input files, such as \"in/*.txt\"; each is an instance";
        split: bool = "true", Takes::Switch, "whether every instance belongs to one purpose; false: all are used for all, with other `{random}`, and the verdict claims nothing beyond them";
        score: Option<String> = "", Takes::Form("a regular expression, \"last-line\" or \"json:NAME\""), "where the score is: the last match on standard output, else on standard error; left out: `Score = 123`";
        metrics: Vec<String> = "[]", Takes::Texts, "names of further numbers beside a score in JSON, for the tables; of a regular expression they are the named groups";
        groups_by: Vec<String> = "[]", Takes::Texts, "metrics whose values are kinds of deals in the tables";
        goal: Goal = "\"maximize\"", Takes::Choice(Goal::NAMES), "whether large or small scores are good";
        timeout: Duration = "\"1m\"", Takes::Duration, "wall-clock time of a trial; its scorer has a minute of its own";
        cpu: Option<Duration> = "", Takes::Duration, "CPU time of a trial; left out: no limit";
        memory: Option<u64> = "", MIB, "memory of a trial in MiB; left out: no limit";
        reproduces: bool = "true", Takes::Switch, "whether the same parameters and deal always give the same score; false for programs that watch the clock";
    }
}

/// Keys of `[program]` with several forms, which are read by hand.
pub const FORMS: [Key; 6] = [
    form("command", "the program and its arguments, with placeholders; split as a shell would, but no shell runs it"),
    form("build", "run once before the first trial"),
    form("scorer", "run after the program; its output has the score. `{output}` is what the program printed"),
    Key {
        name: "env",
        takes: Takes::Form("a table of texts with placeholders"),
        default: "",
        meaning: "variables of the environment, such as { AHC_K = \"{k}\" }",
    },
    Key {
        name: "scale",
        takes: Takes::Form("\"raw\", \"log\", \"relative\" or { best = FILE }"),
        default: "\"raw\"",
        meaning: "what of a score is optimized: itself, its logarithm, or its ratio to the start's score or to the best \
                  known score (lines `instance,score` of a file) on the same instance",
    },
    Key {
        name: "on_failure",
        takes: Takes::Form("a score, \"worst\", \"stop\" or a table of these by kind"),
        default: "",
        meaning: "what a failed trial counts as: a score; `worst`, on ratios, for a ratio of 0; \
                  or the end of the run. Kinds: exit, signal, time, memory, output, score, wrong (a line \
                  with \"wrong answer\"), scorer. Left out: worst on ratios, else stop",
    },
];

const fn form(name: &'static str, meaning: &'static str) -> Key {
    Key { name, takes: Takes::Form("a text or a list of texts"), default: "", meaning }
}

static PROGRAM: [Key; FORMS.len() + ProgramKeys::KEYS.len()] = {
    let mut keys = [FORMS[0]; FORMS.len() + ProgramKeys::KEYS.len()];
    let mut i = 0;
    while i < keys.len() {
        keys[i] = if i < FORMS.len() { FORMS[i] } else { ProgramKeys::KEYS[i - FORMS.len()] };
        i += 1;
    }
    keys
};

/// The sections that declare a program.
pub static SECTIONS: [SectionKeys; 3] = [
    SectionKeys {
        name: "program",
        meaning: "A program in any language, instead of `[game]`. Commands and files are looked for from the folder that \
                  the run is started in. Placeholders: `{NAME}` of parameters and scenario variables, `{seed}`, \
                  `{instance}`, `{input}`, `{output}`, `{random}`, `{dir}`, `{params}` (a JSON file of all parameters) and \
                  `{args}` (all as `--NAME VALUE`); `{seed:04}` has four digits, `{x:.3}` three decimals, `{on:d}` is 1 or \
                  0, `{on:--fast}` is `--fast` or nothing; `{{` and `}}` are braces.",
        keys: &PROGRAM,
    },
    SectionKeys {
        name: "parameters",
        meaning: "`NAME = { int = [1, 20], start = 5 }`, `{ float = [1e-3, 1e3], log = true }`, `{ choice = [\"a\", \
                  \"b\"] }` or `{ bool = true }`. Further keys: `start`, `log`, `step` (the distance of two values worth \
                  comparing), `when` (a condition on earlier parameters), `meaning`, and `count` with `separator` for an \
                  array.",
        keys: &[],
    },
    SectionKeys {
        name: "scenarios",
        meaning: "`NAME = [value, ..]`: variables whose values, all combined, are the scenarios of every trial. The score \
                  of a trial is the mean of its scenarios.",
        keys: &[],
    },
];

/// The names of all keys of `[program]`.
pub fn names() -> Vec<&'static str> {
    PROGRAM.iter().map(|key| key.name).collect()
}
