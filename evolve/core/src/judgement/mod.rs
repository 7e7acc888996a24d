//! The comparison of candidates on trials that did not select them, and the forecast of the
//! difference that a run can detect.

pub mod comparison;
pub mod effect;
pub mod explain;
pub mod feasibility;
pub mod groups;
pub mod measured;
pub mod outlook;
pub mod paired;
pub mod versus;
