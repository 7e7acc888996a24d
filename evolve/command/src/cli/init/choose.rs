//! Offers constants of a source as parameters.

use super::super::Failure;
use super::super::progress::{say, show};
use super::super::table::{Align, Table};
use super::source::Source;
use evolve_init::suggest::{Constant, Constants, LeftOut, constants, insert, inserts};
use evolve_program::put_back::difference;
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

/// Who chooses among the constants.
pub enum Chooser<'a> {
    /// The user, in a terminal.
    User,
    /// No prompt: accepts every candidate without a doubt.
    Usual,
    /// A list of names of constants or lists.
    Names(&'a [String]),
}

/// Offers the constants of a source; the command `again` accepts those without a doubt.
pub fn offer(source: &Source<'_>, chooser: &Chooser<'_>, again: &str) -> Result<Choice, Failure> {
    let (text, language, name) = (&source.text, source.language(), source.file.display());
    let Constants { found, left_out } = constants(text, language);
    let others = others(&left_out);
    if found.is_empty() {
        say(&format!(
            "{name} has no constants that could be parameters: declare numbers inside expressions as constants, such as \
             `const int K = 5;`\n{others}"
        ));
        return match chooser {
            Chooser::Names(names) => Err(unknown(&names[0], source, &found, &left_out)),
            _ => Ok(Choice::Nothing),
        };
    }
    show(&format!("constants of {name} that could be parameters:\n{}{others}", list(&found)))?;
    for (doubt, names) in grouped(found.iter().filter_map(|one| Some((one.doubt?, one.parameter.name.clone())))) {
        let are = if names.len() == 1 { "is" } else { "are" };
        show(&format!("{} {are} skipped by default: {doubt}\n", names.join(", ")))?;
    }
    let usual = |mut found: Vec<Constant>| {
        found.retain(|one| one.doubt.is_none());
        found
    };
    if !inserts(language) {
        let marked = insert(text, language, &usual(found));
        show(&format!(
            "Mark the constants to tune, and read them in the program from its environment (EVOLVE_NAME), or from its \
                arguments with `{{args}}`:\n{}",
            difference(&name.to_string(), text, &marked)
        ))?;
        return Ok(Choice::Shown);
    }
    let chosen = match chooser {
        Chooser::Usual => usual(found),
        Chooser::Names(names) => {
            let is_named =
                |one: &Constant, name: &String| one.parameter.name == *name || one.list.as_ref() == Some(name);
            if let Some(name) = names.iter().find(|name| !found.iter().any(|one| is_named(one, name))) {
                return Err(unknown(name, source, &found, &left_out));
            }
            found.into_iter().filter(|one| names.iter().any(|name| is_named(one, name))).collect()
        }
        Chooser::User if can_ask() => ask(found)?,
        Chooser::User => {
            show(&difference(&name.to_string(), text, &insert(text, language, &usual(found))))?;
            show(&format!(
                "next: apply all changes with `{again} --yes`, or choose with `{again} --only NAME,NAME`\n"
            ))?;
            return Ok(Choice::Shown);
        }
    };
    Ok(if chosen.is_empty() { Choice::Nothing } else { Choice::Source(insert(text, language, &chosen)) })
}

/// Returns the error for a name that is not offered.
fn unknown(name: &str, source: &Source<'_>, found: &[Constant], left_out: &[LeftOut]) -> Failure {
    let file = source.file.display();
    let reason = match left_out.iter().find(|left_out| left_out.name == name) {
        Some(LeftOut { line, reason, .. }) => format!("it is left out ({file}:{line}): {reason}"),
        None if found.is_empty() => format!("{file} has no constants that could be parameters"),
        None => {
            let names: Vec<&str> = found.iter().map(|one| one.parameter.name.as_str()).collect();
            format!("the constants of {file} that could be parameters are {}", names.join(", "))
        }
    };
    Failure::Usage(format!("--only {name}: {reason}"))
}

/// Formats the constants that are not offered, a line for each reason.
fn others(left_out: &[LeftOut]) -> String {
    let named = left_out.iter().map(|one| (one.reason, format!("{} (line {})", one.name, one.line)));
    let lines =
        grouped(named).into_iter().map(|(reason, names)| format!("not offered: {}: {reason}\n", names.join(", ")));
    lines.collect()
}

/// Groups names by their reason, in the order of the first of each.
fn grouped(named: impl Iterator<Item = (&'static str, String)>) -> Vec<(&'static str, Vec<String>)> {
    let mut groups: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (reason, name) in named {
        match groups.iter_mut().find(|group| group.0 == reason) {
            Some((_, names)) => names.push(name),
            None => groups.push((reason, vec![name])),
        }
    }
    groups
}

/// Asks whether to start the commands that the file of another tool names; without a terminal, they
/// are not started.
pub fn may_start(commands: &[&str], file: &Path) -> Result<bool, Failure> {
    if !can_ask() {
        return Ok(false);
    }
    for command in commands {
        say(&format!("{} names this command: {command}", file.display()));
    }
    agrees("Start it for a few trials?")
}

/// Asks the user a question; the default answer is no.
pub fn agrees(question: &str) -> Result<bool, Failure> {
    say(&format!("{question} (yes, no) [no]:"));
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
    for (i, one) in found.iter().enumerate() {
        let Constant { parameter, line, .. } = one;
        table.row([&(i + 1), line, &parameter.name, &parameter.show(parameter.start), &one.range()]);
    }
    table.to_string()
}

fn ask(found: Vec<Constant>) -> Result<Vec<Constant>, Failure> {
    loop {
        let default = if found.iter().any(|one| one.doubt.is_some()) { "all but the skipped ones" } else { "all" };
        say(&format!("Which of them should be parameters? (1,3-5, all, none) [{default}]:"));
        let Some(answer) = answer()? else { return Ok(Vec::new()) };
        if ["", "y", "yes"].contains(&&answer[..]) {
            return Ok(found.into_iter().filter(|one| one.doubt.is_none()).collect());
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
