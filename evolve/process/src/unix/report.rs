//! The report of a supervisor on a program that has ended.

/// The supervisor's final report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    /// The status as reported by `waitpid`.
    pub status: i32,
    /// The CPU time in microseconds.
    pub cpu: u64,
    /// The peak resident memory of the largest process in bytes; 0 if unknown.
    pub memory: u64,
}

impl Report {
    pub const BYTES: usize = 24;

    /// Returns the report of a killed program, which holds until the status is known.
    pub fn killed() -> Self {
        Self { status: libc::SIGKILL, ..Self::default() }
    }

    /// Adds the use of a process that was waited for.
    pub fn add(&mut self, usage: &libc::rusage) {
        let micros =
            |time: libc::timeval| (time.tv_sec as u64).wrapping_mul(1_000_000).wrapping_add(time.tv_usec as u64);
        self.cpu = self.cpu.wrapping_add(micros(usage.ru_utime)).wrapping_add(micros(usage.ru_stime));
        self.memory = self.memory.max(memory(usage));
    }

    /// Removes the memory that a fork shares with its original, which counts until its `exec`.
    pub fn discount(&mut self, own: &libc::rusage) {
        if self.memory <= memory(own) {
            self.memory = 0;
        }
    }

    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.status.to_ne_bytes());
        bytes[8..16].copy_from_slice(&self.cpu.to_ne_bytes());
        bytes[16..].copy_from_slice(&self.memory.to_ne_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| u64::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let status = i32::from_ne_bytes(std::array::from_fn(|i| bytes[i]));
        Self { status, cpu: word(8), memory: word(16) }
    }
}

/// Returns the peak resident memory in bytes.
fn memory(usage: &libc::rusage) -> u64 {
    (usage.ru_maxrss as u64).wrapping_mul(if cfg!(target_vendor = "apple") { 1 } else { 1 << 10 })
}
