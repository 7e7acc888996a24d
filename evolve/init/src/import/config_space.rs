//! Imports ConfigSpace's JSON, which SMAC 3 and other tuners write.

use super::forbid::forbid;
use super::{Comparison, ImportError, Imported, Raw, finish, number, product};
use evolve_core::model::parameter::Kind;
use serde_json::Value;

/// Reads a file.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    let file: Value = serde_json::from_str(text)?;
    let list = |name: &str| file.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    let mut raws: Vec<Raw> = Vec::new();
    for one in list("hyperparameters") {
        let name = one.get("name").and_then(Value::as_str).ok_or(ImportError::NoName)?;
        let kind = one.get("type").and_then(Value::as_str).unwrap_or_default();
        let start = one.get("default_value").or_else(|| one.get("default"));
        let raw = match kind {
            "constant" => {
                imported.notes.push(format!("{name} is constant: put it into the command"));
                continue;
            }
            "categorical" | "ordinal" => {
                let names = one.get("choices").or_else(|| one.get("sequence")).and_then(Value::as_array);
                let names: Vec<String> = names.into_iter().flatten().map(text_of).collect();
                if one.get("weights").is_some_and(|weights| !weights.is_null()) {
                    imported.notes.push(format!("the weights of {name}"));
                }
                let start = start.map(text_of).and_then(|start| names.iter().position(|name| *name == start));
                match &names[..] {
                    [a, b] if (a == "true" && b == "false") || (a == "false" && b == "true") => {
                        let is_on = start.is_some_and(|start| names[start] == "true");
                        Raw::new(name, Kind::Switch, Some(f64::from(u8::from(is_on))))
                    }
                    _ => Raw::new(name, Kind::Choice(names), start.map(|start| start as f64)),
                }
            }
            _ if kind.ends_with("_int") || kind.ends_with("_float") => {
                let of = |key: &str| one.get(key).and_then(Value::as_f64);
                let (Some(low), Some(high)) = (of("lower"), of("upper")) else {
                    imported.notes.push(format!("{name}: `{kind}` without bounds"));
                    continue;
                };
                let log = one.get("log").and_then(Value::as_bool).unwrap_or(false);
                let range = number(if kind.ends_with("_int") { "int" } else { "float" }, low, high, log);
                let mut raw = Raw::new(name, range.map_err(|error| error.at(name))?, start.and_then(Value::as_f64));
                // The deviation of a logarithm depends on the version of ConfigSpace.
                match (of("mu").filter(|mean| (low..=high).contains(mean)), of("sigma")) {
                    (Some(mean), Some(deviation)) if !log && deviation > 0.0 => {
                        raw.parameter = raw.parameter.prior(mean, deviation);
                    }
                    _ if kind.starts_with("uniform") => {}
                    _ => imported.notes.push(format!("the distribution of {name}: {one}")),
                }
                raw
            }
            _ => {
                imported.notes.push(format!("{name}: the type `{kind}` has no counterpart"));
                continue;
            }
        };
        raws.push(raw);
    }
    for condition in list("conditions") {
        let child = condition.get("child").and_then(Value::as_str).unwrap_or_default();
        match (rows(&condition), raws.iter_mut().find(|raw| raw.parameter.name == super::identifier(child))) {
            (Some(rows), Some(raw)) => raw.also(rows),
            _ => imported.notes.push(format!("condition of {child}: {condition}")),
        }
    }
    finish(raws, &mut imported);
    forbid(list("forbiddens").iter().map(|one| (one.to_string(), forbidden(one))).collect(), &mut imported);
    Ok(imported)
}

/// Converts a forbidden clause to a condition.
fn forbidden(clause: &Value) -> Option<String> {
    let of = |key: &str| clause.get(key).and_then(Value::as_str);
    let quoted = |value: &Value| format!("'{}'", text_of(value));
    if let Some(parts) = clause.get("clauses").or_else(|| clause.get("components")) {
        let parts: Vec<String> = parts.as_array()?.iter().map(forbidden).collect::<Option<_>>()?;
        return Some(format!("({})", parts.join(if of("type")? == "OR" { " || " } else { " && " })));
    }
    if let Some(values) = clause.get("values") {
        let values: Vec<String> = values.as_array()?.iter().map(quoted).collect();
        return Some(format!("{} in [{}]", of("name")?, values.join(", ")));
    }
    // A relation of two hyperparameters has its kind in another field.
    let kind = of("lambda").or_else(|| of("type"))?.to_uppercase();
    let is_equal = kind.contains("EQUAL") || kind.ends_with("_EQ");
    let sign = match (kind.contains("LESS") || kind.ends_with("_LT"), kind.contains("GREATER") || kind.ends_with("_GT"))
    {
        (true, _) => {
            if is_equal {
                "<="
            } else {
                "<"
            }
        }
        (_, true) => {
            if is_equal {
                ">="
            } else {
                ">"
            }
        }
        _ if is_equal => "==",
        _ => return None,
    };
    match (of("left"), of("right")) {
        (Some(left), Some(right)) => Some(format!("{left} {sign} {right}")),
        _ => Some(format!("{} {sign} {}", of("name")?, quoted(clause.get("value")?))),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// Parses a condition into rows.
fn rows(condition: &Value) -> Option<Vec<Vec<Comparison>>> {
    let kind = condition.get("type")?.as_str()?;
    if let Some(parts) = condition.get("components").or_else(|| condition.get("conditions")) {
        let parts: Vec<Vec<Vec<Comparison>>> = parts.as_array()?.iter().map(rows).collect::<Option<_>>()?;
        return match kind {
            "OR" => Some(parts.concat()),
            _ => Some(parts.into_iter().fold(vec![Vec::new()], |rows, more| product(&rows, &more))),
        };
    }
    let parent = condition.get("parent")?.as_str()?.to_string();
    let value = || condition.get("value").map(text_of);
    let one = |operator, value: String| vec![(parent.clone(), operator, value)];
    Some(match kind {
        "EQ" => vec![one("==", value()?)],
        "NEQ" => vec![one("!=", value()?)],
        "GT" => vec![one(">", value()?)],
        "LT" => vec![one("<", value()?)],
        "IN" => condition.get("values")?.as_array()?.iter().map(|value| one("==", text_of(value))).collect(),
        _ => return None,
    })
}
