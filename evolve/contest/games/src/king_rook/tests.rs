use super::arena::contender;
use super::duel::{Duel, End, MOST_MOVES};
use super::graph::graph;
use super::opponents::Defender;
use super::oracle::contest;
use super::plan::{NEVER, Plan};
use super::proof::judge;
use super::referee::Match;
use evolve_contest::judge::{Referee, Reply};
use evolve_core::job::Catalogue;
use evolve_core::job::policy_file::Policy;
use evolve_search::model::problem::{Contender, Problem};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::Case;
use policy::king_rook::board::{Board, cells};
use policy::king_rook::dialogue::{read_move, reply as sent, written};
use policy::king_rook::player::{Player, moves};
use policy::king_rook::position::{Contest, Move, State};
use policy::king_rook::weights::Weights;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;

fn deal(seed: u64) -> Case {
    Case { split: Split::Search, number: 0, seed }
}

fn perfect(position: &Contest) -> Move {
    let length = |step: &Move| {
        let after = position.after(*step);
        let white = |black| contest().white_to_move(&Contest { black, ..after }).unwrap();
        match after.state() {
            State::Checkmate => 0,
            State::Stalemate | State::RookLost => u8::MAX,
            State::Open(replies) => cells(replies).map(white).max().unwrap(),
        }
    };
    moves(position).min_by_key(length).unwrap()
}

#[test]
fn the_plan_has_the_moves_of_the_player() {
    let graph = graph();
    for (depth, stride) in [(1, 1), (2, 7), (3, 37)] {
        let plan = Plan::new(graph, &Weights::DEFAULT, depth);
        let mut player = Player::new(Weights::DEFAULT, depth);
        for position in graph.positions().iter().step_by(stride) {
            assert_eq!(player.choose(position), plan.choose(graph, position), "depth {depth}, {position:?}");
        }
    }
}

#[test]
fn the_tuned_player_equals_the_submission_in_every_position() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../results/king-rook");
    let policy = Policy::read(&results, &Catalogue::new(&crate::GAMES)).unwrap();
    let depth = |problem: &Arc<dyn Problem>| problem.player().unwrap()["depth"].as_u64().unwrap() as u32;
    let (weights, depth, tuned) = (super::weights(&policy.values), depth(&policy.submission), depth(&policy.problem));
    assert_eq!((depth, tuned), (4, 4));
    let graph = graph();
    let plan = Plan::new(graph, &weights, depth);
    let share = graph.positions().len().div_ceil(rayon::current_num_threads());
    graph.positions().par_chunks(share).for_each(|positions| {
        let mut player = Player::new(weights, depth);
        for position in positions {
            assert_eq!(player.choose(position), plan.choose(graph, position), "{position:?}");
        }
    });
}

#[test]
fn perfect_play_is_proven_perfect() {
    let graph = graph();
    let place = |position: &Contest| moves(position).position(|step| step == perfect(position)).unwrap() as u8;
    let plan = Plan::of(graph.positions().iter().map(place).collect());
    let proof = judge(graph, &plan);
    assert_eq!(proof.refutation, None);
    let count = |name: &str| proof.counts.iter().find(|(other, _)| *other == name).unwrap().1;
    assert_eq!((count("positions"), count("mated from")), (529_240.0, 529_240.0));
    assert_eq!((count("longest line, moves"), count("longest of perfect play")), (19.0, 19.0));
    assert_eq!(count("ratio of the means"), 1.0);
}

#[test]
fn a_poor_player_is_refuted_by_a_line_of_legal_moves() {
    let graph = graph();
    for (values, depth) in
        [(Weights::ZERO, 1), (Weights { rook_attacked: 5.0, rook_guarded: -5.0, ..Weights::ZERO }, 1)]
    {
        let plan = Plan::new(graph, &values, depth);
        let refutation = judge(graph, &plan).refutation.expect("no evaluation, no mate");
        let mut words = refutation.line[0].split(' ').map(|word| Board::<10, 9>::cell(&word[1..]));
        let mut next = || words.next().flatten().unwrap();
        let (black, king, rook) = (next(), next(), next());
        let mut position = Contest::new(king, rook, black).unwrap();
        let mut player = Player::new(values, depth);
        for pair in refutation.line[1..].chunks(2) {
            let step = read_move(&pair[0]).unwrap();
            assert_eq!(player.choose(&position), Some(step));
            position = position.after(step);
            let Some(reply) = pair.get(1) else { break };
            position.black =
                cells(position.black_moves()).find(|&cell| sent(cell) == *reply).expect("Black's moves are legal");
        }
    }
}

#[test]
fn perfect_white_against_each_defender() {
    for defender in Defender::ALL {
        let mut total = 0.0;
        for deal in 0..200 {
            let mut duel = Duel::new(Some(defender), deal);
            let optimum = contest().white_to_move(duel.position()).unwrap();
            let end = loop {
                let step = perfect(duel.position());
                if let Err(end) = duel.make_move(step) {
                    break end;
                }
            };
            assert_eq!(end, End::Mate);
            let outcome = duel.outcome().unwrap();
            assert_eq!(outcome.groups, [defender.name()]);
            assert!(outcome.metrics[1] == f64::from(optimum) || outcome.objective > 0.0);
            total += outcome.objective;
        }
        let holds_out = [Defender::Perfect, Defender::Every].contains(&defender);
        assert_eq!(total == 0.0, holds_out, "{}", defender.name());
    }
    let mixed: Vec<Defender> = (0..500).map(|deal| Duel::new(None, deal).defender()).collect();
    let perfect = mixed.iter().filter(|&&defender| defender == Defender::Perfect).count();
    assert!((300..400).contains(&perfect) && !mixed.contains(&Defender::Every), "{perfect}");
}

#[test]
fn arena_and_referee_play_the_same_game() {
    let contender = contender(None, Weights::DEFAULT, 2);
    let mut arena = contender.player();
    let mut player = Player::new(Weights::DEFAULT, 2);
    for seed in 0..50 {
        let mut duel = Duel::new(None, seed);
        let mut judge = Match::new(Duel::new(None, seed));
        let opening = judge.open();
        assert_eq!(opening.split_whitespace().count(), 3);
        loop {
            let step = player.choose(duel.position()).unwrap();
            let reply = judge.answer(&written(step));
            match duel.make_move(step) {
                Ok(black) => assert_eq!(reply, Reply::Send(sent(black) + "\n")),
                Err(_) => {
                    assert_eq!(reply, Reply::Over("!\n".to_string()));
                    break;
                }
            }
            assert_eq!(judge.outcomes(), []);
        }
        assert_eq!(judge.outcomes(), [arena.play(&deal(seed), None).unwrap()]);
    }
}

#[test]
fn the_longest_defence_is_at_least_as_long_as_any_other() {
    let (every, others) = (contender(Some(Defender::Every), Weights::DEFAULT, 3), contender(None, Weights::DEFAULT, 3));
    let (mut every, mut others) = (every.player(), others.player());
    for seed in 0..300 {
        let (worst, one) = (every.play(&deal(seed), None).unwrap(), others.play(&deal(seed), None).unwrap());
        assert!(worst.objective <= one.objective, "deal {seed}");
    }
    let plan = Plan::new(graph(), &Weights::ZERO, 1);
    assert!(plan.lengths(graph()).contains(&NEVER));
}

#[test]
fn the_referee_reports_faults() {
    let mut judge = Match::new(Duel::new(Some(Defender::Perfect), 1));
    judge.open();
    assert_eq!(judge.answer(" "), Reply::More);
    for garbage in ["Ga1", "Rz1", "R", "a1", "Ra1 Ra2", "Ra10", "hello"] {
        assert!(matches!(judge.answer(garbage), Reply::Garbage(_)), "{garbage}");
    }
    let position = *Duel::new(Some(Defender::Perfect), 1).position();
    for step in [Move::Rook(position.rook), Move::Rook(position.king), Move::King(position.black)] {
        assert!(matches!(judge.answer(&written(step)), Reply::Illegal(_)));
    }
}

#[test]
fn an_aimless_game_ends() {
    let mut duel = Duel::new(Some(Defender::Perfect), 3);
    let mut played = 0;
    let end = loop {
        // The king moves back and forth as long as it can.
        let position = *duel.position();
        let step = moves(&position).find(|step| matches!(step, Move::King(_))).unwrap();
        played += 1;
        if let Err(end) = duel.make_move(step) {
            break end;
        }
    };
    assert!(end != End::Mate);
    assert!(played <= MOST_MOVES);
    let outcome = duel.outcome().unwrap();
    assert_eq!(outcome.metrics[0], 0.0);
    assert!(outcome.score == 0.0 && outcome.objective < -60.0);
}
