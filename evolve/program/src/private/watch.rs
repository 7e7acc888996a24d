//! Watches the files that trials read and that have no private copy.

use crate::watched::checksum;
use evolve_search::file::slashed;
use evolve_search::lock;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// The files, with the checksums of their first contents.
#[derive(Debug, Default)]
pub struct Watch(Mutex<Vec<Watched>>);

#[derive(Debug)]
struct Watched {
    path: PathBuf,
    checksum: u32,
    /// The state of the file at which its contents were last known to be the first ones.
    stamp: Option<Stamp>,
}

/// The state of a file, which changes with its contents.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stamp {
    modified: SystemTime,
    length: u64,
}

/// The resolution of a file's time, generously.
const TICK: Duration = Duration::from_secs(2);
/// The time after which a file that is being written is read again, and how often.
const WRITTEN: Duration = Duration::from_millis(200);
const READS: usize = 50;

impl Watch {
    /// Watches files from now on. `checksum` is the one at the start of the session.
    pub fn new(files: impl IntoIterator<Item = (PathBuf, u32)>) -> Self {
        let files = files.into_iter().map(|(path, checksum)| Watched { path, checksum, stamp: None });
        Watch(Mutex::new(files.collect()))
    }

    /// Returns a file whose contents have changed.
    pub fn changed(&self) -> Option<String> {
        lock(&self.0).iter_mut().find_map(|file| file.has_changed().then(|| slashed(&file.path)))
    }

    /// Stops to watch outputs: files among those named that have changed during the first trial.
    /// Returns them.
    pub fn outputs(&self, named: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let mut outputs = Vec::new();
        lock(&self.0).retain_mut(|file| {
            let is_output = named.contains(&file.path) && file.has_changed();
            outputs.extend(is_output.then(|| file.path.clone()));
            !is_output
        });
        outputs
    }
}

impl Watched {
    fn has_changed(&mut self) -> bool {
        let now = Stamp::of(&self.path).ok();
        if now.is_some() && self.stamp == now {
            return false;
        }
        if !self.has_first_contents() {
            return true;
        }
        // A later change within the same tick would leave the stamp as it is.
        let age = |stamp: &Stamp| SystemTime::now().duration_since(stamp.modified);
        self.stamp = now.filter(|now| age(now).is_ok_and(|age| age > TICK));
        false
    }

    /// Returns whether the file still has its first contents, or has them again once it is written:
    /// a build may write the same inputs again.
    fn has_first_contents(&self) -> bool {
        let mut before = None;
        for _ in 0..READS {
            let now = checksum(&self.path).ok();
            if now == Some(self.checksum) {
                return true;
            }
            if before == Some(now) {
                return false;
            }
            before = Some(now);
            sleep(WRITTEN);
        }
        false
    }
}

impl Stamp {
    fn of(path: &PathBuf) -> io::Result<Self> {
        let file = fs::metadata(path)?;
        Ok(Stamp { modified: file.modified()?, length: file.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_contents_are_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["input", "output"].map(|name| folder.path().join(name));
        for path in [&input, &output] {
            fs::write(path, "one").unwrap();
        }
        let sum = crc32fast::hash(b"one");
        let watch = Watch::new([(input.clone(), sum), (output.clone(), sum)]);
        assert_eq!(watch.changed(), None);
        fs::write(&input, "one").unwrap();
        assert_eq!(watch.changed(), None, "written again");
        fs::write(&output, "two").unwrap();
        assert_eq!(watch.changed(), Some(slashed(&output)));
        assert_eq!(watch.outputs(&BTreeSet::from([input.clone(), output.clone()])), [output]);
        assert_eq!(watch.changed(), None, "an output is not watched");
        fs::write(&input, "two").unwrap();
        assert_eq!(watch.changed(), Some(slashed(&input)));
        fs::remove_file(&input).unwrap();
        assert_eq!(watch.changed(), Some(slashed(&input)));
    }
}
