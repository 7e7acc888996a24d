//! Games of contests. A contest plays with programs by a protocol, so its game is a [`Problem`]
//! with more roles: it judges programs ([`Judge`]), exports them ([`Exportable`]), and replays its
//! trials ([`Replayable`]); some games can prove that a player cannot be beaten ([`Provable`]).
//!
//! The tuner knows none of this: jobs, runs and comparisons need only the problem. What needs a
//! role asks [`Games`] for the contest behind a problem.

#![warn(missing_docs)]

pub mod export;
pub mod judge;
pub mod proof;
pub mod replay;

use evolve_core::job::Game;
use evolve_search::model::problem::Problem;
use export::Exportable;
use judge::Judge;
use proof::Provable;
use replay::Replayable;
use std::any::Any;
use std::ops::Deref;

/// A game of a contest. Each role is optional.
pub trait Contest: Problem {
    /// The judge of programs.
    fn judge(&self) -> Option<&dyn Judge> {
        None
    }

    /// The prover, which shows that no opponent can beat a player.
    fn provable(&self) -> Option<&dyn Provable> {
        None
    }

    /// The exporter of policies to programs.
    fn exportable(&self) -> Option<&dyn Exportable> {
        None
    }

    /// The source of move-by-move replays.
    fn replayable(&self) -> Option<&dyn Replayable> {
        None
    }
}

/// The games that files can name, some of them of contests. Without contests, a list of [`Game`]s
/// is enough.
#[derive(Clone, Default)]
pub struct Games {
    all: Vec<Game>,
    contests: Vec<As>,
}

/// Returns a problem as a contest if it has the type of one game.
type As = fn(&dyn Problem) -> Option<&dyn Contest>;

impl Games {
    /// Adds a game whose problems have the type `T`.
    ///
    /// # Panics
    /// If they have another type.
    #[must_use]
    pub fn with<T: Contest>(mut self, game: Game) -> Self {
        let contest: As = |problem| (problem as &dyn Any).downcast_ref::<T>().map(|game| game as &dyn Contest);
        assert!(contest(&*game.sample).is_some(), "`{}` has another type", game.name());
        self.contests.push(contest);
        self.all.push(game);
        self
    }

    /// Adds games that are no contests.
    #[must_use]
    pub fn and(mut self, games: impl IntoIterator<Item = Game>) -> Self {
        self.all.extend(games);
        self
    }

    /// Returns the contest behind a problem; `None` if it is something else, such as a program.
    pub fn contest<'a>(&self, problem: &'a dyn Problem) -> Option<&'a dyn Contest> {
        self.contests.iter().find_map(|contest| contest(problem))
    }
}

impl<I: IntoIterator<Item = Game>> From<I> for Games {
    fn from(games: I) -> Self {
        Games::default().and(games)
    }
}

/// The games in listing order.
impl Deref for Games {
    type Target = [Game];

    fn deref(&self) -> &[Game] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::parameter::Parameter;
    use evolve_search::model::problem::{Context, OpenError, Session};
    use std::sync::Arc;

    struct Coin(&'static str);
    struct Dice;

    impl Problem for Coin {
        fn name(&self) -> &str {
            self.0
        }

        fn parameters(&self) -> Vec<Parameter> {
            Vec::new()
        }

        fn open(&self, _: Context) -> Result<Box<dyn Session>, OpenError> {
            Err("it only has a type".to_string().into())
        }
    }

    impl Problem for Dice {
        fn name(&self) -> &str {
            "dice"
        }

        fn parameters(&self) -> Vec<Parameter> {
            Vec::new()
        }

        fn open(&self, context: Context) -> Result<Box<dyn Session>, OpenError> {
            Coin("coin").open(context)
        }
    }

    impl Contest for Coin {}

    #[test]
    fn the_type_of_a_problem_decides_whether_it_is_a_contest() {
        let games = Games::default().with::<Coin>(Game::plain(Arc::new(Coin("coin"))));
        let games = games.and([Game::plain(Arc::new(Dice))]);
        assert_eq!(games.iter().map(Game::name).collect::<Vec<_>>(), ["coin", "dice"]);
        // A problem that a file made, which is not the sample of the list.
        assert_eq!(games.contest(&Coin("other")).map(|contest| contest.name()), Some("other"));
        assert!(games.contest(&Dice).is_none() && Games::from([]).contest(&Coin("coin")).is_none());
    }

    #[test]
    #[should_panic(expected = "`dice` has another type")]
    fn another_type_is_refused() {
        let _ = Games::default().with::<Coin>(Game::plain(Arc::new(Dice)));
    }
}
