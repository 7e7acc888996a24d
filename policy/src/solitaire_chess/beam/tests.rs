use super::*;
use crate::solitaire_chess::board::ALL;
use crate::solitaire_chess::groups::alphabet;
use crate::solitaire_chess::weights::Terms;

#[test]
fn a_line_leads_from_its_first_removal_to_its_value() {
    // With only knights, nothing is hidden: a deep line reaches the end of the game, where its
    // value is its points.
    let evaluation = Evaluation::new(Terms::DEFAULT, alphabet(1));
    for (depth, ends) in [(200, true), (4, false)] {
        let mut position = Position::new(|_| Piece::Knight);
        let mut beam = Beam::new(Settings { width: 5, depth });
        let values = beam.values_from(&position, &evaluation, &Clock::UNLIMITED);
        let first = best(ALL, &values).unwrap();
        let mut line: Vec<Tile> = beam.line(first).collect();
        assert_eq!(line.last(), Some(&first));
        assert!(ends || line.len() == depth);
        while let Some(tile) = line.pop() {
            assert_eq!(position.legal() >> tile & 1, 1, "{tile}");
            let below = position.tier(tile) + 1 < TIERS;
            position.remove(tile, below.then_some(Piece::Knight));
        }
        if ends {
            assert_eq!((position.legal(), f64::from(position.score().total())), (0, values[usize::from(first)]));
        }
    }
}
