//! What the tuner needs to know of offers.

use crate::offers::{OFFERS, Weights, keeps};
use evolve::export::include_dir::{self, include_dir};
use evolve::export::{Entry, Sources, literal, one, tuned_in};
use evolve::game::{Arena, Contestant, Game, PlayerChoice, PlayerKind, Program, Setting, Values};
use evolve::judge::referee::{Outcome, Referee, Reply};
use evolve::policy_file::Policy;
use evolve::seed::generator;
use policy::weights::Weight;
use rand::RngExt;
use std::time::Duration;

/// The game.
pub struct Offers;

static PLAYERS: [PlayerKind; 1] =
    [PlayerKind { name: "threshold", meaning: "keeps what is good enough", settings: &[] }];

/// The offers of a deal.
fn deal(seed: u64) -> [u32; OFFERS] {
    let mut random = generator(seed);
    std::array::from_fn(|_| random.random_range(0..100))
}

fn outcome(kept: u32) -> Outcome {
    Outcome { score: kept.into(), ..Outcome::default() }
}

struct Table;

struct Seat(Weights);

impl Arena for Table {
    fn contestant(&self, weights: &[f64]) -> Box<dyn Contestant + '_> {
        Box::new(Seat(Weights::from_values(weights.try_into().expect("a candidate has every declared weight"))))
    }
}

impl Contestant for Seat {
    fn play(&mut self, seed: u64) -> Outcome {
        let offers = deal(seed);
        let kept = (0..OFFERS).find(|&i| keeps(&self.0, offers[i], OFFERS - 1 - i)).expect("the last one is kept");
        outcome(offers[kept])
    }
}

/// The judge of one game.
struct Judge {
    offers: [u32; OFFERS],
    passed: usize,
    over: bool,
}

impl Referee for Judge {
    fn open(&mut self) -> String {
        format!("{}\n", self.offers[0])
    }

    fn answer(&mut self, line: &str) -> Reply {
        match line.trim() {
            "keep" => {
                self.over = true;
                Reply::Over(String::new())
            }
            "pass" if self.passed + 1 == OFFERS => Reply::Illegal("the last offer must be kept".to_string()),
            "pass" => {
                self.passed += 1;
                Reply::Send(format!("{}\n", self.offers[self.passed]))
            }
            _ => Reply::Garbage(format!("`{line}` is neither `keep` nor `pass`")),
        }
    }

    fn outcomes(&self) -> Vec<Outcome> {
        if self.over { vec![outcome(self.offers[self.passed])] } else { Vec::new() }
    }
}

impl Game for Offers {
    fn name(&self) -> &'static str {
        "offers"
    }

    fn summary(&self) -> &'static str {
        "keep one of twelve offers that come one after another"
    }

    fn options(&self) -> &'static [Setting] {
        &[]
    }

    fn players(&self) -> &'static [PlayerKind] {
        &PLAYERS
    }

    fn weights(&self) -> Vec<Weight> {
        Weights::DECLARED.to_vec()
    }

    fn arena(&self, _: &Values, _: &PlayerChoice) -> Box<dyn Arena> {
        Box::new(Table)
    }

    fn referee(&self, _: &Values, seed: u64) -> Box<dyn Referee> {
        Box::new(Judge { offers: deal(seed), passed: 0, over: false })
    }

    fn export(&self, policies: &[&Policy], time_limit: Option<Duration>) -> Result<Program, String> {
        let policy = one(policies)?;
        let default = Weights::DEFAULT.values();
        let weights = literal("Weights", Weights::DECLARED, &policy.weights, (&default, "DEFAULT"), "")?;
        let entry = Entry {
            game: "offers",
            about: vec![tuned_in(policy)],
            play: "offers::play",
            player: "&WEIGHTS",
            items: format!("use offers::Weights;\n\nconst WEIGHTS: Weights = {weights};\n"),
            time_limit,
        };
        let own = Sources::embedded("own", &include_dir!("$CARGO_MANIFEST_DIR/examples/offers"));
        entry.program(&[Sources::policy(), &own])
    }
}
