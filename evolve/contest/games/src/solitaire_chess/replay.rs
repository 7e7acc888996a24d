//! Replays of games.

use super::{Deal, SolitaireChess};
use evolve_contest::replay::{Considered, Face, Place, Probes, Replay, Replayable, Step, Why};
use evolve_search::model::problem::{Candidate, Context};
use evolve_search::model::trial::{self, PlayError};
use policy::clock::Clock;
use policy::solitaire_chess::alphabet::Alphabet;
use policy::solitaire_chess::beam::expectimax::Expectimax;
use policy::solitaire_chess::beam::expectimax::rollout::Rollout;
use policy::solitaire_chess::beam::{Beam, Values};
use policy::solitaire_chess::board::{ALL, Mask, Piece, SIDE, Tile, row_column, tiles};
use policy::solitaire_chess::endgame::Solver;
use policy::solitaire_chess::evaluation::{Board, Evaluation, Removal};
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::groups::alphabet;
use policy::solitaire_chess::position::{Position, REMOVALS, TIERS};
use policy::solitaire_chess::sampled::Sampled;
use policy::solitaire_chess::search::{Rollouts, Search};
use policy::solitaire_chess::weights::Weights;

/// The number of removals that the greedy player evaluates closely.
const CLOSELY: usize = 3;

impl Replayable for SolitaireChess {
    fn replay(&self, candidate: Candidate<'_>, deals: &[trial::Case], _: &Context) -> Result<Vec<Replay>, PlayError> {
        let (group, search) = (self.options.group, self.player.search());
        let alphabet = alphabet(group as usize);
        let mut player = search.player(read(candidate.values()));
        let mut solver = Solver::new(search.exact());
        let replays = deals.iter().map(|deal| {
            let deal = Deal::new(group, deal.seed);
            let mut position = deal.start();
            let start = tiles(ALL).map(|tile| face(&position, tile)).collect();
            let mut steps = Vec::new();
            while let Some(tile) = player.choose(&position, alphabet, &Clock::UNLIMITED) {
                let why = why(&position, tile, candidate.values(), search, &mut solver, alphabet);
                let legal = position.legal();
                deal.remove(&mut position, tile);
                steps.push(Step {
                    name: name(tile),
                    cells: vec![place(tile)],
                    legal: tiles(legal).map(place).collect(),
                    changes: vec![(place(tile), face(&position, tile))],
                    totals: position.score().parts().map(|(_, points)| f64::from(points)).to_vec(),
                    why: Some(why),
                    ..Step::default()
                });
            }
            let score = position.score();
            Replay {
                look: "tiers",
                rows: SIDE,
                columns: SIDE,
                faces: faces(),
                start,
                facts: vec![("group", group.to_string())],
                parts: score.parts().map(|(name, _)| name).to_vec(),
                steps,
                score: score.total().into(),
                ending: match position.occupied().count_ones() {
                    0 => "every tile is empty".to_string(),
                    left => {
                        format!("stuck with {left} tiles left, after {} of {REMOVALS} removals", position.removals())
                    }
                },
            }
        });
        Ok(replays.collect())
    }
}

fn read(values: &[f64]) -> Weights {
    Weights::from_values(values).expect("a candidate has every declared weight")
}

fn place(tile: Tile) -> Place {
    let (row, column) = row_column(tile);
    (row * SIDE + column) as Place
}

/// Names a tile by row and column, from 1.
fn name(tile: Tile) -> String {
    let (row, column) = row_column(tile);
    format!("r{} c{}", row + 1, column + 1)
}

const LETTERS: [&str; 8] = ["1", "2", "3", "4", "R", "B", "Q", "N"];
const LAYERS: [&str; TIERS] = ["bronze", "silver", "gold"];

/// Returns every piece on every layer, bronze first, then the empty tile.
fn faces() -> Vec<Face> {
    let pieces = LAYERS.into_iter().flat_map(|layer| LETTERS.map(|letter| Face::new(letter, layer)));
    pieces.chain([Face::new("", "empty")]).collect()
}

fn face(position: &Position, tile: Tile) -> u16 {
    let piece = position.piece(tile).unwrap_or(Piece::One) as usize;
    match position.tier(tile) {
        TIERS => (TIERS * LETTERS.len()) as u16,
        tier => (tier * LETTERS.len() + piece) as u16,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Look {
    /// From the board before the removal.
    Glance,
    /// From the board after the removal.
    Close,
}

fn value(evaluation: &Evaluation, position: &Position, tile: Tile, look: Look) -> f64 {
    let Some(piece) = position.piece(tile) else { return f64::NEG_INFINITY };
    let (tiers, visible, bonus) = (*position.tiers(), *position.visible(), position.bonus());
    let material = evaluation.material(&tiers);
    let (mut board, empty) = (Board::default(), Board::default());
    let removal = match look {
        Look::Glance => {
            evaluation.survey(&mut board, &empty, visible, tiers, material);
            evaluation.judge(&board, bonus, tile, piece)
        }
        Look::Close => {
            evaluation.survey_after(&mut board, &empty, visible, &tiers, material, tile);
            evaluation.judge_closely(&board, bonus, tile, piece)
        }
    };
    f64::from(removal.points) + removal.future
}

/// Returns the removals that the greedy player finally compares, with the kind of evaluation of
/// each.
fn compared(evaluation: &Evaluation, position: &Position, legal: Mask, margin: u32) -> Vec<(Tile, Look)> {
    let goes_on = |tile: Tile| {
        let piece = position.piece(tile).unwrap_or(Piece::One);
        Removal::new(position.tiers(), position.bonus(), tile, piece).next != 0
    };
    let (mut open, ended): (Vec<Tile>, Vec<Tile>) = tiles(legal).partition(|&tile| goes_on(tile));
    let all = margin == ANY && legal.count_ones() as usize <= CLOSELY;
    let ended = ended.into_iter().map(|tile| (tile, Look::Glance));
    if all {
        return open.into_iter().map(|tile| (tile, Look::Close)).chain(ended).collect();
    }
    let glance = |tile: Tile| value(evaluation, position, tile, Look::Glance);
    // The sort is stable: of equal values, the lower tile comes first.
    open.sort_by(|&a, &b| glance(b).total_cmp(&glance(a)));
    let margin = if margin < ANY { f64::from(margin) } else { f64::INFINITY };
    let best = open.first().map_or(0.0, |&tile| glance(tile));
    let in_doubt = open.iter().take(CLOSELY).take_while(|&&tile| glance(tile) >= best - margin).count();
    if in_doubt == 1 && open.len() > 1 {
        // One removal is far ahead of the others, so no close evaluation is needed.
        return open.into_iter().map(|tile| (tile, Look::Glance)).chain(ended).collect();
    }
    open.truncate(in_doubt);
    open.into_iter().map(|tile| (tile, Look::Close)).chain(ended).collect()
}

const GLANCE: &str = "the best removal of the quick evaluation is so far ahead that no close evaluation is needed";
const FAR_WORSE: &str = "all others are far worse in the quick evaluation";
const LEFT_BEHIND: &str = "all other lines were dropped before their ends";
const FAR_WORSE_VISIBLY: &str = "all others are far worse on the visible tiles alone";
const EXACT: &str = "so few boards are possible that play is exact: each value is the expected number of points from \
    there on";
/// The note on the values of an expectimax search.
const AFTER_ENDS: &str = "each value is that of the best line found after the one drawn, averaged over the possible \
    pieces of its last tile";

fn why(
    position: &Position,
    choice: Tile,
    values: &[f64],
    search: Search,
    solver: &mut Solver,
    alphabet: Alphabet,
) -> Why {
    if position.legal().count_ones() == 1 {
        return Why::only();
    }
    let progress = f64::from(position.removals()) / f64::from(REMOVALS);
    let evaluation = |values: &[f64]| Evaluation::new(read(values).at(progress), alphabet);
    if let Search::Greedy { margin } = search {
        return by_evaluation(position, choice, margin, &Probes::new(values, evaluation));
    }
    match solver.values(position, alphabet, &Clock::UNLIMITED) {
        Some(values) => valued(choice, &found(position, &values), &[], Some(EXACT.to_string())),
        None => by_search(position, choice, search, &evaluation(values)),
    }
}

fn described(tile: Tile) -> Considered {
    Considered { name: name(tile), cells: vec![place(tile)], ..Considered::default() }
}

/// Explains a choice of the greedy player by the removals that it compares.
fn by_evaluation(position: &Position, choice: Tile, margin: u32, probes: &Probes<Evaluation>) -> Why {
    let pool = compared(probes.whole(), position, position.legal(), margin);
    let chosen =
        pool.iter().position(|&(tile, _)| tile == choice).expect("the chosen move is among the considered ones");
    let note = match pool.len() {
        1 => Some(FAR_WORSE),
        _ => pool.iter().all(|&(_, look)| look == Look::Glance).then_some(GLANCE),
    };
    let value = |evaluation: &Evaluation, &(tile, look): &(Tile, Look)| value(evaluation, position, tile, look);
    Why { note: note.map(String::from), ..probes.why(&pool, chosen, |&(tile, _)| described(tile), value) }
}

/// Explains a choice by the removals that a search follows to the ends of their lines, with the
/// line of the chosen removal.
fn by_search(position: &Position, choice: Tile, search: Search, evaluation: &Evaluation) -> Why {
    let clock = &Clock::UNLIMITED;
    let of_lines = |values: &Values, line: Vec<Tile>, note: Option<String>| {
        let found = found(position, values);
        let note = if found.len() == 1 { Some(LEFT_BEHIND.to_string()) } else { note };
        valued(choice, &found, &line, note)
    };
    match search {
        Search::Greedy { .. } => unreachable!("it only considers removals"),
        Search::Sampled { beam, samples, .. } if evaluation.alphabet().size() > 1 => {
            let mut found = Sampled::new(beam, samples).values(position, evaluation, clock);
            if found.len() == 1 {
                return valued(choice, &found, &[], Some(FAR_WORSE_VISIBLY.to_string()));
            }
            found.iter_mut().for_each(|(_, sum)| *sum /= f64::from(samples));
            let note = format!("each value is the mean of the best lines over {samples} completions");
            valued(choice, &found, &[], Some(note))
        }
        Search::Beam(beam) | Search::Sampled { beam, .. } => {
            let mut beam = Beam::new(beam);
            let values = beam.values_from(position, evaluation, clock);
            of_lines(&values, beam.line(choice).collect(), None)
        }
        Search::Expectimax { beam, endings, inner, deeper, rollouts, .. } => {
            let mut search = Expectimax::new(beam, endings, inner, deeper);
            match rollouts {
                None => {
                    let values = search.values(position, evaluation, clock);
                    of_lines(&values, search.line(choice).collect(), Some(AFTER_ENDS.to_string()))
                }
                Some(Rollouts { most, length, beam }) => {
                    let mut rollout = Rollout::new(search, most, length, beam);
                    let values = rollout.values(position, evaluation, clock);
                    let note = format!("{AFTER_ENDS}, and in doubt of rollouts");
                    of_lines(&values, rollout.line(choice).collect(), Some(note))
                }
            }
        }
    }
}

fn found(position: &Position, values: &Values) -> Vec<(Tile, f64)> {
    let all = tiles(position.legal()).map(|tile| (tile, values[usize::from(tile)]));
    all.filter(|&(_, value)| value > f64::NEG_INFINITY).collect()
}

/// Explains a removal chosen by its value. `line` is the expected line, with its last removal
/// first.
fn valued(choice: Tile, found: &[(Tile, f64)], line: &[Tile], note: Option<String>) -> Why {
    let chosen =
        found.iter().position(|&(tile, _)| tile == choice).expect("the chosen move is among the considered ones");
    let considered = |&(tile, value): &(Tile, f64)| Considered { value, ..described(tile) };
    let mut considered: Vec<Considered> = found.iter().map(considered).collect();
    // The line contains the chosen removal as its last element.
    considered[chosen].line = line.iter().rev().skip(1).map(|&tile| name(tile)).collect();
    Why { note, ..Why::valued(considered, chosen) }
}
