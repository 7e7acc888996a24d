//! What the documentation says of files holds.

use evolve::config::Job;
use evolve::policy_file::Policy;
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Every link of the documentation to a file of the repository leads somewhere.
#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for page in
        ["README.md", "CHANGELOG.md", "docs/config.md", "docs/deciding.md", "docs/files.md", "docs/solitaire-chess.md"]
    {
        let path = root().join(page);
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.contains("://") {
                let target = path.parent().unwrap().join(link.split('#').next().unwrap());
                assert!(target.exists(), "{page}: {link}");
                links += 1;
            }
        }
    }
    assert!(links > 5);
}

/// All jobs that come with the project can be carried out, and the reference runs are those of the jobs as they stand.
#[test]
fn reference_runs_are_of_these_jobs() {
    // Jobs name the weights that they start from relative to the current folder.
    std::env::set_current_dir(root()).unwrap();
    Job::read(Path::new("configs/quickstart.toml")).unwrap();
    let mut jobs = 0;
    for entry in fs::read_dir("configs/solitaire-chess").unwrap() {
        let job = Job::read(&entry.unwrap().path()).unwrap_or_else(|fault| panic!("{fault}"));
        let results = Path::new("results").join(&job.name);
        let config = fs::read_to_string(results.join("config.toml")).unwrap();
        assert!(config == job.to_toml(), "{} is of another job", results.display());
        let weights = Policy::read(&results).unwrap();
        assert_eq!((&weights.player, &weights.submission), (&job.player, &job.submission));
        jobs += 1;
    }
    assert_eq!(jobs, 10);
}
