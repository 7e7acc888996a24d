//! Features of instances: numbers and words that are known before an instance is played, such as
//! the size of an input.

use std::collections::BTreeSet;
use std::fmt;

/// The features of the instances of a search, in the order of its list; empty if nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    columns: Vec<Feature>,
}

/// One feature of all instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// The name.
    pub name: String,
    /// The value of each instance.
    pub values: Values,
}

/// The values of a feature.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers, all finite.
    Numbers(Vec<f64>),
    /// Words, of which two are equal or not.
    Words(Vec<String>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Words(words) => words.len(),
        }
    }
}

/// Displays the name with the range of its numbers, or its words.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.values {
            Values::Numbers(numbers) => {
                let (low, high) = range(numbers);
                write!(f, "{} from {low} to {high}", self.name)
            }
            Values::Words(words) => {
                let words: BTreeSet<&str> = words.iter().map(String::as_str).collect();
                let named: Vec<&str> = words.iter().take(NAMED).copied().collect();
                let more = if words.len() > NAMED { ", ..." } else { "" };
                write!(f, "{} ({}{more})", self.name, named.join(", "))
            }
        }
    }
}

impl Feature {
    /// Returns the feature of the instances at some places.
    #[must_use]
    pub fn at(&self, places: &[usize]) -> Self {
        let values = match &self.values {
            Values::Numbers(numbers) => Values::Numbers(places.iter().map(|&place| numbers[place]).collect()),
            Values::Words(words) => Values::Words(places.iter().map(|&place| words[place].clone()).collect()),
        };
        Feature { name: self.name.clone(), values }
    }

    /// Returns the numbers on the scale on which instances are compared, from 0 to 1; `None` for
    /// words.
    pub fn on_scale(&self) -> Option<Vec<f64>> {
        matches!(self.values, Values::Numbers(_)).then(|| encoded(&self.values))
    }

    /// Returns the group of each instance: the value, or a range if there are many different
    /// numbers. Ranges have about the same number of instances each.
    pub fn groups(&self) -> Vec<String> {
        let numbers = match &self.values {
            Values::Words(words) => return words.clone(),
            Values::Numbers(numbers) => numbers,
        };
        let mut sorted = numbers.clone();
        sorted.sort_by(f64::total_cmp);
        let mut different = sorted.clone();
        different.dedup();
        if different.len() <= LISTED {
            return numbers.iter().map(f64::to_string).collect();
        }
        // Equal numbers share a range.
        let mut firsts: Vec<f64> = (0..RANGES).map(|range| sorted[range * sorted.len() / RANGES]).collect();
        firsts.dedup();
        let range = |number: f64| {
            let place = firsts.partition_point(|&first| first <= number);
            let below = firsts.get(place).map_or(different.len(), |next| different.partition_point(|x| x < next));
            match (firsts[place - 1], different[below - 1]) {
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first} to {last}"),
            }
        };
        numbers.iter().map(|&number| range(number)).collect()
    }
}

/// The largest number of different numbers that are groups of their own, and the number of ranges
/// of more.
const LISTED: usize = 8;
const RANGES: usize = 4;
/// The number of words in a line.
const NAMED: usize = 6;
/// Numbers above 0 that differ by at least this factor count by their logarithms.
const WIDE: f64 = 3.0;

impl Features {
    /// Combines features of the same instances. Leaves out a feature that is the same on all of
    /// them.
    ///
    /// # Panics
    /// If they are not of the same number of instances.
    pub fn new(columns: Vec<Feature>) -> Self {
        let count = columns.first().map_or(0, |feature| feature.values.len());
        assert!(columns.iter().all(|feature| feature.values.len() == count), "every instance has every feature");
        let differs = |feature: &Feature| match &feature.values {
            Values::Numbers(numbers) => numbers.iter().any(|number| *number != numbers[0]),
            Values::Words(words) => words.iter().any(|word| *word != words[0]),
        };
        Features { columns: columns.into_iter().filter(differs).collect() }
    }

    /// Returns the features that differ between instances.
    pub fn columns(&self) -> &[Feature] {
        &self.columns
    }

    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the number of instances; 0 if nothing is known.
    pub fn instances(&self) -> usize {
        self.columns.first().map_or(0, |feature| feature.values.len())
    }

    /// Returns the features of each instance on the scale on which instances are compared: numbers
    /// from 0 to 1, words as whole numbers.
    pub fn encoded(&self) -> Vec<Vec<f64>> {
        let columns: Vec<Vec<f64>> = self.columns.iter().map(|feature| encoded(&feature.values)).collect();
        (0..self.instances()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
    }
}

/// Returns whether numbers in this range count by their logarithms.
pub fn is_wide(low: f64, high: f64) -> bool {
    low > 0.0 && high >= WIDE * low
}

/// Returns the smallest and the largest of some numbers.
pub fn range(numbers: &[f64]) -> (f64, f64) {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    (least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

fn encoded(values: &Values) -> Vec<f64> {
    match values {
        Values::Words(words) => {
            let all: Vec<&String> = words.iter().collect::<BTreeSet<_>>().into_iter().collect();
            let place = |word: &String| all.binary_search(&word).expect("it is one of them");
            words.iter().map(|word| place(word) as f64).collect()
        }
        Values::Numbers(numbers) => {
            let (low, high) = range(numbers);
            let is_wide = is_wide(low, high);
            let on_scale: Vec<f64> =
                numbers.iter().map(|&number| if is_wide { libm::log(number) } else { number }).collect();
            let (low, high) = range(&on_scale);
            on_scale.iter().map(|number| (number - low) / (high - low)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_scaled_and_words_are_counted() {
        let feature = |name: &str, values| Feature { name: name.to_string(), values };
        let words = ["tree", "grid", "tree"].map(String::from).to_vec();
        let features = Features::new(vec![
            feature("n", Values::Numbers(vec![10.0, 100.0, 1000.0])),
            feature("k", Values::Numbers(vec![2.0, 3.0, 5.0])),
            feature("same", Values::Numbers(vec![7.0; 3])),
            feature("kind", Values::Words(words)),
        ]);
        let names: Vec<&str> = features.columns().iter().map(|feature| feature.name.as_str()).collect();
        assert_eq!(names, ["n", "k", "kind"], "what does not differ says nothing");
        let shown: Vec<String> = features.columns().iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["n from 10 to 1000", "k from 2 to 5", "kind (grid, tree)"]);
        let rows = features.encoded();
        assert_eq!((rows[0].clone(), rows[2].clone()), (vec![0.0, 0.0, 1.0], vec![1.0, 1.0, 1.0]));
        assert!((rows[1][0] - 0.5).abs() < 1e-12 && rows[1][1..] == [1.0 / 3.0, 0.0]);
        let groups = |numbers: Vec<f64>| feature("n", Values::Numbers(numbers)).groups();
        assert_eq!(groups(vec![2.0, 3.5, 2.0]), ["2", "3.5", "2"]);
        let many: Vec<f64> = (0..20).map(f64::from).collect();
        assert_eq!(groups(many)[4..6], ["0 to 4", "5 to 9"]);
        // Half of them are the same.
        let skewed = [vec![7.0; 10], (11..21).map(f64::from).collect()].concat();
        assert_eq!(
            groups(skewed)[9..17],
            ["7", "11 to 15", "11 to 15", "11 to 15", "11 to 15", "11 to 15", "16 to 20", "16 to 20"]
        );
        assert_eq!((Features::default().instances(), Features::default().encoded().len()), (0, 0));
    }
}
