//! The helper files that solvers include to stay alive between trials, by language; see `workers/`.

/// The header for C++17.
pub const CPP: &str = include_str!("../workers/evolve.hpp");
/// The module for Python 3.
pub const PYTHON: &str = include_str!("../workers/evolve.py");
/// The module for Rust, which uses only the standard library.
pub const RUST: &str = include_str!("../workers/evolve.rs");
