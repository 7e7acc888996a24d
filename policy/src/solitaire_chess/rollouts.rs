//! A beam search, then short rollouts with common random numbers: from each of the removals that look best, the hidden
//! tiles are dealt at random, the next few removals are made by a glance at the evaluation, and what it says in the end is
//! added to the points. The beam's choice is left only for a removal that did clearly better on the same deals.
//!
//! The beam stops where a tile is not known; rollouts go on through what is revealed. They end early because the
//! evaluation knows more of the future than greedy play makes of it.

use super::beam::{Beam, Known, Settings};
use super::board::{tiles, Piece, Tile};
use super::evaluation::Evaluation;
use super::position::{Position, TIERS};
use crate::clock::Clock;
use crate::random::SplitMix64;

/// How rollouts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The beam that tells which removals look best.
    pub beam: Settings,
    /// Removals of a rollout.
    pub length: u32,
    /// Deals a removal at most.
    pub samples: u32,
}

/// The player with its working memory.
#[derive(Debug)]
pub struct Rollouts {
    rules: Rules,
    beam: Beam,
}

/// How many points a removal may look worse than the best one to be played out.
const NEAR: f64 = 8.0;
/// How many removals are played out at most.
const MOST: usize = 4;
/// Standard errors that a removal must be better by, on the same deals, to be preferred to the beam's choice.
const CLEAR: f64 = 2.0;
/// Standard errors that a removal must be worse by to be played out no more.
const HOPELESS: f64 = 1.5;
/// Deals between two looks at how the removals do. Fewer say nothing.
const ROUND: u32 = 16;

/// How a removal did on the same deals as the beam's choice.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    tile: Tile,
    value: f64,
    /// Sum of the differences to the beam's choice, and of their squares.
    sum: f64,
    squares: f64,
}

impl Candidate {
    /// Its mean advantage after so many samples, in standard errors.
    fn clarity(&self, samples: u32) -> f64 {
        let n = f64::from(samples);
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean) / (n - 1.0);
        if variance > 0.0 {
            mean / variance.sqrt()
        } else {
            0.0
        }
    }
}

impl Rollouts {
    /// A player by these rules.
    pub fn new(rules: Rules) -> Self {
        Rollouts { rules, beam: Beam::new(rules.beam) }
    }

    /// The removal to make, `None` if there is none.
    pub fn choose(&mut self, position: &Position, evaluation: &Evaluation, clock: &Clock) -> Option<Tile> {
        let known = Known::visible(position, evaluation);
        let values = self.beam.values(position, position.legal(), &known, evaluation, clock);
        let choice = super::beam::best(position.legal(), &values)?;
        if evaluation.alphabet().size() == 1 {
            return Some(choice);
        }
        let best = values[choice as usize];
        let mut candidates: Vec<Candidate> = tiles(position.legal())
            .map(|tile| Candidate { tile, value: values[tile as usize], sum: 0.0, squares: 0.0 })
            .filter(|candidate| candidate.value >= best - NEAR)
            .collect();
        candidates.sort_by(|a, b| (b.tile == choice).cmp(&(a.tile == choice)).then(b.value.total_cmp(&a.value)));
        candidates.truncate(MOST);
        let mut samples = 0;
        while candidates.len() > 1 && samples < self.rules.samples && !clock.is_over() {
            for _ in 0..ROUND {
                let deal = Deal::new(position, samples);
                let mut first = 0.0;
                for (place, candidate) in candidates.iter_mut().enumerate() {
                    let value = roll(position, candidate.tile, &deal, self.rules.length, evaluation);
                    if place == 0 {
                        first = value;
                    }
                    candidate.sum += value - first;
                    candidate.squares += (value - first) * (value - first);
                }
                samples += 1;
            }
            candidates.retain(|candidate| candidate.tile == choice || candidate.clarity(samples) > -HOPELESS);
        }
        let mut best = (choice, 0.0);
        for candidate in &candidates[1..] {
            if candidate.clarity(samples) >= CLEAR && candidate.sum > best.1 {
                best = (candidate.tile, candidate.sum);
            }
        }
        Some(best.0)
    }
}

/// What lies below the visible pieces, fixed by a number.
struct Deal(u64);

impl Deal {
    /// The deal of that number in a position.
    fn new(position: &Position, number: u32) -> Self {
        let mix = |seed, &set: &u64| SplitMix64::new(seed ^ set).next_u64();
        let sets = position.visible().iter().chain(position.tiers());
        Deal(sets.fold(u64::from(position.bonus()) << 32 | u64::from(number), mix))
    }

    /// The piece that shows once a tile's `tier` is gone.
    fn piece(&self, tile: Tile, tier: usize, evaluation: &Evaluation) -> Option<Piece> {
        if tier + 1 >= TIERS {
            return None;
        }
        let mut random = SplitMix64::new(self.0 ^ (u64::from(tile) << 8 | tier as u64));
        let number = random.below(evaluation.alphabet().size() as u32);
        evaluation.alphabet().pieces().nth(number as usize)
    }
}

/// Removes `tile` and plays on: the points made, and those still to come by the evaluation.
fn roll(start: &Position, mut tile: Tile, deal: &Deal, length: u32, evaluation: &Evaluation) -> f64 {
    let mut position = start.clone();
    let made = |position: &Position| f64::from(position.score().total()) - f64::from(start.score().total());
    for left in (0..=length).rev() {
        let revealed = deal.piece(tile, position.tier(tile), evaluation);
        position.remove(tile, revealed);
        let legal = position.legal();
        if legal == 0 {
            break;
        }
        let material = evaluation.material(position.tiers());
        let board = evaluation.survey(*position.visible(), *position.tiers(), material);
        let mut best = (f64::NEG_INFINITY, tile);
        for next in tiles(legal) {
            let Some(piece) = position.piece(next) else { continue };
            let removal = if left == 0 {
                let after = evaluation.after(&board, material, next);
                evaluation.judge_closely(&board, &after, position.bonus(), next, piece)
            } else {
                evaluation.judge(&board, position.bonus(), next, piece)
            };
            let value = f64::from(removal.points) + removal.future;
            if value > best.0 {
                best = (value, next);
            }
        }
        if left == 0 {
            return made(&position) + best.0;
        }
        tile = best.1;
    }
    made(&position)
}
