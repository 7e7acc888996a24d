//! Both sides of every dialogue, and every fast engine compared with its slow twin.

mod black_out;
mod chess_puzzle;
mod gomoku;
mod king_rook;
mod solitaire_chess;

use arbitrary::{Result, Unstructured};
use evolve_contest::judge::{Referee, Reply};
use evolve_games::GAMES;
use evolve_search::document::Table;
use evolve_search::model::problem::Context;
use serde_json::{Value, json};

/// The number of lines after which a program evidently plays no game.
const MOST_LINES: usize = 2000;

/// A game, as its targets use it.
pub trait Game {
    const NAME: &'static str;

    /// Returns its options for a deal, if they are not the usual ones.
    fn options(_deal: u8) -> Value {
        json!({})
    }

    /// Runs a quick player on its input, and returns its error if it fails.
    fn play(told: &[u8], said: &mut Vec<u8>) -> std::result::Result<(), String>;

    /// Plays a game from bytes, and checks that the engine and its twin agree at every move.
    fn twin(bytes: Unstructured<'_>) -> Result<bool>;
}

fn referee<G: Game>(deal: u8) -> Box<dyn Referee> {
    let game = GAMES.iter().find(|game| game.name() == G::NAME).expect("it is listed");
    let Value::Object(options) = G::options(deal) else { unreachable!("options are a table") };
    let problem = game.problem(options, Table::new()).expect("the options are right");
    let contest = GAMES.contest(&*problem).expect("it is a contest");
    let judge = contest.judge().expect("it has a judge");
    judge.open(Context::default()).expect("it holds nothing").referee(deal.into())
}

/// Passes the output of a program to a referee. The first byte selects the deal. Returns whether
/// the game was played to its end.
pub fn judge<G: Game>(mut bytes: Unstructured<'_>) -> Result<bool> {
    let mut referee = referee::<G>(bytes.arbitrary()?);
    assert!(referee.open().ends_with('\n'));
    for line in String::from_utf8_lossy(bytes.take_rest()).split('\n').take(MOST_LINES) {
        match referee.answer(line) {
            Reply::More => {}
            Reply::Send(text) => assert!(text.ends_with('\n') && text.len() < 100, "{text:?}"),
            Reply::Over(_) => {
                let outcomes = referee.outcomes();
                assert!(!outcomes.is_empty());
                assert!(outcomes.iter().all(|outcome| outcome.score.is_finite() && outcome.objective.is_finite()));
                return Ok(true);
            }
            Reply::Garbage(message) | Reply::Illegal(message) => {
                assert!(message.len() <= line.len() + 300, "{} of {}", message.len(), line.len());
                return Ok(false);
            }
        }
    }
    Ok(false)
}

/// Passes the output of a judge to a player, and checks that it prints no more lines than
/// requested. Returns whether it moved and found its input valid.
pub fn player<G: Game>(bytes: Unstructured<'_>) -> Result<bool> {
    let (told, mut said) = (bytes.take_rest(), Vec::new());
    let ending = G::play(told, &mut said);
    let words = told.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    let text = std::str::from_utf8(&said).expect("players print text");
    assert!(text.lines().count() <= words + 1, "{} lines to {words} words", text.lines().count());
    assert!(text.is_empty() || text.ends_with('\n'));
    if let Err(message) = &ending {
        assert!(!message.is_empty() && message.len() < 20_000);
        assert!(!message.contains(|letter: char| letter.is_control()), "{message:?}");
    }
    Ok(ending.is_ok() && !text.is_empty())
}

/// Returns complete games: the player's messages for the judge, and the judge's messages.
pub fn samples<G: Game>() -> Vec<(String, String, Vec<u8>)> {
    let name = G::NAME;
    let sample = |deal: u8| {
        let (said, told) = game::<G>(deal);
        [("judge", [&[deal][..], &said].concat()), ("player", told)]
            .map(|(side, bytes)| (format!("{side}-{name}"), format!("deal-{deal}"), bytes))
    };
    [0, 3].into_iter().flat_map(sample).collect()
}

fn game<G: Game>(deal: u8) -> (Vec<u8>, Vec<u8>) {
    let mut referee = referee::<G>(deal);
    let mut told = referee.open();
    loop {
        let mut said = Vec::new();
        G::play(told.as_bytes(), &mut said).unwrap_or_else(|message| panic!("{message}"));
        let line = String::from_utf8_lossy(&said).lines().last().expect("it makes a move").to_string();
        match referee.answer(&line) {
            Reply::Send(text) => told += &text,
            Reply::Over(text) => return (said, (told + &text).into_bytes()),
            wrong => panic!("{line}: {wrong:?}"),
        }
    }
}
