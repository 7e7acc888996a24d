//! Numbers of scripts: `1_000`, `10 ** -8`, `2 * LIMIT`.

use super::ImportError;

/// The greatest depth of brackets and constants.
const DEEPEST: usize = 50;

/// Returns the value of an expression, given the expressions of its constants.
///
/// # Errors
/// If it is not arithmetic on known numbers.
pub fn value(text: &str, constant: &dyn Fn(&str) -> Option<String>) -> Result<f64, ImportError> {
    let fault = || ImportError::Number(text.trim().to_string());
    value_at(text, constant, 0).filter(|value| value.is_finite()).ok_or_else(fault)
}

/// Returns the value of a number without constants.
///
/// # Errors
/// If it is not arithmetic.
pub fn number(text: &str) -> Result<f64, ImportError> {
    value(text, &|_| None)
}

fn value_at(text: &str, constant: &dyn Fn(&str) -> Option<String>, depth: usize) -> Option<f64> {
    let mut reader = Reader { rest: text.trim(), constant, depth };
    let value = reader.sum()?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
    constant: &'t dyn Fn(&str) -> Option<String>,
    depth: usize,
}

impl Reader<'_> {
    /// Takes a sign, if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.takes("+") {
                value += self.product()?;
            } else if self.takes("-") {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.rest.starts_with("**") {
                return None;
            } else if self.takes("*") {
                value *= self.factor()?;
            } else if self.takes("//") {
                value = (value / self.factor()?).floor();
            } else if self.takes("/") {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    /// A power binds more strongly than a sign before it, and less than one after it.
    fn factor(&mut self) -> Option<f64> {
        self.deeper(|reader| {
            if reader.takes("-") {
                return Some(-reader.factor()?);
            }
            if reader.takes("+") {
                return reader.factor();
            }
            let base = reader.atom()?;
            if reader.takes("**") { Some(power(base, reader.factor()?)) } else { Some(base) }
        })
    }

    fn atom(&mut self) -> Option<f64> {
        if self.takes("(") {
            let value = self.sum()?;
            return self.takes(")").then_some(value);
        }
        let is_number = self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let mut before = ' ';
        let mut is_part = |c: char| {
            let is_exponent = is_number && "+-".contains(c) && "eE".contains(before);
            before = c;
            c.is_alphanumeric() || "._".contains(c) || is_exponent
        };
        let end = self.rest.find(|c: char| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if is_number {
            return word.replace('_', "").parse().ok();
        }
        if ["int", "float"].contains(&word) && self.takes("(") {
            let value = self.deeper(Reader::sum)?;
            let value = if word == "int" { value.trunc() } else { value };
            return self.takes(")").then_some(value);
        }
        let text = (self.constant)(word)?;
        self.deeper(|reader| value_at(&text, reader.constant, reader.depth))
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<f64>) -> Option<f64> {
        self.depth += 1;
        let value = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        value
    }
}

/// Returns a power, which is exact for small whole exponents.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() != 0.0 || exponent.abs() > 1024.0 {
        return libm::pow(base, exponent);
    }
    let power = (0..exponent.abs() as u32).fold(1.0, |power, _| power * base);
    if exponent < 0.0 { 1.0 / power } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_values() {
        let constant = |name: &str| match name {
            "LOW" => Some("10 ** -8".to_string()),
            "mod.HIGH" => Some("2 * LOW".to_string()),
            "LOOP" => Some("LOOP + 1".to_string()),
            _ => None,
        };
        for (text, expected) in [
            ("1_000", 1000.0),
            ("10 ** -8", 1e-8),
            ("2**10", 1024.0),
            ("-2 ** 2", -4.0),
            ("2 ** 3 ** 2", 512.0),
            ("1e-5", 1e-5),
            ("1E+3-1", 999.0),
            (" ( 1 + 2 ) * 3 // 2 ", 4.0),
            ("1 / 8", 0.125),
            ("2 ** 0.5", std::f64::consts::SQRT_2),
            ("int(2.5e3) - 5 - 1", 2494.0),
            ("float(3)", 3.0),
            ("LOW", 1e-8),
            ("mod.HIGH", 2e-8),
        ] {
            assert_eq!(value(text, &constant).ok(), Some(expected), "{text}");
        }
        let deep = ["(", "-"].map(|sign| sign.repeat(100_000));
        for wrong in ["", "x", "LOOP", "1 +", "1 2", "f(3)", "1 / 0", "nan", "inf", "2 * * 3", &deep[0], &deep[1]] {
            assert!(value(wrong, &constant).is_err(), "{wrong:.20}");
        }
    }
}
