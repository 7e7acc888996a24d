//! Games to be looked at.

use super::{Deal, SolitaireChess, search};
use evolve_core::problem::Candidate;
use evolve_core::replay::{Considered, Face, Place, Replay, Replayable, Split, Step, Why};
use evolve_core::setup::Setup;
use evolve_core::trial::{self, Failure};
use policy::clock::Clock;
use policy::solitaire_chess::beam::expectimax::Expectimax;
use policy::solitaire_chess::beam::expectimax::rollout::Rollout;
use policy::solitaire_chess::beam::lines::{End, Found};
use policy::solitaire_chess::beam::{Beam, Known};
use policy::solitaire_chess::board::{ALL, Mask, Piece, SIDE, Tile, row_column, tiles};
use policy::solitaire_chess::endgame::Solver;
use policy::solitaire_chess::evaluation::{Board, Evaluation, Removal};
use policy::solitaire_chess::greedy::ANY;
use policy::solitaire_chess::groups::alphabet;
use policy::solitaire_chess::position::{Position, REMOVALS, TIERS};
use policy::solitaire_chess::prospects::Alphabet;
use policy::solitaire_chess::sampled::Sampled;
use policy::solitaire_chess::search::{Rollouts, Search};
use policy::solitaire_chess::weights::Weights;

/// How many removals the greedy player looks at closely.
const CLOSELY: usize = 3;

impl Replayable for SolitaireChess {
    fn replay(&self, setup: &Setup, candidate: Candidate<'_>, deals: &[trial::Deal]) -> Result<Vec<Replay>, Failure> {
        let group = setup.options.get("group");
        let search = search(&setup.player);
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

/// A tile by row and column from 1.
fn name(tile: Tile) -> String {
    let (row, column) = row_column(tile);
    format!("r{} c{}", row + 1, column + 1)
}

const LETTERS: [&str; 8] = ["1", "2", "3", "4", "R", "B", "Q", "N"];
const LAYERS: [&str; TIERS] = ["bronze", "silver", "gold"];

/// Every piece on every layer, bronze first, then the empty tile.
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

/// How a removal is judged.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    /// By the board before it.
    Glance,
    /// By the board after it.
    Close,
}

/// The value of a removal.
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

/// The removals that the greedy player compares in the end, and by which look.
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
    // Stable: of equal values the lower tile stays in front.
    open.sort_by(|&a, &b| glance(b).total_cmp(&glance(a)));
    let margin = if margin < ANY { f64::from(margin) } else { f64::INFINITY };
    let best = open.first().map_or(0.0, |&tile| glance(tile));
    let in_doubt = open.iter().take(CLOSELY).take_while(|&&tile| glance(tile) >= best - margin).count();
    if in_doubt == 1 && open.len() > 1 {
        // One is far ahead of the others: no closer look is needed.
        return open.into_iter().map(|tile| (tile, Look::Glance)).chain(ended).collect();
    }
    open.truncate(in_doubt);
    open.into_iter().map(|tile| (tile, Look::Close)).chain(ended).collect()
}

const GLANCE: &str = "the best one at a glance is so far ahead that no closer look is needed";
const FAR_WORSE: &str = "all others are far worse at a glance";
const LEFT_BEHIND: &str = "all other lines were left behind before their ends; the values of the others are those of the \
                           best lines that a search for each alone finds";

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
    let judge = Judge { position, values, evaluation: &|values| Evaluation::new(read(values).at(progress), alphabet) };
    match search {
        Search::Greedy { margin } => judge.removals(choice, margin),
        _ => match solver.values(position, alphabet, &Clock::UNLIMITED) {
            Some(values) => judge.exact(choice, &values),
            None => judge.lines(choice, search),
        },
    }
}

const EXACT: &str = "so few boards may still come that play is exact: each value is the number of points that may be \
                     expected from there on";

/// A removal that was weighed, with its value.
fn considered(tile: Tile, value: f64) -> Considered {
    Considered { name: name(tile), cells: vec![place(tile)], value, ..Considered::default() }
}

/// Tells why a player chose.
struct Judge<'a> {
    position: &'a Position,
    values: &'a [f64],
    /// The evaluation at this moment of the game with these weights.
    evaluation: &'a dyn Fn(&[f64]) -> Evaluation,
}

impl Judge<'_> {
    /// Of a player that looks at removals alone.
    fn removals(&self, choice: Tile, margin: u32) -> Why {
        let position = self.position;
        let evaluation = (self.evaluation)(self.values);
        let pool = compared(&evaluation, position, position.legal(), margin);
        let considered = |&(tile, look): &(Tile, Look)| considered(tile, value(&evaluation, position, tile, look));
        let chosen = pool.iter().position(|&(tile, _)| tile == choice).expect("what is chosen is considered");
        let (mut why, other) = Why::rank(pool.iter().map(considered).collect(), chosen);
        why.note = match other {
            None => Some(FAR_WORSE.to_string()),
            Some(_) => pool.iter().all(|&(_, look)| look == Look::Glance).then(|| GLANCE.to_string()),
        };
        why.split = other.map(|other| {
            self.split(|evaluation| {
                let value = |(tile, look): (Tile, Look)| value(evaluation, position, tile, look);
                value(pool[chosen]) - value(pool[other])
            })
        });
        why
    }

    /// Of exact play, where no weight counts.
    fn exact(&self, choice: Tile, values: &[f64]) -> Why {
        let legal: Vec<Tile> = tiles(self.position.legal()).collect();
        let value = |place: usize| values[legal[place] as usize];
        let considered = |&tile: &Tile| considered(tile, values[tile as usize]);
        let chosen = legal.iter().position(|&tile| tile == choice).expect("what is chosen is legal");
        let (mut why, other) = Why::rank(legal.iter().map(considered).collect(), chosen);
        why.note = Some(EXACT.to_string());
        why.split = other.map(|other| self.split(|_| value(chosen) - value(other)));
        why
    }

    /// Of a search: by the ends of the best lines that start with each removal.
    fn lines(&self, choice: Tile, search: Search) -> Why {
        let position = self.position;
        let evaluation = (self.evaluation)(self.values);
        let known = Known::visible(position, &evaluation);
        let (mut found, beam, note) = match search {
            Search::Greedy { .. } => unreachable!("it looks at removals alone"),
            Search::Beam(beam) => (Beam::new(beam).alternatives(position, &known, &evaluation), beam, None),
            Search::Expectimax { beam, endings, inner, deeper, rollouts, .. } => {
                let mut search = Expectimax::new(beam, endings, inner, deeper);
                let (found, note) = match rollouts {
                    None => (search.alternatives(position, &known, &evaluation), AFTER_ENDS.to_string()),
                    Some(Rollouts { most, length, beam }) => {
                        let mut rollout = Rollout::new(search, most, length, beam);
                        let found = rollout.alternatives(position, &known, &evaluation);
                        (found, format!("{AFTER_ENDS}, and where that leaves a doubt, of rollouts"))
                    }
                };
                (found, beam, Some(note))
            }
            Search::Sampled { beam, samples, .. } => {
                let found = Sampled::new(beam, samples).alternatives(position, &known, &evaluation);
                let is_sampled = found.iter().all(|found| matches!(found.end, End::Any(_)));
                let note = match is_sampled {
                    true => format!("each value is the mean of the best lines over {samples} completions"),
                    false => "all others look far worse on the visible tiles alone".to_string(),
                };
                (found, beam, (evaluation.alphabet().size() > 1).then_some(note))
            }
        };
        let is_alone = found.len() == 1;
        if is_alone {
            let mut alone = Beam::new(beam);
            let others = tiles(position.legal()).filter(|&tile| tile != choice);
            let others = others.map(|first| {
                let end = alone.best_end(position, first, &known, &evaluation);
                Found { first, value: end.value(&evaluation), end, path: Vec::new() }
            });
            found.extend(others.collect::<Vec<_>>());
        }
        let considered = |found: &Found| Considered {
            line: found.path.iter().map(|&tile| name(tile)).collect(),
            ..considered(found.first, found.value)
        };
        let chosen = found.iter().position(|found| found.first == choice).expect("what is chosen is considered");
        let (mut why, other) = Why::rank(found.iter().map(considered).collect(), chosen);
        why.note = if is_alone { Some(LEFT_BEHIND.to_string()) } else { note };
        why.split = other.map(|other| {
            // What rollouts add hangs on no weight.
            let added = |found: &Found| found.value - found.end.value(&evaluation);
            let added = added(&found[chosen]) - added(&found[other]);
            self.split(|evaluation| added + found[chosen].end.value(evaluation) - found[other].end.value(evaluation))
        });
        why
    }

    fn split(&self, difference: impl Fn(&Evaluation) -> f64) -> Split {
        Split::new(self.values, |without| difference(&(self.evaluation)(&without.of(self.values))))
    }
}

/// What the values of an expectimax search are.
const AFTER_ENDS: &str = "each value is that of the best line found behind the one drawn, on average over the pieces that \
                          its last tile could show";
