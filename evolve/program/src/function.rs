//! Writes parameters that follow features as code: one expression.

use crate::source::Language;
use evolve_search::model::parameter::follow::{Function, Slope};
use evolve_search::model::parameter::{Kind, Parameter};
use thiserror::Error;

/// The reason why a function cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FunctionError {
    /// The language has no form for it.
    #[error("functions of features can be written in C, C++, Rust, Python and Java")]
    Language,
    /// The source does not say where the feature is.
    #[error("it follows {0}: say where the source has it, as in `// evolve: [1, 20] by {0}=N`")]
    NoName(String),
}

/// Returns the expression of a function in a language. `name` returns the expression of a feature
/// there; `typed` is the type of the place that takes the value, or the suffix of the number there.
///
/// # Errors
/// If the language has no form for it, or a feature has no name.
pub fn expression(
    function: &Function<'_>,
    language: Language,
    name: &dyn Fn(&str) -> Option<String>,
    typed: Option<&str>,
) -> Result<String, FunctionError> {
    let dialect = Dialect::of(language).ok_or(FunctionError::Language)?;
    let named = |feature: &str| {
        let own = name(feature).ok_or_else(|| FunctionError::NoName(feature.to_string()))?;
        let is_name = own.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
        Ok(if is_name { own } else { format!("({own})") })
    };
    let is_int = matches!(function.parameter.kind, Kind::Int { .. });
    let is_whole = is_int && function.slopes.is_empty();
    let is_long = is_int && is_long(function.parameter);
    let number = |value: f64| match is_whole {
        true if is_long && dialect == Dialect::Java => format!("{value:.0}L"),
        true => format!("{value:.0}"),
        false => format!("{value:?}"),
    };
    let kind = dialect.kind(typed, is_int && !is_whole, is_long);
    let cast = |value: String| match kind {
        Some(kind) => dialect.cast(&value, kind),
        None => value,
    };
    let mut value = number(function.level);
    for (feature, group, own) in function.groups.iter().rev() {
        let test = dialect.equal(&named(feature)?, group, function.words.contains(feature));
        value = dialect.conditional(&test, &number(*own), &value);
    }
    if !function.groups.is_empty() {
        value = format!("({value})");
    }
    if function.slopes.is_empty() {
        // Numbers of Rust have the type of their place.
        return Ok(if dialect == Dialect::Rust { value } else { cast(value) });
    }
    for slope in &function.slopes {
        value = dialect.sloped(&value, function.parameter.is_log(), slope, &named(slope.feature)?);
    }
    let (min, max) = function.parameter.range();
    let value = if is_int { dialect.floor(&format!("{value} + 0.5")) } else { value };
    Ok(cast(dialect.clamp(&value, min, max)))
}

/// Returns whether values of a parameter exceed 32 bits.
pub fn is_long(parameter: &Parameter) -> bool {
    let (min, max) = parameter.range();
    min < f64::from(i32::MIN) || max > f64::from(i32::MAX)
}

/// The notation of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    C,
    Cpp,
    Rust,
    Python,
    Java,
}

impl Dialect {
    fn of(language: Language) -> Option<Self> {
        match language {
            Language::C => Some(Dialect::C),
            Language::Cpp => Some(Dialect::Cpp),
            Language::Rust => Some(Dialect::Rust),
            Language::Python => Some(Dialect::Python),
            Language::Java => Some(Dialect::Java),
            Language::Slashes | Language::Hashes | Language::Dashes | Language::Other => None,
        }
    }

    /// Returns the call of a mathematical function.
    fn call(self, function: &str, argument: &str) -> String {
        match self {
            Dialect::C => format!("{function}({argument})"),
            Dialect::Cpp => format!("std::{function}({argument})"),
            Dialect::Rust => format!("f64::{}({argument})", if function == "log" { "ln" } else { function }),
            // The source may not import it.
            Dialect::Python => format!("__import__(\"math\").{function}({argument})"),
            Dialect::Java => format!("Math.{function}({argument})"),
        }
    }

    fn power(self, base: &str, exponent: f64) -> String {
        match self {
            Dialect::C => format!("pow({base}, {exponent:?})"),
            Dialect::Cpp => format!("std::pow({base}, {exponent:?})"),
            Dialect::Rust => format!("f64::powf({base}, {exponent:?})"),
            Dialect::Python => format!("({base}) ** {exponent:?}"),
            Dialect::Java => format!("Math.pow({base}, {exponent:?})"),
        }
    }

    fn sloped(self, value: &str, is_log: bool, slope: &Slope<'_>, feature: &str) -> String {
        let feature = if self == Dialect::Rust { format!("({feature} as f64)") } else { feature.to_string() };
        let (middle, by) = (format!("{:?}", slope.middle), format!("{:?}", slope.slope));
        match (is_log, slope.is_log) {
            (true, true) => format!("{value} * {}", self.power(&format!("{feature} / {middle}"), slope.slope)),
            (true, false) => format!("{value} * {}", self.call("exp", &format!("{by} * ({feature} - {middle})"))),
            (false, true) => format!("{value} + {by} * {}", self.call("log", &format!("{feature} / {middle}"))),
            (false, false) => format!("{value} + {by} * ({feature} - {middle})"),
        }
    }

    fn floor(self, value: &str) -> String {
        match self {
            Dialect::Python => format!("({value}) // 1"),
            _ => self.call("floor", value),
        }
    }

    fn clamp(self, value: &str, min: f64, max: f64) -> String {
        match self {
            Dialect::C => format!("fmin(fmax({value}, {min:?}), {max:?})"),
            Dialect::Cpp => format!("std::min(std::max({value}, {min:?}), {max:?})"),
            Dialect::Rust => format!("f64::clamp({value}, {min:?}, {max:?})"),
            Dialect::Python => format!("min(max({value}, {min:?}), {max:?})"),
            Dialect::Java => format!("Math.min(Math.max({value}, {min:?}), {max:?})"),
        }
    }

    /// Returns the type of a value in a place of this type or suffix, if it does not have it
    /// already.
    fn kind(self, typed: Option<&str>, is_rounded: bool, is_long: bool) -> Option<&str> {
        let typed = typed.unwrap_or_default();
        let lower = typed.to_lowercase();
        match self {
            Dialect::C | Dialect::Cpp if lower == "f" => Some("float"),
            Dialect::C | Dialect::Cpp if is_long || lower.contains('l') && lower.len() <= 3 => Some("long long"),
            Dialect::Java if lower == "float" || lower == "f" => Some("float"),
            Dialect::Java if ["byte", "short"].contains(&typed) => Some(typed),
            Dialect::Java if is_long || lower == "l" => Some("long"),
            // The type of the place decides.
            Dialect::Rust if typed == "f32" => Some(typed),
            Dialect::Rust => is_rounded.then_some("_"),
            Dialect::C | Dialect::Cpp | Dialect::Java | Dialect::Python => is_rounded.then_some("int"),
        }
    }

    fn cast(self, value: &str, kind: &str) -> String {
        match self {
            Dialect::Cpp | Dialect::Python if !kind.contains(' ') => format!("{kind}({value})"),
            Dialect::C | Dialect::Cpp | Dialect::Java | Dialect::Python => format!("({kind}) {value}"),
            Dialect::Rust => format!("{value} as {kind}"),
        }
    }

    /// Returns the comparison of a feature with a group.
    fn equal(self, feature: &str, group: &str, is_word: bool) -> String {
        match group.parse::<f64>() {
            // The source may have it as an integer.
            Ok(number) if !is_word && self == Dialect::Rust => return format!("({feature} as f64) == {number:?}"),
            Ok(_) if !is_word => return format!("{feature} == {group}"),
            _ => {}
        }
        let word = serde_json::Value::from(group);
        match self {
            Dialect::Java => format!("{feature}.equals({word})"),
            Dialect::C => format!("strcmp({feature}, {word}) == 0"),
            _ => format!("{feature} == {word}"),
        }
    }

    fn conditional(self, test: &str, yes: &str, no: &str) -> String {
        match self {
            Dialect::C | Dialect::Cpp | Dialect::Java => format!("{test} ? {yes} : {no}"),
            Dialect::Rust if no.starts_with("if ") => format!("if {test} {{ {yes} }} else {no}"),
            Dialect::Rust => format!("if {test} {{ {yes} }} else {{ {no} }}"),
            Dialect::Python => format!("{yes} if {test} else {no}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::parameter::follow::{By, Value};
    use std::process::Command;

    /// Parameters of all kinds with coefficients of `n` and `k`, and their values.
    fn declared() -> (Vec<Parameter>, Vec<f64>) {
        let plain = [
            Parameter::float("temp", 0.01, 100.0, 1.0).log(),
            Parameter::float("share", 0.0, 1.0, 0.5),
            Parameter::int("beam", 1, 500, 40).log(),
            Parameter::int("depth", 1, 20, 8),
            Parameter::int("table", 1, 20, 8),
        ];
        let number = |low, high| By::Number { low, high };
        let of = |place: usize, feature, by| Parameter::coefficient(&plain[place], place, feature, by);
        let group = |group: &str| By::Group(group.to_string());
        let coefficients = [
            (of(0, "n", number(10.0, 100.0)), 0.3),
            (of(0, "k", group("2")), -0.2),
            (of(1, "n", number(10.0, 20.0)), 0.4),
            (of(1, "k", number(1.0, 9.0)), 0.25),
            (of(2, "n", number(90.0, 100.0)), -0.5),
            (of(3, "n", number(10.0, 100.0)), 0.6),
            (of(3, "k", group("3")), 0.25),
            (of(4, "k", group("2")), 0.25),
            (of(4, "k", group("3")), -0.25),
        ];
        let values = plain.iter().map(|parameter| parameter.start).chain(coefficients.iter().map(|of| of.1)).collect();
        (plain.into_iter().chain(coefficients.map(|of| of.0)).collect(), values)
    }

    /// Compiles and runs a program that prints each function for each `n` and `k`.
    fn assert_printed(language: Language, ending: &str, build: &[&str], program: impl Fn(&str) -> String) {
        let (parameters, values) = declared();
        let functions = Function::all(&parameters, &values);
        assert_eq!(functions.len(), 5);
        let name = |feature: &str| Some(feature.to_string());
        let lines =
            |(_, function): &(usize, Function<'_>)| program(&expression(function, language, &name, None).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let text = functions.iter().map(lines).collect::<String>();
        let whole = match language {
            Language::Cpp => format!("#include <bits/stdc++.h>\nint main() {{\n{text}}}\n"),
            Language::Rust => format!("fn main() {{\n{text}}}\n"),
            Language::Java => format!("class Main {{ public static void main(String[] args) {{\n{text}}} }}\n"),
            _ => text,
        };
        std::fs::write(folder.path().join(format!("Main.{ending}")), &whole).unwrap();
        let build = Command::new(build[0]).args(&build[1..]).current_dir(folder.path()).output().unwrap();
        assert!(build.status.success(), "{whole}\n{}", String::from_utf8_lossy(&build.stderr));
        let printed = match language {
            Language::Python => String::from_utf8(build.stdout).unwrap(),
            Language::Java => output(Command::new("java").arg("Main").current_dir(folder.path())),
            _ => output(&mut Command::new(folder.path().join("main"))),
        };
        let mut printed = printed.lines();
        for (_, function) in &functions {
            for n in [1, 10, 33, 64, 100, 250] {
                for k in 1..5 {
                    let value = function.at(|name| Some(Value::Number(f64::from(if name == "n" { n } else { k }))));
                    let shown: f64 = printed.next().unwrap().parse().unwrap();
                    let is_same = (shown / value - 1.0).abs() < 1e-12 || shown == value;
                    assert!(is_same, "{language:?} {}: {shown} {value}", function.parameter.name);
                }
            }
        }
    }

    fn output(command: &mut Command) -> String {
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    #[test]
    fn functions_are_the_same_in_every_language() {
        assert_printed(Language::Cpp, "cpp", &["g++", "-o", "main", "Main.cpp"], |expression| {
            format!(
                "for (int n : {{1, 10, 33, 64, 100, 250}}) for (int k = 1; k < 5; k++) {{ auto x = {expression}; \
                 std::cout << std::setprecision(17) << x << '\\n'; }}\n"
            )
        });
        assert_printed(Language::Rust, "rs", &["rustc", "-o", "main", "Main.rs"], |expression| {
            let kind = if expression.ends_with(" as _") { "u32" } else { "_" };
            format!(
                "for n in [1, 10, 33, 64, 100, 250] {{ for k in 1..5 {{ let x: {kind} = {expression}; println!(\"{{x:?}}\"); }} }}\n"
            )
        });
        assert_printed(Language::Python, "py", &["python3", "Main.py"], |expression| {
            format!("for n in [1, 10, 33, 64, 100, 250]:\n    for k in range(1, 5):\n        print({expression})\n")
        });
        if Command::new("javac").arg("-version").output().is_ok() {
            assert_printed(Language::Java, "java", &["javac", "Main.java"], |expression| {
                format!(
                    "for (int n : new int[]{{1, 10, 33, 64, 100, 250}}) for (int k = 1; k < 5; k++) {{ double x = \
                     {expression}; System.out.println(x); }}\n"
                )
            });
        }
    }

    #[test]
    fn words_are_compared_as_the_language_does() {
        let table = Parameter::int("table", 1, 20, 8);
        let coefficient = Parameter::coefficient(&table, 0, "kind", By::Group("a\"b".to_string()));
        let parameters = [table, coefficient];
        let functions = Function::all(&parameters, &[8.0, 0.25]);
        let written = |language| expression(&functions[0].1, language, &|_| Some("kind".to_string()), None).unwrap();
        assert_eq!(written(Language::Cpp), r#"(kind == "a\"b" ? 13 : 8)"#);
        assert_eq!(written(Language::C), r#"(strcmp(kind, "a\"b") == 0 ? 13 : 8)"#);
        assert_eq!(written(Language::Java), r#"(kind.equals("a\"b") ? 13 : 8)"#);
        assert_eq!(written(Language::Rust), r#"(if kind == "a\"b" { 13 } else { 8 })"#);
        assert_eq!(written(Language::Python), r#"(13 if kind == "a\"b" else 8)"#);
        // Numbers are words if another group is no number.
        let table = Parameter::int("table", 1, 20, 8);
        let of = |group: &str| Parameter::coefficient(&table, 0, "kind", By::Group(group.to_string()));
        let mixed = [table.clone(), of("1"), of("x")];
        let numbers = [table.clone(), of("1"), of("2")];
        let written = |parameters: &[Parameter], language| {
            let functions = Function::all(parameters, &[8.0, 0.25, 0.0]);
            expression(&functions[0].1, language, &|_| Some("kind".to_string()), None).unwrap()
        };
        assert_eq!(written(&mixed, Language::Python), r#"(13 if kind == "1" else 8)"#);
        assert_eq!(written(&mixed, Language::C), r#"(strcmp(kind, "1") == 0 ? 13 : 8)"#);
        assert_eq!(written(&numbers, Language::C), "(kind == 1 ? 13 : 8)");
        assert_eq!(written(&numbers, Language::Rust), "(if (kind as f64) == 1.0 { 13 } else { 8 })");
        // Expressions stay whole, and values keep the type of their place.
        let of = |name: &str, language, typed| {
            let functions = Function::all(&numbers, &[8.0, 0.25, 0.0]);
            expression(&functions[0].1, language, &|_| Some(name.to_string()), typed).unwrap()
        };
        assert_eq!(of("N & 1", Language::Cpp, None), "((N & 1) == 1 ? 13 : 8)");
        assert_eq!(of("N > 9", Language::Python, None), "(13 if (N > 9) == 1 else 8)");
        assert_eq!(of("k-2", Language::Rust, Some("u8")), "(if ((k-2) as f64) == 1.0 { 13 } else { 8 })");
        assert_eq!(of("v.size()", Language::Cpp, Some("LL")), "(long long) ((v.size()) == 1 ? 13 : 8)");
        assert_eq!(of("k", Language::Java, Some("short")), "(short) (k == 1 ? 13 : 8)");
        let wide = Parameter::int("wide", 1, 10_000_000_000, 3_000_000_000);
        let of = |plain: &Parameter, language, typed| {
            let by = By::Number { low: 1.0, high: 9.0 };
            let parameters = [plain.clone(), Parameter::coefficient(plain, 0, "n", by)];
            let functions = Function::all(&parameters, &[plain.start, 0.5]);
            expression(&functions[0].1, language, &|_| Some("n".to_string()), typed).unwrap()
        };
        assert!(of(&wide, Language::Cpp, Some("LL")).starts_with("(long long) std::min("));
        assert!(of(&wide, Language::C, None).starts_with("(long long) fmin("));
        assert!(of(&wide, Language::Java, Some("long")).starts_with("(long) Math.min("));
        let float = Parameter::float("temp", 1.0, 9.0, 3.0);
        assert!(of(&float, Language::Cpp, Some("f")).starts_with("float(std::min("));
        assert!(of(&float, Language::Java, Some("float")).starts_with("(float) Math.min("));
        assert!(of(&float, Language::Rust, Some("f32")).ends_with(" as f32"));
        let refused = |language, name: Option<&str>| {
            expression(&functions[0].1, language, &|_| name.map(String::from), None).unwrap_err().to_string()
        };
        assert!(refused(Language::Cpp, None).contains("by kind=N"));
        assert!(refused(Language::Hashes, Some("kind")).contains("C, C++, Rust, Python and Java"));
    }
}
