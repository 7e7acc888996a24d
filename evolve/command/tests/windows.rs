//! The command for Windows under wine, built and tested by `./test windows`. Its files must be
//! byte-identical to the files of the command of this system, and no process may survive it.

mod shared;
mod windows {
    pub mod surroundings;
}

use shared::wait_until;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use windows::surroundings::{Place, System, compile, living, said, signal};

/// The files that must be byte-identical.
const REPRODUCED: [&str; 4] = ["generations.csv", "validation.csv", "recommendation.toml", "config.toml"];

/// A job of some seconds.
const GAME: &str = r#"name = "first"
seed = 3

[game]
name = "solitaire-chess"
group = 4

[player]
name = "greedy"

[search]
optimizer = "genetic"
population = 20
trials = 40
generations = 12
validation = 30
selection = 12
test = 40
"#;

/// A job of a program, as an editor on Windows saves it.
fn program(command: &str) -> String {
    let text = format!(
        "name = \"first\"\nseed = 7\n[program]\ncommand = '{command} --k {{k}} --t {{t}}'\nfiles = \"in/*.txt\"\n\
         goal = \"minimize\"\ntimeout = \"20s\"\n[parameters]\nk = {{ int = [1, 20], start = 5 }}\n\
         t = {{ int = [0, 100], start = 10 }}\n[search]\noptimizer = \"genetic\"\npopulation = 6\ntrials = 3\n\
         generations = 4\nvalidation = 6\nselection = 6\ntest = 8\n"
    );
    text.replace('\n', "\r\n")
}

/// A job of a hostile program.
fn hostile(role: &str, timeout: &str, more: &str) -> String {
    format!(
        "name = \"first\"\n[program]\ncommand = './hostile {role} {{k}}'\ntimeout = \"{timeout}\"\non_failure = 100\n{more}\n\
         [parameters]\nk = {{ int = [1, 9], start = 5 }}\n[search]\nbudget = 30\n"
    )
}

fn assert_same(a: &Place, b: &Place, name: &str) {
    for file in REPRODUCED {
        let [a, b] = [a, b].map(|place| place.read(format!("results/{name}/{file}")));
        assert!(a == b, "{file} differs:\n{a}\n{b}");
        assert!(!a.contains('\r'), "{file} has carriage returns");
    }
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn quickstart_is_the_same_to_the_byte() {
    let job = include_str!("../../../configs/quickstart.toml");
    let (here, there) = (Place::new(System::Here, job), Place::new(System::Windows, job));
    let text = said(there.evolve(&["run", "job.toml"]), 0);
    assert!(text.contains("improvement found: the finalist is better."), "{text}");
    said(here.evolve(&["run", "job.toml", "--quiet"]), 0);
    assert_same(&here, &there, "quickstart");

    // The effect on the run.
    let state = said(there.evolve(&["status", "results/quickstart"]), 0);
    assert!(state.contains("improvement found"), "{state}");
    assert!(said(there.evolve(&["status"]), 0).contains("quickstart"));
    for place in [&here, &there] {
        said(place.evolve(&["report", "results/quickstart", "--output", "report.html"]), 0);
        said(place.evolve(&["export", "results/quickstart", "--output", "player.rs"]), 0);
    }
    assert!(there.read("report.html").contains("</html>"));
    assert_eq!(here.read("player.rs"), there.read("player.rs"));

    // The exported player, compiled for each system, and named without its extension.
    for place in [&here, &there] {
        let mut rustc = Command::new("rustc");
        rustc.args(["-O", "--edition", "2021", "player.rs"]).current_dir(place.path());
        if place.system == System::Windows {
            rustc.args(["--target", "x86_64-pc-windows-gnu"]);
        }
        assert!(rustc.status().unwrap().success());
    }
    let judged = [&here, &there].map(|place| {
        let options = ["--group", "3", "--games", "6", "--time-limit", "60s", "--csv", "games.csv", "--", "./player"];
        said(place.evolve(&[&["judge", "solitaire-chess"], &options[..]].concat()), 0);
        // Everything but the time.
        let table = place.read("games.csv");
        let time =
            table.lines().next().unwrap().split(',').position(|name| name.contains("time") || name.contains("seconds"));
        let rows = table.lines().map(|line| {
            let cells = line.split(',').enumerate().filter(|(place, _)| Some(*place) != time);
            cells.map(|(_, cell)| cell.to_string()).collect::<Vec<_>>()
        });
        rows.collect::<Vec<_>>()
    });
    assert_eq!(judged[0], judged[1]);
    assert_eq!(judged[0].len(), 7);
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn runs_go_on_where_they_were_killed_on_either_system() {
    let whole = Place::new(System::Here, GAME);
    said(whole.evolve(&["run", "job.toml", "--quiet"]), 0);
    for [first, second] in
        [[System::Windows, System::Windows], [System::Here, System::Windows], [System::Windows, System::Here]]
    {
        let place = Place::new(first, GAME);
        let mut run = place.evolve(&["run", "job.toml", "--quiet", "--parallel", "1"]).spawn().unwrap();
        let table = place.path().join("results/first/generations.csv");
        wait_until(|| fs::read_to_string(&table).is_ok_and(|text| text.lines().count() > 3));
        run.kill().unwrap();
        run.wait().unwrap();
        let place = place.on(second);
        let text = said(place.evolve(&["run", "job.toml", "--resume"]), 0);
        assert!(text.contains("held-out test"), "{text}");
        assert_same(&whole, &place, "first");
    }
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn ctrl_c_stops_and_the_run_goes_on() {
    let place = Place::new(System::Windows, &GAME.replace("generations = 12", "generations = 100000"));
    let run = place.evolve(&["run", "job.toml", "--parallel", "1"]).stderr(Stdio::piped()).spawn().unwrap();
    let table = place.path().join("results/first/generations.csv");
    wait_until(|| fs::read_to_string(&table).is_ok_and(|text| text.lines().count() > 2));
    // Wine converts it to Ctrl-C.
    signal(run.id(), "INT");
    let output = run.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("--resume"), "{text}");
    assert!(said(place.evolve(&["status", "results/first"]), 0).contains("stopped"));
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn a_program_is_tuned_as_on_other_systems() {
    let source = include_str!("windows/solver.cpp");
    let (here, there) =
        (Place::new(System::Here, &program("./solver")), Place::new(System::Windows, &program("./solver")));
    for place in [&here, &there] {
        for seed in 0..40 {
            place.write(format!("in/{seed:02}.txt"), format!("{seed}\r\n"));
        }
        // Saved by an editor on Windows.
        place.write("solver.cpp", source.replace('\n', "\r\n"));
        compile(place, "solver");
        said(place.evolve(&["run", "job.toml", "--quiet"]), 0);
    }
    assert_same(&here, &there, "first");
    assert_eq!(here.read("results/first/trials.csv"), there.read("results/first/trials.csv"));
    // The program is another file; the instances have the same names and bytes.
    let inputs = |place: &Place| -> Vec<String> {
        place
            .read("results/first/inputs.txt")
            .lines()
            .filter(|line| !line.contains("solver"))
            .map(String::from)
            .collect()
    };
    assert_eq!(inputs(&here), inputs(&there));
    assert!(there.read("results/first/inputs.txt").contains("  ./solver.exe\n"));
    let [a, b] = [&here, &there].map(|place| said(place.evolve(&["export", "results/first", "--format", "args"]), 0));
    assert_eq!(a, b);
    said(there.evolve(&["export", "results/first", "--into", "solver.cpp"]), 0);
    let back = there.read("solver.cpp");
    assert!(back != source.replace('\n', "\r\n") && back.lines().count() == source.lines().count());
    assert_eq!(back.matches("\r\n").count(), back.matches('\n').count(), "its line ends stay");

    // A command as users of Windows write it, with backslashes and drive letters.
    let absolute = format!("Z:{}\\solver.exe", there.path().to_str().unwrap().replace('/', "\\"));
    for command in [r".\solver", r".\solver.exe", &absolute, &format!("\"{absolute}\"")] {
        there.write("job.toml", program(command));
        fs::remove_dir_all(there.path().join("results")).unwrap();
        said(there.evolve(&["run", "job.toml", "--quiet"]), 0);
        assert_eq!(here.read("results/first/trials.csv"), there.read("results/first/trials.csv"), "{command}");
    }
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn hostile_programs_end_and_leave_nothing() {
    let place = Place::new(System::Windows, "");
    compile(&place, "hostile");
    let name = place.path().join("hostile.exe");
    for (role, timeout, more, how) in [
        ("spin", "1500ms", "", "of wall-clock time (limit 1.500 s)"),
        ("spin", "10m", "cpu_limit = \"300ms\"", "of CPU time (limit 0.300 s)"),
        ("hog", "10m", "memory_limit = 100\n", "of memory (limit 100.0 MiB)"),
        ("pour", "10m", "", "bytes on standard output (limit 16777216)"),
        ("crash", "10m", "", "access violation (0xC0000005)"),
    ] {
        place.write("job.toml", hostile(role, timeout, more));
        let text = said(place.evolve(&["check", "job.toml", "--time", "2s"]), 0);
        assert!(text.contains(how), "{role}: `{how}` is not in\n{text}");
        wait_until(|| living(&name) == 0);
    }
    // A program that starts other processes ends normally, and its processes end with it.
    place.write("job.toml", hostile("tree", "10m", ""));
    said(place.evolve(&["run", "job.toml", "--quiet"]), 0);
    wait_until(|| living(&name) == 0);
    // A hostile player in a game.
    let options = ["--group", "3", "--games", "2", "--time-limit", "1s", "--", "./hostile", "spin"];
    let text = said(place.evolve(&[&["judge", "solitaire-chess"], &options[..]].concat()), 1);
    assert!(text.contains("printed nothing for"), "{text}");
    wait_until(|| living(&name) == 0);
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn nothing_survives_a_killed_run() {
    let place = Place::new(System::Windows, &hostile("branch", "1day", ""));
    compile(&place, "hostile");
    let name = place.path().join("hostile.exe");
    let mut run = place.evolve(&["run", "job.toml", "--quiet", "--parallel", "2"]).spawn().unwrap();
    wait_until(|| living(&name) >= 4);
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until(|| living(&name) == 0);
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn a_run_is_watched() {
    let place = Place::new(System::Windows, GAME);
    said(place.evolve(&["run", "job.toml", "--quiet"]), 0);
    let mut child = place.evolve(&["watch", "results", "--port", "0"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.split_once("127.0.0.1:").unwrap().1.split_once('/').unwrap().0;
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "GET /state.json HTTP/1.0\r\nHost: localhost:{port}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    signal(child.id(), "INT");
    assert!(answer.contains("\"first\"") && answer.contains("\"complete\""), "{answer}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn workers_of_windows_give_the_same_bytes() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let whole = Place::new(System::Here, GAME);
    said(whole.evolve(&["run", "job.toml", "--quiet"]), 0);
    let place = Place::new(System::Windows, GAME);
    let config = format!("listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"store\" }}\n");
    place.write("server.conf", config);
    let mut server = Command::new("nats-server")
        .args(["--config", "server.conf"])
        .current_dir(place.path())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server");
    wait_until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
    let url = format!("nats://127.0.0.1:{port}");
    let mut worker = place.evolve(&["worker", "--server", &url, "--parallel", "1"]).spawn().unwrap();
    let ran = place.evolve(&["run", "job.toml", "--quiet", "--server", &url]).output().unwrap();
    signal(worker.id(), "INT");
    let start = Instant::now();
    while worker.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(600) {
        thread::sleep(Duration::from_millis(50));
    }
    let left = worker.try_wait().unwrap();
    let _ = worker.kill();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_same(&whole, &place, "first");
    assert!(left.is_some(), "a worker leaves when it is asked to");
}

#[test]
#[ignore = "needs wine; ./test windows"]
fn a_folder_is_used_by_one_run_at_a_time() {
    let place = Place::new(System::Windows, &GAME.replace("generations = 12", "generations = 100000"));
    let mut first = place.evolve(&["run", "job.toml", "--quiet", "--parallel", "1"]).spawn().unwrap();
    wait_until(|| place.path().join("results/first/checkpoint").exists());
    let text = said(place.evolve(&["run", "job.toml", "--resume"]), 1);
    assert!(text.contains("another process"), "{text}");
    // A reader of the file is not disturbed.
    let table = place.path().join("results/first/generations.csv");
    let rows = || fs::read_to_string(&table).map_or(0, |text| text.lines().count());
    let before = rows();
    said(place.evolve(&["status", "results/first"]), 0);
    wait_until(|| rows() > before);
    first.kill().unwrap();
    first.wait().unwrap();
}
