//! Regular expressions that find numbers in a program's output.

use super::number::{self, Misread};
use evolve_process::excerpt;
use regex::bytes::{Captures, Regex, RegexBuilder};
use regex_syntax::ast::{Ast, GroupKind, parse::Parser};

/// A regular expression with groups around numbers.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

/// The match of a pattern.
pub struct Found<'t> {
    text: &'t [u8],
    captures: Captures<'t>,
}

/// Words that programs print instead of a number.
const NO_NUMBERS: &str = r"[-+]?(?i:nan|inf(?:inity)?|none|null|undefined|n/?a)(?-u:\b)";

impl Pattern {
    /// Compiles a pattern. Lines may end in `\r\n`, as on Windows. A group after fixed text or
    /// spaces, as in `cost: (\d+)`, also matches `nan` and the like. Otherwise the last match of
    /// `cost: 10\ncost: nan` would be 10.
    pub fn parse(text: &str) -> Result<Self, regex::Error> {
        let compile = |text: &str| RegexBuilder::new(text).crlf(true).build();
        let plain = compile(text)?;
        let mut ends = Vec::new();
        if let Ok(ast) = Parser::new().parse(text) {
            collect_ends(&ast, &[], &mut ends);
        }
        let mut whole = text.to_string();
        for end in ends.into_iter().rev() {
            whole.insert_str(end, &format!("|{NO_NUMBERS}"));
        }
        // Only the limit of the size can refuse the longer pattern.
        Ok(Pattern(compile(&whole).unwrap_or(plain)))
    }

    /// The pattern of a number that a line gives a name, such as `nodes = 7` or `nodes: 7`.
    pub fn line(name: &str) -> Self {
        let name = regex::escape(name);
        let text = format!(r"(?m)(?:^|[^\w-]){name}\s*[=:]\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)");
        Pattern::parse(&text).expect("an escaped name is a pattern")
    }

    /// Returns the number of each group, with its name if it has one.
    pub fn groups(&self) -> impl Iterator<Item = (usize, Option<&str>)> {
        self.0.capture_names().enumerate().skip(1)
    }

    /// Returns the last match.
    pub fn last<'t>(&self, text: &'t [u8]) -> Option<Found<'t>> {
        // Groups cost more than matches.
        let last = self.0.find_iter(text).last()?;
        Some(Found { text, captures: self.0.captures_at(text, last.start())? })
    }
}

impl Found<'_> {
    /// Reads the number in a group; `None` if the group has no part in the match.
    ///
    /// # Errors
    /// A message that quotes the match.
    pub fn number(&self, group: usize) -> Result<Option<f64>, String> {
        let Some(found) = self.captures.get(group) else { return Ok(None) };
        let all = self.captures.get(0).expect("a match");
        let number = number::within(self.text, found.range(), found.end() < all.end());
        number.map(Some).map_err(|misread| {
            let line = self.text[all.end()..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            let quoted = excerpt(self.text[all.start()..all.end() + line.len()].trim_ascii());
            match misread {
                Misread::Cut => {
                    format!("{quoted} {misread}, or let the pattern cover what follows it")
                }
                misread => format!("{quoted} {misread}"),
            }
        })
    }
}

/// Collects the places of the closing parentheses of groups after fixed text. `before` precedes the
/// part.
fn collect_ends(part: &Ast, before: &[Ast], ends: &mut Vec<usize>) {
    match part {
        Ast::Concat(all) => {
            for (i, part) in all.asts.iter().enumerate() {
                collect_ends(part, if i == 0 { before } else { &all.asts[..i] }, ends);
            }
        }
        Ast::Alternation(all) => all.asts.iter().for_each(|part| collect_ends(part, before, ends)),
        Ast::Repetition(repeated) => collect_ends(&repeated.ast, before, ends),
        Ast::Group(group) if matches!(group.kind, GroupKind::NonCapturing(_)) => {
            collect_ends(&group.ast, before, ends);
        }
        Ast::Group(group) if is_place(before) => ends.push(group.span.end.offset - 1),
        Ast::Group(group) => collect_ends(&group.ast, &[], ends),
        _ => {}
    }
}

/// Returns whether a number has to follow these parts of a pattern: they contain a fixed character,
/// and the last one skips no letters, as `.*?` does.
fn is_place(before: &[Ast]) -> bool {
    let skips_letters = |part: &Ast| {
        let class = if let Ast::Repetition(repeated) = part { &*repeated.ast } else { part };
        let regex = Regex::new(&format!("^(?:{class})$"));
        regex.is_ok_and(|regex| (b'a'..=b'z').any(|letter| regex.is_match(&[letter])))
    };
    let is_fixed = |part: &Ast| matches!(part, Ast::Literal(_));
    before.iter().any(is_fixed) && before.last().is_some_and(|last| is_fixed(last) || !skips_letters(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(pattern: &str, text: &str) -> Option<Result<Option<f64>, String>> {
        Some(Pattern::parse(pattern).unwrap().last(text.as_bytes())?.number(1))
    }

    #[test]
    fn words_in_the_place_of_a_number_are_found() {
        for pattern in [
            r"cost: (\d+)",
            r"cost:\s*(\d+)",
            r"(?m)^cost:[ \t]*(\d+)$",
            r"(?x) cost: \s (\d+ | -\d+) # a number",
            r"cost(?::|=) (?<score>\d+)",
            r"(?i)COST(?:: (\d+))?",
            r"cost: (\d+)(?: ms)?",
        ] {
            for (word, is_read) in
                [("nan", true), ("-inf", true), ("None", true), ("N/A", true), ("nano", false), ("of edges", false)]
            {
                let found = last(pattern, &format!("cost: 10\ncost: {word}\n"));
                match is_read {
                    true => assert!(found.unwrap().unwrap_err().contains("is not a number"), "{pattern} {word}"),
                    false => assert_eq!(found.unwrap().ok().flatten().unwrap_or(10.0), 10.0, "{pattern} {word}"),
                }
            }
        }
        // Here, a word may stand before the number, or anywhere.
        for pattern in [r"cost.*?(\d+)", r"cost\w* (\d+)", r"(\d+)", r"(?m)^(\d+)$", r"\s(\d+)"] {
            assert_eq!(last(pattern, "costs 10\n10\nnone\n"), Some(Ok(Some(10.0))), "{pattern}");
        }
        assert_eq!(last(r"cost.*?(\d+)", "cost nan: 10"), Some(Ok(Some(10.0))));
    }

    #[test]
    fn a_pattern_does_not_cut_a_number() {
        for text in ["12k", "12.5", "1e3", "12/20"] {
            let message = last(r"cost (\d+)", &format!("cost {text}\n")).unwrap().unwrap_err();
            let shown = format!("\"cost {text}\" is not only a number: ");
            assert!(
                message.starts_with(&shown) && message.ends_with("let the pattern cover what follows it"),
                "{message}"
            );
        }
        let grouped = last(r"cost (\d+)", "cost 1,234,567").unwrap().unwrap_err();
        assert_eq!(grouped, "\"cost 1,234,567\" has separators between its digits: print 1234567");
        for (pattern, text, number) in [
            (r"cost (\d+)k", "cost 12k", 12.0),
            (r"cost (\d+)/20", "cost 17/20", 17.0),
            (r"cost (\d+)\.", "cost 12.5", 12.0),
            (r"cost (.*)", "cost  12 \r\n", 12.0),
            (r"cost (\d+)", "cost 12.\n", 12.0),
            (r"cost (\S+)", "cost 1.5e3\n", 1500.0),
        ] {
            assert_eq!(last(pattern, text), Some(Ok(Some(number))), "{pattern}");
        }
    }
}
