//! The suites of the command, in one program. It is linked once, and tests that wait leave the
//! processor to others. `cargo test -p evolve-tuner --test command learn::` runs one suite.

mod committed;
mod shared;

// `test` runs these beside the other tests, and knows them by this name.
#[path = "command"]
mod suites {
    mod after;
    mod attack;
    mod capping;
    mod check;
    mod cli;
    mod constraints;
    #[cfg(unix)]
    mod deadline;
    mod documents;
    mod examples;
    mod features;
    mod first_hour;
    mod follow;
    mod forbid;
    mod grid;
    mod hostile;
    mod import;
    mod judge;
    mod learn;
    mod offers;
    #[cfg(unix)]
    mod private;
    mod program;
    mod reference_runs;
    mod report;
    mod rings;
    mod run;
    mod serve;
    #[cfg(unix)]
    mod sharing;
    mod time_limit;
    mod tune;
    mod tutorial;
    mod watch;
}
