use super::super::player::Settings;
use super::super::weights::Weights;
use super::*;

/// Returns the output of the player on this input, and its result.
fn answer(input: &[u8]) -> (String, Result<(), String>) {
    let mut output = Vec::new();
    let mut player = Player::new(Weights::DEFAULT, Settings { exact: 0 });
    let ending = play(input, &mut output, &Clock::UNLIMITED, &mut player);
    (String::from_utf8(output).unwrap(), ending)
}

/// Returns a legal reply to the player's first move: a square that this move has not blackened.
fn first_reply() -> String {
    let (output, _) = answer(b"1");
    let numbers: Vec<u8> = output.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let first = segment((numbers[0] - 1, numbers[1] - 1), (numbers[2] - 1, numbers[3] - 1)).unwrap();
    let reply = SEGMENT.iter().find(|s| s.squares & first.squares == 0).unwrap();
    let (row, column) = (reply.from.0 + 1, reply.from.1 + 1);
    format!("MOVE {row} {column} {row} {column}")
}

#[test]
fn the_end_of_the_input_ends_the_games() {
    for input in ["1", "100\r\n", "2\nMOVE 1 1", "1 MOVE"] {
        let (output, ending) = answer(input.as_bytes());
        assert_eq!((output.lines().count(), ending), (1, Ok(())), "{input}");
    }
}

#[test]
fn several_games_with_any_line_ends() {
    let reply = first_reply();
    for end in ["\n", "\r\n", "\r", " ", "\n\n"] {
        let input = ["3", &reply, "GAME", "GAME", &reply, "GAME", "ignored"].join(end);
        let (output, ending) = answer(input.as_bytes());
        assert_eq!(ending, Ok(()));
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), 5, "{output}");
        assert_eq!(lines[..2], lines[3..], "each game starts from scratch");
        assert_eq!(lines[0], lines[2]);
    }
}

#[test]
fn invalid_input_is_reported_with_its_place() {
    let (first, _) = answer(b"1");
    let reply = first_reply();
    for (input, message) in [
        (String::new(), "the input ends before the number of games"),
        (" \r\n\r\n ".to_string(), "the input ends before the number of games"),
        ("0".to_string(), "the number of games: `0` is not a number from 1 to 100"),
        ("101".to_string(), "the number of games: `101` is not a number from 1 to 100"),
        ("-1".to_string(), "the number of games: `-1` is not"),
        ("MOVE 1 1 1 1".to_string(), "the number of games: `MOVE` is not"),
        ("1 game".to_string(), "game 1: after move 1: `game` is neither"),
        ("1 MOVE MOVE".to_string(), "game 1: reply 1: `MOVE` is no number"),
        ("1 MOVE 0 1 1 1".to_string(), "reply 1: `MOVE 0 1 1 1` is no row"),
        ("1 MOVE 1 1 2 2".to_string(), "reply 1: `MOVE 1 1 2 2` is no row"),
        ("1 MOVE 1 1 6 1".to_string(), "reply 1: `MOVE 1 1 6 1` is no row"),
        ("1 MOVE 1 1 1 7".to_string(), "reply 1: `MOVE 1 1 1 7` is no row"),
        ("1 MOVE 1 2 1 1".to_string(), "reply 1: `MOVE 1 2 1 1` is no row"),
        ("1 MOVE 1 1 1 -1".to_string(), "reply 1: `-1` is no number"),
        ("1 MOVE 1 1 1 99999999999999999999".to_string(), "is no number"),
        (format!("1 MOVE {first}"), "blackens no new square"),
        (format!("2 GAME {reply} {reply}"), "game 2: reply 2: "),
    ] {
        let (_, ending) = answer(input.as_bytes());
        let error = ending.unwrap_err();
        assert!(error.contains(message), "{input}: {error}");
    }
}

#[test]
fn a_game_that_is_over_takes_no_more_moves() {
    // The opponent always blackens the first free square.
    let mut replies = String::from("1\n");
    let mut black = 0;
    loop {
        let (output, ending) = answer(replies.as_bytes());
        assert_eq!(ending, Ok(()));
        let last = output.lines().last().unwrap();
        let numbers: Vec<u8> = last.split(' ').map(|word| word.parse::<u8>().unwrap() - 1).collect();
        black |= segment((numbers[0], numbers[1]), (numbers[2], numbers[3])).unwrap().squares;
        let Some(reply) = SEGMENT.iter().find(|s| s.squares.count_ones() == 1 && black & s.squares == 0) else {
            let error = answer(format!("{replies}MOVE 1 1 1 1").as_bytes()).1.unwrap_err();
            assert!(error.contains("all squares are black already"), "{error}");
            break;
        };
        replies += &format!("MOVE {0} {1} {0} {1}\n", reply.from.0 + 1, reply.from.1 + 1);
        black |= reply.squares;
        if black == ALL {
            let error = answer(replies.as_bytes()).1.unwrap_err();
            assert!(error.contains("blackens the last square, where `GAME` was due"), "{error}");
            break;
        }
    }
}

#[test]
fn garbage_never_panics() {
    let mut random = crate::random::SplitMix64::new(7);
    let words = ["MOVE", "GAME", "1", "2", "6", "0", "\r\n", "\u{0}", "-3", "MOVE 1 1 1 6", "x"];
    for _ in 0..500 {
        let mut input = String::from("5 ");
        for _ in 0..20 {
            input += words[random.below(words.len() as u32) as usize];
            input += " ";
        }
        let _ = answer(input.as_bytes());
    }
    assert!(answer(b"\xff\xfe").1.is_err());
}

#[test]
fn a_closed_output_is_not_an_error() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut player = Player::new(Weights::DEFAULT, Settings { exact: 0 });
    assert_eq!(play(&b"1\n"[..], Closed, &Clock::UNLIMITED, &mut player), Ok(()));
}
