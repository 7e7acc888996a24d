//! Runs a target with libFuzzer: `EVOLVE_FUZZ=job libfuzzer CORPUS`, built by `long.sh`.
#![no_main]

use evolve_fuzz::Target;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("EVOLVE_FUZZ").unwrap_or_default();
    evolve_fuzz::target(&name).unwrap_or_else(|| panic!("EVOLVE_FUZZ names no target: `{name}`"))
});

fuzz_target!(|bytes: &[u8]| {
    TARGET.run(bytes);
});
