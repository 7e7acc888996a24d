use super::*;
use policy::weights::Weight;

fn space(n: usize) -> Space {
    let weight = Weight { name: "w", meaning: "", min: -100.0, max: 100.0, scale: 1.0, default: 0.0 };
    Space::new(vec![weight; n], vec![20.0; n], (0..n).collect())
}

fn settings() -> Settings {
    Settings {
        population: 20,
        selection: Selection::Truncation,
        parents: 10,
        crossover: Crossover::Mean,
        elites: 1,
        step: 1.0,
        rate: 1.0,
        adapt: Adapt::Weights,
    }
}

/// A bowl whose weights differ in importance by a factor of 100, to be minimised at 0.
fn bowl(genome: &[f64]) -> f64 {
    genome.iter().enumerate().map(|(i, x)| if i % 2 == 0 { x * x } else { 0.01 * x * x }).sum()
}

fn distance_after(generations: usize, settings: &Settings) -> f64 {
    let space = space(10);
    let mut genetic = Genetic::new(&space, settings, 7);
    for _ in 0..generations {
        let fitness: Vec<f64> = genetic.population.iter().map(|member| -bowl(&member.genome)).collect();
        genetic.tell(&fitness, &space, settings, 7);
    }
    bowl(&genetic.centre)
}

#[test]
fn every_kind_of_variation_finds_the_bottom_of_a_bowl() {
    // 200 generations start at 2020; a random walk of that length ends above it.
    for selection in [Selection::Truncation, Selection::Tournament { size: 3 }] {
        for crossover in [Crossover::Mean, Crossover::Uniform, Crossover::Blend] {
            for rate in [0.3, 1.0] {
                for adapt in [Adapt::Weights, Adapt::Step] {
                    let settings = Settings { selection, crossover, rate, adapt, ..settings() };
                    // One step for all weights has to be small enough for the narrow ones.
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
    let space = space(10);
    let settings = settings();
    let mut genetic = Genetic::new(&space, &settings, 7);
    for _ in 0..300 {
        let fitness: Vec<f64> = genetic.population.iter().map(|member| -bowl(&member.genome)).collect();
        genetic.tell(&fitness, &space, &settings, 7);
    }
    let spreads = genetic.spreads();
    let mean = |from: usize| spreads.iter().skip(from).step_by(2).sum::<f64>() / 5.0;
    assert!(mean(1) > 3.0 * mean(0), "{spreads:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    assert_eq!(distance_after(30, &settings()).to_bits(), distance_after(30, &settings()).to_bits());
}

#[test]
fn elites_live_on_and_values_stay_in_range() {
    let space = space(4);
    let settings = Settings { elites: 2, step: 1000.0, ..settings() };
    let mut genetic = Genetic::new(&space, &settings, 3);
    let before = genetic.population.clone();
    let fitness: Vec<f64> = (0..20).map(f64::from).collect();
    genetic.tell(&fitness, &space, &settings, 3);
    assert_eq!(genetic.population[0].genome, before[19].genome);
    assert_eq!(genetic.population[1].genome, before[18].genome);
    for member in &genetic.population {
        assert!(member.genome.iter().all(|x| (-100.0..=100.0).contains(x)));
    }
}

#[test]
fn equal_members_keep_their_order() {
    assert_eq!(ranking(&[1.0, 3.0, 3.0, 2.0]), [1, 2, 3, 0]);
}

#[test]
fn shares_fall_and_add_up() {
    let shares = selection::shares(9);
    assert!(shares.windows(2).all(|pair| pair[0] > pair[1]));
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}
