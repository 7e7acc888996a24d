//! Lists that are indexed by a group of instances: `constexpr int X[4] = {16, 5, 5, 5}; // evolve:
//! [1, 40] by k=K-2`.
//!
//! Such a list is one parameter with a start value in each group. On an instance, a program needs
//! only the value of its group.

use super::spec::{Literal, SpecError, parameter};
use super::{LITERAL, MarkerError, Named, PREFIX, READER, is_whole};
use crate::file::{ByKeys, SpreadKeys};
use crate::parameters::variable;
use evolve_search::model::parameter::{Kind, Parameter};
use indexmap::IndexMap;
use regex::Regex;
use serde_json::Number;
use std::ops::Range;
use std::sync::LazyLock;

/// The groups of a list's elements.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    pub feature: String,
    /// The group and the start value of each element.
    pub starts: Vec<(String, f64)>,
}

impl List {
    /// Returns the feature with the start values in its groups.
    pub fn keys(&self, parameter: &Parameter) -> ByKeys {
        let number = |value: f64| match parameter.kind {
            Kind::Int { .. } => Number::from(value as i64),
            _ => Number::from_f64(value).expect("finite"),
        };
        let starts = self.starts.iter().map(|(group, value)| (group.clone(), number(*value)));
        ByKeys::Spreads(IndexMap::from([(self.feature.clone(), SpreadKeys::Starts(starts.collect()))]))
    }
}

/// A list in code.
pub struct Written<'t> {
    pub name: &'t str,
    /// The code before its elements.
    before: &'t str,
    elements: Vec<Element<'t>>,
}

struct Element<'t> {
    place: Range<usize>,
    number: &'t str,
    suffix: &'t str,
    read: Option<&'t str>,
}

/// Matches a name and the beginning of its list at the end of code: `int X[4] = {`,
/// `X: [i32; 4] = [`.
static LIST: LazyLock<Regex> = LazyLock::new(|| {
    let elements = r"[\[{(]+(?<elements>[^\[\]{}]+)[\]})]+\s*[;,]?\s*$";
    Regex::new(&format!(r"(?<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?::(?:[^=:]|::)+)?=?\s*(?:&|vec!)?\s*{elements}"))
        .expect("a regex")
});
static ELEMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"^\s*(?:{READER})?\s*\(?\s*(?:{LITERAL})\s*\)*\s*$")).expect("a regex"));
/// Matches an index: a variable, plus or minus a number.
static INDEX: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[A-Za-z_][\w.>-]*?\s*(?:(?<sign>[-+])\s*(?<number>[0-9]{1,9}))?$").expect("a regex")
});

impl<'t> Written<'t> {
    /// Returns the list of numbers at the end of code.
    pub fn of(code: &'t str) -> Option<Self> {
        let found = LIST.captures(code)?;
        let all = found.name("elements")?;
        let (mut elements, mut begin) = (Vec::new(), all.start());
        for text in separated(all.as_str()) {
            let parts = ELEMENT.captures(text)?;
            let number = parts.name("number")?;
            elements.push(Element {
                place: begin + number.start()..begin + number.end(),
                number: number.as_str(),
                suffix: parts.name("suffix").map_or("", |suffix| suffix.as_str()),
                read: parts.name("read").map(|read| read.as_str()),
            });
            begin += text.len() + 1;
        }
        let before = &code[..all.start()];
        let name = found.name("name").expect("it is in the pattern").as_str();
        Some(Written { name, before: before.trim_end_matches(['[', '{', '(', ' ']), elements })
    }

    /// Returns the places of the elements in the code.
    pub fn places(&self) -> impl Iterator<Item = &Range<usize>> {
        self.elements.iter().map(|element| &element.place)
    }

    /// Returns the parameter, whose start is the median, and the list.
    pub fn parameter(&self, spec: &str, by: &Named) -> Result<(Parameter, List), SpecError> {
        let [(feature, index)] = &by[..] else { return Err(SpecError::List) };
        let offset = offset(index).ok_or_else(|| SpecError::Index(index.clone()))?;
        let is_whole = self.elements.iter().all(|own| is_whole(self.before, own.number, own.suffix));
        let of = |own: &Element<'_>| parameter(self.name, &Literal::Number(own.number, is_whole), spec);
        let all: Vec<Parameter> = self.elements.iter().map(of).collect::<Result<_, _>>()?;
        if let Some(other) = all.iter().find(|own| !own.allows(own.start)) {
            return Err(SpecError::Element(other.show(other.start), other.allowed()));
        }
        let starts = all.iter().enumerate().map(|(i, own)| ((i as i64 + offset).to_string(), own.start)).collect();
        let mut by_start: Vec<&Parameter> = all.iter().collect();
        by_start.sort_by(|a, b| a.start.total_cmp(&b.start));
        Ok((by_start[(all.len() - 1) / 2].clone(), List { feature: feature.clone(), starts }))
    }

    /// Returns the name by which the elements read their value. `text` is the whole source, which
    /// may read it elsewhere: `param("EVOLVE_X", X[K - 2])`.
    pub fn read(&self, text: &str) -> Result<Option<String>, MarkerError> {
        let own = variable(self.name);
        let Some(first) = self.elements.first().and_then(|element| element.read) else {
            return Ok(["\"", "'"].iter().any(|quote| text.contains(&format!("{quote}{own}{quote}"))).then_some(own));
        };
        match self.elements.iter().all(|element| element.read == Some(first)) {
            true => Ok(Some(first.to_string())),
            false => {
                let name = self.name.to_string();
                let plain = first.strip_prefix(PREFIX).map_or_else(|| self.name.to_string(), |_| own);
                Err(MarkerError::Parameter { name, what: SpecError::Reads(plain) })
            }
        }
    }
}

/// Splits elements at commas outside of parentheses.
fn separated(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    let mut parts: Vec<&str> = text.split(is_end).collect();
    if parts.last().is_some_and(|last| last.trim().is_empty()) {
        parts.pop();
    }
    parts
}

/// Returns the number that is added to an index to obtain the feature: 2 for `K-2`.
fn offset(index: &str) -> Option<i64> {
    let parts = INDEX.captures(index)?;
    let number = parts.name("number").map_or(Some(0), |number| number.as_str().parse::<i64>().ok())?;
    Some(if parts.name("sign").is_some_and(|sign| sign.as_str() == "+") { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::super::{find, read};
    use super::*;
    use crate::parameters::Parameters;
    use crate::source::Language;

    #[test]
    fn lists_are_read_as_they_are_written() {
        let cases = [
            ("constexpr int X[4] = {16, 5, 5, 7}; // evolve: [1, 40] by k=K-2", Parameter::int("X", 1, 40, 5), "2 16"),
            (
                "std::array<double, 4> X = {{16, 5, 5, 7}}; // evolve: [1, 40] log by k = K + 1",
                Parameter::float("X", 1.0, 40.0, 5.0).log(),
                "-1 16",
            ),
            ("const std::vector<int> X{16, 5, 5, 7}; // evolve: [1, 40] by k=K", Parameter::int("X", 1, 40, 5), "0 16"),
            (
                "const X: [f64; 4] = [16.0, 5.0, 5.0, 7.0]; // evolve: [1, 40] by k=k - 2",
                Parameter::float("X", 1.0, 40.0, 5.0),
                "2 16",
            ),
            (
                "static final int[] X = {16, 5, 5, 7}; // evolve: [1, 40] by k=in.k-2",
                Parameter::int("X", 1, 40, 5),
                "2 16",
            ),
            ("X = [16, 5, 5, 7,]  # evolve: [1, 40] by k=k-2", Parameter::int("X", 1, 40, 5), "2 16"),
            ("X = (1.6e1, 5, 5, 7)  # evolve: [1, 40] by k=k-2", Parameter::float("X", 1.0, 40.0, 5.0), "2 16"),
            (
                "const int X[4] = {param(\"EVOLVE_X\", 16), param(\"EVOLVE_X\", 5), param(\"EVOLVE_X\", 5), \
                 param(\"EVOLVE_X\", 7)}; // evolve: [1, 40] by k=K-2",
                Parameter::int("X", 1, 40, 5),
                "2 16",
            ),
        ];
        for (line, parameter, first) in cases {
            let found = find(line, Language::Other).unwrap();
            assert_eq!(found[0].parameter, parameter, "{line}");
            let list = found[0].list.as_ref().unwrap();
            assert_eq!(list.starts.len(), 4, "{line}");
            let (group, value) = &list.starts[0];
            assert_eq!(format!("{group} {value}"), first, "{line}");
            assert_eq!(&line[found[0].places[3].clone()].parse::<f64>(), &Ok(7.0), "{line}");
            assert_eq!(found[0].reads_itself(), line.contains("EVOLVE_X"), "{line}");
        }
        let elsewhere =
            "constexpr int X[2] = {16, 5}; // evolve: [1, 40] by k=K-2\nint x = param(\"EVOLVE_X\", X[K-2]);";
        assert!(find(elsewhere, Language::Cpp).unwrap()[0].reads_itself());
    }

    #[test]
    fn lists_without_groups_are_refused() {
        for (line, said) in [
            ("int X[2] = {16, 5}; // evolve: [1, 40]", "`X`: a list needs the feature that is its index"),
            ("int X[2] = {16, 5}; // evolve: [1, 40] by k=K-2, n=N", "a list needs the feature"),
            ("int X[2] = {16, 5}; // evolve: [1, 40] by k=f(K)", "`f(K)` is no index"),
            ("int X[2] = {16, 5}; // evolve: [1, 10] by k=K", "`X`: its element 16 is not a whole number from 1 to 10"),
            ("int X[2] = {16, 05}; // evolve: [1, 20] by k=K", "octal"),
            ("int X[2] = {p(\"A\", 1), p(\"B\", 5)}; // evolve: [1, 20] by k=K", "let all read X"),
            ("int X[2] = {16, N}; // evolve: [1, 20] by k=K", "after a name and its value"),
        ] {
            let faults = read(line, Language::Cpp, &mut Parameters::default()).unwrap_err();
            assert!(faults[0].message.contains(said), "{faults:?}");
        }
    }
}
