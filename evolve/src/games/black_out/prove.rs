//! The proof that a policy cannot be beaten: everything that an opponent could do against it.

use crate::game::{Proof, Refutation};
use policy::black_out::board::{ALL, SEGMENT, SQUARES, Squares, moves};
use policy::black_out::player::Player;
use policy::clock::Clock;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How a position was first come to: with the opponent's move and the player's answer from an earlier position.
/// The longest such way counts, because a game's length is told.
#[derive(Clone, Copy)]
struct Way {
    moves: u32,
    from: Squares,
    by: [usize; 2],
}

/// A position after an opponent's move, and the player's answer; no answer where the opponent has won.
struct Answered {
    reply: usize,
    answer: Option<usize>,
}

/// Walks all games against the player, positions with fewer black squares first: each is looked at once, when all
/// ways that lead to it are known.
pub fn walk(player: &Player) -> Proof {
    // By the number of black squares: the positions that the player leaves to the opponent.
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
    let refutation = beaten.map(|(black, last)| Refutation {
        reason: "the opponent blackens the last square".to_string(),
        line: line(&levels, black, last),
    });
    Proof { counts, refutation }
}

fn answers(player: &mut Player, black: Squares) -> Vec<Answered> {
    let answer = |reply: usize| {
        let answer = player.choose(black | SEGMENT[reply].squares, &Clock::UNLIMITED);
        Answered { reply, answer }
    };
    moves(black).map(answer).collect()
}

/// The moves of both sides up to the opponent's last one.
fn line(levels: &[BTreeMap<Squares, Way>], mut black: Squares, last: usize) -> Vec<String> {
    let text = |side: &str, i: usize| {
        let ((r1, c1), (r2, c2)) = (SEGMENT[i].from, SEGMENT[i].to);
        format!("{side} {} {} {} {}", r1 + 1, c1 + 1, r2 + 1, c2 + 1)
    };
    let mut line = vec![text("opponent", last)];
    loop {
        let way = levels[black.count_ones() as usize][&black];
        line.push(text("player  ", way.by[1]));
        if way.from == 0 {
            break;
        }
        line.push(text("opponent", way.by[0]));
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

    #[test]
    fn the_hand_set_weights_are_beaten_by_the_line_that_is_told() {
        let mut player = Player::new(Weights::DEFAULT, Settings { exact: 8 });
        let proof = walk(&player);
        let Refutation { line, .. } = proof.refutation.expect("they are no winning strategy");
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
        assert!(black == ALL && line.len() % 2 == 0, "the opponent has made the last move");
    }
}
