//! An upper bound of the mean score of every player of ChessPuzzle, by the size of the board.
//!
//! After a rook, bishop or queen, the next click is on an edge. So each click on one of them,
//! except the last, uses up a tile of an edge, and on large boards there are more such pieces than
//! tiles on edges. With a price of `p` tiles for each such click (Lagrangian relaxation), stacks no
//! longer interact: a stack of `h` unknown tiles inside the board is worth
//!
//!     V(h) = 5/8 (1 + V(h - 1)) + 3/8 max(0, 1 - p + V(h - 1)),   V(0) = 0,
//!
//! and a tile of an edge, all of which are clicked, 1 + p - 3/8 p. At every price, the sum plus the
//! price of one click (for the last one) is at least the expectation of the best player, who sees
//! no hidden tile. The smallest sum over all prices is the bound.
//!
//!     cargo run --release -p evolve-tuner-games --example chess_puzzle_bound

use policy::chess_puzzle::board::{LARGEST, MOST_LAYERS, SMALLEST};

/// Three of the eight types go to an edge.
const LONG: f64 = 3.0 / 8.0;

/// Returns the largest share of all tiles that a player can expect to click.
fn bound(rows: usize, columns: usize, layers: usize) -> f64 {
    let edge = (2 * (rows + columns) - 4) as f64;
    let inside = (rows * columns) as f64 - edge;
    let tiles = (rows * columns * layers) as f64;
    let at = |price: f64| {
        let stack =
            (0..layers).fold(0.0, |below: f64, _| (1.0 - LONG) * (1.0 + below) + LONG * (1.0 - price + below).max(0.0));
        inside * stack + edge * layers as f64 * (1.0 + price - LONG * price) + price
    };
    // A click makes available at most one tile and the 5/3 tiles that follow it on average.
    let prices = (0..=3000).map(|step| f64::from(step) / 1000.0);
    prices.map(at).fold(tiles, f64::min) / tiles
}

fn mean(of: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = of.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

fn main() {
    let sides = SMALLEST..=LARGEST;
    let sizes: Vec<(usize, usize)> = sides.clone().flat_map(|r| sides.clone().map(move |c| (r, c))).collect();
    let all = |cells: std::ops::RangeInclusive<usize>, layers: std::ops::RangeInclusive<usize>| {
        let sizes = sizes.iter().filter(|(r, c)| cells.contains(&(r * c)));
        mean(sizes.flat_map(|&(r, c)| layers.clone().map(move |layers| bound(r, c, layers))))
    };
    for cells in [36..=79, 80..=124, 125..=169, 170..=225] {
        println!("{:>3} to {:>3} cells   {:.4}", cells.start(), cells.end(), all(cells.clone(), 1..=MOST_LAYERS));
    }
    for layers in 1..=MOST_LAYERS {
        println!("{layers:>2} layers          {:.4}", all(36..=225, layers..=layers));
    }
    println!("all of them        {:.4}", all(36..=225, 1..=MOST_LAYERS));
}
