//! Weights and learning rates: the defaults in table 1 of Hansen's tutorial (2016).

/// The coefficients of the update.
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    /// The weight of each candidate, from best to worst. The positive weights add up to 1; the
    /// negative ones reduce variance.
    pub weights: Vec<f64>,
    /// The number of equally weighted parents whose mean is as noisy as the weighted mean.
    pub effective: f64,
    /// The learning rate of the step's path.
    pub step: f64,
    /// The damping of changes of the step.
    pub damping: f64,
    /// The learning rate of the covariance's path.
    pub path: f64,
    /// The weight of the path in the covariance.
    pub rank_one: f64,
    /// The weight of the candidates in the covariance.
    pub rank_mu: f64,
    /// The expected length of the step's path under random selection.
    pub blind: f64,
}

impl Rates {
    /// Returns the rates of a search in `coordinates` dimensions with `population` candidates in a
    /// generation.
    pub fn new(coordinates: usize, population: usize) -> Self {
        let n = coordinates as f64;
        let log = |x: f64| libm::log(x);
        // Equation 49.
        let raw: Vec<f64> = (1..=population).map(|i| log((population as f64 + 1.0) / 2.0) - log(i as f64)).collect();
        let parents = population / 2;
        let effective = |weights: &[f64]| {
            let (sum, squares) = sums(weights);
            if squares > 0.0 { sum * sum / squares } else { 0.0 }
        };
        let (good, bad) = (effective(&raw[..parents]), effective(&raw[parents..]));
        let step = (good + 2.0) / (n + good + 5.0);
        let damping = 1.0 + 2.0 * f64::max(0.0, ((good - 1.0) / (n + 1.0)).sqrt() - 1.0) + step;
        let path = (4.0 + good / n) / (n + 4.0 + 2.0 * good / n);
        let rank_one = (2.0 / ((n + 1.3) * (n + 1.3) + good)).min(0.5);
        let rank_mu = 2.0 * (good + 1.0 / good - 2.0) / ((n + 2.0) * (n + 2.0) + good);
        let rank_mu = rank_mu.min(1.0 - rank_one);
        // Equations 50 to 53.
        let mut weights = raw;
        let (positive, _) = sums(&weights[..parents]);
        let (negative, _) = sums(&weights[parents..]);
        let most = if rank_mu > 0.0 {
            let balanced = 1.0 + rank_one / rank_mu;
            let by_effect = 1.0 + 2.0 * bad / (good + 2.0);
            let definite = (1.0 - rank_one - rank_mu) / (n * rank_mu);
            balanced.min(by_effect).min(definite)
        } else {
            0.0
        };
        for (i, weight) in weights.iter_mut().enumerate() {
            *weight *= if i < parents { 1.0 / positive } else { most / negative.abs().max(f64::MIN_POSITIVE) };
        }
        let blind = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        Rates { weights, effective: good, step, damping, path, rank_one, rank_mu, blind }
    }

    /// Returns the number of candidates that determine the mean.
    pub fn parents(&self) -> usize {
        self.weights.len() / 2
    }
}

/// Returns the sum of the weights and the sum of their squares.
fn sums(weights: &[f64]) -> (f64, f64) {
    (weights.iter().sum(), weights.iter().map(|weight| weight * weight).sum())
}
