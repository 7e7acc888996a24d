//! Random vectors that are identical on every machine.

use chacha20::ChaCha8Rng;
use rand::RngExt;

/// Draws a standard normal deviate by Marsaglia's polar method. Logarithms come from `libm`,
/// because other implementations may differ in the last bit.
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

/// Draws `count` directions of `n` coordinates, as long as standard normal vectors. Each block of
/// `n` directions is orthogonal, so that no two of them measure the same slope.
pub fn directions(count: usize, n: usize, random: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let mut directions: Vec<Vec<f64>> = Vec::with_capacity(count);
    let mut squares: Vec<f64> = Vec::with_capacity(count);
    while directions.len() < count {
        let mut direction: Vec<f64> = (0..n).map(|_| normal(random)).collect();
        let length = dot(&direction, &direction).sqrt();
        let block = directions.len() / n * n;
        for (other, square) in directions[block..].iter().zip(&squares[block..]) {
            let share = dot(&direction, other) / square;
            direction.iter_mut().zip(other).for_each(|(value, other)| *value -= share * other);
        }
        let rest = dot(&direction, &direction).sqrt();
        // If the direction was almost a combination of the earlier ones, only rounding errors
        // remain: draw another one.
        if rest > 1e-6 * length {
            direction.iter_mut().for_each(|value| *value *= length / rest);
            squares.push(dot(&direction, &direction));
            directions.push(direction);
        }
    }
    directions
}

/// Returns the scalar product, summed in order.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;

    #[test]
    fn directions_are_orthogonal_in_blocks() {
        let directions = directions(7, 3, &mut generator(5));
        for (i, a) in directions.iter().enumerate() {
            for (j, b) in directions.iter().enumerate().take(i) {
                assert!(i / 3 != j / 3 || dot(a, b).abs() < 1e-12, "{i} {j}");
            }
        }
        assert_eq!(super::directions(4, 1, &mut generator(5)).len(), 4);
    }

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
