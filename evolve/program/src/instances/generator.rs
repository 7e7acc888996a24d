//! Inputs made by a program, kept in a folder so that each is made once.

use crate::tool;
use evolve_core::run::atomic::{make_folder, replace};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The file with what a generator prints for an instance. It is named by the generator's words and their files, so that
/// another generator makes others.
///
/// # Errors
/// A message if the generator fails or the file cannot be written; `None` if it was stopped.
pub fn input(
    folder: &Path,
    words: Vec<String>,
    name: &str,
    wall: Duration,
    stop: Option<&AtomicBool>,
) -> Result<PathBuf, Option<String>> {
    let mut hasher = crc32fast::Hasher::new();
    for word in &words {
        hasher.update(word.as_bytes());
        hasher.update(&[0]);
        let file = if word == &words[0] { crate::watched::find(word) } else { Some(PathBuf::from(word)) };
        // The generator itself, a script that it runs, a file that it reads: if they change, so do the inputs.
        if let Some(bytes) = file.filter(|file| file.is_file()).and_then(|file| fs::read(file).ok()) {
            hasher.update(&bytes);
        }
    }
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let path = folder.join(format!("{plain}-{:08x}.txt", hasher.finalize()));
    if path.is_file() {
        return Ok(path);
    }
    let text = tool::run(words, Some(wall), stop)?;
    let write = || -> std::io::Result<()> {
        make_folder(folder)?;
        // Several threads may make the same one: whoever is last puts the same text there.
        replace(&path, &text)
    };
    write().map_err(|error| Some(format!("{} cannot be written: {error}", path.display())))?;
    Ok(path)
}
