//! Tests that damaged files of a run are detected and left unchanged.

use super::*;
use serde_json::json;

#[test]
fn a_damaged_checkpoint_is_refused() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 9);
    let path = file(results.path(), "checkpoint");
    let whole = fs::read(&path).unwrap();
    let with = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        damage(&job, results.path())
    };
    // Damage every byte of the first line, some of the others, and some lengths; only the line end
    // after the last byte may be missing.
    for place in (0..60).chain((60..whole.len() - 1).step_by(13)) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        with(&bytes);
    }
    for length in (1..whole.len() - 1).step_by(17) {
        with(&whole[..length]);
    }
    let text = String::from_utf8(whole.clone()).unwrap();
    let format = checkpoint::FORMAT;
    let then = text.replacen(&format!("evolve-checkpoint {format}"), "evolve-checkpoint 99", 1);
    let other = with(then.as_bytes());
    assert!(other.starts_with(&format!("the checkpoint has format 99; this program reads format {format}")), "{other}");
    fs::write(&path, &whole).unwrap();
    resume(&job, results.path());
    assert_same(&super::whole(&job), &files(results.path()), "restored");
}

/// A checkpoint may have a valid checksum and still hold an impossible state of the optimizer.
#[test]
fn an_optimizer_that_contradicts_itself_is_refused() {
    let (job, results) = (tiny(), folder());
    let path = file(results.path(), "checkpoint");
    play(Run::start, &job, &threads(&job, 1), results.path(), 6);
    let whole = fs::read_to_string(&path).unwrap();
    let before = every_file(results.path());
    for (key, value) in [("generation", json!(u64::MAX)), ("population", json!([])), ("mean", json!([1.0]))] {
        fs::write(&path, forge(&whole, &format!("/optimizer/{key}"), value)).unwrap();
        let what = damage(&job, results.path());
        assert!(what.ends_with("or is inconsistent"), "{key}: {what}");
    }
    fs::write(&path, whole).unwrap();
    assert_same(&before, &every_file(results.path()), "refused");
}

#[test]
fn lost_records_are_detected() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 15);
    let path = file(results.path(), names::LOG);
    let records = fs::read(&path).unwrap();
    fs::write(&path, &records[..records.len() - 1]).unwrap();
    let counted = format!("but the checkpoint expects {}", records.len());
    assert_eq!(damage(&job, results.path()), format!("{} bytes, {counted}", records.len() - 1));
    fs::remove_file(&path).unwrap();
    assert_eq!(damage(&job, results.path()), format!("0 bytes, {counted}"));
    assert!(!path.exists());
    // A checkpoint may have a valid checksum and still refer to a log that the run did not write.
    let checkpoint = fs::read_to_string(file(results.path(), "checkpoint")).unwrap();
    let forged = |log: &[u8]| {
        let extent = json!({ "bytes": log.len(), "crc": crc32fast::hash(log) });
        fs::write(file(results.path(), "checkpoint"), forge(&checkpoint, "/log", extent)).unwrap();
        damage(&job, results.path())
    };
    let other = String::from_utf8(records.clone()).unwrap().replacen("{\"generation\"", "{\"genesis\"", 1) + "\n\n";
    fs::write(&path, &other).unwrap();
    let what = forged(other.as_bytes());
    assert!(what.contains("unknown variant `genesis`"), "{what}");
    fs::write(&path, &records).unwrap();
    let what = forged(&records[..records.len() - 1]);
    assert!(what.ends_with("the checkpoint's length ends within a line"), "{what}");
    fs::write(file(results.path(), "checkpoint"), checkpoint).unwrap();
    resume(&job, results.path());
    assert_same(&whole(&job), &files(results.path()), "restored");
}

/// Damage that keeps the length of the log: another digit, a row twice.
#[test]
fn other_records_are_detected() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 15);
    let path = file(results.path(), names::LOG);
    let records = fs::read(&path).unwrap();
    for place in (0..records.len()).step_by(23) {
        let mut other = records.clone();
        other[place] = if other[place] == b'3' { b'4' } else { b'3' };
        fs::write(&path, [&other[..], b"more"].concat()).unwrap();
        let before = every_file(results.path());
        let what = damage(&job, results.path());
        assert!(what.ends_with("are not those that the run wrote: their checksum does not match"), "{what}");
        assert_same(&before, &every_file(results.path()), "refused");
    }
    let lines: Vec<&str> = std::str::from_utf8(&records).unwrap().split_inclusive('\n').collect();
    let twice = [&lines[..2], &lines[1..]].concat().concat();
    fs::write(&path, &twice.as_bytes()[..records.len()]).unwrap();
    assert!(damage(&job, results.path()).contains("their checksum does not match"));
    fs::write(&path, &records).unwrap();
    resume(&job, results.path());
    assert_same(&whole(&job), &files(results.path()), "restored");
}

/// Tables are views of the log, from which they can be rebuilt.
#[test]
fn lost_tables_are_rebuilt() {
    let (job, results) = (tiny(), folder());
    play(Run::start, &job, &threads(&job, 1), results.path(), 15);
    for batches in [2, usize::MAX, 0] {
        fs::write(file(results.path(), "generations.csv"), "edited").unwrap();
        fs::remove_file(file(results.path(), "validation.csv")).unwrap();
        play(Run::resume, &job, &threads(&job, 1), results.path(), batches);
    }
    assert_same(&whole(&job), &files(results.path()), "rebuilt");
}

#[test]
fn a_run_without_its_checkpoint_or_config_keeps_its_files() {
    let (job, results) = (tiny(), folder());
    complete(&job, results.path());
    fs::remove_file(file(results.path(), "checkpoint")).unwrap();
    let before = every_file(results.path());
    assert!(matches!(refusal(&job, results.path()), RunError::NoCheckpoint(_)));
    assert_same(&before, &every_file(results.path()), "without its checkpoint");
    fs::remove_file(file(results.path(), "recommendation.toml")).unwrap();
    fs::remove_file(file(results.path(), "config.toml")).unwrap();
    let before = every_file(results.path());
    assert!(matches!(refusal(&job, results.path()), RunError::NoCheckpoint(_)));
    assert_same(&before, &every_file(results.path()), "without three files");

    fs::write(file(results.path(), "checkpoint"), "evolve-checkpoint").unwrap();
    assert!(damage(&job, results.path()).contains("it has the job of the checkpoint"));
}
