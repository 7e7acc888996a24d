//! Conditions of other tuners: read before the parameters that they name are known, and then
//! written for a job.

use super::ImportError;
use super::arithmetic;
use evolve_search::model::parameter::{Kind, Parameter};

/// A condition on the parameters of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// Whether it is always or never true.
    Known(bool),
    All(Vec<Expression>),
    Any(Vec<Expression>),
    Not(Box<Expression>),
    Is(Comparison),
}

/// A comparison of a parameter with a value or, if it is for equality, with several values of which
/// one must fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub name: String,
    pub sign: Sign,
    pub values: Vec<Operand>,
}

/// The right-hand side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub text: String,
    /// Whether the text has no quotes, so that it is a number or may name another parameter.
    pub is_bare: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// The meaning of a name in the file.
pub enum Meaning<'p> {
    Fixed(&'p str),
    /// A parameter of the job, and the values of a switch in the file, off and on.
    Tuned(&'p Parameter, &'p [String; 2]),
}

/// The largest number of comparisons in a condition, which is evaluated for every candidate.
pub const MOST: usize = 1000;

impl Sign {
    pub const ALL: [(&'static str, Sign); 7] = [
        ("==", Sign::Equal),
        ("!=", Sign::NotEqual),
        ("<=", Sign::AtMost),
        (">=", Sign::AtLeast),
        ("<", Sign::Less),
        (">", Sign::More),
        ("=", Sign::Equal),
    ];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, sign)| *sign == self).map_or("", |(text, _)| text)
    }

    /// Returns the sign for exchanged sides.
    pub fn exchanged(self) -> Self {
        match self {
            Sign::Less => Sign::More,
            Sign::AtMost => Sign::AtLeast,
            Sign::More => Sign::Less,
            Sign::AtLeast => Sign::AtMost,
            sign => sign,
        }
    }

    /// Compares two values; returns nothing if they have no order.
    fn is_true(self, a: &str, b: &str) -> Option<bool> {
        let numbers = arithmetic::number(a).ok().zip(arithmetic::number(b).ok());
        let (is_equal, order) = match numbers {
            Some((a, b)) => (a == b, a.partial_cmp(&b)),
            None => (a == b, None),
        };
        match self {
            Sign::Equal => Some(is_equal),
            Sign::NotEqual => Some(!is_equal),
            Sign::Less => order.map(|order| order.is_lt()),
            Sign::AtMost => order.map(|order| order.is_le()),
            Sign::More => order.map(|order| order.is_gt()),
            Sign::AtLeast => order.map(|order| order.is_ge()),
        }
    }
}

impl Operand {
    pub fn value(text: impl Into<String>) -> Self {
        Operand { text: text.into(), is_bare: false }
    }
}

impl Expression {
    /// Creates a comparison.
    pub fn is(name: impl Into<String>, sign: Sign, values: Vec<Operand>) -> Self {
        Expression::Is(Comparison { name: name.into(), sign, values })
    }

    /// Creates a condition that is true if all parts are.
    pub fn all(parts: impl IntoIterator<Item = Expression>) -> Self {
        Self::joined(parts, true)
    }

    /// Creates a condition that is true if any part is.
    pub fn any(parts: impl IntoIterator<Item = Expression>) -> Self {
        Self::joined(parts, false)
    }

    /// Creates a condition that is true if the other one is not.
    pub fn not(other: Expression) -> Self {
        match other {
            Expression::Known(known) => Expression::Known(!known),
            Expression::Not(inner) => *inner,
            other => Expression::Not(Box::new(other)),
        }
    }

    fn joined(parts: impl IntoIterator<Item = Expression>, all: bool) -> Self {
        let mut joined = Vec::new();
        for part in parts {
            match part {
                Expression::Known(known) if known == all => {}
                Expression::Known(known) => return Expression::Known(known),
                Expression::All(inner) if all => joined.extend(inner),
                Expression::Any(inner) if !all => joined.extend(inner),
                part => joined.push(part),
            }
        }
        match joined.len() {
            0 => Expression::Known(all),
            1 => joined.remove(0),
            _ if all => Expression::All(joined),
            _ => Expression::Any(joined),
        }
    }

    pub fn comparisons(&self) -> Vec<&Comparison> {
        match self {
            Expression::Known(_) => Vec::new(),
            Expression::All(parts) | Expression::Any(parts) => parts.iter().flat_map(Self::comparisons).collect(),
            Expression::Not(inner) => inner.comparisons(),
            Expression::Is(comparison) => vec![comparison],
        }
    }

    /// Returns the condition on parameters of the job. Comparisons of fixed values are decided.
    ///
    /// # Errors
    /// If a name or a comparison has no counterpart, or there are too many.
    pub fn resolved<'p>(&self, meaning: &dyn Fn(&str) -> Option<Meaning<'p>>) -> Result<Expression, ImportError> {
        let count: usize = self.comparisons().iter().map(|comparison| comparison.values.len()).sum();
        if count > MOST {
            return Err(ImportError::Many(count, MOST));
        }
        self.meant(meaning)
    }

    fn meant<'p>(&self, meaning: &dyn Fn(&str) -> Option<Meaning<'p>>) -> Result<Expression, ImportError> {
        let all = |parts: &[Expression]| parts.iter().map(|part| part.meant(meaning)).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Expression::Known(known) => Expression::Known(*known),
            Expression::All(parts) => Expression::all(all(parts)?),
            Expression::Any(parts) => Expression::any(all(parts)?),
            Expression::Not(inner) => Expression::not(inner.meant(meaning)?),
            Expression::Is(comparison) => comparison.meant(meaning)?,
        })
    }

    /// Formats the condition for a job.
    ///
    /// # Errors
    /// If a value cannot be quoted.
    pub fn text(&self) -> Result<String, ImportError> {
        let within = |part: &Expression, brackets: bool| {
            part.text().map(|text| if brackets { format!("({text})") } else { text })
        };
        Ok(match self {
            Expression::Known(known) => known.to_string(),
            Expression::All(parts) => {
                let texts = parts.iter().map(|part| within(part, matches!(part, Expression::Any(_))));
                texts.collect::<Result<Vec<_>, _>>()?.join(" && ")
            }
            Expression::Any(parts) => {
                parts.iter().map(|part| within(part, false)).collect::<Result<Vec<_>, _>>()?.join(" || ")
            }
            Expression::Not(inner) => format!("!({})", inner.text()?),
            Expression::Is(Comparison { name, sign, values }) => {
                let texts: Vec<String> = values.iter().map(Operand::written).collect::<Result<_, _>>()?;
                match &texts[..] {
                    [one] => format!("{name} {} {one}", sign.text()),
                    several => format!("{name} in [{}]", several.join(", ")),
                }
            }
        })
    }
}

impl Operand {
    /// Formats the operand of a job.
    fn written(&self) -> Result<String, ImportError> {
        if self.is_bare {
            return Ok(self.text.clone());
        }
        match ['\'', '"'].into_iter().find(|quote| !self.text.contains(*quote)) {
            Some(quote) => Ok(format!("{quote}{}{quote}", self.text)),
            None => Err(ImportError::Comparison(self.text.clone())),
        }
    }
}

impl Comparison {
    fn meant<'p>(&self, meaning: &dyn Fn(&str) -> Option<Meaning<'p>>) -> Result<Expression, ImportError> {
        let other = |operand: &Operand| if operand.is_bare { meaning(&operand.text) } else { None };
        match meaning(&self.name).ok_or_else(|| ImportError::Unknown(self.name.clone()))? {
            Meaning::Fixed(own) => {
                let one = |operand: &Operand| match other(operand) {
                    Some(Meaning::Tuned(parameter, truth)) => {
                        tuned(parameter, truth, self.sign.exchanged(), vec![Operand::value(own)])
                    }
                    Some(Meaning::Fixed(value)) => self.decided(own, value),
                    None => self.decided(own, &operand.text),
                };
                Ok(Expression::any(self.values.iter().map(one).collect::<Result<Vec<_>, _>>()?))
            }
            Meaning::Tuned(parameter, truth) => {
                let one = |operand: &Operand| match other(operand) {
                    Some(Meaning::Fixed(value)) if parameter.is_number() => Operand::value(value),
                    Some(Meaning::Tuned(other, _)) if parameter.is_number() && other.is_number() => {
                        Operand { text: other.name.clone(), is_bare: true }
                    }
                    _ => Operand::value(&operand.text),
                };
                tuned(parameter, truth, self.sign, self.values.iter().map(one).collect())
            }
        }
    }

    fn decided(&self, own: &str, value: &str) -> Result<Expression, ImportError> {
        let fault = || ImportError::Comparison(format!("{} {} {value}", self.name, self.sign.text()));
        self.sign.is_true(own, value).map(Expression::Known).ok_or_else(fault)
    }
}

/// Returns the comparison of a parameter of the job with values of the file.
fn tuned(
    parameter: &Parameter,
    truth: &[String; 2],
    sign: Sign,
    mut values: Vec<Operand>,
) -> Result<Expression, ImportError> {
    for value in &mut values {
        // Spaces around a value separate it from others on a command line.
        if parameter.parse(&value.text).is_none() {
            value.text = value.text.trim().to_string();
        }
        match &parameter.kind {
            Kind::Switch => {
                if let Some(place) = truth.iter().position(|own| *own == value.text) {
                    *value = Operand { text: (place == 1).to_string(), is_bare: true };
                }
            }
            // A number may be written in several ways: 1 and 1.0.
            Kind::Choice(names) if !names.contains(&value.text) => {
                let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
                let own = number(&value.text);
                if let Some(name) = names.iter().find(|name| own.is_some() && number(name) == own) {
                    value.text = name.clone();
                }
            }
            Kind::Int { .. } | Kind::Float { .. } if !value.is_bare => {
                let plain = value.text.replace('_', "");
                if plain.parse().is_ok_and(f64::is_finite) {
                    *value = Operand { text: plain, is_bare: true };
                }
            }
            _ => {}
        }
    }
    // A set may have values that the parameter never has.
    if values.len() > 1 && !parameter.is_number() {
        let known: Vec<Operand> =
            values.iter().filter(|value| parameter.parse(&value.text).is_some()).cloned().collect();
        values = if known.is_empty() { values } else { known };
    }
    Ok(Expression::is(&parameter.name, sign, values))
}
