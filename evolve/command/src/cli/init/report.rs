//! Reports of `evolve init`.

use super::super::progress::say;
use super::Next;
use super::source::Source;
use super::trial::{self, TrialsError, Tried};
use evolve_init::job::{Facts, Gap};
use evolve_init::suggest::constants;
use evolve_search::file::slashed;
use evolve_search::statistics::decimals;
use std::path::Path;
use std::time::Duration;

/// Reports the known parameters, and how to add some.
pub fn parameters(known: &Facts, source: Option<&Source<'_>>) -> Next {
    let file = source.map_or_else(String::new, |source| format!(" of {}", source.file.display()));
    let guesses: Vec<&str> =
        known.read.iter().filter(|read| !read.has_default).map(|read| read.parameter.name.as_str()).collect();
    if !known.is_nothing() {
        say(&format!("parameters{file}: {}", known.names().join(", ")));
    }
    if !guesses.is_empty() {
        say(&format!("no default found for {}: set start and range in the job", guesses.join(", ")));
    }
    if let (Some(gap), Some(source)) = (&known.gap, source) {
        report_gap(gap, source.file);
    }
    if !known.is_nothing() {
        return Next::Check;
    }
    let offers = source.map_or_else(Vec::new, |source| constants(&source.text, source.language()).found);
    let names: Vec<&str> = offers.iter().map(|constant| constant.parameter.name.as_str()).collect();
    if names.is_empty() {
        say("no parameters found: declare them in [parameters] (the job has examples), and read them in the program");
        return Next::Check;
    }
    say(&format!(
        "no parameters found, but constants: {}. `evolve init --suggest` turns them into parameters",
        names.join(", ")
    ));
    Next::Suggest
}

/// Reports the first argument that the command does not pass, and the known arguments after it.
fn report_gap(gap: &Gap, file: &Path) {
    let Gap { place, line, behind } = gap;
    let behind = match behind.is_empty() {
        true => " if the program needs it".to_string(),
        false => format!(", then {} (and declare parameters in [parameters])", behind.join(" ")),
    };
    say(&format!(
        "note: {}:{line}: `command` ends before argument {place}, which is neither a known parameter nor a seed; write it \
            there by hand{behind}",
        slashed(file)
    ));
}

/// Reports the results of the first trials.
pub fn trials(tried: &Result<Tried, TrialsError>, has_instances: bool) {
    say(&match tried {
        Ok(tried) => {
            let (low, high) = tried
                .scores
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &score| (low.min(score), high.max(score)));
            let digits = decimals(high.abs().max(low.abs()));
            let each = Duration::try_from_secs_f64(tried.seconds).unwrap_or_default();
            let same = match tried.reproduces {
                true => "the same both times (deterministic)",
                false => "different the second time, so the job says `deterministic = false`",
            };
            // Programs without input often print the same score.
            let all_equal = match (low == high && tried.scores.len() > 1, has_instances) {
                (false, _) => "",
                (true, true) => "\nall scores are equal: does the program use its input or seed?",
                (true, false) => {
                    "\nall scores are equal, and no inputs were found: if the program reads an input, set `stdin` or `files` in \
                     [program]; if it reads a seed, add `{seed}` to `command`"
                }
            };
            format!(
                "ran {} trials twice, {each:.0?} each: scores {low:.digits$} to {high:.digits$}, {same}{all_equal}",
                tried.scores.len()
            )
        }
        Err(TrialsError::Job(fault)) => format!("warning: the job has errors:\n{fault}"),
        Err(TrialsError::Start(message)) => format!("warning: the program cannot start: {message}"),
        Err(TrialsError::Trial(failure)) => {
            let advice = trial::advice(failure, has_instances);
            format!("warning: the first trial failed{}\n{advice}", trial::reason(failure, has_instances))
        }
        Err(TrialsError::Foreign | TrialsError::Stopped) => "stopped during the first trials".to_string(),
    });
}
