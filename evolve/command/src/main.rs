//! The `evolve` command.

fn main() -> std::process::ExitCode {
    evolve::cli::main(&evolve::games::GAMES)
}
