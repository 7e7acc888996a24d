//! Finds constants in a source that a tuner could set.

use super::brackets::{Brackets, Scope};
use super::literal::{Numbers, around, marker};
use super::sites::{LeftOut, Site, Sites, Way, number};
use super::{regex, unmarked};
use evolve_program::parameters::{reserved, variable};
use evolve_program::source::{Language, PieceKind, blanked};
use evolve_search::document::text::line_start;
use evolve_search::model::parameter::{self as model, Parameter};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A constant that could become a parameter.
#[derive(Clone, Debug)]
pub struct Constant {
    pub parameter: Parameter,
    pub line: usize,
    /// The list that it is an element of.
    pub list: Option<String>,
    /// Why it should be no parameter unless the user chooses it; `None` for a usual one.
    pub doubt: Option<&'static str>,
    pub(super) site: Site,
}

impl Constant {
    /// Returns the proposed range, as its marker declares it.
    pub fn range(&self) -> String {
        marker(&self.parameter).replacen("evolve: ", "", 1)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Those that could become parameters, by line.
    pub found: Vec<Constant>,
    /// Those that could not.
    pub left_out: Vec<LeftOut>,
}

/// The doubts about a constant. A search would only raise a number of iterations.
const ITERATIONS: &str = "more iterations are usually better, and slower";
const SIZE: &str = "by its name, it is a size";
const WHOLE: &str = "a whole number that is no declared constant may belong to the problem";
static SIZES: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)size|length|capacity|buffer"));
/// Names of constants that are not parameters: dimensions, limits, and constants of mathematics.
static FIXED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:(?:.*_)?inf(?:ty|inity)?|eps(?:ilon)?|pi|tau|mod(?:ulo)?|[nmhw]|d[a-z]|dirs?|directions?|tle?|(?:max|min)_?[nmhw]|(?:.*_)?seed_?[0-9]*|.*(?:time|limit|deadline|version|mask).*|.*_(?:ms|sec|secs))$",
    )
});

/// The reasons to leave out a constant.
const BY_NAME: &str = "by its name, a dimension, a limit, a seed or a constant of mathematics";
const STRUCTURE: &str = "used where the language needs a constant, such as the size of an array";
const TWICE: &str = "declared more than once";
const TAKEN: &str = "its name has another meaning in jobs";
const COMMENT: &str = "its comment continues on the next line";
const OCTAL: &str = "octal, larger than 1e12, or too large for its type";

/// Returns the unmarked constants of a text, with those that cannot become parameters.
pub fn constants(text: &str, language: Language) -> Constants {
    let text = unmarked(text);
    let mut sites = Sites::of(text, language);
    let mut left_out = std::mem::take(&mut sites.left_out);
    let code = blanked(text, &sites.pieces, &[PieceKind::Comment, PieceKind::Text]);
    let mut found = Vec::new();
    let mut marked = Vec::new();
    for site in &sites.found {
        let whole = line_of(text, site.literal.start);
        if whole.contains("evolve:") {
            marked.push(variable(&site.name));
            continue;
        }
        let is_asked = TUNE.is_match(whole);
        let parameter = proposed(site, text).map(|parameter| tune(whole, &parameter).unwrap_or(parameter));
        let reason = match &parameter {
            None => Some(if FIXED.is_match(&site.name) { BY_NAME } else { OCTAL }),
            Some(_) if site.way == Way::Variable && is_changed(site, &sites.code, language) => Some(TWICE),
            Some(parameter) => why_not(site, parameter, is_asked, &code, language, &sites),
        };
        let line = sites.line(site.literal.start);
        match (parameter, reason) {
            (Some(parameter), None) => {
                let doubt = if is_asked { None } else { doubt(site, &parameter, &code) };
                let list = site.list.clone();
                found.push(Constant { parameter, line, list, doubt, site: site.clone() });
            }
            (_, Some(reason)) if is_declared(site) => {
                let name = site.list.as_ref().unwrap_or(&site.name).clone();
                left_out.push(LeftOut { name, line, reason });
            }
            _ => {}
        }
    }
    // A variable that shares its name with a constant is another one.
    let mut names: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for constant in &found {
        names.entry(variable(&constant.parameter.name)).or_default()[usize::from(is_declared(&constant.site))] += 1;
    }
    found.retain(|constant| {
        let own = variable(&constant.parameter.name);
        let [others, declared] = names[&own];
        let is_declared = is_declared(&constant.site);
        let is_only = if is_declared { declared == 1 } else { declared == 0 && others == 1 };
        let reason = match () {
            () if reserved().any(|name| variable(name) == own) => TAKEN,
            () if marked.contains(&own) || !is_only => TWICE,
            () => return true,
        };
        if is_declared {
            left_out.push(LeftOut { name: constant.parameter.name.clone(), line: constant.line, reason });
        }
        false
    });
    let lines: Vec<&str> = text.lines().collect();
    left_out.retain(|left_out| !lines[left_out.line - 1].contains("evolve:"));
    left_out.sort_by_key(|left_out| left_out.line);
    left_out.dedup_by(|a, b| (&a.name, a.reason) == (&b.name, b.reason));
    Constants { found, left_out }
}

fn line_of(text: &str, at: usize) -> &str {
    text[line_start(text, at)..].lines().next().unwrap_or_default()
}

/// Returns whether a declaration says that its value is constant or a parameter.
fn is_declared(site: &Site) -> bool {
    matches!(site.way, Way::Constant | Way::Parameter)
}

fn proposed(site: &Site, text: &str) -> Option<Parameter> {
    let is_whole = site.numbers.as_ref().map(Numbers::are_whole);
    let parameter = around(&site.name, number(&text[site.literal.clone()]), is_whole)?;
    match &site.numbers {
        Some(numbers) => numbers.limit(parameter),
        None => Some(parameter),
    }
}

fn why_not(
    site: &Site,
    parameter: &Parameter,
    is_asked: bool,
    code: &str,
    language: Language,
    sites: &Sites<'_>,
) -> Option<&'static str> {
    /// Larger numbers stand for infinity.
    const INFINITE: f64 = 1e8;
    let name = site.list.as_ref().unwrap_or(&site.name);
    let is_switch = parameter.kind == model::Kind::Switch;
    let start = parameter.start;
    // Variables begin with such values in order to change.
    let is_usual = is_switch || [-1.0, 0.0, 1.0].contains(&start) || start.abs() >= INFINITE;
    let line_end = sites.text[site.literal.end..].find('\n').map_or(sites.text.len(), |end| site.literal.end + end);
    let goes_on = sites.pieces.iter().any(|piece| {
        piece.kind == PieceKind::Comment
            && (site.literal.end..line_end).contains(&piece.place.start)
            && piece.place.end > line_end
    });
    match () {
        () if goes_on => Some(COMMENT),
        () if is_structure(site, code, language, sites) => Some(STRUCTURE),
        () if is_asked => None,
        () if FIXED.is_match(name) => Some(BY_NAME),
        () if !is_declared(site) && is_usual && site.list.is_none() => Some(BY_NAME),
        () => None,
    }
}

fn doubt(site: &Site, parameter: &Parameter, code: &str) -> Option<&'static str> {
    match () {
        () if SIZES.is_match(&parameter.name) => Some(SIZE),
        () if is_iterations(parameter, code) => Some(ITERATIONS),
        () if !is_declared(site) && matches!(parameter.kind, model::Kind::Int { .. }) => Some(WHOLE),
        () => None,
    }
}

/// Returns whether a variable may change after its declaration.
fn is_changed(site: &Site, code: &str, language: Language) -> bool {
    // Only mutable variables of Rust change.
    if language == Language::Rust {
        return false;
    }
    let any = [
        r"\bNAME\b(?:\s*\[[^\]\n]*\])*\s*(?:[-+*/%&|^]|<<|>>|//|\*\*)?=(?:[^=]|$)",
        r"\bNAME\b(?:\s*\[[^\]\n]*\])*\s*(?:\+\+|--)",
        r"(?:\+\+|--)\s*NAME\b",
        r">>\s*NAME\b",
        // Through a reference that is not constant.
        r"(?:^|[;{}(,])\s*[A-Za-z_][\w:]*\s*&{1,2}\s*[A-Za-z_]\w*\s*[=:]\s*NAME\b",
        r"(?:^|[^&])&NAME\b",
        r"\bNAME\s*\.\s*(?:append|push_back|emplace_back|extend|pop|sort|resize|insert|assign|clear)\b",
        r"\b(?:swap|ch_?max|ch_?min|read|input|scan|cin|shuffle|sort)\w*\s*\((?:[^;()]*,)?\s*&?NAME\b",
        r"\bfor\s+NAME\b|\b(?:as|global|nonlocal)\s+NAME\b|\bNAME\s*,[\w\s,]*=[^=]|,\s*NAME\s*=[^=]",
        r"\bNAME\s*\([^()]*\)\s*[,{]",
    ];
    let changed = regex(&any.join("|").replace("NAME", site.list.as_ref().unwrap_or(&site.name)));
    let (before, behind) = (site.valid.start..site.declared.start, site.declared.end..site.valid.end);
    [before, behind].into_iter().filter(|place| place.start < place.end).any(|place| changed.is_match(&code[place]))
}

static TUNE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:#|//|/\*).*@tune\b"));
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"[-+]?[0-9.][0-9_'.]*(?:[eE][-+]?[0-9]+)?";
    regex(&format!(r"@tune\s+(?<low>{number})[fFlLuU]{{0,3}}\s+(?<high>{number})[fFlLuU]{{0,3}}(?<log>\s+log\b)?"))
});

/// Returns the constants marked by comments such as `// @tune 10 200 log`, the notation of AHC
/// Plaza, and the marked lines that cannot be taken.
pub fn tuned(text: &str, language: Language) -> (Vec<Constant>, Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = constants(text, language).found;
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
    let is_range = low < high && (low..=high).contains(&parameter.start) && !(log && low <= 0.0);
    let name = parameter.name.as_str();
    let ranged = match parameter.kind {
        _ if !is_range => return None,
        model::Kind::Int { .. } => Parameter::int(name, low.ceil() as i64, high.floor() as i64, parameter.start as i64),
        model::Kind::Float { .. } => Parameter::float(name, low, high, parameter.start),
        _ => return None,
    };
    Some(if log { ranged.log() } else { ranged })
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

/// Returns whether a constant is used where the language requires constants: in the size of an
/// array, another constant or a pattern.
fn is_structure(site: &Site, code: &str, language: Language, sites: &Sites<'_>) -> bool {
    /// Matches arguments of a generic type.
    const TYPES: &str = r"(?:[\w\s:,'&]|<[\w\s:,'&]*>|\[[^\[\]]*\])*";
    let name = site.lazy.as_ref().or(site.list.as_ref()).unwrap_or(&site.name);
    let own = &site.declared;
    let used = |patterns: &[&str]| {
        let all = patterns.iter().map(|pattern| pattern.replace("NAME", name)).collect::<Vec<_>>().join("|");
        let regex = regex(&all);
        regex.is_match(&code[..own.start]) || regex.is_match(&code[own.end..])
    };
    match language {
        // The elements of a list are not sizes.
        Language::C | Language::Cpp if site.list.is_some() => used(&[r"\bconstexpr\b[^;\n]*=[^;\n]*\bNAME\b"]),
        Language::C | Language::Cpp => used(&[
            r"\[[^\[\]\n]*\bNAME\b[^\[\]\n]*\]",
            r"\b(?:array|bitset)\s*<[^;\n]*\bNAME\b",
            r"\bconstexpr\b[^;\n]*=[^;\n]*\bNAME\b",
            r"\bcase\s+NAME\b",
            r"(?m)^\s*#\s*\w+[^\n]*\bNAME\b",
            r"\b(?:enum|static_assert)\b[^;]*\bNAME\b",
        ]),
        Language::Rust if site.lazy.is_some() => {
            let named = regex(&format!(r"\{{{name}\b"));
            let mut texts = sites.pieces.iter().filter(|piece| piece.kind == PieceKind::Text);
            texts.any(|piece| named.is_match(&sites.text[piece.place.clone()]))
                || used(&[
                    r"\b(?:const|static)\b[^;]*\bNAME\b",
                    // Patterns.
                    r"\bNAME\b\s*(?:=>|\.\.|\|[^|])",
                    r"[(,]\s*NAME\b[^{}();=]*\)\s*=>",
                    // The constants of generic types, which have no space before their bracket.
                    &format!(r"[\w:]<{TYPES}\bNAME\b\s*(?:,{TYPES})?>"),
                    r"[<,]\s*\{[^{};]*\bNAME\b[^{};]*\}\s*[>,]",
                    r"::\s*NAME\b",
                    r"\buse\b[^;]*\bNAME\b",
                ])
                || {
                    let places = regex(&format!(r"\b{name}\b"));
                    let places: Vec<usize> = places.find_iter(&sites.code).map(|found| found.start()).collect();
                    places.into_iter().any(|at| !own.contains(&at) && is_length(&sites.brackets, &sites.code, at))
                }
        }
        _ => false,
    }
}

/// Returns whether a place is in the length of an array of Rust, as in `[0; 3 * N]`. The length of
/// a `vec![0; N]` need not be constant.
fn is_length(brackets: &Brackets, code: &str, at: usize) -> bool {
    let around =
        brackets.around(at).take_while(|pair| !matches!(pair.scope, Scope::Body | Scope::Class | Scope::Module));
    let mut squares = around.filter(|pair| pair.scope == Scope::Square);
    squares.any(|pair| code[pair.open..at].contains(';') && !code[..pair.open].ends_with('!'))
}
