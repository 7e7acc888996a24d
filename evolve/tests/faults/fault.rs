//! A fault at one call of an operation, what must hold after it, and what came of it.

use crate::operation::{CHECKPOINT, Files, Operation, files, saved, shown};
use crate::short;
use crate::trace::{self, Call, Traced, plain};
use std::fmt;
use std::path::{Path, PathBuf};

/// What befalls a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The process is killed there.
    Kill,
    /// The call fails with this error: once, or from there on.
    Error(&'static str, bool),
    /// A write takes half of the bytes: once, or from there on.
    Short(bool),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Kill => write!(f, "kill"),
            Fault::Error(error, once) => write!(f, "{error}{}", if *once { " once" } else { " from there on" }),
            Fault::Short(once) => write!(f, "short write{}", if *once { "" } else { "s from there on" }),
        }
    }
}

/// How often a call is waited for. What is dear is saved every second, so that on a slow machine calls may be others.
const ATTEMPTS: usize = 20;

const ERRORS: [&str; 6] = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EMFILE", "EINTR"];

/// The faults to try at a call: calls that only look neither change anything, nor can they run out of space.
pub fn faults(operation: &Operation, call: &Call) -> Vec<Fault> {
    if operation.is_threaded() && !stable(call).is_some_and(|file| is_of_programs(file)) {
        return Vec::new();
    }
    let errors: &[&str] = if call.changes() { &ERRORS } else { &ERRORS[..1] };
    let mut faults: Vec<Fault> =
        errors.iter().flat_map(|error| [true, false].map(|once| Fault::Error(error, once))).collect();
    if call.changes() {
        faults.push(Fault::Kill);
    }
    if call.name == "write" {
        faults.extend([Fault::Short(true), Fault::Short(false)]);
    }
    faults
}

/// What came of a fault. Whichever it was, the operation done again gave what it gives undisturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The process was killed.
    Killed,
    /// It ended with a message that names the file.
    Told,
    /// It ended, and standard error, to which it wrote why, failed as well.
    Mute,
    /// It came to its end, and everything is there.
    Unharmed,
    /// It came to its end, with a note on what is missing.
    Noted,
}

/// Tries a fault at a call of an operation.
///
/// # Errors
/// What did not hold.
pub fn try_at(operation: &Operation, call: &Call, fault: Fault) -> Result<Outcome, String> {
    let attempt = |_| {
        let folder = operation.folder();
        with(folder.path(), operation, call, fault).map(|traced| (folder, traced))
    };
    let met = (0..ATTEMPTS).find_map(attempt);
    let (folder, traced) = met.ok_or("the fault did not come to this call")?;
    let outcome = told(operation, &traced, call, fault, &files(folder.path()))?;
    let done = operation.calls.iter().take_while(|other| !is_same(other, call));
    let done = done.filter(|call| call.name.starts_with("rename") && is_checkpoint(call)).count();
    is_kept(operation, folder.path(), done)?;
    recovers(operation, folder.path())?;
    Ok(outcome)
}

fn is_same(one: &Call, other: &Call) -> bool {
    (one.thread, &one.name, one.number) == (other.thread, &other.name, other.number)
}

pub fn is_checkpoint(call: &Call) -> bool {
    call.files.iter().any(|file| file == Path::new(CHECKPOINT))
}

/// Whether only programs have a file. Others are met in operations on games, whose trials start no processes.
fn is_of_programs(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    is_extra(file) || ["trials.csv", "trial-times.csv", "inputs.txt", "solver.sh"].contains(&&*name)
}

/// The file of a call whose name is the same each time.
fn stable(call: &Call) -> Option<&PathBuf> {
    call.files.last().filter(|file| shown(file) == **file && !file.as_os_str().is_empty())
}

/// Has the operation meet the fault, if it comes to the call.
fn with(folder: &Path, operation: &Operation, call: &Call, fault: Fault) -> Option<Traced> {
    let is_alike = |other: &&Call| other.thread == call.thread && other.name == call.name;
    let mut options = Vec::new();
    let mut number = call.number;
    // `strace` counts the calls of each thread by itself. So that it is one call that fails, only those on its file count
    // where there are several threads.
    if operation.is_threaded() && !matches!(fault, Fault::Short(_)) {
        let path = stable(call)?;
        for path in [&folder.join(path), path] {
            options.extend(["-P".to_string(), path.display().to_string()]);
        }
        let alike = operation.calls.iter().filter(is_alike).filter(|other| other.files.contains(path));
        number = 1 + alike.take_while(|other| other.number < call.number).count();
    }
    let mut inject = |what: String| options.extend(["-e".to_string(), format!("inject={}:{what}", call.name)]);
    match fault {
        Fault::Kill => inject(format!("signal=KILL:when={number}")),
        Fault::Error(error, true) => inject(format!("error={error}:when={number}")),
        // Whoever is interrupted tries again: for ever, where it never ends.
        Fault::Error("EINTR", false) => inject(format!("error=EINTR:when={number}..{}", number + 9)),
        Fault::Error(error, false) => inject(format!("error={error}:when={number}+")),
        Fault::Short(once) => {
            let writes = operation.calls.iter().filter(|other| other.name == "write");
            let write = 1 + writes.take_while(|other| !is_same(other, call)).count();
            options.extend(short::options(write, if once { write } else { usize::MAX }));
        }
    }
    let traced = trace::run(folder, operation.args, &options);
    let wanted = |other: &&Call| is_alike(other) && other.number == number && names(other) == names(call);
    let hit = |other: &Call| match fault {
        Fault::Kill => other.result.is_none(),
        Fault::Error(..) => other.is_injected,
        // Times that are written may be a digit longer or shorter.
        Fault::Short(_) => other.result.is_some_and(|count| count as usize <= call.texts[0].len() / 2 + 3),
    };
    traced.calls.iter().find(wanted).is_some_and(hit).then_some(traced)
}

/// The files of a call under the names that they keep.
fn names(call: &Call) -> Vec<PathBuf> {
    call.files.iter().map(|file| shown(file)).collect()
}

/// What the process told of the fault.
fn told(operation: &Operation, traced: &Traced, call: &Call, fault: Fault, now: &Files) -> Result<Outcome, String> {
    let stderr = String::from_utf8_lossy(&traced.output.stderr);
    let says = |path: &Path| stderr.contains(&*path.to_string_lossy());
    let names = |file: &PathBuf| {
        let whole = shown(file);
        let unfinished = whole.with_file_name(format!(".{}.", whole.file_name().unwrap_or_default().to_string_lossy()));
        // Of what is kept of a trial, its folder tells.
        let folder = file.parent().filter(|_| is_extra(file));
        // A folder is synced when a file in it was written, which is told.
        says(&whole) || says(&unfinished) || folder.is_some_and(says)
    };
    // From there on, others fail as well, and any of them may end it.
    let is_lasting = matches!(fault, Fault::Error(_, false));
    let is_named = match is_lasting {
        true => {
            operation.calls.iter().filter(|other| other.name == call.name).flat_map(|other| &other.files).any(names)
        }
        false => call.files.iter().any(names),
    };
    let is_mute = call.name == "write" && is_lasting && !stderr.contains("error: ");
    let status = traced.output.status.code();
    match status {
        _ if fault == Fault::Kill => match status {
            Some(137) | None => Ok(Outcome::Killed),
            _ => Err(format!("it was not killed: {status:?}")),
        },
        Some(status) if status == operation.status && !stderr.contains("error: ") => {
            match differences(operation, now) {
                None => Ok(Outcome::Unharmed),
                Some(_) if is_named => Ok(Outcome::Noted),
                Some(_) if is_mute => Ok(Outcome::Mute),
                Some(what) => Err(format!("it ended well, although {what}; it said: {stderr}")),
            }
        }
        Some(1 | 2) if is_named && stderr.contains("error: ") => Ok(Outcome::Told),
        Some(1 | 2) if is_mute => Ok(Outcome::Mute),
        _ => Err(format!("it ended with {status:?} and said: {stderr}")),
    }
}

/// What was saved by then is there: the checkpoint is no older than the last of so many, and files that are replaced are
/// the old ones or the new ones.
pub fn is_kept(operation: &Operation, folder: &Path, checkpoints: usize) -> Result<(), String> {
    let before = operation.before();
    let least = checkpoints + usize::from(before.contains_key(Path::new(CHECKPOINT)));
    if least > 0 && !operation.saved.is_empty() {
        let state = saved(&folder.join(CHECKPOINT)).ok_or("there is no checkpoint any more")?;
        let last = operation.saved.iter().rposition(|other| *other == state);
        // On a slow machine, there may be others in between.
        let is_new = match last {
            Some(last) => last + 1 >= least,
            None => state.games >= operation.saved[least - 1].games,
        };
        if !is_new {
            return Err(format!("the checkpoint is {state:?}, but {:?} was saved", operation.saved[least - 1]));
        }
    }
    let now = files(folder);
    let is_table = |path: &Path| path.extension().is_some_and(|extension| extension == "csv" || extension == "jsonl");
    for (path, old) in before
        .iter()
        .filter(|(path, _)| !is_table(path) && !is_extra(path) && shown(path) == **path && reproduces(path))
    {
        let Some(now) = now.get(path) else { return Err(format!("{} is gone", path.display())) };
        if now != old && operation.after.get(path) != Some(now) {
            return Err(format!("{} is neither the old one nor the new one", path.display()));
        }
    }
    Ok(())
}

/// The operation is done again: then everything is there, and nothing else.
pub fn recovers(operation: &Operation, folder: &Path) -> Result<(), String> {
    let output = plain(folder, operation.again);
    if output.status.code() != Some(operation.status) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("done again, it ended with {:?} and said: {said}", output.status));
    }
    // What is kept of single trials is missed by nobody but whoever looks: it is told once if that fails, and not made up.
    let mut now = files(folder);
    for (path, bytes) in operation.after.iter().filter(|(path, _)| is_extra(path)) {
        now.insert(path.clone(), bytes.clone());
    }
    match differences(operation, &now) {
        Some(what) => Err(format!("done again, {what}")),
        None => Ok(()),
    }
}

/// In what files differ from those of the undisturbed operation.
fn differences(operation: &Operation, now: &Files) -> Option<String> {
    let after = &operation.after;
    let missing =
        after.keys().find(|path| !now.contains_key(*path)).map(|path| format!("{} is missing", path.display()));
    // In the folder for temporary files, the next run of a program clears up what is left.
    let is_more = |path: &&PathBuf| !after.contains_key(*path) && !path.starts_with("tmp");
    let more = now.keys().find(is_more).map(|path| format!("{} is left", path.display()));
    let is_other = |(path, bytes): &(&PathBuf, &Vec<u8>)| {
        reproduces(path) && plain_text(path, bytes) != plain_text(path, &now[*path])
    };
    missing.or(more).or_else(|| after.iter().find(is_other).map(|(path, _)| format!("{} differs", path.display())))
}

fn is_extra(path: &Path) -> bool {
    path.starts_with("results/first/failures") || path.ends_with("starts.jsonl")
}

/// Whether a file's bytes reproduce, those of the judge's times apart.
fn reproduces(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    !["checkpoint", "checkpoint.previous", "timing.csv", "trial-times.csv", "starts.jsonl"].contains(&&*name)
}

/// What reproduces of a file: all, but of what the judge writes, which has times in it, the digits after points.
fn plain_text(path: &Path, bytes: &[u8]) -> Vec<u8> {
    let is_timed = path.starts_with("failed") || path == Path::new("games.csv");
    let mut is_fraction = false;
    let mut keep = |byte: &u8| {
        is_fraction = *byte == b'.' || (is_fraction && byte.is_ascii_digit());
        !is_timed || !is_fraction
    };
    bytes.iter().filter(|byte| keep(byte)).copied().collect()
}
