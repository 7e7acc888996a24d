//! What is in the folder of a run.

use super::*;

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
