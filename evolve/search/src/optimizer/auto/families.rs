//! Families of coordinates, which move together more than others: a good change of `moves_1` is
//! often good for `moves_2`.

use crate::model::space::Coordinate;

#[derive(Clone, Debug, PartialEq)]
pub struct Families {
    /// The indices of each family's members, two or more.
    members: Vec<Vec<usize>>,
}

/// The largest excess variance of a family's sum, relative to one member. In families of more than
/// four members, the correlation falls below a half.
const TOGETHER: f64 = 4.0;

impl Families {
    pub fn of(space: &[Coordinate]) -> Self {
        let of = |first: usize| (0..space.len()).filter(|&j| space[j].family == Some(first)).collect::<Vec<_>>();
        Families { members: (0..space.len()).map(of).filter(|members| members.len() > 1).collect() }
    }

    /// Makes independent deviates of the same variance correlate within families: multiplies them
    /// by the symmetric root of the correlation matrix. Each deviate keeps its variance.
    pub fn correlate(&self, deviates: &mut [f64]) {
        for members in &self.members {
            let count = members.len() as f64;
            let correlation = f64::min(0.5, TOGETHER / (count + TOGETHER));
            // The roots of the two eigenvalues: of differences within the family, and of the common
            // part.
            let apart = (1.0 - correlation).sqrt();
            let together = (1.0 - correlation + count * correlation).sqrt();
            let mean = members.iter().map(|&j| deviates[j]).sum::<f64>() / count;
            for &j in members {
                deviates[j] = apart * deviates[j] + (together - apart) * mean;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use crate::model::space::Role;
    use crate::optimizer::sampling::normal;

    #[test]
    fn families_correlate_and_others_do_not() {
        let alone = Coordinate::float(0.0, 1.0, -1.0, 1.0);
        let of = |family| Coordinate { family, ..alone };
        // A single coordinate does not form a family.
        let space = [of(Some(0)), of(None), of(Some(0)), of(Some(3)), of(Some(0))];
        let families = Families::of(&space);
        let mut random = generator(1);
        let mut sums = [[0.0; 5]; 5];
        let count = 40_000;
        for _ in 0..count {
            let mut deviates: Vec<f64> = (0..5).map(|_| normal(&mut random)).collect();
            families.correlate(&mut deviates);
            for (sums, a) in sums.iter_mut().zip(&deviates) {
                sums.iter_mut().zip(&deviates).for_each(|(sum, b)| *sum += a * b / f64::from(count));
            }
        }
        let members = [0, 2, 4];
        for (i, row) in sums.iter().enumerate() {
            for (j, &covariance) in row.iter().enumerate() {
                let expected = match i == j {
                    true => 1.0,
                    false if members.contains(&i) && members.contains(&j) => 0.5,
                    false => 0.0,
                };
                assert!((covariance - expected).abs() < 0.03, "{i} {j}: {covariance}");
            }
        }
    }

    #[test]
    fn a_large_family_still_moves_apart() {
        let space = vec![
            Coordinate {
                start: 0.0,
                unit: 1.0,
                min: -1.0,
                max: 1.0,
                least: 0.0,
                family: Some(0),
                role: Role::Float,
                prior: None
            };
            60
        ];
        let mut deviates = vec![1.0; 60];
        Families::of(&space).correlate(&mut deviates);
        // 60 members correlate by 1/16: the result is the root of 15/16 + 60/16.
        assert!((deviates[0] - 75.0_f64.sqrt() / 4.0).abs() < 1e-12, "{}", deviates[0]);
    }
}
