//! Input files with the same bytes. They are one instance: playing it under several names gives no
//! more evidence, and could bring an instance of the search into the test.

use evolve_search::file::slashed;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// A file, and an earlier one with the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    pub file: PathBuf,
    pub of: PathBuf,
}

/// The number of copies that a message names.
const NAMED: usize = 3;

/// Returns the files with the bytes of an earlier one, in order.
pub fn copies(files: &[PathBuf]) -> Vec<Copy> {
    // Only files of the same length are read.
    let mut by_length: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, file) in files.iter().enumerate() {
        if let Ok(found) = fs::metadata(file) {
            by_length.entry(found.len()).or_default().push(place);
        }
    }
    let mut copies: Vec<(usize, usize)> = Vec::new();
    for places in by_length.into_values().filter(|places| places.len() > 1) {
        let mut firsts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for place in places {
            let Ok(bytes) = fs::read(&files[place]) else { continue };
            let firsts = firsts.entry(crc32fast::hash(&bytes)).or_default();
            match firsts.iter().find(|&&first| fs::read(&files[first]).is_ok_and(|first| first == bytes)) {
                Some(&first) => copies.push((place, first)),
                None => firsts.push(place),
            }
        }
    }
    copies.sort_unstable();
    let copy = |(place, first): (usize, usize)| Copy { file: files[place].clone(), of: files[first].clone() };
    copies.into_iter().map(copy).collect()
}

/// Names some copies: `b.txt (as a.txt), ...`.
pub fn named(copies: &[Copy]) -> String {
    let one = |Copy { file, of }: &Copy| format!("{} (as {})", slashed(file), slashed(of));
    let shown = copies.iter().take(NAMED).map(one).collect::<Vec<_>>().join(", ");
    match copies.len().saturating_sub(NAMED) {
        0 => shown,
        others => format!("{shown} and {others} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_the_same_bytes_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = |(name, text): (&str, &str)| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let files = [("a", "12"), ("b", "21"), ("c", "12"), ("d", "1"), ("e", "21"), ("f", "12"), ("g", "")].map(file);
        let found = copies(&files);
        let names: Vec<_> =
            found.iter().map(|Copy { file, of }| [file, of].map(|path| path.file_name().unwrap())).collect();
        assert_eq!(names, [["c", "a"], ["e", "b"], ["f", "a"]]);
        assert!(copies(&files[..2]).is_empty());
        let text = named(&[&found[..], &found[..1]].concat());
        assert!(text.ends_with(" and 1 more") && text.contains("c (as "), "{text}");
    }
}
