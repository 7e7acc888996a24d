//! The programs of a Cargo project.

use crate::found::{FoundProgram, command_word};
use std::fs;
use std::path::{Path, PathBuf};

/// A program of a Cargo project.
pub struct Bin {
    pub name: String,
    pub path: PathBuf,
}

/// Returns the programs of a Cargo project or workspace, and whether the first is the default of
/// `cargo run`.
pub fn bins(folder: &Path) -> (Vec<Bin>, bool) {
    let Some(table) = manifest(folder) else { return (Vec::new(), false) };
    let mut bins = of_package(&table, folder, Path::new(""));
    let members =
        table.get("workspace").and_then(|workspace| workspace.get("members")).and_then(|members| members.as_array());
    for member in members.into_iter().flatten().filter_map(|member| member.as_str()) {
        let paths = folder.join(member).to_str().and_then(|pattern| glob::glob(pattern).ok());
        for path in paths.into_iter().flatten().flatten() {
            let below = path.strip_prefix(folder).unwrap_or(&path).to_path_buf();
            bins.extend(manifest(&path).into_iter().flat_map(|table| of_package(&table, folder, &below)));
        }
    }
    let default = table.get("package").and_then(|package| text(package, "default-run"));
    match bins.iter().position(|bin| Some(&bin.name) == default.as_ref()) {
        Some(place) => {
            bins.swap(0, place);
            (bins, true)
        }
        None => {
            let is_only = bins.len() == 1;
            (bins, is_only)
        }
    }
}

fn manifest(folder: &Path) -> Option<toml::Table> {
    fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()
}

fn text(table: &toml::Value, key: &str) -> Option<String> {
    table.get(key)?.as_str().map(String::from)
}

/// Returns the programs of a package, with paths relative to `folder`, below which the package
/// lies.
fn of_package(table: &toml::Table, folder: &Path, below: &Path) -> Vec<Bin> {
    let Some(package) = table.get("package") else { return Vec::new() };
    let name = text(package, "name").unwrap_or_default();
    let mut bins: Vec<Bin> = Vec::new();
    let mut add = |name: String, path: PathBuf| {
        let path = below.join(path);
        if folder.join(&path).is_file() && bins.iter().all(|bin| bin.path != path) {
            bins.push(Bin { name, path });
        }
    };
    let in_bin = |name: &str| PathBuf::from(format!("src/bin/{name}.rs"));
    for bin in table.get("bin").and_then(|bins| bins.as_array()).into_iter().flatten() {
        let Some(own) = text(bin, "name") else { continue };
        let path = text(bin, "path").map(PathBuf::from);
        add(own.clone(), path.unwrap_or_else(|| if own == name { "src/main.rs".into() } else { in_bin(&own) }));
    }
    add(name, "src/main.rs".into());
    let mut others: Vec<_> = fs::read_dir(folder.join(below).join("src/bin")).into_iter().flatten().flatten().collect();
    others.sort_by_key(fs::DirEntry::file_name);
    for entry in others {
        let path = Path::new("src/bin").join(entry.file_name());
        if path.extension().is_some_and(|ending| ending == "rs") {
            add(path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path);
        }
    }
    bins
}

/// Returns the source of the program that `cargo run` starts by default.
pub fn source(folder: &Path) -> Option<PathBuf> {
    let (bins, has_default) = bins(folder);
    bins.into_iter().next().filter(|_| has_default).map(|bin| bin.path)
}

/// Returns how to build and start one of `of` programs.
pub fn found(bin: &Bin, of: usize) -> FoundProgram {
    let which = if of > 1 { format!(" --bin {}", command_word(&bin.name)) } else { String::new() };
    FoundProgram {
        because: format!("found {} in Cargo.toml", bin.name),
        build: Some(format!("cargo build --release{which}")),
        command: command_word(&format!("target/release/{}", bin.name)),
        source: Some(bin.path.clone()),
        ..FoundProgram::default()
    }
}
