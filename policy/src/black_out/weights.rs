//! The weights of the evaluation, each declared once. A position is judged right after the player's
//! own move, so "symmetric" is the position that the opponent gets; a larger value is better for
//! the player. Only differences count.
//!
//! Rows and columns without a free square do not matter: segments pass over them. The remaining
//! ones form the closed-up board.

crate::weights! {
    /// The factors of the evaluation's features.
    pub struct Weights {
        turn: "the board is symmetric under a half-turn", -10.0..=10.0, 0.5, 0.0;
        flip: "the board is symmetric, top to bottom", -10.0..=10.0, 0.5, 0.0;
        mirror: "the board is symmetric, left to right", -10.0..=10.0, 0.5, 0.0;
        closed_turn: "the closed-up board is symmetric under a half-turn", -10.0..=10.0, 0.5, 0.0;
        closed_flip: "the closed-up board is symmetric, top to bottom", -10.0..=10.0, 0.5, 0.0;
        closed_mirror: "the closed-up board is symmetric, left to right", -10.0..=10.0, 0.5, 0.0;
        unlike_turn: "each free square of the closed-up board that a half-turn takes to a black one",
            -4.0..=4.0, 0.2, 0.0;
        unlike_flip: "each free square of the closed-up board whose image top to bottom is black",
            -4.0..=4.0, 0.2, 0.0;
        unlike_mirror: "each free square of the closed-up board whose image left to right is black",
            -4.0..=4.0, 0.2, 0.0;
        middle: "each free square in a middle row or column of the closed-up board", -4.0..=4.0, 0.2, 0.0;

        free: "each free square", -4.0..=4.0, 0.2, 0.0;
        free_odd: "the number of free squares is odd", -10.0..=10.0, 0.5, -1.0;
        rows_odd: "the number of rows with a free square is odd", -10.0..=10.0, 0.5, 0.0;
        columns_odd: "the number of columns with a free square is odd", -10.0..=10.0, 0.5, 0.0;
        moves: "each remaining move, counted by the squares that it blackens", -1.0..=1.0, 0.05, 0.0;
        moves_odd: "the number of such moves is odd", -10.0..=10.0, 0.5, 0.0;
        line_1: "each row or column with exactly one free square", -4.0..=4.0, 0.2, 0.0;
        line_2: "each row or column with exactly two free squares", -4.0..=4.0, 0.2, 0.0;
        line_3: "each row or column with exactly three free squares", -4.0..=4.0, 0.2, 0.0;
        line_more: "each row or column with four free squares or more", -4.0..=4.0, 0.2, 0.0;
        lone: "each free square alone in its row and its column", -4.0..=4.0, 0.2, 0.0;
        lone_odd: "the number of such lone squares is odd", -10.0..=10.0, 0.5, -2.0;
        regions: "each region: free squares joined through rows and columns", -4.0..=4.0, 0.2, 0.0;
        regions_odd: "the number of regions is odd", -10.0..=10.0, 0.5, -1.0;
        largest: "each square of the largest region", -4.0..=4.0, 0.2, 0.0;
        balance: "the sizes of the regions, as heaps of the game of Nim, sum to zero", -10.0..=10.0, 0.5, 3.0;
    }
}
