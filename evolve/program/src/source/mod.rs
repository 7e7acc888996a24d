//! Source files: their code, comments and strings.

mod scan;

pub use scan::{Piece, PieceKind, blanked, scan};

use std::path::Path;

/// The language family of a source file, by its syntax of comments and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Rust,
    Python,
    Java,
    /// Go, JavaScript and others with C's comments.
    Slashes,
    /// Shells, Ruby and others with `#`.
    Hashes,
    /// Haskell, Lua, SQL.
    Dashes,
    /// Other languages, in which a line that begins with a usual sign is a comment.
    Other,
}

impl Language {
    /// Returns the language of a file, by its extension.
    pub fn of(file: &Path) -> Self {
        match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
            "c" => Language::C,
            "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "cu" => Language::Cpp,
            "rs" => Language::Rust,
            "py" | "pyw" | "pyx" => Language::Python,
            "java" => Language::Java,
            "cs" | "d" | "dart" | "go" | "js" | "json" | "jsx" | "kt" | "kts" | "mjs" | "php" | "scala" | "swift"
            | "ts" | "tsx" | "zig" => Language::Slashes,
            "bash" | "jl" | "nim" | "pl" | "r" | "R" | "rb" | "sh" | "toml" | "yaml" | "yml" => Language::Hashes,
            "adb" | "elm" | "hs" | "lua" | "sql" => Language::Dashes,
            _ => Language::Other,
        }
    }
}
