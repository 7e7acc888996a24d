//! The known facts about the parameters of a program.

use crate::import::{Imported, Key};
use crate::suggest::{Passed, Read, Way, arguments, reads};
use evolve_program::parameters::marker::{self, Marker};
use evolve_program::parameters::variable;
use evolve_program::source::Language;

/// The known parameters of a program.
#[derive(Default)]
pub struct Facts {
    /// The parameters that markers in the source declare; empty if the markers are invalid, which
    /// reading the job reports.
    pub marked: Option<Vec<Marker>>,
    /// Other values that the program reads.
    pub read: Vec<Read>,
    /// The file of another tuner that declares the parameters, if any; `notes` lists its
    /// unsupported features.
    pub origin: Option<String>,
    pub notes: Vec<String>,
    /// Further keys of the job.
    pub(super) keys: Vec<Key>,
    /// The positional arguments that are seeds.
    pub(super) seeds: Vec<usize>,
    /// The first positional argument that the command does not pass, if the program reads more.
    pub gap: Option<Gap>,
    /// The values that the job passes to the program.
    pub(super) passed: Vec<Passed>,
}

/// A positional argument whose meaning is unknown.
#[derive(Debug, PartialEq, Eq)]
pub struct Gap {
    pub place: usize,
    /// The number of the line that reads it, or the next one.
    pub line: usize,
    /// The known arguments after it, which cannot be passed: `{seed}`, or the name of a parameter
    /// in braces.
    pub behind: Vec<String>,
}

impl Facts {
    /// Finds the parameters in the text of a source.
    pub fn of(text: &str, language: Language) -> Self {
        let mut read = reads(text, language);
        let arguments = arguments(text, language);
        let known = |at: usize| match arguments.get(&at)?.is_seed {
            true => Some("{seed}".to_string()),
            false => {
                read.iter().find(|read| read.way.place() == Some(at)).map(|read| format!("{{{}}}", read.parameter.name))
            }
        };
        let last = arguments.keys().last().copied().unwrap_or(0);
        let gap = (1..=last).find(|&place| known(place).is_none()).map(|place| {
            let line = arguments.range(place..).next().map_or(0, |(_, argument)| argument.line);
            Gap { place, line, behind: (place..=last).filter_map(known).collect() }
        });
        let end = gap.as_ref().map_or(usize::MAX, |gap| gap.place);
        read.retain(|read| read.way.place().is_none_or(|place| place < end));
        let seeds = arguments.range(..end).filter(|(_, argument)| argument.is_seed).map(|(&place, _)| place).collect();
        let markers = marker::find(text, language);
        let marked = markers.map_or(Some(Vec::new()), |markers| Some(markers).filter(|markers| !markers.is_empty()));
        let mut passed = Vec::new();
        for marker in marked.iter().flatten() {
            let name = &marker.parameter.name;
            let own = Way::Variable(variable(name));
            let is_its = |read: &Read| {
                Some(&read.parameter.name) == marker.read.as_ref() || read.parameter.name == *name || read.way == own
            };
            let way = read.iter().position(is_its).map(|place| read.remove(place).way).unwrap_or(own);
            // Lines that read their parameter declare it completely.
            if !(marker.reads_itself() && matches!(way, Way::Variable(_))) {
                passed.push(Passed::value_of(name, way));
            }
        }
        passed.extend(read.iter().map(|read| Passed::value_of(&read.parameter.name, read.way.clone())));
        Facts { marked, read, seeds, gap, passed, ..Facts::default() }
    }

    /// Converts the parameters of another tuner's file.
    pub fn imported(origin: String, imported: Imported) -> Self {
        let keys = imported.keys();
        let Imported { reads, passed, notes, .. } = imported;
        Facts { read: reads, origin: Some(origin), notes, keys, passed, ..Facts::default() }
    }

    /// Returns whether there are no parameters.
    pub fn is_nothing(&self) -> bool {
        self.marked.is_none() && self.read.is_empty()
    }

    /// Returns whether an argument of the program is a seed.
    pub fn has_seed(&self) -> bool {
        !self.seeds.is_empty()
    }

    /// Returns the names of the parameters.
    pub fn names(&self) -> Vec<&str> {
        let marked = self.marked.iter().flatten().map(|marker| &marker.parameter.name);
        marked.chain(self.read.iter().map(|read| &read.parameter.name)).map(String::as_str).collect()
    }
}
