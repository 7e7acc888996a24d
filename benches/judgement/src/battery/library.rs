//! Executes runs in this process: the search, selection and test of a job, as the command does.

use super::{ALLOWED, CELL, ROW, named};
use crate::carried::{carry_out, job, spread};
use crate::noise::{self, Kind, Noise, SCALES, Shape};
use crate::share::Share;
use crate::wander::WANDER;
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_core::job::recorded::Found;
use evolve_core::judgement::explain::Subject;
use evolve_core::judgement::groups::worse;
use evolve_core::run::{Compared, Verdict};
use evolve_search::evaluator::Serial;
use evolve_search::model::goal::Direction;
use evolve_search::model::problem::Context;

/// A row of the table: one kind of noise.
struct Row {
    name: &'static str,
    kind: Kind,
    /// The noise in thousandths; `size` is a number that depends on the kind.
    noise: u32,
    size: u32,
    shape: Shape,
    /// The number of games in the selection.
    finals: u32,
}

const LISTED: Shape = Shape { is_listed: true, ..noise::PLAIN };
const TWO: Shape = Shape { scenarios: 2, ..noise::PLAIN };
const SIX: Shape = Shape { scenarios: 6, ..noise::PLAIN };
const EACH: Shape = Shape { limits: &["each <= 1"], ..noise::PLAIN };
const MEAN: Shape = Shape { limits: &["<= 1"], ..noise::PLAIN };
const MEANS: Shape = Shape { limits: &["<= 1"; 4], ..noise::PLAIN };

const GROUPS: Shape = Shape { groups: 3, ..noise::PLAIN };

const PLAIN: Row = Row { name: "", kind: Kind::Clock, noise: 30, size: 0, shape: noise::PLAIN, finals: 30 };

/// Rows without a gain in the mean.
const NULL: [Row; 45] = [
    Row { name: "noise 3 %", ..PLAIN },
    Row { name: "noise 10 %", noise: 100, ..PLAIN },
    Row { name: "noise 30 %", noise: 300, ..PLAIN },
    Row { name: "noise 10 %, 20 instances", noise: 100, shape: LISTED, ..PLAIN },
    Row { name: "chaos 3 %", kind: Kind::Chaos, ..PLAIN },
    Row { name: "chaos 10 %", kind: Kind::Chaos, noise: 100, ..PLAIN },
    Row { name: "chaos 30 %", kind: Kind::Chaos, noise: 300, ..PLAIN },
    Row { name: "chaos 10 %, 20 instances", kind: Kind::Chaos, noise: 100, shape: LISTED, ..PLAIN },
    Row { name: "heavy tails (t3), 10 %", kind: Kind::Heavy, noise: 100, ..PLAIN },
    Row { name: "long tail of losses (lognormal), 10 %", kind: Kind::Losses, noise: 100, ..PLAIN },
    Row { name: "fails at random in 0.5 %", kind: Kind::Fails, size: 5, ..PLAIN },
    Row { name: "fails at random in 1 %", kind: Kind::Fails, size: 10, ..PLAIN },
    Row { name: "fails at random in 2 %", kind: Kind::Fails, size: 20, ..PLAIN },
    Row { name: "failures in 0.5 % buy gains", kind: Kind::Bought, size: 5, ..PLAIN },
    Row { name: "failures in 1 % buy gains", kind: Kind::Bought, size: 10, ..PLAIN },
    Row { name: "failures in 2 % buy gains", kind: Kind::Bought, size: 20, ..PLAIN },
    Row {
        name: "failures in 0.5 % buy gains, 300 games of selection",
        kind: Kind::Bought,
        size: 5,
        finals: 300,
        ..PLAIN
    },
    Row {
        name: "failures in 1 % buy gains, 300 games of selection",
        kind: Kind::Bought,
        size: 10,
        finals: 300,
        ..PLAIN
    },
    Row {
        name: "failures in 2 % buy gains, 300 games of selection",
        kind: Kind::Bought,
        size: 20,
        finals: 300,
        ..PLAIN
    },
    Row { name: "capped scores, noise 10 %", kind: Kind::Capped, noise: 100, ..PLAIN },
    Row { name: "scores 1, 2 or 3", kind: Kind::Ties, ..PLAIN },
    Row { name: "load drifts by 3 %", kind: Kind::Drift, size: 30, ..PLAIN },
    Row { name: "load in bursts of 10 %", kind: Kind::Bursts, size: 100, ..PLAIN },
    Row { name: "3 % slower each 100 trials", kind: Kind::Ramp, size: 300, ..PLAIN },
    Row { name: "first play of an input 3 % slower", kind: Kind::Cold, size: 30, ..PLAIN },
    Row { name: "the same of 20 instances", kind: Kind::Cold, size: 30, shape: LISTED, ..PLAIN },
    Row { name: "failures in 0.5 % buy gains, noise 0.3 %", kind: Kind::Bought, noise: 3, size: 5, ..PLAIN },
    Row { name: "failures in 1 % buy gains, noise 0.3 %", kind: Kind::Bought, noise: 3, size: 10, ..PLAIN },
    Row { name: "failures in 2 % buy gains, noise 0.3 %", kind: Kind::Bought, noise: 3, size: 20, ..PLAIN },
    Row { name: "failures in 5 % buy gains, noise 0.3 %", kind: Kind::Bought, noise: 3, size: 50, ..PLAIN },
    Row { name: "loses in 1 of 50", kind: Kind::Loses, noise: 1, size: 50, ..PLAIN },
    Row { name: "loses in 1 of 200", kind: Kind::Loses, noise: 1, size: 200, ..PLAIN },
    Row { name: "chaos 30 %, 2 scenarios", kind: Kind::Chaos, noise: 300, shape: TWO, ..PLAIN },
    Row { name: "chaos 10 %, 6 scenarios", kind: Kind::Chaos, noise: 100, shape: SIX, ..PLAIN },
    Row { name: "chaos 30 %, 6 scenarios", kind: Kind::Chaos, noise: 300, shape: SIX, ..PLAIN },
    Row { name: "limit each, exceeded in 2 %", kind: Kind::Exceeds, noise: 50, size: 20, shape: EACH, ..PLAIN },
    Row { name: "limit each, exceeded in 1 %", kind: Kind::Exceeds, noise: 50, size: 10, shape: EACH, ..PLAIN },
    Row { name: "limit each, exceeded in 0.5 %", kind: Kind::Exceeds, noise: 50, size: 5, shape: EACH, ..PLAIN },
    Row { name: "baseline at a limit, score worse", kind: Kind::Pays, noise: 50, shape: MEAN, ..PLAIN },
    Row { name: "baseline at four limits, score worse", kind: Kind::Pays, noise: 50, shape: MEANS, ..PLAIN },
    Row { name: "a trial slows the next by 3 %", kind: Kind::Carries, size: 30, ..PLAIN },
    Row { name: "noise 0.3 %", noise: 3, ..PLAIN },
    Row { name: "noise 10 %, a limit each never exceeded", kind: Kind::Exceeds, noise: 100, shape: EACH, ..PLAIN },
    Row { name: "noise 10 %, three groups", noise: 100, shape: GROUPS, ..PLAIN },
    Row { name: "gains by instance, 20 instances", kind: Kind::Instances, size: 100, shape: LISTED, ..PLAIN },
];

const GAINS: [Row; 5] = [
    Row { name: "gain 1 %, noise 3 %", kind: Kind::Gain, size: 10, ..PLAIN },
    Row { name: "gain 2 %, noise 3 %", kind: Kind::Gain, size: 20, ..PLAIN },
    Row { name: "gain 5 %, noise 3 %, 20 instances", kind: Kind::Gain, size: 50, shape: LISTED, ..PLAIN },
    Row { name: "gain 5 %, noise 10 %", kind: Kind::Gain, noise: 100, size: 50, ..PLAIN },
    Row { name: "gain 20 %, noise 30 %", kind: Kind::Gain, noise: 300, size: 200, ..PLAIN },
];

/// The smallest number of verdicts in a reported cell.
const LEAST: usize = 10;

const GOALS: [&str; 2] = ["maximize", "minimize"];
const OPTIMIZERS: [&str; 3] = ["auto", "genetic", "wander"];

/// The results of the runs of a cell.
struct Cell {
    scale: &'static str,
    goal: &'static str,
    optimizer: &'static str,
    /// Whether each run claimed an improvement, for runs whose finalist was not the start.
    claims: Vec<bool>,
    /// Whether each claimed one without the line about unseen losses.
    unwarned: Vec<bool>,
    /// Whether the verdict of each says that a group is worse.
    worse: Vec<bool>,
    runs: usize,
}

impl Row {
    fn job(&self, scale: &str, goal: &str, optimizer: &str, budget: Option<u64>, seed: u64) -> Job {
        let game = Noise::on(scale, self.shape).game();
        let test = if self.shape.is_listed { 100 } else { 300 };
        let sizes = format!("validation = 30\nselection = {}\ntest = {test}\n", self.finals);
        let limits = match (optimizer, budget) {
            ("genetic", None) => format!("population = 8\ntrials = 8\nbudget = 1300\n{sizes}"),
            ("genetic", Some(budget)) => format!("population = 4\ntrials = 2\nelites = 1\nbudget = {budget}\n"),
            ("auto", None) => format!("budget = 1300\n{sizes}"),
            ("auto", Some(budget)) => format!("budget = {budget}\n"),
            (_, None) => format!("generations = 1\n{sizes}"),
            (_, Some(budget)) => format!("generations = 1\nvalidation = 0\nselection = 0\ntest = {}\n", budget / 6),
        };
        let Row { kind, noise, size, .. } = self;
        let text = format!(
            "name = \"run\"\nseed = {seed}\n[game]\nname = \"{}\"\nkind = \"{}\"\ngoal = \"{goal}\"\nnoise = {noise}\n\
             size = {size}\nroll = {seed}\n[search]\noptimizer = \"{optimizer}\"\n{limits}",
            game.name(),
            kind.name(),
        );
        job(&text, &Catalogue::new(&[game]).with_method(&WANDER))
    }

    /// Returns the seed of a run. No two cells have the same noise.
    fn seed(&self, cell: usize, run: u64) -> u64 {
        u64::from(crc32fast::hash(format!("{} {cell} {run}", self.name).as_bytes()))
    }

    fn cells(&self, runs: u64, budget: Option<u64>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for scale in SCALES {
            for goal in GOALS {
                for optimizer in OPTIMIZERS {
                    let job = |run| self.job(scale, goal, optimizer, budget, self.seed(cells.len(), run));
                    let verdicts = spread(runs, |run| carry_out(&job(run)));
                    let tried = || verdicts.iter().filter_map(Verdict::compared);
                    let is_better = |one: &Compared| one.found() == Found::Better;
                    let claims = tried().map(is_better).collect();
                    let unwarned = tried().map(|one| is_better(one) && one.unseen.is_none()).collect();
                    let direction =
                        |one: &Compared| one.goal.as_ref().map_or(Direction::Maximize, |goal| goal.direction);
                    let worse = tried().map(|one| !worse(&one.groups, direction(one)).is_empty()).collect();
                    cells.push(Cell { scale, goal, optimizer, claims, unwarned, worse, runs: verdicts.len() });
                }
            }
        }
        cells
    }

    /// Returns the share of explanations that find worth in some part of a recommendation whose
    /// weights have all moved.
    fn explanations(&self, runs: u64) -> Share {
        let settled = spread(runs, |run| {
            let (scale, goal) = (SCALES[(run / 2 % 4) as usize], GOALS[(run % 2) as usize]);
            let seed = self.seed(usize::MAX, run);
            let job = self.job(scale, goal, "auto", None, seed);
            let problem = &*job.problem;
            let evaluator = Serial::open(problem, Context::default()).expect("the problem can be played");
            let values = [0.5, -0.5, 0.25];
            let subject = Subject { problem, space: &job.space, values: &values };
            let worths = subject.explain(&evaluator, seed, 200, &mut |_, _| {}).unwrap_or_else(|what| panic!("{what}"));
            worths.iter().any(|one| one.worth.low > 0.0 || one.worth.high < 0.0)
        });
        Share::of(settled)
    }
}

/// Pools the claims without a warning.
fn unwarned(cells: &[Cell]) -> Share {
    Share::of(cells.iter().flat_map(|cell| cell.unwarned.iter().copied()))
}

/// Pools the claims of the cells for which a condition holds.
fn pooled(cells: &[Cell], is: impl Fn(&Cell) -> bool) -> Share {
    Share::of(cells.iter().filter(|cell| is(cell)).flat_map(|cell| cell.claims.iter().copied()))
}

fn columns(cells: &[Cell]) -> String {
    let of = |is: &dyn Fn(&Cell) -> bool| pooled(cells, is).percent();
    let scales = SCALES.iter().map(|scale| of(&|cell| cell.scale == *scale));
    let goals = GOALS.iter().map(|goal| of(&|cell| cell.goal == *goal));
    let optimizers = OPTIMIZERS.iter().map(|optimizer| of(&|cell| cell.optimizer == *optimizer));
    scales.chain(goals).chain(optimizers).collect::<Vec<_>>().join(" | ")
}

fn head(title: &str, last: &str) {
    println!(
        "\n| {title} | runs | verdicts | % claimed | {} | {} | {} |{last}",
        SCALES.join(" | "),
        GOALS.join(" | "),
        OPTIMIZERS.join(" | "),
    );
    println!("|---|{}", "---|".repeat(12 + last.matches('|').count()));
}

pub fn run(runs: u64, budget: Option<u64>, only: &str) {
    let (mut above, mut all, mut grouped) = (Vec::new(), Vec::new(), Vec::new());
    head("nothing is gained", " % without `unseen` | `explain`, % of 200 |");
    for row in NULL.iter().filter(|row| row.name.contains(only)) {
        let cells = row.cells(runs, budget);
        let claims = pooled(&cells, |_| true);
        let runs: usize = cells.iter().map(|cell| cell.runs).sum();
        let explained = row.explanations(200);
        println!(
            "| {} | {runs} | {} | {claims} | {} | {} | {} |",
            row.name,
            claims.of,
            columns(&cells),
            unwarned(&cells).percent(),
            explained.percent()
        );
        above.extend(named(row.name, claims, ROW, ALLOWED));
        above.extend(named(&format!("`explain`, {}", row.name), explained, ROW, 2.0 * ALLOWED));
        for cell in cells.iter().filter(|cell| cell.claims.len() >= LEAST) {
            let name = format!("{}, {}, {}, {}", row.name, cell.scale, cell.goal, cell.optimizer);
            above.extend(named(&name, Share::of(cell.claims.iter().copied()), CELL, ALLOWED));
        }
        if row.shape.groups > 0 {
            let worse = Share::of(cells.iter().flat_map(|cell| cell.worse.iter().copied()));
            grouped.push(format!("{}: {worse} % of {} verdicts say that a group is worse.", row.name, worse.of));
        }
        all.extend(cells);
    }
    if !all.is_empty() {
        let claims = pooled(&all, |_| true);
        let runs: usize = all.iter().map(|cell| cell.runs).sum();
        println!("| all | {runs} | {} | {claims} | {} | {} | |", claims.of, columns(&all), unwarned(&all).percent());
    }
    for said in grouped {
        println!("\n{said}");
    }
    println!("\nAbove the limit: {}.", if above.is_empty() { "none".to_string() } else { above.join("; ") });
    let gains: Vec<&Row> = GAINS.iter().filter(|row| row.name.contains(only)).collect();
    if !gains.is_empty() {
        head("something is gained", "");
    }
    for row in gains {
        let cells = row.cells(runs, budget);
        let claims = pooled(&cells, |_| true);
        let runs: usize = cells.iter().map(|cell| cell.runs).sum();
        println!("| {} | {runs} | {} | {claims} | {} |", row.name, claims.of, columns(&cells));
    }
}
