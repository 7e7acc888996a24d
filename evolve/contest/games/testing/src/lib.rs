//! Code shared by the tests and benchmarks of games.

use evolve_contest::Contest;
use evolve_contest::export::{ExportError, ExportedProgram, Tuned};
use evolve_contest::judge::{Referee, Referees, Reply};
use evolve_contest::proof::Proof;
use evolve_core::job::policy_file::Policy;
use evolve_core::job::{Catalogue, Game};
use evolve_games::GAMES;
use evolve_search::document::Table;
use evolve_search::model::parameter::Parameter;
use evolve_search::model::problem::{Candidate, Contender, Context, Player, Problem, Session};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Outcome};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

pub fn results(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../results").join(name)
}

pub fn reference(name: &str) -> Policy {
    Policy::read(&results(name), &catalogue()).unwrap_or_else(|fault| panic!("{fault}"))
}

pub fn catalogue() -> Catalogue {
    Catalogue::new(&GAMES)
}

pub fn contest(problem: &dyn Problem) -> &dyn Contest {
    GAMES.contest(problem).expect("a game of the list")
}

fn game(name: &str) -> &'static Game {
    GAMES.iter().find(|game| game.name() == name).unwrap()
}

/// Returns a game with these options, as on a command line, and its first player.
pub fn problem(name: &str, options: &[(&str, &str)]) -> Arc<dyn Problem> {
    let given = |text: &str| text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number));
    let options = options.iter().map(|&(name, value)| (name.to_string(), given(value)));
    game(name).problem(options.collect(), Table::new()).unwrap()
}

/// Returns a game with another player, with these settings.
pub fn with_player(problem: &dyn Problem, name: &str, settings: &[(&str, i64)]) -> Arc<dyn Problem> {
    let mut player = Table::from_iter([("name".to_string(), json!(name))]);
    player.extend(settings.iter().map(|&(name, value)| (name.to_string(), json!(value))));
    game(problem.name()).problem(problem.options(), player).unwrap()
}

/// Opens the judge's side of a game.
pub fn referees(problem: &dyn Problem) -> Box<dyn Referees> {
    contest(problem).judge().unwrap().open(Context::default()).unwrap()
}

pub fn referee(policy: &Policy, deal: u64) -> Box<dyn Referee> {
    referees(&*policy.problem).referee(deal)
}

pub fn export(policies: &[&Policy], time_limit: Option<Duration>) -> Result<ExportedProgram, ExportError> {
    let problem = &policies[0].submission;
    let policies: Vec<_> = policies.iter().map(|policy| Tuned::of(policy)).collect();
    contest(&**problem).exportable().unwrap().export(&policies, time_limit)
}

pub fn prove(policy: &Policy) -> Proof {
    let problem = &policy.submission;
    let parameters = problem.parameters();
    let candidate = Candidate::new(&parameters, &policy.values);
    contest(&**problem).provable().unwrap().prove(candidate).unwrap()
}

pub fn deal(seed: u64) -> Case {
    Case { split: Split::Measurement, number: seed, seed }
}

/// A game in which candidates play.
pub struct Arena {
    session: Arc<dyn Session>,
    parameters: Vec<Parameter>,
}

impl Arena {
    pub fn new(problem: &dyn Problem) -> Self {
        let session = problem.open(Context::default()).unwrap();
        Arena { session: Arc::from(session), parameters: problem.parameters() }
    }

    pub fn contender(&self, weights: &[f64]) -> Box<dyn Contender> {
        Arc::clone(&self.session).contender(Candidate::new(&self.parameters, weights))
    }

    /// Plays the deals of these seeds with one player.
    pub fn play_deals(&self, weights: &[f64], seeds: impl IntoIterator<Item = u64>) -> Vec<Outcome> {
        let contender = self.contender(weights);
        let mut player = contender.player();
        seeds.into_iter().map(|seed| play_deal(&mut *player, seed)).collect()
    }
}

pub fn play_deal(player: &mut dyn Player, seed: u64) -> Outcome {
    player.play(&deal(seed), None).unwrap()
}

/// Builds a source file as a contest does, but treats warnings as errors.
pub fn build(source: &str, folder: &TempDir) -> PathBuf {
    let file = folder.path().join("submission.rs");
    fs::write(&file, source).unwrap();
    let program = folder.path().join("submission");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["-O", "--edition", "2021", "-D", "warnings", "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .expect("rustc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Returns the source of a program that plays like this one, but runs `other` if it gets one
/// argument. The rest of the code is the same, so its answers equal those of the exported program.
pub fn with_other_main(source: &str, other: &str) -> String {
    const MAIN: &str = "\nfn main() -> ExitCode {";
    assert_eq!(source.matches(MAIN).count(), 1);
    let source = source.replace(MAIN, "\nfn contest() -> ExitCode {");
    format!(
        "{source}\nfn main() -> ExitCode {{\n    if std::env::args().len() == 1 {{\n        return contest();\n    \
            }}\n{other}\n    \
         ExitCode::SUCCESS\n}}\n"
    )
}

/// Returns the output of a program with [another main function](with_other_main) for this input.
pub fn answers(program: &Path, input: String) -> Vec<String> {
    let mut child =
        Command::new(program).arg("other").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it is built");
    let mut to = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || to.write_all(input.as_bytes()).unwrap());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    lines
}

/// Plays a game with a program. Returns the messages of the judge and those of the program.
pub fn converse(program: &Path, mut referee: Box<dyn Referee>) -> (String, String) {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut told = referee.open();
    let mut said = String::new();
    input.write_all(told.as_bytes()).unwrap();
    let _open = loop {
        let line = lines.next().expect("a move").unwrap();
        said += &line;
        said.push('\n');
        match referee.answer(&line) {
            Reply::Send(text) => {
                input.write_all(text.as_bytes()).unwrap();
                told += &text;
            }
            Reply::Over(text) => {
                // The program may have ended already.
                let _ = input.write_all(text.as_bytes());
                told += &text;
                // A program that receives the result ends by itself; others end with their input.
                break (!text.is_empty()).then_some(input);
            }
            wrong => panic!("{line}: {wrong:?}"),
        }
    };
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
    (told, said)
}

/// Checks the exit status and error message of a program for each input. An empty message means
/// none.
pub fn assert_answers(program: &Path, inputs: &[(&str, i32, &str)]) {
    for (input, status, message) in inputs {
        let assert = assert_cmd::Command::new(program).write_stdin(*input).assert().code(*status);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(if message.is_empty() { stderr.is_empty() } else { stderr.contains(message) }, "{input}: {stderr}");
    }
}

/// Checks that the submission in the results equals the export of these runs.
pub fn assert_exported(runs: &[&str], time_limit: Option<Duration>, submission: &str) {
    let policies: Vec<Policy> = runs.iter().map(|run| reference(run)).collect();
    let program = export(&policies.iter().collect::<Vec<_>>(), time_limit).unwrap();
    assert!(program.source.len() <= evolve_bundle::LARGEST);
    let limit = time_limit.map_or(String::new(), |limit| format!("--time-limit {limit:?} "));
    let runs: String = runs.iter().map(|run| format!("results/{run} ")).collect();
    assert!(
        fs::read_to_string(results(submission)).unwrap() == program.source,
        "results/{submission} is out of date; export it again: evolve export {runs}{limit}--output results/{submission}"
    );
}

/// Returns a numeric setting of the player of a game.
pub fn setting(problem: &dyn Problem, name: &str) -> u32 {
    problem.player().unwrap()[name].as_u64().and_then(|number| number.try_into().ok()).unwrap()
}
