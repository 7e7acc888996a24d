use super::*;

fn forward(piece: Piece, from: Mask) -> Mask {
    let mut found = 0;
    forward_steps(piece, from, |set| found |= set);
    found & ALL
}

#[test]
fn whole_set_steps_agree_with_the_table() {
    for piece in Piece::ALL {
        for a in tiles(ALL) {
            assert_eq!(forward(piece, 1 << a), targets(piece, a), "{piece:?} forward from {a}");
            let backward = tiles(ALL).filter(|&b| targets(piece, b) >> a & 1 == 1);
            let backward = backward.fold(0, |set, b| set | 1u64 << b);
            assert_eq!(sources(piece, 1 << a), backward, "{piece:?} backward from {a}");
        }
    }
}

#[test]
fn names_are_read_back() {
    for piece in Piece::ALL {
        assert_eq!(Piece::from_name(piece.name()), Some(piece));
    }
    assert_eq!(Piece::from_name("blank"), None);
}
