//! The files of a job, through the server's object store: each named by its path and checked by its hash.

use crate::digest::Digest;
use async_nats::jetstream::object_store::ObjectStore;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A file of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// Where it is: relative to the folder of the job, or absolute.
    pub path: String,
    /// The hash of its bytes.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it can be executed.
    pub executable: bool,
    /// Whether it is sent. Absolute paths are not: workers must have the same file there.
    pub is_sent: bool,
}

/// What workers get of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The job.
    pub job: String,
    /// The files that its program needs.
    pub files: Vec<Sent>,
}

/// The name of the object that holds the manifest.
pub const MANIFEST: &str = "manifest";
/// The largest manifest, in bytes.
const LARGEST_MANIFEST: u64 = 256 << 20;

impl Sent {
    /// A file to be sent; paths are relative to the current folder.
    ///
    /// # Errors
    /// If it cannot be read, or is outside of the folder.
    pub fn new(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = path.to_str().ok_or_else(|| format!("{shown}: names of files that are sent must be UTF-8"))?;
        if !path.is_absolute() && !is_inside(path) {
            return Err(format!(
                "{shown} is outside of this folder, from which the job's files are sent; start the run in a folder \
                 above it, or name it by its absolute path and have it on every machine"
            ));
        }
        let unreadable = |error: io::Error| format!("{shown} cannot be read: {error}");
        let metadata = fs::metadata(path).map_err(unreadable)?;
        Ok(Sent {
            path: text.to_string(),
            digest: Digest::of_file(path).map_err(unreadable)?,
            size: metadata.len(),
            executable: metadata.permissions().mode() & 0o111 != 0,
            is_sent: !path.is_absolute(),
        })
    }
}

/// Whether a relative path leads to something below its folder.
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) && path.file_name().is_some()
}

/// Sends a manifest and its files; gives the hash of the manifest.
pub async fn send(store: &ObjectStore, manifest: &Manifest) -> Result<Digest, String> {
    for file in manifest.files.iter().filter(|file| file.is_sent) {
        let mut reader = tokio::fs::File::open(&file.path).await.map_err(|error| format!("{}: {error}", file.path))?;
        let name = file.digest.to_string();
        if store.info(&name).await.is_ok() {
            continue;
        }
        store
            .put(name.as_str(), &mut reader)
            .await
            .map_err(|error| format!("{} cannot be sent: {error}", file.path))?;
    }
    let bytes = crate::wire::bytes(manifest);
    let digest = Digest::of(&bytes);
    if store.info(MANIFEST).await.is_ok() {
        return Ok(digest);
    }
    store.put(MANIFEST, &mut &bytes[..]).await.map_err(|error| format!("the job cannot be sent: {error}"))?;
    Ok(digest)
}

/// Fetches the manifest of that hash.
pub async fn fetch_manifest(store: &ObjectStore, digest: Digest) -> Result<Manifest, String> {
    let object = store.get(MANIFEST).await.map_err(|error| format!("the job cannot be fetched: {error}"))?;
    let mut bytes = Vec::new();
    let mut object = object.take(LARGEST_MANIFEST);
    object.read_to_end(&mut bytes).await.map_err(|error| format!("the job cannot be fetched: {error}"))?;
    if Digest::of(&bytes) != digest {
        return Err("the job that the server has is not the one that was announced".to_string());
    }
    crate::wire::message(&bytes).ok_or_else(|| "the job cannot be read: it is of another build".to_string())
}

/// Fetches the files of a manifest into a folder, and looks at those that must be here already.
pub async fn fetch(store: &ObjectStore, manifest: &Manifest, folder: &Path) -> Result<(), String> {
    for file in &manifest.files {
        let path = Path::new(&file.path);
        if !file.is_sent {
            match Digest::of_file(path) {
                Ok(digest) if digest == file.digest => continue,
                Ok(_) => return Err(format!("{} is another file here than where the run is", file.path)),
                Err(error) => return Err(format!("{} must be on every machine: {error}", file.path)),
            }
        }
        // Nothing that is received gets out of the folder.
        if path.is_absolute() || !is_inside(path) {
            return Err(format!("{} would be written outside of the job's folder", file.path));
        }
        put(store, file, &folder.join(path)).await?;
    }
    Ok(())
}

async fn put(store: &ObjectStore, file: &Sent, path: &PathBuf) -> Result<(), String> {
    let failed = |error: &dyn fmt::Display| format!("{} cannot be fetched: {error}", file.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|error| failed(&error))?;
    }
    let object = store.get(file.digest.to_string()).await.map_err(|error| failed(&error))?;
    let mut object = object.take(file.size + 1);
    let mode = if file.executable { 0o700 } else { 0o600 };
    let written = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let mut written = tokio::fs::File::from_std(written.map_err(|error| failed(&error))?);
    tokio::io::copy(&mut object, &mut written).await.map_err(|error| failed(&error))?;
    written.flush().await.map_err(|error| failed(&error))?;
    written.sync_all().await.map_err(|error| failed(&error))?;
    drop(written);
    match Digest::of_file(path) {
        Ok(digest) if digest == file.digest => Ok(()),
        Ok(_) => Err(format!("{} arrived with another hash than it was sent with", file.path)),
        Err(error) => Err(failed(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_sent_as_it_is() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "abc").unwrap();
        let sent = Sent::new(&path).unwrap();
        assert_eq!(sent.digest, Digest::of(b"abc"));
        assert!(!sent.is_sent && !sent.executable && sent.size == 3);
    }

    #[test]
    fn nothing_gets_out_of_its_folder() {
        for (path, inside) in [
            ("a", true),
            ("./a/b", true),
            ("../a", false),
            ("a/../../b", false),
            ("/a", false),
            ("..", false),
            ("", false),
        ] {
            assert_eq!(is_inside(Path::new(path)), inside, "{path}");
        }
        assert!(Sent::new(Path::new("../x")).unwrap_err().contains("outside of this folder"));
    }
}
