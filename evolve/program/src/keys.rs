//! The sections of a job that declare a program, and their keys.

use evolve_core::key::{Key, SectionKeys, Takes};
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

choices! {
    /// Where the program runs.
    pub enum Folder {
        /// In the folder that the run was started in.
        Job = "job",
        /// In a temporary folder that no other trial uses at the same time.
        Slot = "slot",
    }
}

choices! {
    /// How the scores of several scenarios become one.
    pub enum Aggregate {
        /// Their mean.
        Mean = "mean",
        /// Their mean, each scenario with its weight.
        Weighted = "weighted",
        /// The worst of them.
        Worst = "worst",
    }
}

choices! {
    /// Which scenarios a trial is played in.
    pub enum Dealing {
        /// In all of them.
        All = "all",
        /// In one, dealt out by the number of the deal.
        Out = "out",
    }
}

/// The largest limit in MiB.
const MOST_MIB: u64 = 1 << 30;
const MIB: Takes = Takes::Integer(1, MOST_MIB);

settings! {
    /// Keys of `[program]` with one form.
    pub struct ProgramKeys {
        worker: bool = "false", Takes::Switch, "the program stays alive and answers a line to each trial; see `workers/`";
        dir: Folder = "\"job\"", Takes::Choice(Folder::NAMES), "where the program runs: in the folder that the run was started in, or in a temporary folder of its own, `{dir}`";
        stdin: Option<String> = "", Takes::Text, "file that the program reads on standard input; left out: the instance's input, if the command does not name it as `{input}`";
        prefix: String = "\"EVOLVE_\"", Takes::Text, "what names of parameters in the environment begin with; the name follows in capitals";
        templates: Vec<String> = "[]", Takes::Texts, "files in which `{NAME}` of every parameter is replaced; the copies are in `{dir}` under the same names, without a final `.in`";
        source: Vec<String> = "[]", Takes::Texts, "source files with parameters declared by comments such as `// evolve: [1, 20]`";
        files: Option<String> = "", Takes::Text, "pattern of input files, such as \"in/*.txt\"; each is an instance";
        split: bool = "true", Takes::Switch, "whether every instance belongs to one purpose; false: all are used for all, with other `{random}`, and the verdict claims nothing beyond them";
        inputs: String = "\".evolve/inputs\"", Takes::Text, "folder in which generated inputs are kept";
        groups: Option<String> = "", Takes::Text, "regular expression on the names of instances; its named groups are kinds of deals in the tables";
        wrong: String = "'(?i)wrong answer'", Takes::Text, "regular expression that tells a wrong answer, in the output that has the score";
        metrics: Vec<String> = "[]", Takes::Texts, "names of further numbers beside a score in JSON, for the tables; of a regular expression they are the named groups";
        goal: Goal = "\"maximize\"", Takes::Choice(Goal::NAMES), "whether large or small scores are good";
        retries: usize = "0", Takes::Integer(0, 100), "how often a failed trial is played again before it counts as failed";
        timeout: Duration = "\"1m\"", Takes::Duration, "wall-clock time of a trial";
        cpu: Option<Duration> = "", Takes::Duration, "CPU time of a trial; left out: no limit";
        memory: Option<u64> = "", MIB, "memory of a trial in MiB; left out: no limit";
        processes: Option<u64> = "", Takes::Integer(1, 1_000_000), "processes of a trial at the same time; left out: no limit";
        output: u64 = "16", Takes::Integer(1, 4096), "output of a trial in MiB, for each stream";
        tool_timeout: Duration = "\"1m\"", Takes::Duration, "wall-clock time of the scorer, of the generator and of the program that lists parameters";
        reproduces: bool = "true", Takes::Switch, "whether the same parameters and deal always give the same score; false for programs that watch the clock";
    }
}

/// Keys of `[program]` with several forms, which are read by hand.
pub const FORMS: [Key; 12] = [
    form("command", "the program and its arguments, with placeholders; split as a shell would, but no shell runs it"),
    form("build", "run once before the first trial"),
    form("scorer", "run after the program; its output has the score. `{output}` is what the program printed"),
    form("generator", "run for every instance; what it prints is the instance's input"),
    form(
        "parameters",
        "run before the first trial; lists parameters, a line each: `name, int, start, min, max, step, rate`",
    ),
    Key {
        name: "env",
        takes: Takes::Form("true or a table of texts"),
        default: "",
        meaning: "true: all parameters are in the environment; a table: these variables, with placeholders, are",
    },
    Key {
        name: "seeds",
        takes: Takes::Form("a text like \"0-99\" or a list of whole numbers"),
        default: "",
        meaning: "seeds of the instances; if there are no instances at all, seeds never end",
    },
    Key {
        name: "instances",
        takes: Takes::Form("a list of texts or \"all\""),
        default: "",
        meaning: "names of instances, `{instance}`; \"all\" is the same as `split = false`",
    },
    Key {
        name: "score",
        takes: Takes::Form("a regular expression, \"last-line\" or \"json:NAME\""),
        default: "",
        meaning: "where the score is: the last match on standard output, else on standard error; left out: `Score = 123`",
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
        meaning: "what a failed trial counts as: a score; `worst`, on ratios, for 0 or ten times the score compared with; \
                  or the end of the run. Kinds: exit, signal, time, memory, output, score, wrong, scorer, other. Left out: \
                  worst on ratios, else stop",
    },
    Key {
        name: "groups_by",
        takes: Takes::Form("a list of metrics"),
        default: "",
        meaning: "metrics whose values are kinds of deals in the tables",
    },
];

const fn form(name: &'static str, meaning: &'static str) -> Key {
    Key { name, takes: Takes::Form("a text or a list of texts"), default: "", meaning }
}

/// All keys of `[program]`.
static PROGRAM: [Key; FORMS.len() + ProgramKeys::KEYS.len()] = {
    let mut keys = [FORMS[0]; FORMS.len() + ProgramKeys::KEYS.len()];
    let mut i = 0;
    while i < keys.len() {
        keys[i] = if i < FORMS.len() { FORMS[i] } else { ProgramKeys::KEYS[i - FORMS.len()] };
        i += 1;
    }
    keys
};

settings! {
    /// Keys of `[scenarios]` that are no variables.
    pub struct ScenarioKeys {
        aggregate: Aggregate = "\"mean\"", Takes::Choice(Aggregate::NAMES), "how the scores of the scenarios become one";
        deal: Dealing = "\"all\"", Takes::Choice(Dealing::NAMES), "whether a trial is played in all scenarios or in one of them, dealt out";
    }
}

/// All keys of `[scenarios]`.
static SCENARIOS: [Key; 1 + ScenarioKeys::KEYS.len()] = {
    let rows = Key {
        name: "rows",
        takes: Takes::Form("a list of tables"),
        default: "",
        meaning: "the scenarios one by one, each with a value for every variable and perhaps a `weight`",
    };
    [rows, ScenarioKeys::KEYS[0], ScenarioKeys::KEYS[1]]
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
        meaning: "`NAME = [value, ..]`: variables whose values, all combined, are the scenarios of every trial.",
        keys: &SCENARIOS,
    },
];

/// The names of all keys of a section.
pub fn names(section: usize) -> Vec<&'static str> {
    SECTIONS[section].keys.iter().map(|key| key.name).collect()
}
