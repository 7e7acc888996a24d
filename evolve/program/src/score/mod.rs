//! Rules for finding a score in a program's output. The last text that claims to be a score
//! decides: if it is not a number, the trial has no score, because an earlier one is not the
//! result.

mod claim;
pub(crate) mod number;
mod pattern;
#[cfg(test)]
mod tests;

use evolve_process::{excerpt, last_words};
use evolve_search::document::Complaint;
use evolve_search::model::trial::is_usable;
use indexmap::IndexMap;
use number::Misread;
use pattern::Pattern;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

/// A score with metrics, in the order of [`Score::metrics`].
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    pub score: f64,
    /// The metrics; 0 for missing ones. Empty for a trial that was stopped.
    pub metrics: Vec<f64>,
}

/// A rule for finding a score.
#[derive(Clone, Debug)]
pub struct Score {
    form: Form,
    /// As written in the job, if it is.
    written: Option<String>,
    metrics: Vec<String>,
    /// The patterns of metrics that have their own. These metrics come last in `metrics`.
    patterns: Vec<Pattern>,
    /// Metrics without which a trial fails.
    required: Vec<String>,
}

#[derive(Clone, Debug)]
enum Form {
    /// `Score = 123`.
    Claim,
    /// The last match, with the groups of the score and of the metrics.
    Match { pattern: Pattern, score: usize, metrics: Vec<usize> },
    /// The last line that is not blank.
    LastLine,
    /// Names in a JSON object, from the outside in.
    Json(Vec<String>),
    /// The run time of the program in seconds.
    Time(Clock),
}

/// The clock of a run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of the program and its descendants.
    Cpu,
    Wall,
}

/// Least run time in seconds, so that every run time has a logarithm.
const LEAST_TIME: f64 = 1e-3;

/// A fault in a rule for finding scores.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScoreError {
    /// `json:` is not followed by a name.
    #[error("`json:` needs a name, such as `json:score` or `json:result.score`")]
    Json,
    /// Its regular expression has no group.
    #[error(r"the regular expression needs a group around the score, as in `Score = (\d+)`")]
    NoGroup,
    /// The metrics are names, but the groups of the regular expression have others.
    #[error("`metrics` lists names, but the score is a regular expression: name its groups instead, or give patterns")]
    Metrics,
    /// Its regular expression is invalid.
    #[error(transparent)]
    Regex(#[from] regex::Error),
}

/// The reason why an output has no score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoScore(pub String);

impl From<String> for NoScore {
    fn from(reason: String) -> Self {
        NoScore(reason)
    }
}

impl Score {
    /// Reads a rule for finding scores; without one, a score is a line such as `Score = 123`.
    /// `metrics` names other numbers: in the JSON object or, beside a score that is neither JSON
    /// nor a regular expression, in lines such as `nodes = 7`. In a regular expression, the named
    /// groups are the metrics.
    ///
    /// # Errors
    /// A fault in the regular expression or in the metrics.
    pub fn parse(written: Option<&str>, metrics: &[String]) -> Result<Self, ScoreError> {
        let mut names = metrics.to_vec();
        let form = match written {
            None => Form::Claim,
            Some("last-line") => Form::LastLine,
            Some("time") => Form::Time(Clock::Cpu),
            Some("wall") => Form::Time(Clock::Wall),
            Some(written) => match written.strip_prefix("json:") {
                Some(path) if path.split('.').any(str::is_empty) => return Err(ScoreError::Json),
                Some(path) => Form::Json(path.split('.').map(String::from).collect()),
                None => {
                    let pattern = Pattern::parse(written)?;
                    let groups: Vec<(usize, Option<&str>)> = pattern.groups().collect();
                    let named = groups.iter().find(|(_, name)| *name == Some("score"));
                    let first = groups.iter().find(|(_, name)| name.is_none());
                    let &(score, _) = named.or(first).ok_or(ScoreError::NoGroup)?;
                    let others = groups.iter().filter(|(group, _)| *group != score);
                    let named: Vec<(usize, &str)> = others.filter_map(|&(group, name)| Some((group, name?))).collect();
                    names = named.iter().map(|(_, name)| (*name).to_string()).collect();
                    let metrics = named.iter().map(|&(group, _)| group).collect();
                    Form::Match { pattern, score, metrics }
                }
            },
        };
        let patterns = match form {
            Form::Json(_) => Vec::new(),
            Form::Match { .. } if metrics.is_empty() || metrics == &names[..] => Vec::new(),
            Form::Match { .. } => return Err(ScoreError::Metrics),
            Form::Claim | Form::LastLine | Form::Time(_) => names.iter().map(|name| Pattern::line(name)).collect(),
        };
        let written = written.map(String::from);
        Ok(Score { form, written, metrics: names, patterns, required: Vec::new() })
    }

    /// Adds metrics that have their own patterns.
    ///
    /// # Errors
    /// The first fault in a pattern.
    pub fn beside(mut self, patterns: &IndexMap<String, String>) -> Result<Self, Complaint> {
        for (name, pattern) in patterns {
            let fault = |message: &str| Err(Complaint::new(&["metrics", name], format!("`metrics.{name}`: {message}")));
            match Pattern::parse(pattern) {
                Err(error) => return fault(&error.to_string()),
                Ok(pattern) if pattern.groups().count() != 1 => {
                    return fault(r"the regular expression needs one group, around the number, as in `nodes: (\d+)`");
                }
                Ok(_) if self.metrics.contains(name) => return fault("a group of `score` has this name already"),
                Ok(pattern) => self.patterns.push(pattern),
            }
            self.metrics.push(name.clone());
        }
        Ok(self)
    }

    /// Makes trials without these metrics fail.
    #[must_use]
    pub fn requiring(self, metrics: impl Iterator<Item = String>) -> Self {
        Score { required: metrics.collect(), ..self }
    }

    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// As written in the job, if it is.
    pub fn written(&self) -> Option<&str> {
        self.written.as_deref()
    }

    /// Returns the clock, if the score is a run time.
    pub fn clock(&self) -> Option<Clock> {
        if let Form::Time(clock) = self.form { Some(clock) } else { None }
    }

    /// Returns a run time as the score, with the metrics found in the output.
    pub fn of_time(&self, time: Duration, stdout: &[u8], stderr: &[u8]) -> Result<Scored, NoScore> {
        self.measured(time.as_secs_f64().max(LEAST_TIME), self.beside_score(stdout, stderr)?)
    }

    /// Returns a score with the metrics that were reported.
    fn measured(&self, score: f64, metrics: Vec<Option<f64>>) -> Result<Scored, NoScore> {
        let missing =
            self.metrics.iter().zip(&metrics).find(|(name, value)| value.is_none() && self.required.contains(name));
        match missing {
            Some((name, _)) => Err(NoScore(format!("the output has no number `{name}`, which is needed"))),
            None => Ok(Scored { score, metrics: metrics.into_iter().map(Option::unwrap_or_default).collect() }),
        }
    }

    /// Returns the values of the metrics that have patterns.
    fn beside_score(&self, stdout: &[u8], stderr: &[u8]) -> Result<Vec<Option<f64>>, NoScore> {
        let own = &self.metrics[self.metrics.len() - self.patterns.len()..];
        let find = |(name, pattern): (&String, &Pattern)| match pattern.last(stdout).or_else(|| pattern.last(stderr)) {
            None => Ok(None),
            Some(found) => found.number(1).map_err(|message| of_metric(name, &message)),
        };
        own.iter().zip(&self.patterns).map(find).collect()
    }

    /// Returns the score on standard output or, if there is none, on standard error.
    pub fn find(&self, stdout: &[u8], stderr: &[u8]) -> Result<Scored, NoScore> {
        match &self.form {
            Form::Claim => {
                let claim = claim::last(stdout).or_else(|| claim::last(stderr));
                let claim = claim.ok_or_else(|| nothing("no `Score = 123` in the output", stdout, stderr))?;
                let score = claim.number().map_err(NoScore)?;
                self.measured(score, self.beside_score(stdout, stderr)?)
            }
            Form::Match { pattern, score, metrics } => {
                let found = pattern.last(stdout).or_else(|| pattern.last(stderr)).ok_or_else(|| {
                    let written = self.written.as_deref().unwrap_or_default();
                    nothing(&format!("nothing in the output matches `{written}`"), stdout, stderr)
                })?;
                let score = found.number(*score)?.ok_or_else(|| {
                    NoScore("the last match of `score` has no score: its group took no part in it".to_string())
                })?;
                let group = |(name, &group): (&String, &usize)| {
                    found.number(group).map_err(|message| of_metric(name, &message))
                };
                let named = self.metrics.iter().zip(metrics).map(group);
                let found: Vec<Option<f64>> = named.collect::<Result<_, _>>()?;
                self.measured(score, [found, self.beside_score(stdout, stderr)?].concat())
            }
            Form::LastLine => {
                let line = last_line(stdout).or_else(|| last_line(stderr)).ok_or_else(printed_nothing)?;
                let score =
                    number::whole(line).map_err(|misread| format!("its last line, {}, {misread}", excerpt(line)))?;
                self.measured(score, self.beside_score(stdout, stderr)?)
            }
            Form::Time(_) => Err(NoScore("its score is the run time, which is not read from the output".to_string())),
            Form::Json(_) => {
                // A broken object on standard output is the result, too.
                let of_errors = last_line(stdout).is_none_or(|line| !line.starts_with(b"{") && json(stdout).is_none());
                let text = if of_errors && json(stderr).is_some() { stderr } else { stdout };
                let value = json(text).ok_or_else(|| match last_line(text) {
                    None => printed_nothing(),
                    Some(line) => NoScore(format!(
                        "neither its output as a whole nor its last line is JSON; the last line is {}",
                        excerpt(line)
                    )),
                })?;
                self.of_json(&value, self.beside_score(stdout, stderr)?, "its JSON")
            }
        }
    }

    /// Returns a score that a host computed, with its metrics by name.
    pub fn of_host(&self, score: f64, metrics: &BTreeMap<String, f64>) -> Result<Scored, NoScore> {
        let usable = |what: &str, number: f64| match is_usable(number) {
            true => Ok(number),
            false => Err(NoScore(format!("{what} {number} {}", Misread::Large))),
        };
        let metric = |name: &String| metrics.get(name).map(|&value| usable(&format!("the metric `{name}`"), value));
        let found = self.metrics.iter().map(|name| metric(name).transpose()).collect::<Result<_, _>>()?;
        self.measured(usable("the score", score)?, found)
    }

    /// Returns the score in a worker's answer: a number, or a JSON object with the score and the
    /// metrics.
    pub fn of_answer(&self, line: &[u8]) -> Result<Scored, NoScore> {
        let said = format!("it answered {}", excerpt(line));
        match (number::whole(line), serde_json::from_slice::<Value>(line)) {
            (Ok(score), _) => self.measured(score, vec![None; self.metrics.len()]),
            (_, Ok(value @ Value::Object(_))) => match value.get("error").and_then(Value::as_str) {
                Some(error) => Err(NoScore(last_words(error.as_bytes()))),
                None => self.of_json(&value, Vec::new(), &format!("{said}, which")),
            },
            (Err(Misread::NoNumber), _) => Err(NoScore(format!(
                "{said}, which is neither a number nor JSON with a score: the standard output of a worker is for its \
                 answers, and standard error for other lines"
            ))),
            (Err(misread), _) => Err(NoScore(format!("{said}, which {misread}"))),
        }
    }

    fn of_json(&self, value: &Value, beside: Vec<Option<f64>>, what: &str) -> Result<Scored, NoScore> {
        let path = match &self.form {
            Form::Json(path) => path.iter().map(String::as_str).collect(),
            _ => vec!["score"],
        };
        let (last, outer) = path.split_last().expect("a path has a name");
        let object = outer.iter().try_fold(value, |value, name| value.get(name));
        let number = |name: &str| {
            let Some(value) = object.and_then(|object| object.get(name)) else { return Ok(None) };
            number::of_json(value).map_err(|misread| {
                NoScore(format!("{what} has {} as `{name}`, which {misread}", excerpt(value.to_string().as_bytes())))
            })
        };
        let missing = || NoScore(format!("{what} has no number `{}`", path.join(".")));
        let score = number(last)?.ok_or_else(missing)?;
        let named = self.metrics[..self.metrics.len() - beside.len()].iter().map(|name| number(name));
        let named: Vec<Option<f64>> = named.collect::<Result<_, _>>()?;
        self.measured(score, [named, beside].concat())
    }
}

/// Returns the reason that an output has no score, with its end.
fn nothing(what: &str, stdout: &[u8], stderr: &[u8]) -> NoScore {
    let words = [stdout, stderr].map(last_words);
    match words.iter().find(|words| !words.is_empty()) {
        None => printed_nothing(),
        Some(words) => NoScore(format!("{what}; it ends with: {words}")),
    }
}

fn printed_nothing() -> NoScore {
    NoScore("it printed nothing".to_string())
}

/// Returns the reason that a metric has no value.
fn of_metric(name: &str, message: &str) -> NoScore {
    NoScore(format!("the metric `{name}`: {message}"))
}

/// Parses an output, or its last line.
fn json(text: &[u8]) -> Option<Value> {
    serde_json::from_slice(text).ok().or_else(|| serde_json::from_slice(last_line(text)?).ok())
}

fn last_line(text: &[u8]) -> Option<&[u8]> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).rfind(|line| !line.is_empty())
}
