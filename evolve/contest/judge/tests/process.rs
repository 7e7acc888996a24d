//! Tests of well-behaved and misbehaving programs over real pipes.
//!
//! No test asserts speed. Limits that must hold are generous; limits that must be exceeded are
//! exceeded by programs that would run for a day.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use evolve_contest::judge::{Referee, Reply};
use evolve_judge::process::{Dialogue, DialogueLimits, play_dialogue};
use evolve_judge::report::Report;
use evolve_judge::session::{Dialogues, Played};
use evolve_judge::verdict::Verdict;
use evolve_search::model::trial::{Metrics, Outcome};
use rustix::process::{Pid, test_kill_process};

/// A referee that sends a number and expects its successor; in round `r`, the number is `first + 10
/// r`.
struct Successor {
    first: u64,
    round: u64,
    rounds: u64,
    /// The number of bytes to send before every number.
    padding: usize,
}

impl Successor {
    fn new(rounds: u64) -> Self {
        Self { first: 0, round: 0, rounds, padding: 0 }
    }

    fn number(&self) -> u64 {
        self.first + 10 * self.round
    }

    fn text(&self) -> String {
        format!("{}{}\n", " ".repeat(self.padding), self.number())
    }
}

impl Referee for Successor {
    fn open(&mut self) -> String {
        self.text()
    }

    fn answer(&mut self, line: &str) -> Reply {
        match line.trim().parse::<u64>() {
            _ if line.is_empty() => Reply::More,
            Err(error) if line == "panic" => panic!("{error}"),
            Err(error) => Reply::Garbage(error.to_string()),
            Ok(n) if n != self.number() + 1 => Reply::Illegal(format!("{n} does not follow")),
            Ok(_) => {
                self.round += 1;
                if self.round < self.rounds { Reply::Send(self.text()) } else { Reply::Over("end\n".to_owned()) }
            }
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        let score = (self.first + self.round) as f64;
        let outcome = Outcome::of(score).metrics([self.round as f64]);
        if self.round < self.rounds { vec![] } else { vec![outcome] }
    }
}

/// A program that plays correctly until it reads `end`.
const CORRECT: &str = r#"while read n; do [ "$n" = end ] && break; echo $((n + 1)); done"#;

fn shell(script: &str) -> Vec<OsString> {
    ["/bin/sh", "-c", script].map(OsString::from).to_vec()
}

/// Longer than any test takes, however busy the machine.
const LONG: Duration = Duration::from_secs(600);

/// Returns limits that no program of these tests reaches by accident.
fn generous() -> DialogueLimits {
    DialogueLimits { grace: LONG, ..DialogueLimits::new(LONG) }
}

/// Returns limits for programs that would run for a day.
fn short() -> DialogueLimits {
    DialogueLimits { grace: Duration::from_millis(300), ..DialogueLimits::new(Duration::from_millis(700)) }
}

/// Returns limits for programs that play but would not end for a day.
fn impatient() -> DialogueLimits {
    DialogueLimits { grace: Duration::from_millis(300), ..generous() }
}

fn play_with(command: &[OsString], mut referee: Successor, limits: &DialogueLimits) -> Dialogue {
    let start = Instant::now();
    let dialogue =
        play_dialogue(command, &mut referee, limits, &AtomicBool::new(false), false).expect("no stop is requested");
    assert!(start.elapsed() < 2 * LONG, "the dialogue ends within its limits");
    assert!(!dialogue.verdict.to_string().contains('\n'));
    dialogue
}

fn generously(script: &str) -> Dialogue {
    play_with(&shell(script), Successor::new(10), &generous())
}

/// Waits until the process whose number is in the file is gone, or is a zombie that is not reaped.
fn assert_gone(file: &Path) {
    let number: i32 = std::fs::read_to_string(file).unwrap().trim().parse().unwrap();
    let start = Instant::now();
    while test_kill_process(Pid::from_raw(number).unwrap()).is_ok() {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        if stat.rsplit(") ").next().is_some_and(|state| state.starts_with('Z')) {
            break;
        }
        assert!(start.elapsed() < LONG, "process {number} still runs");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn correct_programs() {
    let dialogue = generously(CORRECT);
    assert_eq!(dialogue.verdict, Verdict::Correct);
    assert_eq!(dialogue.outcomes, [Outcome::of(10.0).metrics([10.0])]);
    assert!(dialogue.time > Duration::ZERO);

    let variants = [
        // Windows line ends.
        r#"while read n; do [ "$n" = end ] && break; printf '%s\r\n' $((n + 1)); done"#,
        // Moves on two lines.
        r#"while read n; do [ "$n" = end ] && break; echo; echo $((n + 1)); done"#,
        // A blank line at the end.
        &format!("{CORRECT}; echo"),
        // Reads no input, and omits the last line end.
        r"printf '1\n11\n21\n31\n41\n51\n61\n71\n81\n91'",
        // Waits for the end of the input.
        &format!("{CORRECT}; cat"),
    ];
    for script in variants {
        assert_eq!(generously(script).verdict, Verdict::Correct, "{script}");
    }
}

#[test]
fn wrong_output() {
    let verdict = generously("read n; echo 1; read n; echo 9").verdict;
    let Verdict::Illegal { line: 2, text, reason } = verdict else { panic!("{verdict}") };
    assert_eq!((text.as_str(), reason.as_str()), ("\"9\"", "9 does not follow"));

    for (script, shown) in [
        ("echo 'a move'", "\"a move\""),
        (r"printf '1\377\n'", r#""1\xff""#),
        (r"printf '1\000\n'", r#""1\0""#),
        ("exec yes", "\"y\""),
    ] {
        let verdict = generously(script).verdict;
        let Verdict::Garbage { line: 1, text, .. } = verdict else { panic!("{verdict}") };
        assert_eq!(text, shown);
    }

    for script in ["exec cat /dev/zero", "yes | tr -d '\\n'"] {
        let verdict = generously(script).verdict;
        assert!(matches!(verdict, Verdict::LongLine { line: 1, limit: 4096, .. }), "{verdict}");
    }
}

#[test]
fn crashes_and_early_ends() {
    let dialogue = generously("echo 1; echo out of bounds >&2; exit 7");
    assert_eq!(
        dialogue.verdict.to_string(),
        "crashed with status 7 before it printed line 2; standard error: out of bounds"
    );
    assert_eq!(dialogue.stderr, "out of bounds\n");
    assert!(dialogue.outcomes.is_empty());

    let verdict = generously("kill -TERM $$").verdict;
    assert_eq!(verdict.to_string(), "crashed with SIGTERM before it printed line 1");

    let verdict = generously("echo 1").verdict;
    assert_eq!(verdict, Verdict::EarlyEnd { line: 2, running: false });

    let closing = shell("exec >&-; exec sleep 100000");
    let verdict = play_with(&closing, Successor::new(10), &impatient()).verdict;
    assert_eq!(verdict, Verdict::EarlyEnd { line: 1, running: true });
}

#[test]
fn out_of_time() {
    // The limit lets five simultaneous shells start printing on a busy machine.
    let chatty = DialogueLimits { time: Duration::from_secs(10), ..short() };
    let late = |script: &str, limits: &DialogueLimits| play_with(&shell(script), Successor::new(10), limits).verdict;
    thread::scope(|scope| {
        scope.spawn(|| {
            let verdict = late("exec sleep 100000", &short());
            assert!(matches!(verdict, Verdict::Silence { line: 1, unread: false, .. }), "{verdict}");
        });
        scope.spawn(|| {
            let verdict = late("trap '' TERM INT HUP; while :; do sleep 1; done", &short());
            assert!(matches!(verdict, Verdict::Silence { .. }), "{verdict}");
        });
        scope.spawn(|| {
            let verdict = late("while :; do echo; sleep 0.05; done", &chatty);
            assert!(matches!(verdict, Verdict::OverTime { partial: None, .. }), "{verdict}");
        });
        scope.spawn(|| {
            let verdict = late("while :; do printf 1; sleep 0.05; done", &chatty);
            assert!(matches!(verdict, Verdict::OverTime { line: 1, partial: Some(_), .. }), "{verdict}");
        });
        scope.spawn(|| {
            // The referee accepts endless blank lines as the start of a move.
            let verdict = late("yes ''", &chatty);
            assert!(matches!(verdict, Verdict::OverTime { .. }), "{verdict}");
        });
    });
}

#[test]
fn floods_of_standard_error() {
    let limits = DialogueLimits { stderr: 100, ..generous() };
    let script = format!("yes >&2 & {CORRECT}");
    let dialogue = play_with(&shell(&script), Successor::new(10), &limits);
    assert_eq!(dialogue.verdict, Verdict::Correct);
    assert!(dialogue.stderr.len() <= 100);

    let verdict = play_with(&shell("yes >&2 & wait"), Successor::new(10), &short()).verdict;
    assert!(matches!(verdict, Verdict::Silence { .. }), "{verdict}");

    // A full pipe does not hide the end of the output.
    let verdict = generously("head -c 500000 /dev/zero >&2; echo the end >&2; exit 1").verdict;
    assert!(verdict.to_string().ends_with("the end"), "{verdict}");
}

#[test]
fn big_texts() {
    let referee = || Successor { padding: 2 << 20, ..Successor::new(3) };
    let reader = format!("for n in 1 11 21; do head -c {} >/dev/null; read n; echo $((n + 1)); done", 2 << 20);
    assert_eq!(play_with(&shell(&reader), referee(), &generous()).verdict, Verdict::Correct);

    let ignorant = shell("echo 1; echo 11; echo 21");
    assert_eq!(play_with(&ignorant, referee(), &generous()).verdict, Verdict::Correct);

    let deaf = shell("exec <&-; echo 1; echo 11; echo 21");
    assert_eq!(play_with(&deaf, referee(), &generous()).verdict, Verdict::Correct);

    let verdict = play_with(&shell("exec sleep 100000"), referee(), &short()).verdict;
    assert!(matches!(verdict, Verdict::Silence { unread: true, .. }), "{verdict}");

    let idle = shell("echo 1; echo 11; echo 21; exec sleep 100000");
    let verdict = play_with(&idle, referee(), &impatient()).verdict;
    assert!(matches!(verdict, Verdict::Lingered { .. }), "{verdict}");
}

#[test]
fn after_the_game() {
    let verdict = generously(&format!("{CORRECT}; exit 3")).verdict;
    assert_eq!(verdict.to_string(), "crashed with status 3 after the game was over");

    let dialogue = generously(&format!("{CORRECT}; echo; echo bye"));
    assert_eq!(dialogue.verdict, Verdict::Trailing { text: "\"bye\"".to_owned() });
    assert_eq!(dialogue.outcomes.len(), 1);

    let limits = impatient();
    for after in ["exec sleep 100000", "exec sleep 100000 >&-", "exec yes ''"] {
        let command = shell(&format!("{CORRECT}; {after}"));
        let verdict = play_with(&command, Successor::new(10), &limits).verdict;
        assert_eq!(verdict, Verdict::Lingered { grace: limits.grace }, "{after}");
    }
}

#[test]
fn descendants_end_with_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("number");
    let play_then_check = |script: &str, limits: &DialogueLimits| {
        let mut command = shell(script);
        command.extend(["sh".into(), file.clone().into_os_string()]);
        let verdict = play_with(&command, Successor::new(10), limits).verdict;
        assert_gone(&file);
        verdict
    };

    // The sleepers hold all three pipes open.
    let verdict = play_then_check("sleep 100000 & echo $! >$1", &generous());
    assert_eq!(verdict, Verdict::EarlyEnd { line: 1, running: false });
    let verdict = play_then_check(&format!("sleep 100000 & echo $! >$1; {CORRECT}"), &generous());
    assert_eq!(verdict, Verdict::Correct);
    let verdict = play_then_check(
        "sleep 100000 & echo $! >$1; wait",
        &DialogueLimits { time: Duration::from_secs(10), ..short() },
    );
    assert!(matches!(verdict, Verdict::Silence { .. }), "{verdict}");
    let verdict = play_then_check("trap '' TERM; echo $$ >$1; echo nonsense; while :; do sleep 1; done", &generous());
    assert!(matches!(verdict, Verdict::Garbage { .. }), "{verdict}");

    // The judge panics.
    let mut command = shell("echo $$ >$1; echo panic; exec sleep 100000");
    command.extend(["sh".into(), file.clone().into_os_string()]);
    let panicked = catch_unwind(AssertUnwindSafe(|| play_with(&command, Successor::new(10), &generous())));
    assert!(panicked.is_err());
    assert_gone(&file);
}

#[test]
fn programs_that_cannot_be_started() {
    let directory = tempfile::tempdir().unwrap();
    let plain = directory.path().join("plain");
    std::fs::write(&plain, "exit 0\n").unwrap();
    for (command, hint) in [
        (vec!["./no-such-program".into()], "path"),
        (vec!["no-such-program".into()], "./name"),
        (vec![plain.into_os_string()], "chmod +x"),
        (vec![], "no program named"),
    ] {
        let dialogue = play_with(&command, Successor::new(10), &generous());
        assert!(matches!(dialogue.verdict, Verdict::NotStarted { .. }));
        assert!(dialogue.verdict.to_string().contains(hint), "{}", dialogue.verdict);
    }
}

#[test]
fn output_repeated_by_a_referee_is_escaped() {
    struct Parrot;
    impl Referee for Parrot {
        fn open(&mut self) -> String {
            String::new()
        }
        fn answer(&mut self, line: &str) -> Reply {
            Reply::Garbage(format!("`{line}` is not a move"))
        }
        fn outcomes(&self) -> Vec<Outcome> {
            Vec::new()
        }
    }
    let command = shell(r"printf '\033]0;title\007\302\233\342\200\256\n'");
    let dialogue = play_dialogue(&command, &mut Parrot, &generous(), &AtomicBool::new(false), false).unwrap();
    let text = dialogue.verdict.to_string();
    assert!(text.contains(r"`\u{1b}]0;title\u{7}\u{9b}\u{202e}` is not a move"), "{text:?}");
}

#[test]
fn resources_are_limited() {
    let resources = evolve_process::Limits { memory: Some(1 << 16), ..Default::default() };
    let limits = DialogueLimits { resources, ..generous() };
    let verdict = play_with(&shell("sleep 100000"), Successor::new(10), &limits).verdict;
    assert!(matches!(verdict, Verdict::OverLimit { line: 1, .. }), "{verdict}");
    assert!(verdict.to_string().contains("(limit 0.1 MiB)"), "{verdict}");
}

fn session(command: &[OsString], dialogues: u64, jobs: usize) -> Dialogues<'_> {
    let jobs = NonZeroUsize::new(jobs).unwrap();
    Dialogues { command, limits: generous(), first: 0, dialogues, jobs, transcripts: false }
}

/// Creates the referee of dialogue `index`, which starts with that number.
fn deal(index: u64) -> Box<dyn Referee> {
    Box::new(Successor { first: index, ..Successor::new(3) })
}

#[test]
fn order_does_not_depend_on_jobs() {
    // Every fourth dialogue fails, and every third is late.
    let command = shell(&format!(
        r#"read n; [ $((n % 4)) = 3 ] && exit $n; [ $((n % 3)) = 0 ] && sleep 0.05; echo $((n + 1)); {CORRECT}"#
    ));
    let run = |jobs| {
        let mut seen = Vec::new();
        let Played { dialogues, .. } =
            session(&command, 20, jobs).play_dialogues(&deal, &AtomicBool::new(false), &mut |index, dialogue| {
                seen.push((index, dialogue.verdict.to_string()));
            });
        let results: Vec<_> =
            dialogues.iter().map(|dialogue| (dialogue.outcomes.clone(), dialogue.verdict.clone())).collect();
        assert!(seen.iter().map(|(index, _)| *index).eq(0..20));
        (seen, results, Report::new(&dialogues, &Metrics::default(), 0, 1, 0.0))
    };
    let (one, four) = (run(1), run(4));
    assert_eq!((&one.0, &one.1), (&four.0, &four.1));
    assert_eq!(one.2.scores, four.2.scores);
    assert_eq!(one.2.failures, four.2.failures);
    assert_eq!(one.2.failed, 5);
    assert_eq!(one.1[6].0[0].score, 9.0);
}

#[test]
fn a_session_ends_early() {
    // The stop flag breaks off the current dialogues.
    let (silent, stop) = (shell("exec sleep 100000"), AtomicBool::new(false));
    let start = Instant::now();
    let dialogues = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        session(&silent, 100, 2).play_dialogues(&deal, &stop, &mut |_, _| {}).dialogues
    });
    assert!(dialogues.is_empty());
    assert!(start.elapsed() < LONG);

    // Dialogues finished before the stop are kept.
    let (correct, stop) = (shell(CORRECT), AtomicBool::new(false));
    let Played { dialogues, .. } = session(&correct, 1000, 2)
        .play_dialogues(&deal, &stop, &mut |index, _| stop.store(index >= 2, Ordering::Relaxed));
    assert!((3..1000).contains(&dialogues.len()));

    // A program that does not start is not tried a thousand times.
    let missing = [OsString::from("./no-such-program")];
    let Played { dialogues, shortage } =
        session(&missing, 1000, 4).play_dialogues(&deal, &AtomicBool::new(false), &mut |_, _| {});
    assert_eq!(dialogues.len(), 1);
    assert!(shortage.is_none());
}
