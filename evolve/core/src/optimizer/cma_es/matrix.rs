//! The covariance matrix, whole or its diagonal alone.

use super::Covariance;
use super::eigen::{self, Axes};
use serde::{Deserialize, Serialize};

/// A covariance matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Matrix {
    /// Its rows.
    Full(Vec<Vec<f64>>),
    /// Its diagonal.
    Diagonal(Vec<f64>),
}

impl Matrix {
    /// Its diagonal.
    pub fn variances(&self) -> impl Iterator<Item = f64> {
        let n = match self {
            Matrix::Full(rows) => rows.len(),
            Matrix::Diagonal(variances) => variances.len(),
        };
        (0..n).map(move |i| match self {
            Matrix::Full(rows) => rows[i][i],
            Matrix::Diagonal(variances) => variances[i],
        })
    }

    /// Multiplies each coordinate's standard deviation; correlations stay.
    pub fn stretch(&mut self, factors: &[f64]) {
        match self {
            Matrix::Diagonal(variances) => {
                variances.iter_mut().zip(factors).for_each(|(variance, factor)| *variance *= factor * factor);
            }
            Matrix::Full(rows) => {
                for (row, by_row) in rows.iter_mut().zip(factors) {
                    row.iter_mut().zip(factors).for_each(|(value, by_column)| *value *= by_row * by_column);
                }
            }
        }
    }

    /// Its axes; `None` if it is not positive definite.
    pub fn axes(&self) -> Option<Axes> {
        match self {
            Matrix::Full(rows) => eigen::axes(rows),
            Matrix::Diagonal(variances) => {
                let positive = variances.iter().all(|&variance| variance > 0.0 && variance.is_finite());
                positive.then(|| Axes::of_coordinates(variances.iter().map(|variance| variance.sqrt()).collect()))
            }
        }
    }

    /// Whether a matrix read from a file is one of `n` coordinates.
    pub fn fits(&self, n: usize, covariance: Covariance) -> bool {
        match self {
            Matrix::Full(rows) => {
                let whole = |row: &Vec<f64>| row.len() == n && row.iter().all(|value| value.is_finite());
                covariance == Covariance::Full && rows.len() == n && rows.iter().all(whole)
            }
            Matrix::Diagonal(variances) => covariance == Covariance::Diagonal && variances.len() == n,
        }
    }
}

/// The rows of a matrix with nothing beside its diagonal.
pub fn diagonal(variances: &[f64]) -> Vec<Vec<f64>> {
    let row = |(i, &variance): (usize, &f64)| {
        let mut row = vec![0.0; variances.len()];
        row[i] = variance;
        row
    };
    variances.iter().enumerate().map(row).collect()
}
