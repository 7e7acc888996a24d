//! Compares the rules, the evaluation and the exact search of Black Out with a slow twin, over
//! random games.

use policy::black_out::board::{segment, Squares, ALL, SEGMENT};
use policy::black_out::exact::Solver;
use policy::black_out::player::{Player, Settings};
use policy::black_out::weights::Weights;
use policy::clock::Clock;
use policy::random::SplitMix64;
use policy_twins::black_out::compare::{compare, squares};
use policy_twins::black_out::twin::{self, Board};
use std::collections::BTreeMap;

#[test]
fn random_games_follow_the_rules() {
    let mut random = SplitMix64::new(1);
    for _ in 0..200 {
        let (mut board, mut black): (Board, Squares) = Default::default();
        loop {
            let legal = compare(&board, black);
            if legal.is_empty() {
                break;
            }
            let step = legal[random.below(legal.len() as u32) as usize];
            board = twin::play(&board, step);
            let [r1, c1, r2, c2] = step.map(|number| number as u8);
            black |= segment((r1, c1), (r2, c2)).unwrap().squares;
        }
    }
}

#[test]
fn the_exact_search_agrees_on_ends_of_games() {
    let mut random = SplitMix64::new(2);
    let mut solver = Solver::new();
    let mut lost = 0;
    for _ in 0..300 {
        let mut board = [[true; 6]; 5];
        for _ in 0..random.below(8) {
            board[random.below(5) as usize][random.below(6) as usize] = false;
        }
        let expected = twin::is_lost(&board, &mut BTreeMap::new());
        lost += u32::from(expected);
        assert_eq!(solver.is_lost(squares(&board), &Clock::UNLIMITED), Some(expected), "{board:?}");
    }
    assert!((20..280).contains(&lost));
}

#[test]
fn a_player_wins_what_it_can_solve() {
    let mut random = SplitMix64::new(3);
    let mut player = Player::new(Weights::DEFAULT, Settings { exact: 10 });
    let mut solver = Solver::new();
    let mut won = 0;
    for _ in 0..300 {
        let mut black = ALL;
        for _ in 0..10 {
            black &= !(1 << random.below(30));
        }
        let choice = player.choose(black, &Clock::UNLIMITED);
        let choice = choice.expect("some squares are free");
        assert_eq!(Some(choice), player.clone().choose(black, &Clock::UNLIMITED), "equal position, equal move");
        if solver.is_lost(black, &Clock::UNLIMITED) == Some(false) {
            won += 1;
            assert_eq!(solver.is_lost(black | SEGMENT[choice].squares, &Clock::UNLIMITED), Some(true));
        }
    }
    assert!(won > 100);
    assert_eq!(player.choose(ALL, &Clock::UNLIMITED), None);
}
