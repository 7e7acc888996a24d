//! Writes that take half of the bytes. `strace` cannot have them: it can only claim them. So a library that is loaded
//! before the system's own has them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Halves the writes to plain files from number `SHORT_FIRST` to number `SHORT_LAST`.
const LIBRARY: &str = r#"
use std::ffi::{c_int, c_long, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

const WRITE: c_long = if cfg!(target_arch = "x86_64") { 1 } else { 64 };
static WRITES: AtomicUsize = AtomicUsize::new(0);

fn number(name: &str) -> usize {
    std::env::var(name).unwrap().parse().unwrap()
}

#[unsafe(no_mangle)]
pub extern "C" fn write(descriptor: c_int, bytes: *const c_void, count: usize) -> isize {
    let is_file = || std::fs::metadata(format!("/proc/self/fd/{descriptor}")).is_ok_and(|file| file.is_file());
    let mut count = count;
    if descriptor > 2 && is_file() {
        let write = 1 + WRITES.fetch_add(1, Ordering::Relaxed);
        if (number("SHORT_FIRST")..=number("SHORT_LAST")).contains(&write) {
            count = count.div_ceil(2);
        }
    }
    unsafe { syscall(WRITE, descriptor, bytes, count) as isize }
}
"#;

/// The options of `strace` that have the writes to files from number `first` to number `last` be short.
pub fn options(first: usize, last: usize) -> Vec<String> {
    let variable = |name: &str, value: &str| ["-E".to_string(), format!("{name}={value}")];
    let (_, library) = BUILT.get_or_init(build);
    let variables = [
        variable("LD_PRELOAD", library.to_str().unwrap()),
        variable("SHORT_FIRST", &first.to_string()),
        variable("SHORT_LAST", &last.to_string()),
    ];
    variables.into_iter().flatten().collect()
}

static BUILT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();

fn build() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let (source, library) = (folder.path().join("short.rs"), folder.path().join("libshort.so"));
    fs::write(&source, LIBRARY).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).arg(&library).arg(&source);
    assert!(rustc.status().unwrap().success());
    (folder, library)
}
