//! Commands: a program and its arguments, with placeholders, run without a shell.

mod shell;

use crate::template::{BuiltIn, Placeholder, Shown, Template, TemplateError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shell::Shell;
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
    /// It has shell syntax.
    #[error("{0}")]
    Shell(Shell),
    /// A word is wrong.
    #[error(transparent)]
    Word(#[from] TemplateError),
}

impl TryFrom<Words> for Command {
    type Error = CommandError;

    fn try_from(words: Words) -> Result<Self, CommandError> {
        Command::new(match words {
            Words::Line(line) => split(&line).map_err(|error| match error {
                CommandError::Shell(shell) => CommandError::Shell(shell.in_job()),
                error => error,
            })?,
            Words::List(words) => words,
        })
    }
}

impl From<Command> for Vec<String> {
    fn from(command: Command) -> Self {
        command.0.into_iter().map(String::from).collect()
    }
}

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

    /// Returns whether the command has this placeholder.
    pub fn mentions(&self, built_in: BuiltIn) -> bool {
        self.0.iter().any(|template| template.mentions(built_in))
    }

    /// Returns the arguments, with values for the placeholders.
    pub fn render(&self, value: &dyn Fn(&Placeholder) -> Option<Shown>, args: &dyn Fn() -> Vec<String>) -> Vec<String> {
        self.0.iter().flat_map(|template| words_of(template, value, args)).collect()
    }
}

/// Returns the arguments that a word of a command becomes: several for all parameters, and one, two
/// or none for a flag.
pub fn words_of(
    template: &Template,
    value: &dyn Fn(&Placeholder) -> Option<Shown>,
    args: &dyn Fn() -> Vec<String>,
) -> Vec<String> {
    match template.sole() {
        Some(sole) if sole.built_in == Some(BuiltIn::Args) => args(),
        Some(sole) => value(sole).map_or_else(|| vec![String::new()], |shown| shown.words(&sole.format)),
        None => vec![template.render(value)],
    }
}

/// Splits a line into words, by the same rule on all systems. Spaces separate words; `'...'` and
/// `"..."` group characters, also within a word. A backslash is an ordinary character, as in
/// Windows paths.
///
/// # Errors
/// If a quotation mark has no partner, or the line has shell syntax outside of quotation marks.
pub fn split(line: &str) -> Result<Vec<String>, CommandError> {
    // Each word, and a copy that hides its quoted characters.
    let mut words: Vec<(String, String)> = Vec::new();
    let mut word: Option<(String, String)> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' => {
                let (word, bare) = word.get_or_insert_default();
                bare.push('\0');
                loop {
                    match rest.next() {
                        Some(end) if end == c => break,
                        Some(inner) => word.push(inner),
                        None => return Err(CommandError::Quotation(c)),
                    }
                }
            }
            _ if c.is_whitespace() => words.extend(word.take()),
            _ => {
                let (word, bare) = word.get_or_insert_default();
                word.push(c);
                bare.push(c);
            }
        }
    }
    words.extend(word);
    match Shell::find(line, &words) {
        Some(shell) => Err(CommandError::Shell(shell)),
        None => Ok(words.into_iter().map(|(word, _)| word).collect()),
    }
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
    use evolve_search::shell::shell_line;
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

    #[test]
    fn shell_syntax_is_refused() {
        for syntax in [
            "<",
            "<in.txt",
            "<<<",
            ">",
            ">>log",
            "2>&1",
            "2>/dev/null",
            "&>log",
            "|",
            "|tee",
            "x|",
            "||",
            "&&",
            "&",
            ";",
            "k;",
            "*",
            "in/*.txt",
            "*.cpp",
            "$HOME",
            "-j$(nproc)",
            "--k=${K}",
            "`date`",
            "~/solver",
            "~",
        ] {
            let Err(CommandError::Shell(shell)) = split(&format!("./s {syntax} x")) else { panic!("{syntax}") };
            assert!(shell.to_string().starts_with(&format!("`{syntax}` needs a shell, ")), "{shell}");
            for quote in ['\'', '"'] {
                let words = split(&format!("./s {quote}{syntax}{quote} x"));
                assert_eq!(words, Ok(["./s", syntax, "x"].map(String::from).to_vec()), "{syntax}");
            }
            assert!(
                Command::try_from(Words::List(
                    ["./s", &syntax.replace('{', "{{").replace('}', "}}")].map(String::from).to_vec()
                ))
                .is_ok()
            );
        }
        for plain in [
            "a=b",
            "a|b",
            "a&b",
            "a;b",
            "http://x?a=1&b=2",
            "2*k",
            "--filter=a/*",
            ".*",
            "C$",
            "50%",
            "a~b",
            "k<3",
            "x>3",
            "#5",
            "$5",
            "-",
            "{k:-f}",
            "!x",
            "a?",
            "[0-9]",
            "(x)",
        ] {
            assert_eq!(split(plain), Ok(vec![plain.to_string()]), "{plain}");
        }
        let job = |line: &str| Command::try_from(Words::Line(line.to_string())).unwrap_err().to_string();
        assert_eq!(
            job("./s.sh {k} < in/{seed:04}.txt"),
            "`<` needs a shell, and commands run without one: for the input of `command`, set `stdin = \
             \"in/{seed:04}.txt\"` instead; otherwise write [\"sh\", \"-c\", \"./s.sh {k} < in/{seed:04}.txt\"]; quotation \
             marks pass it as it is"
        );
        assert!(job("./s <in.txt").contains("set `stdin = \"in.txt\"`"));
        assert!(job("a && b").contains("one: write [\"sh\", \"-c\", \"a && b\"];"));
        assert!(job("./s 2>&1").contains("both output streams are read anyway: remove it, or write ["));
        assert!(split("a && b").unwrap_err().to_string().contains("one: write sh -c 'a && b';"));
    }

    proptest! {
        #[test]
        fn a_quoted_text_is_one_word(word in ".*") {
            prop_assert_eq!(split(&line_word(&word, "")), Ok(vec![word]));
        }
    }

    #[test]
    fn flags_that_are_off_are_omitted() {
        let words = ["./s", "{fast:-f}", "{k:--k}", "{k:--k=}", "{idle:--idle}", "{args}"].map(String::from).to_vec();
        let command = Command::new(words).unwrap();
        let with = |on: bool| {
            let value = move |placeholder: &Placeholder| match placeholder.name.as_str() {
                "fast" => Some(Shown::Switch(on)),
                "k" => Some(Shown::Int(7)),
                "idle" => Some(Shown::Inactive(Box::new(Shown::Int(3)))),
                _ => None,
            };
            shell_line(command.render(&value, &|| vec!["--a".into(), "b c".into()]).iter().map(String::as_str))
        };
        assert_eq!(with(true), "./s -f --k 7 --k=7 --a 'b c'");
        assert_eq!(with(false), "./s --k 7 --k=7 --a 'b c'");
    }
}
