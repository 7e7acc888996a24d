//! When trials ran, and which ran at the same time.

use crate::draw::Axis;
use crate::page::thin::short;
use evolve_core::run::rows::TrialTimeRow;
use evolve_core::run::trials::times;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The times of trials.
pub struct Times(BTreeMap<u64, TrialTimeRow>);

impl Times {
    pub fn read(folder: &Path) -> Self {
        Times(times(folder).map(|row| (row.trial, row)).collect())
    }

    pub fn seconds(&self, trial: u64) -> Option<f64> {
        self.0.get(&trial)?.seconds
    }

    /// Returns the trials whose start and time are known, in the order in which they began.
    fn spans(&self) -> Vec<Span> {
        let span = |(&trial, row): (&u64, &TrialTimeRow)| {
            let began = humantime::parse_rfc3339(row.started.as_ref()?).ok()?.duration_since(UNIX_EPOCH).ok()?;
            Some(Span { trial, began: began.as_secs_f64(), seconds: row.seconds? })
        };
        let mut spans: Vec<Span> = self.0.iter().filter_map(span).collect();
        spans.sort_by(|a, b| a.began.total_cmp(&b.began));
        spans
    }
}

struct Span {
    trial: u64,
    /// Seconds since 1970.
    began: f64,
    seconds: f64,
}

/// The trials over the clock. Trials that ran at the same time are in different rows.
#[derive(Serialize)]
pub struct Timeline {
    /// When the first trial began, in UTC.
    start: String,
    /// Seconds since then at which each shown trial began, and its row from 0.
    trials: Vec<Option<(f64, usize)>>,
    /// The mean number of trials that ran at the same time.
    together: f64,
    clock: Axis,
    rows: Axis,
}

/// Starts are rounded to milliseconds, so that a trial may seem to begin before the one whose place
/// it takes ends: by at least and at most so many seconds, and in between by less than its own
/// length, because trials that begin together do run at the same time.
const ROUNDED: (f64, f64) = (2e-3, 5e-3);

impl Timeline {
    /// Returns the timeline of some trials; `None` if no start is known.
    pub fn of(times: &Times, shown: impl Iterator<Item = u64>) -> Option<Self> {
        let spans = times.spans();
        let start = spans.first()?.began;
        // The ends of the last trials of each row.
        let mut rows: Vec<f64> = Vec::new();
        let mut placed = BTreeMap::new();
        for Span { trial, began, seconds } in &spans {
            let rounded = (0.8 * seconds).clamp(ROUNDED.0, ROUNDED.1);
            let row = rows.iter().position(|end| *end <= began + rounded).unwrap_or(rows.len());
            rows.resize(rows.len().max(row + 1), 0.0);
            rows[row] = began + seconds;
            placed.insert(*trial, ((1e3 * (began - start)).round() / 1e3, row));
        }
        let end = rows.iter().copied().fold(start, f64::max);
        let first = times.0[&spans[0].trial].started.as_deref()?;
        Some(Timeline {
            start: format!("{} UTC", first.get(..19)?.replace('T', " ")),
            trials: shown.map(|trial| placed.get(&trial).copied()).collect(),
            together: short(spans.iter().map(|span| span.seconds).sum::<f64>() / (end - start).max(1e-3)),
            clock: Axis::time(end - start, 8),
            rows: Axis::of_names(&(1..=rows.len()).collect::<Vec<_>>()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_at_the_same_time_have_rows_of_their_own() {
        let times = |all: &[(u64, f64, &str)]| {
            let row = |&(trial, seconds, started): &(u64, f64, &str)| {
                let started = (!started.is_empty()).then(|| format!("2026-03-01T12:30:{started}Z"));
                (trial, TrialTimeRow { trial, seconds: Some(seconds), started })
            };
            Times(all.iter().map(row).collect())
        };
        // The third one begins when the second one ends; a start that is not known has no place.
        let all =
            times(&[(0, 3.0, "05.000"), (1, 0.5, "05.100"), (2, 4.0, "05.599"), (3, 1.0, ""), (4, 1.0, "09.000")]);
        let timeline = Timeline::of(&all, [0, 1, 2, 3, 4].into_iter()).unwrap();
        assert_eq!(timeline.start, "2026-03-01 12:30:05 UTC");
        assert_eq!(timeline.trials, [Some((0.0, 0)), Some((0.1, 1)), Some((0.599, 1)), None, Some((4.0, 0))]);
        assert_eq!((timeline.rows.ticks().len(), timeline.together), (2, 1.7));
        assert!(Timeline::of(&times(&[(0, 1.0, "")]), [0].into_iter()).is_none());
        // One after the other, but for the rounding, and two that begin together.
        let after = Timeline::of(&times(&[(0, 0.02, "05.000"), (1, 0.02, "05.016")]), [0, 1].into_iter()).unwrap();
        let together = Timeline::of(&times(&[(0, 4e-3, "05.000"), (1, 4e-3, "05.000")]), [0, 1].into_iter()).unwrap();
        assert_eq!([after, together].map(|of| of.rows.ticks().len()), [1, 2]);
    }
}
