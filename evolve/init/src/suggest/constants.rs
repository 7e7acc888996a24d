//! Finds constants in a source that a tuner could set.

use super::literal::{LITERAL, around, marker};
use super::regex;
use evolve_core::model::parameter::{self as model, Parameter};
use evolve_program::parameters::RESERVED;
use evolve_program::parameters::variable;
use evolve_program::source::{Language, Piece, PieceKind, blanked, scan};
use regex::{Captures, Regex};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// A constant that could become a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub parameter: Parameter,
    /// The number of the line that declares the constant; `place` is its range in the text.
    pub line: usize,
    pub(super) place: Range<usize>,
    /// The replacement for the line, which reads the parameter if the language allows, and ends with a marker.
    pub replacement: String,
    /// Why it should be no parameter unless the user chooses it; `None` for a usual one.
    pub doubt: Option<&'static str>,
}

/// The scope that contains a line.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    Top,
    Class,
    Body,
}

static CPP: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"^\s*(?<type>(?:[A-Za-z_][\w:]*\s+)+)(?<name>[A-Za-z_]\w*)\s*(?:=\s*\{{?|\{{)\s*(?<value>{LITERAL})\s*\}}?\s*;\s*$"
    ))
});
static DEFINE: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"^\s*#\s*define\s+(?<name>\w+)\s+\(?(?<value>{LITERAL})\)?\s*$")));
static RUST: LazyLock<Regex> = LazyLock::new(|| {
    let kind = "f64|f32|[iu](?:8|16|32|64|128|size)|bool";
    regex(&format!(
        r"^\s*(?<pub>pub(?:\([^)]*\))?\s+)?const\s+(?<name>[A-Z]\w*)\s*:\s*(?<type>{kind})\s*=\s*(?<value>{LITERAL})\s*;\s*$"
    ))
});
static PYTHON: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(r"^(?<name>[A-Z][A-Z0-9_]*)\s*(?::\s*(?<type>\w+)\s*)?=\s*(?<value>{LITERAL})\s*$"))
});
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"^\s*(?:(?:public|private|protected|static|final|const|let|var|val|export)\s+)*(?<type>\w+\s+)?(?<name>[A-Z]\w*)(?:\s*:\s*\w+|\s+\w+)?\s*=\s*(?<value>{LITERAL})\s*;?\s*$"
    ))
});
/// The doubts about a constant. A search would only raise a number of iterations.
const ITERATIONS: &str = "more iterations are usually better, and slower";
const SIZE: &str = "by its name, it is a size";
/// Names of sizes.
static SIZES: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)size|length|capacity|buffer"));
/// Names of constants that are not parameters: dimensions, limits, and constants of mathematics.
static FIXED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:inf(?:ty|inity)?|eps(?:ilon)?|pi|tau|mod(?:ulo)?|[nmhw]|d[xy]|tl|max_?[nmhw]|(?:.*_)?seed_?[0-9]*|.*(?:time|limit|deadline|version|mask).*|.*_(?:ms|sec|secs))$",
    )
});
static FLOAT: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:double|float|f64|f32|float64|float32|Double|Float)\b"));
static WHOLE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(?:int|long|short|unsigned|size_t|u?int\d+_t|[iu]\d+|[iu]size|Int|Long)\b"));

/// Returns the numbers of the lines that declare several constants, unless all of their names are usual for sizes and
/// limits. [`constants`] offers none of these constants.
pub fn crowded(text: &str, language: Language) -> Vec<usize> {
    static ASSIGNED: LazyLock<Regex> =
        LazyLock::new(|| regex(&format!(r"\b(?<name>[A-Za-z_]\w*)\s*(?::\s*\w+\s*)?[={{]\s*{LITERAL}\s*(?:[,;}}]|$)")));
    static TUPLE: LazyLock<Regex> =
        LazyLock::new(|| regex(&format!(r"^[A-Z]\w*(?:\s*,\s*[A-Z]\w*)+\s*=\s*{LITERAL}\s*,")));
    let pieces = scan(text, language);
    let code = blanked(text, &pieces, &[PieceKind::Comment, PieceKind::Text]);
    let scopes = scopes(&code);
    let is_crowded = |line: &str| {
        let is_fixed: Vec<bool> = ASSIGNED.captures_iter(line).map(|parts| FIXED.is_match(&parts["name"])).collect();
        declares_constant(line, language) && is_fixed.len() > 1 && is_fixed.contains(&false)
            || language == Language::Python && TUPLE.is_match(line)
    };
    let lines = code.lines().enumerate();
    lines.filter(|&(i, line)| scopes[i] != Scope::Class && is_crowded(line)).map(|(i, _)| i + 1).collect()
}

fn declares_constant(line: &str, language: Language) -> bool {
    static CONSTANT: LazyLock<Regex> = LazyLock::new(|| regex(r"^[^(]*\b(?:const|constexpr|final|val)\b"));
    match language {
        Language::Python => line.starts_with(|c: char| c.is_ascii_uppercase()),
        _ => CONSTANT.is_match(line),
    }
}

/// Returns the numbers of the lines that declare an unmarked constant whose value is a word in quotation marks, with the
/// names of these constants. [`constants`] offers none of them, because their alternatives are unknown.
pub fn words(text: &str, language: Language) -> Vec<(usize, String)> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| {
        regex(r#"\b(?<name>[A-Za-z_]\w*)(?:\[\])?\s*(?::[&'\w\s]+)?[={]\s*["'][A-Za-z0-9][\w+-]+["']\s*\}?\s*;?\s*$"#)
    });
    let code = blanked(text, &scan(text, language), &[PieceKind::Comment]);
    let lines = (1..).zip(code.lines().zip(text.lines()));
    let found = lines.filter_map(|(i, (line, whole))| {
        let name = &WORD.captures(line).filter(|_| declares_constant(line, language))?["name"];
        (!whole.contains("evolve:") && !FIXED.is_match(name)).then(|| (i, name.to_string()))
    });
    found.collect()
}

/// Returns the unmarked constants of a text that could become parameters.
pub fn constants(text: &str, language: Language) -> Vec<Constant> {
    let pieces = scan(text, language);
    let code = blanked(text, &pieces, &[PieceKind::Comment, PieceKind::Text]);
    let scopes = scopes(&code);
    let mut taken: BTreeSet<String> = RESERVED.iter().map(|name| variable(name)).collect();
    let mut found = Vec::new();
    let mut start = 0;
    for (i, line) in code.split_inclusive('\n').enumerate() {
        let place = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        let is_asked = TUNE.is_match(&text[place.clone()]);
        let Some(parts) = declaration(&code[place.clone()], language, scopes[i], is_asked) else { continue };
        // A comment that continues on the next line cannot be moved.
        let goes_on = |piece: &Piece| piece.kind == PieceKind::Comment && piece.place.contains(&(place.end.max(1) - 1));
        let comment = pieces.iter().find(|piece| goes_on(piece));
        let is_marked = text[place.clone()].contains("evolve:");
        if is_marked || comment.is_some_and(|piece| text[piece.place.clone()].contains('\n')) {
            taken.extend(is_marked.then(|| variable(&parts["name"])));
            continue;
        }
        let name = &parts["name"];
        let types = parts.name("type").map_or("", |kind| kind.as_str());
        let is_whole = if FLOAT.is_match(types) { Some(false) } else { WHOLE.is_match(types).then_some(true) };
        let Some(parameter) = around(name, &parts["value"], is_whole) else { continue };
        let parameter = tune(&text[place.clone()], &parameter).unwrap_or(parameter);
        let is_fixed = !is_asked && FIXED.is_match(name) || is_structure(name, &code, &place, language, text, &pieces);
        if is_fixed || !taken.insert(variable(name)) {
            continue;
        }
        let replacement = replacement(&text[place.clone()], &parts, &parameter, language, scopes[i]);
        let doubt = match () {
            () if is_asked => None,
            () if SIZES.is_match(name) => Some(SIZE),
            () => is_iterations(&parameter, &code).then_some(ITERATIONS),
        };
        found.push(Constant { parameter, line: i + 1, place, replacement, doubt });
    }
    found
}

static TUNE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:#|//|/\*).*@tune\b"));
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"[-+]?[0-9.][0-9_'.]*(?:[eE][-+]?[0-9]+)?";
    regex(&format!(r"@tune\s+(?<low>{number})[fFlLuU]{{0,3}}\s+(?<high>{number})[fFlLuU]{{0,3}}(?<log>\s+log\b)?"))
});

/// Returns the constants marked by comments such as `// @tune 10 200 log`, the notation of AHC Plaza, and the marked
/// lines that cannot be taken.
pub fn tuned(text: &str, language: Language) -> (Vec<Constant>, Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = constants(text, language);
    found.retain(|constant| tune(lines[constant.line - 1], &constant.parameter).is_some());
    let is_taken = |line: usize| found.iter().any(|constant| constant.line == line);
    let others =
        (1..).zip(&lines).filter(|(i, line)| TUNE.is_match(line) && !line.contains("evolve:") && !is_taken(*i));
    let others = others.map(|(i, line)| format!("line {i}: {}", line.trim())).collect();
    (found, others)
}

/// Returns the parameter with the range that its line requests.
fn tune(line: &str, parameter: &Parameter) -> Option<Parameter> {
    if parameter.kind == model::Kind::Switch {
        return TUNE.is_match(line).then(|| parameter.clone());
    }
    let asked = RANGE.captures(line)?;
    let value = |name: &str| asked[name].replace(['_', '\''], "").parse::<f64>().ok();
    let (low, high) = (value("low")?, value("high")?);
    let log = asked.name("log").is_some();
    let holds = low < high && (low..=high).contains(&parameter.start) && !(log && low <= 0.0);
    let name = parameter.name.as_str();
    let ranged = match parameter.kind {
        _ if !holds => return None,
        model::Kind::Int { .. } => Parameter::int(name, low.ceil() as i64, high.floor() as i64, parameter.start as i64),
        model::Kind::Float { .. } => Parameter::float(name, low, high, parameter.start),
        _ => return None,
    };
    Some(if log { ranged.log() } else { ranged })
}

/// Matches the declaration of a constant in a line; `is_asked` if its comment asks to tune it.
fn declaration<'t>(line: &'t str, language: Language, scope: Scope, is_asked: bool) -> Option<Captures<'t>> {
    match language {
        Language::C | Language::Cpp => {
            let parts = CPP.captures(line).or_else(|| DEFINE.captures(line))?;
            let words = parts.name("type").map_or("const", |kind| kind.as_str());
            let is_constant = words.split_whitespace().any(|word| word == "const" || word == "constexpr");
            let is_capital = parts["name"].starts_with(|c: char| c.is_ascii_uppercase());
            let is_global = scope == Scope::Top && (is_capital || is_asked);
            let is_other =
                words.split_whitespace().any(|word| ["return", "using", "typedef", "extern"].contains(&word));
            (scope != Scope::Class && (is_constant || is_global) && !is_other).then_some(parts)
        }
        Language::Rust => RUST.captures(line).filter(|_| scope != Scope::Class),
        Language::Python => PYTHON.captures(line),
        Language::Slashes | Language::Hashes => OTHERS.captures(line),
        Language::Dashes | Language::Other => None,
    }
}

/// Returns whether a number counts iterations, by its name or as the large bound of a loop.
fn is_iterations(parameter: &Parameter, code: &str) -> bool {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)^(?:.*_)?(?:n|num|max)?(?:iter|loop|epoch)(?:s|ations?)?(?:_(?:n|num|max|count))?$|^(?:n|num|max)_?steps$",
        )
    });
    // Smaller bounds are mostly widths and depths.
    const LARGE: f64 = 1000.0;
    let bounds = || {
        let any = [
            r"\bfor\b[^;{}]*;[^;{}]*[<>]=?\s*NAME\b",
            r"\bwhile\b[^;{}\n]*<=?\s*NAME\b",
            r"\brange\((?:\s*\d+\s*,)?\s*NAME\s*\)",
            r"\.\.=?\s*NAME\b",
        ];
        regex(&any.join("|").replace("NAME", &parameter.name)).is_match(code)
    };
    matches!(parameter.kind, model::Kind::Int { .. })
        && (NAME.is_match(&parameter.name) || parameter.start >= LARGE && bounds())
}

/// Returns whether a constant is used where the language requires constants: in the size of an array, another constant
/// or a pattern.
fn is_structure(name: &str, code: &str, own: &Range<usize>, language: Language, text: &str, pieces: &[Piece]) -> bool {
    let used = |patterns: &[&str]| {
        let all = patterns.iter().map(|pattern| pattern.replace("NAME", name)).collect::<Vec<_>>().join("|");
        let regex = regex(&all);
        regex.is_match(&code[..own.start]) || regex.is_match(&code[own.end..])
    };
    match language {
        Language::C | Language::Cpp => used(&[
            r"\[[^\[\]\n]*\bNAME\b[^\[\]\n]*\]",
            r"\b(?:array|bitset)\s*<[^;\n]*\bNAME\b",
            r"\bconstexpr\b[^;\n]*=[^;\n]*\bNAME\b",
            r"\bcase\s+NAME\b",
            r"(?m)^\s*#\s*\w+[^\n]*\bNAME\b",
            r"\b(?:enum|static_assert)\b[^;]*\bNAME\b",
        ]),
        Language::Rust => {
            let named = regex(&format!(r"\{{{name}\b"));
            let texts = pieces.iter().filter(|piece| piece.kind == PieceKind::Text);
            texts.into_iter().any(|piece| named.is_match(&text[piece.place.clone()]))
                || used(&[
                    r"\[[^\[\]]*;[^\[\]]*\bNAME\b[^\[\]]*\]",
                    r"\b(?:const|static)\b[^;]*\bNAME\b",
                    r"\bNAME\b\s*(?:=>|\.\.|\|[^|])",
                    r"(?:::|\.\.=?|[<,]\s*)NAME\b\s*[>,;]|::\s*NAME\b",
                    r"\buse\b[^;]*\bNAME\b",
                ])
        }
        _ => false,
    }
}

/// Returns the scope at the start of each line, judged by the text before the enclosing braces.
fn scopes(code: &str) -> Vec<Scope> {
    static CLASS: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:struct|class|union|enum|trait|impl)\b"));
    static SPACE: LazyLock<Regex> = LazyLock::new(|| regex(r"\b(?:namespace|mod|extern)\b"));
    let mut open = vec![Scope::Top];
    let mut scopes = vec![Scope::Top];
    let mut head = 0;
    for (at, c) in code.char_indices() {
        let inner = *open.last().expect("the top stays");
        match c {
            '{' => open.push(match &code[head..at] {
                head if CLASS.is_match(head) => Scope::Class,
                head if inner == Scope::Top && SPACE.is_match(head) => Scope::Top,
                _ => Scope::Body,
            }),
            '}' if open.len() > 1 => drop(open.pop()),
            '\n' => scopes.push(inner),
            _ => {}
        }
        if matches!(c, '{' | '}' | ';') {
            head = at + 1;
        }
    }
    scopes
}

/// Returns the line that reads a parameter and declares it by a marker.
fn replacement(line: &str, parts: &Captures<'_>, parameter: &Parameter, language: Language, scope: Scope) -> String {
    let (name, value) = (&parts["name"], &parts["value"]);
    let indent = &line[..line.len() - line.trim_start().len()];
    let environment = variable(name);
    let code = match language {
        Language::Cpp => {
            let words: Vec<&str> =
                parts.name("type").map_or("const auto", |kind| kind.as_str()).split_whitespace().collect();
            let is_qualifier = |word: &str| ["static", "inline", "const", "constexpr", "thread_local"].contains(&word);
            let mut kind = words.iter().copied().filter(|word| !is_qualifier(word)).collect::<Vec<_>>().join(" ");
            let mut before: Vec<&str> = words.iter().copied().filter(|word| is_qualifier(word)).collect();
            before.iter_mut().filter(|word| **word == "constexpr").for_each(|word| *word = "const");
            before.dedup();
            // `static` reads the parameter only once, however often the function is called.
            if scope == Scope::Body && !before.contains(&"static") {
                before.insert(0, "static");
            }
            if kind == "auto" || kind.is_empty() {
                kind = match value.to_ascii_lowercase().as_str() {
                    "true" | "false" => "bool",
                    value if value.contains(['.', 'e', 'f']) => "double",
                    _ => "int",
                }
                .to_string();
            }
            let before: String = before.iter().map(|word| format!("{word} ")).collect();
            format!("{before}{kind} {name} = evolve_param<{kind}>(\"{environment}\", {value});")
        }
        Language::Rust => {
            let (before, kind) = (parts.name("pub").map_or("", |before| before.as_str()), &parts["type"]);
            format!("{before}static {name}: Tuned<{kind}> = Tuned::new(|| evolve_param(\"{environment}\", {value}));")
        }
        Language::Python => {
            let kind = parts.name("type").map(|kind| format!(": {}", kind.as_str())).unwrap_or_default();
            format!("{name}{kind} = evolve_param(\"{environment}\", {value})")
        }
        _ => parts[0].trim().to_string(),
    };
    // Move an existing comment above the line, because the marker must end the line.
    let comment = line[parts[0].trim_end().len()..].trim();
    let above = if comment.is_empty() { String::new() } else { format!("{indent}{comment}\n") };
    let sign = match language {
        Language::Python | Language::Hashes => "  #",
        _ => " //",
    };
    format!("{above}{indent}{code}{sign} {}", marker(parameter))
}
