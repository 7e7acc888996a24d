//! Time limits that a comment in a source file marks: `const int TIME_LIMIT =
//! param("EVOLVE_TIME_LIMIT", 2840); // evolve: limit ms`.

use super::{Comment, LineFault, comments, value};
use crate::parameters::variable;
use crate::source::Language;
use crate::template::Unit;
use std::time::Duration;

impl Unit {
    /// Returns the name in markers.
    fn name(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
        }
    }
}

/// A constant that is marked as the time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitMarker {
    pub name: String,
    pub unit: Unit,
    /// The number of its line.
    pub line: usize,
    /// Its value, as it is written.
    pub written: String,
    /// Whether the line itself reads the limit from its variable in the environment.
    pub reads_itself: bool,
}

impl LimitMarker {
    /// Returns the limit in the source.
    pub fn limit(&self) -> Option<Duration> {
        let value: f64 = self.written.replace(['_', '\''], "").parse().ok()?;
        let unit = if self.unit == Unit::Seconds { 1.0 } else { 1e-3 };
        Duration::try_from_secs_f64(value * unit).ok()
    }
}

/// The forms of a marker, in messages.
const FORM: &str = "write `limit ms` or `limit s` after `evolve:`, on the line of a number with a name";

/// Returns whether the text after `evolve:` marks the time limit.
pub fn is_limit(spec: &str) -> bool {
    spec.split_whitespace().next() == Some("limit")
}

/// Finds the time limits that are marked in a text.
///
/// # Errors
/// All malformed markers.
pub fn limits(text: &str, language: Language) -> Result<Vec<LimitMarker>, Vec<LineFault>> {
    let (mut markers, mut faults) = (Vec::new(), Vec::new());
    for comment in comments(text, language).iter().filter(|comment| is_limit(comment.spec)) {
        match marker(comment) {
            Some(marker) => markers.push(marker),
            None => faults.push(LineFault { line: comment.line, message: FORM.to_string() }),
        }
    }
    if faults.is_empty() { Ok(markers) } else { Err(faults) }
}

fn marker(comment: &Comment<'_>) -> Option<LimitMarker> {
    let found = value(comment.code)?;
    let name = found.name("name")?.as_str().to_string();
    let written = found.name("number")?.as_str().to_string();
    let unit = comment.spec.split_whitespace().nth(1);
    let unit = Unit::ALL.into_iter().find(|known| unit == Some(known.name()))?;
    let reads_itself = found.name("read").is_some_and(|read| read.as_str() == variable(&name));
    Some(LimitMarker { name, unit, line: comment.line, written, reads_itself })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_the_time_limit() {
        let text = "int k = 5; // evolve: [1, 20]\n\
                    const int TIME_LIMIT = 2840; // evolve: limit ms\n\
                    double tl = param(\"EVOLVE_TL\", 1.95); // evolve: limit s\n";
        let [plain, reading] = &limits(text, Language::Cpp).unwrap()[..] else { panic!() };
        let at = |marker: &LimitMarker| (marker.name.clone(), marker.line, marker.reads_itself, marker.limit());
        assert_eq!(at(plain), ("TIME_LIMIT".to_string(), 2, false, Some(Duration::from_millis(2840))));
        assert_eq!(at(reading), ("tl".to_string(), 3, true, Some(Duration::from_millis(1950))));
        // It is no parameter.
        assert_eq!(super::super::find(text, Language::Cpp).unwrap().len(), 1);
        for wrong in ["int t = 5; // evolve: limit", "int t = 5; // evolve: limit h", "f(x); // evolve: limit ms"] {
            let fault = LineFault { line: 1, message: FORM.to_string() };
            assert_eq!(limits(wrong, Language::Cpp), Err(vec![fault]), "{wrong}");
        }
    }
}
