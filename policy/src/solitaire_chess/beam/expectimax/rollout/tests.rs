use super::super::super::super::board::{ALL, TYPES};
use super::super::super::super::groups::{alphabet, GROUPS};
use super::super::super::super::weights::Terms;
use super::*;
use crate::random::SplitMix64;

/// Returns a removal that looks `behind` points worse, whose rollouts had these differences from
/// the first removal.
fn candidate(tile: Tile, behind: f64, differences: &[f64]) -> Candidate {
    let mut candidate = Candidate { tile, behind, rollouts: 0.0, sum: 0.0, squares: 0.0 };
    differences.iter().for_each(|&points| candidate.count(points));
    candidate
}

#[test]
fn rollouts_are_combined_with_the_prior() {
    // Four differences of +10: their variance is LUCK / 5 = 10, their precision 0.4; the precision
    // of the prior is 0.2.
    let (advantage, deviation) = candidate(0, 3.0, &[10.0; 4]).advantage();
    assert!((advantage - (0.4 * 10.0 - 0.2 * 0.6 * 3.0) / 0.6).abs() < 1e-12);
    assert!((deviation - (1.0 / 0.6_f64).sqrt()).abs() < 1e-12);
    // With more rollouts, the prior counts less.
    let many: Vec<f64> = (0..1000).map(|n| if n % 2 == 0 { 9.0 } else { -5.0 }).collect();
    assert!((candidate(0, 8.0, &many).advantage().0 - 2.0).abs() < 0.1);
}

#[test]
fn hopeless_removals_get_no_more_rollouts() {
    let even = || candidate(0, 0.0, &[0.0; 50]);
    let left = |others: &[Candidate]| {
        let mut candidates = vec![even()];
        candidates.extend(others);
        drop_hopeless(&mut candidates);
        candidates.iter().map(|one| one.tile).collect::<Vec<_>>()
    };
    let (worse, doubtful, better) =
        (candidate(1, 1.0, &[-9.0; 50]), candidate(2, 1.0, &[0.1; 50]), candidate(3, 1.0, &[9.0; 50]));
    assert_eq!(left(&[worse, doubtful]), [0, 2]);
    assert_eq!(left(&[worse]), [0]);
    assert_eq!(left(&[better]), [3]);
    assert_eq!(left(&[worse, doubtful, better]), [3]);
    let nearly = candidate(4, 1.0, &[8.9; 50]);
    assert_eq!(left(&[nearly, better]), [0, 4, 3], "the first stays while two others are compared");
}

#[test]
fn all_types_are_dealt_equally_often() {
    for group in 1..=GROUPS.len() {
        let mut counts = [0; TYPES];
        for n in 0..1000 {
            let deal = Deal(mixed(n));
            for tile in tiles(ALL) {
                for layer in 1..TIERS {
                    counts[deal.piece(tile, layer, alphabet(group)) as usize] += 1;
                }
            }
        }
        let expected = 72_000.0 / GROUPS[group - 1].len() as f64;
        for &piece in GROUPS[group - 1] {
            let count = f64::from(counts[piece as usize]);
            assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{piece:?} {count} times in group {group}");
        }
    }
}

/// Creates a player with rollouts of this length, by a beam as small as the one in `alone`.
fn player(length: u32) -> Rollout {
    let small = Settings { width: 2, depth: 3 };
    let inner = Settings { width: 3, depth: 4 };
    Rollout::new(Expectimax::new(small, 2, inner, [0, 0]), 12, length, small)
}

#[test]
fn a_rollout_to_the_end_of_the_game_has_its_points() {
    // If knights are the only type, nothing is hidden, so that every deal is the game itself.
    let evaluation = Evaluation::new(Terms::DEFAULT, alphabet(1));
    let position = Position::new(|_| Piece::Knight);
    let mut alone = Beam::new(Settings { width: 2, depth: 3 });
    for first in tiles(ALL).step_by(7) {
        let mut game = position.clone();
        let mut next = Some(first);
        while let Some(tile) = next {
            game.remove(tile, Some(Piece::Knight));
            next = alone.choose(&game, &evaluation, &Clock::UNLIMITED);
        }
        let points = player(108).play_out(&position, first, &Deal(1), &evaluation);
        assert_eq!(points, f64::from(game.score().total()));
    }
}

#[test]
fn a_rollout_of_one_removal_has_what_the_inner_beam_finds_behind_it() {
    let evaluation = Evaluation::new(Terms::DEFAULT, alphabet(6));
    let mut random = SplitMix64::new(3);
    let shown: Vec<Piece> = (0..64).map(|_| Piece::ALL[random.below(8) as usize]).collect();
    let position = Position::new(|tile| shown[tile as usize]);
    let deal = Deal(5);
    for first in tiles(ALL) {
        let mut after = position.clone();
        after.remove(first, Some(deal.piece(first, 1, alphabet(6))));
        let found = Beam::new(Settings { width: 3, depth: 4 }).expected(&after, &evaluation);
        assert_eq!(player(1).play_out(&position, first, &deal, &evaluation), 1.0 + found);
    }
}
