//! The parser of conditions.
//!
//! ```text
//! any        = all { ( "||" | "or" ) all }
//! all        = part { ( "&&" | "and" ) part }
//! part       = ( "!" | "not" ) part | "(" any ")" | comparison
//! comparison = NAME ( "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" ) VALUE | NAME "in" "[" VALUE { "," VALUE } "]"
//! ```
//!
//! A value is a number, a name of a choice with or without quotes, `true` or `false` or, for numbers, another
//! parameter.

use super::{Expression, Operand, Operator, Relation};
use crate::document::text::nearest;
use crate::model::parameter::Parameter;

/// The greatest depth of nested brackets and negations.
const DEEPEST: usize = 50;

const OPERATORS: [(&str, Operator); 7] = [
    ("==", Operator::Equal),
    ("=", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::AtMost),
    (">", Operator::More),
    (">=", Operator::AtLeast),
];

/// The signs, longer ones first.
const SIGNS: [&str; 14] = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "=", "!", "(", ")", "[", "]"];

/// A token of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Sign(&'t str),
    Word(&'t str),
    Quoted(&'t str),
    End,
}

/// Parses a condition on these parameters.
pub fn parse(text: &str, parameters: &[Parameter]) -> Result<Expression, String> {
    let mut reader = Reader { tokens: tokens(text)?, next: 0, parameters };
    let expression = reader.any(false, 0)?;
    match reader.peek() {
        Token::End => Ok(expression),
        token => Err(format!("`{}` is left over: join comparisons by && or ||", token.text())),
    }
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let Some(sign) = SIGNS.iter().chain(&[","]).find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else if first == '\'' || first == '"' {
            let end = rest[1..].find(first).ok_or_else(|| format!("a quote is not closed: {rest}"))?;
            (Token::Quoted(&rest[1..=end]), end + 2)
        } else {
            let ends = |c: char| c.is_whitespace() || "&|=!<>()[],'\"".contains(c);
            // A character that is no sign by itself, such as `&`, becomes a word of one character.
            let end = rest.find(ends).filter(|&end| end > 0).unwrap_or(if ends(first) {
                first.len_utf8()
            } else {
                rest.len()
            });
            (Token::Word(&rest[..end]), end)
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

impl<'t> Token<'t> {
    fn text(self) -> &'t str {
        match self {
            Token::Sign(text) | Token::Word(text) | Token::Quoted(text) => text,
            Token::End => "",
        }
    }

    /// Returns whether the token is this sign or this word.
    fn is(self, sign: &str, word: &str) -> bool {
        self == Token::Sign(sign) || self == Token::Word(word)
    }
}

struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    parameters: &'t [Parameter],
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.next).copied().unwrap_or(Token::End)
    }

    fn take(&mut self) -> Token<'t> {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn any(&mut self, negated: bool, depth: usize) -> Result<Expression, String> {
        let mut parts = vec![self.all(negated, depth)?];
        while self.peek().is("||", "or") {
            self.take();
            parts.push(self.all(negated, depth)?);
        }
        Ok(joined(parts, negated))
    }

    fn all(&mut self, negated: bool, depth: usize) -> Result<Expression, String> {
        let mut parts = vec![self.part(negated, depth)?];
        while self.peek().is("&&", "and") {
            self.take();
            parts.push(self.part(negated, depth)?);
        }
        Ok(joined(parts, !negated))
    }

    fn part(&mut self, negated: bool, depth: usize) -> Result<Expression, String> {
        if depth > DEEPEST {
            return Err("the condition is nested too deeply".to_string());
        }
        if self.peek().is("!", "not") {
            self.take();
            return self.part(!negated, depth + 1);
        }
        if self.peek() == Token::Sign("(") {
            self.take();
            let inner = self.any(negated, depth + 1)?;
            return if self.take() == Token::Sign(")") { Ok(inner) } else { Err("a `)` is missing".to_string()) };
        }
        self.comparison(negated)
    }

    fn comparison(&mut self, negated: bool) -> Result<Expression, String> {
        let (name, sign) = (self.take(), self.take());
        let operator = OPERATORS.iter().find(|(text, _)| sign == Token::Sign(text)).map(|&(_, operator)| operator);
        let is_in = sign == Token::Word("in") && self.peek() == Token::Sign("[");
        let starts = matches!(name, Token::Word(_) | Token::Quoted(_)) && (is_in || operator.is_some());
        if !starts || !is_in && !matches!(self.peek(), Token::Word(_) | Token::Quoted(_)) {
            let read = [name, sign].map(Token::text).join(" ");
            return Err(format!(
                "`{}` is not a comparison; a condition looks like \"move != 'swap' && k > 3\"",
                read.trim()
            ));
        }
        let place = self.place(name.text())?;
        if let (Some(operator), false) = (operator, is_in) {
            let operator = if negated { operator.negated() } else { operator };
            let value = self.take();
            return self.compared(place, operator, value);
        }
        let operator = if negated { Operator::NotEqual } else { Operator::Equal };
        self.take();
        let mut parts = Vec::new();
        loop {
            let value = self.take();
            parts.push(self.compared(place, operator, value)?);
            match self.take() {
                Token::Sign(",") => {}
                Token::Sign("]") => return Ok(joined(parts, negated)),
                _ => return Err("a `]` is missing".to_string()),
            }
        }
    }

    fn place(&self, name: &str) -> Result<usize, String> {
        self.parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
            let near = nearest(name, self.parameters.iter().map(|parameter| parameter.name.as_str()));
            let hint = near.map(|near| format!("; the nearest name is `{near}`")).unwrap_or_default();
            format!("no parameter `{name}` is declared before{hint}")
        })
    }

    fn compared(&self, place: usize, operator: Operator, value: Token<'_>) -> Result<Expression, String> {
        let parameter = &self.parameters[place];
        let name = &parameter.name;
        if !parameter.is_number() && operator.is_of_order() {
            return Err(format!("`{name}` has no order: compare it by == or !="));
        }
        let text = value.text();
        let operand = if parameter.is_number() {
            let other = self.parameters.iter().position(|other| other.name == text && other.is_number());
            let (min, max) = parameter.range();
            let number = text.parse().ok().filter(|number| (min..=max).contains(number));
            other.filter(|_| matches!(value, Token::Word(_))).map(Operand::Parameter).or(number.map(Operand::Value))
        } else {
            parameter.parse(text).map(Operand::Value)
        };
        let operand = operand.ok_or_else(|| format!("`{name}` takes {}, not `{text}`", parameter.allowed()))?;
        Ok(Expression::Is(Relation { place, operator, operand }))
    }
}

/// Joins parts into an expression: all of them must hold, or any.
fn joined(mut parts: Vec<Expression>, all: bool) -> Expression {
    match parts.len() {
        1 => parts.remove(0),
        _ if all => Expression::All(parts),
        _ => Expression::Any(parts),
    }
}
