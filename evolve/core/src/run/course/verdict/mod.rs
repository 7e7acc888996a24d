//! The verdict of a run: whether the selected finalist is better than the baseline.

mod text;

use crate::job::Job;
use crate::job::recorded::{Found, RecordedVerdict};
use crate::judgement::comparison::{Answer, Comparison, Unseen};
use crate::judgement::feasibility::{ConstraintResults, Feasibility, Findings};
use crate::judgement::groups::{self, Group};
use crate::judgement::measured::{Measured, failures, scores};
use crate::judgement::paired::Paired;
use crate::judgement::versus::Versus;
use crate::run::course::finalist::Finalist;
use evolve_search::model::goal::{Direction, Goal};
use evolve_search::model::rating::{CONFIDENCE, Rating};
use evolve_search::optimizer::FinalistKind;
use evolve_search::statistics::{Estimate, Interval};
use serde::{Deserialize, Serialize};

/// What the outcomes of a test say.
pub(super) struct Judged {
    /// The comparison by the objective that decides.
    pub objectives: Comparison,
    pub constraints: ConstraintResults,
}

impl Judged {
    /// Returns whether further trials cannot change the verdict:
    ///
    /// - the finalist breaks a constraint;
    /// - the finalist is worse than a baseline that holds all constraints, or holds those that the
    ///   baseline breaks;
    /// - the finalist holds all constraints and is better, by a [settled](Comparison::is_settled)
    ///   difference.
    pub fn is_clear(&self) -> bool {
        let Judged { objectives, constraints } = self;
        match (constraints.finalist(), objectives.answer()) {
            (Feasibility::Infeasible, _) => true,
            (finalist, Answer::Worse) => {
                constraints.baseline() == Feasibility::Feasible
                    || finalist == Feasibility::Feasible && constraints.is_broken_by_baseline()
            }
            (Feasibility::Feasible, _) => objectives.is_settled(),
            (Feasibility::Unclear, _) => false,
        }
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The selection kept the baseline, so no test was played.
    Kept {
        /// Mean score of the baseline.
        start: f64,
        /// The result of the baseline for each constraint.
        constraints: ConstraintResults,
    },
    /// The search alone: the job disables the test.
    Untested { finalist: FinalistKind, generation: u64 },
    /// All outcomes of finalist and baseline: on the only case of the problem, or on the listed
    /// instances, with their number.
    Exact(Compared, Option<usize>),
    /// The held-out test.
    Tested(Compared, Sample),
}

/// The chosen finalist compared with the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The problem's [goal](evolve_search::model::problem::Problem::goal).
    pub goal: Option<Goal>,
    pub finalist: FinalistKind,
    pub generation: u64,
    /// Number of trials of each candidate.
    pub trials: usize,
    /// Mean score of the baseline.
    pub start: f64,
    /// Mean score of the finalist.
    pub mean: f64,
    /// Number of trials in which the baseline failed, and in which the finalist failed.
    pub failures: [usize; 2],
    /// Number of tuned parameters that have an effect, and number of all tuned parameters; `None`
    /// if unknown.
    pub matter: Option<(usize, usize)>,
    /// The differences, trial by trial, with their 95 % intervals. The intervals remain valid under
    /// any number of interim analyses; they use the means of instances if the problem lists some.
    pub paired: Paired,
    pub constraints: ConstraintResults,
    /// The scores by group of instances.
    pub groups: Vec<Group>,
    /// A loss that would cancel the gain, if it can have gone unseen.
    pub unseen: Option<Unseen>,
    /// The scale of the gains.
    pub rating: Rating,
}

/// The instances of a test, on which neither candidate was selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Largest number of trials that the test planned for each candidate.
    pub most: usize,
    /// Number of instances of the trials, if the problem lists instances, and whether the search
    /// used the same ones.
    pub instances: Option<(usize, bool)>,
    /// Standard errors of the mean scores of baseline and finalist, by the units of the comparison.
    pub errors: [f64; 2],
    /// Whether trials of the problem can fail, as far as is known.
    pub can_fail: bool,
}

impl Verdict {
    /// The verdict on a finalist, from what its test found by objectives, and by scores.
    pub(super) fn new(
        job: &Job,
        finalist: &Finalist,
        can_fail: bool,
        versus: Versus<'_>,
        Judged { objectives, constraints }: &Judged,
        of_scores: &Comparison,
    ) -> Self {
        let (units, sides) = (versus.units, [versus.baseline, versus.candidate]);
        let [of_start, of_finalist] = sides.map(|all| units.estimate(&scores(all)));
        let are_seen = || job.problem.is_tested_on_searched();
        let is_exact = job.problem.is_exact(units.cases);
        let compared = Compared {
            goal: job.problem.goal(),
            finalist: finalist.kind,
            generation: finalist.generation,
            trials: versus.candidate.len(),
            start: of_start.mean,
            mean: of_finalist.mean,
            failures: sides.map(failures),
            matter: finalist.matter.map(|matter| (matter, job.space.tuned_indices().len())),
            paired: Paired::new(versus, [objectives, of_scores], is_exact, constraints.confidence()),
            constraints: constraints.clone(),
            groups: versus.groups(is_exact),
            unseen: if is_exact { None } else { objectives.unseen() },
            rating: job.problem.rating(),
        };
        if is_exact {
            return Verdict::Exact(compared, units.instances.then_some(units.count));
        }
        let sample = Sample {
            most: units.cases,
            instances: units.instances.then(|| (objectives.count(), are_seen())),
            errors: [of_start, of_finalist].map(|of| of.standard_error),
            can_fail,
        };
        Verdict::Tested(compared, sample)
    }

    /// Returns the verdict of a run that chose the baseline, with its outcomes on held-out
    /// instances.
    pub(super) fn kept(job: &Job, start: &[Measured], findings: &Findings) -> Self {
        let constraints = ConstraintResults::of_baseline(&*job.problem, findings);
        Verdict::Kept { start: Estimate::of(&scores(start)).mean, constraints }
    }

    /// Returns the verdict of a run without a test.
    pub(super) fn untested(chosen: &Finalist) -> Self {
        Verdict::Untested { finalist: chosen.kind, generation: chosen.generation }
    }

    /// Returns the comparison with the baseline, if one was made.
    pub fn compared(&self) -> Option<&Compared> {
        match self {
            Verdict::Exact(compared, _) | Verdict::Tested(compared, _) => Some(compared),
            Verdict::Kept { .. } | Verdict::Untested { .. } => None,
        }
    }

    /// Returns the number of instances of the comparison, if one was made on listed instances.
    /// Several trials may have been played on each.
    pub fn instances(&self) -> Option<usize> {
        match self {
            Verdict::Exact(_, instances) => *instances,
            Verdict::Tested(_, sample) => sample.instances.map(|(count, _)| count),
            Verdict::Kept { .. } | Verdict::Untested { .. } => None,
        }
    }

    /// Returns the difference of objectives from the baseline, if it was measured.
    pub fn difference(&self) -> Option<Interval> {
        self.compared().map(|compared| compared.paired.gain())
    }

    /// Returns the result in brief.
    pub fn found(&self) -> Found {
        match self {
            Verdict::Kept { .. } => Found::Kept,
            Verdict::Untested { .. } => Found::Untested,
            Verdict::Exact(compared, _) | Verdict::Tested(compared, _) => compared.found(),
        }
    }

    /// Returns whether the run found a finalist that is better.
    pub fn is_improvement(&self) -> bool {
        self.found() == Found::Better
    }

    /// Returns whether the run recommends the finalist.
    pub fn recommends_finalist(&self) -> bool {
        self.found().recommends_finalist()
    }

    /// Returns the verdict as a weights file records it; `None` without a test.
    pub(in crate::run) fn recorded(&self) -> Option<RecordedVerdict> {
        match self {
            Verdict::Untested { .. } => None,
            Verdict::Kept { start, constraints } => Some(RecordedVerdict {
                improvement: false,
                holds: false,
                finalist: FinalistKind::Baseline,
                generation: 0,
                trials: 0,
                start: *start,
                mean: *start,
                difference: 0.0,
                low: 0.0,
                high: 0.0,
                confidence: CONFIDENCE,
                constraints: constraints.lines(),
                groups: Vec::new(),
            }),
            Verdict::Exact(compared, _) | Verdict::Tested(compared, _) => {
                let &Compared { finalist, generation, trials, start, mean, ref constraints, .. } = compared;
                let gain = compared.paired.gain();
                Some(RecordedVerdict {
                    improvement: compared.found() == Found::Better,
                    holds: compared.found() == Found::Holds,
                    finalist,
                    generation,
                    trials: trials as u64,
                    start,
                    mean,
                    difference: gain.mean,
                    low: gain.low,
                    high: gain.high,
                    confidence: compared.paired.confidence,
                    constraints: constraints.lines(),
                    groups: compared.group_lines(),
                })
            }
        }
    }
}

impl Compared {
    /// Returns the result of the comparison. A finalist that holds all constraints is better if the
    /// whole interval lies above zero, or if the baseline clearly breaks a constraint and the
    /// interval does not lie below zero.
    pub fn found(&self) -> Found {
        let Interval { low, high, .. } = self.paired.gain();
        match self.constraints.finalist() {
            Feasibility::Feasible if low > 0.0 => Found::Better,
            Feasibility::Feasible if !self.constraints.is_broken_by_baseline() => Found::NotBetter,
            Feasibility::Feasible if high >= 0.0 => Found::Better,
            Feasibility::Feasible if high < 0.0 => Found::Holds,
            _ => Found::NotBetter,
        }
    }

    /// Returns the direction of the score.
    fn direction(&self) -> Direction {
        self.goal.as_ref().map_or(Direction::Maximize, |goal| goal.direction)
    }

    fn group_lines(&self) -> Vec<String> {
        groups::lines(&self.groups, self.direction())
    }
}
