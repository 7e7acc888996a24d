//! The scale of a first job, and the reason for it.

/// The scale to propose, by the first scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Every instance counts equally.
    #[default]
    Relative,
    /// Some scores are not above 0, so that they have no ratios.
    RawNotPositive,
    /// There is a single instance.
    RawAlone,
}

impl Scale {
    /// Returns the scale for the scores of some trials, which may all be of the same instance.
    pub fn of(scores: &[f64], is_one_instance: bool) -> Self {
        match () {
            () if is_one_instance => Scale::RawAlone,
            () if scores.iter().all(|&score| score > 0.0) => Scale::Relative,
            () => Scale::RawNotPositive,
        }
    }

    /// Returns the value of the key `scale`.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Relative => "relative",
            Scale::RawNotPositive | Scale::RawAlone => "raw",
        }
    }

    /// Returns why this scale was chosen, and when to choose another one.
    pub fn reason(self) -> &'static str {
        match self {
            Scale::Relative => {
                "\"relative\" counts every instance equally, as contests that rank relative scores do; set \"raw\" if yours \
                 sums the scores"
            }
            Scale::RawNotPositive => {
                "\"raw\" sums the scores, because not all are above 0; if your contest ranks relative scores, print \
                 scores above 0 and set \"relative\""
            }
            Scale::RawAlone => "\"raw\" is the score itself, because there is a single instance",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_follows_from_the_scores() {
        assert_eq!(Scale::of(&[1.0, 2.0], false), Scale::Relative);
        assert_eq!(Scale::of(&[1.0, 0.0], false), Scale::RawNotPositive);
        assert_eq!(Scale::of(&[1.0, 1.0], true), Scale::RawAlone);
    }
}
