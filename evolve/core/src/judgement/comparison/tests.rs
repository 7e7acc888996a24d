use super::*;
use chacha20::ChaCha8Rng;
use evolve_search::model::rating::Rating;
use evolve_search::model::seed::generator;
use evolve_search::optimizer::sampling::normal;
use evolve_search::statistics::tail;

/// Returns the share of comparisons of at most `planned` observations, with 300 earlier ones, that
/// claim the first candidate to be better.
fn claims(runs: u64, planned: usize, difference: impl Fn(&mut ChaCha8Rng) -> Difference) -> f64 {
    claims_knowing(300, 0, runs, planned, difference)
}

/// The same with `earlier` earlier observations, and `searched` trials late in the search by
/// candidates similar to the first.
fn claims_knowing(
    earlier: usize,
    searched: usize,
    runs: u64,
    planned: usize,
    difference: impl Fn(&mut ChaCha8Rng) -> Difference,
) -> f64 {
    let looks = Looks::planned(0.05, planned, Patience::None);
    let claimed = (0..runs).filter(|&run| {
        let mut random = generator(run);
        let differences = (0..earlier).map(|_| difference(&mut random)).collect();
        let late: Vec<Difference> = (0..searched).map(|_| difference(&mut random)).collect();
        let failures = late.iter().filter(|difference| difference.failed[0]);
        let worst = failures.clone().map(|difference| difference.value).reduce(f64::min);
        let near = worst.map(|worst| Near { share: failures.count() as f64 / searched as f64, worst });
        let earlier = EarlierDifferences { differences, near, ..EarlierDifferences::default() };
        let mut comparison = Comparison::new(looks.clone(), 0.0).knowing(earlier);
        while comparison.answer() == Answer::Open && comparison.count() < planned {
            (0..left_to_look(planned, &comparison)).for_each(|_| comparison.add(difference(&mut random)));
        }
        comparison.answer() == Answer::Better
    });
    claimed.count() as f64 / runs as f64
}

/// Returns the number of observations up to the next look of a comparison of `planned` ones.
fn left_to_look(planned: usize, comparison: &Comparison) -> usize {
    let look = looks::counts(planned).into_iter().find(|&look| look > comparison.count());
    look.expect("looks are left") - comparison.count()
}

/// The limit for a nominal rate of 2.5 %: four standard errors of 500 runs are 2.8 %.
const ALLOWED: f64 = 0.053;

#[test]
fn equal_candidates_are_seldom_distinguished() {
    let rate = claims(500, 300, |random| Difference::of(normal(random)));
    assert!((0.004..=ALLOWED).contains(&rate), "{rate}");
    let few = claims(500, 20, |random| Difference::of(normal(random)));
    assert!((0.004..=ALLOWED).contains(&few), "{few}");
}

#[test]
fn long_tails_of_losses_do_not_cause_claims() {
    let mean = libm::exp(0.5);
    let rate = claims(500, 100, |random| Difference::of(mean - libm::exp(normal(random))));
    assert!(rate <= ALLOWED, "{rate}");
}

#[test]
fn ratios_of_equal_candidates_are_no_gain() {
    let rate = claims(500, 300, |random| {
        let noisy = [normal(random), normal(random)].map(|deviate| libm::exp(0.3 * deviate));
        let rates = Rating::Ratio.rates(&noisy);
        Difference::of(rates[0] - rates[1])
    });
    assert!((0.004..=ALLOWED).contains(&rate), "{rate}");
    assert_eq!(Rating::Ratio.rates(&[0.0, 4.0, 1.0]), [0.0, 1.0, 0.25]);
    assert_eq!(Rating::Objective.rates(&[0.0, 4.0]), [0.0, 4.0]);
}

#[test]
fn rare_failures_do_not_cause_claims() {
    // The first candidate fails in 1 % of trials and gains as much elsewhere.
    let failing = |random: &mut ChaCha8Rng| match normal(random) {
        x if x > 2.326_35 => Difference { value: -1.0, failed: [true, false] },
        _ => Difference::of(0.01 / 0.99 + 0.01 * normal(random)),
    };
    for planned in [40, 300] {
        let rate = claims(500, planned, failing);
        assert!(rate <= ALLOWED, "{planned}: {rate}");
    }
}

#[test]
fn failures_late_in_the_search_are_evidence() {
    let failing = |share: f64, gain: f64| {
        move |random: &mut ChaCha8Rng| match tail(normal(random).abs()) < share {
            true => Difference { value: -1.0, failed: [true, false] },
            false => Difference::of(gain + 0.03 * normal(random)),
        }
    };
    for (share, planned) in [(0.005, 100), (0.01, 100)] {
        let claimed =
            |searched: usize| claims_knowing(30, searched, 500, planned, failing(share, share / (1.0 - share)));
        let (without, with) = (claimed(0), claimed(1000));
        assert!(without > 2.0 * ALLOWED && with <= ALLOWED, "{share} {planned}: {without} {with}");
    }
}

#[test]
fn small_honest_gains_stay_provable() {
    // Student's t, applied once to all 40 observations, detects 87 %.
    let rate = claims(500, 40, |random| Difference::of(normal(random) + 0.5));
    assert!(rate > 0.78, "{rate}");
}

#[test]
fn swapping_the_candidates_mirrors_the_interval() {
    let mut random = generator(7);
    let all: Vec<Difference> =
        (0..40).map(|i| Difference { value: normal(&mut random) - 0.1, failed: [i % 20 == 0, i % 13 == 0] }).collect();
    let compare = |all: &[Difference]| {
        let earlier = EarlierDifferences { differences: all.to_vec(), ..EarlierDifferences::default() };
        let mut comparison = Comparison::new(Looks::once(0.05, 40), 0.0).knowing(earlier);
        all.iter().for_each(|&difference| comparison.add(difference));
        comparison.interval()
    };
    let mirrored: Vec<Difference> = all.iter().map(|difference| difference.mirrored()).collect();
    let (one, other) = (compare(&all), compare(&mirrored));
    assert!((one.low + other.high).abs() < 1e-12 && (one.high + other.low).abs() < 1e-12 && one.low < one.high);
}

#[test]
fn few_observations_claim_nothing() {
    let alike = |count: usize| {
        let mut comparison = Comparison::new(Looks::once(0.05, count), 0.0);
        (0..count).for_each(|i| comparison.add(Difference::of(1.0 + 1e-3 * i as f64)));
        comparison.answer()
    };
    assert_eq!(alike(LEAST_CLAIM - 1), Answer::Open);
    assert_eq!(alike(LEAST_CLAIM), Answer::Better);
}

#[test]
fn a_clear_difference_or_equality_ends_a_comparison() {
    let mut random = generator(2);
    let mut found = |mean: f64, margin: f64| {
        let looks = Looks::planned(0.05, 2000, Patience::None);
        let mut comparison = Comparison::new(looks.clone(), margin);
        while comparison.answer() == Answer::Open {
            (0..left_to_look(2000, &comparison))
                .for_each(|_| comparison.add(Difference::of(normal(&mut random) + mean)));
        }
        (comparison.answer(), comparison.count())
    };
    let (answer, count) = found(-0.5, 0.0);
    assert!(answer == Answer::Worse && count <= 400, "{answer:?} after {count}");
    assert_eq!(found(0.0, 0.2).0, Answer::Same);
}

/// The cubes of scores near 1e140 overflow and those near 1e-140 vanish, but the skewness of such
/// scores still counts.
#[test]
fn an_interval_scales_with_its_scores() {
    let interval = |unit: f64| {
        let mut random = generator(9);
        let mut comparison = Comparison::new(Looks::once(0.05, 40), 0.0);
        (0..40).for_each(|_| comparison.add(Difference::of(unit * libm::exp(normal(&mut random)))));
        comparison.interval()
    };
    let one = interval(1.0);
    for unit in [f64::powi(2.0, 460), f64::powi(2.0, -460)] {
        let of = interval(unit);
        assert_eq!((of.low, of.high), (unit * one.low, unit * one.high));
    }
}

/// Returns a comparison of a tenth of the planned observations, or of all of them, with this loss
/// in mind.
fn settled(count: usize, planned: usize, gain: f64, loss: f64) -> Comparison {
    let looks = Looks::planned(0.05, planned, Patience::WithGains);
    let earlier = EarlierDifferences { seen: loss, ..EarlierDifferences::default() };
    let mut comparison = Comparison::new(looks, 0.0).knowing(earlier);
    (0..count).for_each(|i| comparison.add(Difference::of(gain * (1.0 + 0.01 * (i % 3) as f64))));
    comparison
}

#[test]
fn a_gain_ends_a_comparison_only_if_an_unseen_loss_cannot_cancel_it() {
    // In 30 observations, an event in 9.5 % of them can be missed.
    assert!(!settled(30, 300, 0.09, 1.0).is_settled() && settled(30, 300, 0.1, 1.0).is_settled());
    assert!(settled(30, 300, 0.09, 0.5).is_settled());
    assert!(!settled(60, 300, 0.04, 1.0).is_settled() && settled(60, 300, 0.05, 1.0).is_settled());
    // A loss of the first candidate is the gain of the second.
    assert!(!settled(30, 300, -0.09, 1.0).is_settled() && settled(30, 300, -0.1, 1.0).is_settled());
}

#[test]
fn an_unseen_loss_that_cancels_the_gain_is_named() {
    let unseen = settled(30, 30, 0.0202, 1.0).unseen().unwrap();
    assert!((unseen.rate - 0.0950).abs() < 1e-4 && (unseen.cancels - 0.02).abs() < 1e-3, "{unseen:?}");
    assert!((145..=150).contains(&unseen.needed()), "{unseen:?}");
    for (count, gain, loss) in [(300, 0.0202, 1.0), (30, 0.2, 1.0), (30, 0.0202, 0.0)] {
        assert_eq!(settled(count, count, gain, loss).unseen(), None, "{count} {gain} {loss}");
    }
    let mut seen = settled(299, 300, 0.05, 1.0);
    seen.add(Difference::of(-0.8));
    assert_eq!(seen.unseen(), None);
    // A loss that only the scale makes possible.
    let mut possible = settled(30, 30, 0.0202, 0.3);
    assert!(possible.unseen().unwrap().is_seen);
    possible.set_possible(1.0);
    assert_eq!(possible.unseen(), Some(Unseen { is_seen: false, ..unseen }));
    assert!(!possible.is_settled());
}

/// The first candidate loses in one of fifty trials, and gains as much in the others. Candidates
/// near it did so in the search.
#[test]
fn large_losses_of_the_search_are_evidence() {
    let losing = |random: &mut ChaCha8Rng| match tail(normal(random).abs()) < 0.02 {
        true => Difference::of(-0.49),
        false => Difference::of(0.01 + 0.001 * normal(random)),
    };
    let claims = |lost: Option<Near>| {
        let claimed = (0..500).filter(|&run| {
            let mut random = generator(run);
            let looks = Looks::planned(0.05, 33, Patience::WithGains);
            let earlier = EarlierDifferences { lost, ..EarlierDifferences::default() };
            let mut comparison = Comparison::new(looks, 0.0).knowing(earlier);
            (0..33).for_each(|_| comparison.add(losing(&mut random)));
            comparison.answer() == Answer::Better
        });
        claimed.count() as f64 / 500.0
    };
    let (without, with) = (claims(None), claims(Some(Near { share: 0.02, worst: -0.5 })));
    assert!(without > 0.3 && with <= ALLOWED, "{without} {with}");
    // A candidate of another kind is not evidence: its losses would have been seen.
    assert_eq!(claims(Some(Near { share: 0.2, worst: -0.5 })), without);
}

/// Interim looks cost no power if only settled gains end a comparison: the last look has the
/// boundary of a single one.
#[test]
fn patience_costs_no_error_and_no_power() {
    let claims = |patience: Option<Patience>, gain: f64| {
        let claimed = (0..800).filter(|&run| {
            let mut random = generator(run);
            let (looks, counts) = match patience {
                Some(patience) => (Looks::planned(0.05, 100, patience), looks::counts(100)),
                None => (Looks::once(0.05, 100), vec![100]),
            };
            let mut comparison = Comparison::new(looks, 0.0);
            for look in counts {
                (comparison.count()..look).for_each(|_| comparison.add(Difference::of(gain + normal(&mut random))));
                if comparison.answer() == Answer::Worse || comparison.is_settled() {
                    break;
                }
            }
            comparison.answer() == Answer::Better
        });
        claimed.count() as f64 / 800.0
    };
    // 2.5 standard errors: a single look finds 70 %.
    let (patient, once) = (claims(Some(Patience::WithGains), 0.25), claims(None, 0.25));
    assert!((patient - once).abs() < 0.01 && claims(Some(Patience::None), 0.25) < once - 0.02, "{patient} {once}");
    assert!(claims(Some(Patience::WithGains), 0.0) <= 0.045);
}

#[test]
fn noise_with_two_tails_is_no_warning() {
    for (worst, best, is_warning) in [(-50.0, 50.0, false), (-50.0, 20.0, true), (-3.0, 0.5, false)] {
        let mut values: Vec<f64> = (0..60).map(|i| f64::from(i % 7) - 3.0).collect();
        values.extend([worst, best]);
        assert_eq!(large_loss(&values).is_some(), is_warning, "{worst} {best}");
    }
    assert_eq!(large_loss(&[]), None);
}
