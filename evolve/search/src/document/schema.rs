//! JSON Schemas of the files, derived from the structs that read them. They describe the keys:
//! editors use them for completion, and the reference, the words of faults and the ranges of values
//! are taken from them.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value, json};
use toml::de::DeValue;

/// Returns the schema of a type. Descriptions are its doc comments, optional values do not allow
/// `null`, and subschemas are inlined.
pub fn of<T: JsonSchema>() -> Schema {
    // Draft 7 is the latest one that editors support for TOML.
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    tidy(&mut schema);
    schema
}

/// Returns the schema of an empty section.
pub fn none() -> Schema {
    json_schema!({ "type": "object" })
}

fn tidy(schema: &mut Schema) {
    transform_subschemas(&mut tidy, schema);
    let Some(object) = schema.as_object_mut() else { return };
    object.shift_remove("format");
    if object.get("default").is_some_and(|default| default.is_null() || default.is_object()) {
        object.shift_remove("default");
    }
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = paragraphs(text);
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &types[..] {
            let one = one.clone();
            object.insert("type".to_string(), one);
        }
    }
    if let Some(Value::Array(forms)) = object.get_mut("anyOf") {
        forms.retain(|form| form.get("type") != Some(&json!("null")));
        if let [Value::Object(one)] = &forms[..] {
            let one = one.clone();
            object.shift_remove("anyOf");
            for (name, value) in one {
                object.entry(name).or_insert(value);
            }
        }
    }
}

/// Joins the lines of each paragraph, and keeps each row of a table on its own line.
fn paragraphs(text: &str) -> String {
    let mut joined = String::new();
    let is_apart = |line: &str| line.is_empty() || line.starts_with('|');
    for (i, line) in text.lines().enumerate() {
        let before = text.lines().nth(i.wrapping_sub(1));
        joined += match before {
            None => "",
            Some(before) if is_apart(before) || is_apart(line) => "\n",
            Some(_) => " ",
        };
        joined += line;
    }
    joined
}

/// Returns the keys of a section, each with its schema.
pub fn properties(schema: &Schema) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Returns the allowed texts, if the schema allows no other values.
pub fn choices(schema: &Value) -> Option<Vec<&str>> {
    if let Some(text) = schema.get("const") {
        return Some(vec![text.as_str()?]);
    }
    let forms = schema.get("enum").or_else(|| schema.get("oneOf"))?.as_array()?;
    forms.iter().map(|form| form.as_str().or_else(|| form.get("const")?.as_str())).collect()
}

/// Returns the smallest value, or the first of several texts.
pub fn smallest(schema: &Value) -> Value {
    match (choices(schema), schema.get("type").and_then(Value::as_str)) {
        (Some(texts), _) => json!(texts.first()),
        (None, Some("boolean")) => json!(false),
        (None, Some("array")) => json!([]),
        (None, Some("object")) => json!({}),
        (None, Some("string")) => json!(""),
        (None, _) => schema.get("minimum").cloned().unwrap_or_else(|| json!(0)),
    }
}

/// Describes the allowed values in words.
pub fn takes(schema: &Value) -> String {
    if let Some(title) = schema.get("title").and_then(Value::as_str) {
        return title.to_string();
    }
    if let Some(texts) = choices(schema) {
        return either(texts.iter().map(|text| format!("\"{text}\"")).collect());
    }
    if let Some(forms) = forms(schema) {
        return either(forms.iter().map(takes).collect());
    }
    let bound = |name: &str| schema.get(name).filter(|bound| bound.as_f64() != Some(0.0) || name == "minimum");
    let number = |what: &str| match (bound("minimum"), bound("maximum"), bound("exclusiveMinimum")) {
        // A very large bound is not worth mentioning.
        (Some(min), Some(max), _) if max.as_f64() < Some(BEYOND) => {
            format!("{what} from {} to {}", digits(min), digits(max))
        }
        (Some(min), ..) => format!("{what}, at least {}", digits(min)),
        _ if schema.get("exclusiveMinimum").is_some() => format!("{what} above 0"),
        _ => what.to_string(),
    };
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => "true or false".to_string(),
        Some("integer") => number("a whole number"),
        Some("number") => number("a number"),
        Some("array") => format!("a list of {}", items(schema.get("items").unwrap_or(&Value::Null))),
        Some("object") => "a table".to_string(),
        _ => "a string".to_string(),
    }
}

/// Describes the elements of a list in words.
fn items(schema: &Value) -> &'static str {
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => "whole numbers",
        Some("number") => "numbers",
        Some("array") => "lists",
        Some("object") => "tables",
        Some("string") => "strings",
        _ => "values",
    }
}

/// The smallest upper bound that descriptions omit.
const BEYOND: f64 = 1e15;

/// Joins words by commas and "or".
pub(crate) fn either(mut forms: Vec<String>) -> String {
    let last = forms.pop().unwrap_or_default();
    if forms.is_empty() { last } else { format!("{} or {last}", forms.join(", ")) }
}

/// Formats a bound in digits.
fn digits(bound: &Value) -> String {
    bound.as_f64().filter(|_| bound.is_f64()).map_or_else(|| bound.to_string(), |bound| bound.to_string())
}

fn forms(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()
}

/// Returns whether a table is a section, rather than a value that is written as a table.
pub fn is_section(schema: &Value) -> bool {
    schema.get("title").is_none() && schema.get("type") == Some(&json!("object"))
}

/// Returns the keys that a value may have if it is a table.
pub(super) fn keys(schema: &Value) -> Map<String, Value> {
    let has = |form: &&Value| form.get("properties").is_some();
    let form = [schema].into_iter().chain(forms(schema).into_iter().flatten()).find(has);
    form.and_then(|form| form["properties"].as_object()).cloned().unwrap_or_default()
}

/// Returns the schema of a key in a table.
pub(super) fn within<'s>(schema: &'s Value, name: &str) -> &'s Value {
    let of = |form: &'s Value| form.get("properties").and_then(|keys| keys.get(name));
    let mut all = [schema].into_iter().chain(forms(schema).into_iter().flatten());
    all.find_map(|form| of(form).or(form.get("additionalProperties").filter(|each| each.is_object())))
        .unwrap_or(&Value::Null)
}

/// Returns the schema of the first value beyond its range, with the names on the path to it.
pub(super) fn beyond<'s>(schema: &'s Value, value: &DeValue<'_>, at: &mut Vec<String>) -> Option<&'s Value> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let is_out = |number: f64, min: &str, max: &str| {
        bound(min).is_some_and(|min| number < min) || bound(max).is_some_and(|max| number > max)
    };
    let is_beyond = match value {
        DeValue::Table(table) => {
            return table.iter().find_map(|(name, value)| {
                at.push(name.get_ref().to_string());
                let found = beyond(within(schema, name.get_ref()), value.get_ref(), at);
                if found.is_none() {
                    at.pop();
                }
                found
            });
        }
        _ if forms(schema).is_some() => {
            let of_type = forms(schema).into_iter().flatten().filter(|form| is_of_type(form, value));
            let mut of_type = of_type.map(|form| beyond(form, value, &mut Vec::new()).is_some()).peekable();
            of_type.peek().is_some() && of_type.all(|is_beyond| is_beyond)
        }
        DeValue::Array(items) => {
            is_out(items.len() as f64, "minItems", "maxItems")
                || schema.get("items").is_some_and(|each| {
                    items.iter().any(|item| beyond(each, item.get_ref(), &mut Vec::new()).is_some())
                })
        }
        DeValue::String(text) => is_out(text.chars().count() as f64, "minLength", "maxLength"),
        DeValue::Boolean(is) => schema.get("const").is_some_and(|only| only != is),
        DeValue::Integer(_) | DeValue::Float(_) if is_of_type(schema, value) => {
            let number = number(value);
            !number.is_finite()
                || is_out(number, "minimum", "maximum")
                || bound("exclusiveMinimum").is_some_and(|bound| number <= bound)
        }
        _ => false,
    };
    is_beyond.then_some(schema)
}

/// Returns whether a value has one of the forms of a schema.
pub(super) fn fits(schema: &Value, value: &DeValue<'_>) -> bool {
    match (choices(schema), forms(schema)) {
        (Some(texts), _) => value.as_str().is_some_and(|text| texts.contains(&text)),
        (None, Some(forms)) => forms.iter().any(|form| fits(form, value)),
        (None, None) => is_of_type(schema, value),
    }
}

fn is_of_type(schema: &Value, value: &DeValue<'_>) -> bool {
    let names: &[&str] = match value {
        DeValue::Integer(_) | DeValue::Float(_) => &["integer", "number"],
        DeValue::String(_) => &["string"],
        DeValue::Array(_) => &["array"],
        _ => &[],
    };
    schema.get("type").and_then(Value::as_str).is_some_and(|name| names.contains(&name))
}

/// Returns a number of a document; NaN if it is too large for a whole number.
fn number(value: &DeValue<'_>) -> f64 {
    match value {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(f64::NAN, |number| number as f64)
        }
        DeValue::Float(number) => number.as_str().parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}
