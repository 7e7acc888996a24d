//! Passes on the folder of the sources of `policy`, which the build script of that crate sets.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!(
        "cargo::rustc-env=POLICY_SOURCES={}",
        std::env::var("DEP_EVOLVE_TUNER_POLICY_SOURCES").expect("set by the build script of `policy`")
    );
}
