//! axe-core, which finds faults of accessibility. It is a tool of the tests alone, and is fetched
//! from the npm registry when they first need it.

use super::driver::Browser;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const VERSION: &str = "4.14.1";

/// The script of axe-core. `EVOLVE_AXE` names its file where there is no registry.
fn script() -> String {
    if let Some(file) = std::env::var_os("EVOLVE_AXE") {
        return fs::read_to_string(file).unwrap();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("axe-core-{VERSION}/package/axe.min.js"));
    if !file.exists() {
        let own = tempfile::TempDir::new_in(folder).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let status = Command::new(program).args(arguments).current_dir(&own).status();
            assert!(
                status.is_ok_and(|status| status.success()),
                "{program} {arguments:?} failed; set EVOLVE_AXE to axe.min.js"
            );
        };
        run("npm", &["pack", "--silent", &format!("axe-core@{VERSION}")]);
        run("tar", &["-xzf", &format!("axe-core-{VERSION}.tgz")]);
        let place = folder.join(format!("axe-core-{VERSION}"));
        // Another test may have been faster.
        let _ = fs::rename(own.path(), &place);
    }
    fs::read_to_string(file).unwrap()
}

/// Asserts that axe-core finds no fault in a page: wide and light, and on a phone in the dark.
pub fn finds_nothing(browser: &Browser, url: &str, ready: &str) {
    for (width, scheme) in [(1200, "light"), (390, "dark")] {
        browser.size(width, 900);
        browser.scheme(scheme);
        browser.open(url);
        browser.wait("the page", ready);
        browser.ask(&script());
        let found = browser.ask(
            "return axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })
                .then((found) => found.violations.map(({ id, nodes }) =>
                    `${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 5).join(', ')}`))",
        );
        assert_eq!(found, Value::Array(Vec::new()), "{url} at {width} pixels, {scheme}");
    }
}
