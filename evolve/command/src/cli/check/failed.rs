//! A failed trial: the command, its output, and advice.

use evolve_program::Kept;
use evolve_search::model::trial::{Failure, FailureKind};
use std::path::Path;

/// Which trial fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Baseline,
    /// Any trial, which ends the command.
    Any,
    /// Any trial, which counts as the job says.
    Counted,
}

/// Number of output lines shown.
const LINES: usize = 12;

/// Returns the message for a failed trial, with the kept trial below a folder, if any.
pub fn text(which: Which, failure: &Failure, folder: &Path) -> String {
    match Kept::first(folder) {
        Some(kept) => {
            let known = failure.advice.as_ref().map_or_else(String::new, |advice| format!("\n  {advice}"));
            of_kept(which, &kept) + &known
        }
        None => failure.to_string(),
    }
}

fn of_kept(which: Which, kept: &Kept) -> String {
    let Kept { kind, message, command, .. } = kept;
    let reason = match kind {
        FailureKind::Exit | FailureKind::Signal => message.clone(),
        _ => format!("{kind}: {message}"),
    };
    let of = if which == Which::Baseline { " of the baseline" } else { "" };
    let mut text = format!("a trial{of} fails: {reason}\n  command: {command}\n");
    for (name, printed) in [("standard error", &kept.stderr), ("standard output", &kept.stdout)] {
        let lines: Vec<&str> = printed.lines().collect();
        if lines.is_empty() {
            continue;
        }
        text += &format!("  {name}:\n");
        let hidden = lines.len().saturating_sub(LINES);
        if hidden > 0 {
            text += &format!("    ... ({hidden} lines before)\n");
        }
        lines[hidden..].iter().for_each(|line| text += &format!("    {line}\n"));
    }
    if kept.stderr.is_empty() && kept.stdout.is_empty() {
        text += "  no output\n";
    }
    let advice = advice(which, kept);
    advice.iter().for_each(|line| text += &format!("  {line}\n"));
    text.trim_end().to_string()
}

/// Advice by kind of failure.
fn advice(which: Which, kept: &Kept) -> Vec<&'static str> {
    let mut advice = vec!["run the command above to reproduce it"];
    advice.extend(match kept.kind {
        FailureKind::Score => Some("print a line `Score = 123`, or set `score` to the pattern of the score"),
        FailureKind::Time => Some("set a longer `timeout`, or make the program faster"),
        FailureKind::Memory => Some("set a larger `memory_limit`"),
        _ => None,
    });
    let needs_input = matches!(kept.kind, FailureKind::Exit | FailureKind::Signal | FailureKind::Score);
    if needs_input && !kept.command.contains(" < ") {
        advice.push(
            "if the program reads an input, name the files: stdin = \"in/{seed:04}.txt\" or files = \"in/*.txt\"",
        );
    }
    if which == Which::Any {
        advice.push("set `on_failure` in the job to a number, the score of failed trials");
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_has_the_output_of_the_program() {
        let lines: Vec<String> = (0..20).map(|i| format!("line {i}")).collect();
        let kept = Kept {
            kind: FailureKind::Exit,
            message: "exit status: 1".to_string(),
            command: "python3 sol.py 5".to_string(),
            stdout: String::new(),
            stderr: lines.join("\n"),
        };
        let text = of_kept(Which::Baseline, &kept);
        assert!(
            text.starts_with("a trial of the baseline fails: exit status: 1\n  command: python3 sol.py 5\n"),
            "{text}"
        );
        assert!(text.contains("... (8 lines before)\n    line 8\n") && text.contains("    line 19\n"), "{text}");
        assert!(text.contains("name the files"), "{text}");
        let read = Kept { command: "python3 sol.py < in/0.txt".to_string(), stderr: String::new(), ..kept };
        let text = of_kept(Which::Any, &read);
        assert!(text.contains("no output") && !text.contains("name the files"), "{text}");
    }
}
