//! Compares Gomoku with a slow twin: the incremental position, the opponent and the search by
//! fours.

use policy::gomoku::board::alone;
use policy::gomoku::board::{cell, Cell, Side, CELLS, CENTRE};
use policy::gomoku::opponent::{noisy_reply, reply, Replies, NOISE};
use policy::gomoku::position::Position;
use policy::gomoku::threats::win_by_fours;
use policy::random::SplitMix64;
use policy_twins::gomoku::pair::{xy, Pair};
use policy_twins::gomoku::twin::Mark;

/// Returns an empty cell, usually near other stones.
fn random_cell(pair: &Pair, random: &mut SplitMix64) -> Cell {
    let near: Vec<Cell> = pair.fast.near().collect();
    if !near.is_empty() && random.below(8) > 0 {
        return near[random.below(near.len() as u32) as usize];
    }
    loop {
        let cell = random.below(CELLS as u32) as Cell;
        if pair.fast.is_empty(cell) {
            return cell;
        }
    }
}

#[test]
fn positions_follow_the_rules_stone_by_stone() {
    let mut random = SplitMix64::new(1);
    for game in 0..6 {
        let mut pair = Pair::new();
        let mut side = Side::Black;
        while !pair.is_over() && pair.fast.count() < 60 {
            let before = pair.fast.clone();
            let cell = random_cell(&pair, &mut random);
            pair.put(cell, side);
            pair.take();
            assert!(pair.fast == before, "game {game}: a stone taken back leaves traces");
            pair.put(cell, side);
            side = if side == Side::Black { Side::White } else { Side::Black };

            pair.compare();
        }
    }
}

#[test]
fn the_opponent_takes_the_largest_score_of_all() {
    let mut random = SplitMix64::new(2);
    for game in 0..4 {
        let mut pair = Pair::new();
        pair.put(CENTRE, Side::Black);
        while !pair.is_over() && pair.fast.count() < 40 {
            let white = random_cell(&pair, &mut random);
            pair.put(white, Side::White);
            if pair.is_over() {
                break;
            }
            let score = pair.slow.score();
            for _ in 0..5 {
                let cell = random_cell(&pair, &mut random);
                let (x, y) = xy(cell);
                pair.slow.set(x, y, Mark::First);
                let gain = pair.slow.score() - score;
                pair.slow.set(x, y, Mark::Nothing);
                assert_eq!(i128::from(pair.fast.gains()[cell as usize]), gain, "game {game}");
            }
            assert_eq!(reply(&pair.fast).map(xy), pair.slow.reply(|_, _| 0));
            let noise: Vec<i64> = (0..CELLS).map(|_| i64::from(random.below(NOISE as u32))).collect();
            let black = noisy_reply(&pair.fast, |cell| noise[cell as usize]).unwrap();
            let slow = pair.slow.reply(|x, y| i128::from(noise[cell(x, y).unwrap() as usize]));
            assert_eq!(Some(xy(black)), slow);
            assert!(Replies::new(&pair.fast).cells().contains(&black));
            pair.put(black, Side::Black);
        }
    }
}

#[test]
fn replies_are_exactly_the_moves_possible_under_noise() {
    let mut random = SplitMix64::new(3);
    let mut pair = Pair::new();
    pair.put(CENTRE, Side::Black);
    for _ in 0..6 {
        let white = random_cell(&pair, &mut random);
        pair.put(white, Side::White);
        let replies = Replies::new(&pair.fast);
        for chosen in 0..CELLS as Cell {
            if !pair.fast.is_empty(chosen) {
                continue;
            }
            // The most favourable noise.
            let best = noisy_reply(&pair.fast, |cell| if cell == chosen { NOISE - 1 } else { 0 });
            let (x, y) = xy(chosen);
            assert_eq!(best == Some(chosen), replies.cells().contains(&chosen), "{x} {y}");
        }
        let black = reply(&pair.fast).unwrap();
        pair.put(black, Side::Black);
    }
}

#[test]
fn scores_match_hand_calculations() {
    let mut pair = Pair::new();
    // Twenty lines pass through the centre, and three through a corner.
    assert_eq!(pair.fast.gains()[CENTRE as usize], 20 * 50);
    assert_eq!(pair.fast.gains()[0], 3 * 50);
    pair.put(CENTRE, Side::Black);
    assert_eq!(pair.slow.score(), 1000);
    pair.put(cell(1, 1).unwrap(), Side::White);
    assert_eq!(pair.slow.score(), 1000 - 3 * 2500);
    // Four lines hold both stones; the other 16 pass only through the new one.
    let beside = cell(10, 11).unwrap();
    assert_eq!(pair.fast.gains()[beside as usize], 4 * (125_000 - 50) + 16 * 50);
}

#[test]
fn a_full_board_has_no_reply() {
    // Pairs of columns are shifted row by row, so that neither side gets five.
    let mut position = Position::new();
    for x in 1..=19 {
        for y in 1..=19 {
            let side = if (x + 2 * y) % 4 < 2 { Side::Black } else { Side::White };
            position.put(cell(x, y).unwrap(), side);
        }
    }
    assert!(position.is_full() && !position.has_five(Side::Black) && !position.has_five(Side::White));
    assert_eq!((reply(&position), noisy_reply(&position, |_| 0), position.first_empty()), (None, None, None));
    assert!(Replies::new(&position).cells().is_empty());
}

#[test]
fn six_in_a_row_win_as_well() {
    let mut position = Position::new();
    for y in [1, 2, 3, 5, 6] {
        position.put(cell(7, y).unwrap(), Side::White);
        assert!(!position.has_five(Side::White));
    }
    position.put(cell(7, 4).unwrap(), Side::White);
    assert!(position.has_five(Side::White));
}

#[test]
fn wins_by_fours_match_the_twin() {
    let mut random = SplitMix64::new(4);
    let (mut won, mut lost) = (0, 0);
    while won < 25 || lost < 25 {
        let mut pair = Pair::new();
        for _ in 0..10 + random.below(8) {
            for side in [Side::Black, Side::White] {
                let cell = random_cell(&pair, &mut random);
                pair.put(cell, side);
            }
        }
        if pair.is_over() || pair.fast.tally(alone(Side::White, 3)) == 0 {
            continue;
        }
        let before = pair.fast.clone();
        let win = win_by_fours(&mut pair.fast);
        assert!(pair.fast == before);
        for moves in 1..=3 {
            let expected = win.is_some_and(|win| win.moves <= moves);
            assert_eq!(pair.slow.wins_by_fours(moves), expected, "{win:?} {:?}", pair.moves);
        }
        if let Some(win) = win {
            // The first move counts.
            pair.put(win.cell, Side::White);
            if win.moves > 1 {
                let (forced, second) = pair.fast.fives(Side::White);
                if second.is_none() {
                    pair.put(forced.unwrap(), Side::Black);
                    assert_eq!(win_by_fours(&mut pair.fast).map(|win| win.moves), Some(win.moves - 1));
                }
            } else {
                assert!(pair.fast.has_five(Side::White));
            }
            won += 1;
        } else {
            lost += 1;
        }
    }
}
