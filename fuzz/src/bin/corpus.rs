//! Writes the samples that only evolve can write to the corpus: `cargo run -p evolve-fuzz
//! --features nats --bin corpus`.

use evolve_fuzz::{samples, target};
use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, sample, bytes) in samples() {
        assert!(target(&name).expect("samples are of targets").run(&bytes), "{name}/{sample} is not taken");
        fs::create_dir_all(corpus.join(&name))?;
        fs::write(corpus.join(&name).join(sample), bytes)?;
    }
    Ok(())
}
