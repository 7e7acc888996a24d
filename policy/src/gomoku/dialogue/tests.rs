use super::super::player::Greedy;
use super::super::weights::Weights;
use super::*;
use crate::words::LONGEST;

/// Returns the output of the greedy player on this input, and its result.
fn answer(input: &[u8]) -> (String, Result<(), String>) {
    answer_with(Weights::DEFAULT, input)
}

fn answer_with(weights: Weights, input: &[u8]) -> (String, Result<(), String>) {
    let mut output = Vec::new();
    let mut player = Greedy::new(weights);
    let ending = play(input, &mut output, &Clock::UNLIMITED, &mut player);
    (String::from_utf8(output).unwrap(), ending)
}

#[test]
fn a_game_goes_on_until_the_judge_ends_it() {
    for (input, moves) in [
        ("-1 -1\n", 0),
        ("10 10\n-1 -1\n", 1),
        ("10 10\n", 1),
        ("10\r\n10\r\n\t19 19 -1\n-1", 2),
        ("1 1 1 2 -1 -1 9 9 nonsense", 2),
    ] {
        let (output, ending) = answer(input.as_bytes());
        assert_eq!(ending, Ok(()), "{input}");
        assert_eq!(output.lines().count(), moves, "{input}: {output}");
        for line in output.lines() {
            let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            assert!(numbers.len() == 2 && cell(numbers[0], numbers[1]).is_some(), "{line}");
        }
    }
}

#[test]
fn invalid_moves_are_reported_with_their_number() {
    for (input, message) in [
        ("", "the input ends before the opponent's move 1"),
        ("10", "the input ends within the opponent's move 1"),
        ("10 10 -1", "the input ends within the opponent's move 2"),
        ("0 10", "the opponent's move 1: `0 10` is not on the board (x and y are 1 to 19)"),
        ("10 20", "the opponent's move 1: `10 20` is not on the board (x and y are 1 to 19)"),
        ("10 10 -1 5", "the opponent's move 2: `-1 5` is not on the board (x and y are 1 to 19)"),
        ("10 10 10 10", "the opponent's move 2: `10 10` is occupied"),
        ("ten 10", "the opponent's move 1: `ten` is not a number"),
        ("10 99999999999999999999", "the opponent's move 1: `99999999999999999999` is not a number"),
        ("10 \0", "the opponent's move 1: `\\0` is not a number"),
    ] {
        assert_eq!(answer(input.as_bytes()).1, Err(message.to_string()), "{input}");
    }
    assert!(answer(b"\xff\xfe 1").1.unwrap_err().contains("move 1"));
    assert!(answer("x".repeat(1_000_000).as_bytes()).1.unwrap_err().len() < 2 * LONGEST);
}

/// Plays a game in which Black takes the first empty of these cells. Returns the whole input, and
/// whether White won.
fn whole_game(weights: Weights, cells: &[Cell]) -> (String, bool) {
    let mut input = String::new();
    let mut position = Position::new();
    let mut player = Greedy::new(weights);
    while !is_over(&position) {
        let cell = cells.iter().copied().find(|&cell| position.is_empty(cell)).unwrap();
        let (x, y) = coordinates(cell);
        input += &format!("{x} {y}\n");
        position.put(cell, Side::Black);
        if !is_over(&position) {
            position.put(player.choose(&position, &Clock::UNLIMITED).unwrap(), Side::White);
        }
    }
    (input, position.has_five(Side::White))
}

#[test]
fn nothing_is_played_after_the_end() {
    // Playing every other cell of a row loses. A player that only likes empty lines lets an open
    // three grow.
    let slow: Vec<Cell> = (1..=19).step_by(3).flat_map(|x| [cell(x, 1).unwrap(), cell(x, 19).unwrap()]).collect();
    let row: Vec<Cell> = (8..=14).map(|y| cell(10, y).unwrap()).collect();
    let blind = Weights { own_0: 1.0, ..Weights::ZERO };
    for (weights, cells, white_wins) in [(Weights::DEFAULT, slow, true), (blind, row, false)] {
        let (input, won) = whole_game(weights, &cells);
        assert_eq!(won, white_wins);
        // The player does not answer the opponent's five.
        let moves = input.lines().count() - usize::from(!won);
        for end in ["", "-1 -1\n"] {
            let (output, ending) = answer_with(weights, format!("{input}{end}").as_bytes());
            assert_eq!((output.lines().count(), ending), (moves, Ok(())));
        }
        let ending = answer_with(weights, format!("{input}18 2\n").as_bytes()).1.unwrap_err();
        assert!(ending.ends_with("the game was over before it"), "{ending}");
    }
}

#[test]
fn a_closed_output_ends_the_game() {
    struct Closed(io::ErrorKind);
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut player = Greedy::new(Weights::DEFAULT);
    let mut end = |kind| play(&b"10 10\n"[..], Closed(kind), &Clock::UNLIMITED, &mut player);
    assert_eq!(end(io::ErrorKind::BrokenPipe), Ok(()));
    assert!(end(io::ErrorKind::StorageFull).unwrap_err().starts_with("cannot print a move"));
}
