//! The resolved job: every key with its value, which run again gives the same run.

use super::Job;
use super::keys::*;
use crate::document::Key;
use crate::genetic::{Adapt, Crossover, Selection};
use crate::policy_file::{write_game, write_player};
use std::fmt::{Display, Write};

impl Job {
    /// The job as a TOML file that stands alone: the starting weights are in it.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut put = |key: &Key, value: &dyn Display| line(&mut text, key, value);
        put(&RUN, &quoted(&self.name));
        put(&SEED, &self.seed);
        text.push('\n');
        write_game(&mut text, self.game, &self.options);
        write_player(&mut text, "player", &self.player);
        write_player(&mut text, "submission", &self.submission);
        self.write_weights(&mut text);
        self.write_evolution(&mut text);
        text.push_str("\n[validation]\n");
        line(&mut text, &EVERY, &self.validation.every);
        line(&mut text, &HELD_OUT, &self.validation.games);
        text.push_str("\n[final]\n");
        line(&mut text, &FINAL, &self.finals.games);
        line(&mut text, &VERDICT, &self.finals.verdict);
        line(&mut text, &LEADERS, &self.finals.leaders);
        text
    }

    fn write_weights(&self, text: &mut String) {
        let space = &self.space;
        text.push_str("\n[weights]\n");
        line(text, &START, &quoted("defaults"));
        let names: Vec<_> = space.evolving().map(|weight| quoted(weight.name)).collect();
        line(text, &EVOLVE, &format!("[\n    {},\n]", names.join(",\n    ")));
        line(text, &FIXED, &"[]");
        text.push_str("\n[weights.values]\n");
        for (weight, value) in space.weights().iter().zip(space.start()) {
            writeln!(text, "{} = {value:?}", weight.name).expect("writing to a string does not fail");
        }
        let declared = self.game.weights();
        let narrowed: Vec<_> =
            space.weights().iter().zip(&declared).filter(|(weight, declared)| weight != declared).collect();
        if !narrowed.is_empty() {
            text.push_str("\n[weights.ranges]\n");
        }
        for (weight, _) in narrowed {
            writeln!(text, "{} = [{:?}, {:?}]", weight.name, weight.min, weight.max)
                .expect("writing to a string does not fail");
        }
    }

    fn write_evolution(&self, text: &mut String) {
        let settings = &self.evolution;
        text.push_str("\n[evolution]\n");
        line(text, &POPULATION, &settings.population);
        line(text, &GAMES, &self.games);
        if let Some(generations) = self.limits.generations {
            line(text, &GENERATIONS, &generations);
        }
        if let Some(time) = self.limits.time {
            line(text, &TIME, &quoted(&humantime::format_duration(time).to_string()));
        }
        match settings.selection {
            Selection::Truncation => line(text, &SELECTION, &quoted("truncation")),
            Selection::Tournament { size } => {
                line(text, &SELECTION, &quoted("tournament"));
                line(text, &TOURNAMENT, &size);
            }
        }
        line(text, &PARENTS, &settings.parents);
        let crossover = match settings.crossover {
            Crossover::Mean => "mean",
            Crossover::Uniform => "uniform",
            Crossover::Blend => "blend",
        };
        line(text, &CROSSOVER, &quoted(crossover));
        line(text, &ELITES, &settings.elites);
        line(text, &STEP, &format!("{:?}", settings.step));
        line(text, &RATE, &format!("{:?}", settings.rate));
        let adapt = match settings.adapt {
            Adapt::Weights => "weights",
            Adapt::Step => "step",
            Adapt::Nothing => "none",
        };
        line(text, &ADAPT, &quoted(adapt));
    }
}

fn line(text: &mut String, key: &Key, value: &dyn Display) {
    writeln!(text, "{} = {value}", key.name).expect("writing to a string does not fail");
}

/// A text in TOML; the texts written here need no escapes.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
