//! Every fast engine against its slow twin: bytes are a game, and both sides must come to the same at every move.

pub mod black_out;
pub mod chess_puzzle;
pub mod gomoku;
pub mod king_rook;
pub mod solitaire_chess;

/// Choices read from bytes.
pub struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Choices(bytes)
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number below `count`, which is below 65536.
    pub fn below(&mut self, count: usize) -> Option<usize> {
        let first = usize::from(self.byte()?);
        match count > 256 {
            true => Some((first << 8 | usize::from(self.byte()?)) % count),
            false => Some(first % count),
        }
    }

    /// Eight bytes, of which those that are not there are zero.
    pub fn seed(&mut self) -> u64 {
        (0..8).fold(0, |seed, _| seed << 8 | u64::from(self.byte().unwrap_or_default()))
    }
}
