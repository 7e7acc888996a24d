//! Finds the positional arguments that a program reads.

use super::{regex, unmarked};
use evolve_program::source::{Language, PieceKind, blanked, scan};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A positional argument that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The number of the line that first reads the argument.
    pub line: usize,
    /// Whether the argument seeds the program: its variable is called a seed, or random numbers
    /// start from it.
    pub is_seed: bool,
}

/// An expression that reads a positional argument.
pub(super) struct Access<'t> {
    pub place: usize,
    /// The statement, and its parts before and after the expression.
    pub statement: &'t str,
    pub before: &'t str,
    pub behind: &'t str,
    /// The offset of the statement in the text.
    pub start: usize,
    /// The variable that the statement assigns.
    pub name: Option<&'t str>,
    /// Whether the argument seeds the program, here or elsewhere.
    pub is_seed: bool,
}

static ACCESS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:(?<node>\bprocess\.)|\bsys\.)?\bargv\[(?<place>\d+)\]|(?:(?:\bstd::)?\benv::)?\bargs(?<call>\(\))?\s*(?:\.(?:nth|get)\((?<rust>\d+)\)|\[(?<index>\d+)\])",
    )
});
static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b(?<name>[A-Za-z_]\w*)\s*(?::\s*(?:int|float|str|&?str|String|[iuf](?:8|16|32|64|128|size))\s*)?=(?:[^=>]|$)",
    )
});
static SEED: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)seed_?[0-9]*$"));
/// Matches the start of a call that seeds a generator, up to its argument, which may be converted.
const GENERATOR: &str = r"\b(?:(?:srand(?:om|48)?|(?:set_|manual_)?seed(?:_from_u64)?|from_seed|default_rng|Random(?:State)?|mt19937(?:_64)?|minstd_rand0?|default_random_engine)(?:\s+\w+)?|\w*(?i:rng|random|xor_?shift|pcg)\w*(?:\s+\w+|::(?:new|from|seed)\w*))\s*[({]\s*(?:\(?\s*argc\b[^?;]*\?\s*)?(?:\([\w: ]+\)\s*|[\w:.<>]+\(\s*)*";

/// Returns the positional arguments that a text reads, by their index.
pub fn arguments(text: &str, language: Language) -> BTreeMap<usize, Argument> {
    let text = unmarked(text);
    let text = &blanked(text, &scan(text, language), &[PieceKind::Comment]);
    let mut found = BTreeMap::new();
    for access in accesses(text, language) {
        let line = text[..access.start + access.before.len()].matches('\n').count() + 1;
        found.entry(access.place).or_insert(Argument { line, is_seed: access.is_seed });
    }
    found
}

/// Returns the expressions of a text without comments that read positional arguments, except the
/// name of the program.
pub(super) fn accesses(text: &str, language: Language) -> Vec<Access<'_>> {
    let is_rust = language == Language::Rust && text.contains("args()");
    let is_skipped = text.contains("args().skip(1)");
    let mut found = Vec::new();
    for parts in ACCESS.captures_iter(text) {
        let read = parts.get(0).expect("it matched");
        let number = |name: &str| parts.name(name).and_then(|place| place.as_str().parse::<usize>().ok());
        let place = match number("place") {
            // Node counts itself.
            Some(place) => place.checked_sub(parts.name("node").map_or(0, |_| 1)),
            None => number("rust")
                .or_else(|| number("index"))
                .filter(|_| is_rust)
                .map(|place| place + usize::from(is_skipped && parts.name("call").is_none())),
        };
        let Some(place) = place.filter(|&place| place > 0) else { continue };
        let (start, end) = statement(text, read.start(), language);
        let (before, behind) = (&text[start..read.start()], &text[read.end()..end.max(read.end())]);
        let name = assigned(before, language);
        let seeds = |value: &str| regex(&format!("{GENERATOR}{value}")).is_match(text);
        let is_seed = match name {
            Some(name) => SEED.is_match(name) || seeds(&format!(r"\b{name}\b")),
            None => seeds(&regex::escape(read.as_str())),
        };
        found.push(Access {
            place,
            statement: &text[start..end.max(read.end())],
            before,
            behind,
            start,
            name,
            is_seed,
        });
    }
    let seeds: Vec<usize> = found.iter().filter(|access| access.is_seed).map(|access| access.place).collect();
    found.iter_mut().for_each(|access| access.is_seed = seeds.contains(&access.place));
    found
}

/// Returns the variable that a statement assigns, from the text before the value.
pub(super) fn assigned(before: &str, language: Language) -> Option<&str> {
    // The values of `a, b = int(sys.argv[1]), int(sys.argv[2])` have no place of their own.
    static TUPLE: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*\w+\s*,[\w\s,]*=[^=]"));
    if language == Language::Python && TUPLE.is_match(before) {
        return None;
    }
    Some(ASSIGNED.captures_iter(before).last()?.name("name")?.as_str())
}

/// Returns the statement around an offset, within limits: a line in Python and shells, otherwise
/// the text up to a semicolon.
pub(super) fn statement(text: &str, at: usize, language: Language) -> (usize, usize) {
    const FARTHEST: usize = 400;
    let ends: &[char] =
        if matches!(language, Language::Python | Language::Hashes) { &['\n'] } else { &[';', '{', '}'] };
    let from = text[..at].rfind(ends).map_or(0, |end| end + 1);
    let to = text[at..].find(if ends.len() == 1 { '\n' } else { ';' }).map_or(text.len(), |end| at + end + 1);
    let mut far = to.min(at + FARTHEST);
    while !text.is_char_boundary(far) {
        far -= 1;
    }
    (from, far)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(text: &str, language: Language) -> Vec<(usize, bool)> {
        arguments(text, language).into_iter().map(|(place, argument)| (place, argument.is_seed)).collect()
    }

    #[test]
    fn seeds_are_found_by_name_or_use() {
        for (language, text) in [
            (Language::Cpp, "int main(int argc, char** argv) { int seed = argc > 1 ? atoi(argv[1]) : 0; }"),
            (Language::Cpp, "if (argc > 1) rng_seed = std::stoi(argv[1]);"),
            (Language::C, "unsigned long long SEED2 = strtoull(argv[1], NULL, 10);"),
            (Language::Cpp, "int s = atoi(argv[1]);\nstd::mt19937 rng(s);"),
            (
                Language::Cpp,
                "int s = 1;\nif (argc > 1) s = atoi(argv[1]);\nstd::mt19937_64 rng{static_cast<unsigned>(s)};",
            ),
            (Language::C, "int s = atoi(argv[1]); srand((unsigned)s);"),
            (Language::Cpp, "XorShift64 r(s); int s = atoi(argv[1]);"),
            (Language::Cpp, "std::mt19937 rng(argc > 1 ? atoi(argv[1]) : 1);"),
            (Language::Python, "seed = int(sys.argv[1])\n"),
            (Language::Python, "random_seed: int = int(sys.argv[1])\n"),
            (Language::Python, "s = int(argv[1])\nrng = random.Random(s)\n"),
            (Language::Python, "random.seed(int(sys.argv[1]))\n"),
            (Language::Python, "solve(seed=int(sys.argv[1]))\n"),
            (Language::Rust, "let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();"),
            (
                Language::Rust,
                "let a: Vec<String> = args().collect(); let args = a;\nlet seed = args[1].parse().unwrap();",
            ),
            (
                Language::Rust,
                "let args: Vec<_> = env::args().skip(1).collect(); let seed = args[0].parse().unwrap_or(7);",
            ),
            (
                Language::Rust,
                "let s = env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1);\nlet r = StdRng::seed_from_u64(s);",
            ),
            (Language::Slashes, "const seed = Number(process.argv[2]);"),
        ] {
            assert_eq!(seeds(text, language), [(1, true)], "{text}");
        }
        for (language, text) in [
            (Language::Cpp, "int s = atoi(argv[1]); std::mt19937 rng(7);"),
            (Language::Cpp, "int k = atoi(argv[1]); int r = rng(k);"),
            (Language::Cpp, "std::ifstream seeds(argv[1]);"),
            (Language::Cpp, "int seeds = atoi(argv[1]);"),
            (Language::Python, "seed, depth = int(sys.argv[1]), 2\n"),
        ] {
            assert_eq!(seeds(text, language), [(1, false)], "{text}");
        }
        assert_eq!(seeds("// argv[1]\nputs(argv[0]); x = args[1];", Language::Cpp), []);
        assert_eq!(seeds("def f(args):\n    seed = args[1]\n", Language::Python), []);
    }
}
