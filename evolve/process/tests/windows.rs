//! Tests of well-behaved and misbehaving programs on Windows. `./test windows` runs them under
//! wine.
//!
//! The tests start this program itself, in a role named by an environment variable.

#![cfg(windows)]

use std::io::{BufRead as _, Read as _, Write as _};
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io, process, thread};

use evolve_process::{Exceeded, Heard, Interruption, Limits, Program, StartError, Stdin, Until, crash, hint};
use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

/// The variable that names a role; the test `act` plays it.
const ROLE: &str = "EVOLVE_TEST_ROLE";
/// The first line that a role prints, after the lines of the test harness.
const BEGIN: &str = "begin";
/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(600);

fn actor(role: &str) -> Program {
    let program = env::current_exe().unwrap();
    Program::new(program).arg("act").arg("--exact").arg("--nocapture").arg("--test-threads=1").env(ROLE, role)
}

fn actor_command(role: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["act", "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, role);
    command
}

/// Plays a role.
#[test]
fn act() {
    let Ok(role) = env::var(ROLE) else { return };
    // The harness may have printed an incomplete line.
    println!("\n{BEGIN}");
    let _ = io::stdout().flush();
    match role.as_str() {
        "echo" => {
            for line in io::stdin().lock().lines() {
                println!("{}", line.unwrap());
            }
        }
        "count" => println!("{}", io::stdin().lock().read_to_end(&mut Vec::new()).unwrap()),
        "errors" => {
            let _ = io::stderr().write_all(&vec![b'x'; 1 << 20]);
            eprintln!("the end");
            process::exit(3);
        }
        "pour" => loop {
            let _ = io::stdout().write_all(&[b'x'; 4096]);
        },
        "spin" => loop {
            std::hint::spin_loop();
        },
        "hog" => {
            let mut all = Vec::new();
            for _ in 0..40 {
                all.push(vec![1_u8; 10 << 20]);
                thread::sleep(Duration::from_millis(10));
            }
            sleep();
        }
        "crash" => {
            // SAFETY: the access is invalid on purpose, to crash.
            unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
        }
        // Starts children that outlive the program, and prints their numbers.
        "leave" => {
            for _ in 0..3 {
                println!("{}", actor_command("sleep").stdout(Stdio::null()).spawn().unwrap().id());
            }
        }
        // Runs a program with a child until it is killed itself.
        "parent" => {
            let mut child = actor("tree").start().unwrap();
            skip(&mut child);
            for _ in 0..2 {
                if let Ok(Heard::Line(line)) = child.line(Until::after(LONG)) {
                    println!("{}", String::from_utf8_lossy(&line));
                }
            }
            let _ = io::stdout().flush();
            sleep();
        }
        "tree" => {
            println!("{}", process::id());
            println!("{}", actor_command("sleep").stdout(Stdio::null()).spawn().unwrap().id());
            let _ = io::stdout().flush();
            sleep();
        }
        _ => sleep(),
    }
    let _ = io::stdout().flush();
    process::exit(0);
}

fn sleep() -> ! {
    thread::sleep(LONG);
    process::exit(9)
}

/// Skips the lines of the harness.
fn skip(child: &mut evolve_process::Child) {
    while child.line(Until::after(LONG)).unwrap() != Heard::Line(BEGIN.into()) {}
}

/// Opens a process to wait for, even if it has ended.
fn process_of(number: &str) -> OwnedHandle {
    let number = number.trim().parse().unwrap_or_else(|_| panic!("a number: {number:?}"));
    // SAFETY: the call returns a new handle, or none.
    let handle = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, number) };
    assert!(!handle.is_null(), "{number}: {}", io::Error::last_os_error());
    // SAFETY: no other value owns the handle.
    unsafe { OwnedHandle::from_raw_handle(handle) }
}

fn ends(process: &OwnedHandle, within: Duration) -> bool {
    // SAFETY: the handle is open.
    unsafe { WaitForSingleObject(process.as_raw_handle(), within.as_millis() as u32) == WAIT_OBJECT_0 }
}

#[test]
fn results() {
    let mut child = actor("count").start().unwrap();
    child.send(vec![b'x'; 1 << 20]);
    child.close();
    skip(&mut child);
    assert_eq!(child.line(Until::after(LONG)), Ok(Heard::Line(b"1048576".to_vec())));
    let exit = child.wait(Until::after(LONG)).unwrap();
    assert!(exit.status.success() && exit.wall > Duration::ZERO);
    let finished = actor("errors").run(Stdin::Empty, None).unwrap();
    assert_eq!(finished.exit.status.code(), Some(3));
    assert!(finished.stderr.bytes().ends_with(b"the end\n"));
    assert_eq!((finished.stderr.total(), crash(finished.exit.status)), ((1 << 20) + 8, None));
    let finished = actor("crash").run(Stdin::Empty, None).unwrap();
    assert_eq!(crash(finished.exit.status).as_deref(), Some("access violation (0xC0000005)"));
}

#[test]
fn a_worker_answers() {
    let mut worker = actor("echo").start().unwrap();
    skip(&mut worker);
    for question in 0..100 {
        let heard = worker.ask(&format!("question {question}"), Until::after(LONG)).unwrap();
        assert_eq!(heard, Heard::Line(format!("question {question}").into_bytes()));
    }
    assert_eq!(worker.line(Until::after(Duration::from_millis(50))), Err(Interruption::Late));
    worker.close();
    assert!(worker.wait(Until::after(LONG)).unwrap().status.success());
}

#[test]
fn limits_hold() {
    let long = Limits { wall: Some(LONG), ..Limits::default() };
    let run = |role, limits| actor(role).limits(limits).run(Stdin::Empty, None).unwrap().interruption;
    let wall = run("spin", Limits { wall: Some(Duration::from_millis(300)), ..Limits::default() });
    assert!(matches!(wall, Some(Interruption::Exceeded(Exceeded::Wall { .. }))), "{wall:?}");
    let cpu = run("spin", Limits { cpu: Some(Duration::from_millis(500)), ..long.clone() });
    assert!(matches!(cpu, Some(Interruption::Exceeded(Exceeded::Cpu { .. }))), "{cpu:?}");
    let memory = run("hog", Limits { memory: Some(200 << 20), ..long.clone() });
    assert!(matches!(memory, Some(Interruption::Exceeded(Exceeded::Memory { .. }))), "{memory:?}");
    let output = run("pour", Limits { stdout: Some(1 << 20), ..long });
    assert!(matches!(output, Some(Interruption::Exceeded(Exceeded::Stdout { .. }))), "{output:?}");
}

#[test]
fn descendants_end_with_the_program() {
    let mut child = actor("tree").start().unwrap();
    skip(&mut child);
    let mut process = || match child.line(Until::after(LONG)).unwrap() {
        Heard::Line(line) => process_of(&String::from_utf8(line).unwrap()),
        other => panic!("{other:?}"),
    };
    let processes = [process(), process()];
    assert!(processes.iter().all(|process| !ends(process, Duration::ZERO)));
    drop(child);
    assert!(processes.iter().all(|process| ends(process, LONG)));

    let start = Instant::now();
    assert!(actor("leave").run(Stdin::Empty, None).unwrap().success());
    assert!(start.elapsed() < LONG / 2, "its children have ended with it");
}

#[test]
fn nothing_survives_a_killed_parent() {
    let mut parent = actor_command("parent").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = io::BufReader::new(parent.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line == BEGIN).unwrap();
    let processes = [process_of(&lines.next().unwrap()), process_of(&lines.next().unwrap())];
    assert!(processes.iter().all(|process| !ends(process, Duration::ZERO)));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(processes.iter().all(|process| ends(process, LONG)));
}

#[test]
fn programs_that_cannot_be_started() {
    for name in ["./no-such-program", "no-such-program", r"C:\no\such\program.exe"] {
        match Program::new(name).start() {
            Err(StartError::Program(error)) => assert!(!hint(name, &error).is_empty(), "{name}: {error}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    // A program is found without its extension.
    let whole = env::current_exe().unwrap();
    let name = whole.with_extension("");
    assert!(Program::new(name).arg("--list").run(Stdin::Empty, None).unwrap().success());
}
