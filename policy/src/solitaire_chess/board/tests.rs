use super::*;

#[test]
fn names_are_read_back() {
    for piece in Piece::ALL {
        assert_eq!(Piece::from_name(piece.name()), Some(piece));
    }
    assert_eq!(Piece::from_name("blank"), None);
}
