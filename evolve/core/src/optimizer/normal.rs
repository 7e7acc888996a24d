//! Normal deviates that are the same on every machine.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A standard normal deviate by Marsaglia's polar method, with logarithms from `libm`: those of the standard library
/// come from the platform and may differ in the last bit.
pub fn normal(random: &mut ChaCha8Rng) -> f64 {
    loop {
        let u = 2.0 * random.random::<f64>() - 1.0;
        let v = 2.0 * random.random::<f64>() - 1.0;
        let s = u * u + v * v;
        if s > 0.0 && s < 1.0 {
            return u * (-2.0 * libm::log(s) / s).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::generator;

    #[test]
    fn deviates_are_standard_normal() {
        let mut random = generator(1);
        let n = 100_000;
        let deviates: Vec<f64> = (0..n).map(|_| normal(&mut random)).collect();
        let moment = |power: i32| deviates.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(n);
        // Five standard errors of each moment: sqrt(1/n), sqrt(2/n), sqrt(15/n), sqrt(96/n).
        assert!(moment(1).abs() < 0.016, "{}", moment(1));
        assert!((moment(2) - 1.0).abs() < 0.023, "{}", moment(2));
        assert!(moment(3).abs() < 0.062, "{}", moment(3));
        assert!((moment(4) - 3.0).abs() < 0.16, "{}", moment(4));
    }
}
