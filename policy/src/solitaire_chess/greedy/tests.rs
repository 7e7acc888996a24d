//! Compares the greedy player with its definition, where every board is computed from scratch.

use super::*;
use crate::random::SplitMix64;
use crate::solitaire_chess::board::Mask;
use crate::solitaire_chess::groups::{alphabet, GROUPS};
use crate::solitaire_chess::weights::Terms;

/// Chooses by the definition: a close evaluation among those within the margin, of the three
/// removals that look best.
fn chosen(position: &Position, evaluation: &Evaluation, margin: f64) -> Tile {
    let (tiers, bonus) = (*position.tiers(), position.bonus());
    let material = evaluation.material(&tiers);
    let mut now = Board::default();
    evaluation.survey(&mut now, &Board::default(), *position.visible(), tiers, material);
    let piece = |tile: Tile| position.piece(tile).unwrap();
    let (mut over, mut on) = (Vec::new(), Vec::new());
    for tile in tiles(position.legal()) {
        let removal = evaluation.judge(&now, bonus, tile, piece(tile));
        let value = f64::from(removal.points) + removal.future;
        if removal.next == 0 { &mut over } else { &mut on }.push((tile, value));
    }
    on.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    on.truncate(3);
    let several = on.len() > 1;
    on.retain({
        let best = on.first().map(|&(_, value)| value);
        move |&(_, value)| best.is_some_and(|best| value >= best - margin)
    });
    let clear = several && on.len() == 1;
    for (tile, value) in &mut on {
        let (worn, material) = evaluation.worn(&tiers, material, *tile);
        let known = position.visible().map(|set: Mask| set & !(1 << *tile));
        let mut after = Board::default();
        evaluation.survey(&mut after, &Board::default(), known, worn, material);
        let removal = evaluation.judge_closely(&after, bonus, *tile, piece(*tile));
        // If the others are dropped, the remaining removal keeps its quick value.
        if !clear {
            *value = f64::from(removal.points) + removal.future;
        }
    }
    let all = [over, on].concat();
    all.into_iter().reduce(|a, b| if (b.1, -i32::from(b.0)) > (a.1, -i32::from(a.0)) { b } else { a }).unwrap().0
}

#[test]
fn choices_match_the_definition() {
    let mut random = SplitMix64::new(13);
    let mut choices = 0;
    for margin in [0, 2, 20, 1000] {
        let mut player = Greedy::new(margin);
        for round in 0..60 {
            let group = 3 + round % 4;
            let types = GROUPS[group - 1];
            let evaluation = Evaluation::new(Terms::DEFAULT, alphabet(group));
            let mut draw = || types[random.below(types.len() as u32) as usize];
            let shown: Vec<_> = (0..64).map(|_| draw()).collect();
            let mut position = Position::new(|tile| shown[tile as usize]);
            while position.legal() != 0 {
                let margin = if margin < 1000 { f64::from(margin) } else { f64::INFINITY };
                let tile = chosen(&position, &evaluation, margin);
                assert_eq!(
                    player.choose(&position, &evaluation, &Clock::UNLIMITED),
                    Some(tile),
                    "group {group}, margin {margin}"
                );
                position.remove(tile, Some(draw()));
                choices += 1;
            }
        }
    }
    assert!(choices > 5000, "{choices}");
}

#[test]
fn a_removal_is_found_whatever_the_weights() {
    let position = Position::new(|_| Piece::One);
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let evaluation = Evaluation::new(Terms::from_values(&[value; Terms::COUNT]), alphabet(2));
        assert!(Greedy::new(1000).choose(&position, &evaluation, &Clock::UNLIMITED).is_some());
        assert!(Greedy::new(3).choose(&position, &evaluation, &Clock::UNLIMITED).is_some());
    }
}
