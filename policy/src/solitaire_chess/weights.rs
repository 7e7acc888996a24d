//! The weights of the evaluation, each declared once. Values are in points of the game's score.

crate::weights! {
    /// The factors of an evaluation's features.
    pub struct Terms {
        tile_bronze: "each bronze tile", -40.0..=40.0, 0.3, 2.0;
        tile_silver: "each silver tile", -40.0..=40.0, 0.3, 1.5;
        tile_gold: "each gold tile", -40.0..=40.0, 0.3, 0.8;
        layer_corner: "each layer left on a corner tile", -20.0..=20.0, 0.15, 0.0;
        layer_edge: "each layer left on an edge tile beside a corner", -20.0..=20.0, 0.15, 0.0;
        layer_edge_middle: "each layer left on one of the two middle tiles of an edge", -20.0..=20.0, 0.15, 0.0;
        layer_inner_corner: "each layer left on a tile diagonally next to a corner", -20.0..=20.0, 0.15, 0.0;
        layer_inner_edge: "each layer left on a tile next to an edge's middle", -20.0..=20.0, 0.15, 0.0;
        layer_centre: "each layer left on one of the four central tiles", -20.0..=20.0, 0.15, 0.0;

        moves_1: "exactly one next tile", -40.0..=40.0, 1.0, 4.0;
        moves_2: "exactly two next tiles", -40.0..=40.0, 1.0, 6.0;
        moves_3: "exactly three next tiles", -40.0..=40.0, 1.0, 7.0;
        moves_4: "four next tiles or more", -40.0..=40.0, 1.0, 8.0;
        moves_more: "each next tile beyond four", -10.0..=10.0, 0.3, 0.2;
        moves_unseen: "each next tile whose piece is not known yet", -10.0..=10.0, 0.3, -0.2;
        moves_all_unseen: "next tiles, but not one with a known piece", -20.0..=20.0, 1.0, -1.0;
        moves_open: "each next tile that has at least two tiles after it", -10.0..=10.0, 0.3, 0.4;
        moves_last: "each next tile that has no tile after it", -10.0..=10.0, 0.3, -0.4;
        stuck_soon: "no next tile has a tile after it", -40.0..=40.0, 1.0, -8.0;
        reach_2: "each tile within two removals", -10.0..=10.0, 0.1, 0.1;
        reach_3: "each tile within three removals", -10.0..=10.0, 0.1, 0.0;
        reach_all: "each tile within any number of removals of visible pieces", -10.0..=10.0, 0.1, 0.1;
        lost_bronze: "each bronze tile that is not within reach", -10.0..=10.0, 0.2, 0.0;
        lost_silver: "each silver tile that is not within reach", -10.0..=10.0, 0.2, 0.0;
        lost_gold: "each gold tile that is not within reach", -10.0..=10.0, 0.2, 0.0;

        left_unreached: "the tile just worn down is reached by no visible piece", -20.0..=20.0, 0.4, 0.5;
        left_reached_once: "the tile just worn down is reached by one visible piece", -20.0..=20.0, 0.4, 0.2;
        orphans: "each next tile that no other visible piece reaches", -20.0..=20.0, 0.3, -0.4;
        board_unreached: "each tile that no visible piece reaches", -20.0..=20.0, 0.3, -0.8;
        board_stuck: "each visible piece with no tile after it", -20.0..=20.0, 0.3, -0.4;
        board_number_sets: "each tile that starts a visible number set", -20.0..=20.0, 0.3, 0.1;
        board_chess_sets: "each tile that starts a visible chess set", -20.0..=20.0, 0.3, 0.1;
        board_pairs: "each tile from which its own type is a step away", -20.0..=20.0, 0.3, 0.1;

        number_1: "a number set of one piece so far can be completed over visible tiles", -20.0..=40.0, 0.8, 3.0;
        number_2: "a number set of two pieces so far can be completed over visible tiles", -20.0..=40.0, 0.8, 5.0;
        number_3: "a number set of three pieces so far can be completed now", -20.0..=40.0, 0.8, 8.0;
        chess_1: "a chess set of one piece so far can be completed over visible tiles", -20.0..=40.0, 0.8, 3.0;
        chess_2: "a chess set of two pieces so far can be completed over visible tiles", -20.0..=40.0, 0.8, 5.0;
        chess_3: "a chess set of three pieces so far can be completed now", -20.0..=40.0, 0.8, 8.0;
        chain_1: "each alternation point due for a completable set of one piece so far", -2.0..=4.0, 0.06, 0.3;
        chain_2: "each alternation point due for a completable set of two pieces so far", -2.0..=4.0, 0.06, 0.5;
        chain_3: "each alternation point due for a completable set of three pieces so far", -2.0..=4.0, 0.06, 0.9;
        order_1: "a set of one number so far can be completed in order", -20.0..=20.0, 0.5, 1.0;
        order_2: "a set of two numbers so far can be completed in order", -20.0..=20.0, 0.5, 2.0;
        order_3: "a set of three numbers so far can be completed in order", -20.0..=20.0, 0.5, 4.0;
        choice: "more than one next tile continues towards the set", -20.0..=20.0, 0.5, 0.5;
        link: "the set can be completed so that one of the other kind can follow", -20.0..=40.0, 0.8, 3.0;
        hope_1: "one piece so far, not completable yet, but a next tile is needed or unknown", -20.0..=20.0, 0.5, 0.5;
        hope_2: "two pieces so far, not completable yet, but a next tile is needed or unknown", -20.0..=20.0, 0.5, 1.0;
        hope_3: "three pieces so far, and a next tile is unknown", -20.0..=20.0, 0.5, 1.0;
        hope_chain: "each alternation point due in those three cases", -2.0..=4.0, 0.06, 0.05;

        next_number: "a set is complete, and a visible number set of the other kind can follow", -20.0..=40.0, 0.8, 4.0;
        next_chess: "a set is complete, and a visible chess set of the other kind can follow", -20.0..=40.0, 0.8, 4.0;
        next_chain: "each alternation point due in those two cases", -2.0..=4.0, 0.06, 0.3;
        next_link: "that next set can be followed by a third one", -20.0..=40.0, 0.8, 2.0;
        next_same: "a set is complete, and only one of the same kind can follow", -20.0..=40.0, 0.8, 2.0;
        next_none: "a set is complete, and no visible set can follow", -20.0..=40.0, 0.8, 0.0;
        start_number: "no set in progress can be completed, but a next tile starts a number \
            set", -20.0..=20.0, 0.5, 1.0;
        start_chess: "no set in progress can be completed, but a next tile starts a chess set", -20.0..=20.0, 0.5, 1.0;
        start_link: "no set in progress can be completed, but a next tile starts two sets of both \
            kinds", -20.0..=20.0, 0.5, 1.0;
        start_order: "a next tile starts a number set in order, where no other set is in \
            progress", -20.0..=20.0, 0.5, 1.0;
        needed: "each next tile of a type that the set in progress lacks", -10.0..=10.0, 0.3, 0.1;
        other_kind: "each next tile of the kind that the last removal was not", -10.0..=10.0, 0.3, 0.0;

        run_1: "a next tile shows the type just removed", -20.0..=20.0, 0.5, 3.0;
        run_2: "a next tile shows the type of the run in progress", -20.0..=20.0, 0.5, 2.0;
        run_on: "a next tile of the type just removed has another one after it", -20.0..=20.0, 0.5, 0.5;
        pair: "a next tile has its own type after it", -20.0..=20.0, 0.5, 1.0;
        triple: "a next tile has its own type twice after it", -20.0..=20.0, 0.5, 0.5;
    }
    /// How much each is larger at the end of a game than at the start.
    variation DRIFTS = "_drift", "change from start to end of the game: ";
}

/// All tuned weights: the terms at the first removal, and their increase until the last possible
/// one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The terms at the first removal.
    pub start: Terms,
    /// The linear change of the terms from the first to the last possible removal.
    pub drift: Terms,
}

impl Weights {
    /// The number of values.
    pub const COUNT: usize = 2 * Terms::COUNT;

    /// The hand-set weights, constant throughout the game.
    pub const DEFAULT: Self = Weights { start: Terms::DEFAULT, drift: Terms::ZERO };

    /// Reads values in declaration order: all of `start`, then all of `drift`. Returns `None` if
    /// the number is wrong.
    pub fn from_values(values: &[f64]) -> Option<Self> {
        if values.len() != Self::COUNT {
            return None;
        }
        let (start, drift) = values.split_at(Terms::COUNT);
        Some(Weights {
            start: Terms::from_values(start.try_into().ok()?),
            drift: Terms::from_values(drift.try_into().ok()?),
        })
    }

    /// Returns the terms when `progress` (0 to 1) of the possible removals are made.
    pub fn at(&self, progress: f64) -> Terms {
        self.start.drifted(&self.drift, progress)
    }
}
