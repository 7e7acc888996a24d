//! Tests of well-behaved programs, run to completion or in a dialogue.

#![cfg(unix)]

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use evolve_process::{Exceeded, Finished, Heard, Interruption, Limits, Program, StartError, Stdin, Until};

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(600);

fn shell(script: &str) -> Program {
    Program::from_command(["/bin/sh", "-c", script])
}

fn run(program: &Program) -> Finished {
    program.run(Stdin::Empty, None).unwrap()
}

fn line(text: &str) -> Heard {
    Heard::Line(text.as_bytes().to_vec())
}

#[test]
fn results() {
    let finished = run(&shell("echo out; echo err >&2; exit 3"));
    assert_eq!(finished.exit.status.code(), Some(3));
    assert_eq!((finished.stdout.bytes(), finished.stderr.bytes()), (b"out\n".to_vec(), b"err\n".to_vec()));
    assert_eq!(finished.interruption, None);
    assert!(!finished.success() && finished.exit.wall > Duration::ZERO);

    let finished = run(&shell("kill -TERM $$"));
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&finished.exit.status), Some(15));
    assert!(run(&shell("")).success());
}

#[test]
fn surroundings() {
    let own = std::env::current_dir().unwrap().canonicalize().unwrap();
    let program = shell("pwd -P; echo $COLOUR $HOME").env("COLOUR", "blue").env("HOME", "here");
    let text = format!("{}\nblue here\n", own.display());
    assert_eq!(String::from_utf8(run(&program).stdout.bytes()).unwrap(), text);
}

#[test]
fn input() {
    let big = vec![b'x'; 1 << 20];
    let mut child = shell("wc -c; cat").start().unwrap();
    child.send(&big);
    child.close();
    let Heard::Line(count) = child.line(Until::default()).unwrap() else { panic!("no count") };
    assert_eq!(count.trim_ascii(), b"1048576");
    assert_eq!(child.line(Until::default()), Ok(Heard::End));
    // A program need not read its input.
    let mut child = shell("exit 0").start().unwrap();
    child.send(&big);
    child.close();
    assert!(child.wait(Until::default()).unwrap().status.success());

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("input");
    std::fs::write(&path, "from a file").unwrap();
    let finished = shell("cat").run(Stdin::File(File::open(path).unwrap()), None).unwrap();
    assert_eq!(finished.stdout.bytes(), b"from a file");
    assert_eq!(run(&shell("cat")).stdout.total(), 0);
}

#[test]
fn output_beyond_the_cap() {
    let finished = run(&shell("echo begin; head -c 1000000 /dev/zero; echo end").keep(100));
    assert_eq!(finished.stdout.total(), 1_000_010);
    let kept = finished.stdout.bytes();
    assert!(kept.len() == 100 && kept.starts_with(b"begin\n") && kept.ends_with(b"\0end\n"));
}

#[test]
fn figures() {
    // The use of the child's child counts too. It works ten times as much, as times vary.
    let work = |count| format!("i=0; while [ $i -lt {count} ]; do i=$((i + 1)); done");
    let finished = run(&shell(&format!("sh -c '{}'; exit 0", work(500_000))));
    let one = run(&shell(&work(50_000)));
    assert!(one.exit.cpu > Duration::ZERO && finished.exit.cpu > one.exit.cpu);
    assert!(finished.exit.wall >= finished.exit.cpu / 2);
}

#[test]
fn a_run_is_stopped() {
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let finished = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        shell("echo before; exec sleep 100000").run(Stdin::Empty, Some(&stop)).unwrap()
    });
    assert_eq!(finished.interruption, Some(Interruption::Stopped));
    assert!(start.elapsed() < LONG);
}

#[test]
fn a_worker_answers() {
    let mut worker = shell("while read a b; do echo $((a + b)); echo said >&2; done; exit 7").start().unwrap();
    for i in 0..100 {
        let heard = worker.ask(&format!("{i} 1"), Until::after(LONG));
        assert_eq!(heard, Ok(line(&(i + 1).to_string())));
    }
    assert_eq!(worker.exit(), None);
    worker.close();
    assert_eq!(worker.wait(Until::after(LONG)).unwrap().status.code(), Some(7));
    assert_eq!(worker.stderr().len(), 500);
    assert_eq!(worker.line(Until::after(LONG)), Ok(Heard::End));
}

#[test]
fn a_dead_worker_is_noticed() {
    let mut worker = shell("read n; exit 9").start().unwrap();
    assert_eq!(worker.ask("1", Until::after(LONG)), Ok(Heard::End));
    assert_eq!(worker.wait(Until::after(LONG)).unwrap().status.code(), Some(9));
    assert_eq!(worker.ask("1", Until::after(LONG)), Ok(Heard::End));
}

#[test]
fn lines() {
    let mut child = shell("printf 'one\\n\\ntwo\\nlast'").start().unwrap();
    for text in ["one", "", "two", "last"] {
        assert_eq!(child.line(Until::after(LONG)), Ok(line(text)));
    }
    assert_eq!(child.line(Until::after(LONG)), Ok(Heard::End));

    let mut child = shell("echo 12345; echo 123456; read n").longest_line(5).start().unwrap();
    assert_eq!(child.line(Until::after(LONG)), Ok(line("12345")));
    assert_eq!(child.line(Until::after(LONG)), Ok(Heard::TooLong));
    assert!(child.pending().starts_with(b"12345"));

    let mut child = shell("printf part; exec sleep 100000").start().unwrap();
    while child.pending().is_empty() {
        assert_eq!(child.line(Until::after(Duration::from_millis(1))), Err(Interruption::Late));
    }
    assert_eq!(child.pending(), b"part");
    let stop = AtomicBool::new(true);
    assert_eq!(child.line(Until { stop: Some(&stop), deadline: None }), Err(Interruption::Stopped));
}

#[test]
fn limits_of_time() {
    let limit = Duration::from_millis(100);
    let finished = run(&shell("exec sleep 100000").limits(Limits { wall: Some(limit), ..Limits::default() }));
    let Some(Interruption::Exceeded(Exceeded::Wall { used, .. })) = finished.interruption else {
        panic!("{finished:?}");
    };
    assert!(used > limit);

    let looping = "while :; do :; done";
    for script in [looping.to_owned(), format!("sh -c '{looping}'"), format!("({looping}) & sleep 100000")] {
        let finished = run(&shell(&script).limits(Limits { cpu: Some(limit), ..Limits::default() }));
        let Some(Interruption::Exceeded(Exceeded::Cpu { used, .. })) = finished.interruption else {
            panic!("{finished:?}");
        };
        assert!(used > limit);
    }
}

#[test]
fn limits_of_output() {
    let finished = run(&shell("yes").limits(Limits { stdout: Some(100_000), ..Limits::default() }));
    assert!(matches!(finished.interruption, Some(Interruption::Exceeded(Exceeded::Stdout { limit: 100_000, .. }))));
    let finished = run(&shell("yes >&2").limits(Limits { stderr: Some(100_000), ..Limits::default() }));
    assert!(matches!(finished.interruption, Some(Interruption::Exceeded(Exceeded::Stderr { limit: 100_000, .. }))));
    // Output counts even if the program ended after printing it.
    let finished = run(&shell("echo 12345").limits(Limits { stdout: Some(5), ..Limits::default() }));
    assert!(matches!(finished.interruption, Some(Interruption::Exceeded(Exceeded::Stdout { used: 6, limit: 5 }))));
    assert_eq!(finished.stdout.bytes(), b"12345\n");
}

#[test]
fn programs_that_cannot_be_started() {
    let directory = tempfile::tempdir().unwrap();
    let plain = directory.path().join("plain");
    std::fs::write(&plain, "").unwrap();
    for program in
        [Program::new("./no-such-program"), Program::new(plain), Program::from_command([""; 0]), Program::new("a\0b")]
    {
        assert!(matches!(program.start(), Err(StartError::Program(_))), "{program:?}");
    }
}
