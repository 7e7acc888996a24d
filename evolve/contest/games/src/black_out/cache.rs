//! The solution of the game on disk, computed once and then read by every process that needs it.

use super::oracle::{LAYOUT, Oracle};
use evolve_search::lock;
use evolve_search::model::problem::Context;
use policy::black_out::board::{COLUMNS, ROWS};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"BLACKOUT";
/// The bytes of magic, layout, rows, columns and checksum.
const HEADER: usize = 24;

/// The reason why a file is not accepted as a solution.
#[derive(Debug, Error)]
pub enum CacheError {
    /// The file cannot be read, or does not exist.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file has other content, or is damaged.
    #[error("{0}")]
    Broken(String),
}

impl From<io::Error> for CacheError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => CacheError::Broken("too short".to_string()),
            _ => CacheError::Io(error),
        }
    }
}

/// The solution, shared by all sessions in this process because of its size.
static HELD: Mutex<Weak<Oracle>> = Mutex::new(Weak::new());

/// Returns the solution of the game's board: shared, read from the disk, or computed.
pub fn oracle(context: &Context) -> Arc<Oracle> {
    let mut shared = lock(&HELD);
    shared.upgrade().unwrap_or_else(|| {
        let oracle = Arc::new(open(context));
        *shared = Arc::downgrade(&oracle);
        oracle
    })
}

/// Reads the solution from the disk, or computes it and stores it as `black-out-5x6.bin`.
fn open(context: &Context) -> Oracle {
    let path = context.cache.as_ref().map(|folder| folder.join(format!("black-out-{ROWS}x{COLUMNS}.bin")));
    let note = |text: &str| context.notes.tell(text);
    if let Some(path) = &path {
        match Oracle::load(path, ROWS, COLUMNS) {
            Ok(oracle) => return oracle,
            Err(CacheError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => note(&format!("ignoring {}: {error}", path.display())),
        }
    }
    note("solving all positions of Black Out (only once)");
    let start = Instant::now();
    let oracle = Oracle::solve(ROWS, COLUMNS);
    note(&format!("solved in {:.1} s", start.elapsed().as_secs_f64()));
    if let Some(path) = &path {
        match oracle.save(path) {
            Ok(()) => note(&format!("kept in {}", path.display())),
            Err(error) => note(&format!("{} cannot be written: {error}", path.display())),
        }
    }
    oracle
}

impl Oracle {
    /// Reads a solution of a board of this size.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a complete and valid solution of this board.
    pub fn load(path: &Path, rows: usize, columns: usize) -> Result<Self, CacheError> {
        let broken = |reason: &str| Err(CacheError::Broken(reason.to_string()));
        let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
        let mut header = [0; HEADER];
        file.read_exact(&mut header)?;
        if header[..8] != MAGIC {
            return broken("not a solution of Black Out");
        }
        let number = |place: usize| {
            let bytes = header[8 + 4 * place..][..4].try_into().expect("four bytes");
            u32::from_le_bytes(bytes)
        };
        if number(0) != LAYOUT {
            return broken(&format!("layout {} instead of {LAYOUT}", number(0)));
        }
        if (number(1), number(2)) != (rows as u32, columns as u32) {
            return broken(&format!("for a board of {} x {}", number(1), number(2)));
        }
        let length = 1usize << ((rows - 1) * columns);
        let mut words = Vec::with_capacity(length);
        let mut checksum = crc32fast::Hasher::new();
        let mut buffer = [0; 1 << 12];
        while words.len() < length {
            let part = &mut buffer[..(8 * (length - words.len())).min(1 << 12)];
            file.read_exact(part)?;
            checksum.update(part);
            words.extend(part.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))));
        }
        if file.read(&mut [0])? != 0 {
            return broken("too long");
        }
        if checksum.finalize() != number(3) {
            return broken("wrong checksum");
        }
        Ok(Oracle::from_words(rows, columns, words.into_iter()).expect("as many words as counted"))
    }

    /// Writes the solution to a file in one step. Creates missing folders.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut checksum = crc32fast::Hasher::new();
        self.words().for_each(|word| checksum.update(&word.to_le_bytes()));
        let (rows, columns) = self.size();
        // The name is fixed, so that the next process overwrites the partial file of a killed one.
        let beside = path.with_extension("part");
        let part = File::options().create(true).write(true).truncate(false).open(&beside)?;
        match part.try_lock() {
            Ok(()) => part.set_len(0)?,
            // Another process is writing the same solution.
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let write = || {
            let mut file = BufWriter::with_capacity(1 << 20, &part);
            file.write_all(&MAGIC)?;
            for number in [LAYOUT, rows as u32, columns as u32, checksum.finalize()] {
                file.write_all(&number.to_le_bytes())?;
            }
            for word in self.words() {
                file.write_all(&word.to_le_bytes())?;
            }
            file.flush()?;
            part.sync_all()?;
            fs::rename(&beside, path)
        };
        let written = write();
        if written.is_err() {
            // Remove the partial file, ignoring the error if it does not exist.
            let _ = fs::remove_file(&beside);
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn a_solution_is_read_back_and_a_damaged_one_is_refused() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("new").join("solution.bin");
        assert!(matches!(Oracle::load(&path, 3, 4), Err(CacheError::Io(_))));
        let oracle = Oracle::solve(3, 4);
        oracle.save(&path).unwrap();
        let loaded = Oracle::load(&path, 3, 4).unwrap();
        assert!(loaded.words().eq(oracle.words()));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no other file remains");

        let good = fs::read(&path).unwrap();
        let spoilt = |place: usize| {
            let mut bytes = good.clone();
            bytes[place] ^= 4;
            bytes
        };
        for (bytes, message) in [
            (spoilt(0), "not a solution"),
            (spoilt(8), "layout 5 instead of 1"),
            (spoilt(12), "for a board of 7 x 4"),
            (spoilt(20), "checksum"),
            (spoilt(100), "checksum"),
            (good[..good.len() - 1].to_vec(), "too short"),
            (good[..10].to_vec(), "too short"),
            (Vec::new(), "too short"),
            ([&good[..], &[0]].concat(), "too long"),
        ] {
            fs::write(&path, bytes).unwrap();
            let error = Oracle::load(&path, 3, 4).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
