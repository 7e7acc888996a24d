//! A simulated disk that loses unsynced data in a power failure.
//!
//! Stricter than most file systems: the name of a file is only safe once its folder is synced.

use crate::Files;
use crate::trace::{Call, path};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names, with the number of their file; folders have none.
type Names = BTreeMap<PathBuf, Option<usize>>;

/// A disk, and the part of it that is synced.
#[derive(Default)]
pub struct Disk {
    names: Names,
    sure_names: Names,
    contents: Vec<Vec<u8>>,
    sure_contents: Vec<Vec<u8>>,
}

impl Disk {
    /// A disk on which these files are synced.
    pub fn new(files: &Files) -> Self {
        let mut disk = Disk::default();
        for (path, bytes) in files {
            disk.names.extend(path.ancestors().skip(1).map(|folder| (folder.to_path_buf(), None)));
            disk.make(path, bytes.clone());
        }
        (disk.sure_names, disk.sure_contents) = (disk.names.clone(), disk.contents.clone());
        disk
    }

    fn make(&mut self, path: &Path, bytes: Vec<u8>) {
        self.names.insert(path.to_path_buf(), Some(self.contents.len()));
        self.contents.push(bytes);
        self.sure_contents.push(Vec::new());
    }

    /// Repeats the effect of a call. Files are written from beginning to end.
    pub fn apply(&mut self, root: &Path, call: &Call) {
        let known = self.names.get(&call.file).copied();
        match (call.name.as_str(), known) {
            ("openat", None) if call.rest.contains("O_CREAT") => self.make(&call.file, Vec::new()),
            ("openat", Some(Some(file))) if call.rest.contains("O_TRUNC") => self.contents[file].clear(),
            ("write", Some(Some(file))) => self.contents[file].extend(&call.texts[0][..call.result as usize]),
            ("ftruncate", Some(Some(file))) => {
                let length = call.rest.rsplit([' ', ')']).find_map(|word| word.parse().ok());
                self.contents[file].truncate(length.unwrap_or_else(|| panic!("{call:?}")));
            }
            ("fsync" | "fdatasync", Some(Some(file))) => self.sure_contents[file] = self.contents[file].clone(),
            ("fsync", _) => {
                let is_here = |name: &Path| name.parent() == Some(&call.file);
                self.sure_names.retain(|name, _| !is_here(name));
                let here = self.names.iter().filter(|(name, _)| is_here(name));
                self.sure_names.extend(here.map(|(name, file)| (name.clone(), *file)));
            }
            ("mkdir", _) => drop(self.names.insert(call.file.clone(), None)),
            ("unlink", _) => drop(self.names.remove(&call.file)),
            ("rename" | "renameat", _) => {
                let from = root.join(path(&call.texts[0]));
                let file = self.names.remove(from.strip_prefix(root).unwrap()).expect("what is renamed is there");
                self.names.insert(call.file.clone(), file);
            }
            ("openat" | "flock" | "fdatasync" | "write", _) => {}
            other => panic!("{other:?} is not known of disks"),
        }
    }

    /// The possible contents of the disk if the power fails now.
    pub fn losses(&self) -> [Files; 3] {
        [
            (&self.sure_names, &self.sure_contents),
            (&self.sure_names, &self.contents),
            (&self.names, &self.sure_contents),
        ]
        .map(|(names, contents)| {
            let is_there = |path: &Path| path.ancestors().skip(1).all(|folder| names.contains_key(folder));
            let files = names.iter().filter_map(|(path, file)| Some((path, (*file)?)));
            let left = files.filter(|(path, _)| is_there(path));
            left.map(|(path, file)| (path.clone(), contents[file].clone())).collect()
        })
    }
}
