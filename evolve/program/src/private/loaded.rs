//! The files that a program loads by itself: modules next to a script, or compiled classes.

use super::here::normal;
use crate::watched::is_path;
use evolve_core::names::{CONFIG, LOCK, RESULTS};
use evolve_search::file::is_executable;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The name and the text of the file that marks a folder whose contents can be made again; see
/// <https://bford.info/cachedir/>.
pub const CACHE_TAG: &str = "CACHEDIR.TAG";
pub const CACHE_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";
/// The first part of the name of a temporary folder of copies. Its tag is missing while it is
/// removed.
pub const HOME: &str = "evolve-program-";
/// Folders of compiled Python modules, which belong to the modules next to them.
pub const COMPILED: &str = "__pycache__";

/// Programs that load files by themselves, and the extensions of these files. Versions in names do
/// not count: `python3.12` is `python`.
const LOADERS: [(&str, &[&str]); 15] = [
    ("python", &["py"]),
    ("pypy", &["py"]),
    ("java", &["class", "jar"]),
    ("node", &["js", "mjs", "cjs", "ts"]),
    ("deno", &["js", "mjs", "ts"]),
    ("bun", &["js", "mjs", "cjs", "ts"]),
    ("ruby", &["rb"]),
    ("perl", &["pl", "pm"]),
    ("lua", &["lua"]),
    ("php", &["php"]),
    ("julia", &["jl"]),
    ("Rscript", &["R", "r"]),
    ("cargo", &["rs"]),
    ("go", &["go"]),
    ("dotnet", &["cs", "dll"]),
];
/// Extensions of shell scripts, which load nothing from their own folder.
const SHELL: [&str; 3] = ["sh", "bash", "zsh"];
/// Extensions of other scripts of a single file.
const SINGLE: [&str; 2] = ["java", "awk"];
/// Extensions of executables.
const NATIVE: [&str; 2] = ["exe", "out"];
/// The largest number of modules that are copied, and of files among which they are searched.
const MOST: usize = 1000;
const MOST_SEEN: usize = 20_000;
/// The largest script that is searched for names of programs, in bytes.
const LONGEST: u64 = 1 << 20;

fn extension(file: &Path) -> &str {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Returns the extensions of the files that a script with this extension may load.
fn siblings(extension: &str) -> Option<&'static [&'static str]> {
    LOADERS.iter().map(|&(_, extensions)| extensions).find(|extensions| extensions.contains(&extension))
}

/// Returns whether a file is a script, by its extension.
pub fn is_script(file: &Path) -> bool {
    let extension = extension(file);
    SHELL.contains(&extension) || SINGLE.contains(&extension) || siblings(extension).is_some()
}

/// Returns whether an argument that is a file is code rather than data: a script, or an executable
/// that is named with its folder.
pub fn is_code(file: &Path) -> bool {
    let is_plain = extension(file).is_empty() || NATIVE.contains(&extension(file));
    let named = file.to_str().is_some_and(is_path);
    is_script(file) || named && is_plain && is_executable(file).unwrap_or(false)
}

/// Returns the modules next to a script: files with its extension in its folder and below; `None`
/// if there are too many.
pub fn modules(script: &Path) -> Option<BTreeSet<PathBuf>> {
    let Some((extensions, script)) = siblings(extension(script)).zip(normal(script)) else {
        return Some(BTreeSet::new());
    };
    let mut modules = found(script.parent().unwrap_or(Path::new("")), extensions)?;
    modules.remove(&script);
    Some(modules)
}

/// Returns the files that a program loads from the current folder, as far as its name shows; `None`
/// if there are too many.
pub fn by(program: &str) -> Option<BTreeSet<PathBuf>> {
    let stem = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = stem.strip_suffix(".exe").unwrap_or(stem);
    let name = stem.trim_end_matches(|c: char| c.is_ascii_digit() || ".-".contains(c));
    let loader = LOADERS.iter().find(|(loader, _)| *loader == name);
    loader.map_or(Some(BTreeSet::new()), |(_, extensions)| found(Path::new(""), extensions))
}

/// Returns the scripts and programs of the current folder that a shell script names.
pub fn named_in(script: &Path) -> BTreeSet<PathBuf> {
    let is_short = fs::metadata(script).is_ok_and(|file| file.len() <= LONGEST);
    if !SHELL.contains(&extension(script)) || !is_short {
        return BTreeSet::new();
    }
    fs::read(script).map(|bytes| named(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
}

/// Returns the scripts and programs of the current folder that a line or a script for a shell
/// names.
pub fn named(text: &str) -> BTreeSet<PathBuf> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'`;|&()<>=$".contains(c)).filter(|word| !word.is_empty());
    let is_named = |file: &PathBuf| file.is_file() && is_code(&Path::new(".").join(file));
    words.filter_map(|word| normal(Path::new(word))).filter(is_named).collect()
}

/// Returns the files below a folder of the current one that have one of these extensions; `None` if
/// there are too many.
fn found(folder: &Path, extensions: &[&str]) -> Option<BTreeSet<PathBuf>> {
    let (mut found, mut seen) = (BTreeSet::new(), 0);
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(Path::new(".").join(&folder)).into_iter().flatten().flatten() {
            let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
            let path = folder.join(&name);
            seen += 1;
            if kind.is_dir() && is_searched(&path) {
                folders.push(path);
            } else if kind.is_file() && extensions.contains(&extension(&path)) {
                found.insert(path);
            }
        }
        if found.len() > MOST || seen > MOST_SEEN {
            return None;
        }
    }
    Some(found)
}

/// Returns whether a folder may hold modules of the author: not runs, which keep copies of earlier
/// versions, installed packages, caches, or hidden files.
fn is_searched(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let has = |name: &str| Path::new(".").join(folder).join(name).exists();
    let is_hidden = name.starts_with('.') || name.starts_with(HOME);
    // A new run may have no files yet, but only copies.
    let is_of_runs = folder == Path::new(RESULTS) || has(CONFIG) && has(LOCK);
    !is_hidden && !is_of_runs && !["node_modules", COMPILED].contains(&&*name) && !has(CACHE_TAG) && !has("pyvenv.cfg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_known_by_its_name() {
        for (file, script, code) in [
            ("solver.py", true, true),
            ("dist/main.mjs", true, true),
            ("Main.java", true, true),
            ("run.sh", true, true),
            ("weights.json", false, false),
            ("in/0001.txt", false, false),
            // Not executable here.
            ("./solver", false, false),
        ] {
            assert_eq!((is_script(Path::new(file)), is_code(Path::new(file))), (script, code), "{file}");
        }
    }

    /// The current folder is the one of this package.
    #[test]
    fn a_program_loads_the_files_of_its_language() {
        let sources = by("/usr/bin/cargo").unwrap();
        assert!(sources.contains(Path::new("src/private/loaded.rs")), "{sources:?}");
        assert!(sources.iter().all(|file| extension(file) == "rs"));
        assert!(by("python3.12").unwrap().contains(Path::new("workers/evolve.py")));
        let modules = |script: &str| modules(Path::new(script)).unwrap();
        assert!(by("grep").unwrap().is_empty());
        assert!(modules("workers/other.py").contains(Path::new("workers/evolve.py")));
        assert!(!modules("workers/evolve.py").contains(Path::new("workers/evolve.py")));
        assert!(modules("run.sh").is_empty());
    }
}
