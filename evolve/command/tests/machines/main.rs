//! Runs on many machines, which are processes here, with a real server: `cargo test -p evolve-tuner
//! --features nats --test machines`. Workers are killed and stopped, the server is restarted and
//! full, the coordinator is killed; the results must be byte-identical to a run on one thread.
//!
//! The test program is also the command under test: started under another name, it is the command
//! with the tests' problem, or another build of it.

mod cluster;
mod faults;
mod joining;
mod measure;
mod problem;
mod server;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;

/// The name of the command with the tests' problem.
const EVOLVE: &str = "evolve-under-test";
/// The name of another build of it, whose parameters have other ranges.
const OTHER: &str = "evolve-other-build";
/// The name of a build in which a game sometimes fails.
const BROKEN: &str = "evolve-broken-build";

fn main() -> ExitCode {
    match std::env::args().next().as_deref() {
        Some(EVOLVE) => evolve::cli::main(evolve::games::GAMES.clone().and([problem::steps(false, false)])),
        Some(OTHER) => evolve::cli::main([problem::steps(true, false)]),
        Some(BROKEN) => evolve::cli::main([problem::steps(false, true)]),
        _ => {
            let mut arguments = Arguments::from_args();
            // They mostly wait.
            arguments.test_threads.get_or_insert(14);
            libtest_mimic::run(&arguments, tests()).exit_code()
        }
    }
}

fn tests() -> Vec<Trial> {
    let test = |name: &str, run: fn()| {
        Trial::test(name, move || {
            run();
            Ok::<(), Failed>(())
        })
    };
    vec![
        test("one_two_and_three_workers_give_the_same_bytes", joining::one_two_and_three_workers_give_the_same_bytes),
        test("a_run_reports_that_it_waits_for_workers", joining::a_run_reports_that_it_waits_for_workers),
        test("another_build_is_refused", joining::another_build_is_refused),
        test("a_machine_on_which_games_fail_leaves", joining::a_machine_on_which_games_fail_leaves),
        test("programs_are_sent_and_executed_where_allowed", joining::programs_are_sent_and_executed_where_allowed),
        test(
            "who_is_compared_on_a_game_plays_it_on_one_machine",
            joining::who_is_compared_on_a_game_plays_it_on_one_machine,
        ),
        test("constraints_hold_on_workers", joining::constraints_hold_on_workers),
        test("time_limits_hold_on_workers", joining::time_limits_hold_on_workers),
        test("credentials_are_taken", joining::credentials_are_taken),
        test("credentials_files_are_taken", joining::credentials_files_are_taken),
        test("encrypted_connections_are_checked", joining::encrypted_connections_are_checked),
        test("twelve_workers_are_killed", faults::twelve_workers_are_killed),
        test("a_worker_is_stopped_until_it_is_given_up", faults::a_worker_is_stopped_until_it_is_given_up),
        test("the_server_is_restarted", faults::the_server_is_restarted),
        test("the_server_loses_its_files", faults::the_server_loses_its_files),
        test("the_coordinator_is_killed_and_resumed", faults::the_coordinator_is_killed_and_resumed),
        test("the_server_has_no_space", faults::the_server_has_no_space),
        // The figures of docs/many-machines.md.
        test("measure", measure::games_a_second).with_ignored_flag(true),
    ]
}
