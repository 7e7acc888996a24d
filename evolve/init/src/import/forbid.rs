//! Converts forbidden combinations of other tuners to conditions.

use super::{Imported, identifier};
use evolve_core::model::parameter::Parameter;
use evolve_core::model::parameter::condition::Condition;
use evolve_core::model::space::Space;

/// Imports forbidden combinations, each as the file has it and, if possible, as a condition on names of the file. A
/// forbidden start moves to the nearest allowed value.
pub fn forbid(clauses: Vec<(String, Option<String>)>, imported: &mut Imported) {
    let parameters: Vec<Parameter> = imported.reads.iter().map(|read| read.parameter.clone()).collect();
    let mut conditions = Vec::new();
    for (written, text) in clauses {
        let text = text.map(|text| named(&text, &parameters));
        match text
            .ok_or_else(|| "it has no counterpart".to_string())
            .and_then(|text| Condition::parse(&text, &parameters).map_err(|error| error.to_string()))
        {
            Ok(condition) => conditions.push(condition),
            Err(message) => imported.notes.push(format!("forbidden: {written}: {message}")),
        }
    }
    imported.forbid = conditions.iter().map(|condition| condition.text().to_string()).collect();
    let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
    let space = Space::new(parameters, start, (0..imported.reads.len()).collect()).without(conditions);
    let Some(condition) = space.forbids(space.start()) else { return };
    let allowed = space.rounded(&space.allowed(space.origin()));
    if space.forbids(&allowed).is_some() {
        imported.notes.push(format!("the start, which is forbidden by \"{}\": choose another one", condition.text()));
        return;
    }
    for (read, value) in imported.reads.iter_mut().zip(allowed) {
        let parameter = &mut read.parameter;
        if parameter.start != value {
            let (name, start, value_text) = (&parameter.name, parameter.show(parameter.start), parameter.show(value));
            imported
                .notes
                .push(format!("the start {start} of {name}, which is forbidden; the start is now {value_text}"));
            parameter.start = value;
        }
    }
}

/// Replaces the names in a condition by the names of parameters in jobs.
fn named(text: &str, parameters: &[Parameter]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
    let (mut named, mut word, mut quote) = (String::new(), String::new(), None);
    let end = |word: &mut String, named: &mut String| {
        let own = identifier(word);
        let is_name = parameters.iter().any(|parameter| parameter.name == own) && !word.is_empty();
        named.push_str(if is_name { &own } else { word });
        word.clear();
    };
    for c in text.chars() {
        match quote {
            None if is_part(c) => word.push(c),
            _ => {
                end(&mut word, &mut named);
                named.push(c);
                quote = match quote {
                    None if c == '\'' || c == '"' => Some(c),
                    Some(open) if open == c => None,
                    quote => quote,
                };
            }
        }
    }
    end(&mut word, &mut named);
    named
}
