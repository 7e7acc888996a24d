//! Input from programs and the authors of their jobs: declarations, markers, output.

use crate::files::{assert_short, document, job_of};
use arbitrary::{Arbitrary, Result, Unstructured};
use evolve_core::job::Catalogue;
use evolve_core::job::Job;
use evolve_program::PROGRAM;
use evolve_program::parameters::{Parameters, marker};
use evolve_program::put_back::put_back;
use evolve_program::score::Score;
use evolve_program::source::Language;
use evolve_program::template::{Placeholder, Shown, Template};
use std::path::Path;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&[]).declaring(&PROGRAM));

/// Keys that name files or commands, which no target may open or run.
const OUTSIDE: [&str; 5] = ["source", "files", "build", "scorer", "scale"];

/// Reads a job of a program. A valid job is written so that it reads as the same.
pub fn job(bytes: Unstructured<'_>) -> Result<bool> {
    let document = document(bytes)?;
    let Ok(table) = toml::from_str::<toml::Table>(document.text()) else {
        // The reader must reject it as well.
        return Ok(Job::parse(&document, &CATALOGUE).is_ok());
    };
    let program = table.get("program").and_then(toml::Value::as_table);
    let starts = table.get("weights").is_some_and(|weights| weights.get("start").is_some());
    let outside = program.is_some_and(|program| OUTSIDE.iter().any(|key| program.contains_key(*key)));
    Ok(!starts && !outside && job_of(&document, &CATALOGUE))
}

/// An ending of the files of each language.
const ENDINGS: [&str; 9] = ["c", "cpp", "rs", "py", "java", "go", "sh", "lua", "none"];

/// Reads markers in a source file. Values that are written back are found again, and the rest of
/// the file is unchanged.
pub fn markers(bytes: Unstructured<'_>) -> Result<bool> {
    let text = <&str>::arbitrary_take_rest(bytes)?;
    let mut any = false;
    for ending in ENDINGS {
        any |= markers_of(text, Language::of(&Path::new("source").with_extension(ending)));
    }
    Ok(any)
}

fn markers_of(text: &str, language: Language) -> bool {
    let mut parameters = Parameters::default();
    if let Err(faults) = marker::read(text, language, &mut parameters) {
        faults.iter().for_each(|fault| assert_short(&fault.message));
        return false;
    }
    let own = parameters.all();
    if own.is_empty() {
        return false;
    }
    for end in [|(low, _): (f64, f64)| low, |(_, high): (f64, f64)| high] {
        let values: Vec<f64> = own.iter().map(|parameter| end(parameter.range())).collect();
        let back = put_back(text, language, own, &values).unwrap_or_else(|message| panic!("{message}\n{text}"));
        assert!(back.unknown.is_empty());
        let found = marker::find(&back.text, language).unwrap_or_else(|faults| panic!("{faults:?}\n{}", back.text));
        assert_eq!(found.len(), own.len(), "{}", back.text);
        for ((found, parameter), value) in found.iter().zip(own).zip(values) {
            assert_eq!(found.parameter.name, parameter.name);
            assert_eq!(found.parameter.kind, parameter.kind, "{}", back.text);
            assert_eq!(found.parameter.start, value, "{}", back.text);
        }
    }
    true
}

/// Reads texts with placeholders.
pub fn template(bytes: Unstructured<'_>) -> Result<bool> {
    let text = <&str>::arbitrary_take_rest(bytes)?;
    let values = |placeholder: &Placeholder| match placeholder.name.len() % 4 {
        0 => Some(Shown::Int(-7)),
        1 => Some(Shown::Float(0.1)),
        2 => Some(Shown::Switch(true)),
        _ => Some(Shown::Text("a b".to_string())),
    };
    match Template::parse(text) {
        Ok(template) => {
            assert_eq!(template.text(), text);
            assert!(template.render(&values).len() <= 200 * text.len() + 200);
            Ok(true)
        }
        Err(message) => {
            assert_short(&message.to_string());
            Ok(false)
        }
    }
}

/// Reads the output of a program, or the answer of a worker. The first line selects how.
pub fn score(bytes: Unstructured<'_>) -> Result<bool> {
    let bytes = bytes.take_rest();
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let [form, output] = [(); 2].map(|()| parts.next().unwrap_or_default());
    let Ok(form) = std::str::from_utf8(form) else { return Ok(false) };
    let form = Some(form).filter(|form| !form.is_empty());
    let metrics = ["moves".to_string(), "left".to_string()];
    let Ok(score) = Score::parse(form, if form.is_some_and(|form| form.starts_with("json:")) { &metrics } else { &[] })
    else {
        return Ok(false);
    };
    let (stdout, stderr) = output.split_at(output.len() / 2);
    let mut any = false;
    for measured in [score.find(output, b""), score.find(stdout, stderr), score.of_answer(output)] {
        match measured {
            Ok(measured) => {
                assert!(measured.score.is_finite() && measured.metrics.iter().all(|metric| metric.is_finite()));
                assert_eq!(measured.metrics.len(), score.metrics().len());
                any = true;
            }
            Err(reason) => assert_short(&reason.to_string()),
        }
    }
    Ok(any)
}
