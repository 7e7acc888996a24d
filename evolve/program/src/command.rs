//! Commands: a program and its arguments, with placeholders, run without a shell.

use crate::template::{Format, Shown, Template};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A command with placeholders: its words.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "Words", into = "Vec<String>")]
pub struct Command(Vec<Template>);

/// A list of words, or a line that is split as a shell would.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Words {
    Line(String),
    List(Vec<String>),
}

impl TryFrom<Words> for Command {
    type Error = String;

    fn try_from(words: Words) -> Result<Self, String> {
        Command::new(match words {
            Words::Line(line) => shlex::split(&line).ok_or("unmatched quotation mark")?,
            Words::List(words) => words,
        })
    }
}

impl From<Command> for Vec<String> {
    fn from(command: Command) -> Self {
        command.0.into_iter().map(String::from).collect()
    }
}

/// The placeholder that stands for all parameters as `--name value`.
pub const ARGS: &str = "args";

impl Command {
    /// A command of these words.
    ///
    /// # Errors
    /// If there are none, or a placeholder is wrong.
    pub fn new(words: Vec<String>) -> Result<Self, String> {
        if words.first().is_none_or(|program| program.is_empty()) {
            return Err("no program is named".to_string());
        }
        let templates = words.iter().map(|word| Template::parse(word)).collect::<Result<_, _>>()?;
        Ok(Command(templates))
    }

    /// Its words with their placeholders.
    pub fn templates(&self) -> &[Template] {
        &self.0
    }

    /// Its words without placeholders, which are the same in all trials.
    pub fn fixed_words(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(Template::literal)
    }

    /// Whether it has a placeholder of that name.
    pub fn mentions(&self, name: &str) -> bool {
        self.0.iter().flat_map(Template::placeholders).any(|placeholder| placeholder.name == name)
    }

    /// The arguments with values for the placeholders. The flag of a switch that is off is omitted; the placeholder for
    /// all parameters becomes several arguments.
    pub fn render(&self, value: &dyn Fn(&str) -> Option<Shown>, args: &dyn Fn() -> Vec<String>) -> Vec<String> {
        let mut words = Vec::with_capacity(self.0.len());
        for template in &self.0 {
            match template.sole() {
                Some(sole) if sole.name == ARGS => words.extend(args()),
                Some(sole) if matches!(sole.format, Format::Flag(_)) => {
                    words.extend(Some(template.render(value)).filter(|word| !word.is_empty()));
                }
                _ => words.push(template.render(value)),
            }
        }
        words
    }
}

/// Words as one line for a POSIX shell.
pub fn shell_line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let plain =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c));
    let quoted = |word: &'w str| match plain(word) {
        true => word.into(),
        // Only words with a zero byte cannot be quoted, and no program can be given one.
        false => shlex::try_quote(word).unwrap_or_default(),
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_are_off_are_no_words() {
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
