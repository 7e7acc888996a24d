//! Tells the packages that depend on this one where its sources are: exported programs are made of them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=sources={}/src", std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
}
