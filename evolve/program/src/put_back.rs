//! Writes values into a source file, at the markers that declare its parameters.

use crate::function::{FunctionError, expression};
use crate::parameters::marker::{self, LineFault, List};
use crate::source::{Language, PieceKind, blanked, scan};
use diffy::DiffOptions;
use evolve_search::document::text::line_start;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::parameter::follow::{By, Function, Value, on_instance};
use std::ops::Range;
use thiserror::Error;

/// A source file with new values.
#[derive(Clone, Debug, PartialEq)]
pub struct PutBack {
    pub text: String,
    /// The names of markers without a value, which are unchanged.
    pub unknown: Vec<String>,
    /// The parameters without a marker, with their values.
    pub missing: Vec<(String, String)>,
}

/// The reason why values cannot be written into a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PutBackError {
    /// Markers are invalid: a line for each.
    #[error("{0}")]
    Markers(String),
    /// The text has no markers.
    #[error("no markers, such as `const int K = 5; // evolve: [1, 20]`")]
    NoMarkers,
    /// A marker does not allow the value.
    #[error("`{name}` is {shown}; its marker takes {allowed}")]
    NotAllowed {
        /// The parameter.
        name: String,
        /// The value.
        shown: String,
        /// The values that the marker allows.
        allowed: String,
    },
    /// A parameter follows features, and the marker or the language has no place for it.
    #[error("`{0}`: {1}")]
    Function(String, FunctionError),
    /// A parameter follows features, which are not known where its value is.
    #[error("`{0}` follows features, which are not known here: move its line into a function, after they are read")]
    NotLocal(String),
}

/// Returns whether code runs where this text ends: within a function, and not in the declaration of
/// a constant.
fn is_local(before: &str, language: Language) -> bool {
    let constants: &[&str] = match language {
        Language::C | Language::Cpp => &["constexpr", "#define", "static"],
        Language::Rust => &["const", "static"],
        Language::Java => &["static"],
        _ => return true,
    };
    let line = &before[line_start(before, before.len())..];
    if words(line).any(|word| constants.contains(&word)) {
        return false;
    }
    // Whether code runs within each open brace.
    let mut open = vec![false];
    let code = blanked(before, &scan(before, language), &[PieceKind::Comment, PieceKind::Text]);
    let mut head = 0;
    for (place, sign) in code.match_indices(['{', '}', ';']) {
        match sign {
            "{" => {
                let outside = *open.last().expect("the file itself");
                open.push(runs_within(&code[head..place], outside));
            }
            "}" if open.len() > 1 => _ = open.pop(),
            _ => {}
        }
        head = place + 1;
    }
    *open.last().expect("the file itself")
}

/// Returns whether code runs within a brace that follows this text.
fn runs_within(head: &str, outside: bool) -> bool {
    const SCOPES: [&str; 8] = ["class", "enum", "extern", "interface", "namespace", "record", "struct", "union"];
    let head = head.trim_end();
    // A list of values, or an expression.
    if head.ends_with(['=', ',', '(', '[']) {
        return outside;
    }
    // A function may return a `struct`.
    head.contains('(') || outside && !words(head).any(|word| SCOPES.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '#')
}

/// Returns the values of a list's elements; `None` where no instance of the run was in the group.
fn by_group(
    list: &List,
    parameters: &[Parameter],
    values: &[f64],
    place: usize,
    function: Option<&Function<'_>>,
) -> Result<Vec<Option<f64>>, FunctionError> {
    let others = function.into_iter().flat_map(Function::features).find(|feature| *feature != list.feature);
    if let Some(feature) = others {
        return Err(FunctionError::NoName(feature.to_string()));
    }
    let all = parameters.iter().filter_map(|parameter| parameter.follows.as_deref());
    let own: Vec<&By> = all.filter(|follows| follows.place == place).map(|follows| &follows.by).collect();
    let value = |(group, _): &(String, f64)| {
        let is_known = own.is_empty() || own.contains(&&By::Group(group.clone()));
        is_known.then(|| on_instance(parameters, values, |_| Some(Value::Word(group)))[place])
    };
    Ok(list.starts.iter().map(value).collect())
}

/// Replaces the values at the markers of a text, matched by name. The rest of the text is
/// unchanged.
///
/// # Errors
/// If a marker is invalid or does not allow its value, or the text has no markers.
pub fn put_back(
    text: &str,
    language: Language,
    parameters: &[Parameter],
    values: &[f64],
) -> Result<PutBack, PutBackError> {
    let markers =
        marker::find(text, language).map_err(|faults| PutBackError::Markers(LineFault::listed(&faults, "line ")))?;
    if markers.is_empty() {
        return Err(PutBackError::NoMarkers);
    }
    let functions = Function::all(parameters, values);
    let mut written = String::new();
    let mut unknown = Vec::new();
    let mut done = 0;
    let mut put = |place: &Range<usize>, new: &str| {
        written.push_str(&text[done..place.start]);
        written.push_str(new);
        done = place.end;
    };
    for found in &markers {
        let name = &found.parameter.name;
        let Some(place) = parameters.iter().position(|parameter| parameter.name == *name) else {
            unknown.push(name.clone());
            continue;
        };
        let function = functions.iter().find(|(other, _)| *other == place).map(|(_, function)| function);
        let within = |error: FunctionError| PutBackError::Function(name.clone(), error);
        // Match by text, because the names of a choice may now have another order.
        let shown = |value: f64| {
            let shown = parameters[place].show(value);
            found.parameter.parse(&shown).ok_or_else(|| PutBackError::NotAllowed {
                name: name.clone(),
                shown,
                allowed: found.parameter.allowed(),
            })
        };
        if let Some(list) = &found.list {
            let by_group = by_group(list, parameters, values, place, function).map_err(within)?;
            for (place, value) in found.places.iter().zip(by_group) {
                let Some(value) = value else { continue };
                put(place, &found.written(&text[place.clone()], shown(value)?));
            }
            continue;
        }
        let own = &found.places[0];
        if let Some(function) = function {
            if !is_local(&text[..own.start], language) {
                return Err(PutBackError::NotLocal(name.clone()));
            }
            let named = |feature: &str| found.by.iter().find(|(own, _)| own == feature).map(|(_, own)| own.clone());
            let code = expression(function, language, &named, found.typed.as_deref()).map_err(within)?;
            let suffix = text[own.end..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
            put(&(own.start..own.end + suffix), &code);
            continue;
        }
        put(own, &found.written(&text[own.clone()], shown(values[place])?));
    }
    written.push_str(&text[done..]);
    let is_missing =
        |(parameter, _): &(&Parameter, &f64)| markers.iter().all(|found| found.parameter.name != parameter.name);
    let missing = parameters.iter().zip(values).filter(|(parameter, _)| parameter.follows.is_none()).filter(is_missing);
    let missing = missing.map(|(parameter, &value)| (parameter.name.clone(), parameter.show(value))).collect();
    Ok(PutBack { text: written, unknown, missing })
}

/// Returns the difference of two texts in the unified format, with three lines of context; empty if
/// they are equal.
pub fn difference(name: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    DiffOptions::new()
        .set_original_filename(name.to_string())
        .set_modified_filename(name.to_string())
        .create_patch(old, new)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_values_change() {
        let text = "const int K = 5; // evolve: [1, 20]\r\nfloat t = 1.5f;  // evolve: [0, 9]\nM = 'a' # evolve: \
            [\"a\", \"b\"]\nG = False # evolve: bool\nint rest = 7;";
        let parameters = [
            Parameter::int("K", 1, 20, 5),
            Parameter::float("t", 0.0, 9.0, 1.5),
            Parameter::choice("M", ["b", "a"], 1),
            Parameter::switch("G", false),
        ];
        let back = put_back(text, Language::Other, &parameters, &[12.0, 2.25, 0.0, 1.0]).unwrap();
        assert_eq!(
            back.text,
            "const int K = 12; // evolve: [1, 20]\r\nfloat t = 2.25f;  // evolve: [0, 9]\nM = 'b' # evolve: [\"a\", \
                \"b\"]\nG = True # evolve: bool\nint rest = 7;"
        );
        assert_eq!(put_back(text, Language::Other, &parameters, &[5.0, 1.5, 1.0, 0.0]).unwrap().text, text);
        let difference = difference("main.cpp", text, &back.text);
        assert!(difference.contains("-G = False") && difference.contains("+G = True"), "{difference}");
    }

    #[test]
    fn lists_have_the_values_of_groups() {
        let text = "constexpr int X[4] = {16, 5,  5, 9}; // evolve: [1, 40] by k=K-2\n";
        let x = Parameter::int("X", 1, 40, 5);
        let of = |group: &str, value: f64| Parameter::coefficient_of_group(&x, 0, "k", group, value);
        // No instance has K = 4.
        let parameters = [x.clone(), of("2", 16.0), of("3", 5.0), of("5", 9.0)];
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let back = |values: &[f64]| put_back(text, Language::Cpp, &parameters, values).unwrap().text;
        assert_eq!(back(&start), text);
        let values = [7.0, start[1], 0.5, 0.0];
        assert_eq!(back(&values), "constexpr int X[4] = {18, 27,  5, 7}; // evolve: [1, 40] by k=K-2\n");
        let constant = put_back(text, Language::Cpp, std::slice::from_ref(&x), &[7.0]).unwrap().text;
        assert_eq!(constant, "constexpr int X[4] = {7, 7,  7, 7}; // evolve: [1, 40] by k=K-2\n");
        let by_n = Parameter::coefficient(&x, 0, "n", By::Number { low: 1.0, high: 9.0 });
        let refused = put_back(text, Language::Cpp, &[x.clone(), by_n], &[7.0, 0.5]).unwrap_err().to_string();
        assert!(refused.contains("`X`: it follows n"), "{refused}");
    }

    #[test]
    fn functions_are_written_where_code_runs() {
        let at = |text: &str, language| is_local(text, language);
        for (text, is_local) in [
            ("double G = ", false),
            ("namespace sol { double G = ", false),
            ("struct P { double g = ", false),
            ("int main() { struct P { double g = ", false),
            ("extern \"C\" { double g = ", false),
            ("struct P f(struct Q q) { if (q.x) { double g = ", true),
            ("namespace a { void f() { for (;;) {} double g = ", true),
            ("int X[] = {1, 2}; int main() { P p = { ", true),
            ("int main() { static double g = ", false),
            ("int main() {} double g = ", false),
        ] {
            assert_eq!(at(text, Language::Cpp), is_local, "{text}");
        }
        assert!(at("class Main { static void main(String[] args) {\ndouble g = ", Language::Java));
        assert!(!at("class Main { double g = ", Language::Java));
        assert!(at("impl A { fn f(&self) -> f64 { let g = ", Language::Rust) && !at("const G: f64 = ", Language::Rust));
    }

    /// A number's suffix goes with it.
    #[test]
    fn functions_keep_the_type_of_their_place() {
        let temp = Parameter::float("t", 1.0, 9.0, 3.0);
        let by_n = Parameter::coefficient(&temp, 0, "n", By::Number { low: 1.0, high: 9.0 });
        let back =
            |text: &str, language| put_back(text, language, &[temp.clone(), by_n.clone()], &[3.0, 0.5]).unwrap().text;
        let cpp = back("int main() { float t = p(\"T\", 3.0f); // evolve: [1, 9] by n=N\n", Language::Cpp);
        assert!(
            cpp.contains("p(\"T\", float(std::min(") && cpp.ends_with(", 9.0))); // evolve: [1, 9] by n=N\n"),
            "{cpp}"
        );
        let rust = back("fn main() { let t: f32 = 3.0; // evolve: [1, 9] by n=n\n", Language::Rust);
        assert!(rust.ends_with(" as f32; // evolve: [1, 9] by n=n\n"), "{rust}");
    }

    #[test]
    fn unfit_markers_are_reported() {
        let text = "int K = 5; // evolve: [1, 20]\nint L = 5; // evolve: [1, 20]\n";
        let back = put_back(text, Language::Other, &[Parameter::int("K", 1, 99, 5)], &[7.0]).unwrap();
        assert_eq!(back.unknown, ["L"]);
        assert!(
            put_back(text, Language::Other, &[Parameter::int("K", 1, 99, 5)], &[99.0])
                .unwrap_err()
                .to_string()
                .contains("1 to 20")
        );
        let twice = "int K = 5; // evolve: [1, 20]\nint K = 5; // evolve: [1, 20]\n";
        assert!(put_back(twice, Language::Cpp, &[Parameter::int("K", 1, 99, 5)], &[9.0]).is_err());
        assert!(put_back("int K = 5;", Language::Cpp, &[], &[]).is_err());
    }
}
