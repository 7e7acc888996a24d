//! Replays of games.

use super::KingRook;
use super::duel::{Duel, MOST_MOVES};
use super::graph::{Graph, graph};
use super::opponents::Defender;
use super::oracle::contest;
use super::plan::{Plan, deeper, leaves};
use evolve_contest::replay::{Considered, Face, Place, Probes, Replay, Replayable, Response, Step, Why};
use evolve_search::model::problem::{Candidate, Context};
use evolve_search::model::trial::{Case, PlayError};
use policy::king_rook::board::{Board, Cell, cells};
use policy::king_rook::player::{DRAW, MATE, later, leaf, moves, on_the_way};
use policy::king_rook::position::{Contest, Move, State};
use policy::king_rook::weights::Weights;

const FILES: usize = 10;
const RANKS: usize = 9;

const EMPTY: u16 = 0;
const KING: u16 = 1;
const ROOK: u16 = 2;
const BLACK: u16 = 3;

/// The unit of the evaluation, in values of the search.
const UNIT: f64 = 1000.0;

impl Replayable for KingRook {
    fn replay(&self, candidate: Candidate<'_>, deals: &[Case], _: &Context) -> Result<Vec<Replay>, PlayError> {
        let judge = Judge::new(candidate.values(), self.player.depth());
        let plan = Plan::new(judge.graph, judge.probes.whole(), self.player.depth());
        // Only the defender that knows the player needs the lengths.
        let mut lengths = None;
        let play = |deal: &Case| {
            let mut duel = Duel::new(self.options.defender.one(), deal.seed);
            let knows = duel.defender() == Defender::Every;
            let mut position = *duel.position();
            let start = board(&position);
            let mut steps = Vec::new();
            let mut played = 0;
            while let Some(step) = plan.choose(judge.graph, &position) {
                let why = judge.why(&position, step);
                let after = position.after(step);
                played += 1;
                let reply = match (after.state(), knows) {
                    (State::Open(replies), true) if played < MOST_MOVES => {
                        let lengths = lengths.get_or_insert_with(|| plan.lengths(judge.graph));
                        let length = |&black: &Cell| lengths[judge.graph.id(&Contest { black, ..after }) as usize];
                        // Of replies that hold out equally long, the first one.
                        cells(replies).reduce(|best, black| if length(&black) > length(&best) { black } else { best })
                    }
                    (_, true) => None,
                    (_, false) => duel.make_move(step).ok(),
                };
                let next = reply.map_or(after, |black| Contest { black, ..after });
                steps.push(Step {
                    name: name(step),
                    cells: vec![place(origin(&position, step)), place(target(step))],
                    legal: moves(&position).map(|step| place(target(step))).collect(),
                    changes: changes(&position, &after),
                    reply: reply.map(|black| Response {
                        name: format!("K{}", Board::<FILES, RANKS>::name(black)),
                        cells: vec![place(after.black), place(black)],
                        changes: changes(&after, &next),
                    }),
                    totals: vec![match reply {
                        Some(_) => contest().white_to_move(&next).map_or(0.0, f64::from),
                        None => 0.0,
                    }],
                    why: Some(why),
                });
                position = next;
                if reply.is_none() {
                    break;
                }
            }
            let mates = position.state() == State::Checkmate;
            let outcome = duel.outcome_of(mates.then_some(played));
            Replay {
                look: "pieces",
                rows: RANKS,
                columns: FILES,
                faces: vec![
                    Face::new("", "empty"),
                    Face::new("K", "white"),
                    Face::new("R", "white"),
                    Face::new("K", "black"),
                ],
                start,
                facts: outcome.groups.into_iter().map(|defender| ("defender", defender)).collect(),
                parts: vec!["moves to mate at best"],
                steps,
                score: outcome.score,
                ending: match position.state() {
                    State::Checkmate => format!("mate in {played} moves"),
                    State::Stalemate => "a draw: stalemate".to_string(),
                    State::RookLost => "a draw: the rook is lost".to_string(),
                    State::Open(_) => format!("no mate in {MOST_MOVES} moves"),
                },
            }
        };
        Ok(deals.iter().map(play).collect())
    }
}

fn read(values: &[f64]) -> Weights {
    Weights::from_values(values.try_into().expect("a candidate has every declared weight"))
}

/// Returns the place where a cell is drawn: files to the right, ranks upwards.
fn place(cell: Cell) -> Place {
    let (file, rank) = Board::<FILES, RANKS>::place(cell);
    ((RANKS - 1 - rank as usize) * FILES + file as usize) as Place
}

fn target(step: Move) -> Cell {
    match step {
        Move::King(cell) | Move::Rook(cell) => cell,
    }
}

fn origin(position: &Contest, step: Move) -> Cell {
    match step {
        Move::King(_) => position.king,
        Move::Rook(_) => position.rook,
    }
}

fn name(step: Move) -> String {
    let letter = if matches!(step, Move::King(_)) { 'K' } else { 'R' };
    format!("{letter}{}", Board::<FILES, RANKS>::name(target(step)))
}

fn board(position: &Contest) -> Vec<u16> {
    let mut board = vec![EMPTY; FILES * RANKS];
    // Draw the rook last: when Black takes it, the game is already over.
    for (cell, face) in [(position.king, KING), (position.black, BLACK), (position.rook, ROOK)] {
        board[usize::from(place(cell))] = face;
    }
    board
}

fn changes(before: &Contest, after: &Contest) -> Vec<(Place, u16)> {
    let (before, after) = (board(before), board(after));
    let differs = |place: &usize| before[*place] != after[*place];
    (0..after.len()).filter(differs).map(|place| (place as Place, after[place])).collect()
}

/// Explains the moves of a player.
struct Judge {
    graph: &'static Graph,
    probes: Probes<Weights>,
    /// The values of all positions with Black to move. Index i looks i + 1 moves of White ahead.
    levels: Vec<Vec<i32>>,
}

impl Judge {
    fn new(values: &[f64], depth: u32) -> Self {
        let (graph, weights) = (graph(), read(values));
        let mut levels = vec![leaves(graph, &weights)];
        for level in 1..depth.max(1) as usize {
            levels.push(deeper(graph, &weights, &levels[0], &levels[level - 1]));
        }
        Judge { graph, probes: Probes::new(values, read), levels }
    }

    /// Returns the value of a position with Black to move, `moves` moves of White ahead, including
    /// the move just made.
    fn black(&self, position: &Contest, moves: usize) -> i32 {
        self.levels[moves - 1][self.graph.id(position) as usize]
    }

    fn why(&self, position: &Contest, choice: Move) -> Why {
        let depth = self.levels.len();
        let value = |step: Move| self.black(&position.after(step), depth);
        let chosen = value(choice);
        if chosen > MATE / 2 {
            return Why::decided(format!("mates in at most {} against every reply", MATE - chosen + 1));
        }
        let all = moves(position).count();
        // Weights do not explain moves that give the win away.
        let pool: Vec<Move> = moves(position).filter(|&step| value(step) > DRAW / 2).collect();
        let chosen = match pool.iter().position(|&step| step == choice) {
            Some(_) if pool.len() == 1 => return Why::decided("every other move gives the win away"),
            Some(place) => place,
            None => return Why::decided("every move gives the win away"),
        };
        let lines: Vec<(Move, Line)> = pool.iter().map(|&step| (step, self.line(position, step))).collect();
        let described = |(step, line): &(Move, Line)| Considered {
            name: name(*step),
            cells: vec![place(origin(position, *step)), place(target(*step))],
            line: line.names.clone(),
            ..Considered::default()
        };
        let note = (pool.len() < all).then(|| format!("{} of {all} moves give the win away", all - pool.len()));
        Why { note, ..self.probes.why(&lines, chosen, described, |weights, (_, line)| line.value(weights)) }
    }

    /// Returns the line that the search expects after a move.
    fn line(&self, position: &Contest, step: Move) -> Line {
        let mut line = Line { positions: vec![position.after(step)], names: Vec::new() };
        for left in (1..self.levels.len()).rev() {
            let last = line.positions[line.positions.len() - 1];
            let State::Open(replies) = last.state() else { break };
            let best = |black: Cell| {
                let position = Contest { black, ..last };
                let answers = moves(&position).map(|step| (self.black(&position.after(step), left), step));
                // Of equal moves, the first one.
                answers.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(value, step)| (value, black, step))
            };
            let worst = cells(replies).filter_map(best).reduce(|a, b| if later(b.0) < later(a.0) { b } else { a });
            let Some((_, black, step)) = worst else { break };
            line.names.extend([format!("K{}", Board::<FILES, RANKS>::name(black)), name(step)]);
            line.positions.push(Contest { black, ..last }.after(step));
        }
        line
    }
}

/// A line of play, with its positions with Black to move.
struct Line {
    positions: Vec<Contest>,
    names: Vec<String>,
}

impl Line {
    /// Returns the value with these weights, in the unit of the evaluation.
    fn value(&self, weights: &Weights) -> f64 {
        let on_the_spot = |position: &Contest| match position.state() {
            State::Checkmate => MATE,
            State::RookLost | State::Stalemate => DRAW,
            State::Open(replies) => leaf(weights, position, replies),
        };
        let mut earlier = self.positions.iter().rev();
        let end = earlier.next().map_or(0, on_the_spot);
        let value = earlier.fold(end, |value, position| on_the_way(weights, later(value), on_the_spot(position)));
        f64::from(value) / UNIT
    }
}
