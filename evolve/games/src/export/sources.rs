//! The source text of a crate, as it stands in its folder.

use include_dir::{Dir, File, include_dir};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The sources of one crate, by path.
///
/// A program that brings its own game embeds its sources as this crate embeds those of `policy`: with
/// [`include_dir!`](mod@include_dir), which takes a whole folder and so cannot leave out a file.
///
/// ```ignore
/// let sources = Sources::embedded("my_games", &include_dir!("$CARGO_MANIFEST_DIR/src"));
/// ```
#[derive(Clone, Debug)]
pub struct Sources {
    name: String,
    files: BTreeMap<String, String>,
}

impl Sources {
    /// Sources from pairs of a path, such as `lib.rs` or `board/cells.rs`, and its text. The crate's root is `lib.rs`
    /// or, where there is none, `main.rs`. `name` is how other crates call it.
    pub fn new<P: Into<String>, T: Into<String>>(name: &str, files: impl IntoIterator<Item = (P, T)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.into(), text.into())).collect();
        Sources { name: name.to_string(), files }
    }

    /// The sources in an embedded folder.
    pub fn embedded(name: &str, folder: &Dir<'_>) -> Self {
        let mut files = Vec::new();
        collect(folder, &mut files);
        let text = |file: &&File<'_>| file.contents_utf8().unwrap_or_default().to_string();
        Sources::new(name, files.iter().map(|file| (file.path().to_string_lossy().replace('\\', "/"), text(file))))
    }

    /// The sources of the crate `policy`.
    pub fn policy() -> &'static Self {
        static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../policy/src");
        static SOURCES: LazyLock<Sources> = LazyLock::new(|| Sources::embedded("policy", &FOLDER));
        &SOURCES
    }

    /// How other crates call it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }
}

fn collect<'a>(folder: &'a Dir<'a>, files: &mut Vec<&'a File<'a>>) {
    files.extend(folder.files().filter(|file| file.path().extension().is_some_and(|extension| extension == "rs")));
    for inner in folder.dirs() {
        collect(inner, files);
    }
}
