//! Faults of the file system, one at every call, and losses of power after it: `cargo test -p evolve --test faults --
//! --include-ignored` tries a spread of them, and with `EVERY_FAULT=1` all, and writes their tables to `docs/faults.md`.
//! They need `strace`, and `unshare` to mount small disks.

mod disk;
mod fault;
mod folders;
mod operation;
mod power;
mod short;
mod table;
mod trace;

use fault::{Fault, faults, try_at};
use libtest_mimic::{Arguments, Failed, Trial};
use operation::shown;
use power::Loss;
use rayon::prelude::*;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use table::Table;
use trace::Call;

/// How many faults of an operation make a spread.
const SPREAD: usize = 40;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(1);
    let test = |name: &str, run: fn()| {
        Trial::test(name, move || {
            run();
            Ok::<(), Failed>(())
        })
    };
    let tests = vec![
        test("two_at_one_folder", folders::two_at_one_folder),
        test("a_folder_that_is_moved", folders::a_folder_that_is_moved),
        test("a_folder_that_is_removed", folders::a_folder_that_is_removed),
        // These need more than Rust.
        test("a_disk_that_is_full", folders::a_disk_that_is_full).with_ignored_flag(true),
        test("a_disk_that_is_read_only", folders::a_disk_that_is_read_only).with_ignored_flag(true),
        Trial::test("faults_at_calls", faults_at_calls).with_ignored_flag(true),
        Trial::test("losses_of_power", losses_of_power).with_ignored_flag(true),
        test("what_is_not_synced_is_lost", what_is_not_synced_is_lost).with_ignored_flag(true),
    ];
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// Whether all is to be tried.
fn every() -> bool {
    std::env::var_os("EVERY_FAULT").is_some()
}

fn faults_at_calls() -> Result<(), Failed> {
    let (mut table, mut wrong) = (Table::default(), Vec::new());
    for operation in operation::all() {
        let points =
            |call: &Call| faults(&operation, call).into_iter().map(|fault| (call.clone(), fault)).collect::<Vec<_>>();
        let points: Vec<(Call, Fault)> = operation.calls.iter().flat_map(points).collect();
        if every() {
            eprintln!("{}: {} faults at {} calls", operation.name, points.len(), operation.calls.len());
        }
        let points = if every() { points } else { spread(&points) };
        let start = Instant::now();
        let tried = points.par_iter().map(|(call, fault)| try_at(&operation, call, *fault));
        for ((call, fault), outcome) in points.iter().zip(tried.collect::<Vec<_>>()) {
            match outcome {
                Ok(outcome) => table.add(operation.name, call, *fault, outcome),
                Err(what) => wrong.push(format!("{}: {fault} at {call}: {what}", operation.name)),
            }
        }
        if every() {
            // It takes hours: the page has what is done by now.
            eprintln!(
                "{}: {} faults in {} s, {} wrong so far",
                operation.name,
                points.len(),
                start.elapsed().as_secs(),
                wrong.len()
            );
            wrong.iter().for_each(|wrong| eprintln!("{wrong}"));
            table.write("faults");
        }
    }
    verdict(&wrong)
}

fn losses_of_power() -> Result<(), Failed> {
    let (mut wrong, mut all) = (Vec::new(), (0, 0));
    let mut text = "| operation | calls that change the disk | states of the disk |\n|---|--:|--:|\n".to_string();
    for operation in operation::all() {
        let (losses, calls) = power::losses(&operation);
        text += &format!("| {} | {calls} | {} |\n", operation.name, losses.len());
        all = (all.0 + calls, all.1 + losses.len());
        let losses: Vec<&Loss> =
            if every() { losses.iter().collect() } else { spread(&losses.iter().collect::<Vec<_>>()) };
        wrong.par_extend(losses.par_iter().filter_map(|loss| power::try_after(&operation, loss).err()));
    }
    text += &format!("| all | {} | {} |\n", all.0, all.1);
    if every() {
        table::put("power", &text);
    }
    verdict(&wrong)
}

/// That losses of power are found: there are some that no run survives, should it leave out any kind of sync.
fn what_is_not_synced_is_lost() {
    type IsSync = fn(&Call) -> bool;
    let synced: [(&str, IsSync); 4] = [
        ("tables", |call| call.name == "fdatasync"),
        ("files before they get their name", |call| call.name == "fsync" && shown(&call.files[0]) != call.files[0]),
        ("the folder of the run", |call| call.name == "fsync" && call.files[0] == Path::new("results/first")),
        ("the folder above", |call| call.name == "fsync" && call.files[0] == Path::new("results")),
    ];
    for (what, is_sync) in synced {
        let mut run = operation::run();
        run.calls.retain(|call| !is_sync(call));
        let (losses, _) = power::losses(&run);
        assert!(losses.par_iter().any(|loss| power::try_after(&run, loss).is_err()), "{what}");
    }
}

/// Whether nothing was wrong.
fn verdict(wrong: &[String]) -> Result<(), Failed> {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} that should not be:\n{}", wrong.len(), wrong.join("\n")).into()),
    }
}

/// Some of many, the same ones each time, from all over.
fn spread<T: Clone>(all: &[T]) -> Vec<T> {
    // A step that shares no divisor with the number of faults of a call comes to all of them in turn.
    all.iter().step_by((all.len() / SPREAD) | 1).cloned().collect()
}
