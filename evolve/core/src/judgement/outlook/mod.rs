//! What a job can hope for, before it runs: the noise of a trial, what each parameter does, what the verdict will see.

mod forecast;
mod moves;
mod noise;
mod probe;
mod warnings;

pub use forecast::{Extent, Forecast};
pub use moves::{Move, moves};
pub use noise::{NEIGHBOURS, Noise, neighbours};
pub use probe::probe;
pub use warnings::{DICE, few_instances, warnings};
