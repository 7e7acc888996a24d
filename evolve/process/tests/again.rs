//! Tests of successive programs, which share a supervisor and nothing else.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::process::{self, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use evolve_process::{Finished, Heard, Interruption, Limits, Program, StartError, Stdin, Until};

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(600);

const ROLE: &str = "AGAIN_ROLE";

/// Serializes the tests, because any test may get any supervisor.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn shell(script: &str) -> Program {
    Program::from_command(["/bin/sh", "-c", script])
}

fn run(program: &Program) -> Finished {
    program.run(Stdin::Empty, None).unwrap()
}

fn text(finished: &Finished) -> String {
    String::from_utf8(finished.stdout.bytes()).unwrap().trim().to_owned()
}

/// Returns the supervisor that serves next.
fn supervisor() -> i32 {
    text(&run(&shell("echo $PPID"))).parse().unwrap()
}

fn kill(process: i32, signal: i32) {
    // SAFETY: a plain system call.
    assert_eq!(unsafe { libc::kill(process, signal) }, 0);
}

fn processes() -> BTreeSet<i32> {
    fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Returns the parent and state of a process.
fn stat(process: i32) -> Option<(i32, char)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?.chars().next()?;
    Some((fields.next()?.parse().ok()?, state))
}

/// Returns the children of this process and their states.
fn children() -> Vec<(i32, char)> {
    let own = process::id() as i32;
    let state = |process| stat(process).filter(|&(parent, _)| parent == own).map(|(_, state)| (process, state));
    processes().into_iter().filter_map(state).collect()
}

#[test]
fn a_supervisor_stays() {
    let _turn = alone();
    let first = supervisor();
    for status in [0, 3, 9] {
        let finished = run(&shell(&format!("echo $PPID; exit {status}")));
        assert_eq!((text(&finished), finished.exit.status.code()), (first.to_string(), Some(status)));
    }
    let finished = run(&shell("kill -TERM $$"));
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&finished.exit.status), Some(15));
    // Descendants of a program end before the next program starts.
    let finished = run(&shell("setsid sleep 100000 & echo $!; exit 0"));
    assert!(finished.success() && stat(text(&finished).parse().unwrap()).is_none());
    assert_eq!(supervisor(), first);
    // The supervisor holds no descriptors of earlier programs.
    let descriptors = || fs::read_dir(format!("/proc/{first}/fd")).unwrap().count();
    let before = descriptors();
    for _ in 0..100 {
        assert_eq!(supervisor(), first);
    }
    assert_eq!(descriptors(), before);
    assert_eq!(fs::read_to_string(format!("/proc/{first}/comm")).unwrap(), "supervisor\n");
}

#[test]
fn surroundings_are_those_of_the_program() {
    let _turn = alone();
    let first = supervisor();
    let own = env::current_dir().unwrap();
    for name in ["one", "two"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().canonicalize().unwrap();
        fs::write(path.join("input"), name).unwrap();
        // A program starts in the directory that this process has then.
        env::set_current_dir(&path).unwrap();
        let program = shell("pwd; echo $NAME $OTHER; cat").env("NAME", name);
        let finished = program.run(Stdin::File(File::open("input").unwrap()), None).unwrap();
        assert_eq!(text(&finished), format!("{}\n{name}\n{name}", path.display()));
        let mut child = program.start().unwrap();
        child.send("bytes");
        child.close();
        for line in [&*path.to_string_lossy(), name, "bytes"] {
            assert_eq!(child.line(Until::after(LONG)), Ok(Heard::Line(line.into())));
        }
        // A program that is killed takes its supervisor with it.
        assert!(child.wait(Until::after(LONG)).unwrap().status.success());
        env::set_current_dir(&own).unwrap();
    }
    let finished =
        run(&shell("pwd; echo $NAME; cat; echo a b >&2; ls /proc/self/fd | wc -l; ulimit -c").env("OTHER", "x"));
    // The four descriptors are the three streams and the directory being listed.
    assert!(text(&finished).starts_with(&format!("{}\n\n4\n", own.display())), "{finished:?}");
    assert_eq!(finished.stderr.bytes(), b"a b\n");
    // Long orders exceed the buffer of the connection; the shell executes a script without a `#!`
    // line.
    let long = "x".repeat(100_000);
    let finished = run(&shell("echo ${#A} ${#B} ${#C}").env("A", &long).env("B", &long).env("C", &long));
    assert_eq!(text(&finished), "100000 100000 100000");
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("script");
    fs::write(&script, "echo $1 $#").unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = Program::from_command([script.into_os_string(), "word".into(), long.into()]);
    assert_eq!(text(&run(&program)), "word 2");
    assert_eq!(supervisor(), first);
}

#[test]
fn figures_are_those_of_the_program() {
    let _turn = alone();
    let first = supervisor();
    let work = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done";
    // A string of 100 MB, and the time to build it.
    let large = run(&shell(&format!("x=$(head -c 100000000 /dev/zero | tr '\\0' x); {work}")));
    assert!(large.exit.memory > 100_000_000 && large.exit.cpu > Duration::ZERO, "{large:?}");
    let small = run(&shell(""));
    assert!(small.exit.memory < 50_000_000 && small.exit.cpu < large.exit.cpu / 4, "{small:?}");
    // The samples exclude earlier programs as well.
    let limits = Limits { cpu: Some(large.exit.cpu / 2), memory: Some(50_000_000), ..Limits::default() };
    let sampled = run(&shell("echo $PPID; exec sleep 0.1").limits(limits));
    assert!(sampled.success() && sampled.exit.memory < 50_000_000, "{sampled:?}");
    assert_eq!(text(&sampled), first.to_string());
}

#[test]
fn programs_that_cannot_be_started_harm_none() {
    let _turn = alone();
    let first = supervisor();
    let directory = tempfile::tempdir().unwrap();
    let plain = directory.path().join("plain");
    fs::write(&plain, "").unwrap();
    let errors = [
        (Program::new("./no-such-program"), libc::ENOENT),
        (Program::new("no-such-program"), libc::ENOENT),
        (Program::new(&plain), libc::EACCES),
        (shell("").env("LONG", "x".repeat(1 << 20)), libc::E2BIG),
    ];
    for (program, errno) in errors {
        let error = program.start().unwrap_err();
        let StartError::Program(reason) = &error else { panic!("{program:?}: {error:?}") };
        assert_eq!(reason.raw_os_error(), Some(errno), "{program:?}");
        assert_eq!(supervisor(), first);
    }
}

#[test]
fn a_supervisor_that_was_killed_is_replaced() {
    let _turn = alone();
    let mut first = supervisor();
    for _ in 0..10 {
        kill(first, libc::SIGKILL);
        let second = supervisor();
        assert_ne!(second, first);
        // The killed supervisor was reaped.
        assert_eq!(stat(first), None);
        first = second;
    }
    // A stopped supervisor continues.
    kill(first, libc::SIGSTOP);
    assert_eq!(supervisor(), first);
}

#[test]
fn an_early_end_harms_none() {
    let _turn = alone();
    let first = supervisor();
    let wall = Limits { wall: Some(Duration::from_millis(20)), ..Limits::default() };
    let finished = run(&shell("trap '' TERM; setsid sleep 100000 & sleep 100000").limits(wall));
    assert!(matches!(finished.interruption, Some(Interruption::Exceeded(_))));
    assert_eq!(stat(first), None);
    let second = supervisor();
    let mut child = shell("echo $PPID; exec sleep 100000").start().unwrap();
    assert_eq!(child.line(Until::after(LONG)), Ok(Heard::Line(second.to_string().into_bytes())));
    drop(child);
    assert_eq!(stat(second), None);
    assert_eq!(run(&shell("exit 4")).exit.status.code(), Some(4));
    assert!(children().iter().all(|&(_, state)| state != 'Z'), "{:?}", children());
}

#[test]
fn many_at_once() {
    let _turn = alone();
    const THREADS: usize = 16;
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for i in 0..25 {
                    let mut child = shell("cat; exit $CODE").env("CODE", i.to_string()).start().unwrap();
                    child.send(thread.to_string());
                    child.close();
                    assert_eq!(child.line(Until::after(LONG)), Ok(Heard::Line(thread.to_string().into())));
                    assert_eq!(child.wait(Until::after(LONG)).unwrap().status.code(), Some(i));
                    // Some programs end early.
                    if i % 10 == 0 {
                        drop(shell("exec sleep 100000").start().unwrap());
                    }
                }
            });
        }
    });
    let left = children();
    assert!(!left.is_empty() && left.len() <= THREADS + 1, "{left:?}");
    assert!(left.iter().all(|&(_, state)| state != 'Z'), "{left:?}");
}

#[test]
fn a_fork_of_the_parent_makes_its_own() {
    let _turn = alone();
    let first = supervisor();
    // SAFETY: the other threads of this process wait for their turn, or for this test.
    let fork = unsafe { libc::fork() };
    if fork == 0 {
        let code = if supervisor() == first { 1 } else { 0 };
        // SAFETY: a plain system call.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: a plain system call.
    assert_eq!(unsafe { libc::waitpid(fork, &raw mut status, 0) }, fork);
    assert_eq!(status, 0);
    assert_eq!(supervisor(), first);
}

/// Not a test: starts an idle supervisor and two busy ones, reports that and waits.
#[test]
fn act() {
    if env::var(ROLE).is_err() {
        return;
    }
    // The thread that starts them ends, which must not end them.
    let busy = thread::spawn(|| {
        let start = || shell("echo $PPID; setsid sleep 100000 & exec sleep 100000").start().unwrap();
        let mut children = [start(), start()];
        println!("idle {}", supervisor());
        for child in &mut children {
            let Ok(Heard::Line(line)) = child.line(Until::after(LONG)) else { panic!("no line") };
            println!("busy {}", String::from_utf8(line).unwrap());
        }
        children
    });
    let busy = busy.join().unwrap();
    thread::sleep(Duration::from_millis(100));
    println!("busy {}", supervisor());
    println!("ready");
    thread::sleep(Duration::from_secs(100_000));
    drop(busy);
}

#[test]
fn all_end_with_the_parent() {
    let mut parent = Command::new(env::current_exe().unwrap())
        .args(["--exact", "act", "--nocapture"])
        .env(ROLE, "parent")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(parent.stdout.take().unwrap()).lines().map(Result::unwrap);
    let lines: Vec<_> = lines.take_while(|line| line != "ready").collect();
    let numbers = lines.iter().filter_map(|line| line.rsplit_once(' ')?.1.parse::<i32>().ok());
    let supervisors: BTreeSet<_> = numbers.filter(|&process| process > 1 && stat(process).is_some()).collect();
    assert_eq!(supervisors.len(), 3, "{lines:?}");
    let below = |process: &i32| stat(*process).is_some_and(|(parent, _)| supervisors.contains(&parent));
    let mut all: Vec<_> = processes().into_iter().filter(below).collect();
    assert_eq!(all.len(), 2, "{all:?}");
    all.extend(&supervisors);
    parent.kill().unwrap();
    parent.wait().unwrap();
    let start = Instant::now();
    let is_there = |&process: &i32| stat(process).is_some_and(|(_, state)| state != 'Z');
    while all.iter().any(is_there) {
        assert!(start.elapsed() < LONG, "{all:?}");
        thread::sleep(Duration::from_millis(5));
    }
}
