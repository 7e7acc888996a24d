use super::*;
use crate::optimizer::Settings as _;

fn space(n: usize) -> Vec<Coordinate> {
    vec![Coordinate { start: 20.0, scale: 1.0, min: -100.0, max: 100.0, least: 0.0, family: None }; n]
}

fn settings() -> Settings {
    Settings {
        population: 20,
        games: 1,
        selection: Selection::Truncation,
        tournament: 3,
        parents: Some(10),
        crossover: Crossover::Mean,
        elites: 1,
        step: 1.0,
        rate: 1.0,
        adapt: Adapt::Weights,
    }
}

/// A bowl whose coordinates differ in importance by a factor of 100, to be minimised at 0.
fn bowl(point: &[f64]) -> f64 {
    point.iter().enumerate().map(|(i, x)| if i % 2 == 0 { x * x } else { 0.01 * x * x }).sum()
}

fn evolve(strategy: &mut EvolutionStrategy, generations: usize, objective: impl Fn(&[f64]) -> f64) {
    for _ in 0..generations {
        let ask = strategy.ask(0.0);
        let objectives: Vec<f64> = ask.trials.iter().map(|&(point, _)| objective(&ask.points[point])).collect();
        strategy.tell(&ask, &objectives);
    }
}

fn distance_after(generations: usize, settings: &Settings) -> f64 {
    let mut strategy = EvolutionStrategy::new(&space(10), settings, 7);
    evolve(&mut strategy, generations, |point| -bowl(point));
    bowl(strategy.mean())
}

#[test]
fn every_kind_of_variation_finds_the_bottom_of_a_bowl() {
    // 200 generations start at 2020; a random walk of that length ends above it.
    for selection in [Selection::Truncation, Selection::Tournament] {
        for crossover in [Crossover::Mean, Crossover::Uniform, Crossover::Blend] {
            for rate in [0.3, 1.0] {
                for adapt in [Adapt::Weights, Adapt::Step] {
                    let settings = Settings { selection, crossover, rate, adapt, ..settings() };
                    // One step for all coordinates has to be small enough for the narrow ones.
                    let generations = if adapt == Adapt::Step { 600 } else { 200 };
                    let distance = distance_after(generations, &settings);
                    assert!(distance < 20.0, "{settings:?} ends at {distance}");
                }
            }
        }
    }
}

#[test]
fn scales_adapt_to_what_matters() {
    let mut strategy = EvolutionStrategy::new(&space(10), &settings(), 7);
    evolve(&mut strategy, 60, |point| -bowl(point));
    let spreads = strategy.deviations();
    let mean = |from: usize| spreads.iter().skip(from).step_by(2).sum::<f64>() / 5.0;
    assert!(mean(1) > 3.0 * mean(0), "{spreads:?}");
}

/// Long runs of few coordinates, low rates and small populations: every number stays finite, every state can be resumed.
#[test]
fn ten_thousand_generations_stay_finite() {
    let mut tried: u64 = 0;
    for n in [1, 2, 3, 10, 25] {
        for population in [4, 36, 100] {
            for rate in [0.05, 0.1, 0.3, 1.0] {
                for (k, objective) in [|_: &[f64]| 0.0, |point: &[f64]| -bowl(point)].into_iter().enumerate() {
                    // All combinations at a tenth of the length, a share of them at the whole one.
                    let generations =
                        if (tried as usize + k).is_multiple_of(12) { 10_000 / population.max(20) * 20 } else { 200 };
                    let settings = Settings { population, parents: None, rate, ..settings() };
                    let mut strategy = EvolutionStrategy::new(&space(n), &settings, tried);
                    evolve(&mut strategy, generations, objective);
                    let state = strategy.state();
                    assert!(settings.resume(&space(n), tried, &state).is_ok(), "{n} {population} {rate}: {state}");
                    let far = strategy.deviations().into_iter().find(|sd| !(1e-8..1e8).contains(sd));
                    assert_eq!(far, None, "{n} {population} {rate}");
                }
                tried += 1;
            }
        }
    }
}

#[test]
fn elites_live_on_and_values_stay_in_range() {
    let settings = Settings { elites: 2, step: 1000.0, ..settings() };
    let mut strategy = EvolutionStrategy::new(&space(4), &settings, 3);
    let before = strategy.state.population.clone();
    let fitness: Vec<f64> = (0..20).map(f64::from).collect();
    strategy.breed(&fitness);
    assert_eq!(strategy.state.population[0].point, before[19].point);
    assert_eq!(strategy.state.population[1].point, before[18].point);
    for member in &strategy.state.population {
        assert!(member.point.iter().all(|x| (-100.0..=100.0).contains(x)));
    }
}

#[test]
fn a_resumed_strategy_goes_on_as_the_same() {
    let (space, settings) = (space(3), settings());
    let mut whole = EvolutionStrategy::new(&space, &settings, 5);
    evolve(&mut whole, 4, |point| -bowl(point));
    let text = whole.state().to_string();
    let mut resumed = settings.resume(&space, 5, &serde_json::from_str(&text).unwrap()).unwrap();
    for _ in 0..4 {
        let ask = whole.ask(0.0);
        assert_eq!(resumed.ask(0.0), ask);
        let objectives: Vec<f64> = ask.trials.iter().map(|&(point, _)| -bowl(&ask.points[point])).collect();
        assert_eq!(resumed.tell(&ask, &objectives), whole.tell(&ask, &objectives));
    }
    assert_eq!(resumed.state(), whole.state());
    assert!(settings.resume(&space[..2], 5, &whole.state()).is_err());
}
