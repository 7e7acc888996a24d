use super::super::search::Search;
use super::super::weights::Weights;
use super::*;

const BOARD: &str = "1\n6\n6Q9999\n";

fn play_greedily(input: &str) -> (Result<(), String>, String) {
    let mut said = Vec::new();
    let greedy = |position: &Position| Search::Greedy.player(&Weights::DEFAULT, position);
    let ending = play(input.as_bytes(), &mut said, &Clock::UNLIMITED, greedy);
    (ending, String::from_utf8(said).unwrap())
}

fn board(layers: usize, rows: &[&str]) -> String {
    format!("{layers}\n{}\n{}\n", rows.len(), rows.join("\n"))
}

#[test]
fn a_game_is_played_to_its_end() {
    let one = board(1, &["1234KB"; 6]);
    let (ending, said) = play_greedily(&format!("{one}{}", "-\n".repeat(36)));
    assert_eq!(ending, Ok(()));
    let mut cells: Vec<&str> = said.lines().collect();
    let clicks = cells.len();
    assert!(clicks > 5);
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), clicks, "with one layer, no cell is clicked twice");
}

#[test]
fn the_end_of_the_input_ends_the_game_quietly() {
    let two = board(2, &["1234KBRQ"; 7]);
    let (ending, said) = play_greedily(&two);
    assert_eq!((ending, said.lines().count()), (Ok(()), 1));
    let (ending, said) = play_greedily(&format!("{two}K\r\n"));
    assert_eq!((ending, said.lines().count()), (Ok(()), 2));
}

#[test]
fn invalid_input_is_reported() {
    let two = board(2, &["1234KB"; 6]);
    let one = board(1, &["1234KB"; 6]);
    for (input, message) in [
        ("", "the input ends before the number of layers"),
        ("0\n", "the number of layers is 1 to 10, not `0`"),
        ("11\n", "1 to 10"),
        ("x\n", "not `x`"),
        ("-1\n", "not `-1`"),
        ("99999999999999999999\n", "1 to 10"),
        ("3\n", "the input ends before the number of rows"),
        ("3\n5\n", "the number of rows is 6 to 15, not `5`"),
        ("3\n6\n123\n", "row 0 has 3 tiles; boards are 6 to 15 wide"),
        ("3\n6\n1234KB\n1234KB\n", "the board ends before row 2 of 6"),
        ("3\n6\n1234KB\n1234KBR\n", "row 1 has 7 tiles, row 0 has 6"),
        ("3\n6\n1234KX\n", "row 0, column 5: there is no tile `X`"),
        ("3\n6\n1234K\u{e9}\n", "there is no tile"),
        (BOARD, "there is no tile `6`"),
        (&format!("{two}-\n"), "`-`, but the cell has another tile"),
        (&format!("{two}KK\n"), "there is no tile `KK`"),
        (&format!("{two}5\n"), "there is no tile `5`"),
        (&format!("{one}K\n"), "`K`, but `-` was due: the cell is empty"),
    ] {
        let (ending, _) = play_greedily(input);
        let error = ending.unwrap_err();
        assert!(error.contains(message), "{input:?}: {error}");
    }
}

#[test]
fn garbage_without_an_end_is_cut_off() {
    let (ending, _) = play_greedily(&"1".repeat(1_000_000));
    assert!(ending.unwrap_err().len() < 2000);
}
