//! The weights of the evaluation, each declared once. Values count tiles that can still be clicked.

crate::weights! {
    /// The factors of an evaluation's features.
    pub struct Terms {
        inner_unreached: "each inner stack that no visible tile reaches", -20.0..=20.0, 0.3, -0.5;
        inner_reached_1: "each inner stack that one visible tile reaches", -20.0..=20.0, 0.3, -0.2;
        inner_reached_2: "each inner stack that two visible tiles reach", -20.0..=20.0, 0.3, -0.1;
        inner_reached_3: "each inner stack that three visible tiles reach", -20.0..=20.0, 0.3, 0.0;
        edge_unreached: "each edge stack that no visible tile reaches", -20.0..=20.0, 0.3, -0.5;
        edge_reached_1: "each edge stack that one visible tile reaches", -20.0..=20.0, 0.3, -0.2;
        edge_reached_2: "each edge stack that two visible tiles reach", -20.0..=20.0, 0.3, -0.1;
        edge_reached_3: "each edge stack that three visible tiles reach", -20.0..=20.0, 0.3, 0.0;
        inner_unreached_layer: "each layer of an inner stack that no visible tile reaches", -10.0..=10.0, 0.1, -0.1;
        inner_reached_1_layer: "each layer of an inner stack that one visible tile reaches", -10.0..=10.0, 0.1, 0.0;
        inner_reached_2_layer: "each layer of an inner stack that two visible tiles reach", -10.0..=10.0, 0.1, 0.0;
        edge_unreached_layer: "each layer of an edge stack that no visible tile reaches", -10.0..=10.0, 0.1, -0.1;
        edge_reached_1_layer: "each layer of an edge stack that one visible tile reaches", -10.0..=10.0, 0.1, 0.0;
        edge_reached_2_layer: "each layer of an edge stack that two visible tiles reach", -10.0..=10.0, 0.1, 0.0;

        short_stuck: "each number or knight that reaches nothing any more", -20.0..=20.0, 0.3, -0.5;
        short_exits_1: "each number or knight that reaches one stack", -20.0..=20.0, 0.3, -0.2;
        short_exits_2: "each number or knight that reaches two stacks", -20.0..=20.0, 0.3, 0.0;
        long_stuck: "each rook, bishop or queen that reaches nothing any more", -20.0..=20.0, 0.3, -0.5;
        long_exits_1: "each rook, bishop or queen that reaches one stack", -20.0..=20.0, 0.3, -0.2;
        long_exits_2: "each rook, bishop or queen that reaches two stacks", -20.0..=20.0, 0.3, 0.0;
        short_stuck_layer: "each layer under a number or knight that reaches nothing any more", -10.0..=10.0, 0.1, -0.5;
        short_exits_1_layer: "each layer under a number or knight that reaches one stack", -10.0..=10.0, 0.1, -0.1;
        short_exits_2_layer: "each layer under a number or knight that reaches two stacks", -10.0..=10.0, 0.1, 0.0;
        long_stuck_layer: "each layer under a rook, bishop or queen that reaches nothing any more", -10.0..=10.0, 0.1, -0.5;
        long_exits_1_layer: "each layer under a rook, bishop or queen that reaches one stack", -10.0..=10.0, 0.1, -0.1;
        long_exits_2_layer: "each layer under a rook, bishop or queen that reaches two stacks", -10.0..=10.0, 0.1, 0.0;

        long_inner: "each visible rook, bishop or queen inside", -20.0..=20.0, 0.3, -0.2;
        long_edge: "each visible rook, bishop or queen on an edge", -20.0..=20.0, 0.3, -0.2;
        long_last: "each rook, bishop or queen that is the last tile of an inner stack", -20.0..=20.0, 0.3, 0.0;
        long_height_2: "each rook, bishop or queen on an inner stack of two layers", -20.0..=20.0, 0.3, 0.0;
        long_height_3: "each rook, bishop or queen on an inner stack of three layers", -20.0..=20.0, 0.3, 0.0;
        long_layer: "each layer under a rook, bishop or queen", -10.0..=10.0, 0.1, -0.1;
        hidden_inner: "each hidden tile that a line of play brought to the top inside", -20.0..=20.0, 0.3, 0.0;
        hidden_edge: "each hidden tile that a line of play brought to the top on an edge", -20.0..=20.0, 0.3, 0.0;
        edge_layer: "each layer on an edge", -10.0..=10.0, 0.1, 0.3;
        corner_layer: "each layer on a corner, besides that", -10.0..=10.0, 0.1, -0.1;
        tall_inner: "each inner stack: its height squared, over the layers at the start", -10.0..=10.0, 0.1, -0.3;
        tall_edge: "each edge stack: its height squared, over the layers at the start", -10.0..=10.0, 0.1, -0.3;
        tall_corner: "each corner stack: its height squared, over the layers at the start", -10.0..=10.0, 0.1, -0.3;
        last_layer: "each stack of one layer", -10.0..=10.0, 0.2, 0.0;
        edge_short: "each rook, bishop or queen, visible or expected, without an edge tile to go to", -10.0..=10.0, 0.1, -0.5;
        edge_tight: "the same, were there a quarter fewer edge tiles", -10.0..=10.0, 0.1, -0.2;
        edge_spare: "the same, were there a quarter more edge tiles", -10.0..=10.0, 0.1, -0.2;

        moves_1: "exactly one next tile", -20.0..=20.0, 0.5, -2.0;
        moves_2: "exactly two next tiles", -20.0..=20.0, 0.5, -1.0;
        moves_3: "exactly three next tiles", -20.0..=20.0, 0.5, -0.4;
        moves_more: "each next tile beyond four", -10.0..=10.0, 0.2, 0.1;
        moves_hidden: "each next tile that is hidden", -10.0..=10.0, 0.2, 0.1;
        moves_stuck: "each next tile that reaches nothing", -10.0..=10.0, 0.3, -0.3;
        moves_exits_1: "each next tile that reaches one stack", -10.0..=10.0, 0.3, -0.1;
        moves_long: "each next tile that is a rook, bishop or queen", -10.0..=10.0, 0.2, 0.0;
        moves_edge: "each next tile on an edge, after a rook, bishop or queen", -10.0..=10.0, 0.2, 0.0;
        moves_waste: "each next tile on an edge, after a number or knight", -10.0..=10.0, 0.2, -0.1;
        moves_alone: "each next tile that no other visible tile reaches", -10.0..=10.0, 0.2, 0.2;
        moves_height: "the height of the tallest next stack, over the layers at the start", -20.0..=20.0, 0.5, 0.5;
        within_8: "each stack that play can get to over visible tiles, up to eight", -100.0..=100.0, 1.0, 0.0;
        within_24: "each stack that play can get to over visible tiles, up to 24", -100.0..=100.0, 1.0, 0.0;
        within_short: "each visible number or knight that play can get to, up to 24", -100.0..=100.0, 1.0, 0.0;
        stuck_soon: "no next tile reaches anything", -40.0..=40.0, 1.0, -4.0;
    }
    /// Increase of each factor from the start to the end of a game.
    variation DRIFTS = "_drift", "change from start to end of the game: ";
    /// Increase of each factor from an average board to the one with the smallest share of edge
    /// cells.
    variation TIGHT = "_tight", "change from an average board to the one with the smallest share of edge cells: ";
    /// Increase of each factor from an average number of layers to ten.
    variation LAYERS = "_layers", "change from an average number of layers to ten: ";
}

/// The weights of a policy: [`Terms`] that vary with the progress of the game, the board and the
/// layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// The weights at the start of a game on an average board.
    pub start: Terms,
    /// Increase to the end of the game.
    pub drift: Terms,
    /// Increase to the board with the smallest share of edge cells.
    pub tight: Terms,
    /// Increase to ten layers.
    pub layers: Terms,
}

/// The number of weights.
pub const COUNT: usize = 4 * Terms::COUNT;

/// The share of edge cells of an average board, and the difference to the largest board, whose
/// share is smallest. With a small share, edge tiles run out first.
const EDGES: (f64, f64) = (0.4, 0.15);
/// Number of layers of an average deal, and the difference to the deepest deal.
const LAYERS: (f64, f64) = (5.5, 4.5);

impl Weights {
    /// The hand-set weights.
    pub const DEFAULT: Self =
        Weights { start: Terms::DEFAULT, drift: Terms::ZERO, tight: Terms::ZERO, layers: Terms::ZERO };

    /// Returns the weights with these values, in declaration order, one kind after the other;
    /// `None` if there are not [`COUNT`].
    pub fn from_values(values: &[f64]) -> Option<Self> {
        let terms = |part: usize| {
            let values = values.get(part * Terms::COUNT..(part + 1) * Terms::COUNT)?;
            Some(Terms::from_values(values.try_into().ok()?))
        };
        match values.len() {
            COUNT => Some(Weights { start: terms(0)?, drift: terms(1)?, tight: terms(2)?, layers: terms(3)? }),
            _ => None,
        }
    }

    /// Returns the weights for a board of `rows` x `columns` with `layers` layers, when a share
    /// `progress` (0 to 1) of the tiles is gone.
    pub fn at(&self, rows: usize, columns: usize, layers: usize, progress: f64) -> Terms {
        let edges = (2 * (rows + columns) - 4) as f64 / (rows * columns) as f64;
        self.start
            .drifted(&self.drift, progress)
            .drifted(&self.tight, (EDGES.0 - edges) / EDGES.1)
            .drifted(&self.layers, (layers as f64 - LAYERS.0) / LAYERS.1)
    }
}
