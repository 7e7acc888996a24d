//! Source files, as far as they must be understood: which text is code, which a comment, and which a string.

mod scan;

pub use scan::{Kind, Piece, blanked, scan};

use std::path::Path;

/// The syntax of a language's comments and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Rust,
    Python,
    /// Go, Java, JavaScript and others with the comments of C.
    Slashes,
    /// Shells, Ruby and others with `#`.
    Hashes,
    /// Haskell, Lua, SQL.
    Dashes,
    /// Any other: a comment is what stands behind a usual sign.
    Other,
}

impl Language {
    pub const ALL: [Language; 8] = [
        Language::C,
        Language::Cpp,
        Language::Rust,
        Language::Python,
        Language::Slashes,
        Language::Hashes,
        Language::Dashes,
        Language::Other,
    ];

    /// The language of a file, by its ending.
    pub fn of(file: &Path) -> Self {
        match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
            "c" => Language::C,
            "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "cu" => Language::Cpp,
            "rs" => Language::Rust,
            "py" | "pyw" | "pyx" => Language::Python,
            "cs" | "d" | "dart" | "go" | "java" | "js" | "json" | "jsx" | "kt" | "kts" | "mjs" | "php" | "scala"
            | "swift" | "ts" | "tsx" | "zig" => Language::Slashes,
            "bash" | "jl" | "nim" | "pl" | "r" | "R" | "rb" | "sh" | "toml" | "yaml" | "yml" => Language::Hashes,
            "adb" | "elm" | "hs" | "lua" | "sql" => Language::Dashes,
            _ => Language::Other,
        }
    }
}
