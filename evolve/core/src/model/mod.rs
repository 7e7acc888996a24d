//! Data about tuning: problems, parameters, deals, trials, outcomes.

mod candidate;
pub mod contest;
pub mod export;
pub mod learned;
pub mod parameter;
pub mod problem;
pub mod proof;
pub mod replay;
pub mod seed;
mod session;
pub mod setup;
pub mod space;
pub mod trial;
