//! Compares the fast position with the slow twin.

use super::twin::{self, Game, Layer, ALL_PIECES, LAYERS, SIDE};
use policy::solitaire_chess::board::{tile, Mask, Piece};
use policy::solitaire_chess::position::Position;

/// Returns the piece of the twin.
pub fn twin_piece(piece: Piece) -> twin::Piece {
    ALL_PIECES[piece as usize]
}

/// Returns the twin's score in the order tiles, runs, number sets, chess sets, alternation.
fn parts(score: &twin::Score) -> [u32; 5] {
    [score.tiles, score.runs, score.number_sets, score.piece_sets, score.alternation]
}

/// Returns the layers of the twin.
pub fn to_twin(layers: &[[Piece; 64]; LAYERS]) -> [Layer; LAYERS] {
    let layer = |layer: usize| {
        std::array::from_fn(|row| std::array::from_fn(|column| twin_piece(layers[layer][tile(row, column) as usize])))
    };
    std::array::from_fn(layer)
}

/// Checks that both implementations agree on everything that a player sees, and on the score.
pub fn compare(position: &Position, game: &Game) {
    let mut legal: Mask = 0;
    for (row, column) in game.legal() {
        legal |= 1 << tile(row, column);
    }
    assert_eq!(position.legal(), legal, "legal removals after {:?}", game.removed());
    for row in 0..SIDE {
        for column in 0..SIDE {
            let visible = position.piece(tile(row, column)).map(twin_piece);
            assert_eq!(visible, game.visible(row, column), "row {row}, column {column}");
        }
    }
    let score = game.score();
    let points = position.score().parts().map(|(_, points)| u32::from(points));
    assert_eq!(points, parts(&score), "score after {:?}", game.removed());
    assert_eq!(position.score().total(), score.total());
    assert_eq!(position.removals() as usize, game.removed().len());
}
