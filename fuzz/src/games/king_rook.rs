//! The rules on the board of the game.

use super::Game;
use arbitrary::{Result, Unstructured};
use evolve_games::king_rook::KingRook;
use policy::clock::Clock;
use policy::king_rook::board::{Cell, cells};
use policy::king_rook::dialogue;
use policy::king_rook::player::{Player, moves};
use policy::king_rook::position::{Contest, State};
use policy::king_rook::weights::Weights;
use policy_twins::king_rook::compare::{compare, twin_of};

impl Game for KingRook {
    const NAME: &'static str = "king-rook";

    fn play(told: &[u8], said: &mut Vec<u8>) -> std::result::Result<(), String> {
        dialogue::play(told, said, &Clock::UNLIMITED, &mut Player::new(Weights::DEFAULT, 2))
    }

    /// Reads three bytes for a position, then a byte for each move of either side.
    fn twin(mut bytes: Unstructured<'_>) -> Result<bool> {
        let [king, rook, black] = bytes.arbitrary::<[u8; 3]>()?.map(|byte| Cell::from(byte % 90));
        let at = Contest::new(king, rook, black);
        assert_eq!(at.is_ok(), twin_of(&Contest { king, rook, black }).is_possible());
        let Ok(mut at) = at else { return Ok(false) };
        compare(&at);
        if !matches!(at.state(), State::Open(_)) {
            return Ok(true);
        }
        loop {
            let all: Vec<_> = moves(&at).collect();
            if all.is_empty() || bytes.is_empty() {
                return Ok(true);
            }
            let step = all[usize::from(bytes.arbitrary::<u8>()?) % all.len()];
            assert!(at.allows(step));
            at = at.after(step);
            compare(&at);
            let State::Open(replies) = at.state() else { return Ok(true) };
            let reply = bytes.choose_index(replies.count_ones() as usize)?;
            at.black = cells(replies).nth(reply).expect("below the number of replies");
            compare(&at);
        }
    }
}
