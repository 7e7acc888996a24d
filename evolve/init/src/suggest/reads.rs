//! Finds values that a program reads from its environment and arguments, with their defaults.

use super::arguments::{accesses, assigned, statement};
use super::helpers::calls;
use super::literal::{LITERAL, around};
use super::unmarked;
use super::way::Way;
use evolve_program::parameters::variable;
use evolve_program::source::{Language, PieceKind, blanked, scan};
use evolve_search::model::parameter::Parameter;
use regex::Regex;
use std::sync::LazyLock;

/// A value that a program reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    pub parameter: Parameter,
    pub way: Way,
    pub line: usize,
    /// Whether the source has a default; otherwise, the parameter's start and range are guesses.
    pub has_default: bool,
}

fn regex(text: &str) -> Regex {
    let literal = format!("(?:0[xX][0-9A-Fa-f]+[uUlL]{{0,3}}|{LITERAL})");
    Regex::new(&text.replace("LITERAL", &literal)).expect("a regex")
}

/// Matches the beginning of an access to an environment variable, up to its name.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?:\benviron\.get|\bgetenv|\bGetenv|\benv::var(?:_os)?|\bENV\.fetch|\benviron\[|\bENV\[)\s*\(?\s*["'](?<name>[A-Za-z_]\w*)["']|\bprocess\.env\.(?<js>[A-Za-z_]\w*)"#,
    )
});
/// Matches a call with the name of a variable and a default, which is a literal or a constant.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"\b(?<call>[A-Za-z_][\w:.]*)(?:<[\w: ]*>)?\(\s*["'](?<name>[A-Za-z_]\w*)["']\s*,\s*(?:(?<value>LITERAL)|(?<known>[A-Za-z_]\w*))\s*\)"#,
    )
});
/// Match the default after an argument: `k = argc > 1 ? atoi(argv[1]) : 5`, `int(sys.argv[1]) if
/// len(sys.argv) > 1 else 5`, `args().nth(1).and_then(..).unwrap_or(5)`.
static ARGUMENT_DEFAULTS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        regex(r"^[^;?:]*:\s*(?<value>LITERAL)\s*[;,]"),
        regex(r"^[^\n]*?\bif\b[^\n]*\belse\s+(?<value>LITERAL)"),
        regex(r"\b(?:unwrap_or|map_or)\(\s*(?<value>LITERAL)"),
    ]
});
/// Matches the text before an argument that is read as a number.
static PARSED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(?:ato(?:i|l|ll|f)|sto[a-z]+|strto[a-z]+|int|float|Number|parse(?:Int|Float))\(\s*$"));
/// Matches an option with a default: `parser.add_argument("--width", type=int, default=20)`.
static OPTION: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"\badd_argument\(\s*(?:["']-\w["']\s*,\s*)?["']--(?<name>[A-Za-z][\w-]*)["'](?<read>[^()\n]*)\bdefault\s*=\s*(?<value>LITERAL)\b"#,
    )
});
/// Match the default that follows the name of a variable.
static DEFAULTS: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    [
        regex(r#"^\s*\]?,\s*["']?(?<value>LITERAL)\b"#),
        regex(r#"\b(?:unwrap_or(?:_else)?|map_or)\(\s*(?:\|_?\w*\|\s*)?["']?(?<value>LITERAL)"#),
        regex(r#"(?:\?\?|\|\||\bor)\s*["']?(?<value>LITERAL)\b"#),
        regex(r#"\?(?s:.)*?[^:]:\s*(?<value>LITERAL)\s*[;,)]"#),
    ]
});
static FLOAT: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(?:float|double|f64|f32|atof|stod|stof|strtod|strtof|parseFloat|ParseFloat|to_f)\b"));
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(?:int|long|atoi|atol|atoll|stoi|stol|stoll|strtol|strtoll|[iu](?:8|16|32|64|128|size)|size_t|parseInt|Atoi|to_i)\b",
    )
});
/// Matches the base of a number that a program reads as hexadecimal.
static HEXADECIMAL: LazyLock<Regex> = LazyLock::new(|| regex(r",\s*16\s*\)"));
/// Matches variables that concern the machine rather than tuning.
static FOREIGN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:path|home|user|tmpdir|tmp|lang|shell|pwd|local|atcoder|online_judge|evolve_worker|.*(?:debug|verbose|seed|log|backtrace|time|limit).*)$",
    )
});

/// Returns the values that a text reads, each name once.
pub fn reads(text: &str, language: Language) -> Vec<Read> {
    let text = unmarked(text);
    let text = &blanked(text, &scan(text, language), &[PieceKind::Comment]);
    let mut found: Vec<Read> = Vec::new();
    let mut add = |at: usize, way: Way, parameter: Parameter, has_default: bool| {
        let line = text[..at].matches('\n').count() + 1;
        match found.iter_mut().find(|read| read.parameter.name == parameter.name) {
            Some(read) if has_default && !read.has_default => *read = Read { parameter, way, line, has_default },
            Some(_) => {}
            None => found.push(Read { parameter, way, line, has_default }),
        }
    };
    let mut any = false;
    for parts in VARIABLE.captures_iter(text) {
        any = true;
        let name = parts.name("name").or_else(|| parts.name("js")).expect("one of them");
        let statement = statement(text, name.start(), language);
        let end = parts.get(0).expect("it matched").end();
        let behind = &text[end..statement.1.max(end)];
        // Jobs pass decimal numbers.
        if FOREIGN.is_match(name.as_str()) || HEXADECIMAL.is_match(behind) {
            continue;
        }
        let (mut whole, mut value) = (is_whole(&text[statement.0..statement.1]), default(behind));
        if value.is_none()
            && let Some((through, context)) =
                through(text, &text[statement.0..name.start()], behind, &text[statement.1..])
        {
            (whole, value) = (is_whole(context).or(whole), Some(through));
        }
        let parameter = value.and_then(|value| proposed(name.as_str(), value, whole));
        let way = Way::Variable(name.as_str().to_string());
        match parameter {
            Some(parameter) => add(name.start(), way, parameter, true),
            // A default such as a text or a path is not a parameter.
            None if !has_other_default(behind) && whole.is_some() => {
                add(name.start(), way, guess(name.as_str(), whole), false);
            }
            None => {}
        }
    }
    for parts in CALL.captures_iter(text) {
        let (name, call) = (&parts["name"], &parts["call"]);
        let of_evolve = call.ends_with("evolve::param") || call.ends_with("evolve.param");
        let is_variable = any && name.contains('_') && !name.contains(|c: char| c.is_ascii_lowercase());
        if !(of_evolve || is_variable) || FOREIGN.is_match(name) {
            continue;
        }
        let value = match parts.name("value") {
            Some(value) => Some(value.as_str()),
            None => declared(text, &parts["known"]),
        };
        let at = parts.get(0).expect("it matched").start();
        let (from, to) = statement(text, at, language);
        let whole = is_whole(&text[from..to]);
        if let Some(parameter) = value.and_then(|value| proposed(name, value, whole)) {
            let way = Way::Variable(if of_evolve { variable(name) } else { name.to_string() });
            add(at, way, parameter, true);
        }
    }
    for call in calls(text, language) {
        let (from, to) = statement(text, call.at, language);
        let name = match &call.way {
            Way::Variable(name) => Some(name.clone()),
            Way::Option(option) => Some(option.trim_start_matches('-').replace('-', "_")),
            _ => assigned(&text[from..call.at], language).map(String::from),
        };
        let Some(name) = name.filter(|name| !FOREIGN.is_match(name)) else { continue };
        let is_name = call.default.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let value = declared(text, call.default).filter(|_| is_name).unwrap_or(call.default);
        if let Some(parameter) = proposed(&name, value, is_whole(&text[from..to])) {
            add(call.at, call.way, parameter, true);
        }
    }
    for access in accesses(text, language).iter().filter(|access| !access.is_seed) {
        let Some(name) = access.name.filter(|name| !FOREIGN.is_match(name)) else { continue };
        let (at, whole) = (access.start + access.before.len(), is_whole(access.statement));
        let is_parsed = PARSED.is_match(access.before) || access.behind.contains(".parse");
        let value = ARGUMENT_DEFAULTS.iter().find_map(|regex| regex.captures(access.behind));
        let value = value.and_then(|parts| Some(parts.name("value")?.as_str()));
        let value = value.or_else(|| declared(&text[..access.start], name).filter(|_| is_parsed));
        match value.map(|value| proposed(name, value, whole)) {
            Some(Some(parameter)) => add(at, Way::Argument(access.place), parameter, true),
            None if is_parsed => add(at, Way::Argument(access.place), guess(name, whole), false),
            _ => {}
        }
    }
    for parts in OPTION.captures_iter(text) {
        let name = &parts["name"];
        let parameter = proposed(&name.replace('-', "_"), &parts["value"], is_whole(&parts["read"]));
        if let (Some(parameter), false) = (parameter, FOREIGN.is_match(name)) {
            let way = Way::Option(format!("--{name}"));
            add(parts.get(0).expect("it matched").start(), way, parameter, true);
        }
    }
    found
}

/// Proposes a parameter for a default, which may be hexadecimal.
fn proposed(name: &str, default: &str, whole: Option<bool>) -> Option<Parameter> {
    let Some(digits) = default.strip_prefix("0x").or(default.strip_prefix("0X")) else {
        return around(name, default, whole);
    };
    let value = i64::from_str_radix(digits.trim_end_matches(['u', 'U', 'l', 'L']), 16).ok()?;
    around(name, &value.to_string(), whole)
}

/// Proposes a parameter for a value without a known default.
fn guess(name: &str, whole: Option<bool>) -> Parameter {
    if whole == Some(true) { Parameter::int(name, 1, 20, 5) } else { Parameter::float(name, -10.0, 10.0, 1.0) }
}

fn is_whole(context: &str) -> Option<bool> {
    if FLOAT.is_match(context) { Some(false) } else { WHOLE.is_match(context).then_some(true) }
}

fn default(behind: &str) -> Option<&str> {
    DEFAULTS.iter().find_map(|regex| Some(regex.captures(behind)?.name("value")?.as_str()))
}

/// Returns whether the default is not a literal.
fn has_other_default(behind: &str) -> bool {
    behind.trim_start().starts_with(',')
}

/// Finds a default that is set through a variable, with evidence of its type: `char *e =
/// getenv("K"); int k = e ? atoi(e) : 5;`, or `if (char *e = getenv("K")) k = atoi(e);` where `k =
/// 5` is set elsewhere.
fn through<'t>(text: &'t str, before: &str, behind: &'t str, after: &'t str) -> Option<(&'t str, &'t str)> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| regex(r"([A-Za-z_]\w*)\s*=\s*(?:std::)?getenv\(\s*.$"));
    static SET: LazyLock<Regex> = LazyLock::new(|| regex(r"^\)\s*\)\s*\{?\s*(?<name>[A-Za-z_]\w*)\s*=[^;=]*"));
    if let Some(set) = SET.captures(behind) {
        return Some((declared(text, &set["name"])?, set.get(0)?.as_str()));
    }
    let name = &NAME.captures(before)?[1];
    let ternary = regex(&format!(r"^[^;]*\b{name}\b[^;?]*\?[^;?]*?[^:]:\s*(?<value>LITERAL)\s*[;,)]"));
    let found = ternary.captures(after)?;
    Some((found.name("value")?.as_str(), found.get(0)?.as_str()))
}

/// Returns the literal in the first assignment to a name.
fn declared<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let set = regex(&format!(r"\b{name}\b(?:\s*:\s*\w+)?\s*=\s*(?<value>LITERAL)\b"));
    Some(set.captures(text)?.name("value")?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_with_their_defaults() {
        for (language, text, parameter, way) in [
            (
                Language::Python,
                "x = float(os.environ.get('AHC_X', '60'))",
                Parameter::float("AHC_X", 6.0, 600.0, 60.0).log(),
                "AHC_X",
            ),
            (Language::Python, "k = int(os.getenv(\"AHC_K\", 5))", Parameter::int("AHC_K", 1, 20, 5), "AHC_K"),
            (Language::Python, "k = int(os.getenv('AHC_K') or 5)", Parameter::int("AHC_K", 1, 20, 5), "AHC_K"),
            (Language::Cpp, "int k = getenv(\"K\") ? atoi(getenv(\"K\")) : 5;", Parameter::int("K", 1, 20, 5), "K"),
            (
                Language::Cpp,
                "const char *e = std::getenv(\"T\");\ndouble t = e ? std::atof(e) : 5;",
                Parameter::float("T", 0.5, 50.0, 5.0).log(),
                "T",
            ),
            (Language::Cpp, "int k = 5;\nif (auto e = getenv(\"K\")) k = stoi(e);", Parameter::int("K", 1, 20, 5), "K"),
            (
                Language::Cpp,
                "double param(const char *n, double d) { auto e = getenv(n); return e ? atof(e) : d; }\nauto t = getenv(\"LOCAL\");\ndouble k = param(\"AHC_T\", 2.5);",
                Parameter::float("AHC_T", 0.25, 25.0, 2.5).log(),
                "AHC_T",
            ),
            (
                Language::Cpp,
                "int k = getenv(\"K\") ? strtol(getenv(\"K\"), 0, 0) : 0x5;",
                Parameter::int("K", 1, 20, 5),
                "K",
            ),
            (Language::Python, "\u{feff}k = int(os.getenv('K', 5))", Parameter::int("K", 1, 20, 5), "K"),
            (Language::Cpp, "int k = evolve::param(\"k\", 5);", Parameter::int("k", 1, 20, 5), "EVOLVE_K"),
            (
                Language::Rust,
                "let t: f64 = std::env::var(\"AHC_T\").ok().and_then(|s| s.parse().ok()).unwrap_or(2.5);",
                Parameter::float("AHC_T", 0.25, 25.0, 2.5).log(),
                "AHC_T",
            ),
            (
                Language::Rust,
                "let k = env::var(\"K\").unwrap_or_else(|_| \"5\".to_string()).parse::<usize>().unwrap();",
                Parameter::int("K", 1, 20, 5),
                "K",
            ),
            (Language::Slashes, "const k = Number(process.env.K ?? 5);", Parameter::int("K", 1, 20, 5), "K"),
        ] {
            let found = reads(text, language);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].parameter, parameter, "{text}");
            assert_eq!(found[0].way, Way::Variable(way.to_string()), "{text}");
            assert!(found[0].has_default);
        }
        let bare = reads("\nx = float(os.getenv(\"AHC_PARAM1\"))\n", Language::Python);
        assert_eq!((bare[0].parameter.name.as_str(), bare[0].line, bare[0].has_default), ("AHC_PARAM1", 2, false));
        for none in [
            "char *h = getenv(\"HOME\");",
            "// getenv(\"K\") ? 1 : 5;",
            "string s = f(\"AHC_NAME\", 5);",
            "s = getenv(\"MODE\");",
            "int k = getenv(\"K\") ? strtol(getenv(\"K\"), 0, 16) : 0x10;",
        ] {
            assert_eq!(reads(none, Language::Cpp), [], "{none}");
        }
    }

    /// A program's own functions that read the environment or arguments.
    #[test]
    fn calls_of_functions_that_read_are_found() {
        let x = || Parameter::int("X", 1, 100, 10).log();
        let width = |name: &str| Parameter::float(name, 0.25, 25.0, 2.5).log();
        for (language, text, parameter, way) in [
            (
                Language::Cpp,
                "int get_env(const char* key, int fallback) {\n  const char* s = std::getenv(key);\n  return s ? \
                 atoi(s) : fallback;\n}\nint main() { int x = get_env(\"X\", 10); }",
                x(),
                Way::Variable("X".to_string()),
            ),
            (
                Language::Cpp,
                "template<class T> T env(const std::string& k, T d) { auto s = getenv(k.c_str()); return s ? T(stod(s)) \
                 : d; }\nconst double w = env<double>(\"width\", 2.5);",
                width("width"),
                Way::Variable("width".to_string()),
            ),
            (
                Language::Cpp,
                "int main(int argc, char** argv) {\n  auto arg = [&](int i, double d) { return argc > i ? atof(argv[i]) \
                 : d; };\n  double width = arg(1, 2.5);\n}",
                width("width"),
                Way::Argument(1),
            ),
            (
                Language::Rust,
                "fn get_env<T: FromStr>(key: &str, default: T) -> T {\n    std::env::var(key).ok().and_then(|s| \
                 s.parse().ok()).unwrap_or(default)\n}\nfn main() { let width: f64 = get_env(\"width\", 2.5); }",
                width("width"),
                Way::Variable("width".to_string()),
            ),
            (
                Language::Python,
                "X = 10\ndef get(name, default):\n    v = os.environ.get(name)\n    return default if v is None else \
                 int(v)\n\nx = get('X', X)\n",
                x(),
                Way::Variable("X".to_string()),
            ),
            (
                Language::Python,
                "def opt(name, d):\n    if name in sys.argv:\n        return float(sys.argv[sys.argv.index(name) + \
                 1])\n    return d\nw = opt('--beam-width', 2.5)\n",
                width("beam_width"),
                Way::Option("--beam-width".to_string()),
            ),
        ] {
            let found = reads(text, language);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!((&found[0].parameter, &found[0].way), (&parameter, &way), "{text}");
        }
        let other = "int f(const char* name, int d) { return d; }\nint x = f(\"X\", 10);";
        assert_eq!(reads(other, Language::Cpp), []);
    }

    #[test]
    fn arguments_are_found_with_their_defaults() {
        for (language, text, parameter, way) in [
            (
                Language::Cpp,
                "int width = argc > 1 ? atoi(argv[1]) : 5;",
                Parameter::int("width", 1, 20, 5),
                Way::Argument(1),
            ),
            (
                Language::Cpp,
                "const double t = (argc >= 3) ? std::stod(argv[2]) : 2;",
                Parameter::float("t", 0.2, 20.0, 2.0).log(),
                Way::Argument(2),
            ),
            (
                Language::Python,
                "k = int(sys.argv[1]) if len(sys.argv) > 1 else 5\n",
                Parameter::int("k", 1, 20, 5),
                Way::Argument(1),
            ),
            (
                Language::Rust,
                "let k: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(5);",
                Parameter::int("k", 1, 20, 5),
                Way::Argument(1),
            ),
            (
                Language::Python,
                "p.add_argument('-w', '--beam-width', type=int, default=5)",
                Parameter::int("beam_width", 1, 20, 5),
                Way::Option("--beam-width".to_string()),
            ),
        ] {
            let found = reads(text, language);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!((&found[0].parameter, &found[0].way), (&parameter, &way), "{text}");
        }
    }

    #[test]
    fn arguments_behind_a_seed_keep_their_places() {
        let depth = Parameter::int("depth", 1, 20, 5);
        for (language, text, has_default) in [
            (Language::Cpp, "int seed = argc > 1 ? atoi(argv[1]) : 3, depth = argc > 2 ? atoi(argv[2]) : 5;", true),
            (Language::Cpp, "int s = atoi(argv[1]); mt19937 rng(s);\nint depth = atoi(argv[2]);", false),
            (Language::Cpp, "int depth = 5;\nif (argc > 2) { depth = stoi(argv[2]); }\nint depth = 7;", true),
            (Language::Python, "seed = int(sys.argv[1])\ndepth = int(sys.argv[2])\n", false),
            (Language::Rust, "let args: Vec<_> = args().collect();\nlet depth: i32 = args[2].parse().unwrap();", false),
        ] {
            let found = reads(text, language);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            let (way, line) = (Way::Argument(2), text[..text.find("[2]").unwrap()].matches('\n').count() + 1);
            assert_eq!(found[0], Read { parameter: depth.clone(), way, line, has_default }, "{text}");
        }
        // Neither texts nor time limits are parameters.
        for none in
            ["string s = argv[1];", "double time_limit = argc > 2 ? atof(argv[2]) : 2.0;", "ifstream f(argv[1]);"]
        {
            assert_eq!(reads(none, Language::Cpp), [], "{none}");
        }
    }
}
