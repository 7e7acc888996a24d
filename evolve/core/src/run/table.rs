//! A table that rows are added to, and what of it belongs to a run.

use super::atomic::{open_plain, write_plain};
use super::error::RunError;
use super::watch::Watch;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The names of the tables that every run has.
pub const TABLES: [&str; 3] = [GENERATIONS, VALIDATION, TIMING];
pub const GENERATIONS: &str = "generations.csv";
pub const VALIDATION: &str = "validation.csv";
pub const TIMING: &str = "timing.csv";

/// How much of a table belongs to a run; what goes beyond was written after the checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Bytes.
    pub length: u64,
    /// Their checksum (CRC-32).
    pub checksum: u32,
}

/// A table that rows are added to.
pub struct Table {
    path: PathBuf,
    file: File,
    /// What was written.
    hasher: crc32fast::Hasher,
    length: u64,
    rows: csv::Writer<Vec<u8>>,
}

impl Table {
    /// Opens a table, makes it if nothing of it is there yet, and cuts off what goes beyond the mark.
    ///
    /// # Errors
    /// If less is there, or something else, than the mark says.
    pub fn open(path: PathBuf, mark: Mark) -> Result<Self, RunError> {
        let mut file = match open_plain(&path, mark.length == 0) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let what = format!("missing, but the checkpoint counts on {} bytes", mark.length);
                return Err(RunError::Damaged(path, what));
            }
            opened => opened.map_err(RunError::io(&path))?,
        };
        let hasher = hash(&mut file, mark.length).map_err(RunError::io(&path))?;
        let Some(hasher) = hasher else {
            let found = file.metadata().map_err(RunError::io(&path))?.len();
            let what = format!("{found} bytes, but the checkpoint counts on {}", mark.length);
            return Err(RunError::Damaged(path, what));
        };
        if hasher.clone().finalize() != mark.checksum {
            let what = "changed since the run wrote it: its checksum does not match".to_string();
            return Err(RunError::Damaged(path, what));
        }
        let mut table = Table { path, file, hasher, length: 0, rows: rows() };
        table.cut(mark)?;
        Ok(table)
    }

    /// Whether nothing was written to it yet.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How much of it belongs to the run.
    pub fn mark(&self) -> Mark {
        Mark { length: self.length, checksum: self.hasher.clone().finalize() }
    }

    /// Cuts off what goes beyond a mark made before.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn cut(&mut self, mark: Mark) -> Result<(), RunError> {
        let cut = || {
            self.file.set_len(mark.length)?;
            let hasher = hash(&mut self.file, mark.length)?;
            self.file.seek(SeekFrom::End(0))?;
            hasher.ok_or_else(|| io::Error::other("it became shorter meanwhile"))
        };
        let mut cut = cut;
        self.hasher = cut().map_err(RunError::io(&self.path))?;
        self.length = mark.length;
        Ok(())
    }

    /// Adds a row, to be written by [`append`](Self::append).
    pub fn row<I: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = I>) {
        self.rows.write_record(fields).expect("writing to memory does not fail");
    }

    /// Writes the rows added.
    ///
    /// # Errors
    /// If the file cannot be written, or was changed by somebody else and cannot be restored.
    pub fn append(&mut self, watch: &mut dyn Watch) -> Result<(), RunError> {
        let rows = std::mem::replace(&mut self.rows, rows());
        let bytes = rows.into_inner().expect("writing to memory does not fail");
        if bytes.is_empty() {
            return Ok(());
        }
        self.restore(watch)?;
        let mut write = || {
            self.file.write_all(&bytes)?;
            self.file.sync_data()
        };
        write().map_err(RunError::io(&self.path))?;
        self.hasher.update(&bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Puts the table back if another file has taken its place: editors write a new file and give it the old one's
    /// name, and rows would go on to the nameless old one.
    fn restore(&mut self, watch: &mut dyn Watch) -> Result<(), RunError> {
        let own = self.file.metadata().map_err(RunError::io(&self.path))?;
        let there = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            there => Some(there.map_err(RunError::io(&self.path))?),
        };
        let is_there = there.as_ref().is_some_and(|there| (there.dev(), there.ino()) == (own.dev(), own.ino()));
        if is_there && own.len() == self.length {
            return Ok(());
        }
        let mut known = Vec::new();
        let mut read = || {
            self.file.rewind()?;
            (&self.file).take(self.length).read_to_end(&mut known)
        };
        read().map_err(RunError::io(&self.path))?;
        if crc32fast::hash(&known) != self.mark().checksum {
            let what = "changed while the run was writing it; the run goes on from its last checkpoint, with the table \
                        as it was then";
            return Err(RunError::Damaged(self.path.clone(), what.to_string()));
        }
        let restore = || {
            if there.is_some_and(|there| !there.is_file()) {
                fs::remove_file(&self.path)?;
            }
            write_plain(&self.path, &known)?;
            let mut file = open_plain(&self.path, false)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        self.file = restore().map_err(RunError::io(&self.path))?;
        watch.note(&format!(
            "{} was changed or replaced by somebody else while the run was writing it; the run has put its own rows back",
            self.path.display()
        ));
        Ok(())
    }
}

/// The checksum of the first bytes of a file; `None` if it has not so many.
fn hash(file: &mut File, length: u64) -> io::Result<Option<crc32fast::Hasher>> {
    file.rewind()?;
    let mut hasher = crc32fast::Hasher::new();
    let mut rest = file.take(length);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match rest.read(&mut chunk)? {
            0 => break,
            count => hasher.update(&chunk[..count]),
        }
    }
    Ok((rest.limit() == 0).then_some(hasher))
}

fn rows() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().flexible(false).from_writer(Vec::new())
}
