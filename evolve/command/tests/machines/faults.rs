//! Failures of machines.

use crate::cluster::{Cluster, Process, job, wait_until};
use crate::server::{Other, Server};
use rustix::process::Signal;

pub fn twelve_workers_are_killed() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(20, 4000), server.url());
    cluster.hold(0);
    let mut run = cluster.run("run", &[]);
    let mut workers: Vec<Process> = (0..3).map(|i| cluster.worker(&format!("worker-{i}"))).collect();
    for i in 0..12 {
        // All play, and further in the search each time.
        let joined = 3 + i;
        wait_until("the workers join", || run.said().matches("has joined").count() >= joined);
        cluster.hold(35 * (i as u64 + 1));
        assert!(!run.has_ended(), "{}", run.said());
        let worker = &mut workers[i % 3];
        worker.kill();
        *worker = cluster.worker(&format!("worker-{i}-again"));
    }
    cluster.release();
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

pub fn a_worker_is_stopped_until_it_is_given_up() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(20, 4000), server.url());
    cluster.hold(250);
    let mut run = cluster.run("run", &[]);
    let _other = cluster.worker("other");
    let mut stopped = cluster.worker("stopped");
    stopped.says("playing for the run first");
    let name = format!(":{}", stopped.child.id());
    run.says(&format!("{name} has joined"));
    stopped.signal(Signal::STOP);
    run.says(&format!("{name} for 6 s; others play its trials"));
    stopped.signal(Signal::CONT);
    wait_until("it comes back", || run.said().matches(&format!("{name} has joined")).count() == 2);
    cluster.release();
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

pub fn the_server_is_restarted() {
    let mut server = Server::start("");
    let cluster = Cluster::new(&job(20, 4000), server.url());
    cluster.hold(250);
    let mut run = cluster.run("run", &[]);
    let mut worker = cluster.worker("worker");
    wait_until("the search is under way", || cluster.folder.path().join("results/first/incumbent.toml").exists());
    server.kill();
    for process in [&mut run, &mut worker] {
        process.says("is lost; trying again");
    }
    server.again();
    for process in [&mut run, &mut worker] {
        process.says(" again\n");
    }
    cluster.release();
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

/// Restarts it as if its disk were replaced: the stream and all its messages are lost.
pub fn the_server_loses_its_files() {
    let mut server = Server::start("");
    let cluster = Cluster::new(&job(20, 4000), server.url());
    cluster.hold(250);
    let mut run = cluster.run("run", &[]);
    let mut worker = cluster.worker("worker");
    worker.says("playing for the run first");
    server.kill();
    server.lose_files();
    server.again();
    // A worker that joins late also gets the job.
    let mut late = cluster.worker("late");
    late.says("playing for the run first");
    cluster.release();
    run.succeeds();
    cluster.assert_same_as_one_thread();
}

pub fn the_coordinator_is_killed_and_resumed() {
    let server = Server::start("");
    let cluster = Cluster::new(&job(20, 4000), server.url());
    cluster.hold(250);
    let mut run = cluster.run("first-run", &[]);
    let mut worker = cluster.worker("worker");
    wait_until("the search is under way", || cluster.folder.path().join("results/first/incumbent.toml").exists());
    run.kill();
    let mut run = cluster.run("second-run", &["--resume"]);
    run.says("resuming after");
    // The worker notices that it is another run.
    wait_until("the worker joins it", || worker.said().matches("playing for the run first").count() == 2);
    cluster.release();
    run.succeeds();
    cluster.assert_same_as_one_thread();
    worker.says("has ended");
}

pub fn the_server_has_no_space() {
    let server = Server::start("max_file_store: 4M");
    // Another user of the server takes all the space.
    let mut other = Other::connect(&server.host());
    other.fill();
    let cluster = Cluster::new(&job(20, 4000), server.url());
    let mut run = cluster.run("run", &[]);
    run.says("the server accepts no more work");
    other.leave();
    cluster.hold(250);
    let _worker = cluster.worker("worker");
    wait_until("the search is under way", || cluster.folder.path().join("results/first/incumbent.toml").exists());
    other.fill();
    // The next generation finds no space.
    cluster.release();
    wait_until("the message comes again", || run.said().matches("the server accepts no more work").count() == 2);
    assert!(!run.has_ended());
    other.leave();
    run.succeeds();
    cluster.assert_same_as_one_thread();
}
