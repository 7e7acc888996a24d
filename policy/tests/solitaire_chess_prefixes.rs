//! Compares the fast position and the bonus automaton with the slow twin, on every prefix of many
//! games.

use policy::random::SplitMix64;
use policy::solitaire_chess::board::{self, tiles, Mask, Piece, Tile};
use policy::solitaire_chess::bonus;
use policy::solitaire_chess::groups::GROUPS;
use policy::solitaire_chess::position::Position;
use policy_twins::solitaire_chess::compare::{compare, to_twin, twin_piece};
use policy_twins::solitaire_chess::twin::{self, Game, LAYERS};
use std::thread;

/// The rule that chooses the next removal of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// Uniformly among the legal tiles; such games soon reach a dead end.
    Uniform,
    /// A tile with few, but at least one, following removals; such games reach deep into silver,
    /// gold and empty tiles.
    FewestOnward,
}

/// Statistics of the games in a chunk.
#[derive(Default)]
struct Tally {
    games: u32,
    longest: u32,
    /// The most points of each part in a game, in the order of [`parts`].
    best: [u32; 5],
}

fn deal(group: usize, random: &mut SplitMix64) -> [[Piece; 64]; LAYERS] {
    let types = GROUPS[group];
    let mut layers = [[types[0]; 64]; LAYERS];
    for layer in &mut layers {
        for tile in tiles(board::ALL) {
            layer[tile as usize] = types[random.below(types.len() as u32) as usize];
        }
    }
    layers
}

/// Returns the number of removals that could follow that of `tile`, without empty tiles.
fn onward(position: &Position, tile: Tile) -> u32 {
    let piece = position.piece(tile).expect("legal tiles have a piece");
    (board::targets(piece, tile) & position.occupied()).count_ones()
}

fn choose(choice: Choice, position: &Position, legal: Mask, random: &mut SplitMix64) -> Tile {
    let uniform = tiles(legal).nth(random.below(legal.count_ones()) as usize).expect("below the number of tiles");
    match choice {
        Choice::Uniform => uniform,
        // Random bits break ties; a dead end is chosen only if there is no other tile.
        Choice::FewestOnward => tiles(legal)
            .filter(|&tile| onward(position, tile) > 0)
            .min_by_key(|&tile| (onward(position, tile), random.next_u64()))
            .unwrap_or(uniform),
    }
}

fn play(group: usize, choice: Choice, random: &mut SplitMix64, tally: &mut Tally) {
    let layers = deal(group, random);
    let mut position = Position::new(|tile| layers[0][tile as usize]);
    let mut game = Game::new(&to_twin(&layers));
    loop {
        compare(&position, &game);
        let legal = position.legal();
        if legal == 0 {
            break;
        }
        let tile = choose(choice, &position, legal, random);
        let below = layers.get(position.tier(tile) + 1).map(|layer| layer[tile as usize]);
        position.remove(tile, below);
        let (row, column) = board::row_column(tile);
        game.remove(row, column);
    }
    tally.games += 1;
    tally.longest = tally.longest.max(position.removals());
    for (best, (_, points)) in tally.best.iter_mut().zip(position.score().parts()) {
        *best = (*best).max(u32::from(points));
    }
}

/// Plays `uniform` random games and `deep` long ones of each group on several threads. Returns a
/// tally for each group.
fn play_groups(uniform: u32, deep: u32) -> Vec<Tally> {
    const CHUNKS: u32 = 4;
    let chunk = |group: usize, chunk: u32| {
        let mut random = SplitMix64::new(0x5eed_0000 + (group as u64) * 100 + u64::from(chunk));
        let mut tally = Tally::default();
        for _ in 0..uniform / CHUNKS {
            play(group, Choice::Uniform, &mut random, &mut tally);
        }
        for _ in 0..deep / CHUNKS {
            play(group, Choice::FewestOnward, &mut random, &mut tally);
        }
        tally
    };
    thread::scope(|scope| {
        let chunk = &chunk;
        let threads: Vec<_> = (0..CHUNKS)
            .map(|c| scope.spawn(move || (0..GROUPS.len()).map(|group| chunk(group, c)).collect::<Vec<_>>()))
            .collect();
        let mut sum: Vec<Tally> = GROUPS.iter().map(|_| Tally::default()).collect();
        for thread in threads {
            let tallies = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            for (sum, tally) in sum.iter_mut().zip(tallies) {
                sum.games += tally.games;
                sum.longest = sum.longest.max(tally.longest);
                for (sum, best) in sum.best.iter_mut().zip(tally.best) {
                    *sum = (*sum).max(best);
                }
            }
        }
        sum
    })
}

#[test]
fn every_prefix_of_200_000_games_matches_the_twin() {
    let tallies = play_groups(34_000, 400);
    assert!(tallies.iter().map(|tally| tally.games).sum::<u32>() >= 200_000);
    for (group, tally) in (1..).zip(&tallies) {
        // Without long games, tiles would seldom become empty and would not be tested. Rooks,
        // bishops and queens soon reach a corner.
        let long = if group == 4 { 25 } else { 60 };
        assert!(tally.longest >= long, "group {group}: no game was longer than {}", tally.longest);
    }
    // Every part of the score must occur where its types appear.
    let [_, runs, numbers, chess, alternation] = tallies[5].best;
    assert!(runs >= 30 && numbers >= 20 && chess >= 16 && alternation >= 16, "{:?}", tallies[5].best);
    assert!(tallies[4].best[2] >= 24, "{:?}", tallies[4].best);
}

/// Returns a random sequence of at most 108 types that contains parts of bonuses.
fn sequence(random: &mut SplitMix64) -> Vec<Piece> {
    let length = 1 + random.below(108) as usize;
    let mut sequence = Vec::with_capacity(length + 16);
    let mut chess = random.below(2) == 1;
    while sequence.len() < length {
        match random.below(8) {
            // A stray type.
            0 => sequence.push(Piece::ALL[random.below(8) as usize]),
            // A run.
            1 => {
                let piece = Piece::ALL[random.below(8) as usize];
                sequence.extend(std::iter::repeat_n(piece, 2 + random.below(3) as usize));
            }
            // A part of a set, so that greedy windows overlap the rest.
            2 => {
                let set = set(chess, random);
                sequence.extend(&set[..1 + random.below(3) as usize]);
            }
            // A set in order.
            3 => {
                let up = [Piece::One, Piece::Two, Piece::Three, Piece::Four];
                let down = [Piece::Four, Piece::Three, Piece::Two, Piece::One];
                sequence.extend(if random.below(2) == 0 { up } else { down });
                chess = true;
            }
            // A set, usually of the other kind than the previous one.
            _ => {
                sequence.extend(set(chess, random));
                chess ^= random.below(4) != 0;
            }
        }
    }
    sequence.truncate(length);
    sequence
}

/// Returns a set of the chess pieces, or of the numbers, in random order.
fn set(chess: bool, random: &mut SplitMix64) -> [Piece; 4] {
    let mut set: [Piece; 4] = std::array::from_fn(|i| Piece::ALL[i + if chess { 4 } else { 0 }]);
    for i in (1..4).rev() {
        set.swap(i, random.below(i as u32 + 1) as usize);
    }
    set
}

#[test]
fn automaton_matches_the_twin_on_random_sequences() {
    let mut random = SplitMix64::new(20_251_108);
    let (mut runs, mut ordered, mut unordered, mut chess, mut alternations, mut chains) = (0, 0, 0, 0, 0, 0);
    for _ in 0..3_000 {
        let sequence = sequence(&mut random);
        let types: Vec<twin::Piece> = sequence.iter().map(|&piece| twin_piece(piece)).collect();
        let mut state = 0;
        let mut before = twin::bonuses(&[]);
        for (i, &piece) in sequence.iter().enumerate() {
            let step = bonus::step(state, piece);
            let after = twin::bonuses(&types[..=i]);
            let total = u32::from(step.total);
            assert_eq!(before.total() + total, after.total(), "{:?}", &types[..=i]);
            let alternation = u32::from(step.alternation);
            assert_eq!(before.alternation + alternation, after.alternation, "{:?}", &types[..=i]);
            runs += u32::from(after.runs > before.runs);
            match after.number_sets - before.number_sets {
                0 => {}
                8 => unordered += 1,
                12 => ordered += 1,
                points => panic!("{points} points for one set"),
            }
            chess += u32::from(after.piece_sets > before.piece_sets);
            match alternation {
                0 => {}
                8 => chains += 1,
                _ => alternations += 1,
            }
            before = after;
            state = step.next;
        }
    }
    for (name, times) in [
        ("runs", runs),
        ("ordered sets", ordered),
        ("unordered sets", unordered),
        ("chess sets", chess),
        ("alternations", alternations),
        ("longer alternations", chains),
    ] {
        assert!(times >= 5_000, "only {times} {name}");
    }
}
