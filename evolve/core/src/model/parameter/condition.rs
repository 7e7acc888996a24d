//! Conditions on the values of parameters, such as `move != 'swap' && (k > 3 || greedy == true)`: those under which a
//! parameter bears on anything, and those under which a combination of values is forbidden.

mod parse;

use super::Parameter;
use std::collections::BTreeSet;

/// A condition on the values of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    expression: Expression,
}

/// A condition without negations: reading one turns the comparisons below it around.
#[derive(Clone, Debug, PartialEq)]
enum Expression {
    All(Vec<Expression>),
    Any(Vec<Expression>),
    Is(Comparison),
}

/// A comparison of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Place of the parameter in the declaration.
    pub place: usize,
    operator: Operator,
    /// The other side.
    pub operand: Operand,
}

/// The other side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A value.
    Value(f64),
    /// The value of the parameter at this place.
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
    /// Reads a condition on these parameters.
    ///
    /// # Errors
    /// A message that says which part is wrong, and how a condition reads.
    pub fn parse(text: &str, parameters: &[Parameter]) -> Result<Self, String> {
        Ok(Condition { text: text.to_string(), expression: parse::parse(text, parameters)? })
    }

    /// Whether it holds for these values, in the order of the declaration.
    pub fn holds(&self, values: &[f64]) -> bool {
        self.expression.holds(values, &|_| true)
    }

    /// Whether it forbids these values. A comparison of a parameter whose own condition does not hold is false, negated or
    /// not: what bears on nothing forbids nothing. So it is in irace, where a comparison with a missing value is `NA` and
    /// what comes out as `NA` is allowed (`is.na(x) | !(x)` in its `compile_forbidden`), and in ConfigSpace, whose forbidden
    /// clauses are false for missing values.
    pub fn forbids(&self, values: &[f64], parameters: &[Parameter]) -> bool {
        let is_awake = |place: usize| parameters[place].condition.as_ref().is_none_or(|own| own.holds(values));
        self.expression.holds(values, &is_awake)
    }

    /// The comparisons in it.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let mut all = Vec::new();
        self.expression.collect(&mut all);
        all
    }

    /// The places of the parameters in it, each once.
    pub fn places(&self) -> Vec<usize> {
        let both = |comparison: Comparison| match comparison.operand {
            Operand::Value(_) => vec![comparison.place],
            Operand::Parameter(other) => vec![comparison.place, other],
        };
        let places: BTreeSet<usize> = self.comparisons().into_iter().flat_map(both).collect();
        places.into_iter().collect()
    }

    /// The condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Expression {
    fn holds(&self, values: &[f64], is_awake: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Expression::All(parts) => parts.iter().all(|part| part.holds(values, is_awake)),
            Expression::Any(parts) => parts.iter().any(|part| part.holds(values, is_awake)),
            Expression::Is(Comparison { place, operator, operand }) => {
                let (other, other_is_awake) = match *operand {
                    Operand::Value(value) => (value, true),
                    Operand::Parameter(place) => (values[place], is_awake(place)),
                };
                other_is_awake && is_awake(*place) && operator.holds(values[*place], other)
            }
        }
    }

    fn collect(&self, all: &mut Vec<Comparison>) {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().for_each(|part| part.collect(all)),
            Expression::Is(comparison) => all.push(*comparison),
        }
    }
}

impl Operator {
    fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Operator::Equal => a == b,
            Operator::NotEqual => a != b,
            Operator::Less => a < b,
            Operator::AtMost => a <= b,
            Operator::More => a > b,
            Operator::AtLeast => a >= b,
        }
    }

    /// The operator that holds where this one does not.
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

    /// Whether it needs an order.
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
    fn conditions_hold_or_not() {
        let known = known();
        let holds = |text: &str, values: [f64; 4]| Condition::parse(text, &known).unwrap().holds(&values);
        assert!(holds("move != 'swap'", [1.0, 1.0, 0.0, 0.0]));
        assert!(!holds("move != 'swap'", [0.0, 1.0, 0.0, 0.0]));
        assert!(!holds("move == \"2opt\" and k >= 3", [1.0, 2.0, 0.0, 0.0]));
        assert!(holds("k<=2 or move = swap", [1.0, 2.0, 0.0, 0.0]));
        assert!(holds("k == '2' && low-1 > -1e-3&&low-1<0.5", [1.0, 2.0, 0.0, 0.0]));
        // `&&` binds more strongly than `||`, and `!` more than both.
        assert!(holds("k == 1 || k == 2 && greedy == true", [0.0, 1.0, 0.0, 0.0]));
        assert!(!holds("(k == 1 || k == 2) && greedy == true", [0.0, 1.0, 0.0, 0.0]));
        assert!(holds("!(k == 1) && k == 2", [0.0, 2.0, 0.0, 0.0]));
        assert!(holds("not (k < 3 and not greedy == true)", [0.0, 2.0, 1.0, 0.0]));
        assert!(holds("move in ['or', 'swap']", [2.0, 1.0, 0.0, 0.0]));
        assert!(!holds("!(move in ['or', 'swap'])", [2.0, 1.0, 0.0, 0.0]));
        assert!(holds("!(move in ['or', 'swap'])", [1.0, 1.0, 0.0, 0.0]));
        assert!(holds("low-1 < k", [0.0, 2.0, 0.0, 1.9]) && !holds("low-1 < k", [0.0, 2.0, 0.0, 2.0]));
    }

    #[test]
    fn what_bears_on_nothing_forbids_nothing() {
        let mut parameters = known().to_vec();
        parameters[1].condition = Some(Condition::parse("move == 'swap'", &parameters[..1]).unwrap());
        let forbids =
            |text: &str, values: [f64; 4]| Condition::parse(text, &parameters).unwrap().forbids(&values, &parameters);
        for (text, asleep) in
            [("k > 3", false), ("!(k <= 3)", false), ("k > low-1", false), ("k > 3 || move != swap", true)]
        {
            assert!(forbids(text, [0.0, 5.0, 0.0, 0.0]), "{text}");
            assert_eq!(forbids(text, [1.0, 5.0, 0.0, 0.0]), asleep, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
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
            let message = Condition::parse(wrong, &known()).unwrap_err();
            assert!(message.contains(said), "{wrong}: {message}");
        }
        for deep in ["(", "!"].map(|sign| sign.repeat(100_000)) {
            assert!(Condition::parse(&deep, &known()).unwrap_err().contains("nested too deeply"));
        }
    }
}
