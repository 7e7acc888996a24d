//! Both sides of every dialogue: the referee reads lines of a program, the player those of a judge.

use evolve_core::contest::{Referee, Reply};
use evolve_core::problem::Problem;
use evolve_core::setup::{Given, Values};
use evolve_games::{black_out, chess_puzzle, gomoku, king_rook, solitaire_chess};
use policy::clock::Clock;

/// Lines that a program may print before it is clear that it plays no game.
const MOST_LINES: usize = 2000;

/// A game, with both sides of its dialogue.
pub struct Game {
    /// The referee of a deal, which a byte chooses.
    pub referee: fn(u8) -> Box<dyn Referee>,
    /// What a quick player prints to an input, and how it ends.
    pub say: fn(&[u8], &mut Vec<u8>) -> Result<(), String>,
}

/// All games.
pub static GAMES: [Game; 5] = [
    Game { referee: referee_solitaire_chess, say: say_solitaire_chess },
    Game { referee: |deal| referee(&chess_puzzle::ChessPuzzle, &[], deal), say: say_chess_puzzle },
    Game { referee: |deal| referee(&gomoku::Gomoku, &[], deal), say: say_gomoku },
    // An opponent that makes any moves: the others solve ends of games, which takes its time.
    Game {
        referee: |deal| referee(&black_out::BlackOut, &[("opponent", "random"), ("rounds", "2")], deal),
        say: say_black_out,
    },
    Game { referee: |deal| referee(&king_rook::KingRook, &[], deal), say: say_king_rook },
];

fn referee(problem: &dyn Problem, given: &[(&str, &str)], deal: u8) -> Box<dyn Referee> {
    let given = given.iter().map(|&(name, value)| (name.to_string(), Given::from_text(value)));
    let options = Values::check(problem.name(), problem.options(), given).expect("the options are right");
    problem.contest().expect("it is a contest").referee(&options, deal.into())
}

fn referee_solitaire_chess(deal: u8) -> Box<dyn Referee> {
    let group = ["1", "2", "3", "4", "5", "6"][usize::from(deal % 6)];
    referee(&solitaire_chess::SolitaireChess, &[("group", group)], deal)
}

/// A referee hears a program out. The first byte chooses the deal; whether a game was played to its end.
pub fn judge<const GAME: usize>(bytes: &[u8]) -> bool {
    let Some((&deal, bytes)) = bytes.split_first() else { return false };
    let mut referee = (GAMES[GAME].referee)(deal);
    assert!(referee.open().ends_with('\n'));
    let text = String::from_utf8_lossy(bytes);
    for line in text.split('\n').take(MOST_LINES) {
        match referee.answer(line) {
            Reply::More => {}
            Reply::Send(text) => assert!(text.ends_with('\n') && text.len() < 100, "{text:?}"),
            Reply::Over(_) => {
                let outcomes = referee.outcomes();
                assert!(!outcomes.is_empty());
                assert!(outcomes.iter().all(|outcome| outcome.score.is_finite() && outcome.objective.is_finite()));
                return true;
            }
            Reply::Garbage(message) | Reply::Illegal(message) => {
                assert!(message.len() <= line.len() + 300, "{} of {}", message.len(), line.len());
                return false;
            }
        }
    }
    false
}

/// A player hears a judge out; whether it made a move and had nothing to say against its input.
pub fn player<const GAME: usize>(bytes: &[u8]) -> bool {
    let mut output = Vec::new();
    let ending = (GAMES[GAME].say)(bytes, &mut output);
    said(bytes, &output, ending)
}

/// A whole game of both: what the player said, and what it was told.
pub fn game(game: &Game, deal: u8) -> (Vec<u8>, Vec<u8>) {
    let mut referee = (game.referee)(deal);
    let mut told = referee.open();
    loop {
        let mut said = Vec::new();
        (game.say)(told.as_bytes(), &mut said).unwrap_or_else(|message| panic!("{message}"));
        let line = String::from_utf8_lossy(&said).lines().last().expect("it makes a move").to_string();
        match referee.answer(&line) {
            Reply::Send(text) => told += &text,
            Reply::Over(text) => return (said, (told + &text).into_bytes()),
            wrong => panic!("{line}: {wrong:?}"),
        }
    }
}

/// What a player said to an input: a line for each move, of whole numbers or names, and no more than it was asked for.
fn said(bytes: &[u8], output: &[u8], ending: Result<(), String>) -> bool {
    let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let text = std::str::from_utf8(output).expect("players print text");
    assert!(text.lines().count() <= words + 1, "{} lines to {words} words", text.lines().count());
    assert!(text.is_empty() || text.ends_with('\n'));
    match ending {
        Ok(()) => !text.is_empty(),
        Err(message) => {
            assert!(!message.is_empty() && message.len() < 20_000);
            assert!(!message.contains(|letter: char| letter.is_control()), "{message:?}");
            false
        }
    }
}

fn say_solitaire_chess(bytes: &[u8], output: &mut Vec<u8>) -> Result<(), String> {
    use policy::solitaire_chess::{dialogue, search::Search, weights::Weights};
    let player = |_| Search::Greedy { margin: 3 }.player(Weights::DEFAULT);
    dialogue::play(bytes, output, &Clock::UNLIMITED, player)
}

fn say_chess_puzzle(bytes: &[u8], output: &mut Vec<u8>) -> Result<(), String> {
    use policy::chess_puzzle::{dialogue, search::Search, weights::Weights};
    let player = |position: &_| Search::Greedy.player(&Weights::DEFAULT, position);
    dialogue::play(bytes, output, &Clock::UNLIMITED, player)
}

fn say_gomoku(bytes: &[u8], output: &mut Vec<u8>) -> Result<(), String> {
    use policy::gomoku::{dialogue, player::Greedy, weights::Weights};
    dialogue::play(bytes, output, &Clock::UNLIMITED, &mut Greedy::new(Weights::DEFAULT))
}

fn say_black_out(bytes: &[u8], output: &mut Vec<u8>) -> Result<(), String> {
    use policy::black_out::{
        dialogue,
        player::{Player, Settings},
        weights::Weights,
    };
    let mut player = Player::new(Weights::DEFAULT, Settings { exact: 6 });
    dialogue::play(bytes, output, &Clock::UNLIMITED, &mut player)
}

fn say_king_rook(bytes: &[u8], output: &mut Vec<u8>) -> Result<(), String> {
    use policy::king_rook::{dialogue, player::Player, weights::Weights};
    dialogue::play(bytes, output, &Clock::UNLIMITED, &mut Player::new(Weights::DEFAULT, 2))
}
