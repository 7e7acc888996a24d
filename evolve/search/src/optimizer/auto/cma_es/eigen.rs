//! Eigenvectors of a covariance matrix, computed only with additions, multiplications, divisions
//! and square roots, so that they are identical on every machine.

use crate::optimizer::sampling::dot;

/// Orthonormal directions, one in each row, and the standard deviation along each.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// The unit vectors.
    pub directions: Vec<Vec<f64>>,
    /// The square root of the eigenvalue of each direction.
    pub deviations: Vec<f64>,
}

/// The cosine below which two directions count as orthogonal.
const ORTHOGONAL: f64 = 1e-12;
/// The largest number of sweeps over all pairs; convergence takes about eight.
const SWEEPS: usize = 40;

/// Returns the axes of a symmetric matrix of `n` rows; `None` if it is not positive definite.
///
/// Rotates the columns of the Cholesky factor in pairs until all are orthogonal (one-sided Jacobi;
/// Veselic and Hari, "A note on a one-sided Jacobi algorithm", 1989). Their directions are then the
/// eigenvectors, and their lengths the roots of the eigenvalues, with small ones as exact as large
/// ones.
pub fn axes(matrix: &[Vec<f64>]) -> Option<Axes> {
    let n = matrix.len();
    let mut columns = cholesky(matrix)?;
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let (head, tail) = columns.split_at_mut(q);
                rotated |= orthogonalize(&mut head[p], &mut tail[0]);
            }
        }
        if !rotated {
            break;
        }
    }
    let deviations: Vec<f64> = columns.iter().map(|column| dot(column, column).sqrt()).collect();
    if !deviations.iter().all(|&deviation| deviation > 0.0 && deviation.is_finite()) {
        return None;
    }
    for (column, deviation) in columns.iter_mut().zip(&deviations) {
        column.iter_mut().for_each(|value| *value /= deviation);
    }
    Some(Axes { directions: columns, deviations })
}

/// Rotates two columns in their plane until they are orthogonal. Returns whether a rotation was
/// necessary.
fn orthogonalize(a: &mut [f64], b: &mut [f64]) -> bool {
    let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
    if ab.abs() <= ORTHOGONAL * (aa * bb).sqrt() {
        return false;
    }
    let zeta = (bb - aa) / (2.0 * ab);
    let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = cosine * tangent;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
    true
}

/// Returns the columns of the lower triangular factor of a symmetric matrix; `None` if it is not
/// positive definite.
fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(n);
    for (i, given) in matrix.iter().enumerate() {
        let mut row = vec![0.0; n];
        for j in 0..i {
            row[j] = (given[j] - dot(&row[..j], &rows[j][..j])) / rows[j][j];
        }
        let square = given[i] - dot(&row[..i], &row[..i]);
        if !(square > 0.0 && square.is_finite()) {
            return None;
        }
        row[i] = square.sqrt();
        rows.push(row);
    }
    Some((0..n).map(|j| rows.iter().map(|row| row[j]).collect()).collect())
}

impl Axes {
    /// Returns the axes of independent coordinates.
    pub fn of_coordinates(deviations: Vec<f64>) -> Self {
        let n = deviations.len();
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        Axes { directions: (0..n).map(unit).collect(), deviations }
    }

    /// Multiplies the component of `vector` along each axis by `factor` of the axis's deviation.
    pub fn transform(&self, vector: &[f64], factor: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut result = vec![0.0; vector.len()];
        for (direction, &deviation) in self.directions.iter().zip(&self.deviations) {
            let share = factor(deviation) * dot(direction, vector);
            result.iter_mut().zip(direction).for_each(|(value, direction)| *value += share * direction);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use crate::optimizer::sampling::normal;

    #[test]
    fn axes_reproduce_the_matrix() {
        for n in [1, 2, 5, 40] {
            let mut random = generator(n as u64);
            // The eigenvalues span ten orders of magnitude.
            let factor: Vec<Vec<f64>> = (0..n)
                .map(|i| (0..n).map(|_| normal(&mut random) * libm::pow(10.0, -5.0 * i as f64 / n as f64)).collect())
                .collect();
            let matrix: Vec<Vec<f64>> = factor.iter().map(|a| factor.iter().map(|b| dot(a, b)).collect()).collect();
            let axes = axes(&matrix).unwrap();
            for i in 0..n {
                let unit: Vec<f64> = (0..n).map(|j| f64::from(u8::from(i == j))).collect();
                let row = axes.transform(&unit, |deviation| deviation * deviation);
                for j in 0..n {
                    let size = (matrix[i][i] * matrix[j][j]).sqrt();
                    assert!((row[j] - matrix[i][j]).abs() < 1e-9 * size, "{n}: {i} {j}");
                    let cosine = dot(&axes.directions[i], &axes.directions[j]);
                    assert!((cosine - unit[j]).abs() < 1e-9, "{n}: {i} {j}");
                }
            }
        }
    }

    #[test]
    fn only_positive_definite_matrices_have_axes() {
        assert_eq!(axes(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(axes(&[vec![0.0]]), None);
        assert_eq!(axes(&[vec![f64::NAN]]), None);
    }
}
