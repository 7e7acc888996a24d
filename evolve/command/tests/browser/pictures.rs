//! Takes pictures of pages for people who change one. It tests nothing.

use super::driver::Browser;
use super::live::Running;
use crate::committed;
use crate::shared::Bench;
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};

/// The width of a window, and of a phone.
const WIDE: usize = 1200;
const PHONE: usize = 390;

/// The solver of `examples/tour-cpp`, and a folder for the pictures.
struct Gallery {
    browser: Browser,
    work: Bench,
    pictures: PathBuf,
}

impl Gallery {
    fn new(pictures: PathBuf) -> Self {
        let work = Bench::empty();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tour-cpp");
        fs::create_dir_all(&pictures).unwrap();
        let inputs =
            fs::read_dir(example.join("in")).unwrap().map(|entry| Path::new("in").join(entry.unwrap().file_name()));
        for file in inputs.chain(["job.toml", "solver.cpp"].map(PathBuf::from)) {
            work.write(&file, fs::read(example.join(&file)).unwrap());
        }
        Gallery { browser: Browser::start(), work, pictures }
    }

    fn take(&self, name: &str, url: &str, (width, scheme): (usize, &str)) {
        self.browser.size(width, 900);
        self.browser.scheme(scheme);
        self.browser.open(url);
        self.browser.wait("the page", "return document.querySelectorAll('section h2').length > 2");
        self.browser.ask("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
        // Parts that open are drawn in the next frames.
        self.browser.wait(
            "all charts",
            "return [...document.querySelectorAll('details .chart')].every((of) => of.querySelector('svg'))",
        );
        let file = self.pictures.join(format!("{name}.png"));
        fs::write(&file, self.browser.whole_picture()).unwrap();
        println!("{}", file.display());
    }

    fn page(&self, run: &Path) -> String {
        format!("file://{}", run.join("report.html").display())
    }

    /// A run while it is in progress: it pauses for the pictures.
    fn live(&self) {
        // Slow enough to be seen at any share.
        let slow = "program.command=sh -c 'sleep 0.1; exec ./solver \"$@\"' sh --k {k} --temp {temp} --move {move} --greedy {greedy}";
        let arguments =
            ["run", "job.toml", "--name", "live", "--set", "search.budget=460", "--set", slow, "--parallel", "1"];
        let (mut run, _) = Running::start(&self.work, &arguments, false);
        let (_watching, address) = Running::start(&self.work, &["watch", "--port", "0"], true);
        for share in [10, 50] {
            self.browser.open(&address);
            let reached =
                "Number((document.querySelector('.state > span')?.textContent ?? '0').match(/\\d+/)?.[0] ?? 0)";
            self.browser.wait("progress", &format!("return {reached} >= {share}"));
            run.signal(Signal::STOP);
            self.take(&format!("live-{share}"), &address, (WIDE, "light"));
            run.signal(Signal::CONT);
        }
        run.ends_well();
    }
}

/// Writes pictures of pages: live, finished, of a game, in the dark, and on a phone.
#[test]
#[ignore = "takes pictures if EVOLVE_PICTURES names a folder for them"]
fn of_pages() {
    let Some(folder) = std::env::var_os("EVOLVE_PICTURES") else { return };
    let gallery = Gallery::new(PathBuf::from(folder));
    gallery.live();
    for budget in [60, 460, 2000] {
        let name = format!("finished-{budget}");
        gallery.work.does(&[
            "run",
            "job.toml",
            "--name",
            &name,
            "--set",
            &format!("search.budget={budget}"),
            "--quiet",
        ]);
        let url = gallery.page(&gallery.work.path().join("results").join(&name));
        gallery.take(&name, &url, (WIDE, "light"));
        if budget == 460 {
            gallery.take("dark", &url, (WIDE, "dark"));
            gallery.take("phone", &url, (PHONE, "light"));
        }
    }
    let both = ["results/finished-60", "results/finished-460", "--output", "results/several.html"];
    gallery.work.does(&[&["report"], &both[..]].concat());
    gallery.take("several", &format!("file://{}", gallery.work.path().join(both[3]).display()), (WIDE, "light"));
    let game = committed::results().join("king-rook");
    gallery.work.does(&["report", game.to_str().unwrap()]);
    gallery.take("game", &gallery.page(&game), (WIDE, "light"));
    gallery.take("game-phone-dark", &gallery.page(&game), (PHONE, "dark"));
}
