// An interactive solver: finds a hidden number by asking how far off a guess is, with errors of the
// answer. It prints a guess and reads the answer; an answer of 0 ends the game.
use std::io::{BufRead, Write};

const STEP: f64 = 0.05;
const TRUST: f64 = 0.2; // of the latest answer
const ROUNDS: usize = 3;

fn main() {
    let mut replies = std::io::stdin().lock().lines();
    let mut guess = 500.0;
    let mut off = 0.0;
    for round in 0.. {
        println!("{}", guess as i64);
        std::io::stdout().flush().unwrap();
        let reply: f64 = replies.next().unwrap().unwrap().parse().unwrap();
        if reply == 0.0 {
            break;
        }
        off = if round < ROUNDS { reply } else { TRUST * reply + (1.0 - TRUST) * off };
        guess += STEP * off;
    }
}
