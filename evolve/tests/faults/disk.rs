//! A disk as a loss of power may leave it: what was written and not synced may be there, or not, or in part.
//!
//! Stricter than most file systems: a sync of a file says nothing of its name, and changes of names come to the disk in
//! any order, each by itself, unless the folder was synced.

use crate::operation::Files;
use crate::trace::Call;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

/// The bytes of a file: those that are sure to be there, and what it should hold.
#[derive(Clone, Debug, Default)]
struct Content {
    sure: Vec<u8>,
    now: Vec<u8>,
}

/// A change of names: what is there afterwards, or that nothing is.
type Change = Vec<(PathBuf, Option<Node>)>;

/// A disk, and what of it is sure.
#[derive(Default)]
pub struct Disk {
    names: BTreeMap<PathBuf, Node>,
    sure: BTreeMap<PathBuf, Node>,
    /// Changes of names that are not sure.
    changes: Vec<Change>,
    contents: Vec<Content>,
    /// Open files, with the place of the next byte.
    open: HashMap<i32, (usize, usize)>,
}

/// What of a file survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// What was synced.
    Sure,
    /// All.
    All,
    /// Its length, with zeros for what was not synced.
    Zeros,
    /// Half of what was not synced.
    Half,
}

impl Disk {
    /// A disk on which these files are safe.
    pub fn new(files: &Files) -> Self {
        let mut disk = Disk::default();
        for (path, bytes) in files {
            for folder in path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty()) {
                disk.sure.insert(folder.to_path_buf(), Node::Folder);
            }
            disk.sure.insert(path.clone(), Node::File(disk.contents.len()));
            disk.contents.push(Content { sure: bytes.clone(), now: bytes.clone() });
        }
        disk.names = disk.sure.clone();
        disk
    }

    /// Does what a call did; whether anything changed.
    pub fn apply(&mut self, call: &Call) -> bool {
        let Some(result) = call.result.filter(|result| *result >= 0) else { return false };
        let file = &call.files[0];
        match call.name.as_str() {
            "mkdir" | "mkdirat" => self.change(vec![(file.clone(), Some(Node::Folder))]),
            "unlink" | "unlinkat" | "rmdir" => self.change(vec![(file.clone(), None)]),
            "link" | "linkat" => self.change(vec![(call.files[1].clone(), self.names.get(file).copied())]),
            "rename" | "renameat" | "renameat2" => {
                self.change(vec![(file.clone(), None), (call.files[1].clone(), self.names.get(file).copied())])
            }
            "open" | "openat" => return self.open(call, result as i32),
            "read" | "lseek" => {
                if let Some((_, place)) = self.place(call) {
                    *place = if call.name == "lseek" { result as usize } else { *place + result as usize };
                }
                return false;
            }
            "write" => self.write(call, result as usize),
            "ftruncate" => {
                let length =
                    call.arguments.rsplit_once(", ").and_then(|(_, length)| length.trim_end_matches(')').parse().ok());
                if let Some((file, _)) = self.place(call) {
                    self.contents[file].now.resize(length.unwrap_or_else(|| panic!("{call:?}")), 0);
                }
            }
            "fsync" | "fdatasync" => match self.names.get(file) {
                Some(&Node::File(file)) => self.contents[file].sure = self.contents[file].now.clone(),
                _ => self.sync(file),
            },
            "flock" | "statx" | "fstat" | "newfstatat" | "stat" | "lstat" | "readlink" | "readlinkat" | "getcwd"
            | "getdents64" | "access" | "faccessat2" | "pread64" => return false,
            other => panic!("{other} is not known of disks"),
        }
        true
    }

    /// The open file of a call, and the place in it.
    fn place(&mut self, call: &Call) -> Option<(usize, &mut usize)> {
        self.open.get_mut(&call.descriptor?).map(|(file, place)| (*file, place))
    }

    fn change(&mut self, change: Change) {
        take(&mut self.names, &change);
        self.changes.push(change);
    }

    fn open(&mut self, call: &Call, descriptor: i32) -> bool {
        let path = &call.files[0];
        let has = |flag: &str| call.arguments.contains(flag);
        let (is_new, is_empty) = (!self.names.contains_key(path) && *path != PathBuf::new(), has("O_TRUNC"));
        if is_new {
            assert!(has("O_CREAT"), "{call:?}");
            self.contents.push(Content::default());
            self.change(vec![(path.clone(), Some(Node::File(self.contents.len() - 1)))]);
        }
        self.open.remove(&descriptor);
        if let Some(&Node::File(file)) = self.names.get(path) {
            if is_empty {
                self.contents[file].now.clear();
            }
            let place = if has("O_APPEND") { self.contents[file].now.len() } else { 0 };
            self.open.insert(descriptor, (file, place));
        }
        is_new || is_empty
    }

    fn write(&mut self, call: &Call, count: usize) {
        let Some((file, place)) = self.place(call) else { return };
        let start = *place;
        *place += count;
        let now = &mut self.contents[file].now;
        now.resize(now.len().max(start + count), 0);
        now[start..start + count].copy_from_slice(&call.texts[0][..count]);
    }

    /// Makes the names in a folder sure.
    fn sync(&mut self, folder: &Path) {
        for change in std::mem::take(&mut self.changes) {
            match change.iter().any(|(path, _)| path.parent() == Some(folder)) {
                true => take(&mut self.sure, &change),
                false => self.changes.push(change),
            }
        }
    }

    /// What may be left if the power fails now, without what is there twice.
    pub fn losses(&self) -> BTreeSet<Files> {
        let count = self.changes.len();
        // None of the changes, all, each one alone, all but one.
        let mut choices: BTreeSet<Vec<bool>> = [vec![false; count], vec![true; count]].into();
        for place in 0..count {
            for alone in [true, false] {
                choices.insert((0..count).map(|other| (other == place) == alone).collect());
            }
        }
        let survivals = [Bytes::Sure, Bytes::All, Bytes::Zeros, Bytes::Half];
        choices.iter().flat_map(|choice| survivals.map(|bytes| self.loss(choice, bytes))).collect()
    }

    fn loss(&self, choice: &[bool], bytes: Bytes) -> Files {
        let mut names = self.sure.clone();
        for (change, _) in self.changes.iter().zip(choice).filter(|(_, survives)| **survives) {
            take(&mut names, change);
        }
        let is_there = |path: &Path| {
            path.ancestors().skip(1).all(|folder| folder.as_os_str().is_empty() || names.contains_key(folder))
        };
        let file = |(path, node): (&PathBuf, &Node)| match node {
            Node::File(file) if is_there(path) => Some((path.clone(), self.contents[*file].after(bytes))),
            _ => None,
        };
        names.iter().filter_map(file).collect()
    }
}

/// Takes a change over.
fn take(names: &mut BTreeMap<PathBuf, Node>, change: &Change) {
    for (path, node) in change {
        match node {
            Some(node) => drop(names.insert(path.clone(), *node)),
            None => drop(names.remove(path)),
        }
    }
}

impl Content {
    fn after(&self, bytes: Bytes) -> Vec<u8> {
        let Content { sure, now } = self;
        let same = sure.iter().zip(now).take_while(|(one, other)| one == other).count();
        match bytes {
            Bytes::Sure => sure.clone(),
            Bytes::All => now.clone(),
            Bytes::Zeros => now[..same].iter().copied().chain(std::iter::repeat_n(0, now.len() - same)).collect(),
            Bytes::Half => now[..same + (now.len() - same) / 2].to_vec(),
        }
    }
}
