//! Slow twins: the rules of the games written plainly a second time, and what compares them with the fast ones. Tests and
//! fuzz targets share them.

pub mod black_out {
    pub mod compare;
    pub mod twin;
}

pub mod chess_puzzle {
    pub mod compare;
    pub mod twin;
}

pub mod gomoku {
    pub mod pair;
    pub mod twin;
}

pub mod king_rook {
    pub mod compare;
    pub mod twin;
}

pub mod solitaire_chess {
    pub mod compare;
    pub mod twin;
}
