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

/// A value that a job passes to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The value, with a placeholder such as `{k}` or without.
    pub value: String,
    pub way: Way,
}

impl Passed {
    /// Passes the value of a parameter.
    pub fn value_of(name: &str, way: Way) -> Self {
        Passed { value: format!("{{{name}}}"), way }
    }
}

impl Way {
    /// Returns whether the value is in the command.
    pub fn is_in_command(&self) -> bool {
        !matches!(self, Way::Variable(_))
    }

    /// Returns the index of the argument, if the value is a positional argument.
    pub fn place(&self) -> Option<usize> {
        if let Way::Argument(place) = self { Some(*place) } else { None }
    }
}
