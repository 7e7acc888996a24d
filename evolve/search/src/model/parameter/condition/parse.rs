//! The parser of conditions.
//!
//! ```text
//! any        = all { ( "||" | "or" ) all }
//! all        = part { ( "&&" | "and" ) part }
//! part       = ( "!" | "not" ) part | "(" any ")" | comparison
//! comparison = NAME ( "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" ) VALUE | NAME "in" "[" VALUE { "," VALUE } "]"
//! ```
//!
//! A value is a number, a name of a choice with or without quotes, `true` or `false` or, for
//! numbers, another parameter.

use super::{Expression, Operand, Operator, Relation};
use crate::document::text::nearest;
use crate::model::parameter::Parameter;
use thiserror::Error;

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

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'t> {
    Sign(&'t str),
    Word(&'t str),
    Quoted(&'t str),
    End,
}

/// The part of a condition that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Text follows the condition.
    #[error("`{0}` is left over: join comparisons by && or ||")]
    LeftOver(String),
    /// The closing quote of this text is missing.
    #[error("a quote is not closed: {0}")]
    OpenQuote(String),
    /// Brackets and negations are nested too deeply.
    #[error("the condition is nested too deeply")]
    TooDeep,
    /// A closing bracket is missing.
    #[error("a `{0}` is missing")]
    Missing(char),
    /// Something stands in the place of a comparison.
    #[error("`{0}` is not a comparison; a condition looks like \"move != 'swap' && k > 3\"")]
    NotComparison(String),
    /// No parameter has this name.
    #[error("no parameter `{name}` is declared before{}", near.as_ref().map(|near| format!("; the nearest name is `{near}`")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name of a parameter, if one is near.
        near: Option<String>,
    },
    /// The values of a parameter have no order.
    #[error("`{0}` has no order: compare it by == or !=")]
    Unordered(String),
    /// The parameter takes no such value.
    #[error("`{name}` takes {allowed}, not `{text}`")]
    NotAllowed {
        /// The name of the parameter.
        name: String,
        /// The values that it takes.
        allowed: String,
        /// The text in place of a value.
        text: String,
    },
}

/// Parses a condition on these parameters.
pub fn parse(text: &str, parameters: &[Parameter]) -> Result<Expression, ParseError> {
    let mut reader = Reader { tokens: tokens(text)?, next: 0, parameters };
    let expression = reader.any(false, 0)?;
    match reader.peek() {
        Token::End => Ok(expression),
        token => Err(ParseError::LeftOver(token.text().to_string())),
    }
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let Some(sign) = SIGNS.iter().chain(&[","]).find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else if first == '\'' || first == '"' {
            let end = rest[1..].find(first).ok_or_else(|| ParseError::OpenQuote(rest.to_string()))?;
            (Token::Quoted(&rest[1..=end]), end + 2)
        } else {
            let ends = |c: char| c.is_whitespace() || "&|=!<>()[],'\"".contains(c);
            // A character that is not a sign by itself, such as `&`, becomes a word of one
            // character.
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

    fn any(&mut self, negated: bool, depth: usize) -> Result<Expression, ParseError> {
        let mut parts = vec![self.all(negated, depth)?];
        while self.peek().is("||", "or") {
            self.take();
            parts.push(self.all(negated, depth)?);
        }
        Ok(joined(parts, negated))
    }

    fn all(&mut self, negated: bool, depth: usize) -> Result<Expression, ParseError> {
        let mut parts = vec![self.part(negated, depth)?];
        while self.peek().is("&&", "and") {
            self.take();
            parts.push(self.part(negated, depth)?);
        }
        Ok(joined(parts, !negated))
    }

    fn part(&mut self, negated: bool, depth: usize) -> Result<Expression, ParseError> {
        if depth > DEEPEST {
            return Err(ParseError::TooDeep);
        }
        if self.peek().is("!", "not") {
            self.take();
            return self.part(!negated, depth + 1);
        }
        if self.peek() == Token::Sign("(") {
            self.take();
            let inner = self.any(negated, depth + 1)?;
            return if self.take() == Token::Sign(")") { Ok(inner) } else { Err(ParseError::Missing(')')) };
        }
        self.comparison(negated)
    }

    fn comparison(&mut self, negated: bool) -> Result<Expression, ParseError> {
        let (name, sign) = (self.take(), self.take());
        let operator = OPERATORS.iter().find(|(text, _)| sign == Token::Sign(text)).map(|&(_, operator)| operator);
        let is_in = sign == Token::Word("in") && self.peek() == Token::Sign("[");
        let starts = matches!(name, Token::Word(_) | Token::Quoted(_)) && (is_in || operator.is_some());
        if !starts || !is_in && !matches!(self.peek(), Token::Word(_) | Token::Quoted(_)) {
            let read = [name, sign].map(Token::text).join(" ");
            return Err(ParseError::NotComparison(read.trim().to_string()));
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
                _ => return Err(ParseError::Missing(']')),
            }
        }
    }

    fn place(&self, name: &str) -> Result<usize, ParseError> {
        self.parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
            let near = nearest(name, self.parameters.iter().map(|parameter| parameter.name.as_str()));
            ParseError::Unknown { name: name.to_string(), near: near.map(str::to_string) }
        })
    }

    fn compared(&self, place: usize, operator: Operator, value: Token<'_>) -> Result<Expression, ParseError> {
        let parameter = &self.parameters[place];
        let name = &parameter.name;
        if !parameter.is_number() && operator.is_of_order() {
            return Err(ParseError::Unordered(name.clone()));
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
        let operand = operand.ok_or_else(|| ParseError::NotAllowed {
            name: name.clone(),
            allowed: parameter.allowed(),
            text: text.to_string(),
        })?;
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
