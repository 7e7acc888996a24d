//! Conditions on the values of parameters, such as `move != 'swap' && (k > 3 || greedy == true)`.
//! They state when a parameter has an effect, or which combinations of values are forbidden.

mod parse;

pub use parse::ParseError;

use super::Parameter;
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    expression: Expression,
}

/// A condition without negations: the parser moves each negation into the comparisons below it.
#[derive(Clone, Debug, PartialEq)]
enum Expression {
    All(Vec<Expression>),
    Any(Vec<Expression>),
    Is(Relation),
}

/// A comparison of a parameter with an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relation {
    /// The index of the parameter in the declaration.
    pub place: usize,
    operator: Operator,
    /// The right-hand side.
    pub operand: Operand,
}

/// The right-hand side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    Value(f64),
    /// The value of the parameter at this index.
    Parameter(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Condition {
    /// Parses a condition on these parameters.
    ///
    /// # Errors
    /// If a part is wrong.
    pub fn parse(text: &str, parameters: &[Parameter]) -> Result<Self, ParseError> {
        Ok(Condition { text: text.to_string(), expression: parse::parse(text, parameters)? })
    }

    /// Returns whether these values meet the condition, in the order of the declaration. A
    /// comparison of an inactive parameter is false, negated or not: a parameter without effect
    /// neither forbids anything nor gives another one an effect.
    ///
    /// irace and ConfigSpace do the same. In irace, a comparison with a missing value is `NA`, and
    /// a candidate with the result `NA` is allowed (`is.na(x) | !(x)` in its `compile_forbidden`).
    /// In ConfigSpace, a parameter below an inactive one is inactive, and forbidden clauses are
    /// false for missing values.
    pub fn is_met(&self, values: &[f64], parameters: &[Parameter]) -> bool {
        // A condition names only parameters that are declared before its own, so this ends.
        self.expression.is_met(values, &|place| parameters[place].is_active(values, parameters))
    }

    pub fn comparisons(&self) -> Vec<Relation> {
        let mut all = Vec::new();
        self.expression.collect(&mut all);
        all
    }

    /// Returns the indices of the parameters in the condition, without duplicates.
    pub fn places(&self) -> Vec<usize> {
        let both = |comparison: Relation| match comparison.operand {
            Operand::Value(_) => vec![comparison.place],
            Operand::Parameter(other) => vec![comparison.place, other],
        };
        let places: BTreeSet<usize> = self.comparisons().into_iter().flat_map(both).collect();
        places.into_iter().collect()
    }

    /// Returns the condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Expression {
    fn is_met(&self, values: &[f64], is_awake: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Expression::All(parts) => parts.iter().all(|part| part.is_met(values, is_awake)),
            Expression::Any(parts) => parts.iter().any(|part| part.is_met(values, is_awake)),
            Expression::Is(Relation { place, operator, operand }) => {
                let (other, other_is_awake) = match *operand {
                    Operand::Value(value) => (value, true),
                    Operand::Parameter(place) => (values[place], is_awake(place)),
                };
                other_is_awake && is_awake(*place) && operator.compares(values[*place], other)
            }
        }
    }

    fn collect(&self, all: &mut Vec<Relation>) {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().for_each(|part| part.collect(all)),
            Expression::Is(comparison) => all.push(*comparison),
        }
    }
}

impl Operator {
    fn compares(self, a: f64, b: f64) -> bool {
        match self {
            Operator::Equal => a == b,
            Operator::NotEqual => a != b,
            Operator::Less => a < b,
            Operator::AtMost => a <= b,
            Operator::More => a > b,
            Operator::AtLeast => a >= b,
        }
    }

    /// Returns the operator that is true exactly where this one is not.
    fn negated(self) -> Self {
        match self {
            Operator::Equal => Operator::NotEqual,
            Operator::NotEqual => Operator::Equal,
            Operator::Less => Operator::AtLeast,
            Operator::AtMost => Operator::More,
            Operator::More => Operator::AtMost,
            Operator::AtLeast => Operator::Less,
        }
    }

    /// Returns whether the operator requires ordered values.
    fn is_of_order(self) -> bool {
        !matches!(self, Operator::Equal | Operator::NotEqual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> [Parameter; 4] {
        [
            Parameter::choice("move", ["swap", "2opt", "or"], 0),
            Parameter::int("k", 1, 9, 1),
            Parameter::switch("greedy", false),
            Parameter::float("low-1", -5.0, 5.0, 1.0),
        ]
    }

    #[test]
    fn conditions_are_evaluated() {
        let known = known();
        let is_met = |text: &str, values: [f64; 4]| Condition::parse(text, &known).unwrap().is_met(&values, &known);
        assert!(is_met("move != 'swap'", [1.0, 1.0, 0.0, 0.0]));
        assert!(!is_met("move != 'swap'", [0.0, 1.0, 0.0, 0.0]));
        assert!(!is_met("move == \"2opt\" and k >= 3", [1.0, 2.0, 0.0, 0.0]));
        assert!(is_met("k<=2 or move = swap", [1.0, 2.0, 0.0, 0.0]));
        assert!(is_met("k == '2' && low-1 > -1e-3&&low-1<0.5", [1.0, 2.0, 0.0, 0.0]));
        // `&&` binds more strongly than `||`, and `!` more than both.
        assert!(is_met("k == 1 || k == 2 && greedy == true", [0.0, 1.0, 0.0, 0.0]));
        assert!(!is_met("(k == 1 || k == 2) && greedy == true", [0.0, 1.0, 0.0, 0.0]));
        assert!(is_met("!(k == 1) && k == 2", [0.0, 2.0, 0.0, 0.0]));
        assert!(is_met("not (k < 3 and not greedy == true)", [0.0, 2.0, 1.0, 0.0]));
        assert!(is_met("move in ['or', 'swap']", [2.0, 1.0, 0.0, 0.0]));
        assert!(!is_met("!(move in ['or', 'swap'])", [2.0, 1.0, 0.0, 0.0]));
        assert!(is_met("!(move in ['or', 'swap'])", [1.0, 1.0, 0.0, 0.0]));
        assert!(is_met("low-1 < k", [0.0, 2.0, 0.0, 1.9]) && !is_met("low-1 < k", [0.0, 2.0, 0.0, 2.0]));
    }

    #[test]
    fn comparisons_of_inactive_parameters_are_false() {
        let mut parameters = known().to_vec();
        parameters[1].condition = Some(Condition::parse("move == 'swap'", &parameters[..1]).unwrap());
        let is_met =
            |text: &str, values: [f64; 4]| Condition::parse(text, &parameters).unwrap().is_met(&values, &parameters);
        for (text, asleep) in
            [("k > 3", false), ("!(k <= 3)", false), ("k > low-1", false), ("k > 3 || move != swap", true)]
        {
            assert!(is_met(text, [0.0, 5.0, 0.0, 0.0]), "{text}");
            assert_eq!(is_met(text, [1.0, 5.0, 0.0, 0.0]), asleep, "{text}");
        }
        let below = Parameter::switch("below", false).when(Condition::parse("k > 3", &parameters).unwrap());
        assert!(below.is_active(&[0.0, 5.0, 0.0, 0.0], &parameters));
        assert!(!below.is_active(&[1.0, 5.0, 0.0, 0.0], &parameters), "`k` is inactive");
    }

    #[test]
    fn mistakes_are_reported() {
        for (wrong, said) in [
            ("move", "`move` is not a comparison"),
            ("move k", "`move k` is not a comparison"),
            ("", "is not a comparison"),
            ("mode == 'swap'", "no parameter `mode` is declared before; the nearest name is `move`"),
            ("move < 'swap'", "no order"),
            ("move in ['swap', insert]", "`move` takes one of \"swap\", \"2opt\""),
            ("move == 'insert'", "one of \"swap\", \"2opt\""),
            ("move in [swap", "`]` is missing"),
            ("k > many", "`k` takes a whole number from 1 to 9, not `many`"),
            ("k > 10", "`k` takes a whole number from 1 to 9, not `10`"),
            ("low-1 <= -5.1", "not `-5.1`"),
            ("greedy == k", "`greedy` takes true or false, not `k`"),
            ("(k > 3", "`)` is missing"),
            ("k > 3)", "`)` is left over"),
            ("k > 3 && ", "is not a comparison"),
            ("k > 3 greedy == true", "`greedy` is left over"),
            ("k == 'a", "a quote is not closed"),
            ("k > ", "is not a comparison"),
        ] {
            let message = Condition::parse(wrong, &known()).unwrap_err().to_string();
            assert!(message.contains(said), "{wrong}: {message}");
        }
        for deep in ["(", "!"].map(|sign| sign.repeat(100_000)) {
            assert!(matches!(Condition::parse(&deep, &known()), Err(ParseError::TooDeep)));
        }
    }
}
