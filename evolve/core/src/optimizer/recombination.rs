//! How many make one: ranks, and weighted means.

/// The indices of objectives from best to worst; equal ones in their order.
pub fn ranking(objectives: &[f64]) -> Vec<usize> {
    let mut ranking: Vec<usize> = (0..objectives.len()).collect();
    ranking.sort_by(|&a, &b| objectives[b].total_cmp(&objectives[a]));
    ranking
}

/// How much each of `count` parents counts in a mean, better ones first; the shares add up to 1. They fall with the
/// logarithm of the rank (Hansen, "The CMA evolution strategy: a tutorial", equation 49).
pub fn shares(count: usize) -> Vec<f64> {
    let log = |x: f64| libm::log(x);
    let raw: Vec<f64> = (0..count).map(|i| log(count as f64 + 0.5) - log((i + 1) as f64)).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|share| share / sum).collect()
}

/// The mean of points, each counting its share; summed in their order.
pub fn mean<'a, P: AsRef<[f64]> + 'a>(points: impl IntoIterator<Item = &'a P>, shares: &[f64]) -> Vec<f64> {
    let mut mean = Vec::new();
    for (point, share) in points.into_iter().zip(shares) {
        mean.resize(point.as_ref().len(), 0.0);
        for (mean, value) in mean.iter_mut().zip(point.as_ref()) {
            *mean += share * value;
        }
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_members_keep_their_order() {
        assert_eq!(ranking(&[1.0, 3.0, 3.0, 2.0]), [1, 2, 3, 0]);
    }

    #[test]
    fn shares_fall_and_add_up() {
        let shares = shares(9);
        assert!(shares.windows(2).all(|pair| pair[0] > pair[1]));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
