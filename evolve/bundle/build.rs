//! Hands on the place of the sources of `policy`, as its own build script tells it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!(
        "cargo::rustc-env=POLICY_SOURCES={}",
        std::env::var("DEP_EVOLVE_TUNER_POLICY_SOURCES").expect("`policy` tells it")
    );
}
