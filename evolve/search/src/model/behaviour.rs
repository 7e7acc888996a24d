//! How the trials of a problem behave.

/// The behaviour of a problem's trials. The default is a game: calls of this process, on new cases
/// without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// Whether other programs execute the trials: they are then few and expensive, and can
    /// [fail](crate::model::trial::Outcome::failure); the state of the machine can affect them.
    /// They are played in the requested order, and a run records each in a table (`trials.csv`).
    ///
    /// Otherwise, this process executes them: they are cheap and never fail. Those of a candidate
    /// are played together, which creates fewer players.
    pub is_external: bool,
    /// The cause of differences between outcomes of the same candidate.
    pub variation: Variation,
    /// Whether outcomes depend on a rival's: players stop trials that are clearly worse, see
    /// [`play`](crate::model::problem::Player::play).
    pub has_rivals: bool,
    /// Whether the score is the run time.
    pub is_timed: bool,
    /// Whether the run time of a recommended candidate is limited.
    pub limits_time: bool,
}

/// The cause of differences between outcomes of the same candidate, from the least to the most
/// variation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variation {
    /// Nothing: all cases are the same.
    OneCase,
    /// The instance: its cases are the same, so that replicates of a trial give no new information.
    Instances,
    /// The case: each has its own outcome, which is always the same, apart from measured times.
    #[default]
    Cases,
    /// Chance: the same case can have other outcomes.
    Chance,
}

impl Behaviour {
    /// Returns whether the same candidate on the same case always has the same outcome, apart from
    /// measured times.
    pub fn reproduces(&self) -> bool {
        self.variation != Variation::Chance
    }

    /// Returns whether a trial that was played before would only repeat an outcome, at the cost of
    /// a program. An outcome that depends on a rival's can differ.
    pub fn repeats(&self) -> bool {
        self.is_external && self.reproduces() && !self.has_rivals
    }

    /// Returns whether the cases of an instance differ.
    pub fn has_replicates(&self) -> bool {
        matches!(self.variation, Variation::Cases | Variation::Chance)
    }

    /// Returns whether all cases are the same: there is one instance, and a candidate has one
    /// outcome.
    pub fn is_one_case(&self) -> bool {
        self.variation == Variation::OneCase
    }
}
