//! The game that `docs/adding-a-game.md` adds, step by step: tuned, exported and judged.
//!
//! Run it with `cargo run --release --example offers`.

mod game;
// Its dialogue is for the exported program alone.
#[allow(dead_code)]
#[path = "policy.rs"]
mod offers;
#[cfg(test)]
#[path = "../../tests/shared/mod.rs"]
mod shared;

use evolve::config::Job;
use evolve::document::Document;
use evolve::evaluator::Threads;
use evolve::games;
use evolve::run::watch::Nobody;
use evolve::run::{Ending, Run, Verdict};
use std::path::Path;
use std::sync::atomic::AtomicBool;

const JOB: &str = r#"
name = "offers"
seed = 1

[game]
name = "offers"

[player]
name = "threshold"

[evolution]
population = 20
games = 50
generations = 30

[final]
games = 1000
verdict = 4000
"#;

/// Carries out the job, with its files below `results`.
fn tune(results: &Path) -> Verdict {
    let job = Job::parse(&Document::new(Path::new("offers.toml"), JOB.to_string())).expect("the job is well-formed");
    let threads = Threads::new(job.game.arena(&job.options, &job.player), 0).expect("threads start");
    let mut run = Run::start(&job, &threads, results).expect("the folder is new");
    match run.go(&AtomicBool::new(false), &mut Nobody).expect("files can be written") {
        Ending::Complete(verdict) => verdict,
        Ending::Stopped => unreachable!("nobody stops it"),
    }
}

fn main() {
    games::add(&game::Offers);
    let folder = std::env::temp_dir().join(format!("offers-{}", std::process::id()));
    let verdict = tune(&folder);
    println!("{verdict:#?}\nits files are in {}", folder.display());
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve::judge::process::Limits;
    use evolve::judge::session::Session;
    use evolve::policy_file::Policy;
    use std::num::NonZeroUsize;
    use std::time::Duration;

    #[test]
    fn the_sixth_game_is_tuned_exported_and_judged() {
        games::add(&game::Offers);
        let folder = tempfile::TempDir::new().unwrap();
        let verdict = tune(folder.path());
        assert!(verdict.is_improvement(), "{verdict:?}");

        let policy = Policy::read(&folder.path().join("offers")).unwrap();
        let program = policy.game.export(&[&policy], None).unwrap();
        let command = [shared::build(&program.source, &folder).into_os_string()];
        let session = Session {
            command: &command,
            limits: Limits::new(Duration::from_secs(5)),
            dialogues: 50,
            jobs: NonZeroUsize::MIN,
        };
        let deal = |index| policy.game.referee(&policy.options, index);
        let played = session.play(&deal, &AtomicBool::new(false), &mut |_, dialogue| {
            assert!(dialogue.verdict.is_correct(), "{}", dialogue.verdict);
        });
        let arena = policy.game.arena(&policy.options, &policy.player);
        let mut built_in = arena.contestant(&policy.weights);
        for (seed, dialogue) in played.dialogues.iter().enumerate() {
            assert_eq!(dialogue.outcomes, [built_in.play(seed as u64)]);
        }

        let (_, said) = shared::converse(Path::new(&command[0]), policy.game.referee(&policy.options, 0));
        assert!(said.ends_with("keep\n"));
    }
}
