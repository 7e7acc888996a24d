//! The bonuses for runs, sets and alternation, as an automaton over the removed types.
//!
//! Earlier removals affect later bonuses only through the longest tail of distinct types of one
//! kind (at most three: a fourth completes the set and empties the tail), whether that tail starts
//! right after the last set, the length of the alternation so far (one, or more), and whether a run
//! is in progress. A greedy left-to-right scan for windows of four finds exactly the sets that this
//! tail completes. This gives fewer than [`STATES`] states, so the bonus of a removal is one lookup
//! in a table, which is computed at compile time.

use super::board::{Piece, TYPES};

/// An upper bound of the number of states; a power of two, so that a remainder costs less than a
/// bounds check.
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
    /// Returns the kind of a type.
    pub const fn of(piece: Piece) -> Kind {
        if (piece as u8) < 4 {
            Kind::Number
        } else {
            Kind::Chess
        }
    }

    /// Returns the four types of the kind.
    pub const fn pieces(self) -> [Piece; 4] {
        match self {
            Kind::Number => [Piece::One, Piece::Two, Piece::Three, Piece::Four],
            Kind::Chess => [Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight],
        }
    }

    /// Returns the other kind.
    pub const fn other(self) -> Kind {
        match self {
            Kind::Number => Kind::Chess,
            Kind::Chess => Kind::Number,
        }
    }
}

/// The points for each further piece of a run; its first two pieces count together.
const RUN: u8 = 2;
const ORDERED_NUMBERS: u8 = 12;
const NUMBERS: u8 = 8;
const CHESS: u8 = 8;
/// The points for each set of an alternation; its first two sets count together.
const ALTERNATION: u8 = 8;

/// The effect of one removal on the bonuses.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The state after the removal.
    pub next: State,
    /// The bonus points of the removal.
    pub total: u8,
    /// The part of the points for the alternation; the rest is for the run or the set.
    pub alternation: u8,
}

/// The features of a state that the evaluation uses.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The last removed type.
    pub last: Piece,
    /// Whether the last two or more removals had the same type.
    pub run: bool,
    /// The number of removals in the current set, 0 to 3; 0 right after a set, and before the first
    /// removal.
    pub length: u8,
    /// The types that the current set lacks: bit `i` for the `i`-th type of the kind of `last`.
    pub missing: u8,
    /// Whether the current set can become an ordered number set: 1 ascending, 2 descending, 0
    /// neither.
    pub order: u8,
    /// The alternation points for completing the current set; with `length` 0, those for a set of
    /// the other kind.
    pub alternation: u8,
}

/// A state in full. Two histories with the same tail have the same future.
#[derive(Clone, Copy)]
struct Tail {
    /// The types of the current set, in order of removal.
    types: [u8; 3],
    length: usize,
    /// The number of alternating sets up to the start of the tail, at most 2; 0 if a removal lies
    /// between.
    chain: u8,
    last: u8,
    run: bool,
}

impl Tail {
    /// Returns a number below [`CODES`] that differs for different tails.
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

    /// Returns whether the tail starts with 1 2 3 (or 4 3 2).
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

    /// Returns the alternation points of the next set that continues the chain.
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

    /// Returns the tail after a removal, the bonus for the run or the set, and the bonus for the
    /// alternation.
    const fn remove(self, piece: u8, first: bool) -> (Tail, u8, u8) {
        if !first && piece == self.last {
            // After the same type twice, only the second removal can start a set, and the chain is
            // broken.
            let tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: true };
            return (tail, if self.run { RUN } else { 2 * RUN }, 0);
        }
        let kind = piece / 4;
        let same_kind = !first && kind == self.kind();
        let mut tail = Tail { types: [piece, 0, 0], length: 1, chain: 0, last: piece, run: false };
        if self.length == 0 {
            // Right after a set, a type of the other kind continues the alternation.
            if !first && !same_kind {
                tail.chain = self.chain;
            }
            return (tail, 0, 0);
        }
        if !same_kind {
            return (tail, 0, 0);
        }
        // The types up to the repeated one leave the current set, and the chain is broken.
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
            // After three types in order, the fourth type is in order as well.
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

/// The automaton as a table.
pub struct Automaton {
    steps: [[Step; TYPES]; STATES],
    meanings: [Meaning; STATES],
}

static AUTOMATON: Automaton = Automaton::build();

impl Automaton {
    /// Walks all states from the start, breadth first, and numbers them in order of discovery.
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
                // State 0 is never entered again, so 0 marks an unknown tail.
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

/// Returns the effect of removing a piece of this type in this state.
#[inline]
pub fn step(state: State, piece: Piece) -> Step {
    AUTOMATON.steps[state as usize % STATES][piece as usize]
}

/// Returns the features of a state.
#[inline]
pub fn meaning(state: State) -> &'static Meaning {
    &AUTOMATON.meanings[state as usize % STATES]
}
