use super::*;
use crate::document::Document;
use crate::evaluator::Threads;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use watch::Nobody;

/// A job of few and fast games. Its last validation is one that a longer run would not have.
const TINY: &str = r#"name = "tiny"
seed = 5
[game]
name = "solitaire-chess"
group = 4
[player]
name = "greedy"
[weights]
evolve = ["tile_gold", "moves_1", "stuck_soon"]
[evolution]
population = 5
games = 3
generations = 3
[validation]
every = 2
games = 30
[final]
games = 8
verdict = 30
leaders = 2
"#;

/// The tiny job with a text in the place of another.
fn job(old: &str, new: &str) -> Job {
    assert!(TINY.contains(old));
    let document = Document::new(Path::new("job.toml"), TINY.replace(old, new));
    Job::parse(&document).unwrap_or_else(|fault| panic!("{fault}"))
}

fn tiny() -> Job {
    job("", "")
}

fn threads(job: &Job, threads: usize) -> Threads {
    Threads::new(job.game.arena(&job.options, &job.player), threads).unwrap()
}

/// Raises the flag after some batches.
struct StopAfter<'a> {
    batches: usize,
    stop: &'a AtomicBool,
}

impl Watch for StopAfter<'_> {
    fn progress(&mut self, progress: &Progress) {
        assert!((0.0..=1.0).contains(&progress.share), "{progress:?}");
        match self.batches.checked_sub(1) {
            Some(left) => self.batches = left,
            None => self.stop.store(true, Ordering::Relaxed),
        }
    }
}

type Begin<'a> = fn(&'a Job, &'a dyn Evaluator, &Path) -> Result<Run<'a>, RunError>;

/// Plays at most so many batches.
fn play<'a>(begin: Begin<'a>, job: &'a Job, evaluator: &'a dyn Evaluator, results: &Path, batches: usize) -> Ending {
    let stop = AtomicBool::new(false);
    let mut run = begin(job, evaluator, results).unwrap_or_else(|error| panic!("{error}"));
    // Not a divisor of any round's games.
    run.most = 7;
    run.go(&stop, &mut StopAfter { batches, stop: &stop }).unwrap_or_else(|error| panic!("{error}"))
}

/// Carries out a job in one go.
fn complete(job: &Job, results: &Path) -> Verdict {
    match play(Run::start, job, &threads(job, 2), results, usize::MAX) {
        Ending::Complete(verdict) => verdict,
        Ending::Stopped => panic!("nobody stopped it"),
    }
}

/// All files of a run that must reproduce.
fn files(results: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let folder = results.join("tiny");
    let all = [&folder, &folder.join("plots")].map(|folder| fs::read_dir(folder).unwrap());
    let files = all.into_iter().flatten().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let reproduced =
        files.filter(|path| !["checkpoint", "timing.csv"].contains(&path.file_name().unwrap().to_str().unwrap()));
    reproduced.map(|path| (path.strip_prefix(&folder).unwrap().to_path_buf(), fs::read(&path).unwrap())).collect()
}

fn assert_same(a: &BTreeMap<PathBuf, Vec<u8>>, b: &BTreeMap<PathBuf, Vec<u8>>, what: &str) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "{what}");
    for (path, bytes) in a {
        assert!(*bytes == b[path], "{what}: {} differs", path.display());
    }
}

#[test]
fn threads_do_not_matter() {
    let job = tiny();
    let runs = [1, 2, 16].map(|count| {
        let results = TempDir::new().unwrap();
        let evaluator = threads(&job, count);
        let mut run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
        run.go(&AtomicBool::new(false), &mut Nobody).unwrap_or_else(|error| panic!("{error}"));
        files(results.path())
    });
    assert_same(&runs[0], &runs[1], "2 threads");
    assert_same(&runs[0], &runs[2], "16 threads");
}

#[test]
fn a_stop_at_any_batch_does_not_matter() {
    let job = tiny();
    let evaluator = threads(&job, 2);
    let whole = TempDir::new().unwrap();
    complete(&job, whole.path());
    let whole = files(whole.path());
    let mut stopped = true;
    let mut batches = 0;
    while stopped {
        let results = TempDir::new().unwrap();
        stopped = play(Run::start, &job, &evaluator, results.path(), batches) == Ending::Stopped;
        let again = play(Run::resume, &job, &threads(&job, 1), results.path(), usize::MAX);
        assert!(matches!(again, Ending::Complete(_)));
        assert_same(&whole, &files(results.path()), &format!("after {batches} batches"));
        batches += 1;
    }
    // Three validations, three generations, the final round and the verdict have several batches each.
    assert!(batches > 20, "{batches}");
}

#[test]
fn a_run_of_many_stops_is_the_same() {
    let job = tiny();
    let (whole, results) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    complete(&job, whole.path());
    while play(Run::resume, &job, &threads(&job, 2), results.path(), 1) == Ending::Stopped {
        // What a crash leaves: rows without a checkpoint, and a file half written.
        for name in records::TABLES {
            let path = results.path().join("tiny").join(name);
            let mut table = fs::OpenOptions::new().append(true).open(path).unwrap();
            std::io::Write::write_all(&mut table, b"7,8,9").unwrap();
        }
        fs::write(results.path().join("tiny/.checkpoint.new"), "evolve-check").unwrap();
    }
    assert_same(&files(whole.path()), &files(results.path()), "stopped after every batch");
}

#[test]
fn a_prolonged_run_is_as_if_it_had_been_that_long_from_the_start() {
    let (short, long) = (tiny(), job("generations = 3", "generations = 6"));
    let whole = TempDir::new().unwrap();
    complete(&long, whole.path());
    let whole = files(whole.path());
    let mut ended = false;
    let mut batches = 0;
    while !ended {
        let results = TempDir::new().unwrap();
        let evaluator = threads(&short, 2);
        ended = matches!(play(Run::start, &short, &evaluator, results.path(), batches), Ending::Complete(_));
        play(Run::resume, &long, &threads(&long, 2), results.path(), usize::MAX);
        assert_same(&whole, &files(results.path()), &format!("prolonged after {batches} batches"));
        batches += 1;
    }
}

#[test]
fn the_config_of_a_shortened_run_tells_how_to_reproduce_it() {
    let (short, long) = (tiny(), job("generations = 3", "generations = 6"));
    let whole = TempDir::new().unwrap();
    complete(&long, whole.path());
    let whole = files(whole.path());
    let mut reached = Vec::new();
    let mut ended = false;
    // Steps that come to every phase and still take little time.
    for batches in (0..).step_by(3) {
        if ended {
            break;
        }
        let results = TempDir::new().unwrap();
        ended = matches!(play(Run::start, &long, &threads(&long, 2), results.path(), batches), Ending::Complete(_));
        play(Run::resume, &short, &threads(&short, 2), results.path(), usize::MAX);
        let shortened = files(results.path());

        let config = Job::read(&results.path().join("tiny/config.toml")).unwrap();
        let again = TempDir::new().unwrap();
        complete(&config, again.path());
        assert_same(&files(again.path()), &shortened, &format!("shortened after {batches} batches"));
        reached.push(config.limits.generations.unwrap());

        play(Run::resume, &long, &threads(&long, 2), results.path(), usize::MAX);
        assert_same(&whole, &files(results.path()), &format!("prolonged again, after {batches} batches"));
    }
    reached.dedup();
    assert_eq!(reached, [3, 4, 5, 6]);
}

#[test]
fn a_run_in_its_first_round_has_headers_to_plot() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let evaluator = threads(&job, 1);
    for begin in [Run::start, Run::resume] as [Begin; 2] {
        play(begin, &job, &evaluator, results.path(), 0);
        let error = crate::plot::plot_run(&results.path().join("tiny")).unwrap_err();
        assert!(matches!(error, crate::plot::PlotError::EmptyRun { .. }), "{error}");
    }
}

#[test]
fn a_complete_run_stays_as_it_is() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let verdict = complete(&job, results.path());
    let before = files(results.path());
    let again = play(Run::resume, &job, &threads(&job, 1), results.path(), 0);
    assert_eq!(again, Ending::Complete(verdict));
    assert_same(&before, &files(results.path()), "resumed");
}

#[test]
fn the_exported_player_can_be_chosen_afterwards() {
    let other = job("[weights]", "[submission]\nname = \"beam\"\nwidth = 2\ndepth = 2\n[weights]");
    let (whole, results) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    complete(&other, whole.path());
    complete(&tiny(), results.path());
    play(Run::resume, &other, &threads(&other, 1), results.path(), 0);
    assert_same(&files(whole.path()), &files(results.path()), "with another submission");
}

#[test]
fn no_run_is_overwritten() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    complete(&job, results.path());
    let before = files(results.path());
    let evaluator = threads(&job, 1);
    // Also not if some of its files are lost.
    for lost in ["", "checkpoint", "config.toml", "weights.toml"] {
        if !lost.is_empty() {
            fs::remove_file(results.path().join("tiny").join(lost)).unwrap();
        }
        let refused = Run::start(&job, &evaluator, results.path()).map(|_| ());
        assert!(matches!(refused, Err(RunError::Exists(_))), "without {lost}: {refused:?}");
    }
    let after = files(results.path());
    assert!(after.iter().all(|(path, bytes)| before[path] == *bytes));
    assert!(after.contains_key(Path::new("generations.csv")));
}

#[test]
fn two_processes_cannot_be_at_one_run() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let evaluator = threads(&job, 1);
    let run = Run::start(&job, &evaluator, results.path()).unwrap_or_else(|error| panic!("{error}"));
    let second = Run::resume(&job, &evaluator, results.path()).map(|_| ());
    assert!(matches!(second, Err(RunError::Busy(_))), "{second:?}");
    drop(run);
    assert!(Run::resume(&job, &evaluator, results.path()).is_ok());
}

#[test]
fn a_run_stopped_before_its_first_checkpoint_starts_again() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    fs::create_dir(results.path().join("tiny")).unwrap();
    fs::write(results.path().join("tiny/config.toml"), job.to_toml()).unwrap();
    let evaluator = threads(&job, 1);
    assert!(matches!(Run::start(&job, &evaluator, results.path()).map(|_| ()), Err(RunError::Exists(_))));
    assert!(matches!(play(Run::resume, &job, &evaluator, results.path(), usize::MAX), Ending::Complete(_)));
}

#[test]
fn another_job_cannot_go_on_with_a_run() {
    let results = TempDir::new().unwrap();
    let first = tiny();
    play(Run::start, &first, &threads(&first, 1), results.path(), 3);
    for (old, new) in [("seed = 5", "seed = 6"), ("population = 5", "population = 6"), ("\"moves_1\", ", "")] {
        let job = job(old, new);
        let refused = Run::resume(&job, &threads(&job, 1), results.path()).map(|_| ());
        assert!(matches!(refused, Err(RunError::OtherJob(..))), "{new}: {refused:?}");
    }
    // Not even if the config is exchanged, as far as the state tells.
    let job = job("population = 5", "population = 6");
    fs::write(results.path().join("tiny/config.toml"), job.to_toml()).unwrap();
    assert!(damage(&job, results.path()).contains("another job"));
}

/// What is wrong with the files of a run.
fn damage(job: &Job, results: &Path) -> String {
    match Run::resume(job, &threads(job, 1), results).map(|_| ()) {
        Err(RunError::Damaged(_, what)) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    play(Run::start, &job, &threads(&job, 1), results.path(), 4);
    let path = results.path().join("tiny/checkpoint");
    let whole = fs::read(&path).unwrap();
    let with = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        damage(&job, results.path())
    };
    // All bytes of the first line, some of the others, and some lengths; only the line end after the last byte may be missing.
    for place in (0..100).chain((100..whole.len() - 1).step_by(13)) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        with(&bytes);
    }
    for length in (0..whole.len() - 1).step_by(17) {
        with(&whole[..length]);
    }
    assert!(with(b"").contains("not a checkpoint"));
    assert!(with(b"\xff\xfe\n").contains("no text"));
    assert!(with(&whole[..whole.len() / 2]).contains("cut short"));
    let text = String::from_utf8(whole.clone()).unwrap();
    let other = with(text.replacen("evolve-checkpoint 1", "evolve-checkpoint 2", 1).as_bytes());
    assert_eq!(other, "a checkpoint of format 2; this program reads format 1");
    fs::write(&path, &whole).unwrap();
    assert!(matches!(play(Run::resume, &job, &threads(&job, 1), results.path(), usize::MAX), Ending::Complete(_)));
}

/// The checkpoint may be whole, and still say what cannot be.
#[test]
fn a_checkpoint_that_contradicts_itself_is_refused() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let path = results.path().join("tiny/checkpoint");
    let refuse = |changes: &[(&str, Value)]| {
        let whole = fs::read_to_string(&path).unwrap();
        for (key, value) in changes {
            let (_, body) = whole.split_once('\n').unwrap();
            let mut state: Value = serde_json::from_str(body).unwrap();
            *state.pointer_mut(key).unwrap_or_else(|| panic!("no {key}")) = value.clone();
            let body = state.to_string();
            let checksum = crc32fast::hash(body.as_bytes());
            fs::write(&path, format!("evolve-checkpoint 1 {checksum:08x} {}\n{body}\n", body.len())).unwrap();
            let what = damage(&job, results.path());
            assert!(what.ends_with("or one that contradicts itself"), "{key} {value}: {what}");
        }
        fs::write(&path, whole).unwrap();
    };
    // Within the first generation.
    play(Run::start, &job, &threads(&job, 1), results.path(), 5);
    refuse(&[
        ("/phase", json!("Done")),
        ("/phase", json!("Verdict")),
        ("/baseline", json!([])),
        ("/stride", json!(0)),
        ("/stride", json!(1_u64 << 63)),
        ("/games", json!(0)),
        ("/games", json!(u64::MAX)),
        ("/genetic/generation", json!(u64::MAX)),
        ("/seconds", json!(-1.0)),
        ("/evolving_seconds", json!(-1.0)),
    ]);
    play(Run::resume, &job, &threads(&job, 1), results.path(), usize::MAX);
    refuse(&[
        ("/chosen", Value::Null),
        ("/chosen/weights", json!([1.0])),
        ("/verdict", Value::Null),
        ("/ended/games", json!(1_u64 << 40)),
        ("/ended/validation", json!(1_u64 << 40)),
    ]);
}

#[test]
fn lost_rows_are_noticed() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    play(Run::start, &job, &threads(&job, 1), results.path(), 6);
    let path = results.path().join("tiny/generations.csv");
    let rows = fs::read(&path).unwrap();
    fs::write(&path, &rows[..rows.len() - 1]).unwrap();
    assert!(damage(&job, results.path()).contains("the checkpoint counts on"));
    fs::remove_file(&path).unwrap();
    assert!(damage(&job, results.path()).contains("missing"));
    assert!(!path.exists());
}

#[test]
fn starting_weights_stay_unless_others_are_better() {
    // No chess set can be made of the one type of group 2, so that these weights bear on nothing.
    let same = TINY
        .replace("group = 4", "group = 2")
        .replace("\"tile_gold\", \"moves_1\", \"stuck_soon\"", "\"hope_3\", \"chess_3\"");
    let job = Job::parse(&Document::new(Path::new("job.toml"), same)).unwrap();
    let results = TempDir::new().unwrap();
    let verdict = complete(&job, results.path());
    assert!(!verdict.is_improvement());
    assert!(verdict.to_string().contains("no improvement found"));
    let policy = crate::policy_file::Policy::read(&results.path().join("tiny")).unwrap();
    assert_eq!(policy.weights, job.space.start());
}

#[test]
fn time_limits_a_run() {
    let job = job("generations = 3", "time = \"50ms\"");
    let results = TempDir::new().unwrap();
    let mut run =
        Run::start(&job, Box::leak(Box::new(threads(&job, 2))), results.path()).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(run.go(&AtomicBool::new(false), &mut NoneTooLate), Ok(Ending::Complete(_))));
    let seconds = run.state().evolving_seconds;
    assert!(seconds >= 0.05, "{seconds}");
}

/// Fails if a generation begins when the time is over already. Tiny generations are of one batch.
struct NoneTooLate;

impl Watch for NoneTooLate {
    fn progress(&mut self, progress: &Progress) {
        assert!(progress.phase != Phase::Evolving || progress.share < 1.0, "{progress:?}");
    }
}

#[test]
fn the_columns_are_documented() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    complete(&job, results.path());
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/files.md")).unwrap();
    for name in records::TABLES {
        let table = fs::read_to_string(results.path().join("tiny").join(name)).unwrap();
        let mut written: Vec<String> = table.lines().next().unwrap().split(',').map(String::from).collect();
        for column in &mut written {
            if let Some((kind, _)) = column.split_once('.') {
                *column = format!("{kind}.NAME");
            }
        }
        written.dedup();
        let (_, section) = page.split_once(&format!("\n## {name}\n")).unwrap_or_else(|| panic!("no section on {name}"));
        let section = section.split("\n## ").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let documented: Vec<&str> = rows.map(|(column, _)| column).collect();
        assert_eq!(documented, written, "docs/files.md, {name}");
    }
}
