//! Tests of programs that try to hang or to survive their parent.
//!
//! This test is also the hostile program: it starts itself again with [`ROLE`] set. All processes
//! of a test inherit a [`TAG`], which identifies survivors.
#![cfg(target_os = "linux")]
#![allow(clippy::zombie_processes, reason = "hostile programs care for nobody")]

use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use evolve_process::{Exceeded, Finished, Heard, Interruption, Limits, Program, StartError, Stdin, Until};

const ROLE: &str = "HOSTILE_ROLE";
const TAG: &str = "HOSTILE_TAG";

/// Longer than any test takes; a call that does not return within it hangs.
const LONG: Duration = Duration::from_secs(600);

/// Not a test, but the code of the hostile programs.
#[test]
fn act() {
    let Ok(role) = env::var(ROLE) else { return };
    match role.as_str() {
        "flood stdout" => flood(&mut std::io::stdout()),
        "flood stderr" => flood(&mut std::io::stderr()),
        "no newline" => loop {
            let _ = std::io::stdout().write_all(&[b'x'; 100]);
        },
        "silence" => sleep(),
        "fork bomb" => {
            // Each process starts two, and the youngest generation sleeps.
            let depth: u32 = env::var("DEPTH").map_or(0, |depth| depth.parse().unwrap());
            if depth < 4 {
                for _ in 0..2 {
                    again("fork bomb").env("DEPTH", (depth + 1).to_string()).process_group(0).spawn().unwrap();
                }
            }
            sleep();
        }
        "setsid" => {
            spawn_session("silence");
            sleep();
        }
        "double fork" => {
            spawn_session("orphan");
            process::exit(0);
        }
        "daemon" => {
            spawn_session("orphan");
            sleep();
        }
        "orphan" => {
            spawn_session("deaf");
            process::exit(0);
        }
        "deaf" => {
            for signal in 1..32 {
                // SAFETY: a plain system call.
                unsafe { libc::signal(signal, libc::SIG_IGN) };
            }
            sleep();
        }
        "memory" => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(black_box(vec![1_u8; 1 << 20]));
                thread::sleep(Duration::from_millis(1));
            }
        }
        "shared memory" => {
            for _ in 0..3 {
                again("hoard").spawn().unwrap();
            }
            sleep();
        }
        "hoard" => {
            let hoard = black_box(vec![1_u8; 64 << 20]);
            sleep();
            drop(hoard);
        }
        "descriptors" => {
            let mut files = Vec::new();
            while let Ok(file) = File::open("/dev/null") {
                files.push(file);
            }
            sleep();
        }
        "join the parent's group" => {
            // SAFETY: plain system calls.
            unsafe {
                let parent = parent_of(libc::getppid());
                for process in [libc::getppid(), parent] {
                    libc::setpgid(0, libc::getpgid(process));
                }
            }
            spin();
        }
        "stop the supervisor" | "kill the supervisor" => {
            // Not the supervisor's parent, which is this test: an old kernel would allow that
            // signal.
            let signal = if role.starts_with("stop") { libc::SIGSTOP } else { libc::SIGKILL };
            // SAFETY: plain system calls.
            unsafe { libc::kill(libc::getppid(), signal) };
            spin();
        }
        "hold the pipes" => {
            again("deaf").process_group(0).spawn().unwrap();
            process::exit(0);
        }
        "close stdout" => {
            // SAFETY: this process no longer writes there.
            unsafe { libc::close(1) };
            sleep();
        }
        "judge" => {
            // The thread that starts the child ends, which must not end the child.
            let child = thread::spawn(|| program("daemon").start().unwrap()).join().unwrap();
            thread::sleep(Duration::from_millis(100));
            announce();
            sleep();
            drop(child);
        }
        _ => panic!("{role}"),
    }
}

/// Returns the command that plays a role, with the same pipes.
fn again(role: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "act", "--nocapture"]).env(ROLE, role);
    command
}

fn spawn_session(role: &str) {
    let mut command = again(role);
    // SAFETY: a plain system call.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        });
    }
    command.spawn().unwrap();
}

fn announce() {
    let _ = writeln!(std::io::stdout(), "ready");
}

fn sleep() {
    thread::sleep(Duration::from_secs(100_000));
}

fn spin() -> ! {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(100_000) {
        black_box(start);
    }
    process::exit(0);
}

fn flood(stream: &mut impl std::io::Write) -> ! {
    loop {
        let _ = stream.write_all(b"a line without meaning\n");
    }
}

fn parent_of(process: i32) -> i32 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().parse().unwrap()
}

/// Returns the program that plays a role.
fn program(role: &str) -> Program {
    let command = again(role);
    let words = [command.get_program()].into_iter().chain(command.get_args());
    Program::from_command(words).env(ROLE, role)
}

/// The unique tag of a test.
struct Tag(String);

impl Tag {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Tag(format!("{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    fn program(&self, role: &str) -> Program {
        program(role).env(TAG, &self.0)
    }

    /// Returns the living processes with the tag. Supervisors have none.
    fn processes(&self) -> Vec<i32> {
        let tag = format!("{TAG}={}\0", self.0).into_bytes();
        let numbers = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let tagged = |process: &i32| {
            let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            environment.windows(tag.len()).any(|window| window == tag)
        };
        numbers.filter(tagged).collect()
    }

    fn wait_for(&self, count: usize) {
        let start = Instant::now();
        while self.processes().len() != count {
            assert!(start.elapsed() < LONG, "{:?} instead of {count}", self.processes());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Runs the program within the limits, and checks that nothing of it survives.
fn run(role: &str, limits: Limits) -> Finished {
    let (tag, start) = (Tag::new(), Instant::now());
    let finished = tag.program(role).limits(limits).run(Stdin::Empty, None).unwrap();
    assert!(start.elapsed() < LONG, "{role}");
    assert_eq!(tag.processes(), [], "{role}");
    finished
}

fn wall() -> Limits {
    Limits { wall: Some(Duration::from_millis(500)), ..Limits::default() }
}

#[test]
fn whatever_a_program_does_it_ends_in_time() {
    let roles = [
        "flood stdout",
        "flood stderr",
        "no newline",
        "silence",
        "fork bomb",
        "setsid",
        "daemon",
        "deaf",
        "descriptors",
        "join the parent's group",
        "stop the supervisor",
        "close stdout",
    ];
    for role in roles {
        let finished = run(role, wall());
        let interruption = finished.interruption;
        assert!(matches!(interruption, Some(Interruption::Exceeded(Exceeded::Wall { .. }))), "{role}: {finished:?}");
    }
}

#[test]
fn a_killed_supervisor_takes_the_program_with_it() {
    // If the kernel can confine them, the program's signals do not even reach the supervisor.
    let tag = Tag::new();
    let finished = tag.program("kill the supervisor").limits(wall()).run(Stdin::Empty, None).unwrap();
    assert!(!finished.success(), "{finished:?}");
    tag.wait_for(0);
}

#[test]
fn descendants_end_with_the_program() {
    for role in ["double fork", "hold the pipes"] {
        let finished = run(role, Limits::default());
        assert!(finished.success(), "{role}: {finished:?}");
    }
}

#[test]
fn memory_is_limited() {
    let limit = 100 << 20;
    for role in ["memory", "shared memory"] {
        let finished = run(role, Limits { memory: Some(limit), ..Limits::default() });
        let Some(Interruption::Exceeded(Exceeded::Memory { used, .. })) = finished.interruption else {
            panic!("{role}: {finished:?}");
        };
        assert!(used > limit && finished.exit.memory >= used, "{role}: {finished:?}");
    }
}

#[test]
fn a_dialogue_ends_in_time() {
    let roles = [("silence", false), ("flood stderr", false), ("no newline", true), ("daemon", false)];
    for (role, long) in roles {
        let tag = Tag::new();
        let mut child = tag.program(role).longest_line(10_000).start().unwrap();
        let start = Instant::now();
        loop {
            // A line that is too long arrives at some time; of the others, none arrives however
            // long this waits.
            match child.line(Until::after(if long { LONG } else { Duration::from_millis(300) })) {
                // The test harness itself prints some lines.
                Ok(Heard::Line(_)) => {}
                Ok(heard) => break assert!(heard == Heard::TooLong && long, "{role}: {heard:?}"),
                Err(interruption) => break assert!(interruption == Interruption::Late && !long, "{role}"),
            }
        }
        child.end();
        assert!(start.elapsed() < LONG);
        assert_eq!(tag.processes(), [], "{role}");
    }
}

#[test]
fn a_dropped_child_ends() {
    let tag = Tag::new();
    let child = tag.program("daemon").start().unwrap();
    // The daemon has left its session, and its parent has ended.
    tag.wait_for(2);
    drop(child);
    assert_eq!(tag.processes(), []);
}

#[test]
fn whatever_ends_the_parent_ends_its_children() {
    for signal in [libc::SIGKILL, libc::SIGHUP, libc::SIGQUIT, libc::SIGTERM, libc::SIGINT] {
        let tag = Tag::new();
        let mut judge = again("judge");
        judge.env(TAG, &tag.0).stdout(Stdio::piped());
        // Under `nohup`, the test would pass on that SIGHUP is ignored.
        // SAFETY: a plain system call.
        unsafe {
            judge.pre_exec(move || {
                libc::signal(signal, libc::SIG_DFL);
                Ok(())
            })
        };
        let mut judge = judge.spawn().unwrap();
        let mut text = String::new();
        let mut stdout = judge.stdout.take().unwrap();
        while !text.contains("ready") {
            let mut bytes = [0; 100];
            let count = stdout.read(&mut bytes).unwrap();
            assert!(count > 0);
            text += &String::from_utf8_lossy(&bytes[..count]);
        }
        // The four processes are the judge, its supervisor (a fork), the program and its daemon.
        tag.wait_for(4);
        // SAFETY: a plain system call.
        unsafe { libc::kill(judge.id() as i32, signal) };
        judge.wait().unwrap();
        tag.wait_for(0);
    }
}

#[test]
fn a_shortage_is_not_the_programs_fault() {
    if env::var(ROLE).is_err() {
        // Run in a separate process, because other tests need descriptors.
        let status = Command::new(env::current_exe().unwrap())
            .args(["--exact", "a_shortage_is_not_the_programs_fault"])
            .env(ROLE, "shortage")
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
        return;
    }
    // SAFETY: plain system calls.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur = 64;
        libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
    }
    let mut children = Vec::new();
    let error = loop {
        match Program::new("/bin/cat").start() {
            Ok(child) => children.push(child),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StartError::Shortage(_)), "{error:?}");
    assert!(children.len() > 5);
    children.pop();
    Program::new("/bin/cat").start().unwrap();
}
