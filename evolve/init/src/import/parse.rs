//! The parser of conditions in the languages of other tuners: R, Python and PCS.

use super::ImportError;
use super::expression::{Expression, Operand, Sign};

/// The greatest depth of nested brackets and negations.
const DEEPEST: usize = 40;

/// The signs, longer ones first.
const SIGNS: [&str; 20] =
    ["%in%", "&&", "||", "==", "!=", "<=", ">=", "&", "|", "<", ">", "=", "!", "(", ")", "[", "]", "{", "}", ","];

/// The language of a condition.
pub struct Syntax<'s> {
    /// Returns the parameter that a place such as `k` or `params[k]` holds.
    pub parameter: &'s dyn Fn(&str) -> Option<String>,
    /// Whether a place alone is a comparison with `True`, and an unknown word is not a value.
    pub is_python: bool,
    /// Whether a comma joins comparisons that all hold.
    pub joins_by_comma: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Sign(&'static str),
    Word(&'t str),
    Quoted(&'t str),
}

/// Parses a condition.
///
/// # Errors
/// If it is not made of comparisons.
pub fn parse(text: &str, syntax: &Syntax<'_>) -> Result<Expression, ImportError> {
    let fault = || ImportError::Comparison(text.trim().to_string());
    let tokens = tokens(text).ok_or_else(fault)?;
    let mut reader = Reader { tokens: &tokens, syntax, depth: 0 };
    let read = reader.any();
    match (read, reader.depth > DEEPEST) {
        (_, true) => Err(ImportError::Deep),
        (Some(read), _) if reader.tokens.is_empty() => Ok(read),
        _ => Err(fault()),
    }
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else if first == '\'' || first == '"' {
            let end = 1 + rest[1..].find(first)?;
            (Token::Quoted(&rest[1..end]), end + 1)
        } else {
            let ends = |c: char| c.is_whitespace() || "&|=!<>()[]{},'\"".contains(c);
            let end = rest.find(ends).unwrap_or(rest.len());
            (Token::Word(&rest[..end]), end)
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    syntax: &'t Syntax<'t>,
    /// The depth of the brackets around the next token; it stays above the maximum once it is.
    depth: usize,
}

impl<'t> Reader<'t> {
    fn takes(&mut self, token: Token<'_>) -> bool {
        let is_next = self.tokens.first() == Some(&token);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    fn takes_any(&mut self, signs: &[&'static str], word: &str) -> bool {
        signs.iter().any(|sign| self.takes(Token::Sign(sign))) || self.takes(Token::Word(word))
    }

    fn any(&mut self) -> Option<Expression> {
        let mut parts = vec![self.all()?];
        while self.takes_any(&["||", "|"], "or") {
            parts.push(self.all()?);
        }
        Some(Expression::any(parts))
    }

    fn all(&mut self) -> Option<Expression> {
        let mut parts = vec![self.part()?];
        while self.takes_any(&["&&", "&"], "and") || self.syntax.joins_by_comma && self.takes(Token::Sign(",")) {
            parts.push(self.part()?);
        }
        Some(Expression::all(parts))
    }

    fn part(&mut self) -> Option<Expression> {
        if self.depth > DEEPEST {
            return None;
        }
        if self.takes_any(&["!"], "not") {
            self.depth += 1;
            let inner = self.part()?;
            self.depth -= 1;
            return Some(Expression::not(inner));
        }
        if self.takes(Token::Sign("(")) {
            self.depth += 1;
            let inner = self.any()?;
            self.depth -= 1;
            return self.takes(Token::Sign(")")).then_some(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Option<Expression> {
        let left = self.side()?;
        let is_not = self.tokens.get(1) == Some(&Token::Word("in")) && self.takes(Token::Word("not"));
        if self.takes_any(&["%in%"], "in") {
            let unknown = left.operand.filter(|_| !self.syntax.is_python).map(|operand| operand.text);
            let set = Expression::is(left.parameter.or(unknown)?, Sign::Equal, self.set()?);
            return Some(if is_not { Expression::not(set) } else { set });
        }
        let Some((_, sign)) = Sign::ALL.iter().find(|(sign, _)| self.takes(Token::Sign(sign))) else {
            let parameter = left.parameter.filter(|_| self.syntax.is_python)?;
            return Some(Expression::is(parameter, Sign::Equal, vec![Operand::value("true")]));
        };
        let right = self.side()?;
        match (left.parameter, right.parameter) {
            (Some(name), _) => Some(Expression::is(name, *sign, vec![right.operand?])),
            (None, Some(name)) => Some(Expression::is(name, sign.exchanged(), vec![left.operand?])),
            // The name is reported as unknown.
            (None, None) if !self.syntax.is_python => {
                Some(Expression::is(left.operand?.text, *sign, vec![right.operand?]))
            }
            (None, None) => None,
        }
    }

    /// Reads one side of a comparison.
    fn side(&mut self) -> Option<Side> {
        let (token, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        let (text, is_word) = match *token {
            Token::Word(text) => (text, true),
            Token::Quoted(text) => (text, false),
            Token::Sign(_) => return None,
        };
        // A place in a table.
        if let [Token::Sign("["), Token::Quoted(key), Token::Sign("]"), rest @ ..] = self.tokens
            && is_word
        {
            self.tokens = rest;
            let parameter = (self.syntax.parameter)(&format!("{text}[{key}]"))?;
            let operand = Operand { text: parameter.clone(), is_bare: true };
            return Some(Side { operand: Some(operand), parameter: Some(parameter) });
        }
        let parameter = if is_word { (self.syntax.parameter)(text) } else { None };
        let operand = match (text, &parameter) {
            (_, Some(parameter)) => Some(Operand { text: parameter.clone(), is_bare: true }),
            ("True" | "False", None) if self.syntax.is_python && is_word => Some(Operand::value(text.to_lowercase())),
            _ if self.syntax.is_python && is_word => {
                text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)).then(|| Operand::value(text))
            }
            _ => Some(Operand::value(text)),
        };
        Some(Side { parameter, operand })
    }

    /// Reads the values of a set, or the only one.
    fn set(&mut self) -> Option<Vec<Operand>> {
        if self.tokens.get(1) == Some(&Token::Sign("(")) {
            self.takes(Token::Word("c"));
        }
        let brackets = [("(", ")"), ("[", "]"), ("{", "}")];
        let Some((_, end)) = brackets.into_iter().find(|(open, _)| self.takes(Token::Sign(open))) else {
            return (!self.syntax.is_python).then(|| self.side()?.operand).flatten().map(|one| vec![one]);
        };
        let mut values = Vec::new();
        while !self.takes(Token::Sign(end)) {
            values.push(self.side()?.operand?);
            if !self.takes(Token::Sign(",")) && self.tokens.first() != Some(&Token::Sign(end)) {
                return None;
            }
        }
        (!values.is_empty()).then_some(values)
    }
}

/// One side of a comparison: as a parameter, and as a value.
struct Side {
    parameter: Option<String>,
    operand: Option<Operand>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::expression::Meaning;
    use evolve_search::model::parameter::Parameter;

    /// Returns a condition of a file as a condition of a job.
    fn read(text: &str, is_python: bool, joins_by_comma: bool) -> String {
        let known = [
            Parameter::choice("move", ["swap", "2opt", "or"], 0),
            Parameter::int("k", 1, 9, 1),
            Parameter::switch("fast", false),
            Parameter::float("rate", 0.0, 1.0, 0.5),
        ];
        let truth = ["false", "true"].map(String::from);
        let parameter = |place: &str| match place {
            "params[fast]" => Some("fast".to_string()),
            "a@b.c" | "one" => Some(place.to_string()),
            place => known.iter().any(|one| one.name == place).then(|| place.to_string()),
        };
        let meaning = |name: &str| match name {
            "one" => Some(Meaning::Fixed("1")),
            "a@b.c" => Some(Meaning::Tuned(&known[1], &truth)),
            name => known.iter().find(|one| one.name == name).map(|one| Meaning::Tuned(one, &truth)),
        };
        let read = parse(text, &Syntax { parameter: &parameter, is_python, joins_by_comma });
        match read.and_then(|read| read.resolved(&meaning)).and_then(|read| read.text()) {
            Ok(text) => text,
            Err(error) => format!("! {error}"),
        }
    }

    #[test]
    fn conditions_of_three_languages_are_read() {
        let [r, python, pcs] = [(false, false), (true, false), (false, true)];
        for ((is_python, comma), text, expected) in [
            (r, "move == \"swap\" & k %in% c(1, 2)", "move == 'swap' && k in [1, 2]"),
            (r, "(move %in% c('or', \"gone\")) || !(k >= 3)", "move == 'or' || !(k >= 3)"),
            (r, "move %in% \"or\" && (k<3 | rate > k)", "move == 'or' && (k < 3 || rate > k)"),
            (r, "k + 1 > 3", "! `k + 1 > 3` is not a comparison"),
            (r, "one == 1 & k > one", "k > 1"),
            (r, "one == 2 | move != 'or'", "move != 'or'"),
            (r, "one < 2", "true"),
            (r, "one > 1 & k == 3", "false"),
            (r, "2 < k", "k > 2"),
            (r, "gone == 1", "! no parameter `gone`"),
            (python, "move in ('swap', 'or') and params['fast']", "move in ['swap', 'or'] && fast == true"),
            (python, "not fast or k not in [1, 2_0]", "!(fast == true) || !(k in [1, 20])"),
            (python, "fast == False and 3 <= k", "fast == false && k >= 3"),
            (python, "len(move) > 3", "! `len(move) > 3` is not a comparison"),
            (python, "move == OTHER", "! `move == OTHER` is not a comparison"),
            (python, "1 < k < 5", "! `1 < k < 5` is not a comparison"),
            (pcs, "move=swap, k = 3", "move == 'swap' && k == 3"),
            (pcs, "a@b.c in {1,2} && rate < k", "k in [1, 2] && rate < k"),
            (pcs, "move in {swap, 2opt", "! `move in {swap, 2opt` is not a comparison"),
            (pcs, "move == 'it", "! `move == 'it` is not a comparison"),
        ] {
            assert_eq!(read(text, is_python, comma), expected, "{text}");
        }
        for deep in ["(", "!"].map(|sign| sign.repeat(100_000)) {
            assert_eq!(read(&deep, false, false), "! the condition is nested too deeply");
        }
        let many = vec!["k == 1"; 2000].join(" | ");
        assert_eq!(read(&many, false, false), "! it has 2000 comparisons, and the maximum is 1000");
    }
}
