//! Finds out how to build and start the program of a folder.

use crate::cargo::{self, Bin, bins};
use crate::found::{FindError, FoundProgram, command_word};
use crate::pahcer;
use crate::tools;
use evolve_program::find_program;
use evolve_search::file::{is_executable, slashed};
use std::fs;
use std::path::{Path, PathBuf};

/// Usual names of programs, as opposed to other files in the folder.
const USUAL: [&str; 5] = ["main", "solver", "solution", "sol", "a"];
/// Helper files that are copied into the folder of a program.
const HELPERS: [&str; 3] = ["evolve.py", "evolve.rs", "__init__.py"];

/// Returns the named program, or the only one of a folder.
///
/// # Errors
/// If there is no such program, or there are several.
pub fn find(folder: &Path, named: Option<&Path>) -> Result<FoundProgram, FindError> {
    if let (None, Ok(text)) = (named, fs::read_to_string(folder.join(pahcer::FILE))) {
        return pahcer::read(&text, folder);
    }
    Ok(tools::with(solver(folder, named)?, folder))
}

/// Returns the named solver, or the only one of a folder.
fn solver(folder: &Path, named: Option<&Path>) -> Result<FoundProgram, FindError> {
    let (bins, has_default) = bins(folder);
    if let Some(named) = named {
        let is_bin = |bin: &&Bin| named.to_str() == Some(&bin.name) || bin.path == named;
        if let Some(bin) = bins.iter().find(is_bin) {
            return Ok(cargo::found(bin, bins.len()));
        }
        return of_file(folder, named).ok_or_else(|| FindError::NoProgram(named.to_path_buf()));
    }
    // The Cargo project of a contest's tools may be next to the solver, or contain it.
    let solvers: Vec<&Bin> = bins.iter().filter(|bin| !tools::is_tool(bin)).collect();
    match &solvers[..] {
        [] => {}
        [bin] => return Ok(cargo::found(bin, bins.len())),
        [bin, ..] if has_default => return Ok(cargo::found(bin, bins.len())),
        _ => return Err(FindError::Several(solvers.iter().map(|bin| bin.name.clone()).collect())),
    }
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|name| folder.join(name).is_file() && !name.to_string_lossy().starts_with('.'))
        .collect();
    files.sort();
    let (sources, others): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|file| compiler(&file.to_string_lossy()).is_some());
    let mut programs: Vec<PathBuf> = sources.into_iter().filter(|file| is_program(&folder.join(file))).collect();
    if programs.is_empty() {
        programs = others.into_iter().filter(|file| is_executable(&folder.join(file)).unwrap_or(false)).collect();
    }
    // A compiled source comes first: scripts next to it are usually generators and testers.
    programs.sort_by_key(|file| !file.extension().is_some_and(|_| folder.join(file.with_extension("")).is_file()));
    let is_usual = |file: &&PathBuf| file.file_stem().is_some_and(|stem| USUAL.iter().any(|usual| stem == *usual));
    let usual: Vec<PathBuf> = programs.iter().filter(is_usual).cloned().collect();
    match (&programs[..], &usual[..]) {
        ([only], _) | (_, [only]) => of_file(folder, only).ok_or_else(|| FindError::NoProgram(only.clone())),
        ([], _) => Err(FindError::Nothing),
        _ => Err(FindError::Several(programs.iter().map(|file| file.to_string_lossy().into_owned()).collect())),
    }
}

/// Returns how to compile a source file, and how to start the result, by the extension of the file.
fn compiler(file: &str) -> Option<(Option<String>, String)> {
    let path = Path::new(file);
    let ending = path.extension()?.to_str()?;
    let stem = path.with_extension("");
    let stem = stem.to_str()?;
    let start = if stem.contains('/') { stem.to_string() } else { format!("./{stem}") };
    let (file, out, start) = (command_word(file), command_word(stem), command_word(&start));
    let compiled = |command: &str| Some((Some(format!("{command} -o {out} {file}")), start.clone()));
    let run = |interpreter: &str| Some((None, format!("{interpreter} {file}")));
    match ending {
        "cpp" | "cc" | "cxx" => compiled("g++ -O2"),
        "c" => Some((Some(format!("gcc -O2 -o {out} {file} -lm")), start)),
        "rs" => compiled("rustc -O"),
        "go" => compiled("go build"),
        "hs" => compiled("ghc -O2"),
        "swift" => compiled("swiftc -O"),
        "java" => {
            let folder = path.parent().and_then(Path::to_str).filter(|folder| !folder.is_empty()).unwrap_or(".");
            let class = command_word(path.file_stem()?.to_str()?);
            Some((Some(format!("javac {file}")), format!("java -cp {} {class}", command_word(folder))))
        }
        "kt" => Some((Some(format!("kotlinc {file} -include-runtime -d {out}.jar")), format!("java -jar {out}.jar"))),
        // Many systems have Python under only one of its names.
        "py" => run(if find_program("python3").is_none() && find_program("python").is_some() {
            "python"
        } else {
            "python3"
        }),
        "js" | "mjs" => run("node"),
        "rb" => run("ruby"),
        "pl" => run("perl"),
        "lua" => run("lua"),
        "jl" => run("julia"),
        "php" => run("php"),
        _ => None,
    }
}

/// Returns whether a source file is a program, rather than a part of one.
fn is_program(file: &Path) -> bool {
    if file.file_name().is_some_and(|name| HELPERS.iter().any(|helper| name == *helper)) {
        return false;
    }
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "cpp" | "cc" | "cxx" | "c" | "java" | "kt" | "go" | "rs" => text.contains("main"),
        _ => true,
    }
}

fn of_file(folder: &Path, file: &Path) -> Option<FoundProgram> {
    let name = &file.to_str().filter(|_| folder.join(file).is_file()).map(|_| slashed(file))?;
    let because = format!("found {name}");
    match compiler(name) {
        Some((build, command)) => {
            Some(FoundProgram { because, build, command, source: Some(file.to_path_buf()), ..FoundProgram::default() })
        }
        None if is_executable(&folder.join(file)).unwrap_or(false) => {
            let start = if name.contains('/') { name.to_string() } else { format!("./{name}") };
            // A script contains its own constants.
            let source = fs::read_to_string(folder.join(file)).is_ok().then(|| file.to_path_buf());
            Some(FoundProgram { because, command: command_word(&start), source, ..FoundProgram::default() })
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::OpenOptionsExt;
    use tempfile::TempDir;

    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn found(files: &[(&str, &str)], named: Option<&str>) -> Result<(Option<String>, String), String> {
        let found = find(folder(files).path(), named.map(Path::new));
        found.map(|found| (found.build, found.command)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_single_program_is_found() {
        let main = "int main() {}";
        for (files, build, command) in [
            (vec![("sol.py", ""), ("evolve.py", "")], None, "python3 sol.py"),
            (vec![("beam.cc", main), ("help.cc", "int f();")], Some("g++ -O2 -o beam beam.cc"), "./beam"),
            (vec![("x.c", main)], Some("gcc -O2 -o x x.c -lm"), "./x"),
            (vec![("Sol.java", "void main")], Some("javac Sol.java"), "java -cp . Sol"),
            (vec![("my sol.rb", "")], None, "ruby 'my sol.rb'"),
            (vec![("main.rs", "fn main"), ("gen.py", "")], Some("rustc -O -o main main.rs"), "./main"),
        ] {
            assert_eq!(found(&files, None), Ok((build.map(String::from), command.to_string())));
        }
        let several = found(&[("b.cpp", main), ("c.js", ""), ("in/0.txt", "")], None).unwrap_err();
        assert_eq!(several, "several programs: b.cpp, c.js. Name one: evolve init b.cpp");
        let compiled = found(&[("gen.py", ""), ("tree.cpp", main), ("tree", "")], None).unwrap_err();
        assert_eq!(compiled, "several programs: tree.cpp, gen.py. Name one: evolve init tree.cpp");
        assert_eq!(found(&[("b.cpp", main), ("c.js", "")], Some("c.js")).unwrap().1, "node c.js");
        assert!(found(&[("notes.txt", "")], None).unwrap_err().contains("no source file"));
        assert!(found(&[("notes.txt", "")], Some("notes.txt")).is_err());
        assert!(found(&[], Some("gone.py")).is_err());
    }

    fn executable(folder: &TempDir, name: &str) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        drop(fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(path).unwrap());
    }

    #[test]
    fn an_executable_is_found() {
        let folder = TempDir::new().unwrap();
        executable(&folder, "bot");
        let found = find(folder.path(), None).unwrap();
        assert_eq!((found.build, &found.command[..]), (None, "./bot"));
    }

    #[test]
    fn the_tools_of_a_contest_are_no_solvers() {
        let tools = "[package]\nname = \"tools\"\n";
        let main = ("main.cpp", "int main() {}");
        let build = || Some("g++ -O2 -o main main.cpp".to_string());
        // The tools may be unpacked next to the solver, or below it.
        for [manifest, generator, tester, release] in [
            ["Cargo.toml", "src/bin/gen.rs", "src/bin/tester.rs", "target/release/"],
            ["tools/Cargo.toml", "tools/src/bin/gen.rs", "tools/src/bin/tester.rs", "tools/target/release/"],
        ] {
            let files = [(manifest, tools), (generator, ""), (tester, ""), main];
            assert_eq!(found(&files, None), Ok((build(), "./main".to_string())));
            let folder = folder(&files);
            let advice = find(folder.path(), None).unwrap().advice.unwrap();
            assert!(advice.starts_with(&format!("{tester} may score the program, but is not built")), "{advice}");
            assert!(advice.contains(&format!("--manifest-path {manifest}`")), "{advice}");
            executable(&folder, &format!("{release}vis"));
            assert_eq!(find(folder.path(), None).unwrap().scorer, None, "the solver is interactive");
            executable(&folder, &format!("{release}tester"));
            let own = find(folder.path(), None).unwrap();
            assert_eq!((own.build, own.command), (build(), format!("{release}tester ./main")));
            assert_eq!((own.scorer, own.advice), (None, None));
        }
        let files = [("tools/Cargo.toml", tools), ("tools/src/bin/vis.rs", ""), main];
        let folder = folder(&files);
        executable(&folder, "tools/target/release/vis");
        let own = find(folder.path(), None).unwrap();
        assert_eq!(own.command, "./main");
        assert_eq!(own.scorer.as_deref(), Some("tools/target/release/vis {input} {output}"));
        // A solver in the project of the tools.
        let files = [("Cargo.toml", tools), ("src/bin/gen.rs", ""), ("src/bin/a.rs", "")];
        assert_eq!(found(&files, None).unwrap().1, "target/release/a");
    }

    #[test]
    fn programs_of_cargo() {
        let one = "[package]\nname = \"lib\"\n[[bin]]\nname = \"ahc\"\npath = \"src/a.rs\"\n";
        let build = Some("cargo build --release".to_string());
        assert_eq!(
            found(&[("Cargo.toml", one), ("src/a.rs", "")], None),
            Ok((build.clone(), "target/release/ahc".into()))
        );
        let plain = "[package]\nname = \"sol\"\n";
        assert_eq!(
            found(&[("Cargo.toml", plain), ("src/main.rs", "")], None),
            Ok((build, "target/release/sol".into()))
        );
        let workspace = "[workspace]\nmembers = [\"solvers/*\"]\n";
        let member = [("Cargo.toml", workspace), ("solvers/a/Cargo.toml", plain), ("solvers/a/src/main.rs", "")];
        assert_eq!(find(folder(&member).path(), None).unwrap().source, Some(PathBuf::from("solvers/a/src/main.rs")));
        assert_eq!(found(&member, None).unwrap().1, "target/release/sol");
        let two = [("Cargo.toml", plain), ("src/main.rs", ""), ("src/bin/b.rs", "")];
        assert!(found(&two, None).unwrap_err().contains("sol, b. Name one"));
        for named in ["b", "src/bin/b.rs"] {
            let (build, command) = found(&two, Some(named)).unwrap();
            assert_eq!((build.as_deref(), &command[..]), (Some("cargo build --release --bin b"), "target/release/b"));
        }
        let default = format!("{plain}default-run = \"b\"\n");
        assert_eq!(found(&[("Cargo.toml", &default), two[1], two[2]], None).unwrap().1, "target/release/b");
    }
}
