//! Draws the README's picture of a replay, for `results/make`: not a test.

use super::driver::Browser;
use std::path::Path;

/// A move that depends on several weights.
const PLACE: &str = "deal=1&move=5";

#[test]
#[ignore = "draws a picture if EVOLVE_PICTURE names a file for it"]
fn of_a_replay() {
    let Some(file) = std::env::var_os("EVOLVE_PICTURE") else { return };
    let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/king-rook/report.html");
    let browser = Browser::start();
    browser.size(1000, 1400);
    browser.scheme("light");
    browser.open(&format!("file://{}#{PLACE}", report.display()));
    browser.wait("the games", "return document.querySelectorAll('.why .split').length === 2");
    // Only the important parts: the controls, the boards, and the reasons.
    browser.ask(
        "document.querySelectorAll('body > :not(main), section:not(#games)').forEach((other) => other.remove());
        for (const child of [...document.querySelector('#games').children]) {
            if (!child.matches('.controls, .boards')) child.remove();
        }
        document.querySelector('.controls').style.position = 'static';",
    );
    std::fs::write(file, browser.picture("#games")).unwrap();
}
