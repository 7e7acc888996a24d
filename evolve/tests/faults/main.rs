//! Faults of the file system, one at every call: `cargo test -p evolve --test faults -- --ignored` tries a spread of them,
//! and with `EVERY_FAULT=1` all, and writes their table to `docs/faults.md`. They need `strace`.

mod fault;
mod operation;
mod short;
mod table;
mod trace;

use fault::{Fault, faults, try_at};
use libtest_mimic::{Arguments, Failed, Trial};
use rayon::prelude::*;
use std::process::ExitCode;
use table::Table;
use trace::Call;

/// How many faults of an operation make a spread.
const SPREAD: usize = 40;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(1);
    let test = |name: &str, run: fn() -> Result<(), Failed>| Trial::test(name, run);
    let tests = vec![test("faults_at_calls", faults_at_calls).with_ignored_flag(true)];
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// Whether all is to be tried.
fn every() -> bool {
    std::env::var_os("EVERY_FAULT").is_some()
}

fn faults_at_calls() -> Result<(), Failed> {
    let (mut table, mut wrong) = (Table::default(), Vec::new());
    for operation in operation::all() {
        let points = |call: &Call| faults(call).into_iter().map(|fault| (call.clone(), fault)).collect::<Vec<_>>();
        let points: Vec<(Call, Fault)> = operation.calls.iter().flat_map(points).collect();
        let points = if every() { points } else { spread(&points) };
        let tried = points.par_iter().map(|(call, fault)| try_at(&operation, call, *fault));
        for ((call, fault), outcome) in points.iter().zip(tried.collect::<Vec<_>>()) {
            match outcome {
                Ok(outcome) => table.add(operation.name, call, *fault, outcome),
                Err(what) => wrong.push(format!("{}: {fault} at {call}: {what}", operation.name)),
            }
        }
    }
    if every() {
        table.write("faults");
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} faults:\n{}", wrong.len(), wrong.join("\n")).into()),
    }
}

/// Some of many, the same ones each time, from all over.
fn spread<T: Clone>(all: &[T]) -> Vec<T> {
    // A step that shares no divisor with the number of faults of a call comes to all of them in turn.
    all.iter().step_by((all.len() / SPREAD) | 1).cloned().collect()
}
