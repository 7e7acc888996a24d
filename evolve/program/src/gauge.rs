//! Quantities of a trial that the supervisor measures.

use evolve_process::Exit;

/// A quantity that the supervisor measures for each trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gauge {
    /// CPU seconds.
    Time,
    /// Wall-clock seconds.
    Wall,
    /// Peak resident memory in MiB.
    Memory,
}

impl Gauge {
    pub const ALL: [Gauge; 3] = [Gauge::Time, Gauge::Wall, Gauge::Memory];

    /// Returns its name in jobs.
    pub fn name(self) -> &'static str {
        match self {
            Gauge::Time => "time",
            Gauge::Wall => "wall",
            Gauge::Memory => "memory",
        }
    }

    pub fn unit(self) -> &'static str {
        if self == Gauge::Memory { "MiB" } else { "s" }
    }

    /// Returns the value for a program that has ended.
    pub fn of(self, exit: &Exit) -> f64 {
        const MIB: f64 = 1_048_576.0;
        match self {
            Gauge::Time => exit.cpu.as_secs_f64(),
            Gauge::Wall => exit.wall.as_secs_f64(),
            Gauge::Memory => exit.memory as f64 / MIB,
        }
    }
}
