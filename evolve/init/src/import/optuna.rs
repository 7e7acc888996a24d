//! Imports Optuna scripts: calls of `suggest_int`, `suggest_float` and `suggest_categorical`, and the environment
//! variables that receive their results.

mod branches;

use super::{ImportError, Imported, Raw, bare, finish, number, parts, value};
use crate::suggest::Way;
use branches::Branches;
use evolve_core::model::parameter::Kind;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

static CALL: LazyLock<Regex> = LazyLock::new(|| {
    let kinds = "int|float|categorical|uniform|loguniform|discrete_uniform";
    let text = format!(
        r#"(?:["'](?<variable>\w+)["']\s*:\s*(?:str|repr)\s*\(\s*)?\b\w+\.suggest_(?<kind>{kinds})\(\s*(?<arguments>(?:[^()]|\([^()]*\))*)\)"#
    );
    Regex::new(&text).expect("a regex")
});
static ANY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\.suggest_\w+").expect("a regex"));
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"^(?:"[^"{}]+"|'[^'{}]+')$"#).expect("a regex"));
static DIRECTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"direction\s*=\s*["'](?<way>minimize|maximize)["']"#).expect("a regex"));

/// Reads a script.
pub fn read(text: &str) -> Result<Imported, ImportError> {
    let is_code = |line: &&str| !line.trim_start().starts_with('#');
    let code: String = text.lines().filter(is_code).map(|line| format!("{line}\n")).collect();
    let mut imported = Imported { minimizes: Some(true), ..Imported::default() };
    if let Some(found) = DIRECTION.captures(&code) {
        imported.minimizes = Some(&found["way"] == "minimize");
    }
    let branches = Branches::of(&code);
    let mut raws: Vec<Raw> = Vec::new();
    for call in CALL.captures_iter(&code) {
        let all = parts(&call["arguments"]);
        let (named, plain): (Vec<&str>, Vec<&str>) = all.into_iter().partition(|part| is_named(part));
        let of = |name: &str, place: usize| {
            let by_name = named.iter().find_map(|part| part.split_once('=').filter(|(key, _)| key.trim() == name));
            by_name.map(|(_, value)| value.trim()).or_else(|| plain.get(place).copied())
        };
        let Some(name) = of("name", 0) else {
            imported.notes.push(format!("suggest_{}({}): it has no name", &call["kind"], &call["arguments"]));
            continue;
        };
        if !NAME.is_match(name) {
            imported.notes.push(format!("suggest_{}({name}, ..): its name is not a plain string", &call["kind"]));
            continue;
        }
        let name = bare(name);
        let kind = match &call["kind"] {
            "categorical" => of("choices", 1).map(choices),
            kind => range(kind, &of),
        };
        let kind = match kind {
            Some(Ok(kind)) => kind,
            Some(Err(message)) => {
                imported.notes.push(format!("{name}: {message}"));
                continue;
            }
            None => {
                imported.notes.push(format!("{name}: its range is not two numbers: {}", &call["arguments"]));
                continue;
            }
        };
        if let Some(step) = of("step", 3).or_else(|| of("q", 3)).filter(|step| *step != "1" && *step != "None") {
            imported.notes.push(format!("the step {step} of {name}"));
        }
        let mut raw = Raw::new(name, kind, None);
        let rows = branches.rows(call.get(0).expect("the whole"));
        raw.condition = rows.unwrap_or_else(|condition| {
            imported.notes.push(format!("condition of {name}: {condition}"));
            Vec::new()
        });
        // Branches of a script may suggest the same parameter.
        if let Some(known) = raws.iter_mut().find(|known| known.parameter.name == raw.parameter.name) {
            if known.parameter.kind != raw.parameter.kind {
                imported.notes.push(format!("another range of {name}: {}", &call["arguments"]));
            }
            match known.condition.is_empty() || raw.condition.is_empty() {
                true => known.condition.clear(),
                false => known.condition.extend(raw.condition),
            }
            continue;
        }
        if let Some(variable) = call.name("variable") {
            raw.way = Way::Variable(variable.as_str().to_string());
        }
        raws.push(raw);
    }
    let calls: Vec<Range<usize>> = CALL.find_iter(&code).map(|call| call.range()).collect();
    for other in ANY.find_iter(&code).filter(|any| !calls.iter().any(|call| call.contains(&any.start()))) {
        let line = code[..other.start()].matches('\n').count();
        imported.notes.push(code.lines().nth(line).unwrap_or_default().trim().to_string());
    }
    finish(raws, &mut imported);
    Ok(imported)
}

fn is_named(part: &str) -> bool {
    let name = part.split_once('=').map_or("", |(name, _)| name.trim());
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn choices(list: &str) -> Result<Kind, ImportError> {
    let inside = list.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    let names: Vec<&str> = parts(inside);
    match &names[..] {
        ["True", "False"] | ["False", "True"] => Ok(Kind::Switch),
        _ if names.len() < 2 || !list.trim_start().starts_with(['[', '(']) => {
            Err(ImportError::NoList(list.trim().to_string()))
        }
        _ => Ok(Kind::Choice(names.into_iter().map(|name| bare(name).to_string()).collect())),
    }
}

fn range<'a>(kind: &str, of: &dyn Fn(&str, usize) -> Option<&'a str>) -> Option<Result<Kind, ImportError>> {
    let (low, high) = (of("low", 1)?, of("high", 2)?);
    let log = kind == "loguniform" || of("log", usize::MAX).is_some_and(|log| log == "True");
    let range = value(low).and_then(|low| Ok((low, value(high)?)));
    Some(range.and_then(|(low, high)| number(kind, low, high, log)))
}
