use super::*;
use evolve_core::seed::Purpose;
use evolve_core::trial::{Deal, Failure, Outcome};

fn trials(count: usize) -> Vec<Trial> {
    let deal = |number| Deal { purpose: Purpose::Training, number, seed: 0 };
    (0..count).map(|i| Trial { candidate: i % 3, deal: deal(i as u64) }).collect()
}

fn board(count: usize) -> Board {
    let mut board = Board::new(7, vec![vec![0.0], vec![1.0], vec![2.0]]);
    board.add(&trials(count));
    board
}

fn pace(millis: u64) -> Pace {
    let mut pace = Pace::default();
    pace.measure(1, Duration::from_millis(millis));
    pace
}

/// What a worker makes of a unit: the number of each deal, times ten and the candidate.
fn play(unit: &Unit) -> Vec<Played> {
    let score = |&(candidate, deal): &(u32, Deal)| {
        Ok(Outcome::of(unit.candidates[candidate as usize][0] + 10.0 * deal.number as f64))
    };
    unit.trials.iter().map(score).collect()
}

fn expected(count: usize) -> Vec<Played> {
    (0..count).map(|i| Ok(Outcome::of((i % 3) as f64 + 10.0 * i as f64))).collect()
}

/// Whoever plays what, in whatever order, twice or late: every trial counts once, in its place.
#[test]
fn every_outcome_stands_in_its_place() {
    for (count, threads) in [(1, 1), (10, 2), (1000, 3), (5000, 16)] {
        let mut board = board(count);
        let mut waiting: Vec<Unit> = Vec::new();
        let mut now = Instant::now();
        let (mut random, mut new, mut lost) = (1u64, 0, 0);
        while board.open() > 0 {
            while let Some(unit) = board.next_unit(&pace(5), threads, now) {
                waiting.push(unit);
            }
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            now += Duration::from_millis(300);
            if waiting.is_empty() || random >> 62 == 3 {
                board.lost(Duration::from_secs(1), now);
                continue;
            }
            let unit = waiting.swap_remove((random >> 33) as usize % waiting.len());
            match random >> 60 {
                0..4 if lost < count => lost += unit.trials.len(),
                4..6 => {
                    new += board.fill(unit.first, play(&unit));
                    waiting.push(unit);
                }
                _ => new += board.fill(unit.first, play(&unit)),
            }
        }
        assert_eq!(new, count);
        assert!(board.out.is_empty() && board.again.is_empty());
        assert_eq!(board.take(count), Some(expected(count)));
        assert_eq!(board.left(), 0);
        for unit in waiting {
            assert_eq!(board.fill(unit.first, play(&unit)), 0, "late copies do not count");
        }
    }
}

#[test]
fn outcomes_are_taken_in_batches_as_they_come() {
    let mut board = board(60);
    let now = Instant::now();
    let first = board.next_unit(&pace(100), 1, now).unwrap();
    let second = board.next_unit(&pace(100), 1, now).unwrap();
    assert_eq!((first.first, first.trials.len(), second.first), (0, 10, 10));
    board.fill(second.first, play(&second));
    assert_eq!(board.take(5), None);
    board.fill(first.first, play(&first));
    assert!(board.has_next(&trials(60)[..15]) && !board.has_next(&trials(60)[1..15]));
    assert_eq!(board.take(15).unwrap(), expected(60)[..15]);
    assert!(board.has_next(&trials(60)[15..]) && !board.has_next(&trials(60)));
    assert_eq!(board.take(15), None);
}

#[test]
fn the_first_failure_is_told_as_soon_as_it_is_the_first() {
    let mut board = board(30);
    let unit = board.next_unit(&pace(100), 1, Instant::now()).unwrap();
    let mut results = play(&unit);
    results[3] = Err(Failure::new("crash", "first"));
    results[6] = Err(Failure::new("crash", "second"));
    board.fill(unit.first, results);
    let taken = board.take(30).unwrap();
    assert_eq!((taken.len(), &taken[3]), (4, &Err(Failure::new("crash", "first"))));
}

#[test]
fn what_is_late_is_shared_out_while_threads_idle() {
    let mut board = board(40);
    let (pace, start) = (pace(10), Instant::now());
    let mut units: Vec<Unit> = std::iter::from_fn(|| board.next_unit(&pace, 2, start)).collect();
    let straggler = units.remove(0);
    assert!(straggler.trials.len() > 1);
    for unit in &units {
        board.fill(unit.first, play(unit));
    }
    assert!(board.next_unit(&pace, 2, start + Duration::from_secs(1)).is_none(), "it is not late yet");
    let late = start + Duration::from_secs(4);
    let pieces: Vec<Unit> = std::iter::from_fn(|| board.next_unit(&pace, 2, late)).collect();
    assert_eq!(pieces.len(), 2);
    assert_eq!(pieces.iter().map(|piece| piece.trials.len()).sum::<usize>(), straggler.trials.len());
    // The straggler is back first.
    board.fill(straggler.first, play(&straggler));
    assert_eq!(board.take(40), Some(expected(40)));
    assert!(board.out.is_empty() && board.leaves_work(), "copies may still lie at the server");
    let mut other = Board::new(8, vec![vec![]]);
    other.add(&trials(1)[..1]);
    assert!(!other.leaves_work());
}

#[test]
fn units_stay_below_the_largest_message() {
    let mut board = Board::new(1, vec![vec![0.5; 20_000]; 3]);
    board.add(&trials(30));
    let unit = board.next_unit(&pace(1), 1, Instant::now()).unwrap();
    assert_eq!((unit.candidates.len(), unit.trials.len()), (3, 30));
    let mut wide = Board::new(1, vec![vec![0.5; 30_000]; 3]);
    wide.add(&trials(30));
    let unit = wide.next_unit(&pace(1), 1, Instant::now()).unwrap();
    assert!(crate::wire::bytes(&unit).len() <= LARGEST && unit.trials.len() == 2);
    let mut next = wide.next_unit(&pace(1), 1, Instant::now()).unwrap();
    assert_eq!(next.first, 2);
    wide.take_back(&next);
    next = wide.next_unit(&pace(1), 1, Instant::now()).unwrap();
    assert_eq!(next.first, 2, "what could not be handed out comes again");
}

#[test]
fn strange_results_are_none() {
    let mut board = board(10);
    let unit = board.next_unit(&pace(1000), 1, Instant::now()).unwrap();
    for (first, count) in [(5, 3), (0, 2), (u64::MAX, 1), (0, 100)] {
        assert_eq!(board.fill(first, vec![Ok(Outcome::of(1.0)); count]), 0);
    }
    assert_eq!(board.fill(unit.first, play(&unit)), 1);
}
