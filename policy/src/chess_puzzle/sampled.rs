//! Games played out over sampled completions: the player deals the hidden tiles at random several
//! times. From each of the most promising clicks, the greedy player plays each deal to its end.
//! Once nothing is hidden, a beam to the end of the game replaces the samples.
//!
//! Another click replaces the beam's choice only if it did clearly better on the same deals:
//! choosing the best of a few noisy means is worse than not sampling at all.

use super::beam::{Beam, Settings};
use super::board::Cell;
use super::evaluation::Evaluations;
use super::field::{Field, Head, HIDDEN};
use super::greedy::best;
use super::player::Searcher;
use crate::clock::Clock;
use std::time::Duration;

/// The player with its working memory.
#[derive(Debug)]
pub struct Sampled {
    settings: Settings,
    samples: u32,
    beam: Beam,
    rollout: Option<Box<Field>>,
    /// Clicks already settled, the next one last.
    plan: Vec<Cell>,
    /// Average number of tiles left at the end of the last games played out.
    lost: f64,
}

/// Largest number of tiles by which a click may look worse than the best one and still be played
/// out.
const NEAR: f64 = 8.0;
/// Largest number of clicks that are played out.
const MOST: usize = 6;
/// Standard errors by which a click must beat the beam's choice on the same deals to replace it.
const CLEAR: f64 = 1.3;
/// Standard errors by which a click must be worse to be dropped.
const HOPELESS: f64 = 1.5;
/// Number of samples between two comparisons of the clicks. Fewer carry no information.
const ROUND: u32 = 16;
/// Approximate time for one click of a played-out game. Nothing is played out if the clock has no
/// time for one round.
const CLICK: Duration = Duration::from_nanos(300);
/// Share of the expected moves over which the time is divided: the other moves leave no choice.
const CHOICES: f64 = 0.75;
/// Smallest number of expected moves.
const LEAST_MOVES: f64 = 4.0;
/// Width of the first beam to the end of the game; each further beam is twice as wide.
const FIRST_WIDTH: usize = 64;

/// The results of a click on the same deals as the beam's choice.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    cell: Cell,
    value: f64,
    /// Sum of the differences from the beam's choice, and sum of their squares.
    sum: f64,
    squares: f64,
}

impl Candidate {
    /// Returns the mean advantage after this many samples, in standard errors.
    fn clarity(&self, samples: u32) -> f64 {
        let n = f64::from(samples);
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean) / (n - 1.0);
        // If all deals end alike, the standard error is zero.
        if variance > 0.0 {
            mean / variance.sqrt()
        } else {
            mean.clamp(-1.0, 1.0) * CLEAR
        }
    }
}

impl Sampled {
    /// Returns a player that plays out `samples` deals for each click, if it has no clock, after a
    /// beam search.
    pub fn new(settings: Settings, samples: u32) -> Self {
        Sampled { settings, samples, beam: Beam::default(), rollout: None, plan: Vec::new(), lost: 0.0 }
    }
}

impl Searcher for Sampled {
    fn choose(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) -> Option<Cell> {
        if field.hidden() == 0 {
            if self.plan.is_empty() {
                self.make_plan(field, head, evaluations, clock);
            }
            return self.plan.pop();
        }
        let moves = (field.left() as f64 - self.lost).max(LEAST_MOVES);
        let clock = clock.share((moves * CHOICES) as u32);
        self.beam.search(self.settings, field, head, evaluations, &clock);
        let choice = self.beam.choice()?;
        let mut candidates = self.candidates(choice);
        let enough = CLICK * ROUND * candidates.len() as u32 * moves as u32;
        if candidates.len() == 1 || clock.left().is_some_and(|left| left < enough) {
            return Some(choice);
        }
        Some(self.compare(field, evaluations, &mut candidates, &clock))
    }
}

impl Sampled {
    /// Returns the most promising clicks, the beam's choice first.
    fn candidates(&self, choice: Cell) -> Vec<Candidate> {
        let values = self.beam.values();
        let best = values[choice as usize];
        let mut candidates: Vec<Candidate> = values
            .iter()
            .enumerate()
            .filter(|&(_, &value)| value >= best - NEAR)
            .map(|(cell, &value)| Candidate { cell: cell as Cell, value, sum: 0.0, squares: 0.0 })
            .collect();
        candidates.sort_by(|a, b| (b.cell == choice).cmp(&(a.cell == choice)).then(b.value.total_cmp(&a.value)));
        candidates.truncate(MOST);
        candidates
    }

    /// Plays the candidates out on the same deals until the choice is clear or the time is up.
    fn compare(
        &mut self,
        field: &Field,
        evaluations: &Evaluations,
        candidates: &mut Vec<Candidate>,
        clock: &Clock,
    ) -> Cell {
        let rollout = self.rollout.get_or_insert_with(|| Box::new(field.clone()));
        let (mut samples, mut lost) = (0, 0.0);
        while candidates.len() > 1 && if clock.left().is_some() { !clock.is_over() } else { samples < self.samples } {
            for _ in 0..ROUND {
                let deal = Deal(field.hash() ^ u64::from(samples).wrapping_mul(0xd134_2543_de82_ef95));
                let mut first = 0.0;
                for (place, candidate) in candidates.iter_mut().enumerate() {
                    (**rollout).clone_from(field);
                    let left = f64::from(play_out(rollout, candidate.cell, &deal, evaluations));
                    if place == 0 {
                        first = left;
                        lost += left;
                    }
                    candidate.sum += first - left;
                    candidate.squares += (first - left) * (first - left);
                }
                samples += 1;
            }
            let choice = candidates[0].cell;
            candidates.retain(|candidate| candidate.cell == choice || candidate.clarity(samples) > -HOPELESS);
        }
        if samples > 0 {
            self.lost = lost / f64::from(samples);
        }
        let mut best = (candidates[0].cell, 0.0);
        for candidate in &candidates[1..] {
            if candidate.clarity(samples) >= CLEAR && candidate.sum > best.1 {
                best = (candidate.cell, candidate.sum);
            }
        }
        best.0
    }

    /// Searches for a line to the end of the game with beams that widen while there is time.
    fn make_plan(&mut self, field: &Field, head: Head, evaluations: &Evaluations, clock: &Clock) {
        let depth = field.left() as usize;
        let mut width = FIRST_WIDTH;
        let mut longest = 0;
        loop {
            let done = self.beam.search(Settings { width, depth }, field, head, evaluations, clock);
            let line: Vec<Cell> = self.beam.line().collect();
            if done && line.len() > longest || longest == 0 {
                longest = line.len();
                self.plan = line;
            }
            // Without a clock, the number of samples limits the total number of lines.
            let more = match clock.left() {
                Some(_) => done,
                None => width * 2 <= FIRST_WIDTH.max(self.samples as usize),
            };
            if !more || longest == depth || self.beam.is_complete() {
                return;
            }
            width *= 2;
        }
    }
}

/// A completion: the tiles below the visible ones, determined by a number.
#[derive(Clone, Copy, Debug)]
pub struct Deal(pub u64);

impl Deal {
    /// Returns the type of a cell's tile that has `under` tiles below it.
    #[inline]
    fn tile(&self, cell: Cell, under: u8) -> u8 {
        let mut z = (self.0 ^ (u64::from(cell) << 8 | u64::from(under))).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 61) as u8
    }
}

/// Clicks `cell`, continues greedily and returns the number of tiles left at the end.
pub fn play_out(field: &mut Field, mut cell: Cell, deal: &Deal, evaluations: &Evaluations) -> i32 {
    loop {
        let piece = field.top(cell);
        let height = field.height(cell);
        let revealed = if height > 1 { deal.tile(cell, height - 2) } else { HIDDEN };
        field.click(cell, revealed);
        let evaluation = evaluations.at(field.left());
        match best(field, field.targets(cell, piece), evaluation) {
            Some(next) => cell = next,
            None => return field.left(),
        }
    }
}
