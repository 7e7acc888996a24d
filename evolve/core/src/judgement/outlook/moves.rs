//! Changes of a single parameter, which show whether it has an effect.

use evolve_search::model::parameter::{Kind, Parameter};
use evolve_search::model::space::Space;

/// The start with one parameter set to another value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// The index of the parameter.
    pub place: usize,
    pub value: f64,
}

impl Move {
    /// Returns the start with this parameter changed.
    pub fn candidate(&self, space: &Space) -> Vec<f64> {
        let mut values = space.start().to_vec();
        values[self.place] = self.value;
        values
    }
}

/// Returns up to two changes of each tuned parameter: for a number, two units down and up, clamped
/// to its range; for a choice, the first two other options; for a switch, the other value.
///
/// Omits forbidden candidates, parameters whose condition does not hold at the start, because they
/// would change nothing there, and coefficients, which are parts of the parameter that follows.
pub fn moves(space: &Space) -> Vec<Move> {
    let start = space.start();
    let is_declared = |place: usize| space.parameters()[place].follows.is_none();
    let awake = space.tuned_indices().iter().filter(|&&place| is_declared(place) && space.is_awake(place, start));
    let moves = awake.flat_map(|&place| {
        let values = others(&space.parameters()[place], start[place]);
        values.into_iter().map(move |value| Move { place, value })
    });
    moves.filter(|one| space.allows(&one.candidate(space))).collect()
}

fn others(parameter: &Parameter, start: f64) -> Vec<f64> {
    let (min, max) = parameter.range();
    let far = |sign: f64| match parameter.kind {
        Kind::Float { log: true, .. } | Kind::Int { log: true, .. } => start * libm::exp(sign * 2.0 * parameter.unit),
        _ => start + sign * 2.0 * parameter.unit,
    };
    let values = match &parameter.kind {
        Kind::Float { .. } | Kind::Int { .. } => {
            let spacing = parameter.spacing();
            let below = parameter.floor(far(-1.0).min(start - spacing));
            let above = parameter.ceil(far(1.0).max(start + spacing));
            vec![below.clamp(min, max), above.clamp(min, max)]
        }
        Kind::Choice(names) => (0..names.len()).map(|i| i as f64).filter(|&i| i != start).take(2).collect(),
        Kind::Switch => vec![1.0 - start],
    };
    values.into_iter().map(|value| parameter.rounded(value)).filter(|&value| value != start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::job;

    #[test]
    fn numbers_on_a_grid_move_along_it() {
        let moves = |parameter: Parameter| others(&parameter, parameter.start);
        assert_eq!(moves(Parameter::float("x", 0.1, 0.95, 0.3).step(0.1).unwrap().unit(0.001)), [0.2, 0.4]);
        assert_eq!(moves(Parameter::float("x", 0.1, 0.95, 0.8).step(0.1).unwrap().unit(0.13)), [0.5, 0.9]);
        assert_eq!(moves(Parameter::int("k", 1, 100, 76).step(25.0).unwrap().unit(20.0)), [26.0]);
    }

    #[test]
    fn every_parameter_moves_to_other_values() {
        let job = job(&[("slope_y = [-4, 4]", "slope_y = [-3, 4]")]);
        let moves = moves(&job.space);
        let shown: Vec<String> = moves
            .iter()
            .map(|one| {
                let parameter = &job.space.parameters()[one.place];
                format!("{} {}", parameter.name, parameter.show(one.value))
            })
            .collect();
        // `slope` starts at its lower bound, so it only moves up; `heat` is inactive at the start.
        assert_eq!(
            shown,
            [
                "slope_x 3.0",
                "slope_x 7.0",
                "slope_y -1.0",
                "steps 11",
                "steps 19",
                "move turn",
                "move skip",
                "polish true"
            ]
        );
        assert_eq!(moves[0].candidate(&job.space)[..2], [3.0, -3.0]);
    }
}
