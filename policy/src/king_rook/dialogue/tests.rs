use super::super::weights::Weights;
use super::*;
use crate::words::LONGEST;

/// Returns the output of the player on this input, and its result.
fn answer(input: &[u8]) -> (String, Result<(), String>) {
    let mut output = Vec::new();
    let ending = play(input, &mut output, &Clock::UNLIMITED, &mut Player::new(Weights::DEFAULT, 2));
    (String::from_utf8(output).unwrap(), ending)
}

#[test]
fn a_mate_in_two_with_one_reply_each() {
    for input in ["Gb1 Kb3 Rc2\nGa1\n!\n", " Rc2\r\n\r\nGb1\tKb3 Ga1 !", "Gb1 Kb3 Rc2 Ga1"] {
        let (output, ending) = answer(input.as_bytes());
        assert_eq!(ending, Ok(()));
        assert!(output.ends_with("\nRc1\n") && output.lines().count() == 2, "{output}");
    }
}

#[test]
fn the_end_may_come_at_any_time() {
    for (input, moves) in
        [("!", 0), ("Ge4 !", 0), ("Ge4 Ka5 !", 0), ("Ge4 Ka5 Ri8", 1), ("Ge4 Ka5 Ri8\n!", 1), ("Ge4 Ka5 Ri8 ! Gz9", 1)]
    {
        let (output, ending) = answer(input.as_bytes());
        assert_eq!((output.lines().count(), ending), (moves, Ok(())), "{input}");
    }
}

#[test]
fn odd_starts_are_played() {
    // Black is in check, or the rook is attacked, unguarded or guarded.
    for input in ["Ge4 Ka5 Re8", "Ge4 Ka9 Rd3", "Ge4 Kc2 Rd3", "Ga1 Kj9 Ra2", "Gj9 Ka1 Rj8"] {
        let (output, ending) = answer(input.as_bytes());
        assert_eq!((output.lines().count(), ending), (1, Ok(())), "{input}");
    }
}

#[test]
fn invalid_input_is_reported_with_its_place() {
    for (input, message) in [
        ("", "the start position ends before piece 1 of 3"),
        ("Ge4\nKa5", "the start position ends before piece 3 of 3"),
        ("Ge4 Ka5 Qi8", "piece 3 of the start position: `Qi8` is no piece on a cell"),
        ("Ge4 Ka0 Ri8", "piece 2 of the start position: `Ka0` is no piece on a cell"),
        ("Gk4", "piece 1 of the start position: `Gk4` is no piece on a cell"),
        ("e4 a5 i8", "piece 1 of the start position: `e4` is no piece on a cell"),
        ("G Ka5 Ri8", "piece 1 of the start position: `G` is no piece on a cell"),
        ("Gé Ka5 Ri8", "piece 1 of the start position: `Gé` is no piece on a cell"),
        ("Ge4 Ka5 Ka6", "piece 3 of the start position: `Ka6` is a second white king"),
        ("Ge4 Ge5 Ka6", "piece 2 of the start position: `Ge5` is a second black king"),
        ("Ge4 Ka5 Re4", "impossible start position: two pieces are on one cell"),
        ("Ge4 Kf5 Ra1", "impossible start position: the kings are side by side"),
    ] {
        assert_eq!(answer(input.as_bytes()), (String::new(), Err(message.to_string())), "{input}");
    }
    let (output, ending) = answer(b"\xff\xfe");
    assert_eq!(output, "");
    assert!(ending.unwrap_err().ends_with("is no piece on a cell"));
    let (_, ending) = answer("G".repeat(1_000_000).as_bytes());
    assert!(ending.unwrap_err().len() < LONGEST + 100);
}

#[test]
fn illegal_moves_of_black_are_reported() {
    let first = answer(b"Ge4 Ka5 Ri8").0;
    for reply in ["Ge4", "Gg6", "Ga6", "Ke5", "Ri4", "e5", "G", "?", "Gd99", "!!"] {
        let (output, ending) = answer(format!("Ge4 Ka5 Ri8\n{reply}\n").as_bytes());
        assert_eq!(output, first);
        let message = ending.unwrap_err();
        assert!(message.starts_with(&format!("after the move {}: ", first.trim())), "{message}");
        assert!(message.contains(&format!("`{reply}`")), "{message}");
    }
    // After the mate, no move is legal.
    let (output, ending) = answer(b"Ga1 Kb3 Rc4\nGb1\n");
    assert_eq!(output, "Rc1\n");
    assert_eq!(ending, Err("after the move Rc1: the black king cannot go to `Gb1`".to_string()));
}

#[test]
fn whole_games_are_won_with_legal_moves() {
    let mut random = crate::random::SplitMix64::new(7);
    let mut player = Player::new(Weights::DEFAULT, 3);
    for _ in 0..20 {
        let mut cell = || random.below(90) as Cell;
        let Ok(position) = Contest::new(cell(), cell(), cell()) else { continue };
        let mut at = position;
        let mut sent = start(&at) + "\n";
        for _ in 0..30 {
            let mut output = Vec::new();
            assert_eq!(play(sent.as_bytes(), &mut output, &Clock::UNLIMITED, &mut player), Ok(()));
            let output = String::from_utf8(output).unwrap();
            let step = read_move(output.lines().last().unwrap()).unwrap();
            assert!(at.allows(step));
            at = at.after(step);
            let Some(black) = super::super::board::cells(at.black_moves()).next() else { break };
            at.black = black;
            sent += &(reply(black) + "\n");
            if black == at.rook {
                break;
            }
        }
    }
}

/// A pipe whose other end is closed.
struct Closed(io::ErrorKind);

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_is_not_an_error_but_a_full_disk_is() {
    let mut player = Player::new(Weights::DEFAULT, 1);
    let mut run = |kind| play("Ge4 Ka5 Ri8".as_bytes(), Closed(kind), &Clock::UNLIMITED, &mut player);
    assert_eq!(run(io::ErrorKind::BrokenPipe), Ok(()));
    assert!(run(io::ErrorKind::StorageFull).unwrap_err().starts_with("cannot print a move: "));
}
