//! The innermost loops, also compiled for processors with wider registers.
//!
//! Rust neither reorders sums nor fuses products with them, so every width gives the same bits. The
//! loops have the bits of the plain code that their tests name.

/// Number of vectors that are solved side by side, one in each lane.
pub const BESIDE: usize = 8;
/// The number of partial sums of a product, and how many of them registers hold at a time.
const SUMS: usize = 8;
const HELD: usize = 4;

/// Makes functions without results that use AVX2 where there is any.
macro_rules! wide {
    ($($(#[$note:meta])* pub fn $name:ident($($arg:ident: $type:ty),*) $body:block)*) => {$(
        $(#[$note])*
        pub fn $name($($arg: $type),*) {
            #[inline(always)]
            fn plain($($arg: $type),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($arg: $type),*) {
                    plain($($arg),*);
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has these instructions.
                    return unsafe { wide($($arg),*) };
                }
            }
            plain($($arg),*);
        }
    )*};
}

/// The largest distance for which [`decay`] is exact.
const FAR: f64 = 700.0;

/// Returns what [`libm::exp`] does of `-r`, for `r` from 0 to [`FAR`], but without branches, so
/// that a loop can do several at a time.
#[inline(always)]
fn decay(r: f64) -> f64 {
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const P: [f64; 5] = [
        0.166_666_666_666_666_02,
        -0.002_777_777_777_701_559_3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    // The library compares only the upper half of a number. These are the first ones above.
    const HALF: f64 = f64::from_bits(0x3fd6_2e43 << 32);
    const MORE: f64 = f64::from_bits(0x3ff0_a2b2 << 32);
    const TINY: f64 = f64::from_bits(0x3e30_0001 << 32);
    // Adding this rounds to a whole number, which the last bits have.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let x = -r;
    let turns = std::f64::consts::LOG2_E * x - 0.5;
    let near = (turns + WHOLE) - WHOLE;
    let cut = if near < turns { near + 1.0 } else { near };
    let few = if r >= HALF { -1.0 } else { 0.0 };
    let k = if r >= MORE { cut } else { few };
    let (high, low) = (x - k * LN2_HIGH, k * LN2_LOW);
    let x = high - low;
    let square = x * x;
    let c = x - square * (P[0] + square * (P[1] + square * (P[2] + square * (P[3] + square * P[4]))));
    let y = 1.0 + (x * c / (2.0 - c) - low + high);
    let y = if r < TINY { 1.0 + x } else { y };
    y * f64::from_bits((k + WHOLE).to_bits().wrapping_add(1023) << 52)
}

wide! {
    /// Adds, to squared distances, those between a number and others in units of a length.
    pub fn add_squares(squares: &mut [f64], others: &[f64], value: f64, length: f64) {
        for (square, other) in squares.iter_mut().zip(others) {
            let distance = (value - other).abs() / length;
            *square += distance * distance;
        }
    }

    /// Replaces squared distances by the values of the Matern kernel, and gives its slopes, as
    /// [`matern`](super::kernel::matern) does.
    pub fn near_materns(squares: &mut [f64], slopes: &mut [f64]) {
        for (square, slope) in squares.iter_mut().zip(slopes) {
            let r = (5.0 * *square).sqrt();
            let decay = decay(r);
            *square = (1.0 + r + r * r / 3.0) * decay;
            *slope = (1.0 + r) * decay;
        }
    }

    /// Solves for vectors side by side, by the rows of a triangle, as
    /// [`Triangle::solve`](super::triangle::Triangle::solve) does for one.
    pub fn solve_beside(entries: &[f64], vectors: &mut [[f64; BESIDE]]) {
        let mut first = 0;
        for i in 0..vectors.len() {
            let (before, from) = vectors.split_at_mut(i);
            let (row, pivot) = (&entries[first..first + i], entries[first + i]);
            first += i + 1;
            let ((row, row_rest), (before, before_rest)) = (row.as_chunks::<SUMS>(), before.as_chunks::<SUMS>());
            let mut sums = [[0.0; BESIDE]; SUMS];
            for group in 0..SUMS / HELD {
                let mut own = [[0.0; BESIDE]; HELD];
                for (row, before) in row.iter().zip(before) {
                    for (sum, own) in own.iter_mut().enumerate() {
                        let place = group * HELD + sum;
                        for lane in 0..BESIDE {
                            own[lane] += row[place] * before[place][lane];
                        }
                    }
                }
                sums[group * HELD..(group + 1) * HELD].copy_from_slice(&own);
            }
            // The sum of no numbers is -0.
            let mut rest = [-0.0; BESIDE];
            for (by, before) in row_rest.iter().zip(before_rest) {
                for lane in 0..BESIDE {
                    rest[lane] += by * before[lane];
                }
            }
            let [a, b, c, d, e, f, g, h] = sums;
            for lane in 0..BESIDE {
                let sum = ((a[lane] + e[lane]) + (b[lane] + f[lane])) + ((c[lane] + g[lane]) + (d[lane] + h[lane]));
                from[0][lane] = (from[0][lane] - (sum + rest[lane])) / pivot;
            }
        }
    }
}

/// Replaces squared distances by the values of the Matern kernel, and returns its slopes.
pub fn materns(squares: &mut [f64]) -> Vec<f64> {
    let mut slopes = vec![0.0; squares.len()];
    // Not a number is not within, either.
    let is_near = squares.iter().all(|square| 5.0 * square <= FAR * FAR);
    if is_near {
        near_materns(squares, &mut slopes);
    } else {
        for (square, slope) in squares.iter_mut().zip(&mut slopes) {
            (*square, *slope) = super::kernel::matern(*square);
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::seed::generator;
    use crate::optimizer::auto::model::kernel::matern;
    use rand::RngExt;

    #[test]
    fn a_decay_is_that_of_the_library() {
        let mut random = generator(1);
        // Around the places where the library changes its way, and of all magnitudes.
        let edges = [0x3fd6_2e42, 0x3fd6_2e43, 0x3ff0_a2b1, 0x3ff0_a2b2, 0x3e30_0000, 0x3e30_0001];
        let edges = edges
            .iter()
            .flat_map(|high: &u64| (-2..3).map(move |by| f64::from_bits((high << 32).wrapping_add_signed(by))));
        let halves = (0..2000).map(|i| (f64::from(i) + 0.5) * std::f64::consts::LN_2 / 2.0);
        let drawn: Vec<f64> = (0..200_000).map(|_| FAR * random.random::<f64>()).collect();
        let small = (0..200_000).map(|_| libm::exp(-40.0 * random.random::<f64>()) * 4.0);
        for r in edges.chain(halves).chain(drawn).chain(small).chain([0.0, -0.0, 1e-300, f64::MIN_POSITIVE, FAR]) {
            assert_eq!(decay(r).to_bits(), libm::exp(-r).to_bits(), "{r:e}");
        }
    }

    #[test]
    fn all_materns_are_those_of_one() {
        let mut random = generator(2);
        for (count, largest) in [(0, 1.0), (1, 1.0), (7, 30.0), (103, 9e4), (50, 1e6), (9, f64::INFINITY)] {
            let squares: Vec<f64> = (0..count).map(|i| if i == 3 { largest } else { random.random::<f64>() }).collect();
            let mut all = squares.clone();
            let slopes = materns(&mut all);
            for (square, both) in squares.iter().zip(all.iter().zip(&slopes)) {
                let one = matern(*square);
                assert_eq!((both.0.to_bits(), both.1.to_bits()), (one.0.to_bits(), one.1.to_bits()), "{square}");
            }
        }
    }
}
