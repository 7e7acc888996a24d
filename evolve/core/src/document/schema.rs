//! JSON Schemas of the files, derived from the structs that read them. The schemas are the only
//! description of the keys: they validate files, editors use them for completion, and the reference
//! is generated from them.

use crate::document::text::nearest;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value, json};

/// The keywords of JSON Schema that a check understands, and the keywords that it ignores.
pub const KEYWORDS: [&str; 22] = [
    "type",
    "const",
    "enum",
    "oneOf",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "title",
    "description",
    "default",
    "examples",
    "writeOnly",
    "x-group",
];

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

/// A fault in a value, without its place in the file.
#[derive(Debug)]
pub(crate) struct Mistake {
    /// The names of tables and keys on the path to the value.
    pub at: Vec<String>,
    /// A description of the fault and the allowed values.
    pub message: String,
    /// The end of the message.
    pub end: End,
}

/// The end of a message about a mistake, which depends on the place where the value was written.
#[derive(Debug, PartialEq)]
pub(crate) enum End {
    Nothing,
    /// The value as written.
    Value,
    /// The sections that have the key; the top level is an empty name.
    Sections(Vec<String>),
}

/// Checks a value against a schema. Messages call the document `what`.
pub(crate) fn check(schema: &Schema, value: &Value, what: &str, at: &[String]) -> Vec<Mistake> {
    let mut checks = Checks { what, top: schema.as_value(), at: at.to_vec(), mistakes: Vec::new() };
    checks.value(schema.as_value(), value);
    checks.mistakes
}

struct Checks<'a> {
    what: &'a str,
    /// The schema of the whole document.
    top: &'a Value,
    at: Vec<String>,
    mistakes: Vec<Mistake>,
}

impl Checks<'_> {
    fn report(&mut self, name: Option<&str>, message: String, end: End) {
        let at = self.at.iter().map(String::as_str).chain(name).map(String::from).collect();
        self.mistakes.push(Mistake { at, message, end });
    }

    fn title(&self) -> String {
        title(self.what, &self.at)
    }

    fn value(&mut self, schema: &Value, value: &Value) {
        if let Some(forms) = forms(schema).filter(|_| choices(schema).is_none()) {
            return self.one_of(schema, forms, value);
        }
        match value {
            Value::Object(table) if schema.get("type") == Some(&json!("object")) => self.table(schema, table),
            _ if allows(schema, value) => {}
            _ => self.refuse(schema),
        }
    }

    /// Checks a value with several forms against the form that its `name` selects, or against any
    /// that fits.
    fn one_of(&mut self, schema: &Value, forms: &[Value], value: &Value) {
        let Value::Object(table) = value else {
            if !forms.iter().any(|form| Self::fits(form, value)) {
                self.refuse(schema);
            }
            return;
        };
        let name_of = |form: &Value| Some(form.get("properties")?.get("name")?.get("const")?.as_str()?.to_string());
        let names: Vec<String> = forms.iter().filter_map(name_of).collect();
        if names.is_empty() {
            return match forms.iter().find(|form| form.get("type") == Some(&json!("object"))) {
                Some(form) => self.table(form, table),
                None => self.refuse(schema),
            };
        }
        let given = table.get("name").map(|name| name.as_str().unwrap_or_default());
        let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match (given, forms.iter().find(|form| name_of(form).as_deref() == given)) {
            (None, _) => self.report(None, format!("{} needs `name`: one of {list}", self.title()), End::Nothing),
            (Some(_), Some(form)) => self.table(form, table),
            (Some(given), None) => {
                let section = self.at.last().map_or("name", String::as_str);
                let near = nearest(given, names.iter().map(String::as_str));
                let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                let given = given.escape_debug();
                self.report(
                    Some("name"),
                    format!("no {section} `{given}`; the choices are {list}{hint}"),
                    End::Nothing,
                );
            }
        }
    }

    fn fits(schema: &Value, value: &Value) -> bool {
        let mut checks = Checks { what: "", top: schema, at: Vec::new(), mistakes: Vec::new() };
        checks.value(schema, value);
        checks.mistakes.is_empty()
    }

    fn refuse(&mut self, schema: &Value) {
        let full = self.at.join(".");
        let is_section = schema.get("type") == Some(&json!("object")) && schema.get("title").is_none();
        match is_section {
            true => self.report(None, format!("`{full}` is a section: write [{full}]"), End::Nothing),
            false => self.report(None, format!("`{full}` takes {}", takes(schema)), End::Value),
        }
    }

    fn table(&mut self, schema: &Value, table: &Map<String, Value>) {
        let none = Map::new();
        let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let other = schema.get("additionalProperties");
        for (name, value) in table {
            match known.get(name).or(other.filter(|other| other.is_object())) {
                Some(of_name) => {
                    self.at.push(name.clone());
                    self.value(of_name, value);
                    self.at.pop();
                }
                None if other == Some(&Value::Bool(false)) => {
                    let (message, end) = self.unknown(name, known.keys());
                    self.report(Some(name), message, end);
                }
                None => {}
            }
        }
        // A misspelt key, reported above, is not reported as missing too.
        let names = || known.keys().map(String::as_str);
        let is_reported = |name: &&String| other == Some(&Value::Bool(false)) && !known.contains_key(*name);
        let meant: Vec<&str> = table.keys().filter(is_reported).filter_map(|name| nearest(name, names())).collect();
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let is_missing = |name: &&str| !table.contains_key(*name) && !meant.contains(name);
        for name in required.filter_map(Value::as_str).filter(is_missing) {
            let about = known.get(name).map_or(String::new(), |of_name| {
                let meaning = of_name.get("description").and_then(Value::as_str);
                format!(": {}", meaning.map_or_else(|| takes(of_name), String::from))
            });
            self.report(None, format!("{} needs `{name}`{about}", self.title()), End::Nothing);
        }
    }

    /// Returns the message about an unknown key, and its end.
    fn unknown<'n>(&self, name: &str, known: impl Iterator<Item = &'n String> + Clone) -> (String, End) {
        // The reference lists longer sets of keys, unless they are the names of weights.
        const LISTED: usize = 20;
        let message = format!("{} has no key `{}`", self.title(), name.escape_debug());
        let sections = sections_with(self.top, name);
        if !sections.is_empty() {
            return (message, End::Sections(sections));
        }
        let hint = match nearest(name, known.clone().map(String::as_str)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if known.clone().count() > LISTED => String::new(),
            None => {
                let known: Vec<_> = known.map(|name| format!("`{name}`")).collect();
                if known.is_empty() { "; it has none".to_string() } else { format!("; it has {}", known.join(", ")) }
            }
        };
        (message + &hint, End::Nothing)
    }
}

/// Returns the sections that have a key, which is no section itself; the top level has an empty
/// name.
fn sections_with(top: &Value, name: &str) -> Vec<String> {
    let has = |schema: &Value| {
        let of_name = schema.get("properties").and_then(|keys| keys.get(name));
        of_name.is_some_and(|of_name| of_name.get("properties").is_none())
    };
    let has_form = |schema: &Value| has(schema) || forms(schema).into_iter().flatten().any(has);
    let sections = top.get("properties").and_then(Value::as_object).into_iter().flatten();
    let within = sections.filter(|(_, section)| has_form(section)).map(|(section, _)| section.clone());
    has(top).then(String::new).into_iter().chain(within).collect()
}

/// Returns the name of a section in messages.
pub(crate) fn title(what: &str, at: &[String]) -> String {
    if at.is_empty() { what.to_string() } else { format!("[{}]", at.join(".")) }
}

/// Returns whether a schema allows a value that is not a table.
fn allows(schema: &Value, value: &Value) -> bool {
    if let Some(only) = schema.get("const") {
        return value == only;
    }
    if let Some(texts) = choices(schema) {
        return value.as_str().is_some_and(|text| texts.contains(&text));
    }
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let is_within = |number: f64, min: &str, max: &str| {
        bound(min).is_none_or(|min| number >= min) && bound(max).is_none_or(|max| number <= max)
    };
    match (schema.get("type").and_then(Value::as_str), value) {
        (Some("boolean"), Value::Bool(_)) => true,
        (Some("integer"), Value::Number(number)) if number.is_f64() => false,
        (Some("integer" | "number"), Value::Number(number)) => number.as_f64().is_some_and(|number| {
            is_within(number, "minimum", "maximum") && bound("exclusiveMinimum").is_none_or(|bound| number > bound)
        }),
        (Some("string"), Value::String(text)) => is_within(text.chars().count() as f64, "minLength", "maxLength"),
        (Some("array"), Value::Array(items)) => {
            is_within(items.len() as f64, "minItems", "maxItems")
                && schema.get("items").is_none_or(|each| items.iter().all(|item| Checks::fits(each, item)))
        }
        (None, _) => true,
        _ => false,
    }
}
