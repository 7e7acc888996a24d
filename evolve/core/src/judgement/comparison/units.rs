//! The unit of observation in a comparison: a case, or an instance with all its replicates.

use super::{Difference, Looks, Patience, looks};
use evolve_search::model::problem::Problem;
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use evolve_search::statistics::{self, Estimate};

/// The cases of a split, grouped into independent units.
///
/// Where a problem has a list of instances, cases of the same instance are not independent, because
/// the gain of a change depends on the instance. An instance with its replicates is then one unit,
/// and its mean difference is one observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// The number of units.
    pub count: usize,
    pub cases: usize,
    /// Whether units are instances rather than cases.
    pub instances: bool,
}

impl Units {
    /// Groups the first `cases` cases of a split into units.
    pub fn of(problem: &dyn Problem, split: Split, cases: usize) -> Self {
        match problem.instances(split).map_or(0, |names| names.len()) {
            0 => Units { count: cases, cases, instances: false },
            names => Units { count: names.min(cases), cases, instances: true },
        }
    }

    /// Plans the interim analyses of a comparison over all units.
    pub fn looks(&self, alpha: f64, patience: Patience) -> Looks {
        Looks::planned(alpha, self.count, patience)
    }

    /// Returns the number of units to play between `played` and the next look.
    pub fn next_batch(&self, played: usize) -> usize {
        looks::counts(self.count).into_iter().find(|&look| look > played).map_or(0, |look| look - played)
    }

    /// Returns the number of units in the first `cases` cases; `None` if these cases do not form
    /// whole batches.
    pub fn in_batches(&self, cases: usize) -> Option<usize> {
        let looks = std::iter::once(0).chain(looks::counts(self.count));
        looks.into_iter().find(|&units| self.cases_before(units) == cases)
    }

    /// Returns the cases of the units from `first` to before `last`, in the order of play.
    pub fn between(&self, run: u64, split: Split, first: usize, last: usize) -> Vec<Case> {
        self.numbers(first, last).map(|number| Case::at(run, split, number as u64)).collect()
    }

    /// Returns the numbers of the cases of units in the order of play: the first replicates of all
    /// units, then the second ones, backwards, and so on. Two candidates that
    /// [take turns](evolve_search::model::trial::order) then play equally many new instances first:
    /// the first trial of an instance is slow if its file is not cached. They also start equally
    /// many trials of each instance.
    fn numbers(&self, first: usize, last: usize) -> impl Iterator<Item = usize> + use<> {
        let Units { count, cases, .. } = *self;
        let replicates = 0..cases.div_ceil(count.max(1));
        let units = move |replicate| {
            (first..last).map(move |unit| if replicate % 2 == 0 { unit } else { first + last - 1 - unit })
        };
        let number = move |replicate| units(replicate).map(move |unit| unit + replicate * count);
        replicates.flat_map(number).filter(move |&number| number < cases)
    }

    /// Orders values unit by unit, which are in the order of play from the unit `first` on.
    ///
    /// # Panics
    /// If the values end within a unit.
    pub fn by_unit<T: Clone>(&self, first: usize, played: &[T]) -> Vec<T> {
        let last =
            (first..=self.count).find(|&last| self.cases_before(last) == self.cases_before(first) + played.len());
        self.sorted(self.numbers(first, last.expect("whole units")), played)
    }

    /// Orders values unit by unit, given the numbers of their cases.
    fn sorted<T: Clone>(&self, numbers: impl Iterator<Item = usize>, values: &[T]) -> Vec<T> {
        let mut values: Vec<(usize, &T)> = numbers.zip(values).collect();
        values.sort_by_key(|&(number, _)| (number % self.count, number));
        values.into_iter().map(|(_, value)| value.clone()).collect()
    }

    /// Returns the number of cases in the units before `unit`.
    pub fn cases_before(&self, unit: usize) -> usize {
        match self.count {
            0 => 0,
            count => unit * (self.cases / count) + unit.min(self.cases % count),
        }
    }

    /// Returns one observation for each unit from `first` on. `differences` are ordered
    /// [by unit](Self::by_unit).
    ///
    /// # Panics
    /// If the differences end within a unit.
    pub fn observations(&self, first: usize, differences: &[Difference]) -> Vec<Difference> {
        self.split(first, differences).into_iter().map(Difference::mean).collect()
    }

    /// Returns the mean of each unit. `values` are ordered [by unit](Self::by_unit).
    ///
    /// # Panics
    /// If the values end within a unit.
    pub fn means(&self, values: &[f64]) -> Vec<f64> {
        self.split(0, values).into_iter().map(statistics::mean).collect()
    }

    /// Estimates the mean of all units from their means. `values` are ordered
    /// [by unit](Self::by_unit).
    ///
    /// # Panics
    /// If the values end within a unit.
    pub fn estimate(&self, values: &[f64]) -> Estimate {
        Estimate::of(&self.means(values))
    }

    /// Returns one observation for each unit. `differences` are ordered by the number of their
    /// case.
    pub fn observations_by_number(&self, differences: &[Difference]) -> Vec<Difference> {
        self.observations(0, &self.sorted(0..self.cases, differences))
    }

    /// Splits values, ordered unit by unit, into the units from `first` on.
    fn split<'v, T>(&self, first: usize, values: &'v [T]) -> Vec<&'v [T]> {
        let mut units = Vec::new();
        let mut rest = values;
        while !rest.is_empty() {
            let unit = first + units.len();
            let (own, others) = rest.split_at(self.cases_before(unit + 1) - self.cases_before(unit));
            units.push(own);
            rest = others;
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolve_search::model::trial::is_swapped;

    #[test]
    fn replicates_of_an_instance_are_one_unit() {
        let units = Units { count: 3, cases: 8, instances: true };
        let numbers = |first, last| {
            let cases = units.between(1, Split::Test, first, last);
            cases.iter().map(|case| case.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(0, 3), [0, 1, 2, 5, 4, 3, 6, 7]);
        assert_eq!(numbers(1, 2), [1, 4, 7]);
        assert_eq!(units.by_unit(0, &numbers(0, 3)), [0, 3, 6, 1, 4, 7, 2, 5]);
        assert_eq!(units.by_unit(1, &numbers(1, 3)), [1, 4, 7, 2, 5]);
        assert_eq!((0..4).map(|unit| units.cases_before(unit)).collect::<Vec<_>>(), [0, 3, 6, 8]);
        let values = |units: Vec<Difference>| units.iter().map(|unit| unit.value).collect::<Vec<_>>();
        let of = |all: &[f64]| all.iter().map(|&value| Difference::of(value)).collect::<Vec<_>>();
        assert_eq!(values(units.observations(0, &of(&[1.0, 2.0, 3.0, 5.0, 5.0, 5.0]))), [2.0, 5.0]);
        assert_eq!(values(units.observations(2, &of(&[1.0, 2.0]))), [1.5]);
        let numbered = of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(values(units.observations_by_number(&numbered)), [3.0, 4.0, 3.5]);
    }

    #[test]
    fn two_candidates_are_first_equally_often_on_new_instances_and_on_each() {
        for (count, cases) in [(20, 20), (20, 33), (20, 40), (20, 80), (7, 21), (40, 60)] {
            let units = Units { count, cases, instances: true };
            // The places at which the cases of each instance are played.
            let mut places = vec![Vec::new(); count];
            for (place, case) in units.between(1, Split::Test, 0, count).iter().enumerate() {
                places[case.number as usize % count].push(place);
            }
            let swapped = |places: &mut dyn Iterator<Item = &usize>| places.filter(|&&place| is_swapped(place)).count();
            let new = swapped(&mut places.iter().map(|of| &of[0]));
            assert!(new.abs_diff(count - new) <= 1, "{new} of {count} instances");
            if cases % count == 0 {
                let all = places.iter().all(|of| swapped(&mut of.iter()).abs_diff(of.len() / 2) <= of.len() % 2);
                assert!(all, "{places:?}");
            }
        }
    }

    #[test]
    fn cases_are_units_without_instances() {
        let units = Units { count: 5, cases: 5, instances: false };
        let failed = Difference { value: 4.0, failed: [true, false] };
        assert_eq!(units.observations_by_number(&[failed; 5]), [failed; 5]);
        assert_eq!(units.cases_before(4), 4);
    }
}
