//! Shares of runs, and their precision.

/// A count out of a total.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    pub count: usize,
    pub of: usize,
}

impl Share {
    /// Counts the values that are true.
    pub fn of(all: impl IntoIterator<Item = bool>) -> Self {
        all.into_iter()
            .fold(Share::default(), |share, is| Share { count: share.count + usize::from(is), of: share.of + 1 })
    }

    /// Formats the share in percent; `-` if there are no runs.
    pub fn percent(self) -> String {
        if self.of == 0 { "-".to_string() } else { format!("{:.1}", 100.0 * self.count as f64 / self.of as f64) }
    }

    /// Returns Wilson's interval of `z` standard errors, in percent.
    pub fn interval(self, z: f64) -> (f64, f64) {
        let n = self.of as f64;
        let p = self.count as f64 / n;
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        (100.0 * (middle - half).max(0.0), 100.0 * (middle + half))
    }
}

impl std::fmt::Display for Share {
    /// Formats the share with its 95 % confidence interval.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.of == 0 {
            return f.write_str("-");
        }
        let (low, high) = self.interval(1.96);
        write!(f, "{} ({low:.1} to {high:.1})", self.percent())
    }
}
