//! Commands: a program and its arguments, with placeholders, run without a shell.

use crate::template::{Format, Shown, Template};
use evolve_core::document::{Free, Section};
use evolve_core::text::quoted;

/// A command with placeholders.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Its words.
    templates: Vec<Template>,
    /// The line of the file where it stands.
    line: usize,
}

/// The placeholder that stands for all parameters as `--name value`.
pub const ARGS: &str = "args";

impl Command {
    /// Takes a command out of a section: a list of words, or a line that is split as a shell would. What is wrong is
    /// reported.
    pub fn take(section: &mut Section<'_>, name: &str) -> Option<Self> {
        let free = section.take(name)?;
        match Self::read(&free) {
            Ok(command) => Some(command),
            Err(message) => {
                section.report(Some(free.line), format!("`{name}`: {message}"));
                None
            }
        }
    }

    fn read(free: &Free<'_>) -> Result<Self, String> {
        let words = match (free.text(), free.list()) {
            (Some(line), _) => shlex::split(line).ok_or("a quotation mark has no partner")?,
            (_, Some(list)) => {
                let texts: Option<Vec<_>> = list.iter().map(|word| word.text().map(String::from)).collect();
                texts.ok_or("a command is a text or a list of texts")?
            }
            _ => return Err("a command is a text or a list of texts".to_string()),
        };
        Self::new(words, free.line)
    }

    /// A command of these words.
    ///
    /// # Errors
    /// If there are none, or a placeholder is wrong.
    pub fn new(words: Vec<String>, line: usize) -> Result<Self, String> {
        if words.first().is_none_or(|program| program.is_empty()) {
            return Err("it names no program".to_string());
        }
        let templates = words.iter().map(|word| Template::parse(word)).collect::<Result<_, _>>()?;
        Ok(Command { templates, line })
    }

    /// Where it stands.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Its words with their placeholders.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// Its words without placeholders, which are the same in all trials.
    pub fn fixed_words(&self) -> impl Iterator<Item = &str> {
        self.templates.iter().filter_map(Template::literal)
    }

    /// Whether it has a placeholder of that name.
    pub fn mentions(&self, name: &str) -> bool {
        self.templates.iter().flat_map(Template::placeholders).any(|placeholder| placeholder.name == name)
    }

    /// The words with values for the placeholders. A word that is the flag of a switch that is off is left out; the
    /// placeholder for all parameters becomes several words.
    pub fn render(&self, value: &dyn Fn(&str) -> Option<Shown>, args: &dyn Fn() -> Vec<String>) -> Vec<String> {
        let mut words = Vec::with_capacity(self.templates.len());
        for template in &self.templates {
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

    pub fn toml(&self) -> String {
        let words: Vec<_> = self.templates.iter().map(|word| quoted(word.text())).collect();
        format!("[{}]", words.join(", "))
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
        let command = Command::new(words, 1).unwrap();
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
