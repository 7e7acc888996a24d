//! Compares king and rook with a slow twin, over whole boards and random games, and the player with
//! a plain minimax search.

use policy::king_rook::board::{cells, Board, Cell};
use policy::king_rook::player::{later, leaf, moves, on_the_way, Player, DRAW, MATE};
use policy::king_rook::position::{Contest, Move, Position, State};
use policy::king_rook::symmetry::{standard, Mirror};
use policy::king_rook::weights::Weights;
use policy::random::SplitMix64;
use policy_twins::king_rook::compare::{compare, twin_of};

/// Compares every `stride`th placement of three pieces. Returns the number of valid positions.
fn compare_all<const F: usize, const R: usize>(stride: usize) -> usize {
    let size = Board::<F, R>::CELLS;
    let mut positions = 0;
    for number in (0..size.pow(3)).step_by(stride) {
        let [king, rook, black] = [number / size / size, number / size % size, number % size].map(|cell| cell as Cell);
        let at = Position::<F, R>::new(king, rook, black);
        assert_eq!(at.is_ok(), twin_of(&Position::<F, R> { king, rook, black }).is_possible());
        if let Ok(at) = at {
            assert_eq!(at.number(), number);
            compare(&at);
            positions += 1;
        }
    }
    positions
}

#[test]
fn the_rules_match_the_twin() {
    assert!(compare_all::<10, 9>(7) > 80_000);
    assert!(compare_all::<4, 5>(1) > 4_800);
    assert!(compare_all::<3, 3>(1) > 100);
    assert!(compare_all::<8, 8>(11) > 10_000);
    assert!(compare_all::<16, 8>(97) > 10_000);
}

fn random_position(random: &mut SplitMix64) -> Contest {
    loop {
        let mut cell = || random.below(90) as Cell;
        if let Ok(at) = Contest::new(cell(), cell(), cell()) {
            if !at.is_check() {
                return at;
            }
        }
    }
}

fn nth(mut list: impl Iterator<Item = Move>, n: u32) -> Option<Move> {
    list.nth(n as usize)
}

#[test]
fn random_games_follow_the_rules_of_the_twin() {
    let mut random = SplitMix64::new(3);
    let mut endings = [0; 3];
    for _ in 0..2000 {
        let mut at = random_position(&mut random);
        for _ in 0..60 {
            let count = moves(&at).count() as u32;
            let step = nth(moves(&at), random.below(count)).unwrap();
            assert!(at.allows(step));
            at = at.after(step);
            compare(&at);
            match at.state() {
                State::Open(replies) => {
                    let count = replies.count_ones();
                    at.black = cells(replies).nth(random.below(count) as usize).unwrap();
                    compare(&at);
                }
                State::Checkmate => endings[0] += 1,
                State::Stalemate => endings[1] += 1,
                State::RookLost => endings[2] += 1,
            }
            if !matches!(at.state(), State::Open(_)) {
                break;
            }
        }
    }
    assert!(endings[2] > 1000, "{endings:?}");
}

/// Returns the value of a position with Black to move, by a search without memory and pruning.
fn plain(weights: &Weights, at: &Contest, left: u32) -> i32 {
    match at.state() {
        State::Checkmate => MATE,
        State::Stalemate | State::RookLost => DRAW,
        State::Open(replies) if left == 1 => leaf(weights, at, replies),
        State::Open(replies) => {
            let white = |black| {
                let at = Contest { black, ..*at };
                later(moves(&at).map(|step| plain(weights, &at.after(step), left - 1)).max().unwrap())
            };
            on_the_way(weights, cells(replies).map(white).min().unwrap(), leaf(weights, at, replies))
        }
    }
}

#[test]
fn the_player_matches_a_plain_search() {
    let mut random = SplitMix64::new(5);
    for (depth, positions) in [(1, 300), (2, 100), (3, 2)] {
        let mut player = Player::new(Weights::DEFAULT, depth);
        for _ in 0..positions {
            let at = random_position(&mut random);
            let chosen = at.after(player.choose(&at).unwrap());
            let value = |at: &Contest| (plain(&Weights::DEFAULT, at, depth), plain(&Weights::DEFAULT, at, 1));
            let best = moves(&at).map(|step| value(&at.after(step))).max().unwrap();
            assert_eq!(value(&chosen), best, "{at:?}");
        }
    }
}

#[test]
fn mirrored_positions_are_played_alike() {
    let mut random = SplitMix64::new(9);
    let mut player = Player::new(Weights::DEFAULT, 2);
    for i in 0..500 {
        let mut at = random_position(&mut random);
        if i % 3 == 0 {
            at.black = 40 + at.black % 10;
        }
        if Contest::new(at.king, at.rook, at.black).is_err() {
            continue;
        }
        let step = player.choose(&at).unwrap();
        for (files, ranks) in [(false, false), (false, true), (true, false), (true, true)] {
            let mirror = Mirror { files, ranks };
            let mirrored = mirror.position(&at);
            assert_eq!(standard(&mirrored), standard(&at));
            assert_eq!(mirror.position(&mirrored), at);
            // A position that is its own mirror image may be played either way.
            let is_symmetric = Mirror::to_standard(&mirrored).position(&mirrored) == at && mirrored == at;
            if !is_symmetric {
                assert_eq!(player.choose(&mirrored), Some(mirror.step(step)));
            }
        }
    }
}

#[test]
fn an_immediate_mate_is_played() {
    let cell = |name: &str| Board::<10, 9>::cell(name).unwrap();
    let at = Contest::new(cell("b3"), cell("c4"), cell("a1")).unwrap();
    for depth in 1..=4 {
        let mut player = Player::new(Weights::ZERO, depth);
        assert_eq!(player.choose(&at), Some(Move::Rook(cell("c1"))));
    }
}
