//! Offers constants of a source as parameters.

use super::super::Failure;
use super::super::progress::{say, show};
use super::super::table::{Align, Table};
use evolve_init::suggest::{Constant, constants, insert, inserts};
use evolve_program::put_back::difference;
use evolve_program::source::Language;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

/// The answer to the offer.
pub enum Choice {
    /// The source with markers at the chosen constants.
    Source(String),
    /// No constants were chosen.
    Nothing,
    /// The changes were only shown.
    Shown,
}

/// Returns whether the command can ask the user.
pub fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Offers the constants of a source; `yes` accepts those without a doubt, as does the command `again`.
pub fn offer(file: &Path, text: &str, yes: bool, again: &str) -> Result<Choice, Failure> {
    let language = Language::of(file);
    let found = constants(text, language);
    let name = file.display();
    if found.is_empty() {
        say(&format!("{name} has no constants that could be parameters, such as a line `const int K = 5;`"));
        return Ok(Choice::Nothing);
    }
    show(&format!("constants of {name} that could be parameters:\n{}", list(&found)))?;
    for (one, doubt) in found.iter().filter_map(|one| Some((one, one.doubt?))) {
        show(&format!("{} is skipped by default: {doubt}\n", one.parameter.name))?;
    }
    if !inserts(language) {
        let marked: String = found.iter().map(|one| format!("  {}\n", one.replacement.trim_start())).collect();
        show(&format!(
            "Mark the constants to tune, and read them in the program from its environment (EVOLVE_NAME), or from its \
                arguments with `{{args}}`:\n{marked}"
        ))?;
        return Ok(Choice::Shown);
    }
    let chosen = match (yes, can_ask()) {
        (true, _) => usual(found),
        (false, true) => ask(found)?,
        (false, false) => {
            show(&difference(&name.to_string(), text, &insert(text, language, &usual(found))))?;
            show(&format!("next: apply all changes with `{again}`, or copy some of them by hand\n"))?;
            return Ok(Choice::Shown);
        }
    };
    Ok(if chosen.is_empty() { Choice::Nothing } else { Choice::Source(insert(text, language, &chosen)) })
}

/// Returns the constants that are chosen if the user names none.
fn usual(mut found: Vec<Constant>) -> Vec<Constant> {
    found.retain(|one| one.doubt.is_none());
    found
}

/// Asks whether to start the commands that the file of another tool names; without a terminal, they are not started.
pub fn may_start(commands: &[&str], file: &Path) -> Result<bool, Failure> {
    if !can_ask() {
        return Ok(false);
    }
    for command in commands {
        say(&format!("{} names this command: {command}", file.display()));
    }
    say("Start it for a few trials? (yes, no) [no]:");
    Ok(["y", "yes"].contains(&answer()?.unwrap_or_default().as_str()))
}

/// Reads a line from the terminal, unless its input has ended.
fn answer() -> Result<Option<String>, Failure> {
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    let read = read.map_err(|error| Failure::Work(format!("cannot read the answer: {error}")))?;
    Ok((read > 0).then(|| answer.trim().to_string()))
}

fn list(found: &[Constant]) -> String {
    let mut table = Table::new([Align::Right, Align::Right, Align::Left, Align::Right, Align::Left]);
    table.row([&"", &"line", &"name", &"now", &"range"]);
    for (i, Constant { parameter, line, replacement, .. }) in found.iter().enumerate() {
        let range = replacement.rsplit_once("evolve: ").map_or("", |(_, range)| range);
        table.row([&(i + 1), line, &parameter.name, &parameter.show(parameter.start), &range]);
    }
    table.to_string()
}

fn ask(found: Vec<Constant>) -> Result<Vec<Constant>, Failure> {
    loop {
        let default = if found.iter().any(|one| one.doubt.is_some()) { "all but the skipped ones" } else { "all" };
        say(&format!("Which of them should be parameters? (1,3-5, all, none) [{default}]:"));
        let Some(answer) = answer()? else { return Ok(Vec::new()) };
        if ["", "y", "yes"].contains(&&answer[..]) {
            return Ok(usual(found));
        }
        match chosen(&answer, found.len()) {
            Some(places) => {
                let is_chosen = |(i, one): (usize, Constant)| places.contains(&(i + 1)).then_some(one);
                return Ok(found.into_iter().enumerate().filter_map(is_chosen).collect());
            }
            None => say(&format!("answer with numbers from 1 to {}, as in 1,3-5, or with all or none", found.len())),
        }
    }
}

/// Parses the numbers of an answer, from 1 to `last`.
fn chosen(answer: &str, last: usize) -> Option<Vec<usize>> {
    match answer {
        "all" => return Some((1..=last).collect()),
        "none" | "n" | "no" => return Some(Vec::new()),
        _ => {}
    }
    let mut places = Vec::new();
    for part in answer.split([',', ' ']).filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let range: (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        if range.0 < 1 || range.1 > last || range.0 > range.1 {
            return None;
        }
        places.extend(range.0..=range.1);
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(chosen("all", 2), Some(vec![1, 2]));
        assert_eq!(chosen("none", 2), Some(vec![]));
        assert_eq!(chosen("1, 3-4", 4), Some(vec![1, 3, 4]));
        for wrong in ["5", "0", "2-1", "a", "1-"] {
            assert_eq!(chosen(wrong, 4), None, "{wrong}");
        }
    }
}
