use super::*;
use crate::solitaire_chess::groups::{alphabet, GROUPS};

fn board(group: usize, random: &mut SplitMix64) -> Position {
    let types = GROUPS[group - 1];
    let shown: Vec<Piece> = (0..64).map(|_| types[random.below(types.len() as u32) as usize]).collect();
    Position::new(|tile| shown[tile as usize])
}

#[test]
fn endings_match_the_same_game_on_a_position() {
    let mut random = SplitMix64::new(1);
    let mut emptied = 0;
    for group in 1..=6 {
        for _ in 0..200 {
            let mut start = board(group, &mut random);
            // Some playouts start in the middle of a game.
            for _ in 0..random.below(6) {
                let legal = start.legal();
                if legal != 0 {
                    start.remove(tiles(legal).last().unwrap(), Some(GROUPS[group - 1][0]));
                }
            }
            let playouts = Playouts::new(&start, alphabet(group));
            for _ in 0..5 {
                let mut position = start.clone();
                let ending = playouts.play(&mut random, |tile, below| {
                    assert_eq!(position.legal() >> tile & 1, 1);
                    assert!(GROUPS[group - 1].contains(&below));
                    position.remove(tile, Some(below));
                });
                assert_eq!(position.legal(), 0);
                assert_eq!(ending.removals, position.removals() - start.removals());
                assert_eq!(ending.points, position.score().total() - start.score().total());
                emptied += ALL.count_ones() - position.occupied().count_ones();
            }
        }
    }
    assert!(emptied > 1000, "{emptied}");
}

#[test]
fn simultaneous_playouts_end_like_single_ones() {
    let mut random = SplitMix64::new(3);
    for group in 1..=6 {
        let mut start = board(group, &mut random);
        for round in 0..3 {
            let playouts = Playouts::new(&start, alphabet(group));
            for count in [0, 1, 2, 3, 100] {
                let mut endings = vec![None; count];
                playouts.play_all(0..count as u64, |seed, ending| {
                    assert!(endings[seed as usize].replace(ending).is_none(), "group {group}, round {round}");
                });
                for (seed, ending) in endings.into_iter().enumerate() {
                    assert_eq!(ending, Some(playouts.play(&mut SplitMix64::new(seed as u64), |_, _| ())));
                }
            }
            // The next round starts in the middle of a game, and the last one at its end.
            while start.legal() != 0 && (round > 0 || start.removals() < 10) {
                start.remove(start.legal().trailing_zeros() as Tile, Some(GROUPS[group - 1][0]));
            }
        }
    }
}

#[test]
fn removals_and_reveals_are_drawn_uniformly() {
    // On a board of twos, the removal after a corner is one of three. Once the corner is empty,
    // after removals from there to its neighbour in the row and back, the removal after that
    // neighbour is one of four, and draws of the corner are repeated. The piece below is 1 or 2.
    for (removed, next) in [(&[0][..], &[2, 20, 22][..]), (&[0, 2, 0, 2, 0, 2], &[4, 20, 22, 24])] {
        let mut random = SplitMix64::new(2);
        let mut start = Position::new(|_| Piece::Two);
        for &tile in removed {
            start.remove(tile, Some(Piece::Two));
        }
        assert_eq!(tiles(start.legal()).collect::<Vec<_>>(), next);
        let playouts = Playouts::new(&start, alphabet(3));
        let mut counts = [[0_u32; 2]; 64];
        for _ in 0..60_000 {
            let mut first = true;
            playouts.play(&mut random, |tile, below| {
                if std::mem::take(&mut first) {
                    counts[tile as usize][below as usize] += 1;
                }
            });
        }
        for &tile in next {
            for count in counts[tile as usize] {
                // The counts are within five standard deviations.
                let (n, p) = (60_000.0, 0.5 / next.len() as f64);
                let far = (f64::from(count) - n * p).abs() / (n * p * (1.0 - p)).sqrt();
                assert!(far < 5.0, "{tile}: {counts:?}");
            }
        }
    }
}
