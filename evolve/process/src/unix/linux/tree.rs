//! Linux: the descendants of a process, from `/proc`.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Pid, Signal, kill_process};

use crate::limits::Sample;

/// Samples all processes below the supervisor. Shared pages count in each process, unless the sum
/// exceeds `limit`: they are then divided among the processes that share them, which takes longer
/// to compute. The CPU time includes earlier programs.
pub(crate) fn sample(supervisor: u32, limit: Option<u64>) -> Sample {
    let processes = descendants(supervisor);
    let stats: Vec<_> = processes.iter().filter_map(|&process| Stat::of(process)).collect();
    // The supervisor is not part of the program, but it waits for orphans of the program.
    let waited = Stat::of(supervisor).map_or(0, |stat| stat.ticks_of_children);
    let ticks = waited + stats.iter().map(|stat| stat.ticks + stat.ticks_of_children).sum::<u64>();
    let mut memory = stats.iter().map(|stat| stat.pages).sum::<u64>() * page_size() as u64;
    if limit.is_some_and(|limit| memory > limit) && stats.len() > 1 {
        memory = processes.iter().map(|&process| share(process)).sum();
    }
    Sample { memory, cpu: Duration::from_micros(ticks.saturating_mul(1_000_000) / clock_ticks_per_second().max(1)) }
}

/// Kills all processes below the supervisor that it finds, children after their parents.
pub(crate) fn kill(supervisor: u32) {
    for process in descendants(supervisor) {
        if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Returns all processes below this one, children after their parents.
fn descendants(root: u32) -> Vec<u32> {
    let mut found = Vec::new();
    if children(root, &mut found).is_none() {
        // The kernel has no lists of children.
        return search(root);
    }
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        // `None` if the process has ended meanwhile; its children then have a new parent, further
        // up.
        children(process, &mut found);
        next += 1;
    }
    // A process that moved up meanwhile may appear twice.
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|&process| seen.insert(process));
    found
}

/// Adds the children of a process. Each thread lists the children that it started.
fn children(process: u32, into: &mut Vec<u32>) -> Option<()> {
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let list = fs::read_to_string(thread.ok()?.path().join("children")).ok()?;
        into.extend(list.split_ascii_whitespace().filter_map(|number| number.parse::<u32>().ok()));
    }
    Some(())
}

/// Returns the same as [`descendants`], from the parents of all processes.
fn search(root: u32) -> Vec<u32> {
    let mut children = BTreeMap::<u32, Vec<u32>>::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
        if let Some((process, stat)) = number.and_then(|process| Some((process, Stat::of(process)?))) {
            children.entry(stat.parent).or_default().push(process);
        }
    }
    let mut found = children.remove(&root).unwrap_or_default();
    let mut next = 0;
    while let Some(process) = found.get(next) {
        found.extend(children.remove(process).unwrap_or_default());
        next += 1;
    }
    found
}

/// Selected fields of `/proc/PID/stat`.
struct Stat {
    parent: u32,
    ticks: u64,
    /// The ticks of children that were waited for.
    ticks_of_children: u64,
    /// The number of resident pages.
    pages: u64,
}

impl Stat {
    fn of(process: u32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{process}/stat")).ok()?;
        // The name may contain any character; the last parenthesis ends it.
        let name_end = stat.iter().rposition(|&byte| byte == b')')?;
        let text = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        // Fields are numbered as in proc(5), where the first one here is field 3.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Self {
            parent: u32::try_from(field(4)?).ok()?,
            ticks: field(14)? + field(15)?,
            ticks_of_children: field(16)? + field(17)?,
            pages: field(24)?,
        })
    }
}

/// Returns the resident memory of a process in bytes, with shared pages divided by the number of
/// processes that share them.
fn share(process: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::process::{self, Command, Stdio};

    #[test]
    fn a_tree_is_found_in_two_ways() {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "sh -c 'sleep 100000 & sleep 100000 & echo; wait' & wait"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
        let (mut listed, mut searched) = (descendants(child.id()), search(child.id()));
        listed.sort_unstable();
        searched.sort_unstable();
        assert_eq!(listed.len(), 3);
        assert_eq!(listed, searched);
        let sample = sample(child.id(), None);
        assert!(sample.memory > 0);
        assert!(listed.iter().map(|&process| share(process)).sum::<u64>() < sample.memory);
        kill(child.id());
        child.wait().unwrap();
        assert!(Stat::of(process::id()).unwrap().pages > 0);
    }
}
