//! Tests of interrupted searches: each reading of the time advances it by a second, so that the
//! clock runs out at every place that reads it. The player's answer must still be legal.

use policy::clock::{Clock, Time};
use policy::random::SplitMix64;
use policy::{black_out, chess_puzzle, gomoku, solitaire_chess};
use std::cell::Cell;
use std::time::Duration;

/// A time that advances by a second with each reading.
#[derive(Debug, Default)]
struct Looks(Cell<u32>);

impl Time for Looks {
    fn passed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        looks(self.0.get())
    }
}

/// Returns a limit of this many readings.
fn looks(count: u32) -> Duration {
    Duration::from_secs(u64::from(count))
}

#[test]
fn a_clock_runs_out_once_and_for_all() {
    let time = Looks::default();
    let clock = Clock::start(&time, looks(3));
    assert_eq!(clock.left(), Some(looks(2)));
    assert_eq!([(); 3].map(|()| clock.is_over()), [false, true, true]);
    assert_eq!(clock.left(), Some(Duration::ZERO));
    // The next game has the whole time again.
    assert_eq!(clock.again().left(), Some(looks(2)));
    assert_eq!((Clock::UNLIMITED.left(), Clock::UNLIMITED.again().is_over()), (None, false));
}

#[test]
fn a_share_ends_with_its_part() {
    let time = Looks::default();
    let clock = Clock::start(&time, looks(41));
    // One reading is for the remaining time, one for the start of the share.
    assert_eq!(clock.share(4).left(), Some(looks(9)));
    assert!(clock.share(0).left() > Some(looks(9)));
    assert_eq!(Clock::UNLIMITED.share(7).left(), None);
}

/// Counts searches that the clock has stopped midway.
#[derive(Default)]
struct Cut(u32);

impl Cut {
    fn count(&mut self, time: &Looks, before: u32) {
        // One reading is for the share, one for its start, and at least two are in the search.
        self.0 += u32::from(time.0.get() > before + 3);
    }
}

#[test]
fn black_out_answers_in_time() {
    use black_out::board::{free, moves, Squares, ALL, SEGMENT};
    use black_out::player::{Player, Settings};
    let mut random = SplitMix64::new(1);
    let mut changed = 0;
    for _ in 0..6 {
        let mut black: Squares = 0;
        while free(black) > 18 {
            black |= 1 << random.below(30);
        }
        let at_ease = player().choose(black, &Clock::UNLIMITED);
        for count in (0..40).chain((40..400).step_by(20)) {
            let time = Looks::default();
            // Each move may take a fifteenth of the remaining time.
            let clock = Clock::start(&time, looks(15 * count));
            let choice = player().choose(black, &clock).expect("the game is not over");
            assert!(moves(black).any(|legal| legal == choice), "{black:b} after {count} looks");
            changed += u32::from(Some(choice) != at_ease);
        }
    }
    assert!(changed > 20, "the searches were stopped: {changed}");

    // A whole game on one clock always has a last move.
    let time = Looks::default();
    let clock = Clock::start(&time, looks(500));
    let mut player = player();
    let mut black = 0;
    while let Some(choice) = player.choose(black, &clock) {
        assert_eq!(black & SEGMENT[choice].ends, 0);
        black |= SEGMENT[choice].squares;
    }
    assert_eq!(black, ALL);

    fn player() -> Player {
        Player::new(black_out::weights::Weights::DEFAULT, Settings { exact: 20 })
    }
}

#[test]
fn gomoku_answers_in_time() {
    use gomoku::board::{Side, CENTRE};
    use gomoku::lookahead::{Lookahead, Settings};
    use gomoku::opponent::reply;
    use gomoku::player::Player;
    use gomoku::position::Position;
    let settings = Settings { width: 5, depth: 3, playout: 4 };
    let mut player = Lookahead::new(gomoku::weights::Weights::DEFAULT, settings);
    let mut position = Position::new();
    position.put(CENTRE, Side::Black);
    let mut cut = Cut::default();
    for _ in 0..5 {
        let mut least = None;
        for count in (0..24).chain((24..200).step_by(16)) {
            let time = Looks::default();
            let clock = Clock::start(&time, looks(16 * count));
            let before = position.clone();
            let cell = player.choose(&position, &clock).expect("the board is not full");
            assert!(position.is_empty(cell), "{cell} after {count} looks");
            assert!(position == before);
            cut.count(&time, 0);
            least = least.or(Some(cell));
        }
        position.put(least.unwrap(), Side::White);
        position.put(reply(&position).unwrap(), Side::Black);
    }
    assert!(cut.0 > 50, "{}", cut.0);
}

#[test]
fn chess_puzzle_answers_in_time() {
    use chess_puzzle::beam::Settings;
    use chess_puzzle::board::Piece;
    use chess_puzzle::field::HIDDEN;
    use chess_puzzle::position::Position;
    use chess_puzzle::search::Search;
    let beam = Settings { width: 3, depth: 6 };
    for search in [Search::Greedy, Search::Beam(beam), Search::Sampled { beam, samples: 16 }] {
        let mut used = 0;
        // More readings are unnecessary: a beam twice as wide takes more time, but no more
        // readings.
        for count in 0..60 {
            let mut random = SplitMix64::new(u64::from(count));
            let mut draw = || Piece::ALL[random.below(8) as usize];
            // Some games have all tiles visible from the start.
            let layers = 1 + count as usize % 3;
            let tops: Vec<Piece> = (0..42).map(|_| draw()).collect();
            let mut position = Position::new(6, 7, layers, |cell| tops[cell as usize]);
            let mut player = search.player(&chess_puzzle::weights::Weights::DEFAULT, &position);
            let time = Looks::default();
            let clock = Clock::start(&time, looks(count));
            while let Some(cell) = player.choose(&clock) {
                assert!(position.is_legal(cell), "{search:?}, {count} looks");
                let revealed = (position.height(cell) > 1).then(&mut draw);
                position.click(cell, revealed);
                player.click(cell, revealed.map_or(HIDDEN, |piece| piece as u8));
            }
            let is_over = (0..42).all(|cell| !position.is_legal(cell));
            assert!(is_over, "{search:?} stops before the end of the game");
            used += u32::from(time.0.get() > count);
        }
        assert!(search == Search::Greedy || used > 30, "{search:?} ran out of time {used} times");
    }
}

#[test]
fn solitaire_chess_answers_in_time() {
    use solitaire_chess::beam::Settings;
    use solitaire_chess::groups::{alphabet, GROUPS};
    use solitaire_chess::position::Position;
    use solitaire_chess::search::{Rollouts, Search};
    let (beam, inner) = (Settings { width: 4, depth: 6 }, Settings { width: 2, depth: 3 });
    let rollouts = Rollouts { most: 40, length: 5, beam: inner };
    for search in [
        Search::Greedy { margin: 5 },
        Search::Beam(beam),
        Search::Expectimax { beam, endings: 4, inner, deeper: [3, 2], rollouts: None, exact: 100 },
        Search::Expectimax { beam, endings: 4, inner, deeper: [0, 0], rollouts: Some(rollouts), exact: 0 },
        Search::Sampled { beam: inner, samples: 3, exact: 20_000 },
    ] {
        let mut used = 0;
        for count in (0..30).chain((30..1500).step_by(150)) {
            let group = 1 + count as usize % GROUPS.len();
            let types = GROUPS[group - 1];
            let mut random = SplitMix64::new(u64::from(count));
            let mut draw = || types[random.below(types.len() as u32) as usize];
            let shown: Vec<_> = (0..64).map(|_| draw()).collect();
            let mut position = Position::new(|tile| shown[tile as usize]);
            let mut player = search.player(solitaire_chess::weights::Weights::DEFAULT);
            let time = Looks::default();
            let clock = Clock::start(&time, looks(count));
            while let Some(tile) = player.choose(&position, alphabet(group), &clock) {
                assert!(position.legal() >> tile & 1 == 1, "{search:?}, {count} looks");
                position.remove(tile, Some(draw()));
            }
            assert_eq!(position.legal(), 0, "{search:?} stops before the end of the game");
            used += u32::from(time.0.get() > count);
        }
        assert!(used >= 30, "{search:?} ran out of time {used} times");
    }
}
