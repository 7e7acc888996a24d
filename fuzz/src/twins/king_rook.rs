//! The rules, on the board of the game.

#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/king_rook/compare.rs"]
mod compare;
#[rustfmt::skip] // Of another edition.
#[path = "../../../policy/tests/king_rook/twin.rs"]
#[allow(missing_docs)]
mod twin;

use super::Choices;
use compare::{compare, twin_of};
use policy::king_rook::board::{Cell, cells};
use policy::king_rook::player::moves;
use policy::king_rook::position::{Contest, State};

/// Three bytes for a position, then a byte for each move of either side.
pub fn run(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let mut cell = || choices.below(90).map(|cell| cell as Cell);
    let (Some(king), Some(rook), Some(black)) = (cell(), cell(), cell()) else { return false };
    let at = Contest::new(king, rook, black);
    assert_eq!(at.is_ok(), twin_of(&Contest { king, rook, black }).is_possible());
    let Ok(mut at) = at else { return false };
    compare(&at);
    if !matches!(at.state(), State::Open(_)) {
        return true;
    }
    loop {
        let Some(step) = choices.byte() else { return true };
        let all: Vec<_> = moves(&at).collect();
        let step = all[usize::from(step) % all.len()];
        assert!(at.allows(step));
        at = at.after(step);
        compare(&at);
        let State::Open(replies) = at.state() else { return true };
        let Some(reply) = choices.below(replies.count_ones() as usize) else { return true };
        at.black = cells(replies).nth(reply).expect("below the number of replies");
        compare(&at);
        if moves(&at).next().is_none() {
            return true;
        }
    }
}
