//! The `evolve` command.

fn main() {}
