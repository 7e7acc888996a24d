//! Passes the folder of these sources to dependent packages, which export programs from them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=sources={}/src", std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
}
