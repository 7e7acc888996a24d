//! Parameters that a program lists itself, in the form that chess engines print for their tuners:
//! `name, int, start, min, max, step, rate`, a line each.

use super::Parameters;
use evolve_core::parameter::Parameter;

/// Adds the parameters of a listing. Lines that are empty are passed over, and so are those before the first parameter,
/// which engines greet with.
///
/// # Errors
/// The first line that is none, with its number, or that there is none at all.
pub fn read(text: &str, parameters: &mut Parameters) -> Result<(), String> {
    let mut any = false;
    for (i, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let is_blank = line.trim().is_empty();
        if is_blank || (!any && fields.len() < 5) {
            continue;
        }
        let parameter = parse(&fields).ok_or_else(|| {
            format!("line {} of the listing, `{line}`, is not `name, int, start, min, max, step, rate`", i + 1)
        })?;
        parameters.add(parameter).map_err(|what| format!("line {} of the listing: {what}", i + 1))?;
        any = true;
    }
    if any { Ok(()) } else { Err("it lists no parameters: `name, int, start, min, max, step, rate`".to_string()) }
}

/// The last two fields are the step at the end of the tuning and a learning rate; only the first of them means anything
/// here: it is the distance of two values worth comparing.
fn parse(fields: &[&str]) -> Option<Parameter> {
    let (&[name, kind, start, min, max], rest) = fields.split_first_chunk::<5>()?;
    if rest.len() > 2 {
        return None;
    }
    let number = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite());
    let parameter = match kind {
        "int" => {
            // Engines print whole numbers with decimals.
            let whole = |text: &str| number(text).filter(|x| x.fract() == 0.0 && x.abs() < 1e15).map(|x| x as i64);
            Parameter::int(name, whole(min)?, whole(max)?, whole(start)?)
        }
        "float" => Parameter::float(name, number(min)?, number(max)?, number(start)?),
        _ => return None,
    };
    match rest.first() {
        Some(step) => Some(parameter.scale(number(step)?)),
        None => Some(parameter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_of_engines_are_read() {
        let text = "Engine 17 by somebody\n\nLmrBase, int, 75.0, 0.0, 150.0, 7.5, 0.002\nTempo, float, 0.5, -1, 1, 0.1, 0.002\n";
        let mut parameters = Parameters::default();
        read(text, &mut parameters).unwrap();
        let expected =
            [Parameter::int("LmrBase", 0, 150, 75).scale(7.5), Parameter::float("Tempo", -1.0, 1.0, 0.5).scale(0.1)];
        assert_eq!(parameters.all(), expected);
    }

    #[test]
    fn other_lines_are_refused() {
        for (text, said) in [
            ("", "lists no parameters"),
            ("hello\n", "lists no parameters"),
            ("a, int, 1, 0, 9, 1, 0.1\nb\n", "line 2"),
            ("a, text, 1, 0, 9\n", "line 1"),
            ("a, int, 1.5, 0, 9\n", "line 1"),
            ("a, int, 10, 0, 9\n", "starts at 10"),
            ("a, int, 1, 0, 9\na, int, 1, 0, 9\n", "declared twice"),
        ] {
            let message = read(text, &mut Parameters::default()).unwrap_err();
            assert!(message.contains(said), "{text}: {message}");
        }
    }
}
