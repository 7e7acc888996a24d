//! Valid samples of every format: what a corpus begins with.

use crate::parts::join;
use crate::{checkpoints, dialogues};
use std::fs;
use std::path::{Path, PathBuf};

/// A sample: its target, its name, its bytes.
pub type Sample = (&'static str, String, Vec<u8>);

/// All samples.
///
/// # Panics
/// If the files of the repository that are samples are not there.
pub fn all() -> Vec<Sample> {
    let mut all = Vec::new();
    for path in below("configs") {
        let text = fs::read(&path).expect("a job can be read");
        if path.extension().is_some_and(|end| end == "toml") && !contains(&text, b"start") {
            all.push(("job", stem(&path), text));
        }
    }
    for path in below("results") {
        if path.ends_with("weights.toml") {
            let name = stem(path.parent().expect("it is in a folder"));
            all.push(("weights", name, fs::read(&path).expect("weights can be read")));
        }
    }
    all.push(("tables", "king-rook".to_string(), tables("king-rook")));
    all.push(("tables", "black-out".to_string(), tables("black-out")));
    all.extend(checkpoints::samples().into_iter().map(|(name, bytes)| ("checkpoint", name, bytes)));
    for (target, name, text) in TEXTS {
        all.push((target, name.to_string(), text.as_bytes().to_vec()));
    }
    #[cfg(feature = "nats")]
    all.extend(crate::messages::samples().into_iter().map(|(name, bytes)| ("messages", name.to_string(), bytes)));
    for (game, (judge, player)) in dialogues::GAMES.iter().zip(DIALOGUES) {
        for deal in [0, 3] {
            let (said, told) = dialogues::game(game, deal);
            all.push((judge, format!("deal-{deal}"), [&[deal][..], &said].concat()));
            all.push((player, format!("deal-{deal}"), told));
        }
    }
    for target in TWINS {
        all.push((target, "counting".to_string(), (0..=255).collect()));
        all.push((target, "steps".to_string(), (0..120u32).map(|i| (i * 37 + 11) as u8).collect()));
        all.push((target, "again".to_string(), [5, 40, 89].repeat(40)));
    }
    all
}

const DIALOGUES: [(&str, &str); 5] = [
    ("judge-solitaire-chess", "player-solitaire-chess"),
    ("judge-chess-puzzle", "player-chess-puzzle"),
    ("judge-gomoku", "player-gomoku"),
    ("judge-black-out", "player-black-out"),
    ("judge-king-rook", "player-king-rook"),
];

const TWINS: [&str; 5] =
    ["twin-solitaire-chess", "twin-chess-puzzle", "twin-gomoku", "twin-black-out", "twin-king-rook"];

const TEXTS: [(&str, &str, &str); 16] = [
    (
        "program-job",
        "solver",
        "name = \"tour\"\nseed = 3\n\n[program]\ncommand = \"true --temperature {temperature} --k={k:03} {polish:--polish} {seed} {w}\"\n\
         seeds = \"0-99\"\nscore = '(?i)cost = (?<score>\\d+) after (?<steps>\\d+)'\ngoal = \"minimize\"\ntimeout = \"3s\"\n\
         env = { MOVES = \"{moves}\" }\n\n[parameters]\ntemperature = { float = [0.001, 1000], start = 1.0, log = true }\n\
         k = { int = [1, 20], start = 5, meaning = \"neighbours\" }\nmoves = { choice = [\"swap\", \"2opt\"], start = \"2opt\" }\n\
         polish = { bool = true, start = true, when = \"moves == '2opt' and k > 3\" }\nw = { float = [-1, 1], count = 3, start = [0.1, 0.2, 0.3] }\n\n\
         [evolution]\nbudget = 3000\n",
    ),
    (
        "program-job",
        "scenarios",
        "name = \"many\"\n[program]\ncommand = [\"true\", \"{k}\"]\ninstances = [\"a\", \"b\"]\nsplit = false\nscore = \"json:result.score\"\n\
         metrics = [\"moves\"]\n[scenarios]\nspeed = [\"slow\", \"fast\"]\n[parameters]\nk = { int = [1, 20] }\n[evolution]\ngenerations = 5\n",
    ),
    (
        "program-job",
        "least",
        "name = \"a\"\n[program]\ncommand = \"true {k}\"\n[parameters]\nk = { int = [1, 20] }\n[evolution]\nbudget = 1000\n",
    ),
    (
        "markers",
        "languages",
        "const int K = 5; // evolve: [1, 20]\nstatic constexpr double TEMP=1e1; // evolve: [1e-3, 1e3] log\n\
         float x = -2.5f; /* evolve: [-5, 5] */\nlong n = 100'000; // evolve: [1, 1000000] log\n\
         MOVE = '2opt'  # evolve: [\"swap\", \"2opt\"]\nGREEDY = False  # evolve: bool\n#define FAST 1 // evolve: bool\n\
         pub const WIDTH: usize = 30; // evolve: [1, 100]\n(defvar k 5) ;; evolve: [1, 20]\n",
    ),
    ("markers", "plain", "int k = 5; // evolve: [1, 20]\r\nint rest = 7;\r\n"),
    (
        "listing",
        "engine",
        "Engine 17 by somebody\n\nLmrBase, int, 75.0, 0.0, 150.0, 7.5, 0.002\nTempo, float, 0.5, -1, 1, 0.1, 0.002\n",
    ),
    ("listing", "short", "a, int, 1, 0, 9\nb, float, 0, -1, 1\n"),
    ("template", "command", "./solver --k {k:04} --t {temp:.3} {fast:--fast} {move:d} {{literally}} {list}"),
    ("template", "file", "{ \"k\": {kk}, \"nested\": { \"t\": {temp:.2} } }\n"),
    ("score", "regex", "\nlog\nScore = -12.5\nscore: 3\n"),
    ("score", "named", "n=(?<n>\\d+) cost=(?<score>\\d+)(?: t=(?<t>\\d+))?\nn=3 cost=17 t=4\n"),
    ("score", "last-line", "last-line\na\n 12 \n\n"),
    ("score", "json", "json:result.score\nlog\n{\"result\": {\"score\": 3.5, \"moves\": 2, \"left\": 1e3}}\n"),
    ("score", "answer", "json:score\n{\"score\": 1, \"moves\": 3}"),
    ("score", "error", "json:score\n{\"error\": \"no tour\", \"score\": 1, \"moves\": 3, \"left\": 2}"),
    (
        "trials",
        "program",
        "=== trials.csv\ntrial,stage,number,instance,repetition,seed,score,objective,failure,parts,kinds,value.k\n\
         0,held-out,0,7,0,7,12,12,,moves=3 left=0.5,,5\n1,held-out,0,7,0,7,13,13,timeout,moves=4,,6\n\
         2,verdict,1,8,0,8,14,14,,,,7\n3,search,0,1,0,1,2,2,crash,,size=small,7\n\
         === generations.csv\ngeneration,games_played,best,mean,sd,diversity,step,weight.k,mean.k,sd.k\n0,100,3,1.5,1,0.5,0.25,5,6.5,1\n\
         === validation.csv\nstage,generation,games_played,policy,games,score,standard_error,objective,difference,low,high\n\
         held-out,0,30,start,30,1,0.1,1,,,\nheld-out,1,160,mean,30,2,0.1,2,1,0.5,1.5\n=== timing.csv\n\
         generation,games_played,seconds,games_per_second\n0,100,1.5,66.6\n=== explain.csv\nname,worth,low,high,games_changed,set_to,kind\n\
         k,1,0.5,1.5,0.1,start,weight\n",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below a folder of the repository, in the order of their names.
fn below(folder: &str) -> Vec<PathBuf> {
    fn add(folder: &Path, all: &mut Vec<PathBuf>) {
        let entries = fs::read_dir(folder).expect("a folder can be read");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() { add(&path, all) } else { all.push(path) }
        }
    }
    let mut all = Vec::new();
    add(&root().join(folder), &mut all);
    all
}

/// The beginnings of a run's tables.
fn tables(run: &str) -> Vec<u8> {
    let table = |name: &'static str| {
        let text = fs::read_to_string(root().join("results").join(run).join(name)).expect("a table can be read");
        let rows: String = text.split_inclusive('\n').take(8).collect();
        // The verdict is the end of its table.
        let last: Vec<&str> = text.lines().rev().take(2).collect();
        (name, format!("{rows}{}\n{}\n", last[1], last[0]))
    };
    let tables = ["generations.csv", "validation.csv", "timing.csv"].map(table);
    join(tables.iter().map(|(name, text)| (*name, text.as_bytes())))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
