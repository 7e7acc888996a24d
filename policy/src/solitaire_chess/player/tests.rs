use super::super::beam::Settings;
use super::super::search::{Rollouts, Search};
use super::*;
use crate::random::SplitMix64;
use crate::solitaire_chess::groups::{alphabet, GROUPS};

#[test]
fn earlier_games_do_not_change_choices() {
    let mut random = SplitMix64::new(17);
    let (beam, inner) = (Settings { width: 4, depth: 5 }, Settings { width: 2, depth: 3 });
    let rollouts = Rollouts { most: 20, length: 5, beam: inner };
    let searches = [
        Search::Greedy { margin: 3 },
        Search::Beam(beam),
        Search::Expectimax { beam, endings: 3, inner, deeper: [0, 0], rollouts: None, exact: 1000 },
        Search::Expectimax { beam, endings: 4, inner, deeper: [3, 2], rollouts: Some(rollouts), exact: 0 },
        Search::Sampled { beam: inner, samples: 2, exact: 2000 },
    ];
    for search in searches {
        // One player plays games of all groups, and is compared with a new one for each removal.
        let mut used = search.player(Weights::DEFAULT);
        for group in [6, 5, 4, 6, 3, 1, 5] {
            let types = GROUPS[group - 1];
            let mut draw = || types[random.below(types.len() as u32) as usize];
            let shown: Vec<_> = (0..64).map(|_| draw()).collect();
            let mut position = Position::new(|tile| shown[tile as usize]);
            while let Some(tile) = used.choose(&position, alphabet(group), &Clock::UNLIMITED) {
                let fresh = search.player(Weights::DEFAULT).choose(&position, alphabet(group), &Clock::UNLIMITED);
                assert_eq!(fresh, Some(tile), "{search:?}, group {group}");
                position.remove(tile, Some(draw()));
            }
        }
    }
}
