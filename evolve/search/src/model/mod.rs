//! The data model of tuning: problems, parameters, cases, trials and outcomes.

pub mod behaviour;
mod candidate;
pub mod constraint;
pub mod features;
pub mod goal;
pub mod learned;
pub mod limit;
pub mod parameter;
pub mod problem;
pub mod rating;
pub mod seed;
mod session;
pub mod space;
pub mod trial;
