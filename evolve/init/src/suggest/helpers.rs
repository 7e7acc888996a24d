//! Finds the calls of a program's own functions that read a variable or an argument with a default,
//! such as `get_env("X", 10)`.

use super::brackets::Brackets;
use super::literal::LITERAL;
use super::regex;
use super::way::Way;
use evolve_program::source::{Language, PieceKind, blanked, scan};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A call that reads a value.
pub(super) struct Call<'t> {
    /// The offset of the call.
    pub at: usize,
    pub way: Way,
    /// The default: a literal, or the name of a constant.
    pub default: &'t str,
}

/// How a function uses one of its arguments.
enum Use {
    /// Reads the environment variable with this name.
    Variable,
    /// Reads the positional argument with this index.
    Argument,
    /// Reads the argument after this option.
    Option,
}

static CPP: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(?<name>[A-Za-z_]\w*)\s*(?:=\s*\[[^\]]*\]\s*)?\((?<parameters>[^()]*)\)\s*(?:const\s*)?(?:->\s*[\w:<> ]+)?\s*\{",
    )
});
static RUST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\bfn\s+(?<name>\w+)\s*(?:<[^{(]*>)?\s*\((?<parameters>[^)]*)\)[^{;]*\{"));
static PYTHON: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?m)^[ \t]*(?:def\s+(?<name>\w+)\s*\((?<parameters>[^)]*)\)[^:\n]*|(?<lambda>\w+)\s*=\s*lambda\s+(?<of>[^:]*)):",
    )
});
/// Names that are not functions of the program, or that are read in another way.
const OTHERS: [&str; 6] = ["if", "for", "while", "switch", "main", "evolve_param"];

/// Returns the calls in a text without comments.
pub(super) fn calls(text: &str, language: Language) -> Vec<Call<'_>> {
    let code = blanked(text, &scan(text, language), &[PieceKind::Text]);
    let brackets = Brackets::of(&code, language);
    let definitions = match language {
        Language::C | Language::Cpp => &*CPP,
        Language::Rust => &*RUST,
        Language::Python => &*PYTHON,
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for parts in definitions.captures_iter(&code) {
        let part = |name: &str| parts.name(name).map(|part| part.as_str());
        let (Some(name), Some(parameters)) = (part("name").or(part("lambda")), part("parameters").or(part("of")))
        else {
            continue;
        };
        let end = parts.get(0).expect("it matched").end();
        let body = match language {
            Language::Python => body(&code, parts.get(0).expect("it matched").start(), end),
            _ => brackets.opening(end - 1).map_or(end..end, |pair| pair.inside()),
        };
        let names: Vec<&str> = parameters.split(',').filter_map(|one| parameter(one, language)).collect();
        let used = names.iter().enumerate().find_map(|(i, one)| Some((i, used(&code[body.clone()], one)?)));
        if let Some((place, used)) = used.filter(|_| !OTHERS.contains(&name)) {
            found.extend(calls_of(text, name, place, &used, &body));
        }
    }
    found
}

/// Returns the name of a parameter of a function.
fn parameter(declaration: &str, language: Language) -> Option<&str> {
    let declaration = declaration.split('=').next()?;
    let name = match language {
        Language::C | Language::Cpp => declaration.rsplit(|c: char| !c.is_alphanumeric() && c != '_'),
        _ => return declaration.split(':').next().map(|name| name.trim()).filter(|name| !name.is_empty()),
    };
    name.map(str::trim).find(|name| !name.is_empty())
}

/// Returns the body of a function of Python: the rest of its line, and the lines that are indented
/// further.
fn body(code: &str, start: usize, end: usize) -> Range<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(&code[start..end]);
    let mut at = end + code[end..].find('\n').map_or(code.len() - end, |found| found + 1);
    for line in code[at..].split_inclusive('\n') {
        if !line.trim().is_empty() && indent(line) <= own {
            break;
        }
        at += line.len();
    }
    end..at
}

/// Returns how a body uses a parameter of its function.
fn used(body: &str, name: &str) -> Option<Use> {
    let matches = |pattern: &str| regex(&pattern.replace("NAME", &regex::escape(name))).is_match(body);
    let reads = |before: &str| matches(&format!(r"{before}\s*&?NAME(?:\s*\.\s*c_str\(\))?\s*[,)\]]"));
    match () {
        () if reads(r"\b(?:getenv|environ\.get|env::var(?:_os)?)\(") || reads(r"\benviron\[") => Some(Use::Variable),
        () if reads(r"\bargv\[") || reads(r"\bargs(?:\(\))?\s*(?:\.(?:nth|get)\(|\[)") => Some(Use::Argument),
        () if matches(r"\b(?:argv|args)\b")
            && matches(r"==\s*[&*]*NAME\b|\bNAME\s*==|\bstrcmp\([^;]*\bNAME\b|\bindex\(\s*NAME\b") =>
        {
            Some(Use::Option)
        }
        () => None,
    }
}

/// Returns the calls of a function outside of its body.
fn calls_of<'t>(text: &'t str, name: &str, place: usize, used: &Use, body: &Range<usize>) -> Vec<Call<'t>> {
    static DEFAULT: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"^(?:{LITERAL}|[A-Za-z_]\w*)$")));
    static STRING: LazyLock<Regex> = LazyLock::new(|| regex(r#"^["'](?<text>-{0,2}[A-Za-z_][\w-]*)["']$"#));
    let call = regex(&format!(r"\b{name}\s*(?:(?:::)?<[^<>()]*>)?\s*\((?<arguments>[^()]*)\)"));
    let calls = call.captures_iter(text).filter_map(|parts| {
        let at = parts.get(0).expect("it matched").start();
        let arguments: Vec<&str> =
            parts.name("arguments").expect("it matched").as_str().split(',').map(str::trim).collect();
        let (named, default) = (arguments.get(place)?, arguments.last()?);
        if body.contains(&at) || arguments.len() < place + 2 || !DEFAULT.is_match(default) {
            return None;
        }
        let text = STRING.captures(named).map(|parts| parts.name("text").expect("it matched").as_str().to_string());
        let way = match used {
            Use::Variable => Way::Variable(text.filter(|text| !text.contains('-'))?),
            Use::Option => Way::Option(text.filter(|text| text.starts_with('-'))?),
            Use::Argument => Way::Argument(named.parse().ok().filter(|&place| place > 0)?),
        };
        Some(Call { at, way, default })
    });
    calls.collect()
}
