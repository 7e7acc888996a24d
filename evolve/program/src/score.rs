//! Rules for finding a score in a program's output.

use evolve_core::model::trial::is_usable;
use indexmap::IndexMap;
use regex::bytes::{Captures, Regex, RegexBuilder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

/// A score with metrics, in the order of [`Score::metrics`].
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    pub score: f64,
    /// The metrics; 0 for missing ones.
    pub metrics: Vec<f64>,
    /// Whether the trial was stopped at its cap.
    pub capped: bool,
}

impl Scored {
    /// Returns the result of a trial that ran to its end.
    pub fn new(score: f64, metrics: Vec<f64>) -> Self {
        Scored { score, metrics, capped: false }
    }
}

/// A rule for finding a score.
#[derive(Clone, Debug)]
pub struct Score {
    form: Form,
    /// As written in the job.
    written: String,
    metrics: Vec<String>,
    /// The patterns of metrics that have their own. These metrics come last in `metrics`.
    patterns: Vec<Regex>,
    /// Metrics without which a trial fails.
    required: Vec<String>,
}

#[derive(Clone, Debug)]
enum Form {
    /// The last match, with the groups of the score and of the metrics.
    Match { regex: Regex, score: usize, metrics: Vec<usize> },
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

/// Finds `Score = 123`. Digits after a comma belong to the match, so that `1,234,565` is not read as 1.
pub const DEFAULT: &str = r"(?i)score\s*[=:]\s*([-+0-9.eE]+(?:,[0-9]+)*)";

impl Clock {
    fn parse(written: &str) -> Option<Self> {
        match written {
            "time" => Some(Clock::Cpu),
            "wall" => Some(Clock::Wall),
            _ => None,
        }
    }
}

/// A fault in a rule for finding scores.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScoreError {
    /// `json:` is not followed by a name.
    #[error("`json:` needs a name, such as `json:score` or `json:result.score`")]
    Json,
    /// Its regular expression has no group.
    #[error(r"the regular expression needs a group around the score, as in `Score = (\d+)`")]
    NoGroup,
    /// The rule does not read JSON, but the metrics are names in JSON.
    #[error("`metrics` needs a `json:` score; with a regular expression, name its groups instead")]
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
    /// Reads a rule for finding scores. `metrics` names other numbers in the JSON object. In a regular expression, the
    /// named groups are the metrics.
    ///
    /// # Errors
    /// A fault in the regular expression or in the metrics.
    pub fn parse(written: &str, metrics: &[String]) -> Result<Self, ScoreError> {
        let mut names = metrics.to_vec();
        let form = if written == "last-line" {
            Form::LastLine
        } else if let Some(clock) = Clock::parse(written) {
            Form::Time(clock)
        } else if let Some(path) = written.strip_prefix("json:") {
            if path.split('.').any(str::is_empty) {
                return Err(ScoreError::Json);
            }
            Form::Json(path.split('.').map(String::from).collect())
        } else {
            let regex = regex(written)?;
            let groups: Vec<(usize, Option<&str>)> = regex.capture_names().enumerate().skip(1).collect();
            let named = groups.iter().find(|(_, name)| *name == Some("score"));
            let first = groups.iter().find(|(_, name)| name.is_none());
            let Some(&(score, _)) = named.or(first) else {
                return Err(ScoreError::NoGroup);
            };
            let others = groups.iter().filter(|(group, _)| *group != score);
            let named: Vec<(usize, &str)> = others.filter_map(|&(group, name)| Some((group, name?))).collect();
            names = named.iter().map(|(_, name)| (*name).to_string()).collect();
            let metrics = named.iter().map(|&(group, _)| group).collect();
            Form::Match { regex, score, metrics }
        };
        if !metrics.is_empty() && !matches!(form, Form::Json(_)) && metrics != &names[..] {
            return Err(ScoreError::Metrics);
        }
        Ok(Score { form, written: written.to_string(), metrics: names, patterns: Vec::new(), required: Vec::new() })
    }

    /// Adds metrics that have their own patterns.
    ///
    /// # Errors
    /// The name of a metric, and the fault in its pattern.
    pub fn beside(mut self, patterns: &IndexMap<String, String>) -> Result<Self, (String, String)> {
        for (name, pattern) in patterns {
            let fault = |message: &str| Err((name.clone(), message.to_string()));
            match regex(pattern) {
                Err(error) => return fault(&error.to_string()),
                Ok(regex) if regex.captures_len() != 2 => {
                    return fault(r"the regular expression needs one group, around the number, as in `nodes: (\d+)`");
                }
                Ok(_) if self.metrics.contains(name) => return fault("a group of `score` has this name already"),
                Ok(regex) => self.patterns.push(regex),
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

    /// Returns the names of the metrics.
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// As written in the job.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Returns the clock, if the score is a run time.
    pub fn clock(&self) -> Option<Clock> {
        if let Form::Time(clock) = self.form { Some(clock) } else { None }
    }

    /// Returns a run time as the score, with the metrics found in the output.
    pub fn of_time(&self, time: Duration, stdout: &[u8], stderr: &[u8]) -> Result<Scored, NoScore> {
        self.measured(time.as_secs_f64().max(LEAST_TIME), self.beside_score(stdout, stderr))
    }

    /// Returns a score with the metrics that were reported.
    fn measured(&self, score: f64, metrics: impl IntoIterator<Item = Option<f64>>) -> Result<Scored, NoScore> {
        let found: Vec<Option<f64>> = metrics.into_iter().collect();
        let missing =
            self.metrics.iter().zip(&found).find(|(name, value)| value.is_none() && self.required.contains(name));
        match missing {
            Some((name, _)) => Err(NoScore(format!("the output has no number `{name}`, which [hold] limits"))),
            None => Ok(Scored::new(score, found.into_iter().map(Option::unwrap_or_default).collect())),
        }
    }

    /// Returns the values of the metrics that have patterns.
    fn beside_score(&self, stdout: &[u8], stderr: &[u8]) -> Vec<Option<f64>> {
        let find = |pattern: &Regex| number(&last(pattern, stdout).or_else(|| last(pattern, stderr))?, 1);
        self.patterns.iter().map(find).collect()
    }

    /// Returns the score on standard output or, if there is none, on standard error.
    pub fn find(&self, stdout: &[u8], stderr: &[u8]) -> Result<Scored, NoScore> {
        match &self.form {
            Form::Match { regex, score, metrics } => {
                let found = last(regex, stdout).or_else(|| last(regex, stderr));
                let found = found.ok_or_else(|| -> String {
                    let words = [stdout, stderr].map(evolve_process::last_words);
                    match words.iter().find(|words| !words.is_empty()) {
                        None => "it printed nothing".to_string(),
                        Some(words) if self.written == DEFAULT => {
                            format!("no `Score = 123` in the output; it ends with: {words}")
                        }
                        Some(words) => {
                            format!("nothing in the output matches `{}`; it ends with: {words}", self.written)
                        }
                    }
                })?;
                let group = |group: usize| number(&found, group);
                let score = group(*score).ok_or_else(|| {
                    let written = String::from_utf8_lossy(found.get(0).map_or(b"", |all| all.as_bytes()));
                    let advice = if written.contains(',') { "; print it without commas" } else { "" };
                    format!("`{written}` is not a number{advice}")
                })?;
                let metrics = metrics.iter().map(|&metric| group(metric));
                self.measured(score, metrics.chain(self.beside_score(stdout, stderr)))
            }
            Form::LastLine => {
                let line =
                    last_line(stdout).or_else(|| last_line(stderr)).ok_or_else(|| "it printed nothing".to_string())?;
                let score = parse(line)
                    .ok_or_else(|| format!("its last line is not a number: {}", evolve_process::excerpt(line)))?;
                self.measured(score, self.beside_score(stdout, stderr))
            }
            Form::Time(_) => Err(NoScore("its score is the run time, which is not read from the output".to_string())),
            Form::Json(_) => {
                let read = |text: &[u8]| -> Option<Value> {
                    serde_json::from_slice(text).ok().or_else(|| serde_json::from_slice(last_line(text)?).ok())
                };
                let value = read(stdout)
                    .or_else(|| read(stderr))
                    .ok_or_else(|| "neither its output as a whole nor its last line is JSON".to_string())?;
                let missing = |path: &str| format!("its JSON has no number `{path}`");
                self.of_json(&value, self.beside_score(stdout, stderr), missing)
            }
        }
    }

    /// Returns a score that a host computed, with its metrics by name.
    pub fn of_host(&self, score: f64, metrics: &BTreeMap<String, f64>) -> Result<Scored, NoScore> {
        self.measured(
            score,
            self.metrics.iter().map(|name| metrics.get(name).copied().filter(|&value| is_usable(value))),
        )
    }

    /// Returns the score in a worker's answer: a number, or a JSON object with the score and the metrics.
    pub fn of_answer(&self, line: &[u8]) -> Result<Scored, NoScore> {
        let said = || {
            format!(
                "it answered {}, which is neither a number nor JSON with a \
            score",
                evolve_process::excerpt(line)
            )
        };
        if let Some(score) = parse(line) {
            return self.measured(score, vec![None; self.metrics.len()]);
        }
        let value: Value = serde_json::from_slice(line).map_err(|_| said())?;
        if let Some(error) = value.get("error").and_then(Value::as_str) {
            return Err(NoScore(error.to_string()));
        }
        self.of_json(&value, Vec::new(), |_| said())
    }

    fn of_json(
        &self,
        value: &Value,
        beside: Vec<Option<f64>>,
        missing: impl FnOnce(&str) -> String,
    ) -> Result<Scored, NoScore> {
        let path = match &self.form {
            Form::Json(path) => path.iter().map(String::as_str).collect(),
            _ => vec!["score"],
        };
        let (last, outer) = path.split_last().expect("a path has a name");
        let object = outer.iter().try_fold(value, |value, name| value.get(name));
        let number = |name: &str| object?.get(name)?.as_f64().filter(|&value| is_usable(value));
        let score = number(last).ok_or_else(|| missing(&path.join(".")))?;
        let named = self.metrics.len() - beside.len();
        self.measured(score, self.metrics[..named].iter().map(|name| number(name)).chain(beside))
    }
}

/// Compiles a pattern. Lines may end in `\r\n`, as on Windows.
fn regex(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).crlf(true).build()
}

fn last<'t>(pattern: &Regex, text: &'t [u8]) -> Option<Captures<'t>> {
    pattern.captures_iter(text).last()
}

fn number(found: &Captures<'_>, group: usize) -> Option<f64> {
    parse(found.get(group)?.as_bytes())
}

fn parse(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok().filter(|&value| is_usable(value))
}

fn last_line(text: &[u8]) -> Option<&[u8]> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).rfind(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(form: &str, stdout: &str, stderr: &str) -> Result<f64, NoScore> {
        Score::parse(form, &[]).unwrap().find(stdout.as_bytes(), stderr.as_bytes()).map(|measured| measured.score)
    }

    #[test]
    fn scores_are_found() {
        assert_eq!(find(DEFAULT, "1 2\n", "score: 3\nScore = -12.5\n"), Ok(-12.5));
        assert_eq!(find(DEFAULT, "Score = 7\n", "Score = 8\n"), Ok(7.0), "standard output first");
        assert_eq!(find(DEFAULT, "Score = 1\nScore = 2\n", ""), Ok(2.0), "the last one");
        assert_eq!(find("last-line", "a\n 12 \n\n", ""), Ok(12.0));
        assert_eq!(find("json:result.score", "{\"result\": {\"score\": 3}}", ""), Ok(3.0));
        assert_eq!(find("json:score", "log\n{\"score\": 3}\n", ""), Ok(3.0));
        assert_eq!(find(r"(?m)^cost (\d+)$", "cost 3\r\n", ""), Ok(3.0), "a line of Windows");
        assert_eq!(find("last-line", "a\r\n12\r\n", ""), Ok(12.0));
        assert_eq!(find("json:score", "log\r\n{\"score\": 3}\r\n", ""), Ok(3.0));
        assert!(find(DEFAULT, "Score = 1e999\n", "").is_err());
        let grouped = find(DEFAULT, "Score = 1,234,565\n", "").unwrap_err().0;
        assert_eq!(grouped, "`Score = 1,234,565` is not a number; print it without commas");
        assert_eq!(find(DEFAULT, "score: 5, moves: 3\n", ""), Ok(5.0));
        assert!(find(DEFAULT, "", "").is_err());
        assert!(find("last-line", "12 points\n", "").is_err());
        assert!(find("json:score", "{\"score\": \"3\"}", "").is_err());
    }

    #[test]
    fn named_groups_are_metrics() {
        let score = Score::parse(r"n=(?<n>\d+) cost=(?<score>\d+)(?: t=(?<t>\d+))?", &[]).unwrap();
        assert_eq!(score.metrics(), ["n", "t"]);
        let measured = score.find(b"n=3 cost=17", b"").unwrap();
        assert_eq!(measured, Scored::new(17.0, vec![3.0, 0.0]));
        assert!(Score::parse(r"Score = \d+", &[]).is_err());
        assert!(Score::parse("(", &[]).is_err());
    }

    #[test]
    fn workers_answer_numbers_or_json() {
        let score = Score::parse(DEFAULT, &[]).unwrap();
        assert_eq!(score.of_answer(b"12\r").unwrap().score, 12.0);
        assert_eq!(score.of_answer(b"{\"score\": 1.5}\r").unwrap().score, 1.5);
        assert_eq!(score.of_answer(b"{\"score\": 1.5}").unwrap().score, 1.5);
        assert!(score.of_answer(b"hello").is_err());
        assert_eq!(score.of_answer(b"{\"error\": \"no tour\"}"), Err(NoScore("no tour".to_string())));
    }
}
