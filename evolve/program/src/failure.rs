//! What can go wrong with a trial, and what it then counts as.

use crate::scale::Scale;
use evolve_core::document::{Free, Section, nearest};
use evolve_core::trial::{Failure, PlayError};

/// What went wrong in a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The program ended with a status other than 0.
    Exit,
    /// A signal ended it, as crashes do.
    Signal,
    /// It took too much time.
    Time,
    /// It took too much memory.
    Memory,
    /// It printed too much.
    Output,
    /// There is no score in what it printed.
    Score,
    /// The score says that the answer is wrong.
    Wrong,
    Scorer,
}

impl Kind {
    pub const ALL: [Kind; 8] =
        [Kind::Exit, Kind::Signal, Kind::Time, Kind::Memory, Kind::Output, Kind::Score, Kind::Wrong, Kind::Scorer];

    /// Its name in jobs.
    pub fn key(self) -> &'static str {
        match self {
            Kind::Exit => "exit",
            Kind::Signal => "signal",
            Kind::Time => "time",
            Kind::Memory => "memory",
            Kind::Output => "output",
            Kind::Score => "score",
            Kind::Wrong => "wrong",
            Kind::Scorer => "scorer",
        }
    }

    /// Its name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Exit => "exit code",
            Kind::Signal => "signal",
            Kind::Time => "time limit",
            Kind::Memory => "memory limit",
            Kind::Output => "output limit",
            Kind::Score => "no score",
            Kind::Wrong => "wrong answer",
            Kind::Scorer => "scorer",
        }
    }
}

/// Why a run of the program came to nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The program failed: it counts as declared.
    Failed(Kind, String),
    /// It says nothing about the parameters: the trial is given up, or the run ends.
    Ends(PlayError),
}

impl Trouble {
    /// A failure that ends the run.
    pub fn fatal(kind: &'static str, message: impl Into<String>) -> Self {
        Trouble::Ends(Failure::new(kind, message).into())
    }
}

/// What a failed trial counts as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counts {
    Stop,
    /// The worst score of a ratio.
    Worst,
    Score(f64),
}

/// What failed trials count as, by kind.
#[derive(Clone, Debug, PartialEq)]
pub struct OnFailure {
    default: Counts,
    by_kind: Vec<(Kind, Counts)>,
}

impl OnFailure {
    /// Takes it out of a section. What is wrong is reported.
    pub fn take(section: &mut Section<'_>, scale: &Scale) -> Self {
        let mut on_failure =
            OnFailure { default: if scale.is_ratio() { Counts::Worst } else { Counts::Stop }, by_kind: Vec::new() };
        let Some(free) = section.take("on_failure") else { return on_failure };
        if let Err((line, message)) = on_failure.read(&free, section, scale) {
            section.report(Some(line), message);
        }
        on_failure
    }

    fn read(&mut self, free: &Free<'_>, section: &Section<'_>, scale: &Scale) -> Result<(), (usize, String)> {
        let Some(mut table) = free.section(section) else {
            self.default = counts(free, scale)?;
            return Ok(());
        };
        for entry in table.rest() {
            let counts = counts(&entry, scale)?;
            if entry.name == "default" {
                self.default = counts;
                continue;
            }
            let kind = Kind::ALL.into_iter().find(|kind| kind.key() == entry.name);
            let kind = kind.ok_or_else(|| {
                let keys = Kind::ALL.map(Kind::key);
                let near = nearest(&entry.name, keys).map(|near| format!("did you mean `{near}`?"));
                let hint = near.unwrap_or_else(|| format!("there are default, {}", keys.join(", ")));
                (entry.line, format!("there is no failure `{}`; {hint}", entry.name))
            })?;
            self.by_kind.push((kind, counts));
        }
        Ok(())
    }

    /// What a failure of a kind counts as.
    pub fn counts(&self, kind: Kind) -> Counts {
        self.by_kind.iter().find(|(other, _)| *other == kind).map_or(self.default, |&(_, counts)| counts)
    }

    pub fn toml(&self) -> String {
        let by_kind = self.by_kind.iter().map(|(kind, counts)| format!(", {} = {}", kind.key(), counts.toml()));
        format!("{{ default = {}{} }}", self.default.toml(), by_kind.collect::<String>())
    }
}

impl Counts {
    fn toml(self) -> String {
        match self {
            Counts::Stop => "\"stop\"".to_string(),
            Counts::Worst => "\"worst\"".to_string(),
            Counts::Score(score) => format!("{score:?}"),
        }
    }
}

fn counts(free: &Free<'_>, scale: &Scale) -> Result<Counts, (usize, String)> {
    let fault = |message: &str| (free.line, format!("`{}`: {message}", free.name));
    match (free.text(), free.number()) {
        (Some("stop"), _) => Ok(Counts::Stop),
        (Some("worst"), _) if scale.is_ratio() => Ok(Counts::Worst),
        (Some("worst"), _) => Err(fault(
            "there is no worst score on this scale; write the score that a failed trial counts as, or use scale = \"relative\"",
        )),
        (_, Some(score)) if *scale == Scale::Log && score <= 0.0 => Err(fault("on scale = \"log\" it must be above 0")),
        (_, Some(score)) => Ok(Counts::Score(score)),
        _ => Err(fault("a failed trial counts as a score, \"worst\" or \"stop\"")),
    }
}
