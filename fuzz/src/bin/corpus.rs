//! Writes the valid samples of every format into the corpus: `cargo run -p evolve-fuzz --bin corpus`.

use evolve_fuzz::{TARGETS, samples, target};
use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut refused = Vec::new();
    for (name, sample, bytes) in samples::all() {
        let target = target(name).expect("samples are of targets");
        if !(target.run)(&bytes) {
            refused.push(format!("{name}/{sample}"));
            continue;
        }
        fs::create_dir_all(corpus.join(name))?;
        fs::write(corpus.join(name).join(sample), bytes)?;
    }
    assert!(refused.is_empty(), "samples that are not taken: {}", refused.join(" "));
    for target in TARGETS {
        assert!(corpus.join(target.name).is_dir(), "{} has no sample", target.name);
    }
    Ok(())
}
