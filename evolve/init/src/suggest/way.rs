//! How values reach a program.

/// The way in which a value reaches a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// In the environment variable with this name.
    Variable(String),
    /// As the argument with this index.
    Argument(usize),
    /// As the argument after this option.
    Option(String),
    /// After this text in the same argument.
    Prefix(String),
}
