//! Replays of games.

use super::BlackOut;
use super::duel::{Answer, Duel};
use super::opponents::Opponents;
use evolve_contest::replay::{Considered, Face, Place, Probes, Replay, Replayable, Response, Step, Why};
use evolve_search::model::problem::{Candidate, Context};
use evolve_search::model::trial::{Case, PlayError};
use policy::black_out::board::{ALL, COLUMNS, ROWS, SEGMENT, Squares, finish, free, moves};
use policy::black_out::exact::Solver;
use policy::black_out::player::Settings;
use policy::black_out::weights::Weights;
use policy::clock::Clock;

const FREE: u16 = 0;
const OWN: u16 = 1;
const THEIR: u16 = 2;

impl Replayable for BlackOut {
    fn replay(&self, candidate: Candidate<'_>, deals: &[Case], context: &Context) -> Result<Vec<Replay>, PlayError> {
        let mut player = self.player(candidate.values());
        let read = |values: &[f64]| Weights::from_values(values.try_into().expect("one value a weight"));
        let mut judge = Judge {
            probes: Probes::new(candidate.values(), read),
            exact: Settings::from(self.player).exact,
            solver: Solver::new(),
        };
        let mut solver = Solver::new();
        let opponents = Opponents::open(self.options.opponent, context);
        let play = |deal: &Case| {
            let mut duel = Duel::new(&opponents, deal.seed);
            let mut steps = Vec::new();
            loop {
                let black = duel.black();
                let choice = player.choose(black, &Clock::UNLIMITED).expect("the game is not over");
                let after = black | SEGMENT[choice].squares;
                let mut step = Step {
                    name: name(choice),
                    cells: cells(SEGMENT[choice].squares),
                    legal: cells(!black & ALL),
                    changes: changes(black, after, OWN),
                    why: Some(judge.why(black, choice)),
                    ..Step::default()
                };
                let answer = duel.make_move(choice, &mut solver);
                let reply = match answer {
                    Answer::Move(reply) => Some(reply),
                    Answer::Over(_) => finish(after),
                };
                step.reply = reply.map(|reply| Response {
                    name: name(reply),
                    cells: cells(SEGMENT[reply].squares),
                    changes: changes(after, after | SEGMENT[reply].squares, THEIR),
                });
                steps.push(step);
                if let Answer::Over(outcome) = answer {
                    let won = after == ALL;
                    return Replay {
                        look: "squares",
                        rows: ROWS,
                        columns: COLUMNS,
                        faces: vec![Face::new("", "free"), Face::new("", "own"), Face::new("", "their")],
                        start: vec![FREE; ROWS * COLUMNS],
                        facts: outcome.groups.into_iter().map(|opponent| ("opponent", opponent)).collect(),
                        parts: Vec::new(),
                        steps,
                        score: outcome.score,
                        ending: if won { "won: the last square" } else { "lost: the opponent took the last square" }
                            .to_string(),
                    };
                }
            }
        };
        Ok(deals.iter().map(play).collect())
    }
}

/// Names a move by rows and columns from 1, such as `r2 c1-4`.
fn name(choice: usize) -> String {
    let segment = &SEGMENT[choice];
    let range = |from: u8, to: u8| match from == to {
        true => (from + 1).to_string(),
        false => format!("{}-{}", from + 1, to + 1),
    };
    format!("r{} c{}", range(segment.from.0, segment.to.0), range(segment.from.1, segment.to.1))
}

fn cells(squares: Squares) -> Vec<Place> {
    (0..(ROWS * COLUMNS) as Place).filter(|&place| squares >> place & 1 == 1).collect()
}

fn changes(before: Squares, after: Squares, face: u16) -> Vec<(Place, u16)> {
    cells(after & !before).into_iter().map(|place| (place, face)).collect()
}

/// Explains the moves of a player.
struct Judge {
    probes: Probes<Weights>,
    exact: u32,
    solver: Solver,
}

impl Judge {
    fn why(&mut self, black: Squares, choice: usize) -> Why {
        let mut pool: Vec<usize> = moves(black).collect();
        if pool.len() == 1 {
            return Why::only();
        }
        let mut note = None;
        if free(black) <= self.exact {
            let mut wins = |i: &usize| self.solver.is_lost(black | SEGMENT[*i].squares, &Clock::UNLIMITED);
            let winning: Vec<usize> = pool.iter().copied().filter(|i| wins(i) == Some(true)).collect();
            note = match winning.len() {
                0 => Some("the rest is solved: every move loses against best play, so the values decide".to_string()),
                1 => return Why::decided("the rest is solved: the only winning move"),
                count => Some(format!("the rest is solved: the values decide among {count} winning moves")),
            };
            if !winning.is_empty() {
                pool = winning;
            }
        }
        let chosen = pool.iter().position(|&i| i == choice).expect("the chosen move is among the considered ones");
        let described =
            |&i: &usize| Considered { name: name(i), cells: cells(SEGMENT[i].squares), ..Considered::default() };
        let value = |weights: &Weights, &i: &usize| weights.value(black | SEGMENT[i].squares);
        Why { note, ..self.probes.why(&pool, chosen, described, value) }
    }
}
