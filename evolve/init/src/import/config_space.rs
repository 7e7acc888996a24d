//! Imports ConfigSpace's JSON, which SMAC 3 and other tuners write.

use super::expression::{Expression, Operand, Sign};
use super::finish::{Clause, finish};
use super::raw::{Domain, Raw, Raws};
use super::{ImportError, Imported};
use evolve_search::document::text::plain;
use evolve_search::model::parameter::Kind;
use serde_json::Value;

/// Reads a file.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    let file: Value = serde_json::from_str(text)?;
    let list = |name: &str| file.get(name).and_then(Value::as_array).into_iter().flatten();
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws = Raws::default();
    for one in list("hyperparameters") {
        let read = raw(one, &mut imported.notes).and_then(|raw| raws.add(raw));
        if let Err(error) = read {
            imported.notes.push(error.to_string());
        }
    }
    for one in list("conditions") {
        let child = one.get("child").and_then(Value::as_str).unwrap_or_default();
        match (condition(one), raws.get_mut(child)) {
            (Some(condition), Some(raw)) => raw.also(condition),
            _ => imported.notes.push(format!("condition of {child}: {one}")),
        }
    }
    let clause = |one: &Value| -> Clause {
        let fault = || ImportError::Comparison(one.to_string());
        (one.to_string(), forbidden(one, &raws).ok_or_else(fault))
    };
    let clauses = list("forbiddens").map(clause).collect();
    finish(&raws, clauses, &mut imported);
    Ok(imported)
}

/// Reads a hyperparameter.
fn raw(one: &Value, notes: &mut Vec<String>) -> Result<Raw, ImportError> {
    let text = |key: &str| one.get(key).and_then(Value::as_str);
    let number = |key: &str| one.get(key).and_then(Value::as_f64);
    let name = text("name").ok_or_else(|| ImportError::NoDeclaration(one.to_string()))?;
    let kind = text("type").unwrap_or_default();
    let start = one.get("default_value").or_else(|| one.get("default"));
    let in_name = |error: ImportError| error.at(name);
    match kind {
        "constant" | "unparametrized" => {
            Ok(Raw::new(name, Domain::Fixed(one.get("value").map(plain).unwrap_or_default())))
        }
        "categorical" | "ordinal" => {
            let names = one.get("choices").or_else(|| one.get("sequence")).and_then(Value::as_array);
            let names: Vec<String> = names.into_iter().flatten().map(plain).collect();
            if one.get("weights").is_some_and(|weights| !weights.is_null()) {
                notes.push(format!("the weights of {name}"));
            }
            let start = start.map(plain);
            if names == ["true", "false"] || names == ["false", "true"] {
                let start = start.map(|start| f64::from(u8::from(start == "true")));
                return Ok(Raw { start, ..Raw::new(name, Domain::Tuned(Kind::Switch)) });
            }
            let domain = Domain::choice(names).map_err(in_name)?;
            Ok(Raw { start: start.and_then(|start| domain.place(&start)), ..Raw::new(name, domain) })
        }
        _ if kind.ends_with("_int") || kind.ends_with("_float") => {
            let (Some(low), Some(high)) = (number("lower"), number("upper")) else {
                return Err(in_name(ImportError::Domain(format!("`{kind}` without bounds"))));
            };
            let log = one.get("log").and_then(Value::as_bool).unwrap_or(false);
            let domain = Domain::numbers(kind.ends_with("_int"), low, high, log).map_err(in_name)?;
            let mut raw = Raw { start: start.and_then(Value::as_f64), step: number("q"), ..Raw::new(name, domain) };
            // The deviation of a logarithm depends on the version of ConfigSpace.
            match (number("mu").filter(|mean| (low..=high).contains(mean)), number("sigma")) {
                (Some(mean), Some(deviation)) if !log && deviation > 0.0 => raw.prior = Some((mean, deviation)),
                _ if kind.starts_with("uniform") => {}
                _ => notes.push(format!("the distribution of {name}: {one}")),
            }
            Ok(raw)
        }
        _ => Err(in_name(ImportError::Kind(kind.to_string()))),
    }
}

/// Converts a forbidden clause.
fn forbidden(clause: &Value, raws: &Raws) -> Option<Expression> {
    let of = |key: &str| clause.get(key).and_then(Value::as_str);
    if let Some(parts) = clause.get("clauses").or_else(|| clause.get("components")) {
        let parts = parts.as_array()?.iter().map(|part| forbidden(part, raws)).collect::<Option<Vec<_>>>()?;
        return Some(if of("type")? == "OR" { Expression::any(parts) } else { Expression::all(parts) });
    }
    if let Some(values) = clause.get("values") {
        return Some(Expression::is(of("name")?, Sign::Equal, operands(values)?));
    }
    // A relation of two hyperparameters has its kind in another field.
    let kind = of("lambda").or_else(|| of("type"))?.to_uppercase();
    let is_equal = kind.contains("EQUAL") || kind.ends_with("_EQ");
    let is_less = kind.contains("LESS") || kind.ends_with("_LT");
    let sign = match (is_less, kind.contains("GREATER") || kind.ends_with("_GT"), is_equal) {
        (true, _, true) => Sign::AtMost,
        (true, _, false) => Sign::Less,
        (_, true, true) => Sign::AtLeast,
        (_, true, false) => Sign::More,
        (_, _, true) => Sign::Equal,
        _ => return None,
    };
    match (of("left"), of("right")) {
        (Some(left), Some(right)) => {
            let is_bare = raws.has(right);
            Some(Expression::is(left, sign, vec![Operand { text: right.to_string(), is_bare }]))
        }
        _ => Some(Expression::is(of("name")?, sign, vec![Operand::value(plain(clause.get("value")?))])),
    }
}

/// Returns the values of a set, unless it is empty.
fn operands(values: &Value) -> Option<Vec<Operand>> {
    let values: Vec<Operand> = values.as_array()?.iter().map(|value| Operand::value(plain(value))).collect();
    (!values.is_empty()).then_some(values)
}

/// Converts a condition.
fn condition(condition: &Value) -> Option<Expression> {
    let kind = condition.get("type")?.as_str()?;
    if let Some(parts) = condition.get("components").or_else(|| condition.get("conditions")) {
        let parts = parts.as_array()?.iter().map(self::condition).collect::<Option<Vec<_>>>()?;
        return Some(if kind == "OR" { Expression::any(parts) } else { Expression::all(parts) });
    }
    let parent = condition.get("parent")?.as_str()?;
    let value = || Some(vec![Operand::value(plain(condition.get("value")?))]);
    let (sign, values) = match kind {
        "EQ" => (Sign::Equal, value()?),
        "NEQ" => (Sign::NotEqual, value()?),
        "GT" => (Sign::More, value()?),
        "LT" => (Sign::Less, value()?),
        "IN" => (Sign::Equal, operands(condition.get("values")?)?),
        _ => return None,
    };
    Some(Expression::is(parent, sign, values))
}
