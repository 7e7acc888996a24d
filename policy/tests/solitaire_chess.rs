//! Compares the slow twin of Solitaire chess with games calculated by hand.

use policy_twins::solitaire_chess::twin::Piece::{self, Bishop, Four, Knight, One, Queen, Rook, Three, Two};
use policy_twins::solitaire_chess::twin::{
    bonuses, points_at, Game, Layer, Score, ALL_PIECES, CHESS_PIECES, NUMBERS, SIDE,
};

/// Returns the type with this name in the judge's dialogue.
fn piece(name: &str) -> Piece {
    match name {
        "1" => One,
        "2" => Two,
        "3" => Three,
        "4" => Four,
        "torn" => Rook,
        "lopare" => Bishop,
        "dam" => Queen,
        "springare" => Knight,
        other => panic!("no piece is called {other}"),
    }
}

/// Returns the bonuses for removing these types, named in order.
fn bonus(names: &str) -> Score {
    let removed: Vec<Piece> = names.split_whitespace().map(piece).collect();
    bonuses(&removed)
}

/// Checks the bonuses of a sequence: runs, number sets, piece sets, alternation.
#[track_caller]
fn expect_bonus(names: &str, [runs, number_sets, piece_sets, alternation]: [u32; 4]) {
    let expected = Score { tiles: 0, runs, number_sets, piece_sets, alternation };
    assert_eq!(bonus(names), expected, "{names}");
}

/// Returns a layer with the same type everywhere.
fn filled(piece: Piece) -> Layer {
    [[piece; SIDE]; SIDE]
}

/// Returns a game in which every piece of every layer has the same type.
fn game_of(piece: Piece) -> Game {
    Game::new(&[filled(piece); 3])
}

/// Returns the tiles that may follow a first removal at `row`, `col`, all counted from 1.
fn targets(piece: Piece, row: usize, col: usize) -> Vec<(usize, usize)> {
    let mut game = game_of(piece);
    game.remove(row - 1, col - 1);
    let legal = game.legal();
    legal.into_iter().map(|(r, c)| (r + 1, c + 1)).collect()
}

/// Returns the sample game up to and including the removal of the queen.
fn sample_up_to_queen() -> Game {
    let mut bronze = filled(One);
    bronze[2][2] = Two;
    bronze[2][5] = Rook;
    bronze[3][2] = Three;
    bronze[3][3] = Four;
    bronze[3][5] = Queen;
    // The types of tiles that the sample never uncovers are arbitrary.
    let mut silver = filled(Two);
    silver[5][5] = Queen;
    silver[4][5] = Knight;
    silver[0][0] = Bishop;
    let mut gold = filled(Three);
    gold[5][5] = Rook;
    let mut game = Game::new(&[bronze, silver, gold]);
    game.remove(5, 5);
    assert_eq!(game.visible(5, 5), Some(Queen));
    game.remove(4, 5);
    assert_eq!(game.visible(4, 5), Some(Knight));
    game.remove(5, 5);
    assert_eq!(game.visible(5, 5), Some(Rook));
    game
}

#[test]
fn sample_game() {
    let mut game = sample_up_to_queen();
    // The removed queen determines the next move, not the rook below it.
    assert_eq!(game.legal(), [(0, 0), (0, 5), (5, 0)]);
    game.remove(0, 0);
    assert_eq!(game.visible(0, 0), Some(Bishop));
    assert_eq!(game.removed(), [One, One, Queen, One]);
    let expected = Score {
        tiles: 4, // gold at (6, 6), silver at (5, 6) and (1, 1)
        runs: 4,
        number_sets: 0,
        piece_sets: 0,
        alternation: 0,
    };
    assert_eq!(game.score(), expected);
    assert_eq!(game.score().total(), 8);
}

#[test]
#[should_panic(expected = "may not be removed")]
fn queen_may_not_stop_short_of_the_edge() {
    sample_up_to_queen().remove(3, 0);
}

#[test]
fn every_tile_is_open_at_first() {
    for piece in ALL_PIECES {
        let game = game_of(piece);
        let legal = game.legal();
        assert_eq!(legal.len(), 36);
        assert_eq!(legal[0], (0, 0));
        assert_eq!(legal[1], (0, 1));
        assert_eq!(legal[6], (1, 0));
        assert_eq!(legal[35], (5, 5));
        assert_eq!(game.score().total(), 0);
    }
}

#[test]
fn targets_from_the_corner() {
    assert_eq!(targets(One, 1, 1), [(1, 2), (2, 1), (2, 2)]);
    assert_eq!(targets(Two, 1, 1), [(1, 3), (3, 1), (3, 3)]);
    assert_eq!(targets(Three, 1, 1), [(1, 4), (4, 1), (4, 4)]);
    assert_eq!(targets(Four, 1, 1), [(1, 5), (5, 1), (5, 5)]);
    assert_eq!(targets(Rook, 1, 1), [(1, 6), (6, 1)]);
    assert_eq!(targets(Bishop, 1, 1), [(6, 6)]);
    assert_eq!(targets(Queen, 1, 1), [(1, 6), (6, 1), (6, 6)]);
    assert_eq!(targets(Knight, 1, 1), [(2, 3), (3, 2)]);
}

#[test]
fn targets_from_the_top_edge() {
    let one = [(1, 2), (1, 4), (2, 2), (2, 3), (2, 4)];
    assert_eq!(targets(One, 1, 3), one);
    let two = [(1, 1), (1, 5), (3, 1), (3, 3), (3, 5)];
    assert_eq!(targets(Two, 1, 3), two);
    assert_eq!(targets(Three, 1, 3), [(1, 6), (4, 3), (4, 6)]);
    assert_eq!(targets(Four, 1, 3), [(5, 3)]);
    assert_eq!(targets(Rook, 1, 3), [(1, 1), (1, 6), (6, 3)]);
    assert_eq!(targets(Bishop, 1, 3), [(3, 1), (4, 6)]);
    let queen = [(1, 1), (1, 6), (3, 1), (4, 6), (6, 3)];
    assert_eq!(targets(Queen, 1, 3), queen);
    assert_eq!(targets(Knight, 1, 3), [(2, 1), (2, 5), (3, 2), (3, 4)]);
}

#[test]
fn targets_from_the_right_edge() {
    let one = [(3, 5), (3, 6), (4, 5), (5, 5), (5, 6)];
    assert_eq!(targets(One, 4, 6), one);
    let two = [(2, 4), (2, 6), (4, 4), (6, 4), (6, 6)];
    assert_eq!(targets(Two, 4, 6), two);
    assert_eq!(targets(Three, 4, 6), [(1, 3), (1, 6), (4, 3)]);
    assert_eq!(targets(Four, 4, 6), [(4, 2)]);
    assert_eq!(targets(Rook, 4, 6), [(1, 6), (4, 1), (6, 6)]);
    assert_eq!(targets(Bishop, 4, 6), [(1, 3), (6, 4)]);
    let queen = [(1, 3), (1, 6), (4, 1), (6, 4), (6, 6)];
    assert_eq!(targets(Queen, 4, 6), queen);
    assert_eq!(targets(Knight, 4, 6), [(2, 5), (3, 4), (5, 4), (6, 5)]);
}

#[test]
fn targets_from_the_centre() {
    let ring = [(2, 2), (2, 3), (2, 4), (3, 2)];
    let rest = [(3, 4), (4, 2), (4, 3), (4, 4)];
    assert_eq!(targets(One, 3, 3), [ring, rest].concat());
    let ring = [(1, 1), (1, 3), (1, 5), (3, 1)];
    let rest = [(3, 5), (5, 1), (5, 3), (5, 5)];
    assert_eq!(targets(Two, 3, 3), [ring, rest].concat());
    assert_eq!(targets(Three, 3, 3), [(3, 6), (6, 3), (6, 6)]);
    assert_eq!(targets(Four, 3, 3), []);
    assert_eq!(targets(Rook, 3, 3), [(1, 3), (3, 1), (3, 6), (6, 3)]);
    assert_eq!(targets(Bishop, 3, 3), [(1, 1), (1, 5), (5, 1), (6, 6)]);
    let ring = [(1, 1), (1, 3), (1, 5), (3, 1)];
    let rest = [(3, 6), (5, 1), (6, 3), (6, 6)];
    assert_eq!(targets(Queen, 3, 3), [ring, rest].concat());
    let ring = [(1, 2), (1, 4), (2, 1), (2, 5)];
    let rest = [(4, 1), (4, 5), (5, 2), (5, 4)];
    assert_eq!(targets(Knight, 3, 3), [ring, rest].concat());
}

#[test]
fn no_piece_points_at_itself() {
    for piece in ALL_PIECES {
        for r in 1..=SIDE {
            for c in 1..=SIDE {
                assert!(!points_at(piece, (r, c), (r, c)));
            }
        }
    }
}

#[test]
fn tile_goes_bronze_silver_gold_bare() {
    // The top left tile hides three types. Two rooks, one on this tile and one at the far end of
    // its row, point at each other.
    let mut layers = [filled(One); 3];
    layers[1][0][0] = Rook;
    layers[2][0][0] = Two;
    layers[0][0][5] = Rook;
    let mut game = Game::new(&layers);
    assert_eq!(game.visible(0, 0), Some(One));
    assert_eq!(game.score().tiles, 0);

    game.remove(0, 0);
    assert_eq!(game.visible(0, 0), Some(Rook));
    assert_eq!(game.score().tiles, 1);

    game.remove(0, 1);
    game.remove(0, 0);
    assert_eq!(game.visible(0, 0), Some(Two));
    assert_eq!(game.score().tiles, 3);
    assert_eq!(game.legal(), [(0, 5), (5, 0)]);

    game.remove(0, 5);
    assert_eq!(game.legal(), [(0, 0), (5, 5)]);
    game.remove(0, 0);
    assert_eq!(game.visible(0, 0), None);
    assert_eq!(game.score().tiles, 5);
    assert_eq!(game.removed(), [One, One, Rook, Rook, Two]);
    expect_bonus("1 1 torn torn 2", [8, 0, 0, 0]);
    assert_eq!(game.score().total(), 13);
    assert_eq!(game.legal(), [(0, 2), (2, 0), (2, 2)]);

    // A 1 beside the empty tile no longer points at it.
    game.remove(0, 2);
    game.remove(0, 1);
    assert_eq!(game.legal(), [(0, 2), (1, 0), (1, 1), (1, 2)]);
}

#[test]
fn bare_edge_tile_is_not_replaced_by_the_one_before_it() {
    let mut game = game_of(Bishop);
    for _ in 0..3 {
        game.remove(0, 0);
        assert_eq!(game.legal(), [(5, 5)]);
        game.remove(5, 5);
    }
    assert_eq!(game.legal(), []);
    assert_eq!(game.score().tiles, 6);
    assert_eq!(game.score().total(), 6 + 12);
}

#[test]
fn bare_tiles_do_not_block_the_way() {
    let mut layers = [filled(One); 3];
    layers[0][0][0] = Rook;
    let mut game = Game::new(&layers);
    // Clear (1, 2) and end on (2, 2), from which the rook in the corner can be removed.
    for _ in 0..3 {
        game.remove(0, 1);
        game.remove(1, 1);
    }
    assert_eq!(game.visible(0, 1), None);
    assert_eq!(game.visible(1, 1), None);
    game.remove(0, 0);
    assert_eq!(game.legal(), [(0, 5), (5, 0)]);
}

#[test]
#[should_panic(expected = "may not be removed")]
fn bare_tile_may_not_be_removed() {
    let mut game = game_of(Bishop);
    for _ in 0..3 {
        game.remove(0, 0);
        game.remove(5, 5);
    }
    game.remove(0, 0);
}

#[test]
#[should_panic(expected = "may not be removed")]
fn same_tile_may_not_be_removed_twice_running() {
    let mut game = game_of(Rook);
    game.remove(0, 0);
    game.remove(0, 0);
}

#[test]
fn whole_board_of_ones() {
    // The board is a snake through the rows, cut into pairs of neighbours; each pair is emptied in
    // turn.
    let mut snake = Vec::new();
    for row in 0..SIDE {
        for step in 0..SIDE {
            let col = if row % 2 == 0 { step } else { SIDE - 1 - step };
            snake.push((row, col));
        }
    }
    let mut game = game_of(One);
    for pair in snake.chunks(2) {
        for _ in 0..3 {
            game.remove(pair[0].0, pair[0].1);
            game.remove(pair[1].0, pair[1].1);
        }
    }
    assert_eq!(game.legal(), []);
    assert_eq!(game.score().tiles, 108);
    assert_eq!(game.score().runs, 216);
    assert_eq!(game.score().total(), 324);
}

#[test]
fn statement_sequences() {
    let names = "4 1 2 3 4 dam torn springare lopare";
    expect_bonus(names, [0, 8, 8, 0]);
    assert_eq!(bonus(names).total(), 16);
    expect_bonus("1 1 2 3 4", [4, 12, 0, 0]);
    assert_eq!(bonus("1 1 2 3 4").total(), 16);
}

#[test]
fn runs() {
    expect_bonus("", [0, 0, 0, 0]);
    expect_bonus("dam", [0, 0, 0, 0]);
    expect_bonus("1 2 1", [0, 0, 0, 0]);
    expect_bonus("dam dam", [4, 0, 0, 0]);
    expect_bonus("1 1 1 2 2", [6 + 4, 0, 0, 0]);
    expect_bonus("1 1 2 1 1", [4 + 4, 0, 0, 0]);
    expect_bonus("3 torn torn torn torn torn 3", [10, 0, 0, 0]);
}

#[test]
fn number_sets() {
    expect_bonus("1 2 3", [0, 0, 0, 0]);
    expect_bonus("1 2 3 4", [0, 12, 0, 0]);
    expect_bonus("4 3 2 1", [0, 12, 0, 0]);
    // Every order counts, but only the two above count for more.
    let mut points = 0;
    for a in NUMBERS {
        for b in NUMBERS {
            for c in NUMBERS {
                for d in NUMBERS {
                    if a == b || a == c || a == d || b == c || b == d || c == d {
                        assert_eq!(bonuses(&[a, b, c, d]).number_sets, 0);
                        continue;
                    }
                    points += bonuses(&[a, b, c, d]).number_sets;
                }
            }
        }
    }
    assert_eq!(points, 2 * 12 + 22 * 8);
    expect_bonus("2 1 3 4", [0, 8, 0, 0]);
    expect_bonus("2 3 4 1", [0, 8, 0, 0]);
}

#[test]
fn piece_sets() {
    expect_bonus("torn lopare dam", [0, 0, 0, 0]);
    expect_bonus("torn lopare dam torn", [0, 0, 0, 0]);
    expect_bonus("torn lopare dam springare", [0, 0, 8, 0]);
    expect_bonus("springare dam lopare torn", [0, 0, 8, 0]);
    expect_bonus("dam springare torn lopare", [0, 0, 8, 0]);
    assert_eq!(bonuses(&CHESS_PIECES), bonus("dam torn springare lopare"));
}

#[test]
fn sets_are_found_greedily() {
    // 3 4 1 2 comes first and leaves 3 4 over, although 1 2 3 4 would be worth more.
    expect_bonus("3 4 1 2 3 4", [0, 8, 0, 0]);
    // A set uses up its removals: seven removals contain four windows, but one set.
    expect_bonus("1 2 3 4 1 2 3", [0, 12, 0, 0]);
    expect_bonus("1 2 3 4 1 2 3 4", [0, 24, 0, 0]);
    expect_bonus("dam torn springare lopare dam torn", [0, 0, 8, 0]);
}

#[test]
fn stray_removal_breaks_a_set() {
    expect_bonus("1 2 dam 3 4", [0, 0, 0, 0]);
    expect_bonus("torn lopare 1 dam springare", [0, 0, 0, 0]);
    expect_bonus("1 2 2 3 4", [4, 0, 0, 0]);
}

#[test]
fn runs_overlap_sets() {
    // A run leads into a set, spans two sets, leads out of a set, or both.
    expect_bonus("1 1 1 2 3 4", [6, 12, 0, 0]);
    expect_bonus("1 2 3 4 4 3 2 1", [4, 24, 0, 0]);
    expect_bonus("1 2 3 4 4 4", [6, 12, 0, 0]);
    expect_bonus("dam dam torn lopare springare springare", [8, 0, 8, 0]);
}

#[test]
fn alternation_of_two() {
    expect_bonus("1 2 3 4 torn lopare dam springare", [0, 12, 8, 16]);
    expect_bonus("dam torn springare lopare 2 1 3 4", [0, 8, 8, 16]);
}

#[test]
fn alternation_of_three() {
    let names = "1 2 3 4 torn lopare dam springare 4 3 2 1";
    expect_bonus(names, [0, 24, 8, 24]);
    let names = "torn lopare dam springare 3 1 2 4 dam lopare torn springare";
    expect_bonus(names, [0, 8, 16, 24]);
}

#[test]
fn set_of_the_same_kind_starts_a_new_chain() {
    expect_bonus("1 2 3 4 1 2 3 4", [0, 24, 0, 0]);
    // Number, number, piece: the second number set starts the chain of two.
    let names = "1 2 3 4 1 2 3 4 torn lopare dam springare";
    expect_bonus(names, [0, 24, 8, 16]);
    // Number, piece, piece: the second piece set stands alone.
    let names = "1 2 3 4 torn lopare dam springare torn lopare dam springare";
    expect_bonus(names, [0, 12, 16, 16]);
    // Number, piece, piece, number: two chains of two.
    let names = "1 2 3 4 torn lopare dam springare torn lopare dam springare 1 2 3 4";
    expect_bonus(names, [0, 24, 16, 16 + 16]);
    // Number, piece, number, number, piece: a chain of three and one of two.
    let names = "1 2 3 4 torn lopare dam springare 1 2 3 4 \
                 1 2 3 4 torn lopare dam springare";
    expect_bonus(names, [0, 36, 16, 24 + 16]);
}

#[test]
fn stray_removal_breaks_a_chain() {
    expect_bonus("1 2 3 4 1 torn lopare dam springare", [0, 12, 8, 0]);
    expect_bonus("1 2 3 4 4 torn lopare dam springare", [4, 12, 8, 0]);
    let names = "1 2 3 4 torn lopare dam springare dam 1 2 3 4";
    expect_bonus(names, [0, 24, 8, 16]);
    let names = "1 2 3 4 torn lopare dam springare dam 1 2 3 4 torn lopare dam springare";
    expect_bonus(names, [0, 24, 16, 16 + 16]);
    // Strays before and after a chain do not matter.
    let names = "torn 1 2 3 4 torn lopare dam springare 2";
    expect_bonus(names, [0, 12, 8, 16]);
}
