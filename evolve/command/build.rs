//! Tells the command its version, with the commit and the features that it is built from.

use std::env;
use std::fs;
use std::process::Command;

/// The digits of a commit.
const DIGITS: usize = 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = if env::var_os("CARGO_FEATURE_NATS").is_some() { "feature nats" } else { "no features" };
    // Another commit makes no other development build.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = is_release.then(|| packaged().or_else(checked_out)).flatten();
    let commit = commit.map(|commit| format!("commit {}, ", &commit[..DIGITS])).unwrap_or_default();
    println!("cargo::rustc-env=EVOLVE_VERSION={} ({commit}{features})", env!("CARGO_PKG_VERSION"));
}

/// Returns the commit that cargo wrote into a package.
fn packaged() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    checked(text.split_once("\"sha1\": \"")?.1)
}

/// Returns the commit of the repository that tracks this file, if it is in one.
fn checked_out() -> Option<String> {
    // The sources may lie in a folder that another repository ignores.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    checked(&git(&["rev-parse", "HEAD"])?)
}

fn checked(text: &str) -> Option<String> {
    let digits: String = text.chars().take_while(char::is_ascii_hexdigit).collect();
    (digits.len() >= DIGITS).then_some(digits)
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
