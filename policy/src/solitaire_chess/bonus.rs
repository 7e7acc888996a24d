//! The bonuses for runs, sets and alternation, as an automaton over the types removed.
//!
//! Earlier removals matter for later bonuses only through the longest tail of distinct types of one kind (at most
//! three: a fourth completes the set and empties it), whether that tail starts right where the last set ended, the
//! length of the alternation so far (one, or more), and whether a run is in progress. A greedy left-to-right scan for
//! windows of four finds exactly the sets that this tail completes. That makes fewer than [`STATES`] states, so a
//! removal's bonus is one look into a table, made here at compile time.

use super::board::{Piece, TYPES};

/// An upper bound of the number of states; a power of two, as the rest of a division by it costs less than a check.
pub const STATES: usize = 512;

/// A state of the automaton; 0 before the first removal.
pub type State = u16;

/// The kind of a type: sets are made of the four numbers or of the four chess pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// 1, 2, 3, 4.
    Number,
    /// Rook, bishop, queen, knight.
    Chess,
}

impl Kind {
    /// The kind of a type.
    pub const fn of(piece: Piece) -> Kind {
        if (piece as u8) < 4 {
            Kind::Number
        } else {
            Kind::Chess
        }
    }

    /// The four types of the kind.
    pub const fn pieces(self) -> [Piece; 4] {
        match self {
            Kind::Number => [Piece::One, Piece::Two, Piece::Three, Piece::Four],
            Kind::Chess => [Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight],
        }
    }

    /// The other kind.
    pub const fn other(self) -> Kind {
        match self {
            Kind::Number => Kind::Chess,
            Kind::Chess => Kind::Number,
        }
    }
}

/// Points for each further piece of a run (its first two count together).
const RUN: u8 = 2;
const ORDERED_NUMBERS: u8 = 12;
const NUMBERS: u8 = 8;
const CHESS: u8 = 8;
/// Points for each set of an alternation (its first two count together).
const ALTERNATION: u8 = 8;

/// The effect of one removal on the bonuses.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The state after it.
    pub next: State,
    /// All bonus points that it brings.
    pub total: u8,
    /// How many of them are for the alternation; the rest is for the run or the set.
    pub alternation: u8,
}

/// The features of a state that an evaluation uses.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The type removed last.
    pub last: Piece,
    /// Whether the last two removals, or more, were of one type.
    pub run: bool,
    /// How many removals the set in progress has, 0 to 3; 0 right after a set, and before the first removal.
    pub length: u8,
    /// The types that the set in progress lacks: bit `i` for the `i`-th type of the kind of `last`.
    pub missing: u8,
    /// Whether the set in progress can still be a number set in order: 1 ascending, 2 descending, 0 neither.
    pub order: u8,
    /// Alternation points that completing the set in progress would bring; with `length` 0, those that a set of the
    /// other kind would bring.
    pub alternation: u8,
}

/// A state written out. Two histories with the same tail have the same future.
#[derive(Clone, Copy)]
struct Tail {
    /// The types of the set in progress in order of removal.
    types: [u8; 3],
    length: usize,
    /// Sets alternating up to where the tail starts, at most 2; 0 if a removal lies between.
    chain: u8,
    last: u8,
    run: bool,
}

impl Tail {
    /// A number below [`CODES`] that differs for different tails.
    const fn code(self) -> usize {
        let mut code = self.length;
        let mut i = 0;
        while i < 3 {
            code = code * 8 + if i < self.length { self.types[i] as usize } else { 0 };
            i += 1;
        }
        ((code * 3 + self.chain as usize) * 8 + self.last as usize) * 2 + self.run as usize
    }

    const fn kind(self) -> u8 {
        self.last / 4
    }

    const fn ascending(self) -> bool {
        self.is_ordered(true)
    }

    /// Whether the tail starts 1 2 3 (or 4 3 2).
    const fn is_ordered(self, ascending: bool) -> bool {
        let mut i = 0;
        while i < self.length {
            let due = if ascending { i } else { 3 - i };
            if self.types[i] as usize != due {
                return false;
            }
            i += 1;
        }
        self.length > 0
    }

    const fn missing(self) -> u8 {
        let mut missing = 0b1111;
        let mut i = 0;
        while i < self.length {
            missing &= !(1 << (self.types[i] % 4));
            i += 1;
        }
        missing
    }

    /// Alternation points of the next set that continues the chain.
    const fn alternation_due(self) -> u8 {
        match self.chain {
            0 => 0,
            1 => 2 * ALTERNATION,
            _ => ALTERNATION,
        }
    }

    const fn meaning(self) -> Meaning {
        Meaning {
            last: Piece::ALL[self.last as usize],
            run: self.run,
            length: self.length as u8,
            missing: self.missing(),
            order: if self.ascending() {
                1
            } else if self.is_ordered(false) {
                2
            } else {
                0
            },
            alternation: self.alternation_due(),
        }
    }

    /// The tail after one more removal, the bonus for the run or the set, and the alternation's.
    const fn remove(self, piece: u8, first: bool) -> (Tail, u8, u8) {
        if !first && piece == self.last {
            // Twice the same type: only the second can start a set, and whatever chain there was is broken.
            let tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: true };
            return (tail, if self.run { RUN } else { 2 * RUN }, 0);
        }
        let kind = piece / 4;
        let same_kind = !first && kind == self.kind();
        let mut tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: false };
        if self.length == 0 {
            // Right after a set: one of the other kind alternates.
            if !first && !same_kind {
                tail.chain = self.chain;
            }
            return (tail, 0, 0);
        }
        if !same_kind {
            return (tail, 0, 0);
        }
        // Types up to the one that is repeated drop out of the set in progress, and with them the chain.
        let mut from = 0;
        let mut i = 0;
        while i < self.length {
            if self.types[i] == piece {
                from = i + 1;
            }
            i += 1;
        }
        let length = self.length - from + 1;
        let chain = if from == 0 { self.chain } else { 0 };
        if length == 4 {
            let completed = self.alternation_due();
            // Three in order leave only one type for the fourth, and it comes in order.
            let points = match kind {
                0 if self.is_ordered(true) || self.is_ordered(false) => ORDERED_NUMBERS,
                0 => NUMBERS,
                _ => CHESS,
            };
            tail.length = 0;
            tail.chain = if chain == 0 { 1 } else { 2 };
            return (tail, points, completed);
        }
        i = from;
        while i < self.length {
            tail.types[i - from] = self.types[i];
            i += 1;
        }
        tail.types[length - 1] = piece;
        tail.length = length;
        tail.chain = chain;
        (tail, 0, 0)
    }
}

const CODES: usize = 4 * 8 * 8 * 8 * 3 * 8 * 2;

/// The automaton.
pub struct Automaton {
    steps: [[Step; TYPES]; STATES],
    meanings: [Meaning; STATES],
}

static AUTOMATON: Automaton = Automaton::build();

impl Automaton {
    /// Walks all states from the start, breadth first, numbering them as they are met.
    const fn build() -> Automaton {
        const START: Tail = Tail { types: [0; 3], length: 0, chain: 0, last: 0, run: false };
        let mut tails = [START; STATES];
        let mut known = [0 as State; CODES];
        let mut count = 1;
        let none = Step { next: 0, total: 0, alternation: 0 };
        let mut automaton = Automaton { steps: [[none; TYPES]; STATES], meanings: [START.meaning(); STATES] };
        let mut state = 0;
        while state < count {
            automaton.meanings[state] = tails[state].meaning();
            let mut piece = 0;
            while piece < TYPES {
                let (tail, points, alternation) = tails[state].remove(piece as u8, state == 0);
                // State 0 is never entered again, so 0 stands for a tail not met yet.
                let code = tail.code();
                if known[code] == 0 {
                    known[code] = count as State;
                    tails[count] = tail;
                    count += 1;
                }
                let total = points + alternation;
                automaton.steps[state][piece] = Step { next: known[code], total, alternation };
                piece += 1;
            }
            state += 1;
        }
        automaton
    }
}

/// The effect of removing a piece of that type in that state.
#[inline]
pub fn step(state: State, piece: Piece) -> Step {
    AUTOMATON.steps[state as usize % STATES][piece as usize]
}

/// The features of a state.
#[inline]
pub fn meaning(state: State) -> &'static Meaning {
    &AUTOMATON.meanings[state as usize % STATES]
}
