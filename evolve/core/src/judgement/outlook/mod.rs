//! The forecast of a job before it runs: the noise of a trial, the effect of each parameter, and
//! the minimum detectable difference.

mod agreement;
mod alone;
mod forecast;
mod moves;
mod noise;
mod probe;
mod warnings;

pub use agreement::{Agreement, Agrees};
pub use alone::{ALONE, Repeats, alone, beside};
pub use forecast::{Extent, Forecast};
pub use moves::{Move, moves};
pub use noise::{NEIGHBOURS, Noise, neighbours};
pub use probe::probe;
pub use warnings::{DICE, NO_INSTANCE, SHARED, few_instances, outlier, warnings};
