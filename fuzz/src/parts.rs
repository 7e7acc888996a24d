//! Several files in one input: each begins with a line `=== NAME`.

use std::path::Path;
use tempfile::TempDir;

/// Files by their names.
pub struct Parts<'b>(Vec<(&'static str, &'b [u8])>);

const MARK: &[u8] = b"=== ";

impl<'b> Parts<'b> {
    /// The files of an input that have one of these names; a name that comes twice counts the second time.
    pub fn of(bytes: &'b [u8], names: &[&'static str]) -> Self {
        let mut parts: Vec<(&'static str, &'b [u8])> = Vec::new();
        let mut start = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let end = start + line.len();
            let name = line.strip_prefix(MARK).and_then(|name| std::str::from_utf8(name).ok()).map(str::trim_end);
            match name.and_then(|name| names.iter().find(|other| **other == name)) {
                Some(name) => parts.push((name, &bytes[end..end])),
                None => {
                    if let Some((_, part)) = parts.last_mut() {
                        *part = &bytes[end - line.len() - part.len()..end];
                    }
                }
            }
            start = end;
        }
        Parts(parts)
    }

    /// All files.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'b [u8])> {
        self.0.iter().copied()
    }

    /// The file of a name.
    pub fn get(&self, name: &str) -> Option<&'b [u8]> {
        self.0.iter().rev().find(|(other, _)| *other == name).map(|&(_, part)| part)
    }
}

/// One input of several files.
pub fn join<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, file) in files {
        bytes.extend_from_slice(MARK);
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(b'\n');
        bytes.extend_from_slice(file);
    }
    bytes
}

/// An empty folder, in memory where that is to be had: these files are synced all the time.
pub fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir());
    folder.expect("there is room for a folder")
}
