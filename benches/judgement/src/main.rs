//! How far verdicts and forecasts can be trusted, by thousands of runs whose truth is known. `README.md` has the commands.

mod carried;
mod false_gains;
mod forecast;
mod toy;
mod verdicts;

use clap::Parser;

#[derive(Debug, Parser)]
enum Command {
    /// How often an improvement is claimed where there is none
    FalseGains(false_gains::Args),
    /// How often a comparison of simulated differences claims a gain
    Verdicts(verdicts::Args),
    /// How often the forecast of `evolve check` was right
    Forecast(forecast::Args),
}

fn main() {
    match Command::parse() {
        Command::FalseGains(args) => args.run(),
        Command::Verdicts(args) => args.run(),
        Command::Forecast(args) => args.run(),
    }
}
