//! Commands: a program and its arguments, with placeholders, run without a shell.

use crate::template::{Shown, Template, TemplateError, ValueFormat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A command with placeholders: its words.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "Words", into = "Vec<String>")]
pub struct Command(Vec<Template>);

/// A list of words, or a line of words (see [`split`]).
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Words {
    Line(String),
    List(Vec<String>),
}

/// A fault in a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// It has no words.
    #[error("no program is named")]
    NoProgram,
    /// A quotation mark has no partner.
    #[error("the quotation mark {0} has no partner")]
    Quotation(char),
    /// A word is wrong.
    #[error(transparent)]
    Word(#[from] TemplateError),
}

impl TryFrom<Words> for Command {
    type Error = CommandError;

    fn try_from(words: Words) -> Result<Self, CommandError> {
        Command::new(match words {
            Words::Line(line) => split(&line)?,
            Words::List(words) => words,
        })
    }
}

impl From<Command> for Vec<String> {
    fn from(command: Command) -> Self {
        command.0.into_iter().map(String::from).collect()
    }
}

/// The placeholder for all parameters as `--name value`.
pub const ARGS: &str = "args";

impl Command {
    /// Creates a command from its words.
    ///
    /// # Errors
    /// If there are no words, or a placeholder is invalid.
    pub fn new(words: Vec<String>) -> Result<Self, CommandError> {
        if words.first().is_none_or(|program| program.is_empty()) {
            return Err(CommandError::NoProgram);
        }
        let templates = words.iter().map(|word| Template::parse(word)).collect::<Result<_, _>>()?;
        Ok(Command(templates))
    }

    /// Returns the words with their placeholders.
    pub fn templates(&self) -> &[Template] {
        &self.0
    }

    /// Returns the words without placeholders, which are the same in all trials.
    pub fn fixed_words(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(Template::literal)
    }

    /// Returns the command with other words in place of some that have no placeholders.
    pub fn replacing(&self, other: impl Fn(&str) -> Option<String>) -> Self {
        let word = |template: &Template| template.literal().and_then(&other).map(|text| Template::plain(&text));
        Command(self.0.iter().map(|template| word(template).unwrap_or_else(|| template.clone())).collect())
    }

    /// Returns whether the command has a placeholder with this name.
    pub fn mentions(&self, name: &str) -> bool {
        self.0.iter().flat_map(Template::placeholders).any(|placeholder| placeholder.name == name)
    }

    /// Returns the arguments, with values for the placeholders. Omits the flag of a switch that is off, and replaces
    /// the placeholder for all parameters by several arguments.
    pub fn render(&self, value: &dyn Fn(&str) -> Option<Shown>, args: &dyn Fn() -> Vec<String>) -> Vec<String> {
        let mut words = Vec::with_capacity(self.0.len());
        for template in &self.0 {
            match template.sole() {
                Some(sole) if sole.name == ARGS => words.extend(args()),
                Some(sole) if matches!(sole.format, ValueFormat::Flag(_)) => {
                    words.extend(Some(template.render(value)).filter(|word| !word.is_empty()));
                }
                _ => words.push(template.render(value)),
            }
        }
        words
    }
}

/// Splits a line into words, by the same rule on all systems. Spaces separate words; `'...'` and `"..."` group
/// characters, also within a word. A backslash is an ordinary character, as in Windows paths.
///
/// # Errors
/// If a quotation mark has no partner.
pub fn split(line: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some(end) if end == c => break,
                        Some(inner) => word.push(inner),
                        None => return Err(CommandError::Quotation(c)),
                    }
                }
            }
            _ if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Quotes a word for a line that [`split`] splits. Characters in `more` need no quotation marks.
pub fn line_word(word: &str, more: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%\\".contains(c) || more.contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    let parts = word.split('\'').map(|part| if part.is_empty() { String::new() } else { format!("'{part}'") });
    let line = parts.collect::<Vec<_>>().join("\"'\"");
    if line.is_empty() { "''".to_string() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_core::shell::shell_line;
    use proptest::prelude::*;

    #[test]
    fn lines_are_split_by_one_rule() {
        let words = |line| split(line).unwrap();
        assert_eq!(words(" ./s --k  {k}\t'a b' "), ["./s", "--k", "{k}", "a b"]);
        assert_eq!(
            words(r"C:\bin\solver.exe \\host\share\ --out=d\x"),
            [r"C:\bin\solver.exe", r"\\host\share\", r"--out=d\x"]
        );
        assert_eq!(
            words(r#""C:\Program Files\s" --say='"x"' "it's" '' #5"#),
            [r"C:\Program Files\s", "--say=\"x\"", "it's", "", "#5"]
        );
        assert!(words("").is_empty());
        assert_eq!(split("it's"), Err(CommandError::Quotation('\'')));
    }

    proptest! {
        #[test]
        fn a_quoted_text_is_one_word(word in ".*") {
            prop_assert_eq!(split(&line_word(&word, "")), Ok(vec![word]));
        }
    }

    #[test]
    fn flags_that_are_off_are_omitted() {
        let words = ["./s", "{fast:-f}", "--k={k}", "{args}"].map(String::from).to_vec();
        let command = Command::new(words).unwrap();
        let with = |on: bool| {
            let value = move |name: &str| match name {
                "fast" => Some(Shown::Switch(on)),
                "k" => Some(Shown::Int(7)),
                _ => None,
            };
            shell_line(command.render(&value, &|| vec!["--a".into(), "b c".into()]).iter().map(String::as_str))
        };
        assert_eq!(with(true), "./s -f --k=7 --a 'b c'");
        assert_eq!(with(false), "./s --k=7 --a 'b c'");
    }
}
