//! Each parameter set to something else, to see whether it does anything.

use crate::model::parameter::{Kind, Parameter};
use crate::model::space::Space;

/// The start with one parameter set to another value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// The place of the parameter.
    pub place: usize,
    /// Its value.
    pub value: f64,
}

impl Move {
    /// The candidate.
    pub fn candidate(&self, space: &Space) -> Vec<f64> {
        let mut values = space.start().to_vec();
        values[self.place] = self.value;
        values
    }
}

/// Each parameter that evolves, at two other values: numbers two units of variation to both sides, as far as the range
/// goes; of a choice the first two others; of a switch the other one. Those whose condition does not hold at the start
/// are not among them: they would change nothing there. Nor are forbidden ones.
pub fn moves(space: &Space) -> Vec<Move> {
    let start = space.start();
    let awake = space.places().iter().filter(|&&place| space.is_awake(place, start));
    let moves = awake.flat_map(|&place| {
        let values = others(&space.parameters()[place], start[place]);
        values.into_iter().map(move |value| Move { place, value })
    });
    moves.filter(|one| space.forbids(&one.candidate(space)).is_none()).collect()
}

fn others(parameter: &Parameter, start: f64) -> Vec<f64> {
    let (min, max) = parameter.range();
    let far = |sign: f64| match parameter.kind {
        Kind::Float { log: true, .. } | Kind::Int { log: true, .. } => start * libm::exp(sign * 2.0 * parameter.scale),
        _ => start + sign * 2.0 * parameter.scale,
    };
    let values = match &parameter.kind {
        Kind::Float { .. } => vec![far(-1.0).clamp(min, max), far(1.0).clamp(min, max)],
        Kind::Int { .. } => {
            let below = far(-1.0).floor().min(start - 1.0).clamp(min, max);
            vec![below, far(1.0).ceil().max(start + 1.0).clamp(min, max)]
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
    fn every_parameter_is_set_to_other_values() {
        let job = job(&[("slope_y = [-4, 4]", "slope_y = [-3, 4]")]);
        let moves = moves(&job.space);
        let shown: Vec<String> = moves
            .iter()
            .map(|one| {
                let parameter = &job.space.parameters()[one.place];
                format!("{} {}", parameter.name, parameter.show(one.value))
            })
            .collect();
        // The slope that starts at its lower bound goes up alone; heat waits for a turn.
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
