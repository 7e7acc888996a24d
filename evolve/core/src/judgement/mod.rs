//! Whether one candidate is better than another, by trials that it was not selected on, and what a run can find out.

pub mod comparison;
pub mod effect;
pub mod explain;
pub mod held;
pub mod measured;
pub mod outlook;
