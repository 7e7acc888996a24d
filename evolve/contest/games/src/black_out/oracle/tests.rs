use super::*;

/// Solves a board directly by the rules: all positions by all rectangles of one row or column,
/// fullest first.
fn slow(rows: usize, columns: usize) -> Vec<bool> {
    let mut segments = Vec::new();
    for r1 in 0..rows {
        for c1 in 0..columns {
            for r2 in r1..rows {
                for c2 in c1..columns {
                    if r1 == r2 || c1 == c2 {
                        let rows = (r1..=r2).flat_map(|r| (c1..=c2).map(move |c| 1usize << (r * columns + c)));
                        segments.push(rows.sum::<usize>());
                    }
                }
            }
        }
    }
    let mut lost = vec![true; 1 << (rows * columns)];
    for black in (0..lost.len()).rev() {
        lost[black] = !segments.iter().any(|segment| black | segment != black && lost[black | segment]);
    }
    lost
}

fn count_lost(oracle: &Oracle) -> u64 {
    oracle.words().map(|word| u64::from(word.count_ones())).sum()
}

#[test]
fn small_boards_agree_with_a_slow_twin() {
    for (rows, columns) in [(1, 1), (1, 6), (5, 1), (2, 3), (3, 4), (4, 3), (4, 4), (2, 6), (5, 3), (3, 6)] {
        let oracle = Oracle::solve(rows, columns);
        let expected = slow(rows, columns);
        for (black, &is_lost) in expected.iter().enumerate() {
            assert_eq!(oracle.is_lost(black as Squares), is_lost, "{rows} x {columns}: {black:b}");
        }
        assert_eq!(count_lost(&oracle), expected.iter().filter(|&&is_lost| is_lost).count() as u64);
    }
}

#[test]
fn a_board_and_its_transposition_agree() {
    let (wide, tall) = (Oracle::solve(4, 5), Oracle::solve(5, 4));
    assert_eq!(count_lost(&wide), count_lost(&tall));
    for black in (0..1u32 << 20).step_by(7) {
        let turned = (0..20).filter(|i| black >> i & 1 == 1).map(|i| 1 << (i % 5 * 4 + i / 5)).sum();
        assert_eq!(wide.is_lost(black), tall.is_lost(turned));
    }
}

#[test]
fn boards_of_even_sides_are_lost_by_symmetry() {
    for (rows, columns) in [(2, 2), (2, 4), (4, 4), (4, 2), (4, 6), (2, 6)] {
        assert!(Oracle::solve(rows, columns).is_lost(0), "{rows} x {columns}");
    }
}
