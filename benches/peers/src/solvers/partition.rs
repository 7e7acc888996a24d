//! Simulated annealing for halving a graph (Johnson, Aragon, McGeoch and Schevon, 1989). The best
//! temperature grows with the weights of edges, which instances have up to 1 or up to 100.

use evolve_search::model::parameter::Parameter;
use evolve_search::model::seed::generator;
use rand::RngExt;

/// Edges weigh up to 10 to the power of this.
pub const MAGNITUDES: f64 = 2.0;
const MOVES: u32 = 20_000;

pub struct Graph {
    /// The decimal logarithm of the largest weight.
    pub magnitude: f64,
    /// The neighbours of each node, with weights.
    edges: Vec<Vec<(usize, f64)>>,
    seed: u64,
}

pub fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::float("temperature", 0.001, 1000.0, 0.1).log(),
        Parameter::float("end", 0.0001, 1.0, 0.5).log().meaning("last temperature, as a share of the first"),
        Parameter::float("imbalance", 0.0001, 10.0, 0.001)
            .log()
            .meaning("cost of the square of the difference in size"),
        Parameter::float("swaps", 0.0, 1.0, 0.0).meaning("share of swaps of two nodes among moves"),
        Parameter::float("descent", 0.0, 1.0, 0.5).meaning("share of the moves at temperature 0, at the end"),
    ]
}

impl Graph {
    pub fn new(random: &mut impl RngExt) -> Self {
        let magnitude = MAGNITUDES * random.random::<f64>();
        let heaviest = libm::pow(10.0, magnitude);
        let nodes = 2 * random.random_range(20..60u32) as usize;
        let degree = f64::from(random.random_range(3..12u32));
        let place: Vec<[f64; 2]> = (0..nodes).map(|_| [random.random(), random.random()]).collect();
        let near = degree / (nodes as f64 * std::f64::consts::PI);
        let mut edges = vec![Vec::new(); nodes];
        for a in 0..nodes {
            for b in 0..a {
                let (x, y) = (place[a][0] - place[b][0], place[a][1] - place[b][1]);
                if x * x + y * y < near || random.random::<f64>() < 1.0 / nodes as f64 {
                    let weight = heaviest * (0.1 + 0.9 * random.random::<f64>());
                    edges[a].push((b, weight));
                    edges[b].push((a, weight));
                }
            }
        }
        Graph { magnitude, edges, seed: random.random() }
    }

    /// Returns the weight of the edges between the halves, after moves that make them equal.
    pub fn cut(&self, x: &[f64]) -> f64 {
        let &[temperature, end, imbalance, swaps, descent] = x else {
            unreachable!("an annealer has five parameters");
        };
        let mut random = generator(self.seed);
        let nodes = self.edges.len();
        let mut side: Vec<bool> = (0..nodes).map(|i| i % 2 == 0).collect();
        let mut difference = 0.0;
        // What the cut loses if a node changes its side.
        let gain = |side: &[bool], a: usize| -> f64 {
            self.edges[a].iter().map(|&(b, weight)| if side[a] == side[b] { -weight } else { weight }).sum()
        };
        let hot = f64::from(MOVES) * (1.0 - descent);
        let cooling = libm::exp(libm::log(end) / hot.max(1.0));
        let mut now = temperature;
        for step in 0..MOVES {
            let is_hot = f64::from(step) < hot;
            now *= cooling;
            let a = random.random_range(0..nodes as u32) as usize;
            let b = random.random_range(0..nodes as u32) as usize;
            let (is_swap, luck) = (random.random::<f64>() < swaps, random.random::<f64>());
            let accepts = |cost: f64| cost <= 0.0 || is_hot && luck < libm::exp(-cost / now);
            if is_swap {
                if side[a] == side[b] {
                    continue;
                }
                let between: f64 = self.edges[a].iter().filter(|edge| edge.0 == b).map(|edge| edge.1).sum();
                if accepts(2.0 * between - gain(&side, a) - gain(&side, b)) {
                    side.swap(a, b);
                }
            } else {
                let moved = difference + if side[a] { -2.0 } else { 2.0 };
                if accepts(imbalance * (moved * moved - difference * difference) - gain(&side, a)) {
                    side[a] = !side[a];
                    difference = moved;
                }
            }
        }
        while difference != 0.0 {
            let larger = difference > 0.0;
            let of_larger = (0..nodes).filter(|&a| side[a] == larger);
            let best = of_larger.max_by(|&a, &b| gain(&side, a).total_cmp(&gain(&side, b)));
            let best = best.expect("the larger side has nodes");
            side[best] = !larger;
            difference += if larger { -2.0 } else { 2.0 };
        }
        let ends = (0..nodes).flat_map(|a| self.edges[a].iter().map(move |&(b, weight)| (a, b, weight)));
        let cut: f64 = ends.filter(|&(a, b, _)| a < b && side[a] != side[b]).map(|(.., weight)| weight).sum();
        cut.max(0.01)
    }
}
