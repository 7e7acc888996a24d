//! Inserts markers into a source, with the function that reads parameters from the environment.

use super::constants::Constant;
use evolve_program::source::{Language, PieceKind, scan};
use regex::Regex;
use std::ops::Range;

const CPP: &str = r#"
// During tuning, parameters are in the environment.
#include <cstdlib>
template <class T> T evolve_param(const char *name, T value) {
    const char *text = std::getenv(name);
    if (!text) return value;
    return *text == 't' || *text == 'f' ? T(*text == 't') : T(std::atof(text));
}
"#;

const RUST: &str = r"
// During tuning, parameters are in the environment.
type Tuned<T> = std::sync::LazyLock<T>;
fn evolve_param<T: std::str::FromStr>(name: &str, value: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(value)
}
";

const PYTHON: &str = r#"# During tuning, parameters are in the environment.
def evolve_param(name, value):
    import os
    text = os.environ.get(name)
    if text is None:
        return value
    return text == "true" if isinstance(value, bool) else type(value)(text)


"#;

/// Returns whether [`insert`] adds code that reads parameters in this language.
pub fn inserts(language: Language) -> bool {
    matches!(language, Language::Cpp | Language::Rust | Language::Python)
}

/// Returns the text in which these constants are read from the environment and declared by markers. In other languages,
/// inserts only the markers.
pub fn insert(text: &str, language: Language, constants: &[Constant]) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for constant in constants {
        edits.push((constant.place.clone(), constant.replacement.clone()));
        if language == Language::Rust {
            edits.extend(uses(text, constant));
        }
    }
    if !constants.is_empty()
        && !text.contains("evolve_param(const char")
        && !text.contains("fn evolve_param<")
        && !text.contains("def evolve_param(")
    {
        edits.extend(reader(text, language, constants));
    }
    edits.sort_by_key(|(place, _)| (place.start, place.end));
    let mut result = String::new();
    let mut done = 0;
    for (place, new) in edits {
        result.push_str(&text[done..place.start]);
        result.push_str(&new);
        done = place.end;
    }
    result + &text[done..]
}

/// Dereferences the uses of a lazily read constant by `*`.
fn uses(text: &str, constant: &Constant) -> Vec<(Range<usize>, String)> {
    let name = &constant.parameter.name;
    let word = Regex::new(&format!(r"\b{name}\b")).expect("a regex");
    let pieces = scan(text, Language::Rust);
    let code = pieces.iter().filter(|piece| piece.kind == PieceKind::Code);
    let places = code.flat_map(|piece| {
        let found = word.find_iter(&text[piece.place.clone()]);
        found.map(|found| piece.place.start + found.start()..piece.place.start + found.end()).collect::<Vec<_>>()
    });
    let others = places.filter(|place| !constant.place.contains(&place.start));
    others.map(|place| (place, format!("(*{name})"))).collect()
}

/// Returns the function that reads parameters, and where to insert it.
fn reader(text: &str, language: Language, constants: &[Constant]) -> Option<(Range<usize>, String)> {
    let (at, reader) = match language {
        Language::Cpp => (behind_includes(text, constants[0].place.start), CPP),
        // Items may be in any order.
        Language::Rust => (text.len(), RUST),
        Language::Python => (constants[0].place.start, PYTHON),
        _ => return None,
    };
    // The file may lack a final line end, and the first line needs no gap.
    let gap = if at == text.len() && !text.ends_with('\n') { "\n" } else { "" };
    let reader = if at == 0 { reader.trim_start_matches('\n') } else { reader };
    Some((at..at, format!("{gap}{reader}")))
}

/// Returns the offset after the last unconditional `#include` before `end`.
fn behind_includes(text: &str, end: usize) -> usize {
    let (mut at, mut start, mut depth) = (0, 0, 0);
    for line in text[..end].split_inclusive('\n') {
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
    at
}

#[cfg(test)]
mod tests {
    use super::super::constants;
    use super::super::constants::{crowded, words};
    use super::*;
    use evolve_program::parameters::marker;

    fn names(text: &str, language: Language) -> Vec<String> {
        constants(text, language).into_iter().map(|constant| constant.parameter.name).collect()
    }

    #[test]
    fn tunable_constants_are_found() {
        let cpp = "#include <x>\nconst int N = 50, M = 2;\nconst int CAP = 50;\nint a[CAP];\nconstexpr double T0 = \
            30.0; // hot\n\
                   static const bool GREEDY = true;\n#define DEPTH 4\nconst double TIME_LIMIT = 1.9;\ndouble FREE = .5;\n\
                   struct S { int x = 3;\n  static constexpr int K = 3;\n};\nnamespace a {\nconst long long BIG = 1'000;\n}\n\
                   int main() {\n  const float step = 2.5f;\n  int i = 5;\n  for (int J = 0; J < 3; J++) {}\n}\n\
                   // const int OLD = 5;\nconst int HEX = 0x10;\nconst int OCT = 010;\nconst int K = 5; // evolve: [1, 20]\n";
        assert_eq!(names(cpp, Language::Cpp), ["T0", "GREEDY", "DEPTH", "FREE", "BIG", "step"]);
        let braces = "const int K{7};\nconstexpr double T = {2.5};\nconst int v[]{1};\n";
        assert_eq!(names(braces, Language::Cpp), ["K", "T"]);
        let rust = "const WIDTH: usize = 30;\nconst SIZE: usize = 5;\nconst LEN: usize = 3;\nconst HEAT: f64 = 2.0;\n\
                    fn f() -> [u8; LEN] { let x = HEAT * WIDTH as f64; }\nimpl S {\n    const IN: i32 = 3;\n}\n";
        assert_eq!(names(rust, Language::Rust), ["WIDTH", "SIZE", "HEAT"]);
        let python = "K = 5\nT: float = 60\nlow = 3\nGREEDY = False\nif K:\n    L = 7\n";
        assert_eq!(names(python, Language::Python), ["K", "T", "GREEDY"]);
    }

    /// Lines with several constants are named instead of passed over.
    #[test]
    fn lines_with_several_constants_are_known() {
        let cpp = "const int N = 50, M = 2;\nconst int A = 5, B = 7;\nconst int C{5}; const double D{.5};\nconst int E \
            = 3;\nfor (const int i = 0, j = 1;;) {}\nint f = 1, g = 2;\n// const int H = 1, I = 2;\n";
        assert_eq!(crowded(cpp, Language::Cpp), [2, 3]);
        assert_eq!(crowded("const A: f64 = 1.0; const B: i32 = 2;\n", Language::Rust), [1]);
        assert_eq!(crowded("K = 5\nA, B = 5, 7\nC = 1; D = 2\nprint(E=1, F=2)\n", Language::Python), [2, 3]);
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
            let found = constants(text, language).into_iter().filter(|one| one.doubt.is_some());
            assert_eq!(found.map(|one| one.parameter.name).collect::<Vec<_>>(), expected);
        }
        let asked = &constants("const int ITER = 500; // @tune 100 900\n", Language::Cpp)[0];
        assert_eq!(asked.doubt, None);
        let size = &constants("constexpr int KICK_SIZE = 12;\n", Language::Cpp)[0];
        assert_eq!(size.doubt, Some("by its name, it is a size"));
    }

    #[test]
    fn words_are_known() {
        let cpp = "const char* MOVE = \"swap\"; // or \"2opt\"\nconst std::string KIND{\"or-opt\"};\nconst char C = 'x';\n\
                   const string FILE_NAME = \"in/0000.txt\";\nstring free = \"swap\";\n// const auto OLD = \"swap\";\n";
        assert_eq!(words(cpp, Language::Cpp), [(1, "MOVE".to_string()), (2, "KIND".to_string())]);
        let python = "MOVE = 'swap'  # evolve: ['swap', '2opt']\nKIND: str = \"2opt\"\nlow = 'swap'\n";
        assert_eq!(words(python, Language::Python), [(2, "KIND".to_string())]);
        assert_eq!(words("const MOVE: &str = \"swap\";\n", Language::Rust), [(1, "MOVE".to_string())]);
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
            (
                Language::Python,
                "import sys\nK = 50\nF = False\n",
                "K = evolve_param(\"EVOLVE_K\", 50)  # evolve: [5, 500] log\nF = evolve_param(\"EVOLVE_F\", False)  # \
                    evolve: bool\n",
            ),
        ] {
            let found = constants(text, language);
            let new = insert(text, language, &found);
            assert!(new.contains(expected), "{new}");
            assert_eq!(new.matches("During tuning").count(), 1);
            let markers = marker::find(&new, language).unwrap();
            let declared: Vec<_> = markers.into_iter().map(|marker| marker.parameter).collect();
            assert_eq!(declared, found.into_iter().map(|constant| constant.parameter).collect::<Vec<_>>());
            assert_eq!(constants(&new, language), [], "no constant is left to mark");
            assert_eq!(insert(&new, language, &[]), new);
        }
    }
}
