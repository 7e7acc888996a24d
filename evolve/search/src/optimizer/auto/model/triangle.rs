//! The Cholesky factor of a covariance matrix that grows by a trial at a time.
//!
//! Each row follows from the rows before it, so a factor that has grown has the same bits as one
//! that is computed at once, and a resumed run continues exactly. Sums have a fixed order.

use super::wide::{BESIDE, solve_beside};

/// The number of partial sums of a product, which a processor can add side by side.
const LANES: usize = 8;

/// A lower triangular matrix, by rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangle {
    /// The rows, each up to the diagonal, one after another.
    entries: Vec<f64>,
    rows: usize,
}

/// Returns the product of two vectors; the end of the longer one does not count.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let count = a.len().min(b.len());
    let (a, b) = (&a[..count], &b[..count]);
    let ((a_lanes, a_rest), (b_lanes, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

impl Triangle {
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the matrix of the first rows.
    pub fn first(&self, rows: usize) -> Self {
        Triangle { entries: self.entries[..rows * (rows + 1) / 2].to_vec(), rows }
    }

    fn row(&self, i: usize) -> &[f64] {
        let first = i * (i + 1) / 2;
        &self.entries[first..=first + i]
    }

    /// Adds a row of the covariance matrix, up to the diagonal. A pivot is at least `least`, even
    /// if rounding made the matrix indefinite.
    ///
    /// # Panics
    /// If the row does not have one entry more than the last one.
    pub fn push(&mut self, covariances: &[f64], least: f64) {
        assert_eq!(covariances.len(), self.rows + 1, "a row ends at the diagonal");
        let (own, before) = covariances.split_last().expect("it has a diagonal");
        let mut row = before.to_vec();
        self.solve(&mut row);
        let pivot = own - dot(&row, &row);
        self.entries.extend(row);
        self.entries.push(pivot.max(least).sqrt());
        self.rows += 1;
    }

    /// Replaces a vector by the inverse of this matrix times it. A vector that is shorter than the
    /// matrix belongs to its first rows.
    pub fn solve(&self, vector: &mut [f64]) {
        for i in 0..vector.len() {
            let row = self.row(i);
            vector[i] = (vector[i] - dot(&row[..i], &vector[..i])) / row[i];
        }
    }

    /// Replaces each vector as [`solve`](Self::solve) does, with the same bits.
    pub fn solve_all(&self, vectors: &mut [Vec<f64>]) {
        let mut lanes = vec![[0.0; BESIDE]; self.rows];
        for beside in vectors.chunks_mut(BESIDE) {
            for (lane, vector) in beside.iter().enumerate() {
                lanes.iter_mut().zip(vector).for_each(|(entry, of)| entry[lane] = *of);
            }
            solve_beside(&self.entries, &mut lanes);
            for (lane, vector) in beside.iter_mut().enumerate() {
                lanes.iter().zip(vector).for_each(|(entry, of)| *of = entry[lane]);
            }
        }
    }

    /// Replaces a vector by the inverse of this matrix, transposed, times it.
    pub fn solve_transposed(&self, vector: &mut [f64]) {
        for i in (0..self.rows).rev() {
            let row = self.row(i);
            vector[i] /= row[i];
            let of_i = vector[i];
            for (entry, by) in vector[..i].iter_mut().zip(&row[..i]) {
                *entry -= by * of_i;
            }
        }
    }

    /// Returns the logarithm of the determinant of this matrix.
    pub fn log_determinant(&self) -> f64 {
        (0..self.rows).map(|i| libm::log(self.row(i)[i])).sum()
    }

    /// Returns the inverse of this matrix, by columns: column `j` begins at row `j`.
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(self.rows);
        for i in 0..self.rows {
            let row = self.row(i);
            for (j, column) in columns.iter_mut().enumerate() {
                let entry = -dot(&row[j..i], column) / row[i];
                column.push(entry);
            }
            let mut column = Vec::with_capacity(self.rows - i);
            column.push(1.0 / row[i]);
            columns.push(column);
        }
        columns
    }
}

/// Returns an entry of the inverse of a matrix, for `j` up to `i`, from the
/// [inverse](Triangle::inverse) of its factor.
pub fn inverse_entry(inverse: &[Vec<f64>], i: usize, j: usize) -> f64 {
    dot(&inverse[i], &inverse[j][i - j..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use nalgebra::{Cholesky, DMatrix, DVector};
    use rand::RngExt;

    /// A positive definite matrix.
    fn matrix(n: usize) -> DMatrix<f64> {
        let mut random = generator(n as u64);
        let half = DMatrix::from_fn(n, n, |_, _| random.random::<f64>() - 0.5);
        &half * half.transpose() + DMatrix::identity(n, n) * 0.1
    }

    fn triangle(matrix: &DMatrix<f64>) -> Triangle {
        let mut triangle = Triangle::default();
        for i in 0..matrix.nrows() {
            let row: Vec<f64> = (0..=i).map(|j| matrix[(i, j)]).collect();
            triangle.push(&row, 1e-12);
        }
        triangle
    }

    #[test]
    fn products_agree_with_a_library() {
        for n in [1, 2, 7, 8, 9, 40] {
            let (matrix, of) = (matrix(n), DVector::from_fn(n, |i, _| i as f64 - 2.5));
            let (ours, theirs) = (triangle(&matrix), Cholesky::new(matrix).expect("positive definite"));
            let is_close = |ours: &[f64], theirs: &DVector<f64>| {
                ours.iter().zip(theirs.iter()).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + b.abs()))
            };
            let mut solved: Vec<f64> = of.as_slice().to_vec();
            ours.solve(&mut solved);
            let mut half = of.clone();
            theirs.l_dirty().solve_lower_triangular_mut(&mut half);
            assert!(is_close(&solved, &half));
            let mut many: Vec<Vec<f64>> = vec![of.as_slice().to_vec(); BESIDE + 1];
            many[0].fill(1.0);
            ours.solve_all(&mut many);
            assert_eq!(many[1..], vec![solved.clone(); BESIDE], "the same bits");
            ours.solve_transposed(&mut solved);
            assert!(is_close(&solved, &theirs.solve(&of)));
            let inverse = ours.inverse();
            let all = theirs.inverse();
            for i in 0..n {
                assert!((0..=i).all(|j| (inverse_entry(&inverse, i, j) - all[(i, j)]).abs() < 1e-9));
            }
            let product: f64 = theirs.l_dirty().diagonal().iter().product();
            assert!((ours.log_determinant() - product.ln()).abs() < 1e-9);
        }
    }

    #[test]
    fn an_indefinite_matrix_has_a_finite_factor() {
        let mut triangle = Triangle::default();
        triangle.push(&[1.0], 1e-6);
        triangle.push(&[2.0, 1.0], 1e-6);
        let mut vector = [1.0, 1.0];
        triangle.solve(&mut vector);
        assert!(triangle.rows() == 2 && vector.iter().all(|x| x.is_finite()));
    }
}
