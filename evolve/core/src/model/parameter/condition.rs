//! Conditions under which a parameter bears on anything, such as `move != 'swap' and k > 3`.

use super::{Kind, Parameter};

/// A condition on the values of other parameters: one of its alternatives holds, each a row of comparisons that all
/// hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    alternatives: Vec<Vec<Comparison>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Comparison {
    /// Place of the parameter in the declaration.
    place: usize,
    operator: Operator,
    value: f64,
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

/// Longer ones first, so that `<=` is not read as `<`.
const OPERATORS: [(&str, Operator); 7] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("<", Operator::Less),
    (">", Operator::More),
    ("=", Operator::Equal),
];

impl Condition {
    /// Reads a condition on parameters that are declared before the one that it is for.
    ///
    /// # Errors
    /// A message that says which comparison is wrong, and how one reads.
    pub fn parse(text: &str, before: &[Parameter]) -> Result<Self, String> {
        let row = |row: &str| row.split(" and ").map(|part| comparison(part, before)).collect::<Result<Vec<_>, _>>();
        let alternatives = text.split(" or ").map(row).collect::<Result<_, _>>()?;
        Ok(Condition { text: text.to_string(), alternatives })
    }

    /// Whether it holds for these values, in the order of the declaration.
    pub fn holds(&self, values: &[f64]) -> bool {
        let holds = |comparison: &Comparison| comparison.operator.holds(values[comparison.place], comparison.value);
        self.alternatives.iter().any(|row| row.iter().all(holds))
    }

    /// The condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
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
}

fn comparison(text: &str, before: &[Parameter]) -> Result<Comparison, String> {
    let found = OPERATORS.iter().find_map(|&(sign, operator)| Some((text.split_once(sign)?, operator)));
    let Some(((name, value), operator)) = found else {
        return Err(format!(
            "`{}` is not a comparison; a condition looks like \"move != 'swap' and k > \
            3\"",
            text.trim()
        ));
    };
    let (name, value) = (name.trim(), value.trim().trim_matches(['\'', '"']));
    let place = before.iter().position(|parameter| parameter.name == name);
    let place = place.ok_or_else(|| format!("no parameter `{name}` is declared before this one"))?;
    let parameter = &before[place];
    let is_ordered = matches!(parameter.kind, Kind::Float { .. } | Kind::Int { .. });
    if !is_ordered && !matches!(operator, Operator::Equal | Operator::NotEqual) {
        return Err(format!("`{name}` has no order: compare it by == or !="));
    }
    let number = is_ordered.then(|| value.parse().ok()).flatten().filter(|value: &f64| value.is_finite());
    let value = number.or_else(|| parameter.parse(value));
    let value = value.ok_or_else(|| format!("`{name}` takes {}", parameter.allowed()))?;
    Ok(Comparison { place, operator, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_or_not() {
        let before = [Parameter::choice("move", ["swap", "2opt"], 0), Parameter::int("k", 1, 9, 1)];
        let holds = |text: &str, values: [f64; 2]| Condition::parse(text, &before).unwrap().holds(&values);
        assert!(holds("move != 'swap'", [1.0, 1.0]));
        assert!(!holds("move != 'swap'", [0.0, 1.0]));
        assert!(!holds("move == \"2opt\" and k >= 3", [1.0, 2.0]));
        assert!(holds("k<=2 or move = swap", [1.0, 2.0]));
        for (wrong, said) in [
            ("move", "is not a comparison"),
            ("mode == 'swap'", "no parameter `mode`"),
            ("move < 'swap'", "no order"),
            ("move == 'insert'", "one of \"swap\", \"2opt\""),
            ("k > many", "a whole number"),
        ] {
            let message = Condition::parse(wrong, &before).unwrap_err();
            assert!(message.contains(said), "{wrong}: {message}");
        }
    }
}
