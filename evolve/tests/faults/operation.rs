//! What is done to faults: a run, and what comes after it, each small enough to be tried at every one of its calls.

use crate::trace::{self, Call, plain};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A job that goes through all stages.
pub const JOB: &str = r#"name = "first"
seed = 3

[game]
name = "solitaire-chess"
group = 4

[player]
name = "greedy"

[weights]
evolve = ["tile_gold", "moves_1"]

[evolution]
optimizer = "genetic"
population = 4
elites = 1
games = 2
generations = 2

[validation]
games = 30

[final]
games = 2
verdict = 30
"#;

/// A program whose scores count relative to those of its start, and which fails at times.
const PROGRAM: &str = r#"name = "first"
seed = 3

[program]
command    = "sh solver.sh {k} {seed}"
seeds      = "0-15"
goal       = "minimize"
scale      = "relative"
on_failure = 1000

[parameters]
k = { int = [1, 20], start = 15 }

[evolution]
optimizer = "genetic"
population = 4
elites = 1
elites = 1
games = 1
generations = 1

[validation]
games = 30

[final]
games = 2
verdict = 30
"#;

const SOLVER: &str = "[ $2 -lt 8 ] && [ $1 != 15 ] && exit 3\necho Score = $(( (7 - $1) * (7 - $1) + $2 + 10 ))\n";

const RUN: &[&str] = &["run", "job.toml", "--quiet", "--threads", "1"];
const RESUME: &[&str] = &["run", "job.toml", "--quiet", "--threads", "1", "--resume"];

/// Files below a folder, by their paths.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Something that is done in a folder.
pub struct Operation {
    pub name: &'static str,
    pub args: &'static [&'static str],
    /// What is done after a fault: the same again, or what goes on with it.
    pub again: &'static [&'static str],
    /// The exit status if nothing happens.
    pub status: i32,
    before: TempDir,
    /// What there is in the end.
    pub after: Files,
    /// The calls, if nothing happens.
    pub calls: Vec<Call>,
    /// The states that were saved one after the other, the one at the beginning included.
    pub saved: Vec<Saved>,
}

/// Which state a checkpoint is of, without the times.
#[derive(Debug, PartialEq, Eq)]
pub struct Saved {
    phase: String,
    pub games: u64,
    /// Games of the round under way, and of the verdict.
    played: [usize; 2],
}

impl Operation {
    fn new(name: &'static str, before: TempDir, args: &'static [&'static str], again: &'static [&'static str]) -> Self {
        let folder = copy(&before);
        let traced = trace::run(folder.path(), args, &[]);
        let status = traced.output.status.code().unwrap();
        let expected = i32::from(name == "judge");
        assert_eq!(status, expected, "{name}: {}", String::from_utf8_lossy(&traced.output.stderr));
        let first = saved(&before.path().join(CHECKPOINT)).into_iter();
        // Written whole, before it takes its place.
        let is_checkpoint = |call: &&Call| call.name == "write" && shown(&call.files[0]) == Path::new(CHECKPOINT);
        let written = traced.calls.iter().filter(is_checkpoint).filter_map(|call| standing(call.texts.last()?));
        let saved = first.chain(written).collect();
        let again_status = plain(folder.path(), again).status.code();
        assert_eq!(again_status, Some(expected), "{name}");
        let after = files(folder.path());
        Operation { name, args, again, status, before, after, calls: traced.calls, saved }
    }

    /// A copy of the folder as it is before.
    pub fn folder(&self) -> TempDir {
        copy(&self.before)
    }

    /// Whether several of its threads use files.
    pub fn is_threaded(&self) -> bool {
        self.calls.iter().any(|call| call.thread > 0)
    }

    /// The files as they are before.
    pub fn before(&self) -> Files {
        files(self.before.path())
    }
}

/// A run from its beginning to its end.
pub fn run() -> Operation {
    Operation::new("run", begin(JOB), RUN, RESUME)
}

/// All operations.
pub fn all() -> Vec<Operation> {
    vec![
        run(),
        Operation::new("resume", interrupted(JOB), RESUME, RESUME),
        Operation::new("prolongation", longer(), RESUME, RESUME),
        Operation::new("run of a program", begin(PROGRAM), RUN, RESUME),
        Operation::new("resume of a program", interrupted(PROGRAM), RESUME, RESUME),
        Operation::new("export", completed(JOB), EXPORT, EXPORT),
        Operation::new("report", completed(JOB), REPORT, REPORT),
        Operation::new("judge", judged(), JUDGE, JUDGE),
    ]
}

const EXPORT: &[&str] = &["export", "results/first", "--output", "submission.rs"];
const REPORT: &[&str] = &["report", "results/first", "--games", "4", "--threads", "1"];
const JUDGE: &[&str] = &[
    "judge",
    "solitaire-chess",
    "--group",
    "4",
    "--games",
    "2",
    "--csv",
    "games.csv",
    "--keep-failed",
    "failed/games",
    "--transcript",
    "--",
    "sh",
    "player.sh",
];

/// A folder with a job.
fn begin(job: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("tmp")).unwrap();
    fs::write(path("job.toml"), job).unwrap();
    fs::write(path("solver.sh"), SOLVER).unwrap();
    folder
}

/// A folder with a run that was killed late in its search, with rows beyond its checkpoint and a file half written.
fn interrupted(job: &str) -> TempDir {
    let folder = begin(job);
    let killed = trace::run(folder.path(), RUN, &["-e", "inject=renameat:signal=KILL:when=4"].map(String::from));
    assert!(killed.output.status.code().is_none_or(|code| code == 137), "{:?}", killed.output.status);
    folder
}

/// A folder with a run that is complete.
fn completed(job: &str) -> TempDir {
    let folder = begin(job);
    assert!(plain(folder.path(), RUN).status.success());
    folder
}

/// The same, with a job that asks for more.
fn longer() -> TempDir {
    let folder = completed(JOB);
    fs::write(folder.path().join("job.toml"), JOB.replace("generations = 2", "generations = 3")).unwrap();
    folder
}

/// A folder with a program that fails in every game.
fn judged() -> TempDir {
    let folder = begin(JOB);
    fs::write(folder.path().join("player.sh"), "echo nonsense\n").unwrap();
    folder
}

/// Where a run of these jobs saves.
pub const CHECKPOINT: &str = "results/first/checkpoint";

/// The state in a checkpoint.
fn standing(bytes: &[u8]) -> Option<Saved> {
    let (_, body) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    let state = &body["state"];
    let length = |list: &serde_json::Value| list.as_array().map(Vec::len);
    let played = [length(&state["partial"])?, length(&state["judged"][0])?];
    Some(Saved { phase: state["phase"].to_string(), games: state["games"].as_u64()?, played })
}

/// Which state a file with a checkpoint is of.
pub fn saved(path: &Path) -> Option<Saved> {
    standing(&fs::read(path).ok()?)
}

/// The name under which a person knows a file: without what is added to it while it is being written.
pub fn shown(file: &Path) -> PathBuf {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(slots) = file.components().find(|part| part.as_os_str().to_string_lossy().starts_with("evolve-slots-"))
    {
        let text = file.to_string_lossy();
        return PathBuf::from(text.replace(&*slots.as_os_str().to_string_lossy(), "evolve-slots"));
    }
    let whole =
        name.strip_prefix('.').and_then(|name| name.strip_suffix(".new")).and_then(|name| name.rsplit_once('.'));
    whole.map_or(file.to_path_buf(), |(whole, _)| file.with_file_name(whole))
}

/// A folder with the same files.
pub fn copy(from: &TempDir) -> TempDir {
    let to = TempDir::new().unwrap();
    write(to.path(), &files(from.path()));
    fs::create_dir_all(to.path().join("tmp")).unwrap();
    to
}

/// Writes files below a folder.
pub fn write(folder: &Path, files: &Files) {
    for (path, bytes) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// All files below a folder, whose own name is left out of them.
pub fn files(folder: &Path) -> Files {
    fn collect(folder: &Path, below: &Path, files: &mut Files) {
        for entry in fs::read_dir(folder.join(below)).unwrap().map(Result::unwrap) {
            let path = below.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                collect(folder, &path, files);
                continue;
            }
            let bytes = fs::read(entry.path()).unwrap();
            let bytes = match path.ends_with("again.sh") {
                true => String::from_utf8(bytes).unwrap().replace(&*folder.to_string_lossy(), "folder").into_bytes(),
                false => bytes,
            };
            files.insert(path, bytes);
        }
    }
    let mut all = Files::new();
    collect(folder, Path::new(""), &mut all);
    all
}
