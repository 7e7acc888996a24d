//! Racing: candidates of a generation that are clearly worse stop early, contenders play on.
//!
//! An optimizer that ranks the candidates of a generation asks for all of them on all deals. Racing has them played in
//! rungs of a quarter of the deals. After each rung, who is clearly worse than the middle of the field, by paired
//! differences, plays no more: the ranking among the better half is what such optimizers live on. What they did not play is
//! filled in by how much worse they were than those who stayed. Rungs are numbers of deals, so that nothing depends on
//! threads or clocks.

use super::{Ask, Generation, Method, Optimizer, Settings, recombination::ranking};
use crate::space::Coordinate;
use crate::statistics::{Estimate, mean};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Rungs of a generation at most, and the least deals of each.
const RUNGS: usize = 4;
const LEAST: usize = 3;
/// Who is dropped is worse by so many standard errors of the normal distribution. On the toy problem of benches/judgement,
/// 1.645 saves an eighth to a sixth of the
/// trials, 1 about a quarter at hardly less quality, and 0, which halves the field at once, a third and loses some.
const Z: f64 = 1.0;

/// The settings of an optimizer that ranks, raced.
pub struct Racing(pub Box<dyn Settings>);

impl Settings for Racing {
    fn method(&self) -> &'static Method {
        self.0.method()
    }

    fn write(&self) -> Vec<(&'static str, String)> {
        self.0.write()
    }

    fn prolongs(&self) -> bool {
        self.0.prolongs()
    }

    fn races(&self) -> Option<bool> {
        Some(true)
    }

    fn leaders(&self) -> usize {
        self.0.leaders()
    }

    fn start(&self, space: &[Coordinate], seed: u64) -> Box<dyn Optimizer> {
        Box::new(Race { optimizer: self.0.start(space, seed), field: Field::default() })
    }

    fn resume(&self, space: &[Coordinate], seed: u64, state: &Value) -> Result<Box<dyn Optimizer>, String> {
        let State { optimizer, field } = State::deserialize(state).map_err(|error| error.to_string())?;
        let race = Race { optimizer: self.0.resume(space, seed, &optimizer)?, field };
        match race.fits() {
            true => Ok(Box::new(race)),
            false => Err("it is of another job, or contradicts itself".to_string()),
        }
    }
}

/// An optimizer at a race. It must not follow a schedule: what it asks for depends on its state alone.
struct Race {
    optimizer: Box<dyn Optimizer>,
    field: Field,
}

/// Everything that a race remembers between two rungs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Field {
    /// Deals played in this generation so far.
    played: usize,
    /// The objectives of each candidate so far; empty before the first rung.
    rows: Vec<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
struct State {
    optimizer: Value,
    field: Field,
}

/// Whether every point plays every deal, and there are deals enough for two rungs.
fn can_race(ask: &Ask) -> bool {
    ask.trials.len() == ask.points.len() * ask.deals && ask.deals >= 2 * LEAST
}

/// The number of deals after the next rung.
fn next_rung(played: usize, deals: usize) -> usize {
    let end = played + deals.div_ceil(RUNGS).max(LEAST);
    // No last rung that is too short to be one.
    if end + LEAST > deals { deals } else { end }
}

impl Race {
    /// Who still plays, by place.
    fn contenders(&self, points: usize) -> Vec<usize> {
        let Field { played, rows } = &self.field;
        (0..points).filter(|&i| rows.is_empty() || rows[i].len() == *played).collect()
    }

    fn fits(&self) -> bool {
        let Field { played, rows } = &self.field;
        let ask = self.optimizer.ask(0.0);
        let is_row = |row: &Vec<f64>| (1..=*played).contains(&row.len()) && row.iter().all(|x| x.is_finite());
        match rows.is_empty() {
            true => *played == 0,
            false => {
                let is_one = rows.len() == ask.points.len() && rows.iter().all(is_row);
                is_one && can_race(&ask) && *played < ask.deals && !self.contenders(rows.len()).is_empty()
            }
        }
    }

    /// The objectives of all trials of an ask: those who were dropped go on as much worse than the others as they were.
    fn completed(&self, ask: &Ask) -> Vec<f64> {
        let rows = &self.field.rows;
        let finished: Vec<&Vec<f64>> = rows.iter().filter(|row| row.len() == ask.deals).collect();
        let levels: Vec<f64> =
            (0..ask.deals).map(|deal| mean(&finished.iter().map(|row| row[deal]).collect::<Vec<_>>())).collect();
        let behind = |row: &Vec<f64>| mean(&row.iter().zip(&levels).map(|(x, level)| x - level).collect::<Vec<_>>());
        let behind: Vec<f64> = rows.iter().map(behind).collect();
        let objective = |&(point, deal): &(usize, usize)| match rows[point].get(deal) {
            Some(&objective) => objective,
            None => levels[deal] + behind[point],
        };
        ask.trials.iter().map(objective).collect()
    }
}

/// Who stays of those who have played the same deals: all but those who are clearly worse than the middle of `all`.
fn staying(rows: &[Vec<f64>], contenders: &[usize]) -> Vec<bool> {
    let means: Vec<f64> = contenders.iter().map(|&i| mean(&rows[i])).collect();
    let order = ranking(&means);
    let middle = &rows[contenders[order[rows.len().div_ceil(2).min(contenders.len()) - 1]]];
    let stays = |&i: &usize| Estimate::paired(&rows[i], middle).interval_at(Z).1 >= 0.0;
    contenders.iter().map(stays).collect()
}

impl Optimizer for Race {
    fn ask(&self, used: f64) -> Ask {
        let ask = self.optimizer.ask(used);
        if !can_race(&ask) {
            return ask;
        }
        let played = self.field.played;
        let deals = next_rung(played, ask.deals) - played;
        let contenders = self.contenders(ask.points.len());
        let trials = (0..deals).flat_map(|deal| contenders.iter().map(move |&point| (point, deal))).collect();
        Ask { points: ask.points, first: played, deals, trials }
    }

    fn tell(&mut self, ask: &Ask, objectives: &[f64]) -> Option<Generation> {
        let whole = self.optimizer.ask(0.0);
        if !can_race(&whole) {
            return self.optimizer.tell(ask, objectives);
        }
        let contenders = self.contenders(whole.points.len());
        let Field { played, rows } = &mut self.field;
        rows.resize(whole.points.len(), Vec::new());
        for (&(point, _), &objective) in ask.trials.iter().zip(objectives) {
            rows[point].push(objective);
        }
        *played += ask.deals;
        if *played < whole.deals {
            // Who is dropped is told by a row that is shorter than the deals played: it loses its last objective.
            let stays = staying(rows, &contenders);
            for (&i, _) in contenders.iter().zip(stays).filter(|(_, stays)| !stays) {
                rows[i].pop();
            }
            return None;
        }
        let objectives = self.completed(&whole);
        self.field = Field::default();
        self.optimizer.tell(&whole, &objectives)
    }

    fn generation(&self) -> u64 {
        self.optimizer.generation()
    }

    fn mean(&self) -> &[f64] {
        self.optimizer.mean()
    }

    fn recommended(&self) -> Vec<(&'static str, Vec<f64>)> {
        self.optimizer.recommended()
    }

    fn deviations(&self) -> Vec<f64> {
        self.optimizer.deviations()
    }

    fn state(&self) -> Value {
        let state = State { optimizer: self.optimizer.state(), field: self.field.clone() };
        serde_json::to_value(state).expect("a state is numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimizer::cma_es::{self, Covariance};
    use crate::optimizer::sampling::normal;
    use crate::seed::generator;

    /// Trials and the distance to the optimum after 40 generations on instances that are hard or easy for all.
    fn search(raced: bool, seed: u64) -> (usize, f64) {
        let space = vec![Coordinate { start: 3.0, scale: 1.0, min: -9.0, max: 9.0, least: 0.0, family: None }; 6];
        let settings: Box<dyn Settings> =
            Box::new(cma_es::Settings { population: 16, games: 16, covariance: Covariance::Full, step: 1.0 });
        let settings: Box<dyn Settings> = if raced { Box::new(Racing(settings)) } else { settings };
        let mut optimizer = settings.start(&space, seed);
        let (mut trials, mut asked) = (0, 0);
        while optimizer.generation() < 40 {
            let ask = optimizer.ask(0.0);
            // The state between two rungs is whole.
            optimizer = settings.resume(&space, seed, &optimizer.state()).unwrap();
            assert_eq!(optimizer.ask(0.0), ask);
            let luck = |deal: usize, of: u64| {
                let place = optimizer.generation() * 1000 + (ask.first + deal) as u64;
                normal(&mut generator(seed << 40 | place << 8 | of))
            };
            let objective = |&(point, deal): &(usize, usize)| {
                let height: f64 = ask.points[point].iter().map(|x| x * x).sum();
                20.0 * luck(deal, 255) - height + 2.0 * luck(deal, point as u64)
            };
            let objectives: Vec<f64> = ask.trials.iter().map(objective).collect();
            trials += objectives.len();
            asked += 1;
            optimizer.tell(&ask, &objectives);
        }
        assert_eq!(asked, if raced { 160 } else { 40 });
        (trials, optimizer.mean().iter().map(|x| x * x).sum::<f64>().sqrt())
    }

    #[test]
    fn races_take_fewer_trials_and_come_as_far() {
        let sums =
            |raced| (1..=5).map(|seed| search(raced, seed)).fold((0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let ((whole, far), (raced, raced_far)) = (sums(false), sums(true));
        assert_eq!(whole, 5 * 40 * 16 * 16);
        assert!((raced as f64) < 0.83 * whole as f64, "{raced} of {whole}");
        assert!(raced_far < 1.3 * far, "{raced_far} {far}");
    }

    #[test]
    fn the_better_half_stays() {
        let rows: Vec<Vec<f64>> =
            (0..8).map(|i| vec![-f64::from(i), 1.0 - f64::from(i), -1.1 * f64::from(i)]).collect();
        assert_eq!(staying(&rows, &(0..8).collect::<Vec<_>>()), [true, true, true, true, false, false, false, false]);
        assert_eq!([next_rung(0, 24), next_rung(18, 24), next_rung(0, 8), next_rung(3, 8)], [6, 24, 3, 8]);
    }
}
