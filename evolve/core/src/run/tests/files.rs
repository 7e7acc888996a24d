//! Tests of the files in the folder of a run.

use super::*;

#[test]
fn files_and_their_columns_are_documented() {
    let (job, results) = (tiny(), TempDir::new().unwrap());
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
