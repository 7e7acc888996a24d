//! The table of what came of faults, as the documentation has it.

use crate::fault::{Fault, Outcome};
use crate::trace::Call;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Outcomes by operation, system call and fault.
#[derive(Default)]
pub struct Table {
    /// Operations, in the order in which they were done.
    operations: Vec<&'static str>,
    calls: BTreeSet<(usize, String, usize, usize)>,
    counts: BTreeMap<(usize, String, &'static str), BTreeMap<Outcome, usize>>,
}

const COLUMNS: [&str; 8] = ["kill", "EIO", "ENOSPC", "EDQUOT", "EROFS", "EMFILE", "EINTR", "short"];

impl Table {
    /// Counts a fault.
    pub fn add(&mut self, operation: &'static str, call: &Call, fault: Fault, outcome: Outcome) {
        if self.operations.last() != Some(&operation) {
            self.operations.push(operation);
        }
        let place = self.operations.len() - 1;
        let column = match fault {
            Fault::Kill => "kill",
            Fault::Error(error, _) => error,
            Fault::Short(_) => "short",
        };
        self.calls.insert((place, call.name.clone(), call.thread, call.number));
        *self.counts.entry((place, call.name.clone(), column)).or_default().entry(outcome).or_default() += 1;
    }

    /// Puts the table into its page, between the marks of its name.
    pub fn write(&self, name: &str) {
        let mut text = format!("| operation | system call | calls | {} |\n", COLUMNS.join(" | "));
        text += &format!("|---|---|--:|{}\n", "---|".repeat(COLUMNS.len()));
        for (place, operation) in self.operations.iter().enumerate() {
            let calls: Vec<_> = self.calls.iter().filter(|call| call.0 == place).collect();
            let names: BTreeSet<&str> = calls.iter().map(|call| call.1.as_str()).collect();
            for name in names {
                let count = calls.iter().filter(|call| call.1 == name).count();
                let cells = COLUMNS.map(|column| self.cell(&(place, name.to_string(), column)));
                text += &format!("| {operation} | `{name}` | {count} | {} |\n", cells.join(" | "));
            }
        }
        let all: usize = self.counts.values().flat_map(BTreeMap::values).sum();
        text += &format!("\n{all} faults at {} calls.\n", self.calls.len());
        put(name, &text);
    }

    /// What came of one fault at one system call.
    fn cell(&self, key: &(usize, String, &'static str)) -> String {
        let Some(counts) = self.counts.get(key) else { return String::new() };
        let letter = |outcome: &Outcome| match outcome {
            Outcome::Killed => "",
            Outcome::Told => "t",
            Outcome::Mute => "m",
            Outcome::Unharmed => "u",
            Outcome::Noted => "n",
        };
        counts.iter().map(|(outcome, count)| format!("{count}{}", letter(outcome))).collect::<Vec<_>>().join(" ")
    }
}

/// Puts text into the page on faults, between the marks of a name.
pub fn put(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/faults.md");
    let page = fs::read_to_string(&path).unwrap();
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let (head, rest) = page.split_once(&start).unwrap();
    let (_, tail) = rest.split_once(&end).unwrap();
    fs::write(path, format!("{head}{start}\n{text}\n{end}{tail}")).unwrap();
}
