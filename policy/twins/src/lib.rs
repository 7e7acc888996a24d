//! Slow twins: a plain second implementation of each game's rules, and comparisons with the fast
//! ones, shared by tests and fuzz targets.

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
