//! The value of a white move, from the states of the lines through its cell.
//!
//! Counts of lines reveal open threes and fours: three stones with room to become an open four
//! share at least two lines, and so do the four stones of an open four.

use super::board::{state, Cell, STATES, THROUGH};
use super::position::Position;
use super::weights::Weights;

/// Bits of each count in a word of counts; a cell is on at most 20 lines.
const BITS: u32 = 6;

/// For each state of a line, a 1 in the field that counts such lines: own stones 0 to 4 without
/// theirs in the fields 0 to 4, their stones 1 to 4 without own ones in the fields 5 to 8.
const FIELDS: [u64; STATES] = fields();

const fn fields() -> [u64; STATES] {
    let mut fields = [0; STATES];
    let mut stones = 0;
    while stones < 5 {
        fields[state(0, stones) as usize] = 1 << (BITS * stones as u32);
        if stones > 0 {
            fields[state(stones, 0) as usize] = 1 << (BITS * (4 + stones as u32));
        }
        stones += 1;
    }
    fields
}

fn field(counts: u64, index: u32) -> u64 {
    counts >> (BITS * index) & ((1 << BITS) - 1)
}

/// The threats of one side's stone on a cell, direction by direction.
#[derive(Default)]
struct Threats {
    threes: u32,
    fours: u32,
    open_fours: u32,
}

impl Threats {
    /// Adds the threats in one direction, from the numbers of lines that already hold two and three
    /// stones.
    fn add(&mut self, twos: u64, threes: u64) {
        if threes > 0 {
            self.fours += 1;
            self.open_fours += u32::from(threes > 1);
        } else if twos > 1 {
            self.threes += 1;
        }
    }

    /// Returns the value of the threats, where `worth` lists the values of an open three, a four,
    /// two threes, a four and a three, and two fours.
    fn value(&self, worth: &[f64; 5]) -> f64 {
        let [three, four, three_three, four_three, four_four] = *worth;
        if self.open_fours > 0 || self.fours > 1 {
            four_four
        } else if self.fours > 0 {
            four + if self.threes > 0 { four_three } else { 0.0 }
        } else {
            match self.threes {
                0 => 0.0,
                1 => three,
                _ => three + three_three,
            }
        }
    }
}

/// Returns the value of a white stone on an empty cell.
pub fn value(position: &Position, cell: Cell, weights: &Weights) -> f64 {
    let (mut own, mut their) = (Threats::default(), Threats::default());
    let mut counts = 0;
    for lines in &THROUGH[cell as usize] {
        let direction: u64 = lines.iter().map(|&line| FIELDS[position.line(line) as usize]).sum();
        own.add(field(direction, 2), field(direction, 3));
        their.add(field(direction, 6), field(direction, 7));
        counts += direction;
    }
    let w = weights;
    let by_count =
        [(0, w.own_0), (1, w.own_1), (2, w.own_2), (3, w.own_3), (5, w.their_1), (6, w.their_2), (7, w.their_3)];
    let lines: f64 = by_count.iter().map(|&(index, weight)| field(counts, index) as f64 * weight).sum();
    lines
        + own.value(&[w.three, w.four, w.three_three, w.four_three, w.four_four])
        + their.value(&[w.stop_three, w.stop_four, w.stop_three_three, w.stop_four_three, w.stop_four_four])
}

#[cfg(test)]
mod tests {
    use super::super::board::{cell, Side};
    use super::*;

    /// The value of a white stone on x = 10, where `o`, `x` and `.` are white stones, black stones
    /// and empty cells along y from 5 on at x = 10, with `*` for the new stone; and `across` the
    /// same along x at y = 10.
    fn worth(along: &str, across: &str, weights: &Weights) -> f64 {
        let mut position = Position::new();
        let mut place = None;
        for (line, is_along) in [(along, true), (across, false)] {
            for (i, mark) in line.chars().enumerate() {
                let (x, y) = if is_along { (10, i as i64 + 5) } else { (i as i64 + 5, 10) };
                let cell = cell(x, y).unwrap();
                match mark {
                    'o' => position.put(cell, Side::White),
                    'x' => position.put(cell, Side::Black),
                    '*' => place = Some(cell),
                    _ => {}
                }
            }
        }
        value(&position, place.unwrap(), weights)
    }

    const MARKED: Weights = Weights {
        three: 1.0,
        four: 2.0,
        three_three: 10.0,
        four_three: 20.0,
        four_four: 40.0,
        stop_three: 100.0,
        stop_four: 200.0,
        stop_three_three: 1000.0,
        stop_four_three: 2000.0,
        stop_four_four: 4000.0,
        ..Weights::ZERO
    };

    #[test]
    fn threats_are_told_apart() {
        for (along, across, expected) in [
            (".....*.....", "", 0.0),
            ("...oo*.....", "", 1.0),
            ("...o.*o....", "", 1.0),
            ("..xoo*.....", "", 0.0),
            (".x.oo*.....", "", 1.0),
            (".x.oo*.x...", "", 0.0),
            ("..ooo*.....", "", 40.0),
            (".xooo*.....", "", 2.0),
            (".xooo*x....", "", 0.0),
            ("..oo.*o....", "", 2.0),
            ("...oo*.....", "...oo*.....", 11.0),
            (".xooo*.....", "...oo*.....", 22.0),
            (".xooo*.....", ".xooo*.....", 40.0),
            ("...xx*.....", "", 100.0),
            ("..xxx*.....", "", 4000.0),
            (".oxxx*.....", "", 200.0),
            ("...xx*.....", "...xx*.....", 1100.0),
            (".oxxx*.....", "...xx*.....", 2200.0),
            ("...oo*.....", "...xx*.....", 101.0),
        ] {
            assert_eq!(worth(along, across, &MARKED), expected, "{along} {across}");
        }
    }

    #[test]
    fn lines_count_by_their_stones() {
        let empty = Weights { own_0: 1.0, ..Weights::ZERO };
        assert_eq!(worth(".....*", "", &empty), 20.0);
        let two = Weights { own_2: 1.0, their_2: 10.0, ..Weights::ZERO };
        // Two stones beside the new one share three lines with it.
        assert_eq!(worth("...oo*", "", &two), 3.0);
        assert_eq!(worth("...xx*", "", &two), 30.0);
        assert_eq!(worth("...xo*", "", &two), 0.0);
    }
}
