//! Compares ChessPuzzle with its slow twin, and its counts and evaluations with their definitions.

use policy::chess_puzzle::beam::Settings;
use policy::chess_puzzle::board::{Board, Cell, Piece, LARGEST, MOST_LAYERS, SMALLEST, TYPES};
use policy::chess_puzzle::evaluation::{Evaluation, Evaluations};
use policy::chess_puzzle::field::{is_long, Field, Reach, HIDDEN};
use policy::chess_puzzle::greedy::best;
use policy::chess_puzzle::position::Position;
use policy::chess_puzzle::search::Search;
use policy::chess_puzzle::weights::{Terms, Weights, COUNT};
use policy::clock::Clock;
use policy::random::SplitMix64;
use policy_twins::chess_puzzle::compare::{cell, click, compare, letter};
use policy_twins::chess_puzzle::twin::Twin;
use std::collections::BTreeSet;

fn between(random: &mut SplitMix64, low: usize, high: usize) -> usize {
    low + random.below((high - low + 1) as u32) as usize
}

/// Deals a random game for both implementations.
fn deal(random: &mut SplitMix64) -> (Twin, Position) {
    let (rows, columns) = (between(random, SMALLEST, LARGEST), between(random, SMALLEST, LARGEST));
    let layers = between(random, 1, MOST_LAYERS);
    let mut stack = |_| (0..layers).map(|_| Piece::ALL[random.below(TYPES as u32) as usize].letter()).collect();
    let twin = Twin::new((0..rows).map(|_| (0..columns).map(&mut stack).collect()).collect());
    let top = |cell: Cell| letter(&twin, cell as usize / columns, cell as usize % columns).unwrap();
    let position = Position::new(rows, columns, layers, top);
    (twin, position)
}

#[test]
fn tiles_reach_the_cells_of_the_rules() {
    for rows in SMALLEST..=LARGEST {
        for columns in SMALLEST..=LARGEST {
            let twin = Twin::new(vec![vec![vec!['1']; columns]; rows]);
            let board = Board::of_size(rows, columns);
            for at in 0..board.cells() {
                for piece in Piece::ALL {
                    let mut reached: Vec<Cell> = twin
                        .reaches(piece.letter(), at / columns, at % columns)
                        .into_iter()
                        .map(|place| cell(&twin, place))
                        .collect();
                    reached.sort_unstable();
                    assert_eq!(
                        board.targets(at as Cell, piece as u8)[..],
                        reached,
                        "{piece:?} at {at}, {rows}x{columns}"
                    );
                    for &target in &reached {
                        let back = |source: &policy::chess_puzzle::board::Source| {
                            (source.cell, source.piece) == (at as Cell, piece as u8)
                        };
                        assert_eq!(board.sources(target).iter().filter(|source| back(source)).count(), 1);
                    }
                }
            }
        }
    }
}

#[test]
fn random_games_agree_with_the_twin_on_every_prefix() {
    let mut random = SplitMix64::new(1);
    let mut prefixes = 0;
    for _ in 0..400 {
        let (mut twin, mut position) = deal(&mut random);
        loop {
            let legal = compare(&twin, &position);
            prefixes += 1;
            if legal.is_empty() {
                break;
            }
            let place = legal[random.below(legal.len() as u32) as usize];
            click(&mut twin, &mut position, place);
            assert_eq!(position.height(cell(&twin, place)), twin.height(place.0, place.1));
        }
    }
    assert!(prefixes > 10_000, "{prefixes}");
}

/// Compares the counts of a field with those of the twin.
fn check_counts(field: &Field, twin: &Twin) {
    let places = || (0..twin.rows()).flat_map(|row| (0..twin.columns()).map(move |column| (row, column)));
    let (mut left, mut edge_left, mut long) = (0, 0, 0);
    for (row, column) in places() {
        let place = cell(twin, (row, column));
        let height = twin.height(row, column);
        left += height;
        if row == 0 || column == 0 || row + 1 == twin.rows() || column + 1 == twin.columns() {
            edge_left += height;
        }
        let reached = places()
            .filter(|&(r, c)| twin.top(r, c).is_some_and(|letter| twin.reaches(letter, r, c).contains(&(row, column))));
        assert_eq!(field.reached(place) as usize, reached.count());
        let exits = twin.top(row, column).map_or(0, |letter| {
            twin.reaches(letter, row, column).into_iter().filter(|&(r, c)| twin.height(r, c) > 0).count()
        });
        assert_eq!(field.exits(place) as usize, exits);
        assert_eq!(field.height(place) as usize, height);
        long += letter(twin, row, column).map_or(0, |piece| i32::from(is_long(piece as u8)));
    }
    let shown = places().filter(|&(row, column)| twin.height(row, column) > 0).count();
    assert_eq!(
        (field.left(), field.edge_left(), field.long(), field.hidden()),
        (left as i32, edge_left as i32, long, (left - shown) as i32)
    );
}

#[test]
fn incremental_counts_match_the_position() {
    let mut random = SplitMix64::new(2);
    for _ in 0..10 {
        let (mut twin, mut position) = deal(&mut random);
        let mut field = Field::new(&position);
        for step in 0.. {
            if step % 16 == 0 {
                check_counts(&field, &twin);
                assert_eq!(field.hash(), Field::new(&position).hash());
            }
            let legal = twin.legal();
            if legal.is_empty() {
                break;
            }
            let place = legal[random.below(legal.len() as u32) as usize];
            let hash = field.hash_after(cell(&twin, place));
            let revealed = click(&mut twin, &mut position, place);
            field.click(cell(&twin, place), revealed.map_or(HIDDEN, |piece| piece as u8));
            assert_eq!(field.hash(), hash);
        }
        check_counts(&field, &twin);
    }
}

/// Returns the stacks that can be reached once the tile of a place is gone, by the rules, if the
/// revealed tile leads nowhere.
fn within_reach(twin: &Twin, from: (usize, usize)) -> BTreeSet<(usize, usize)> {
    let there = |&(row, column): &(usize, usize)| twin.height(row, column) > usize::from((row, column) == from);
    let next = |(row, column)| twin.reaches(twin.top(row, column).unwrap(), row, column).into_iter().filter(there);
    let mut seen = BTreeSet::new();
    let mut open: Vec<_> = next(from).collect();
    while let Some(place) = open.pop() {
        if seen.insert(place) && place != from {
            open.extend(next(place));
        }
    }
    seen
}

#[test]
fn reach_matches_the_rules() {
    let mut random = SplitMix64::new(9);
    let (mut pockets, mut wide) = (0, 0);
    for _ in 0..60 {
        let (mut twin, mut position) = deal(&mut random);
        let mut field = Field::new(&position);
        for step in 0.. {
            let legal = twin.legal();
            if legal.is_empty() {
                break;
            }
            let place = legal[random.below(legal.len() as u32) as usize];
            if step % 3 == 0 || field.left() < 40 {
                let (at, piece) = (cell(&twin, place), letter(&twin, place.0, place.1).unwrap() as u8);
                let seen = within_reach(&twin, place);
                let is_short = |&&(row, column): &&(usize, usize)| {
                    (row, column) != place && !is_long(letter(&twin, row, column).unwrap() as u8)
                };
                let (stacks, short) = (seen.len() as u32, seen.iter().filter(is_short).count() as u32);
                assert_eq!(field.reach(at, piece, u32::MAX), Reach { stacks, short });
                // A limited search finds at least the limit, or all stacks.
                let few = field.reach(at, piece, 16);
                assert_eq!(few.stacks.min(16), stacks.min(16));
                assert!(few.short <= short && (stacks > 16 || few.short == short));
                pockets += u32::from(stacks < 16);
                wide += u32::from(stacks > 40);
            }
            let revealed = click(&mut twin, &mut position, place);
            field.click(cell(&twin, place), revealed.map_or(HIDDEN, |piece| piece as u8));
        }
    }
    assert!(pockets > 20 && wide > 50, "{pockets} {wide}");
}

#[test]
fn the_best_click_has_the_highest_value() {
    let mut random = SplitMix64::new(10);
    let mut choices = [0, 0];
    for game in 0..60 {
        let (mut twin, mut position) = deal(&mut random);
        let mut terms = random_terms(&mut random);
        if game % 3 == 0 {
            (terms.within_8, terms.within_24, terms.within_short) = (0.0, 0.0, 0.0);
        }
        let evaluation = Evaluation::new(terms, position.layers());
        let mut field = Field::new(&position);
        loop {
            let legal = twin.legal();
            if legal.is_empty() {
                break;
            }
            let cells: Vec<Cell> = legal.iter().map(|&place| cell(&twin, place)).collect();
            let value = |at: Cell| match evaluation.moves(&field, at, field.top(at)) {
                Some(moves) => moves + evaluation.change(&field, at),
                None => -f64::from(field.left() - 1),
            };
            let found = best(&field, &cells, &evaluation).unwrap();
            let highest = cells.iter().map(|&at| value(at)).fold(f64::MIN, f64::max);
            assert!((value(found) - highest).abs() < 1e-9, "{} {highest}", value(found));
            choices[usize::from(game % 3 == 0)] += u32::from(cells.len() > 1);
            let place = legal[random.below(legal.len() as u32) as usize];
            let revealed = click(&mut twin, &mut position, place);
            field.click(cell(&twin, place), revealed.map_or(HIDDEN, |piece| piece as u8));
        }
    }
    assert!(choices[0] > 1000 && choices[1] > 500, "{choices:?}");
}

fn random_terms(random: &mut SplitMix64) -> Terms {
    Terms::from_values(&std::array::from_fn(|_| f64::from(random.below(2000)) / 1000.0 - 1.0))
}

#[test]
fn a_change_is_the_difference_of_two_values() {
    let mut random = SplitMix64::new(3);
    let mut changes = 0;
    for _ in 0..60 {
        let (mut twin, mut position) = deal(&mut random);
        let evaluation = Evaluation::new(random_terms(&mut random), position.layers());
        let mut field = Field::new(&position);
        loop {
            let legal = twin.legal();
            if legal.is_empty() {
                break;
            }
            let place = legal[random.below(legal.len() as u32) as usize];
            let at = cell(&twin, place);
            if field.top(at) < HIDDEN {
                let mut after = field.clone();
                after.click(at, HIDDEN);
                let change = evaluation.change(&field, at);
                let difference = evaluation.value(&after) - evaluation.value(&field);
                assert!((change - difference).abs() < 1e-9, "{change} {difference}");
                changes += 1;
            }
            let revealed = click(&mut twin, &mut position, place);
            // Some tiles stay hidden, as in the lines of a search.
            let known = random.below(4) > 0;
            if !known && revealed.is_some() {
                break;
            }
            field.click(at, revealed.map_or(HIDDEN, |piece| piece as u8));
        }
    }
    assert!(changes > 200, "{changes}");
}

#[test]
fn weights_change_with_the_board_and_the_progress() {
    let mut values = [0.0; COUNT];
    values[0] = 1.0;
    values[Terms::COUNT] = 2.0;
    values[2 * Terms::COUNT] = 4.0;
    values[3 * Terms::COUNT] = 8.0;
    let weights = Weights::from_values(&values).unwrap();
    let first = |rows, columns, layers, progress| weights.at(rows, columns, layers, progress).values()[0];
    // 56 of 225 cells are on the edge.
    let tight = 4.0 * (0.4 - 56.0 / 225.0) / 0.15;
    assert!((first(15, 15, 10, 0.5) - (1.0 + 1.0 + tight + 8.0)).abs() < 1e-12);
    assert!((first(10, 8, 1, 0.0) - (1.0 - 8.0)).abs() < 1e-12, "32 of 80 cells: an average board");
    assert_eq!(Weights::from_values(&values[1..]), None);
}

/// Plays a game to its end and returns the clicks.
fn play(twin: &Twin, position: &Position, search: Search) -> Vec<Cell> {
    let (mut twin, mut position) = (twin.clone(), position.clone());
    let mut player = search.player(&Weights::DEFAULT, &position);
    let mut cells = Vec::new();
    while let Some(at) = player.choose(&Clock::UNLIMITED) {
        let place = (at as usize / twin.columns(), at as usize % twin.columns());
        assert!(twin.legal().contains(&place));
        let revealed = click(&mut twin, &mut position, place);
        player.click(at, revealed.map_or(HIDDEN, |piece| piece as u8));
        cells.push(at);
    }
    assert!(twin.legal().is_empty(), "a player continues as long as it can");
    cells
}

#[test]
fn players_play_legally_to_the_end_and_the_same_game_twice() {
    let mut random = SplitMix64::new(4);
    let beam = Settings { width: 3, depth: 4 };
    let mut clicks = [0; 3];
    for _ in 0..12 {
        let (twin, position) = loop {
            let (twin, position) = deal(&mut random);
            if position.tiles() < 250 {
                break (twin, position);
            }
        };
        let searches = [Search::Greedy, Search::Beam(beam), Search::Sampled { beam, samples: 20 }];
        for (search, clicks) in searches.into_iter().zip(&mut clicks) {
            let cells = play(&twin, &position, search);
            assert_eq!(cells, play(&twin, &position, search));
            *clicks += cells.len();
        }
    }
    assert!(clicks[2] > clicks[0], "sampling helps: {clicks:?}");
}

#[test]
fn a_visible_board_is_searched_to_its_end() {
    // All steps lead to neighbours, so every tile can be clicked away.
    let (rows, columns) = (6, 7);
    let twin = Twin::new(vec![vec![vec!['1']; columns]; rows]);
    let position = Position::new(rows, columns, 1, |_| Piece::One);
    let search = Search::Sampled { beam: Settings { width: 1, depth: 1 }, samples: 64 };
    assert_eq!(play(&twin, &position, search).len(), rows * columns);
}

#[test]
fn evaluations_follow_the_progress() {
    let mut values = [0.0; COUNT];
    values[Terms::COUNT..2 * Terms::COUNT].fill(1.0);
    let weights = Weights::from_values(&values).unwrap();
    let (_, position) = deal(&mut SplitMix64::new(5));
    let evaluations = Evaluations::new(&weights, position.board(), position.layers());
    let field = Field::new(&position);
    let tiles = position.tiles() as i32;
    assert_eq!(evaluations.at(tiles).value(&field), 0.0);
    assert!(evaluations.at(tiles / 2).value(&field) != 0.0);
    assert!(evaluations.at(0).value(&field).abs() > evaluations.at(tiles / 2).value(&field).abs());
}
