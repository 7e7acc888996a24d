//! Tests of the files in the folder of a run.

use super::*;

#[test]
fn files_and_their_columns_are_documented() {
    let (job, results) = (tiny(), folder());
    complete(&job, results.path());
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md")).unwrap();
    for name in every_file(results.path()).keys() {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
    }
    for name in views::names(&job) {
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

/// Lists of runs read the run in brief; with another config than the checkpoint's, they read the
/// whole state.
#[test]
fn a_run_in_brief_says_what_its_state_says() {
    let (job, results) = (tiny(), folder());
    let (config, checkpoint) = (file(results.path(), "config.toml"), file(results.path(), "checkpoint"));
    let snapshot = || match Snapshot::of(&results.path().join("tiny"), &catalogue()) {
        Some(Ok(snapshot)) => (snapshot.run.clone(), snapshot.run_state(), snapshot.is_complete()),
        other => panic!("{:?}", other.map(|of| of.err())),
    };
    let mut is_complete = false;
    while !is_complete {
        is_complete = play(Run::resume, &job, &threads(&job, 2), results.path(), 2) != Ending::Stopped;
        let whole = fs::read_to_string(&config).unwrap();
        assert!(checkpoint::summary(&checkpoint, whole.as_bytes()).is_some());
        let brief = snapshot();
        let edited = format!("{whole}# edited\n");
        fs::write(&config, &edited).unwrap();
        assert_eq!(checkpoint::summary(&checkpoint, edited.as_bytes()), None);
        assert_eq!(snapshot(), brief);
        fs::write(&config, whole).unwrap();
        assert_eq!(brief.2, is_complete);
    }
    // A damaged state is reported, even if the run in brief is whole.
    let bytes = fs::read(&checkpoint).unwrap();
    let damaged = [&bytes[..bytes.len() - 9], b"\n"].concat();
    fs::write(&checkpoint, damaged).unwrap();
    let Some(Err(unreadable)) = Snapshot::of(&results.path().join("tiny"), &catalogue()) else { panic!("it is read") };
    assert!(unreadable.reason.contains("checksum does not match"), "{}", unreadable.reason);
}
