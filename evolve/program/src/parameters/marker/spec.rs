//! Reads a parameter from its marker: from the value before it, and from the text after `evolve:`.

use super::Named;
use crate::parameters::LARGEST_INT;
use evolve_search::model::parameter::{Parameter, StepError};
use thiserror::Error;

/// A fault in a value or in the text after `evolve:`.
#[derive(Debug, Error)]
pub enum SpecError {
    #[error("{FORM}")]
    Form,
    #[error("its value is a switch; {FORM}")]
    Switch,
    #[error("a switch must be 0, 1, true or false")]
    SwitchValue,
    #[error("choices must not contain quotation marks, backslashes or control characters")]
    Choices,
    #[error("its value is not one of the choices")]
    NoChoice,
    #[error("{0} is octal in C; write it without the leading 0")]
    Octal(String),
    #[error("its value is a whole number, but its range is not")]
    WholeRange,
    #[error("whole numbers are within plus or minus 2^53")]
    LargeNumber,
    #[error("its value is not a whole number")]
    NotWhole,
    #[error("the range of a logarithmic parameter must lie above 0")]
    Logarithmic,
    #[error(transparent)]
    Step(#[from] StepError),
    #[error("write `by FEATURE=EXPRESSION`, such as `by n=N`, with the expression that has the feature in the source")]
    By,
    #[error("only numbers follow features")]
    Follows,
    #[error(
        "a list needs the feature that is its index, as in `// evolve: [1, 40] by k=K-2`; or write each element on its \
         own line"
    )]
    List,
    #[error("`{0}` is no index: write a variable, plus or minus a number, as in `by k=K-2`")]
    Index(String),
    #[error("its element {0} is not {1}")]
    Element(String, String),
    #[error("its elements read different variables; let all read {0}, which has the value of the instance")]
    Reads(String),
}

/// The forms of a marker, in messages.
const FORM: &str = "write `[1, 20]`, `[0.001, 10] log`, `[0, 1] step 0.1 unit 0.2`, `[\"a\", \"b\"]` or `bool` after \
                    `evolve:`";

/// Separates the features that a parameter follows from the rest of a marker: `[1, 20] by n=N,
/// k=K-2`.
pub fn followed(spec: &str) -> Result<(&str, Named), SpecError> {
    // Choices may contain the word.
    let Some((rest, by)) = spec.rsplit_once(" by ").filter(|(rest, _)| !rest.contains('"')) else {
        return Ok((spec, Vec::new()));
    };
    let pair = |part: &str| {
        let (name, expression) = part.split_once('=').ok_or(SpecError::By)?;
        let (name, expression) = (name.trim(), expression.trim());
        // A second feature without a comma before it.
        let is_two = expression.replace("==", "").contains('=');
        match name.is_empty() || expression.is_empty() || is_two {
            true => Err(SpecError::By),
            false => Ok((name.to_string(), expression.to_string())),
        }
    };
    Ok((rest.trim_end(), by.split(',').map(pair).collect::<Result<_, _>>()?))
}

/// A value in the source.
pub enum Literal<'t> {
    Text(&'t str),
    /// A number, and whether it is whole.
    Number(&'t str, bool),
    Word(&'t str),
}

/// Returns the parameter of a value with the allowed values after `evolve:`.
///
/// # Errors
/// If they have no form of a marker, or do not fit the value.
pub fn parameter(name: &str, literal: &Literal<'_>, spec: &str) -> Result<Parameter, SpecError> {
    match literal {
        Literal::Word(word) => match spec {
            "bool" | "" => Ok(Parameter::switch(name, word.eq_ignore_ascii_case("true"))),
            _ => Err(SpecError::Switch),
        },
        Literal::Number(number, _) if spec == "bool" => match *number {
            "0" | "1" => Ok(Parameter::switch(name, *number == "1")),
            _ => Err(SpecError::SwitchValue),
        },
        Literal::Text(start) => {
            let names: Vec<String> = serde_json::from_str(spec).map_err(|_| SpecError::Form)?;
            // The names are written between quotation marks, whose escapes depend on the unknown
            // language.
            let is_odd = |c: char| c.is_control() || "\"'\\\u{2028}\u{2029}".contains(c);
            if names.iter().any(|name| name.contains(is_odd)) {
                return Err(SpecError::Choices);
            }
            let start = names.iter().position(|name| name == start);
            let start = start.ok_or(SpecError::NoChoice)?;
            Ok(Parameter::choice(name, names, start))
        }
        Literal::Number(number, is_whole) => {
            let (ends, keys) = spec.strip_prefix('[').and_then(|spec| spec.split_once(']')).ok_or(SpecError::Form)?;
            let (min, max) = ends.split_once(',').ok_or(SpecError::Form)?;
            let digits: String = number.chars().filter(|c| !"_'".contains(*c)).collect();
            let float =
                |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite()).ok_or(SpecError::Form);
            let plain = digits.trim_start_matches(['-', '+']);
            if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(SpecError::Octal((*number).to_string()));
            }
            let parameter = if *is_whole {
                let whole = |text: &str| {
                    let number = text.trim().parse().map_err(|_| SpecError::WholeRange)?;
                    match (-LARGEST_INT..=LARGEST_INT).contains(&number) {
                        true => Ok(number),
                        false => Err(SpecError::LargeNumber),
                    }
                };
                // `int n = 1e5` is whole as well.
                let start =
                    float(&digits).ok().filter(|start| start.fract() == 0.0 && start.abs() <= LARGEST_INT as f64);
                let start = start.ok_or(SpecError::NotWhole)?;
                Parameter::int(name, whole(min)?, whole(max)?, start as i64)
            } else {
                Parameter::float(name, float(min)?, float(max)?, float(&digits)?)
            };
            let keys = Keys::read(keys, &float)?;
            let parameter = match keys.log {
                true if parameter.range().0 <= 0.0 => return Err(SpecError::Logarithmic),
                true => parameter.log(),
                false => parameter,
            };
            let parameter = keys.step.map_or(Ok(parameter.clone()), |step| parameter.step(step))?;
            Ok(match keys.unit {
                Some(unit) => parameter.unit(unit),
                None => parameter,
            })
        }
    }
}

/// The keys after the range of a number, such as `step 0.1 unit 0.2`.
#[derive(Default)]
struct Keys {
    log: bool,
    step: Option<f64>,
    unit: Option<f64>,
}

impl Keys {
    fn read(text: &str, number: &dyn Fn(&str) -> Result<f64, SpecError>) -> Result<Self, SpecError> {
        let mut keys = Keys::default();
        let mut words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            match word {
                "log" => keys.log = true,
                "step" => keys.step = Some(number(words.next().unwrap_or_default())?),
                "unit" => keys.unit = Some(number(words.next().unwrap_or_default())?),
                _ => return Err(SpecError::Form),
            }
        }
        Ok(keys)
    }
}
