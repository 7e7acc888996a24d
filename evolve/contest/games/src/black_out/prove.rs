//! The proof that a policy cannot be beaten: a search of all replies of the opponent.
//!
//! For most policies that can be beaten, the search would take hours, while a few games suffice to
//! find a refutation. So some games are played first.

use super::duel::{Answer, Duel};
use super::opponents::Opponents;
use super::settings::Choice;
use evolve_contest::proof::{Proof, Refutation};
use evolve_search::model::problem::Context;
use policy::black_out::board::{ALL, SEGMENT, SQUARES, Squares, finish, moves};
use policy::black_out::exact::Solver;
use policy::black_out::player::Player;
use policy::clock::Clock;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The number of games tried before the complete search.
const TRIALS: u64 = 1000;

/// Tries some games against the player, then searches all of them.
pub fn prove(player: &Player) -> Proof {
    try_games(player).unwrap_or_else(|| walk(player))
}

/// Plays some games. Returns a refutation if the player loses one.
fn try_games(player: &Player) -> Option<Proof> {
    let (mut player, mut solver) = (player.clone(), Solver::new());
    let opponents = Opponents::open(Choice::Solving, &Context::default());
    (0..TRIALS).find_map(|deal| {
        let mut duel = Duel::new(&opponents, deal);
        let mut line = Vec::new();
        loop {
            let choice = player.choose(duel.black(), &Clock::UNLIMITED).expect("the game is not over");
            line.push(text(PLAYER, choice));
            let black = duel.black() | SEGMENT[choice].squares;
            match duel.make_move(choice, &mut solver) {
                Answer::Move(reply) => line.push(text(OPPONENT, reply)),
                Answer::Over(_) if black == ALL => return None,
                Answer::Over(_) => {
                    line.push(text(OPPONENT, finish(black).expect("the opponent has just done so")));
                    return Some(Proof {
                        counts: vec![("games tried", deal as f64 + 1.0)],
                        refutation: beaten_by(line),
                    });
                }
            }
        }
    })
}

fn beaten_by(line: Vec<String>) -> Option<Refutation> {
    Some(Refutation { reason: "the opponent blackens the last square".to_string(), line })
}

const PLAYER: &str = "player  ";
const OPPONENT: &str = "opponent";

fn text(side: &str, choice: usize) -> String {
    let ((r1, c1), (r2, c2)) = (SEGMENT[choice].from, SEGMENT[choice].to);
    format!("{side} {} {} {} {}", r1 + 1, c1 + 1, r2 + 1, c2 + 1)
}

/// The way to a position: the opponent's move and the player's answer from an earlier position. If
/// there are several ways, the longest one, because the proof reports the length of games.
#[derive(Clone, Copy)]
struct Way {
    moves: u32,
    from: Squares,
    by: [usize; 2],
}

/// A position after an opponent's move, and the player's answer; no answer if the opponent has won.
struct Answered {
    reply: usize,
    answer: Option<usize>,
}

/// Searches all games against the player, positions with fewer black squares first: each position
/// is searched once, when all ways that lead to it are known.
fn walk(player: &Player) -> Proof {
    // The positions that the player leaves to the opponent, by the number of black squares.
    let mut levels: Vec<BTreeMap<Squares, Way>> = vec![BTreeMap::new(); SQUARES as usize + 1];
    let first = player.clone().choose(0, &Clock::UNLIMITED).expect("the board is empty");
    let start = SEGMENT[first].squares;
    levels[start.count_ones() as usize].insert(start, Way { moves: 1, from: 0, by: [first; 2] });
    let (mut positions, mut replies, mut longest) = (0u64, 0u64, 0);
    let mut beaten = None;
    for level in 0..SQUARES as usize {
        let open: Vec<Squares> = levels[level].keys().copied().collect();
        positions += open.len() as u64;
        let answered: Vec<Vec<Answered>> =
            open.par_iter().map_init(|| player.clone(), |player, &black| answers(player, black)).collect();
        for (&black, answered) in open.iter().zip(&answered) {
            let before = levels[level][&black].moves;
            replies += answered.len() as u64;
            for &Answered { reply, answer } in answered {
                let Some(answer) = answer else {
                    longest = longest.max(before + 1);
                    beaten = beaten.or(Some((black, reply)));
                    continue;
                };
                let next = black | SEGMENT[reply].squares | SEGMENT[answer].squares;
                let moves = before + 2;
                longest = longest.max(moves);
                if next != ALL {
                    let way = Way { moves, from: black, by: [reply, answer] };
                    let known = levels[next.count_ones() as usize].entry(next).or_insert(way);
                    if known.moves < moves {
                        *known = way;
                    }
                }
            }
        }
        if beaten.is_some() {
            break;
        }
    }
    let counts = vec![
        ("positions", positions as f64),
        ("opponent's moves", replies as f64),
        ("longest game, moves", f64::from(longest)),
    ];
    let refutation = beaten.and_then(|(black, last)| beaten_by(line(&levels, black, last)));
    Proof { counts, refutation }
}

fn answers(player: &mut Player, black: Squares) -> Vec<Answered> {
    let answer = |reply: usize| {
        let answer = player.choose(black | SEGMENT[reply].squares, &Clock::UNLIMITED);
        Answered { reply, answer }
    };
    moves(black).map(answer).collect()
}

/// Returns the moves of both sides up to the opponent's last one.
fn line(levels: &[BTreeMap<Squares, Way>], mut black: Squares, last: usize) -> Vec<String> {
    let mut line = vec![text(OPPONENT, last)];
    loop {
        let way = levels[black.count_ones() as usize][&black];
        line.push(text(PLAYER, way.by[1]));
        if way.from == 0 {
            break;
        }
        line.push(text(OPPONENT, way.by[0]));
        black = way.from;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use policy::black_out::board::segment;
    use policy::black_out::player::Settings;
    use policy::black_out::weights::Weights;

    /// Replays a refutation.
    fn check(player: &mut Player, line: &[String]) {
        let mut black = 0;
        for (i, step) in line.iter().enumerate() {
            let words: Vec<&str> = step.split_whitespace().collect();
            let numbers: Vec<u8> = words[1..].iter().map(|word| word.parse::<u8>().unwrap() - 1).collect();
            let squares = segment((numbers[0], numbers[1]), (numbers[2], numbers[3])).unwrap().squares;
            let next = black | squares;
            assert_ne!(next, black);
            if i % 2 == 0 {
                assert_eq!(words[0], "player");
                let choice = player.choose(black, &Clock::UNLIMITED).unwrap();
                assert_eq!(black | SEGMENT[choice].squares, next);
            } else {
                assert_eq!(words[0], "opponent");
            }
            black = next;
        }
        assert!(black == ALL && line.len().is_multiple_of(2), "the opponent has made the last move");
    }

    #[test]
    fn the_hand_set_weights_are_beaten_by_the_reported_line() {
        let mut player = Player::new(Weights::DEFAULT, Settings { exact: 8 });
        let proof = prove(&player);
        assert_eq!(proof.counts[0].0, "games tried");
        check(&mut player, &proof.refutation.expect("the hand-set weights can be beaten").line);
    }

    #[test]
    fn the_search_refutes_a_player_that_fills_the_board_fast() {
        let mut player = Player::new(Weights { free: -1.0, ..Weights::ZERO }, Settings { exact: 0 });
        let proof = walk(&player);
        assert_eq!(proof.counts[0].0, "positions");
        check(&mut player, &proof.refutation.expect("greed is no winning strategy").line);
    }
}
