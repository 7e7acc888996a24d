//! Tests that `check` and `run` find trials that disturb each other, and inputs that are listed
//! twice.

use crate::shared::Bench;
use std::fs;

/// Writes an answer and reads it back. The first trials run in pairs: the first of a pair reads its
/// file when the other one has written it. The file is replaced as a whole, so that later trials,
/// too, read a whole answer, perhaps another's.
const SOLVER: &str = r"
import os, sys, time
k, seed, folder, pairs = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
os.makedirs('starts', exist_ok=True)
number = 0
while True:
    number += 1
    try:
        os.close(os.open(f'starts/{number}', os.O_CREAT | os.O_EXCL))
        break
    except FileExistsError:
        pass
file = os.path.join(folder, 'answer.txt')
if number % 2 == 0 and number <= pairs:
    while not os.path.exists(f'starts/{number - 1}.written'): time.sleep(0.001)
open(f'{file}.{number}', 'w').write(str(100 - (k - 7) ** 2 + seed % 1000))
os.replace(f'{file}.{number}', file)
open(f'starts/{number}.written', 'w').close()
if number % 2 == 1 and number < pairs:
    while not os.path.exists(f'starts/{number + 1}.written'): time.sleep(0.001)
print('Score =', open(file).read())
";

fn folder(place: &str, pairs: usize) -> Bench {
    let folder = Bench::new(&format!(
        "name = \"first\"\n[program]\ncommand = \"python3 solver.py {{k}} {{seed}} {place} {pairs}\"\n[parameters]\n\
         k = {{ int = [1, 20], start = 15 }}\n[search]\nbudget = 60\n"
    ));
    folder.write("solver.py", SOLVER);
    folder
}

const SHARES: &str = "share a file, or run until a time limit. Write files into `{dir}`";

#[test]
fn trials_that_share_a_file_are_found() {
    // Pairs of trials: the first ones and their repetitions of `check`, the first ones of `run`.
    for (args, pairs) in [
        (&["check", "job.toml", "--parallel", "2", "--trials", "4"] as &[_], 8),
        (&["run", "job.toml", "--parallel", "2"], 4),
    ] {
        let (stdout, stderr) = folder(".", pairs).texts(args, 0);
        let said = stdout + &stderr;
        assert!(said.contains(SHARES), "{args:?}: {said}");
        assert!(!said.contains("seed your RNG"), "{args:?}: {said}");
        let (stdout, stderr) = folder("{dir}", pairs).texts(args, 0);
        let said = stdout + &stderr;
        assert!(!said.contains("share"), "{args:?}: {said}");
    }
}

/// Trials that disturb each other fail, too: of the baseline they still have a score here.
#[test]
fn a_check_that_fails_names_the_shared_file() {
    let folder = folder(".", 8);
    let solver = SOLVER.replace("open(file).read())", "open(file).read() if k == 15 else '')");
    folder.write("solver.py", solver);
    let (_, stderr) = folder.texts(&["check", "job.toml", "--parallel", "2", "--trials", "4"], 2);
    assert!(stderr.contains("a trial fails: no score") && stderr.contains(SHARES), "{stderr}");
}

fn listed(files: usize, contents: usize, keys: &str) -> Bench {
    let folder = Bench::new(&format!(
        "name = \"first\"\n[program]\ncommand = \"sh -c 'read x; echo Score = $(( 100 + x - {{k}} ))'\"\n{keys}\n[parameters]\n\
         k = {{ int = [1, 20], start = 15 }}\n[search]\nbudget = 200\n"
    ));
    fs::create_dir(folder.path().join("in")).unwrap();
    for i in 0..files {
        folder.write(format!("in/{i:02}.txt"), format!("{}\n", i % contents));
    }
    folder
}

#[test]
fn files_with_the_same_bytes_are_one_instance() {
    let folder = listed(60, 20, "files = \"in/*.txt\"");
    let note =
        "40 of 60 files have the bytes of another one, and are no instances of their own: in/20.txt (as in/00.txt), ";
    for args in [&["check", "job.toml", "--trials", "4"] as &[_], &["run", "job.toml"]] {
        let (_, stderr) = folder.texts(args, 0);
        assert!(stderr.contains(note), "{stderr}");
    }
    let inputs = folder.read("results/first/inputs.txt");
    assert_eq!(inputs.lines().filter(|line| line.contains("  in/")).count(), 20, "{inputs}");

    let few = listed(60, 10, "files = \"in/*.txt\"");
    let (_, stderr) = few.texts(&["run", "job.toml"], 2);
    assert!(stderr.contains("10 instances are too few") && stderr.contains("in/10.txt (as in/00.txt)"), "{stderr}");
}

#[test]
fn seeds_whose_inputs_have_the_same_bytes_are_refused() {
    let folder = listed(30, 20, "seeds = \"0-29\"\nstdin = \"in/{seed:02}.txt\"");
    let (_, stderr) = folder.texts(&["run", "job.toml"], 1);
    assert!(stderr.contains("10 of 30 inputs have the bytes of another one: in/20.txt (as in/00.txt)"), "{stderr}");
    assert!(stderr.contains("list every input once: `seeds = \"0-19\"`"), "{stderr}");
    folder.evolve(&["run", "job.toml", "--quiet", "--set", "program.seeds=0-19"]).assert().success();
}
