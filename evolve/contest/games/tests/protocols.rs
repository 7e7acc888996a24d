//! Tests that the samples in the pages on protocols are exact.

use evolve_contest::judge::{Referee, Reply};
use evolve_core::job::Game;
use evolve_games_testing::{contest, problem, referees};
use evolve_search::model::seed::{Split, seed};

/// Returns the referee of a page's sample, which is the first game of the `evolve judge` command
/// that the page names.
fn referee(name: &str, page: &str) -> Box<dyn Referee> {
    let (_, sample) = page.split_once("\nA sample\n").expect("a page has a sample");
    let command = sample.split('`').find_map(|text| text.strip_prefix("evolve judge ")).expect("it names its command");
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[0], name);
    let given: Vec<(&str, &str)> = words[1..].chunks(2).map(|pair| (&pair[0][2..], pair[1])).collect();
    let (numbers, given): (Vec<_>, Vec<_>) = given.into_iter().partition(|(name, _)| *name == "cases");
    let referees = referees(&*problem(name, &given));
    match numbers[..] {
        [(_, number)] => referees.original(number.parse().unwrap()).unwrap(),
        _ => referees.referee(seed(1, Split::Measurement, 0, 0)),
    }
}

/// Checks a page: the referee receives the lines that the program prints in the sample.
fn check(game: &Game) {
    let (name, page) = (game.name(), contest(&*game.sample).judge().unwrap().protocol());
    assert!(page.lines().all(|line| line.len() <= 120), "{name}");
    for part in ["\nWhat the program reads first\n", "\nThe moves\n", "\nThe end\n", "\nWhat fails a game\n"] {
        assert!(page.contains(part), "{name} lacks {part}");
    }
    let mut referee = referee(name, page);
    let mut sent = referee.open();
    let mut over = false;
    for line in page.lines() {
        if let Some(line) = line.strip_prefix("    < ") {
            let rest = sent.strip_prefix(line).and_then(|rest| rest.strip_prefix('\n'));
            sent = rest.unwrap_or_else(|| panic!("{name}: the page has `{line}`, the judge `{sent}`")).to_string();
        } else if let Some(line) = line.strip_prefix("    > ") {
            assert!(sent.is_empty() && !over, "{name}: before `{line}` comes `{sent}`");
            sent = match referee.answer(line) {
                Reply::Send(text) => text,
                Reply::Over(text) => {
                    over = true;
                    text
                }
                other => panic!("{name}: `{line}` is answered {other:?}"),
            };
        }
    }
    assert!(sent.is_empty() && over, "{name}: the sample ends before the game, `{sent}`");
    assert!(!referee.outcomes().is_empty());
}

#[test]
fn every_page_has_a_complete_game() {
    for game in evolve_games::GAMES.iter() {
        check(game);
    }
}
