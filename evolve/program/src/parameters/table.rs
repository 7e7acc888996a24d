//! Parameters declared in a job: `k = { int = [1, 20], start = 5 }`.

use super::{LARGEST_INT, MOST, Parameters};
use evolve_core::condition::Condition;
use evolve_core::document::{Free, Section};
use evolve_core::parameter::{Kind, Parameter};

/// The keys of a parameter.
const KEYS: [&str; 11] =
    ["int", "float", "choice", "bool", "start", "log", "step", "when", "count", "separator", "meaning"];
/// What `evolve init` writes where it knows no parameter of a program. Nothing can be tuned by them.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("your_number", "{ int = [1, 20], start = 5 }"),
    ("your_ratio", "{ float = [1e-3, 1e3], log = true, start = 10 }"),
    ("your_choice", "{ choice = [\"swap\", \"2opt\"], start = \"2opt\" }"),
];

/// Reads the section `[parameters]`, and gives whether that went well. What is wrong is reported.
pub fn read_table(section: &mut Section<'_>, parameters: &mut Parameters) -> bool {
    let mut is_right = true;
    for free in section.rest() {
        let read = match EXAMPLES.contains(&(&free.name, free.toml())) {
            true => Err((
                free.line,
                format!(
                    "`{}` is an example of `evolve init`, not a parameter of your program; put one in its place \
                     (`evolve init --suggest` finds constants)",
                    free.name
                ),
            )),
            false => read(&free, section, parameters),
        };
        if let Err((line, message)) = read {
            section.report(Some(line), message);
            is_right = false;
        }
    }
    is_right
}

type Fault = (usize, String);

fn read(free: &Free<'_>, parent: &Section<'_>, parameters: &mut Parameters) -> Result<(), Fault> {
    let fault = |message: String| (free.line, message);
    let name = &free.name;
    let Some(mut table) = free.section(parent) else {
        return Err(fault(format!("`{name}` is a table, such as {{ int = [1, 20], start = 5 }}")));
    };
    let mut taken: Vec<Option<Free<'_>>> = KEYS.iter().map(|key| table.take(key)).collect();
    table.finish(&KEYS);
    let mut take = |key: &str| KEYS.iter().position(|other| *other == key).and_then(|place| taken[place].take());
    let log = flag(take("log")).map_err(fault)?;
    let mut kinds = Vec::new();
    for key in &KEYS[..4] {
        if let Some(value) = take(key) {
            kinds.push(kind(key, &value, log).map_err(|what| (value.line, format!("`{name}`: {what}")))?);
        }
    }
    if kinds.len() != 1 {
        return Err(fault(format!("`{name}` takes one of int, float, choice and bool")));
    }
    let kind = kinds.remove(0);
    let count = match take("count") {
        Some(count) => {
            let count = count.integer().filter(|count| (1..=MOST as i64).contains(count));
            Some(count.ok_or_else(|| fault(format!("`{name}.count` is a whole number from 1 to {MOST}")))?)
        }
        None => None,
    };
    let mut parameter = Parameter::float(name, 0.0, 1.0, 0.0);
    parameter.start = middle(&kind);
    parameter.kind = kind;
    if log {
        parameter = parameter.log();
    } else if let Kind::Int { min, max, .. } = parameter.kind {
        parameter.scale = Parameter::int("", min, max, min).scale;
    } else if let Kind::Float { min, max, .. } = parameter.kind {
        parameter.scale = Parameter::float("", min, max, min).scale;
    } else {
        parameter.scale = 1.0;
    }
    if let Some(step) = take("step") {
        let numeric = matches!(parameter.kind, Kind::Int { .. } | Kind::Float { .. });
        let step = step.number().filter(|&step| step > 0.0 && numeric);
        parameter.scale = step.ok_or_else(|| fault(format!("`{name}.step` is a number above 0, of numbers only")))?;
    }
    if let Some(meaning) = take("meaning") {
        parameter.meaning = meaning.text().ok_or_else(|| fault(format!("`{name}.meaning` is a text")))?.to_string();
    }
    if let Some(when) = take("when") {
        let text = when.text().ok_or_else(|| fault(format!("`{name}.when` is a text")))?;
        let condition = Condition::parse(text, parameters.all());
        parameter.condition = Some(condition.map_err(|what| (when.line, format!("`{name}.when`: {what}")))?);
    }
    let start = take("start");
    let separator = take("separator");
    let Some(count) = count else {
        if separator.is_some() {
            return Err(fault(format!("`{name}.separator` is for arrays: it goes with `count`")));
        }
        if let Some(start) = start {
            parameter.start = one_start(&start, &parameter)?;
        }
        return parameters.add(parameter).map_err(fault);
    };
    let starts = match start {
        None => vec![parameter.start; count as usize],
        Some(start) => match start.list() {
            None => vec![one_start(&start, &parameter)?; count as usize],
            Some(list) if list.len() == count as usize => {
                list.iter().map(|start| one_start(start, &parameter)).collect::<Result<_, _>>()?
            }
            Some(list) => {
                let message = format!("`{name}` has {} starting values for {count} elements", list.len());
                return Err((start.line, message));
            }
        },
    };
    let separator = match &separator {
        None => ",",
        Some(text) => text.text().ok_or_else(|| fault(format!("`{name}.separator` is a text")))?,
    };
    parameters.add_array(&parameter, &starts, separator).map_err(fault)
}

fn flag(free: Option<Free<'_>>) -> Result<bool, String> {
    match free {
        None => Ok(false),
        Some(free) => free.switch().ok_or_else(|| format!("`{}` takes true or false", free.name)),
    }
}

fn kind(key: &str, value: &Free<'_>, log: bool) -> Result<Kind, String> {
    let range = || value.list().filter(|list| list.len() == 2);
    match key {
        "int" => {
            let ends: Option<Vec<i64>> = range().and_then(|list| list.iter().map(Free::integer).collect());
            let ends = ends.filter(|ends| ends.iter().all(|end| (-LARGEST_INT..=LARGEST_INT).contains(end)));
            let ends = ends.ok_or("int = [smallest, largest], whole numbers within plus or minus 2^53")?;
            range_fits(log, ends[0] as f64, ends[1] as f64)?;
            Ok(Kind::Int { min: ends[0], max: ends[1], log })
        }
        "float" => {
            let ends =
                value.numbers().filter(|ends| ends.len() == 2).ok_or("float = [smallest, largest], finite numbers")?;
            range_fits(log, ends[0], ends[1])?;
            Ok(Kind::Float { min: ends[0], max: ends[1], log })
        }
        _ if log => Err("only numbers can be logarithmic".to_string()),
        "choice" => {
            let names: Option<Vec<String>> = value.list().and_then(|list| {
                // Numbers among the names are names like any other.
                let name = |free: &Free<'_>| {
                    let number = || free.number().map(|_| free.written());
                    free.text().map(String::from).or_else(number)
                };
                list.iter().map(name).collect()
            });
            Ok(Kind::Choice(names.ok_or("choice = [\"one\", \"two\", ..]")?))
        }
        _ => match value.switch() {
            Some(true) => Ok(Kind::Switch),
            _ => Err("a switch is declared by bool = true; `start` says whether it is on".to_string()),
        },
    }
}

fn range_fits(log: bool, min: f64, max: f64) -> Result<(), String> {
    if log && min <= 0.0 {
        return Err("the range of a logarithmic parameter must lie above 0".to_string());
    }
    if min >= max {
        return Err(format!("its range is empty: {min} is not below {max}"));
    }
    Ok(())
}

/// Where a parameter starts if nothing else is said: in the middle of its range, at the first choice, off.
fn middle(kind: &Kind) -> f64 {
    match *kind {
        Kind::Float { min, max, log: false } => min / 2.0 + max / 2.0,
        Kind::Float { min, max, log: true } => (libm::sqrt(min) * libm::sqrt(max)).clamp(min, max),
        Kind::Int { min, max, log: false } => (min as f64 / 2.0 + max as f64 / 2.0).floor(),
        Kind::Int { min, max, log: true } => libm::sqrt(min as f64 * max as f64).round().clamp(min as f64, max as f64),
        Kind::Choice(_) | Kind::Switch => 0.0,
    }
}

fn one_start(free: &Free<'_>, parameter: &Parameter) -> Result<f64, Fault> {
    let value = match &parameter.kind {
        Kind::Float { .. } => free.number(),
        Kind::Int { .. } => free.integer().map(|value| value as f64),
        Kind::Choice(names) => {
            let text = free.text().map(String::from).unwrap_or_else(|| free.written());
            names.iter().position(|name| *name == text).map(|place| place as f64)
        }
        Kind::Switch => free.switch().map(|on| f64::from(u8::from(on))),
    };
    value.filter(|&value| parameter.allows(value)).ok_or_else(|| {
        let message = format!("`{}` starts at {}, not {}", parameter.name, parameter.allowed(), free.written());
        (free.line, message)
    })
}
