//! Files that others change while a run writes them, links in its folder, and what its tables are.

use super::*;
use std::io::Write;
use std::os::unix::fs::symlink;

/// Does something to the run's folder once it has come to a generation, and keeps what it is told.
struct Meddler<F> {
    generation: u64,
    meddle: Option<F>,
    notes: Vec<String>,
}

impl<F: FnOnce()> Watch for Meddler<F> {
    fn progress(&mut self, progress: &Progress) {
        if progress.generation == self.generation
            && let Some(meddle) = self.meddle.take()
        {
            meddle();
        }
    }

    fn note(&mut self, message: &str) {
        self.notes.push(message.to_string());
    }
}

/// How a run ends in whose second generation somebody meddles, and what it notes.
fn meddled(job: &Job, results: &Path, meddle: impl FnOnce()) -> (Result<Ending, RunError>, Vec<String>) {
    let evaluator = threads(job, 1);
    let mut run = Run::start(job, &evaluator, results).unwrap_or_else(|error| panic!("{error}"));
    let mut watch = Meddler { generation: 1, meddle: Some(meddle), notes: Vec::new() };
    let ending = run.go(&AtomicBool::new(false), &mut watch);
    assert!(watch.meddle.is_none());
    (ending, watch.notes)
}

#[test]
fn a_table_that_is_replaced_is_put_back() {
    let job = tiny();
    let whole = whole(&job);
    let outside = TempDir::new().unwrap();
    let target = outside.path().join("target");
    fs::write(&target, "mine").unwrap();
    let replace = |path: &Path| {
        fs::write(outside.path().join("other"), "generation\n").unwrap();
        fs::rename(outside.path().join("other"), path).unwrap();
    };
    let lengthen = |path: &Path| {
        fs::OpenOptions::new().append(true).open(path).unwrap().write_all(b"note to self\n").unwrap();
    };
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    let link = |path: &Path| {
        fs::remove_file(path).unwrap();
        symlink(&target, path).unwrap();
    };
    for (what, meddle) in
        [("replaced", &replace as &dyn Fn(&Path)), ("lengthened", &lengthen), ("removed", &remove), ("linked", &link)]
    {
        for name in ["generations.csv", "validation.csv", "timing.csv"] {
            let results = TempDir::new().unwrap();
            let path = file(results.path(), name);
            let (ending, notes) = meddled(&job, results.path(), || meddle(&path));
            assert!(matches!(ending, Ok(Ending::Complete(_))), "{what}: {ending:?}");
            assert_eq!(notes.len(), 1, "{what}: {notes:?}");
            assert!(notes[0].contains(name) && notes[0].contains("has put its own rows back"), "{}", notes[0]);
            assert!(path.is_file() && !path.is_symlink());
            assert_same(&whole, &files(results.path()), what);
        }
    }
    assert_eq!(fs::read_to_string(target).unwrap(), "mine");
}

#[test]
fn a_table_that_is_cut_under_a_run_ends_it() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    let path = file(results.path(), "generations.csv");
    let rows = TempDir::new().unwrap();
    let kept = rows.path().join("rows");
    let (ending, _) = meddled(&job, results.path(), || {
        fs::copy(&path, &kept).unwrap();
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(20).unwrap();
    });
    assert!(matches!(ending, Err(RunError::Damaged(..))), "{ending:?}");
    // With the rows restored, it goes on.
    fs::copy(&kept, &path).unwrap();
    resume(&job, results.path());
    assert_same(&whole(&job), &files(results.path()), "restored");
}

/// Whatever is at its place then is another's.
#[test]
fn a_folder_that_is_moved_under_a_run_ends_it() {
    let job = tiny();
    for is_replaced in [false, true] {
        let results = TempDir::new().unwrap();
        let (folder, moved) = (results.path().join("tiny"), results.path().join("moved"));
        let (ending, _) = meddled(&job, results.path(), || {
            fs::rename(&folder, &moved).unwrap();
            if is_replaced {
                fs::create_dir(&folder).unwrap();
                fs::write(folder.join("generations.csv"), "another's").unwrap();
            }
        });
        assert!(matches!(ending, Err(RunError::Moved(_))), "{ending:?}");
        if is_replaced {
            assert_eq!(fs::read_to_string(folder.join("generations.csv")).unwrap(), "another's");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::rename(&moved, &folder).unwrap();
        resume(&job, results.path());
        assert_same(&whole(&job), &files(results.path()), "put back");
    }
}

#[test]
fn links_are_refused_and_not_followed() {
    let outside = TempDir::new().unwrap();
    let target = outside.path().join("target");
    let job = tiny();
    for name in [".lock", "config.toml", "generations.csv", "validation.csv", "timing.csv", "checkpoint"] {
        for there in [true, false] {
            let _ = fs::remove_file(&target);
            if there {
                fs::write(&target, "mine").unwrap();
            }
            let refuse = |results: &Path, is_new: bool| {
                let path = file(results, name);
                let _ = fs::remove_file(&path);
                symlink(&target, &path).unwrap();
                let evaluator = threads(&job, 1);
                let begin = if is_new { Run::start } else { Run::resume };
                let refused = begin(&job, &evaluator, results).map(|_| ()).unwrap_err();
                // A checkpoint that leads nowhere is none.
                let expected = matches!(refused, RunError::Io(..) | RunError::Exists(_) | RunError::NoCheckpoint(_));
                assert!(expected, "{name}: {refused:?}");
                assert!(path.is_symlink(), "{name}");
                match there {
                    true => assert_eq!(fs::read_to_string(&target).unwrap(), "mine", "{name}"),
                    false => assert!(!target.exists(), "{name}"),
                }
            };
            let new = TempDir::new().unwrap();
            fs::create_dir(new.path().join("tiny")).unwrap();
            refuse(new.path(), true);
            let stopped = TempDir::new().unwrap();
            play(Run::start, &job, &threads(&job, 1), stopped.path(), 12);
            refuse(stopped.path(), false);
        }
    }
}

#[test]
fn what_a_crash_left_half_written_is_removed() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    play(Run::start, &job, &threads(&job, 1), results.path(), 3);
    for name in [".checkpoint.a1b2c3.new", ".weights.toml.D4e5F6.new", ".generations.csv.777777.new"] {
        fs::write(file(results.path(), name), "half").unwrap();
    }
    fs::write(file(results.path(), "notes.new"), "mine").unwrap();
    resume(&job, results.path());
    let mut files = files(results.path());
    assert_eq!(files.remove("notes.new"), Some(b"mine".to_vec()));
    assert_same(&whole(&job), &files, "resumed");
}

#[test]
fn the_columns_are_documented() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    complete(&job, results.path());
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md")).unwrap();
    for name in tables::TABLES {
        let table = fs::read_to_string(file(results.path(), name)).unwrap();
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

#[test]
fn every_file_is_documented() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
    complete(&job, results.path());
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md")).unwrap();
    for name in every_file(results.path()).keys() {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}
