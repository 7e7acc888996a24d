//! The `evolve` command.

// musl's own allocator is slow with many threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    evolve::cli::main(evolve::games::GAMES.clone())
}
