//! Inserts markers into a source, with the function that reads parameters from the environment.

use super::brackets::{Brackets, Scope};
use super::constants::Constant;
use super::literal::marker;
use super::sites::{Edit, Site};
use super::unmarked;
use evolve_program::parameters::variable;
use evolve_program::source::{Language, Piece, PieceKind, blanked, scan};
use evolve_search::document::text::line_start;
use evolve_search::model::parameter::Kind;
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

const CPP: &str = r#"
// During tuning, parameters are in the environment.
#include <cstdio>
#include <cstdlib>
#include <limits>
template <class T> T evolve_param(const char *name, T value) {
    typedef std::numeric_limits<T> limits;
    const char *text = std::getenv(name);
    if (!text) return value;
    if (*text == 't' || *text == 'f') return T(*text == 't');
    char *end;
    double number = std::strtod(text, &end);
    bool is_value = end != text && !*end && number >= double(limits::lowest()) && number <= double(limits::max());
    if (!is_value || (limits::is_integer && double(T(number)) != number)) {
        std::fprintf(stderr, "%s is %s, which is not a value of its type\n", name, text);
        std::exit(1);
    }
    return T(number);
}
"#;

const RUST: &str = r#"
// During tuning, parameters are in the environment.
type Tuned<T> = std::sync::LazyLock<T>;
fn evolve_param<T: std::str::FromStr>(name: &str, value: T) -> T {
    // Reads the environment only once, however often a function is called.
    static SET: Tuned<std::collections::HashMap<String, String>> = Tuned::new(|| {
        let set = std::env::vars_os().filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
        set.filter(|(name, _)| name.starts_with("EVOLVE_")).collect()
    });
    let parse = |text: &String| text.parse().unwrap_or_else(|_| panic!("{} is {}, which is not a value of its type", name, text));
    SET.get(name).map_or(value, parse)
}
"#;

const PYTHON: &str = r#"# During tuning, parameters are in the environment.
def evolve_param(name, value):
    import os
    text = os.environ.get(name)
    if text is None:
        return value
    return {"true": True, "false": False}[text] if isinstance(value, bool) else type(value)(text)


"#;

/// Returns whether [`insert`] adds code that reads parameters in this language.
pub fn inserts(language: Language) -> bool {
    matches!(language, Language::Cpp | Language::Rust | Language::Python)
}

/// Returns the text in which these constants are read from the environment and declared by markers.
/// In other languages, inserts only the markers.
pub fn insert(text: &str, language: Language, constants: &[Constant]) -> String {
    let (mark, text) = text.split_at(text.len() - unmarked(text).len());
    let code = blanked(text, &scan(text, language), &[PieceKind::Comment]);
    let mut edits: Vec<Edit> = Vec::new();
    let mut layout = Layout { text, code: &code, sign: sign(language), edits: Vec::new(), broken: BTreeSet::new() };
    for constant in constants {
        let Constant { parameter, site, .. } = constant;
        layout.mark(site, &marker(parameter));
        if !inserts(language) {
            continue;
        }
        edits.extend(site.edits.iter().cloned());
        let [before, after] = site.read.clone().map(|part| part.replace("NAME", &variable(&parameter.name)));
        edits.push((site.literal.clone(), format!("{before}{}{after}", default(text, language, constant))));
        if language == Language::Rust {
            edits.extend(uses(text, site));
        }
    }
    if !constants.is_empty()
        && !text.contains("evolve_param(const char")
        && !text.contains("fn evolve_param<")
        && !text.contains("def evolve_param(")
    {
        // Before a comment that moves above its constant.
        edits.extend(reader(text, language, constants));
    }
    edits.extend(layout.edits);
    edits.sort_by_key(|(place, _)| (place.start, place.end));
    // Elements of a list share the changes of its declaration.
    edits.dedup();
    let mut result = mark.to_string();
    let mut done = 0;
    for (place, new) in edits {
        result.push_str(&text[done..place.start]);
        result.push_str(&new);
        done = place.end;
    }
    result + &text[done..]
}

/// Returns the default of a parameter in the call that reads it. In Python, the default also
/// decides the type of the parameter.
fn default(text: &str, language: Language, constant: &Constant) -> String {
    let literal = &text[constant.site.literal.clone()];
    let is_float = matches!(constant.parameter.kind, Kind::Float { .. });
    let is_written = language != Language::Python || literal.contains(['.', 'e', 'E']);
    format!("{literal}{}", if is_float && !is_written { ".0" } else { "" })
}

fn sign(language: Language) -> &'static str {
    match language {
        Language::Python | Language::Hashes => "  # ",
        _ => " // ",
    }
}

/// Puts every parameter on its own line, which ends with its marker.
struct Layout<'t> {
    text: &'t str,
    /// The text without comments.
    code: &'t str,
    sign: &'static str,
    edits: Vec<Edit>,
    /// The offsets before which a line already ends.
    broken: BTreeSet<usize>,
}

impl Layout<'_> {
    fn mark(&mut self, site: &Site, marker: &str) {
        static END: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"^(?:[ \t]*[)}])*(?:[ \t]*[;,])?").expect("a regex"));
        static LIST_END: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[)\]} \t]+[;,]?$").expect("a regex"));
        static ELEMENT_END: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:[ \t]*,)?").expect("a regex"));
        let start = line_start(self.text, site.literal.start);
        let line = &self.text[start..];
        let opening = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let indent = opening;
        // An element on its own line is indented already.
        let is_first = site.element.is_some() && site.declared.start >= start;
        let inner = format!("{indent}{}", if is_first { "    " } else { "" });
        if let Some(element) = site.element.filter(|element| !self.broken.contains(element))
            && !self.code[start.min(element)..element].trim().is_empty()
        {
            let gap = element - (self.text[..element].len() - self.text[..element].trim_end_matches([' ', '\t']).len());
            self.edits.push((gap..element, format!("\n{inner}")));
        }
        let end = if site.element.is_some() { &ELEMENT_END } else { &END };
        let end = site.literal.end + end.find(&self.code[site.literal.end..]).map_or(0, |found| found.end());
        let line_end = end + self.text[end..].find('\n').unwrap_or(self.text.len() - end);
        let line_end = line_end - usize::from(self.text[..line_end].ends_with('\r') && line_end > end);
        let marker = format!("{}{marker}", self.sign);
        let rest = &self.code[end..line_end];
        if rest.trim().is_empty() {
            // A comment at the end of the line goes above it.
            let comment = self.text[end..line_end].trim();
            if !comment.is_empty() {
                self.edits.push((start..start, format!("{indent}{comment}\n")));
            }
            self.edits.push((end..line_end, marker));
            return;
        }
        let next = end + (rest.len() - rest.trim_start().len());
        let comment = self.text[end..next].trim();
        let gap = if comment.is_empty() { "" } else { " " };
        // The bracket that closes a list belongs to the line that opens it.
        let indent = if rest.trim_start().starts_with([']', '}', ')']) { indent } else { &inner };
        let is_continued = site.element.is_none() && self.code[..end].ends_with(',');
        let indent = format!("{indent}{}", if is_continued { "    " } else { "" });
        self.edits.push((end..next, format!("{marker}\n{indent}{comment}{gap}")));
        // A comment after a list that is split into lines goes above it.
        let list_end = end + rest.trim_end().len();
        let behind = self.text[list_end..line_end].trim();
        if is_first && !behind.is_empty() && LIST_END.is_match(rest.trim()) {
            self.edits.push((start..start, format!("{opening}{behind}\n")));
            self.edits.push((list_end..line_end, String::new()));
        }
        self.broken.insert(next);
    }
}

/// Dereferences the uses of a lazily read constant by `*`.
fn uses(text: &str, site: &Site) -> Vec<Edit> {
    let Some(name) = &site.lazy else { return Vec::new() };
    let word = Regex::new(&format!(r"\b{name}\b")).expect("a regex");
    let pieces = scan(text, Language::Rust);
    let code = pieces.iter().filter(|piece| piece.kind == PieceKind::Code);
    let places = code.flat_map(|piece| {
        let found = word.find_iter(&text[piece.place.clone()]);
        found.map(|found| piece.place.start + found.start()..piece.place.start + found.end()).collect::<Vec<_>>()
    });
    let is_use = |place: &Range<usize>| site.valid.contains(&place.start) && !site.declared.contains(&place.start);
    places.filter(is_use).map(|place| (place, format!("(*{name})"))).collect()
}

/// Returns the function that reads parameters, and where to insert it.
fn reader(text: &str, language: Language, constants: &[Constant]) -> Option<Edit> {
    let first = constants.iter().map(|constant| constant.site.declared.start).min().unwrap_or(0);
    let line = line_start(text, first);
    let (at, reader) = match language {
        Language::Cpp => (behind_includes(text, line), CPP),
        // Items may be in any order.
        Language::Rust => (text.len(), RUST),
        Language::Python => (outside(text, line), PYTHON),
        _ => return None,
    };
    // The file may lack a final line end, and the first line needs no gap.
    let gap = if at == text.len() && !text.ends_with('\n') { "\n" } else { "" };
    let reader = if at == 0 { reader.trim_start_matches('\n') } else { reader };
    Some((at..at, format!("{gap}{reader}")))
}

/// Returns the offset of the statement at the top of a Python file that contains the line at
/// `line`.
fn outside(text: &str, line: usize) -> usize {
    static CONTINUED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:[\s)\]}#]|(?:else|elif|except|finally|case)\b|$)").expect("a regex"));
    let pieces = scan(text, Language::Python);
    let brackets = Brackets::of(&blanked(text, &pieces, &[PieceKind::Comment, PieceKind::Text]), Language::Python);
    let is_inside = |at: usize| {
        brackets.scope(at) != Scope::Top
            || pieces
                .iter()
                .any(|piece| piece.place.start < at && at < piece.place.end && piece.kind != PieceKind::Code)
    };
    let mut at = line;
    loop {
        let own = text[at..].lines().next().unwrap_or_default();
        let above = line_start(text, at.saturating_sub(1));
        let is_decorated = text[above..at].starts_with('@');
        if at == 0
            || !(CONTINUED.is_match(own) && at != line || own.starts_with([' ', '\t']) || is_inside(at) || is_decorated)
        {
            return at;
        }
        at = above;
    }
}

/// Returns the offset after the last unconditional `#include` before `end`.
fn behind_includes(text: &str, end: usize) -> usize {
    let pieces = scan(text, Language::Cpp);
    let code = blanked(text, &pieces, &[PieceKind::Comment, PieceKind::Text]);
    let (mut at, mut start, mut depth) = (0, 0, 0);
    for line in code[..end].split_inclusive('\n') {
        start += line.len();
        let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            depth -= 1;
        } else if directive.starts_with("include") && depth == 0 {
            at = start;
        }
    }
    // A comment that begins on the line may end on another one.
    let is_around =
        |piece: &&Piece| piece.kind == PieceKind::Comment && (piece.place.start + 1..piece.place.end).contains(&at);
    pieces.iter().find(is_around).map_or(at, |comment| comment.place.end)
}

#[cfg(test)]
mod tests {
    use super::super::constants;
    use super::*;
    use evolve_program::parameters::marker;

    fn names(text: &str, language: Language) -> Vec<String> {
        let found = constants(text, language).found.into_iter().filter(|one| one.doubt.is_none());
        found.map(|constant| constant.parameter.name).collect()
    }

    fn left_out(text: &str, language: Language) -> Vec<(String, usize, &'static str)> {
        let left_out = constants(text, language).left_out.into_iter();
        left_out.map(|one| (one.name, one.line, one.reason.split([':', ',']).next().unwrap())).collect()
    }

    #[test]
    fn tunable_constants_are_found() {
        let cpp = "#include <x>\nconst int N = 50, M = 2;\nconst int CAP = 50;\nint a[CAP];\nconstexpr double T0 = \
            30.0; // hot\n\
                   static const bool GREEDY = true;\n#define DEPTH 4\nconst double TIME_LIMIT = 1.9;\ndouble FREE = .5;\n\
                   struct S { int x = 3;\n  static constexpr int IN = 3;\n};\nnamespace a {\nconst long long BIG = 1'000;\n}\n\
                   int main() {\n  const float step = 2.5f;\n  int i = 5;\n  for (int J = 0; J < 3; J++) {}\n}\n\
                   // const int OLD = 5;\nconst int HEX = 0x10;\nconst int OCT = 010;\nconst int K =
                   // 5; // evolve: [1, 20]\n";
        assert_eq!(names(cpp, Language::Cpp), ["T0", "GREEDY", "DEPTH", "FREE", "IN", "BIG", "step"]);
        let braces = "const int K{7};\nconstexpr double T = {2.5};\n";
        assert_eq!(names(braces, Language::Cpp), ["K", "T"]);
        let rust = "const WIDTH: usize = 30;\nconst SIZE: usize = 5;\nconst LEN: usize = 3;\nconst HEAT: f64 = 2.0;\n\
                    fn f() -> [u8; LEN] { let x = HEAT * WIDTH as f64; }\nimpl S {\n    const IN: i32 = 3;\n}\n";
        assert_eq!(names(rust, Language::Rust), ["WIDTH", "HEAT"]);
        let python = "K = 5\nT: float = 60\nlow = 3\nGREEDY = False\nif K:\n    L = 7\n";
        assert_eq!(names(python, Language::Python), ["K", "T", "GREEDY"]);
    }

    /// Variables that never change are constants, too.
    #[test]
    fn variables_that_never_change_are_found() {
        let cpp = "int best = 7; double heat = 3.5;\nstruct S { double start = 30; double cost = 2.5; };\nint main() {\n\
                   double t = 2.5, u = 1.5;\n  double sum = 0.5;\n  sum += t;\n  auto share = 0.25;\n  best = 3; s.cost = 1;\n\
                   cin >> u; f(3.5); int rows = 20;\n  double far = 1e9;\n}\n";
        assert_eq!(names(cpp, Language::Cpp), ["heat", "start", "t", "share"]);
        let through = "void f() { double rate = 2.5; double& r = rate; double v[2] = {3.5, 7.5}; for (auto& x : v) x *= \
                       0.5; double s = 4.5; const double& t = s; }\n";
        assert_eq!(names(through, Language::Cpp), ["s"]);
        let doubts = constants(cpp, Language::Cpp).found.into_iter().filter(|one| one.doubt.is_some());
        assert_eq!(doubts.map(|one| one.parameter.name).collect::<Vec<_>>(), ["rows"]);
        let rust = "fn main() {\n    let heat = 3.5;\n    let mut sum = 0.5;\n    let zero = 0.0;\n    let v: f32 = 0.25;\n    \
                    let k = 5_usize;\n}\n";
        assert_eq!(names(rust, Language::Rust), ["heat", "v"]);
        let python = "heat = 3.5\nclass S:\n    def __init__(self):\n        self.start = 30.0\n        self.cost = 2.5\n\n    \
                      def f(self, x=0.5):\n        self.cost += 1\n        share = 0.25\n        g(x=1.5)\n";
        assert_eq!(names(python, Language::Python), ["heat", "start", "share"]);
    }

    /// Elements of lists and fields of structs are parameters of their own.
    #[test]
    fn lists_and_fields_are_found() {
        let cpp = "constexpr int X[4] = {16, 5, 5, 5};\nconst double Y[2][2] = {{1, 2}, {3, 4}};\n\
                   const std::vector<double> Z = {.5, 2.5};\nint dx[2] = {5, 7};\nconst int SIGN[2] = {1, -1};\nstruct P { \
                   double a, b; };\nconstexpr P p = {.a = 2.5, .b = 3.5};\nvoid g() { f({.c = 3.5}); int r[2] = {5, 3}; r[0] = 2; }\n";
        assert_eq!(
            names(cpp, Language::Cpp),
            ["X_0", "X_1", "X_2", "X_3", "Y_0_0", "Y_0_1", "Y_1_0", "Y_1_1", "Z_0", "Z_1", "a", "b"]
        );
        let rust = "const V: [f64; 2] = [0.5, 2.0];\nconst P: Param = Param { min_k: 3., n: N };\nfn f() -> Param {\n    \
                    Param { width: 10, rate: 0.5 }\n}\nfn g() { h(Param { lost: 3. }); if let S { x: 5 } = s {} }\n";
        assert_eq!(names(rust, Language::Rust), ["V_0", "V_1", "min_k", "width", "rate"]);
        let python = "V = [0.5, 2.0]\nP = {'a': 2.5, 'b': 3}\nf(W=[1.5], K=5)\n";
        assert_eq!(names(python, Language::Python), ["V_0", "V_1", "a", "b"]);
    }

    #[test]
    fn constants_that_are_left_out_have_a_reason() {
        let cpp = "const int N = 50, A = 5;\nconst int A = 7;\nconst char* MOVE = \"swap\"; // or \"2opt\"\nconst \
                   std::string KIND{\"or-opt\"};\nconst char C = 'x';\nint a[CAP];\nconst int CAP = 5;\nconst int SIGN[2] = {1, \
                   -1};\nconst double MIX[2] = {0.5, CAP};\nconst int OCT = 010;\nstring free = \"swap\";\n";
        assert_eq!(
            left_out(cpp, Language::Cpp),
            [
                ("N".to_string(), 1, "by its name"),
                ("A".to_string(), 1, "declared more than once"),
                ("MOVE".to_string(), 3, "a string"),
                ("KIND".to_string(), 4, "a string"),
                ("CAP".to_string(), 7, "used where the language needs a constant"),
                ("SIGN".to_string(), 8, "a list of only -1"),
                ("MIX".to_string(), 9, "not all of its elements are numbers"),
                ("OCT".to_string(), 10, "octal"),
            ]
        );
        let rust =
            "impl S {\n    const IN: i32 = 3;\n}\nconst MOVE: &str = \"swap\";\nfn g() { h(Param { lost: 3. }); }\n";
        assert_eq!(
            left_out(rust, Language::Rust),
            [
                ("IN".to_string(), 2, "an associated constant"),
                ("MOVE".to_string(), 4, "a string"),
                ("lost".to_string(), 5, "in the parentheses of a call"),
            ]
        );
        let python = "A, B = 5, 7\nC = 1; D = 2\nMOVE = 'swap'  # evolve: ['swap', '2opt']\nKIND: str = \"2opt\"\nlow = 'swap'\n";
        assert_eq!(
            left_out(python, Language::Python),
            [
                ("A".to_string(), 1, "several values on a line"),
                ("B".to_string(), 1, "several values on a line"),
                ("C".to_string(), 2, "several values on a line"),
                ("KIND".to_string(), 4, "a string"),
            ]
        );
    }

    /// Numbers of iterations are known by their names, or as large bounds of loops.
    #[test]
    fn iterations_are_known() {
        let cpp = "const int ITER = 500;\nconst int N_LOOPS = 9;\nconst int MOVES = 100000;\nconst int TRIES = 5000;\n\
                   const int WIDTH = 20;\nconst double LOOP_HEAT = 3.0;\nint main() {\n    for (int i = 0; i < MOVES; \
                   i++) f(TRIES);\n    for (int w = 0; w < WIDTH; w++) g();\n}\n";
        let python = "MAX_ITERATIONS = 20\nMAX_STEPS = 50\nSTEPS = 1000\nDEPTH = 5\nEACH = 2000\nfor i in range(STEPS):\n    for j in \
                      range(DEPTH): f(EACH)\n";
        let rust =
            "const ROUNDS: usize = 1000;\nconst PAIRS: usize = 3;\nfn main() { for i in 0..ROUNDS { g(PAIRS) } }\n";
        for (text, language, expected) in [
            (cpp, Language::Cpp, &["ITER", "N_LOOPS", "MOVES"][..]),
            (python, Language::Python, &["MAX_ITERATIONS", "MAX_STEPS", "STEPS"]),
            (rust, Language::Rust, &["ROUNDS"]),
        ] {
            let found = constants(text, language).found.into_iter().filter(|one| one.doubt.is_some());
            assert_eq!(found.map(|one| one.parameter.name).collect::<Vec<_>>(), expected);
        }
        let asked = &constants("const int ITER = 500; // @tune 100 900\n", Language::Cpp).found[0];
        assert_eq!(asked.doubt, None);
        let size = &constants("constexpr int KICK_SIZE = 12;\n", Language::Cpp).found[0];
        assert_eq!(size.doubt, Some("by its name, it is a size"));
    }

    /// The markers declare the proposed parameters, and values can be written back at them.
    #[test]
    fn inserted_markers_are_read() {
        for (language, text, expected) in [
            (
                Language::Cpp,
                "#include <cmath>\nconstexpr double T0 = 30; // hot\nint main() {\n    const int k = 5;\n}\n",
                "// hot\nconst double T0 = evolve_param<double>(\"EVOLVE_T0\", 30); // evolve: [3.0, 300.0] log\nint \
                    main() {\n    \
                 static const int k = evolve_param<int>(\"EVOLVE_K\", 5); // evolve: [1, 20]\n}\n",
            ),
            (
                Language::Rust,
                "const HEAT: f64 = 2.0;\nfn main() { println!(\"HEAT {}\", HEAT.sqrt()); } // HEAT",
                "static HEAT: Tuned<f64> = Tuned::new(|| evolve_param(\"EVOLVE_HEAT\", 2.0)); // evolve: [0.2, 20.0] \
                    log\n\
                 fn main() { println!(\"HEAT {}\", (*HEAT).sqrt()); } // HEAT\n",
            ),
            // Every parameter has its own line.
            (
                Language::Cpp,
                "#include <cmath>\nconstexpr int X[2] = {16, 5}; // x\nconst double A = 5, B = 7;\nint N = 5;\n",
                "// x\nconst int X[2] = {\n    evolve_param<int>(\"EVOLVE_X_0\", 16), // evolve: [1, 160] log\n    \
                 evolve_param<int>(\"EVOLVE_X_1\", 5) // evolve: [1, 20]\n};\nconst double A = \
                 evolve_param<double>(\"EVOLVE_A\", 5), // evolve: [0.5, 50.0] log\n    B = \
                 evolve_param<double>(\"EVOLVE_B\", 7); // evolve: [0.7, 70.0] log\nint N = 5;\n",
            ),
            (
                Language::Rust,
                "mod m {\n    const V: [f64; 2] = [0.5, 2.0];\n    fn f() -> Param {\n        Param { k: 3., c: 2 }\n    }\n    \
                 fn g() -> f64 {\n        let heat = 2.5;\n        heat * V[0]\n    }\n}\n",
                "mod m {\n    static V: super::Tuned<[f64; 2]> = super::Tuned::new(|| [\n        \
                 super::evolve_param(\"EVOLVE_V_0\", 0.5), // evolve: [0.05, 1.0] log\n        \
                 super::evolve_param(\"EVOLVE_V_1\", 2.0) // evolve: [0.2, 20.0] log\n    ]);\n    fn f() -> Param {\n        \
                 Param {\n            k: super::evolve_param(\"EVOLVE_K\", 3.), // evolve: [0.3, 30.0] log\n            c: \
                 super::evolve_param(\"EVOLVE_C\", 2) // evolve: [1, 10]\n        }\n    }\n    fn g() -> f64 {\n        \
                 let heat = super::evolve_param(\"EVOLVE_HEAT\", 2.5); // evolve: [0.25, 25.0] log\n        heat * \
                 (*V)[0]\n    }\n}\n",
            ),
            (
                Language::Python,
                "import sys\nV = [0.5, 2.0]  # v\ndef f():\n    heat = 2.5\n",
                "# v\nV = [\n    evolve_param(\"EVOLVE_V_0\", 0.5),  # evolve: [0.05, 1.0] log\n    \
                 evolve_param(\"EVOLVE_V_1\", 2.0)  # evolve: [0.2, 20.0] log\n]\ndef f():\n    heat = \
                 evolve_param(\"EVOLVE_HEAT\", 2.5)  # evolve: [0.25, 25.0] log\n",
            ),
            (
                Language::Python,
                "import sys\nK = 50  # wide\nF = False\n",
                "# wide\nK = evolve_param(\"EVOLVE_K\", 50)  # evolve: [5, 500] log\nF = evolve_param(\"EVOLVE_F\", False)  # \
                    evolve: bool\n",
            ),
            // A variable that changes through a reference starts anew in each call.
            (
                Language::Cpp,
                "void cool(double& t) { t *= 0.5; }\ndouble f() {\n    double temp = 30.5;\n    const double end = 2.5;\n    cool(temp);\n    \
                 return temp + end;\n}\n",
                "{\n    double temp = evolve_param<double>(\"EVOLVE_TEMP\", 30.5); // evolve: [3.05, 305.0] log\n    static const \
                 double end = evolve_param<double>(\"EVOLVE_END\", 2.5); // evolve: [0.25, 25.0] log\n    cool(temp);",
            ),
            // A suffix decides the type.
            (
                Language::Cpp,
                "#define BIG 10LL\n#define RATE 0.1f\nconst auto R = 20ull;\nconstexpr auto FAR = 5u;\n",
                "const long long BIG = evolve_param<long long>(\"EVOLVE_BIG\", 10LL); // evolve: [1, 100] log\n\
                 const float RATE = evolve_param<float>(\"EVOLVE_RATE\", 0.1f); // evolve: [0.01, 1.0] log\n\
                 const unsigned long long R = evolve_param<unsigned long long>(\"EVOLVE_R\", 20ull); // evolve: [2, 200] log\n\
                 const unsigned FAR = evolve_param<unsigned>(\"EVOLVE_FAR\", 5u); // evolve: [1, 20]\n",
            ),
            (
                Language::Python,
                "T: float = 60\nU: float = 0.5\n",
                "T: float = evolve_param(\"EVOLVE_T\", 60.0)  # evolve: [6.0, 600.0] log\nU: float = \
                 evolve_param(\"EVOLVE_U\", 0.5)  # evolve: [0.05, 1.0] log\n",
            ),
        ] {
            let found = constants(text, language).found;
            let new = insert(text, language, &found);
            assert!(new.contains(expected), "{new}");
            assert_eq!(new.matches("During tuning").count(), 1);
            let markers = marker::find(&new, language).unwrap();
            let declared: Vec<_> = markers.into_iter().map(|marker| marker.parameter).collect();
            assert_eq!(declared, found.into_iter().map(|constant| constant.parameter).collect::<Vec<_>>());
            assert_eq!(names(&new, language), [""; 0], "no constant is left to mark");
            assert_eq!(insert(&new, language, &[]), new);
        }
    }

    /// The function that reads parameters is part of neither a comment nor a list.
    #[test]
    fn the_reader_has_a_place_of_its_own() {
        for (language, text, expected) in [
            (
                Language::Cpp,
                "/* Needs\n#include <cmath>\n*/\n#include <cstdio>\nconst double T0 = 2.5;\n",
                "*/\n#include <cstdio>\n\n// During tuning",
            ),
            (
                Language::Cpp,
                "#include <cstdio> /* for\nprintf */\nconst double T0 = 2.5;\n",
                "for\nprintf */\n// During tuning",
            ),
            (Language::Cpp, "/*\n#include <cmath>\n*/\nconst double T0 = 2.5;\n", "// During tuning"),
            (Language::Python, "import os\nP = {\n'x': 2.5,\n'y': 3,\n}\n", "import os\n# During tuning"),
            // A byte order mark stays the first character, and hides no constant.
            (Language::Cpp, "\u{feff}const double T0 = 2.5;\n", "\u{feff}// During tuning"),
            (
                Language::Cpp,
                "\u{feff}#include <cstdio>\nconst double T0 = 2.5;\n",
                "\u{feff}#include <cstdio>\n\n// During",
            ),
            (Language::Python, "\u{feff}T0 = 2.5\n", "\u{feff}# During tuning"),
            (Language::Rust, "\u{feff}const T0: f64 = 2.5;\n", "\u{feff}static T0: Tuned<f64>"),
        ] {
            let found = constants(text, language).found;
            assert!(!found.is_empty(), "{text}");
            let new = insert(text, language, &found);
            assert!(new.contains(expected), "{new}");
            assert_eq!(new.find('\u{feff}'), text.find('\u{feff}'), "{new}");
            assert_eq!(marker::find(&new, language).unwrap().len(), found.len(), "{new}");
        }
    }

    /// A range holds only numbers of the declared type, in each language.
    #[test]
    fn ranges_fit_the_declared_type() {
        for (language, text, range) in [
            (Language::Rust, "const R: u8 = 100;", "[10, 255] log"),
            (Language::Rust, "const R: i16 = 4000;", "[400, 32767] log"),
            (Language::Rust, "const V: [i8; 1] = [-100];", "[-128, 0]"),
            (Language::Rust, "fn f() { let r = 100_u8; }", "[10, 255] log"),
            (Language::Rust, "const R: usize = 100;", "[10, 1000] log"),
            (Language::Cpp, "const uint8_t R = 100;", "[10, 255] log"),
            (Language::Cpp, "const char R = 60;", "[6, 127] log"),
            (Language::Cpp, "const unsigned char R = 60;", "[6, 255] log"),
            (Language::Cpp, "const unsigned short int R = 40000;", "[4000, 65535] log"),
            (Language::Cpp, "const std::vector<short> R = {4000, 5};", "[400, 32767] log"),
            (Language::Cpp, "const int R = 1000000000;", "[100000000, 2147483647] log"),
            (Language::Cpp, "#define R 1000000000", "[100000000, 2147483647] log"),
            (Language::Cpp, "#define R 3000000000", "[300000000, 30000000000] log"),
            (Language::Cpp, "const unsigned long long R = 1000000000;", "[100000000, 10000000000] log"),
            (Language::Java, "    static final byte R = 100;", "[10, 127] log"),
            (Language::Java, "    static final short R = 4000;", "[400, 32767] log"),
            (Language::Slashes, "const R uint8 = 100", "[10, 255] log"),
            (Language::Slashes, "const val R: Byte = 100", "[10, 127] log"),
            (Language::Slashes, "const val R: Double = 100", "[10.0, 1000.0] log"),
        ] {
            let found = constants(text, language).found;
            assert_eq!(found.first().map(super::super::constants::Constant::range).as_deref(), Some(range), "{text}");
        }
    }

    /// Numbers in the middle of arguments are no constants of generic types.
    #[test]
    fn only_places_of_constants_in_rust_are_structure() {
        for (used, is_free) in [
            ("f(1.0, K, 2.0);", true),
            ("println!(\"{} {}\", 1, K, 3);", true),
            ("if a < K && b > c {}", true),
            ("let v = vec![0; K];", true),
            ("let r = g(0..K, 3);", true),
            ("let a = [0; K];", false),
            ("let a: [[u8; 3]; 2 * (K + 1)] = b;", false),
            ("let s: S<K> = b;", false),
            ("let s: S<Vec<u8>, K, [u8; 2]> = b;", false),
            ("f::<u8, { K + 1 }>();", false),
            ("match x { (1, K) => {} }", false),
        ] {
            let text = format!("const K: usize = 5;\nfn main() {{ {used} }}\n");
            assert_eq!(names(&text, Language::Rust).is_empty(), !is_free, "{used}");
        }
    }
}
