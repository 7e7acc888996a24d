use super::super::search::Search;
use super::super::weights::Weights;
use super::*;
use crate::words::LONGEST;

fn greedy(_: usize) -> Player {
    Search::Greedy { margin: 1000 }.player(Weights::DEFAULT)
}

/// Returns the output of the player on this input, and its result.
fn answer(input: &[u8]) -> (String, Result<(), String>) {
    let mut output = Vec::new();
    let ending = play(input, &mut output, &Clock::UNLIMITED, greedy);
    (String::from_utf8(output).unwrap(), ending)
}

fn board(piece: &str) -> String {
    let row = [piece; SIDE].join(" ");
    [row.as_str(); SIDE].join("\n") + "\n"
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    let (output, ending) = answer(board("springare").as_bytes());
    assert_eq!(ending, Ok(()));
    assert_eq!(output.lines().count(), 1, "{output}");
}

#[test]
fn a_whole_game_of_ones_ends_with_0_0() {
    // Only ones are revealed; the third removal empties a tile.
    let mut replies = String::new();
    let mut removed = std::collections::BTreeMap::new();
    loop {
        let (output, ending) = answer((board("1") + &replies).as_bytes());
        assert_eq!(ending, Ok(()));
        let last = output.lines().last().unwrap().to_string();
        if last == "0 0" {
            break;
        }
        let layers = removed.entry(last).or_insert(0);
        *layers += 1;
        replies += if *layers == TIERS { "blank\r\n" } else { "1\r\n" };
    }
    assert!(removed.len() > 18, "a game of ones gets far: {removed:?}");
}

#[test]
fn invalid_boards_are_reported_with_their_place() {
    let good = board("dam");
    let short: String = good.split_inclusive(' ').take(8).collect();
    for (input, message) in [
        (String::new(), "the board ends before row 1, column 1"),
        (short, "the board ends before row 2, column 4"),
        (good.replacen("dam", "king", 1), "the board at row 1, column 1: there is no piece `king`"),
        (good.replacen("dam", "blank", 1), "the board at row 1, column 1: there is no piece `blank`"),
    ] {
        assert_eq!(answer(input.as_bytes()), (String::new(), Err(message.to_string())));
    }
    let (_, ending) = answer(b"\xff\xfe 1 2");
    assert!(ending.unwrap_err().contains("row 1, column 1"));
    let (_, ending) = answer("x".repeat(1_000_000).as_bytes());
    assert!(ending.unwrap_err().len() < 2 * LONGEST);
}

#[test]
fn invalid_replies_are_reported_with_the_move() {
    for (reply, part) in [("blank", "another layer"), ("5", "no piece `5`"), ("\0", "no piece")] {
        let (_, ending) = answer((board("1") + reply).as_bytes());
        let message = ending.unwrap_err();
        assert!(message.contains(part) && message.contains("after the removal of"), "{message}");
    }
}

#[test]
fn a_closed_output_ends_the_game() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    assert_eq!(play(board("1").as_bytes(), Closed, &Clock::UNLIMITED, greedy), Ok(()));
}
