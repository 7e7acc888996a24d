//! What a program in each language includes to stay alive between trials; see `workers/`.

/// A header for C++17.
pub const CPP: &str = include_str!("../workers/evolve.hpp");
/// A module for Python 3.
pub const PYTHON: &str = include_str!("../workers/evolve.py");
/// A module for Rust, std only.
pub const RUST: &str = include_str!("../workers/evolve.rs");
