use super::*;
use policy::clock::Clock;
use policy::gomoku::player::{Greedy, Player};
use policy::gomoku::position::Position;
use policy::gomoku::weights::Weights;

/// Reads a cell from a line of the dialogue.
fn read(line: &str) -> Cell {
    let numbers: Vec<i64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
    cell(numbers[0], numbers[1]).unwrap()
}

/// Plays a game by `white`. Returns its complete dialogue and the outcome.
fn play(deal: u64, mut white: impl FnMut(&Position) -> Cell) -> (String, Outcome) {
    let mut game = Match::new(deal);
    let mut position = Position::new();
    let mut told = game.open();
    let mut reply = told.clone();
    loop {
        position.put(read(&reply), Side::Black);
        assert!(game.outcomes().is_empty());
        let cell = white(&position);
        position.put(cell, Side::White);
        match game.answer(text(cell).trim_end()) {
            Reply::Send(line) => reply = line,
            Reply::Over(line) => {
                told += &line;
                return (told, game.outcomes().remove(0));
            }
            wrong => panic!("{wrong:?}"),
        }
        told += &reply;
    }
}

#[test]
fn a_good_player_wins_and_a_blind_one_loses() {
    let mut good = Greedy::new(Weights::DEFAULT);
    let mut lost = 0.0;
    for deal in 0..20 {
        let (told, outcome) = play(deal, |position| good.choose(position, &Clock::UNLIMITED).unwrap());
        assert!(told.starts_with("10 10\n") && told.ends_with("\n-1 -1\n"), "{told}");
        assert_eq!(outcome, play(deal, |position| good.choose(position, &Clock::UNLIMITED).unwrap()).1);
        let [won, drawn, lost_one, moves] = outcome.metrics[..] else { panic!("{outcome:?}") };
        assert_eq!((outcome.score, outcome.objective), (won, won * (1000.0 - moves)));
        assert_eq!(won + drawn + lost_one, 1.0);

        let (told, outcome) = play(deal, |position| position.first_empty().unwrap());
        assert!(told.ends_with("\n-1 -1\n"));
        assert_eq!(outcome.score, 0.0);
        lost += outcome.metrics[2];
    }
    assert_eq!(lost, 20.0, "moves along the edge block no line");
}

#[test]
fn deals_differ_in_the_opponents_noise() {
    let mut good = Greedy::new(Weights::DEFAULT);
    let mut games: Vec<String> =
        (0..50).map(|deal| play(deal, |position| good.choose(position, &Clock::UNLIMITED).unwrap()).0).collect();
    games.sort();
    games.dedup();
    assert!(games.len() > 1);
}

#[test]
fn invalid_moves_are_reported() {
    let mut game = Match::new(1);
    for line in ["0 5", "5 20", "-1 -1", "five 5", "5 5 5"] {
        assert!(matches!(game.answer(line), Reply::Garbage(_)), "{line}");
    }
    assert!(matches!(game.answer("10 10"), Reply::Illegal(why) if why.contains("by the opponent")));
    assert_eq!(game.answer(""), Reply::More);
    assert_eq!(game.answer("1"), Reply::More);
    assert!(matches!(game.answer("1"), Reply::Send(_)));
    assert!(matches!(game.answer("1 1"), Reply::Illegal(why) if why.contains("taken already")));
    assert!(game.outcomes().is_empty());
}
