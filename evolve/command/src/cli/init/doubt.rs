//! Plays the first trials with the old source as well, in case of doubt about new parameters.

use super::super::Failure;
use super::source::Source;
use super::trial::{TrialsError, Tried};
use evolve_search::file::slashed;

/// Finds out whether new parameters are to blame for a failure of the first trials, by playing them
/// with the old source.
///
/// # Errors
/// If the parameters are to blame, or the program does not even start without them; the old source
/// is then restored, unless someone else has changed it.
pub fn blame(
    error: &TrialsError,
    source: &mut Source<'_>,
    attempt: impl FnOnce(&Source<'_>) -> Result<Tried, TrialsError>,
) -> Result<(), Failure> {
    let message = match error {
        TrialsError::Start(message) => message.clone(),
        TrialsError::Trial(failure) => failure.message.clone(),
        TrialsError::Job(_) | TrialsError::Foreign | TrialsError::Stopped => return Ok(()),
    };
    let file = slashed(source.file);
    let Some(changed) = source.restore()? else { return Ok(()) };
    Err(Failure::Work(match (attempt(source), error) {
        (Err(TrialsError::Start(message)), _) => {
            format!(
                "{file} was restored, because the program does not start even without its new parameters: {message}"
            )
        }
        // The failure has another cause.
        (Err(_), TrialsError::Trial(_)) => return source.write(changed),
        (_, TrialsError::Trial(_)) => {
            format!("{file} fails with its new parameters, so it was restored: {message}")
        }
        _ => format!("{file} does not build with its new parameters, so it was restored: {message}"),
    }))
}

/// Checks that new parameters change no score as long as they have their former values, by playing
/// the first trials with the old source. A program whose scores vary shows nothing.
///
/// # Errors
/// If scores differ; the old source is then restored, unless someone else has changed it.
pub fn compare(
    tried: &Tried,
    source: &mut Source<'_>,
    attempt: impl FnOnce(&Source<'_>) -> Result<Tried, TrialsError>,
) -> Result<(), Failure> {
    /// The largest relative difference that another order of rounding may make.
    const ROUNDING: f64 = 1e-9;
    if !tried.reproduces {
        return Ok(());
    }
    let file = slashed(source.file);
    let Some(changed) = source.restore()? else { return Ok(()) };
    let old = attempt(source).ok().filter(|old| old.reproduces);
    let differs = |(new, old): &(&f64, &f64)| (*new - *old).abs() > ROUNDING * new.abs().max(old.abs());
    let pairs = old.iter().flat_map(|old| tried.scores.iter().zip(&old.scores));
    match pairs.into_iter().find(differs) {
        None => source.write(changed),
        Some((new, old)) => Err(Failure::Work(format!(
            "{file} scores {new} with its new parameters and {old} without them, so it was restored; name fewer constants \
             with --only NAME,NAME"
        ))),
    }
}
