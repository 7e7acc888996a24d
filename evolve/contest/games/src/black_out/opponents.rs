//! The opponents of programs.

use super::cache;
use super::oracle::Oracle;
use super::settings::Choice;
use chacha20::ChaCha8Rng;
use evolve_search::model::problem::Context;
use evolve_search::model::seed::generator;
use policy::black_out::board::{SEGMENT, SEGMENTS, Squares, free, moves};
use policy::black_out::exact::Solver;
use policy::clock::Clock;
use rand::RngExt;
use std::sync::Arc;

/// The number of free squares from which opponents solve the end of a game.
pub const HORIZON: u32 = 14;

/// The erring opponent makes one random move in this number of moves that it could have solved.
const ERRS: u32 = 6;

#[derive(Clone)]
enum Kind {
    /// Plays by the solution of the whole game.
    Perfect(Arc<Oracle>),
    /// Plays any move, until it can solve the rest.
    Solving,
    /// Plays like `Solving`, with occasional random moves.
    Erring,
    /// Plays the move that blackens most squares.
    Greedy,
    /// Plays any move.
    Random,
}

/// The strategies in mixed games; a more frequent entry is more likely.
const MIXED: [Kind; 5] = [Kind::Solving, Kind::Solving, Kind::Erring, Kind::Greedy, Kind::Random];

/// The opponents of a set of games.
#[derive(Clone)]
pub struct Opponents {
    /// The strategy in all games; `None` if it varies between games.
    kind: Option<Kind>,
}

impl Opponents {
    /// Creates the opponents of a choice. Solves the game here if they need the solution, on the
    /// threads that will play, rather than during the first game.
    pub fn open(choice: Choice, context: &Context) -> Self {
        let kind = match choice {
            Choice::Mixed => None,
            Choice::Perfect => Some(Kind::Perfect(cache::oracle(context))),
            Choice::Solving => Some(Kind::Solving),
            Choice::Erring => Some(Kind::Erring),
            Choice::Greedy => Some(Kind::Greedy),
            Choice::Random => Some(Kind::Random),
        };
        Opponents { kind }
    }

    /// Returns the opponent in the game dealt from `deal`.
    pub fn deal(&self, deal: u64) -> Opponent {
        let mut random = generator(deal);
        let mixed = |random: &mut ChaCha8Rng| MIXED[random.random_range(0..MIXED.len() as u32) as usize].clone();
        let kind = self.kind.clone().unwrap_or_else(|| mixed(&mut random));
        let traps = random.random_range(0..2u32) == 0;
        Opponent { kind, random, traps }
    }
}

/// An opponent in one game.
pub struct Opponent {
    kind: Kind,
    random: ChaCha8Rng,
    /// Whether the perfect opponent, where it cannot win, sets as many traps as possible; otherwise
    /// it then makes any move.
    traps: bool,
}

impl Opponent {
    /// Returns the name in reports.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Perfect(_) => "perfect",
            Kind::Solving => "solving",
            Kind::Erring => "erring",
            Kind::Greedy => "greedy",
            Kind::Random => "random",
        }
    }

    /// Chooses a move, as an index of the list of segments. At least one square must be free.
    pub fn choose(&mut self, black: Squares, solver: &mut Solver) -> usize {
        let mut all = [0; SEGMENTS];
        let mut count = 0;
        for i in moves(black) {
            all[count] = i;
            count += 1;
        }
        let all = &mut all[..count];
        // A random order makes any of several equal moves equally likely to be first.
        for i in (1..count).rev() {
            all.swap(i, self.random.random_range(0..=i as u32) as usize);
        }
        let any = all[0];
        let next = |i: usize| black | SEGMENT[i].squares;
        match &self.kind {
            Kind::Random => any,
            Kind::Greedy => least(all, |i| free(next(i))),
            Kind::Erring if self.random.random_range(0..ERRS) == 0 => any,
            Kind::Solving | Kind::Erring if free(black) > HORIZON => any,
            Kind::Solving | Kind::Erring => {
                let wins = |&&i: &&usize| solver.is_lost(next(i), &Clock::UNLIMITED) == Some(true);
                all.iter().find(wins).copied().unwrap_or(any)
            }
            Kind::Perfect(oracle) => match all.iter().find(|&&i| oracle.is_lost(next(i))) {
                Some(&winning) => winning,
                None if self.traps => {
                    let wins = |black: Squares, i: &usize| oracle.is_lost(black | SEGMENT[*i].squares);
                    least(all, |i| moves(next(i)).filter(|j| wins(next(i), j)).count() as u32)
                }
                None => any,
            },
        }
    }
}

fn least(all: &[usize], key: impl Fn(usize) -> u32) -> usize {
    all.iter().copied().min_by_key(|&i| key(i)).expect("a game that is not over has moves")
}

#[cfg(test)]
mod tests {
    use super::*;
    use policy::black_out::board::ALL;

    fn opponents(choice: Choice) -> Opponents {
        Opponents::open(choice, &Context::default())
    }

    #[test]
    fn solvers_win_won_positions_and_the_greedy_opponent_takes_most() {
        let mut solver = Solver::new();
        for deal in 0..50 {
            // The position has a heap of three and a heap of one; taking two from the larger heap
            // wins.
            let black = ALL & !(0b111 | 1 << 10);
            let reply = opponents(Choice::Solving).deal(deal).choose(black, &mut solver);
            assert_eq!(solver.is_lost(black | SEGMENT[reply].squares, &Clock::UNLIMITED), Some(true));
            let reply = opponents(Choice::Greedy).deal(deal).choose(black, &mut solver);
            assert_eq!(SEGMENT[reply].squares & 0b111, 0b111);
        }
    }

    #[test]
    fn the_mixture_has_all_quick_kinds() {
        let mut names: Vec<_> = (0..200).map(|deal| opponents(Choice::Mixed).deal(deal).name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, ["erring", "greedy", "random", "solving"]);
    }
}
