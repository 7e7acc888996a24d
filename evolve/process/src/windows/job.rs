//! Job objects, which contain a program and all its descendants.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::ptr;
use std::time::Duration;

use windows_sys::Win32::Foundation::{FILETIME, HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatus};
use windows_sys::Win32::System::JobObjects::*;
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION};

use super::check;
use crate::limits::{Limits, Sample};

/// The CPU time beyond the limit after which the system itself ends a job; usually a sample finds
/// the excess earlier.
const LATE: Duration = Duration::from_millis(100);

/// The system's message for a refused allocation, `JOB_OBJECT_MSG_JOB_MEMORY_LIMIT`.
const REFUSED: u32 = 10;

/// The largest number of processes in a sample.
const MOST: usize = 1024;

/// A job object. Closing it, as the system does when this process ends for any reason, ends all its
/// processes.
pub(super) struct Job {
    job: OwnedHandle,
    /// The port that receives messages about exceeded limits.
    port: OwnedHandle,
    /// The memory limit in bytes; the next field is true if an allocation beyond it was refused.
    memory: Option<u64>,
    refused: bool,
    /// The maximum over all samples.
    most: Sample,
}

impl Job {
    /// Creates a job without processes. The system also enforces the limits: allocations beyond the
    /// memory limit fail, and excessive CPU time ends the job.
    pub fn new(limits: &Limits) -> io::Result<Self> {
        // SAFETY: both calls return new handles, or none.
        let (job, port) = unsafe {
            let job = CreateJobObjectW(ptr::null(), ptr::null());
            (owned(job)?, owned(CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1))?)
        };
        let job = Self { job, port, memory: limits.memory, refused: false, most: Sample::default() };
        // SAFETY: the structure holds only numbers, for which 0 is valid.
        let mut extended: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
        // A crash exits like any failure, without a window that waits for a click.
        let mut flags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        if let Some(memory) = limits.memory {
            flags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            extended.JobMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
        }
        if let Some(cpu) = limits.cpu {
            flags |= JOB_OBJECT_LIMIT_JOB_TIME;
            let hundreds = (cpu + LATE).as_nanos() / 100;
            extended.BasicLimitInformation.PerJobUserTimeLimit = i64::try_from(hundreds).unwrap_or(i64::MAX);
        }
        extended.BasicLimitInformation.LimitFlags = flags;
        job.set(JobObjectExtendedLimitInformation, &extended)?;
        let port = JOBOBJECT_ASSOCIATE_COMPLETION_PORT {
            CompletionKey: ptr::null_mut(),
            CompletionPort: job.port.as_raw_handle(),
        };
        job.set(JobObjectAssociateCompletionPortInformation, &port)?;
        Ok(job)
    }

    /// Adds a process that has not started to run.
    pub fn assign(&self, process: HANDLE) -> io::Result<()> {
        // SAFETY: both handles are open.
        check(unsafe { AssignProcessToJobObject(self.job.as_raw_handle(), process) })
    }

    /// Ends all processes.
    pub fn end(&self) {
        // SAFETY: the handle is open.
        unsafe { TerminateJobObject(self.job.as_raw_handle(), super::meaning::KILLED) };
    }

    /// Returns whether all processes have ended.
    pub fn is_over(&self) -> bool {
        self.accounting().is_none_or(|accounting| accounting.ActiveProcesses == 0)
    }

    /// Samples the resource use, from the accounting of the job and from its processes.
    pub fn sample(&mut self) -> Sample {
        self.hear();
        let processes = self.processes();
        let (mut memory, mut cpu) = (0, Duration::ZERO);
        for &process in processes.iter().take(MOST) {
            // SAFETY: the call returns a new handle, or none if the process has ended.
            let process = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process as u32) };
            let Ok(process) = owned(process) else { continue };
            memory += private_memory(process.as_raw_handle());
            cpu += cpu_time(process.as_raw_handle());
        }
        if let Some(accounting) = self.accounting() {
            cpu = cpu.max(hundreds(accounting.TotalUserTime) + hundreds(accounting.TotalKernelTime));
        }
        // SAFETY: the structure holds only numbers, for which 0 is valid.
        let mut extended: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
        if self.query(JobObjectExtendedLimitInformation, &mut extended).is_ok() {
            memory = memory.max(extended.PeakJobMemoryUsed as u64);
        }
        if let Some(limit) = self.memory.filter(|_| self.refused) {
            // Report the refused allocation as an excess.
            memory = memory.max(limit.saturating_add(1));
        }
        self.most = Sample { memory: memory.max(self.most.memory), cpu: cpu.max(self.most.cpu) };
        self.most
    }

    /// Receives pending messages about the job.
    fn hear(&mut self) {
        let (mut message, mut key, mut about) = (0, 0, ptr::null_mut());
        // SAFETY: the pointers refer to values of the right types; the call does not wait.
        while unsafe {
            GetQueuedCompletionStatus(self.port.as_raw_handle(), &mut message, &mut key, &mut about, 0) != 0
        } {
            self.refused |= message == REFUSED;
        }
    }

    fn accounting(&self) -> Option<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> {
        // SAFETY: the structure holds only numbers, for which 0 is valid.
        let mut accounting: JOBOBJECT_BASIC_ACCOUNTING_INFORMATION = unsafe { zeroed() };
        self.query(JobObjectBasicAccountingInformation, &mut accounting).ok().map(|()| accounting)
    }

    /// Returns the identifiers of its processes.
    fn processes(&self) -> Vec<usize> {
        /// The layout of the system's list: the number of processes, the number of listed
        /// processes, and their identifiers.
        #[repr(C)]
        struct List {
            all: u32,
            listed: u32,
            numbers: [usize; MOST],
        }
        let mut list = Box::new(List { all: 0, listed: 0, numbers: [0; MOST] });
        // If there are more, the call fails, but lists as many as fit.
        let _ = self.query(JobObjectBasicProcessIdList, &mut *list);
        let listed = list.numbers[..(list.listed as usize).min(MOST)].iter().copied();
        let more = (list.all as usize).saturating_sub(list.listed as usize);
        listed.chain(std::iter::repeat_n(0, more)).collect()
    }

    fn set<T>(&self, class: JOBOBJECTINFOCLASS, value: &T) -> io::Result<()> {
        // SAFETY: the structure belongs to the class and has this size.
        check(unsafe {
            SetInformationJobObject(self.job.as_raw_handle(), class, ptr::from_ref(value).cast(), size_of::<T>() as u32)
        })
    }

    fn query<T>(&self, class: JOBOBJECTINFOCLASS, value: &mut T) -> io::Result<()> {
        let (place, size) = (ptr::from_mut(value).cast(), size_of::<T>() as u32);
        // SAFETY: the structure belongs to the class and has this size.
        check(unsafe { QueryInformationJobObject(self.job.as_raw_handle(), class, place, size, ptr::null_mut()) })
    }
}

/// Takes ownership of a new handle.
pub(super) fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the caller keeps no copy of the handle.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Returns the CPU time of a process, user and system.
pub(super) fn cpu_time(process: HANDLE) -> Duration {
    let [mut made, mut ended, mut system, mut user] = [FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 }; 4];
    // SAFETY: the pointers refer to values of that type.
    unsafe { GetProcessTimes(process, &mut made, &mut ended, &mut system, &mut user) };
    let time = |time: FILETIME| (i64::from(time.dwHighDateTime) << 32) | i64::from(time.dwLowDateTime);
    hundreds(time(user)) + hundreds(time(system))
}

/// Returns the private memory of a process in bytes, which the system counts against the limit.
fn private_memory(process: HANDLE) -> u64 {
    // SAFETY: the structure holds only numbers, for which 0 is valid, and has this size.
    unsafe {
        let mut counters: PROCESS_MEMORY_COUNTERS = zeroed();
        GetProcessMemoryInfo(process, &mut counters, size_of::<PROCESS_MEMORY_COUNTERS>() as u32);
        counters.PagefileUsage as u64
    }
}

/// Converts a time in hundreds of nanoseconds.
fn hundreds(time: i64) -> Duration {
    Duration::from_nanos(u64::try_from(time).unwrap_or(0).saturating_mul(100))
}
