//! Reading a job file.

use super::keys::*;
use super::{Finals, Job, Limits, Validation, pattern};
use crate::document::{Document, Fault, Key, Section, Value};
use crate::game::Game;
use crate::genetic::{Adapt, Crossover, Selection, Settings, Space};
use crate::policy_file::{Policy, find_weight, read_game, read_player, read_weights};
use std::path::Path;

impl Job {
    /// Reads and checks a job file.
    ///
    /// # Errors
    /// The first mistake in it, with its line and what is allowed.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        Self::parse(&Document::read(path)?)
    }

    /// Checks a job.
    ///
    /// # Errors
    /// The first mistake in it, with its line and what is allowed.
    pub fn parse(document: &Document) -> Result<Self, Fault> {
        let mut top = document.top("a job")?;
        let name = read_run_name(&mut top)?;
        let seed = integer(&mut top, &SEED)?;
        let (game, options) = read_game(&mut top)?;
        let player = read_player(&mut top, "player", game)?;
        let submission =
            if top.has("submission") { read_player(&mut top, "submission", game)? } else { player.clone() };
        let space = read_space(top.section("weights")?, game)?;
        let (evolution, games, limits) = read_evolution(top.section("evolution")?)?;
        let mut section = top.section("validation")?;
        let validation =
            Validation { every: integer(&mut section, &EVERY)?, games: integer(&mut section, &HELD_OUT)? as usize };
        section.finish(&names("validation"))?;
        let mut section = top.section("final")?;
        let finals = Finals {
            games: integer(&mut section, &FINAL)? as usize,
            verdict: integer(&mut section, &VERDICT)? as usize,
            leaders: integer(&mut section, &LEADERS)? as usize,
        };
        section.finish(&names("final"))?;
        let known = names("")
            .into_iter()
            .chain(SECTIONS.iter().map(|s| s.name).filter(|name| !name.is_empty() && !name.contains('.')));
        top.finish(&known.collect::<Vec<_>>())?;
        Ok(Job { name, seed, game, options, player, submission, space, evolution, games, limits, validation, finals })
    }
}

fn read_run_name(top: &mut Section<'_>) -> Result<String, Fault> {
    let line = top.line_of(RUN.name);
    let Some(Value::Text(name)) = top.take(&RUN)? else {
        return Err(top.fault(Some(1), "a job needs a `name`: the folder of its results below `results/`"));
    };
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    if name.split('/').all(is_part) {
        return Ok(name);
    }
    let message = format!(
        "`name` is a folder below `results/`: parts of letters, digits, `-`, `_` and `.` (not first), with `/` between \
         them; not \"{}\"",
        name.escape_debug()
    );
    Err(top.fault(line, message))
}

fn read_space(mut section: Section<'_>, game: &'static dyn Game) -> Result<Space, Fault> {
    let mut weights = game.weights();
    let line = section.line_of(START.name);
    let mut start: Vec<f64> = match text(&mut section, &START)?.as_str() {
        "defaults" => weights.iter().map(|weight| weight.default).collect(),
        path => {
            let policy = Policy::read(Path::new(path))
                .map_err(|fault| section.fault(line, format!("`weights.start`: {fault}")))?;
            if policy.game.name() != game.name() {
                let message = format!("`weights.start`: {path} holds weights of {}", policy.game.name());
                return Err(section.fault(line, message));
            }
            policy.weights
        }
    };
    for (place, value, _) in read_weights(&mut section.section("values")?, game)? {
        start[place] = value;
    }
    let mut ranges = section.section("ranges")?;
    for free in ranges.rest() {
        let place =
            find_weight(game, &weights, &free.name).map_err(|message| ranges.fault(Some(free.line), message))?;
        let weight = &mut weights[place];
        match free.numbers().as_deref() {
            Some(&[min, max]) if weight.min <= min && min < max && max <= weight.max => {
                (weight.min, weight.max) = (min, max);
            }
            _ => {
                let message = format!(
                    "the range of `{}` is [smallest, largest] within {} and {}, the first below the second",
                    weight.name, weight.min, weight.max
                );
                return Err(ranges.fault(Some(free.line), message));
            }
        }
        if !(weight.min..=weight.max).contains(&start[place]) {
            let message = format!("`{}` starts at {}, which is outside this range", weight.name, start[place]);
            return Err(ranges.fault(Some(free.line), message));
        }
    }
    let mut is_evolving = vec![false; weights.len()];
    for (key, value) in [(&EVOLVE, true), (&FIXED, false)] {
        let line = section.line_of(key.name);
        let Some(Value::Texts(patterns)) = section.take(key)? else { continue };
        for pattern in patterns {
            let fitting: Vec<usize> =
                (0..weights.len()).filter(|&i| pattern::fits(&pattern, weights[i].name)).collect();
            if fitting.is_empty() {
                let message = match find_weight(game, &weights, &pattern) {
                    Err(message) if !pattern.contains('*') => message,
                    _ => format!("no weight fits `{pattern}` (`evolve games {}` lists all)", game.name()),
                };
                return Err(section.fault(line, message));
            }
            for i in fitting {
                is_evolving[i] = value;
            }
        }
    }
    let evolving: Vec<usize> = (0..weights.len()).filter(|&i| is_evolving[i]).collect();
    if evolving.is_empty() {
        return Err(section.fault(None, "no weight is left to evolve: `evolve` less `fixed` is empty"));
    }
    section.finish(&[names("weights"), vec!["values", "ranges"]].concat())?;
    Ok(Space::new(weights, start, evolving))
}

fn read_evolution(mut section: Section<'_>) -> Result<(Settings, usize, Limits), Fault> {
    let population = integer(&mut section, &POPULATION)? as usize;
    let games = integer(&mut section, &GAMES)? as usize;
    let generations = match section.take(&GENERATIONS)? {
        Some(Value::Integer(generations)) => Some(generations),
        _ => None,
    };
    let time = match section.take(&TIME)? {
        Some(Value::Duration(time)) => Some(time),
        _ => None,
    };
    if generations.is_none() && time.is_none() {
        return Err(section.fault(None, "[evolution] needs `generations`, `time` (like \"8h\") or both"));
    }
    let selection = match text(&mut section, &SELECTION)?.as_str() {
        "truncation" => Selection::Truncation,
        _ => Selection::Tournament { size: integer(&mut section, &TOURNAMENT)? as usize },
    };
    // Read in any case, so that it is checked in any case.
    section.take(&TOURNAMENT)?;
    let line = section.line_of(PARENTS.name);
    let parents = match section.take(&PARENTS)? {
        Some(Value::Integer(parents)) if parents as usize > population => {
            let message = format!("`evolution.parents` is {parents}, but `population` is only {population}");
            return Err(section.fault(line, message));
        }
        Some(Value::Integer(parents)) => parents as usize,
        _ => population / 2,
    };
    let crossover = match text(&mut section, &CROSSOVER)?.as_str() {
        "mean" => Crossover::Mean,
        "uniform" => Crossover::Uniform,
        _ => Crossover::Blend,
    };
    let line = section.line_of(ELITES.name);
    let elites = integer(&mut section, &ELITES)? as usize;
    if elites >= population {
        let message =
            format!("`evolution.elites` is {elites}: it must leave room for children in a population of {population}");
        return Err(section.fault(line, message));
    }
    let step = number(&mut section, &STEP)?;
    let rate = number(&mut section, &RATE)?;
    let adapt = match text(&mut section, &ADAPT)?.as_str() {
        "weights" => Adapt::Weights,
        "step" => Adapt::Step,
        _ => Adapt::Nothing,
    };
    section.finish(&names("evolution"))?;
    let settings = Settings { population, selection, parents, crossover, elites, step, rate, adapt };
    Ok((settings, games, Limits { generations, time }))
}

fn integer(section: &mut Section<'_>, key: &Key) -> Result<u64, Fault> {
    match section.take(key)? {
        Some(Value::Integer(value)) => Ok(value),
        other => unreachable!("`{}` is an integer with a default, not {other:?}", key.name),
    }
}

fn number(section: &mut Section<'_>, key: &Key) -> Result<f64, Fault> {
    match section.take(key)? {
        Some(Value::Number(value)) => Ok(value),
        other => unreachable!("`{}` is a number with a default, not {other:?}", key.name),
    }
}

fn text(section: &mut Section<'_>, key: &Key) -> Result<String, Fault> {
    match section.take(key)? {
        Some(Value::Text(value)) => Ok(value),
        other => unreachable!("`{}` is a text with a default, not {other:?}", key.name),
    }
}
