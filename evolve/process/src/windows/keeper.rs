//! A running program in its job.

use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::os::windows::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED, WaitForSingleObject,
};

use super::job::{Job, cpu_time};
use super::milliseconds;
use super::pipes::{self, Pipes};
use crate::ended::{Ended, Look};
use crate::limits::{Limits, Sample};

#[link(name = "ntdll", kind = "raw-dylib")]
unsafe extern "system" {
    /// Lets the threads of a process run: the standard library keeps the handle of the first one to itself.
    fn NtResumeProcess(process: HANDLE) -> i32;
}

/// For how long the rest of a job may take to end before others are served meanwhile.
const REST: Duration = Duration::from_millis(100);

/// A running program with all its descendants.
pub(crate) struct Keeper {
    program: Child,
    job: Job,
}

impl Keeper {
    /// Starts the program with this input, or with a pipe. It does not run before it is in its job.
    pub fn start(mut command: Command, stdin: Option<File>, limits: &Limits) -> io::Result<(Self, Pipes)> {
        never_ask();
        let job = Job::new(limits)?;
        let (pipes, theirs) = pipes::make(stdin.is_none())?;
        let [stdout, stderr] = theirs.output.map(Stdio::from);
        command.stdin(stdin.or(theirs.input).map_or_else(Stdio::null, Stdio::from)).stdout(stdout).stderr(stderr);
        // A console of its own, without a window: Ctrl-C and Ctrl-Break in ours are meant for this process alone.
        let program = command.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP).spawn()?;
        let mut keeper = Self { program, job };
        let process = keeper.process();
        let assigned = keeper.job.assign(process);
        // SAFETY: it is a handle that lives.
        let resumed = assigned.and_then(|()| match unsafe { NtResumeProcess(process) } {
            0.. => Ok(()),
            status => Err(io::Error::other(format!("it cannot be resumed: {status:#x}"))),
        });
        match resumed {
            Ok(()) => Ok((keeper, pipes)),
            Err(error) => {
                let _ = keeper.program.kill();
                Err(error)
            }
        }
    }

    /// Becomes ready when the program itself ends.
    pub(super) fn process(&self) -> HANDLE {
        self.program.as_raw_handle()
    }

    /// Looks whether the program has ended, and ends what it left. Does not wait, but for these.
    pub fn look(&mut self) -> Look {
        let status = match self.program.try_wait() {
            Ok(Some(status)) => status,
            Ok(None) => return Look::Running,
            Err(_) => return Look::Lost,
        };
        self.job.end();
        let start = Instant::now();
        while !self.job.is_over() {
            if start.elapsed() > REST {
                return Look::Running;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let Sample { cpu, memory, .. } = self.job.sample();
        let cpu = cpu.max(cpu_time(self.process()));
        Look::Ended(Ended { status, cpu, memory })
    }

    /// Waits until the program has ended, or for so long.
    pub fn wait(&self, wait: Duration) {
        // SAFETY: it is a handle that lives.
        unsafe { WaitForSingleObject(self.process(), milliseconds(wait)) };
    }

    /// Ends all processes of the job.
    pub fn end(&self) {
        self.job.end();
    }

    /// The same once more.
    pub fn insist(&self) {
        self.job.end();
    }

    /// Resource use of the program's processes.
    pub fn sample(&mut self, _: Option<u64>) -> Option<Sample> {
        Some(self.job.sample())
    }

    /// Each program has a job of its own.
    pub fn rest(self, _: Duration) {}

    /// Closing the job ends what is left in it.
    pub fn bury(self) {}
}

/// Has no window ask about missing libraries and the like, here and in all programs: they fail instead.
fn never_ask() {
    static ONCE: Once = Once::new();
    // SAFETY: it touches no memory.
    ONCE.call_once(|| unsafe {
        SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    });
}
