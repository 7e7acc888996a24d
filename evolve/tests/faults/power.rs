//! Losses of power: an operation is followed call by call, and at each one all that may be left on the disk is laid out
//! in a folder, in which the operation is done again.

use crate::disk::Disk;
use crate::fault::{is_checkpoint, is_kept, recovers};
use crate::operation::{Files, Operation, write};
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// Files as a loss of power left them, and how many checkpoints were safe by then.
pub struct Loss {
    files: Files,
    checkpoints: usize,
    /// After which call.
    after: String,
}

/// All that losses of power may leave of an operation, each once; and after how many calls.
pub fn losses(operation: &Operation) -> (Vec<Loss>, usize) {
    let mut disk = Disk::new(&operation.before());
    let mut seen = BTreeSet::new();
    let (mut losses, mut calls) = (Vec::new(), 0);
    let (mut renamed, mut checkpoints) = (0, 0);
    for call in &operation.calls {
        // A checkpoint is saved as soon as anything else is done than to sync its folder.
        if !["openat", "fsync"].contains(&call.name.as_str()) {
            checkpoints = renamed;
        }
        // What is being played needs none of it afterwards.
        if call.files[0].starts_with("tmp") || !disk.apply(call) {
            continue;
        }
        calls += 1;
        if call.name.starts_with("rename") && is_checkpoint(call) {
            renamed += 1;
        }
        for files in disk.losses() {
            if seen.insert((checkpoints, files.clone())) {
                losses.push(Loss { files, checkpoints, after: call.to_string() });
            }
        }
    }
    (losses, calls)
}

/// Does the operation again after a loss of power.
///
/// # Errors
/// What did not hold.
pub fn try_after(operation: &Operation, loss: &Loss) -> Result<(), String> {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    write(folder.path(), &loss.files);
    let held = is_kept(operation, folder.path(), loss.checkpoints).and_then(|()| recovers(operation, folder.path()));
    held.map_err(|what| {
        let files: Vec<_> =
            loss.files.iter().map(|(path, bytes)| format!("{} {}", path.display(), bytes.len())).collect();
        format!("{}: power lost after {}: {what} ({})", operation.name, loss.after, files.join(", "))
    })
}
