//! Names to which lists refer by index.

use std::collections::BTreeMap;

/// Names with their places.
#[derive(Default)]
pub struct Names {
    pub names: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Names {
    /// Returns the place of a name, which is new or known.
    pub fn place(&mut self, name: &str) -> usize {
        *self.places.entry(name.to_string()).or_insert_with(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_places() {
        let mut names = Names::default();
        assert_eq!(["a", "b", "a"].map(|name| names.place(name)), [0, 1, 0]);
        assert_eq!(names.names, ["a", "b"]);
    }
}
