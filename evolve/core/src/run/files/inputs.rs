//! The files besides the job that trials depend on, with their checksums at the start of the run.
//!
//! The list has one line for each file: the CRC-32 in hexadecimal, two spaces, the path.

use super::folder::Folder;
use crate::names::INPUTS;
use crate::run::error::RunError;
use evolve_search::document::read_text;
use evolve_search::model::problem::Input;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// Writes the list of inputs of a new run.
///
/// # Errors
/// If the list cannot be written.
pub fn write(folder: &Folder, inputs: &[Input]) -> Result<(), RunError> {
    let text = list(inputs);
    if text.is_empty() { Ok(()) } else { folder.write(INPUTS, text.as_bytes()) }
}

/// Compares the inputs with the recorded list of the run's start. With `any`, replaces the list by
/// the current one.
///
/// # Errors
/// If the inputs differ, or the list cannot be read or written.
pub fn check(folder: &Folder, inputs: &[Input], any: bool) -> Result<(), RunError> {
    let now = list(inputs);
    let path = folder.file(INPUTS);
    let then = match read_text(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        then => then.map_err(RunError::io(&path))?,
    };
    match other(&then, &now) {
        None => Ok(()),
        Some(_) if then.trim().is_empty() && !any => Err(RunError::NoInputs(path)),
        Some(_) if any => folder.write(INPUTS, now.as_bytes()),
        Some(input) => Err(RunError::OtherInput(folder.path().to_path_buf(), input.to_string())),
    }
}

/// Returns the recorded checksums by path, as the list writes it; none if the folder holds no list.
pub fn recorded(folder: &Path) -> BTreeMap<String, u32> {
    let text = read_text(&folder.join(INPUTS)).unwrap_or_default();
    let entry = |(sum, path): (&str, &str)| Some((path.to_string(), u32::from_str_radix(sum, 16).ok()?));
    text.lines().filter_map(|line| line.split_once("  ").and_then(entry)).collect()
}

fn list(inputs: &[Input]) -> String {
    inputs.iter().map(|Input { path, checksum, .. }| format!("{checksum:08x}  {}\n", path.escape_debug())).collect()
}

/// Returns the name of the first input that differs between two lists.
fn other<'l>(then: &'l str, now: &'l str) -> Option<&'l str> {
    let read = |list: &'l str| -> BTreeMap<&'l str, &'l str> {
        list.lines().filter_map(|line| line.split_once("  ")).map(|(sum, name)| (name, sum)).collect()
    };
    let (then, now) = (read(then), read(now));
    let differs = |name: &&&str| then.get(**name) != now.get(**name);
    then.keys().chain(now.keys()).find(differs).copied()
}

#[cfg(test)]
mod tests {
    use super::other;

    #[test]
    fn any_change_is_found() {
        let then = "00000001  in/0001.txt\n00000002  in/0002.txt\n";
        assert_eq!(other(then, then), None);
        assert_eq!(other(then, &then.replace("00000002", "00000003")), Some("in/0002.txt"));
        assert_eq!(other(then, "00000001  in/0001.txt\n"), Some("in/0002.txt"));
        assert_eq!(other("", then), Some("in/0001.txt"));
    }
}
