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
    /// Resumes all threads of a process; the standard library does not expose the handle of the
    /// first thread.
    fn NtResumeProcess(process: HANDLE) -> i32;
}

/// The time to wait for the rest of a job to end before returning.
const REST: Duration = Duration::from_millis(100);

/// A running program with all its descendants.
pub(crate) struct Keeper {
    program: Child,
    job: Job,
}

impl Keeper {
    /// Starts the program with this file as its input, or with a pipe. The program is in its job
    /// before it runs.
    pub fn start(mut command: Command, stdin: Option<File>, limits: &Limits) -> io::Result<(Self, Pipes)> {
        never_ask();
        let job = Job::new(limits)?;
        let (pipes, theirs) = pipes::make(stdin.is_none())?;
        let [stdout, stderr] = theirs.output.map(Stdio::from);
        command.stdin(stdin.or(theirs.input).map_or_else(Stdio::null, Stdio::from)).stdout(stdout).stderr(stderr);
        // The program gets its own console without a window, so that Ctrl-C and Ctrl-Break reach
        // only this process.
        let program = command.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP).spawn()?;
        let mut keeper = Self { program, job };
        let process = keeper.process();
        let assigned = keeper.job.assign(process);
        // SAFETY: the handle is open.
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

    /// Returns a handle that is signaled when the program itself ends.
    pub(super) fn process(&self) -> HANDLE {
        self.program.as_raw_handle()
    }

    /// Checks whether the program has ended, and ends its descendants. Waits only for these.
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

    /// Waits until the program has ended, or `wait` has passed.
    pub fn wait(&self, wait: Duration) {
        // SAFETY: the handle is open.
        unsafe { WaitForSingleObject(self.process(), milliseconds(wait)) };
    }

    /// Ends all processes of the job.
    pub fn end(&self) {
        self.job.end();
    }

    /// Ends the processes again.
    pub fn insist(&self) {
        self.job.end();
    }

    /// Returns the resource use of the program's processes.
    pub fn sample(&mut self, _: Option<u64>) -> Option<Sample> {
        Some(self.job.sample())
    }

    /// Does nothing, because each program has its own job.
    pub fn rest(self, _: Duration) {}

    /// Drops the job, which ends its remaining processes.
    pub fn bury(self) {}
}

/// Disables windows that ask about missing libraries and the like, here and in all programs, which
/// then fail instead.
fn never_ask() {
    static ONCE: Once = Once::new();
    // SAFETY: the call touches no memory.
    ONCE.call_once(|| unsafe {
        SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    });
}
