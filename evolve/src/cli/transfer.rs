//! What `[transfer]` of a job says, for a person and as a table.

use super::Failure;
use super::table::{Align, Table};
use evolve_core::config::Job;
use evolve_core::evaluator::Evaluator;
use evolve_core::evaluator::Threads;
use evolve_core::run::atomic::replace_plain;
use evolve_core::statistics::{Estimate, decimals};
use evolve_core::transfer::{Row, Transfer, hold};
use std::path::Path;

/// The name of the table in a run's folder.
pub const FILE: &str = "transfer.csv";

/// Plays candidates in the player of a job and in its real one; `None` if it names none.
pub fn measure(
    job: &Job,
    recommended: Option<&[f64]>,
    cheap: &dyn Evaluator,
    threads: usize,
) -> Result<Option<Transfer>, Failure> {
    let Some(real) = &job.transfer else { return Ok(None) };
    let evaluator = Threads::new(real.source.problem, &real.source.setup, threads).map_err(Failure::Work)?;
    let held = hold(job, recommended, (cheap, &evaluator), real.games);
    real.source.problem.release();
    held.map(Some).map_err(|failure| Failure::Work(evolve_process::plain(&failure.to_string())))
}

/// Writes the table of what was played.
pub fn write(transfer: &Transfer, folder: &Path) -> Result<(), Failure> {
    let row = |Row { name, means: (cheap, real) }: &Row| format!("{name},{cheap},{real}\n");
    let rows: String = transfer.rows.iter().map(row).collect();
    let path = folder.join(FILE);
    let table = format!("candidate,objective,real_objective\n{rows}");
    replace_plain(&path, table.as_bytes()).map_err(|error| Failure::Work(format!("{}: {error}", path.display())))
}

/// What was found.
pub fn text(transfer: &Transfer) -> String {
    let Transfer { rows, ranks, gains } = transfer;
    let digits = rows.iter().map(|row| decimals(row.means.0.abs().max(row.means.1.abs()))).min().unwrap_or(2);
    let mut table = Table::new([Align::Left, Align::Right, Align::Right]);
    table.row([&"candidate", &"in this player", &"in the real one"]);
    for Row { name, means: (cheap, real) } in rows {
        table.row([name, &format!("{cheap:.digits$}"), &format!("{real:.digits$}")]);
    }
    let carry = match *ranks {
        0.7.. => "well",
        0.4.. => "in part",
        _ => "BADLY: what the search finds here need not hold there",
    };
    let count = rows.len();
    let mut text =
        format!("{table}ranks of {count} candidates carry over {carry} (Spearman's correlation {ranks:.2})\n");
    if let Some((cheap, real)) = gains {
        let shown = |estimate: &Estimate| {
            let (low, high) = estimate.interval();
            format!("{:+.digits$} ({low:+.digits$} to {high:+.digits$})", estimate.mean)
        };
        let (games, cheap) = (real.n, shown(cheap));
        text += &format!(
            "the recommendation gains {} in the real player, {cheap} in this one, on {games} games\n",
            shown(real)
        );
        text += match real.interval() {
            (low, _) if low > 0.0 => "the gain holds in the real player.\n",
            (_, high) if high < 0.0 => "WORSE in the real player: keep the start, or search in that player.\n",
            _ => "whether it holds in the real player is not clear on so few games: `evolve compare` tells.\n",
        };
    }
    text
}
