use super::modules::Line;
use super::*;
use include_dir::{DirEntry, File};

/// Returns the lines of the module `own` of a crate with these files.
fn own(files: &[(&'static str, String)]) -> Result<Vec<Line>, ExportError> {
    module(&folder(files), "own")
}

/// Returns a folder with these files, which lives until the tests end.
fn folder(files: &[(&'static str, String)]) -> Dir<'static> {
    let file = |(path, text): &(&'static str, String)| DirEntry::File(File::new(path, text.clone().leak().as_bytes()));
    Dir::new("", files.iter().map(file).collect::<Vec<_>>().leak())
}

fn entry(sources: &Dir<'static>) -> Result<ExportedProgram, ExportError> {
    Entry {
        title: "nothing",
        about: Vec::new(),
        sources,
        module: "own",
        player: "()",
        items: String::new(),
        time_limit: Some(Duration::from_secs(2)),
    }
    .program()
}

#[test]
fn files_become_blocks_without_their_tests() {
    let files = [
        (
            "own/mod.rs",
            "//! Own.\n\npub mod outer;\npub mod playout;\nmod flat;\n\n/// Does it.\npub fn f() {\n    // Now.\n    \
             outer::g(flat::ONE);\n}\n\n#[cfg(test)]\nmod tests;\n"
                .to_string(),
        ),
        ("own/flat.rs", "pub const ONE: u8 = 1; // The first.\n".to_string()),
        (
            "own/outer.rs",
            "//! Outer.\n\npub(super) mod inner;\n\npub use self::inner::g;\n\n#[cfg(test)]\nmod tests {\n    use \
             super::*;\n}\n"
                .to_string(),
        ),
        ("own/outer/inner.rs", "pub fn g(_: u8) {}\n".to_string()),
    ];
    let lines = own(&files).unwrap();
    let whole = "
pub mod own {
\t//! Own.

\tpub mod outer {
\t\t//! Outer.

\t\tpub(super) mod inner {
\t\t\tpub fn g(_: u8) {}
\t\t}

\t\tpub use self::inner::g;

\t}
\tmod flat {
\t\tpub const ONE: u8 = 1; // The first.
\t}

\t/// Does it.
\tpub fn f() {
\t\t// Now.
\t\touter::g(flat::ONE);
\t}

}
";
    assert_eq!(written(&lines, Style::Whole), whole);
    let uncommented = written(&lines, Style::Uncommented);
    assert!(uncommented.contains("pub mod own {\n\tpub mod outer {\n\t\tpub(super) mod inner {\n"), "{uncommented}");
    let bare = written(&lines, Style::Bare);
    assert!(bare.contains("\npub fn f() {\nouter::g(flat::ONE);\n}\n"), "{bare}");
}

#[test]
fn a_literal_stays_on_its_line() {
    let literal = |text: &str| own(&[("own.rs", text.to_string())]).map(|lines| written(&lines, Style::Whole));
    for text in [
        "const A: &str = \"one \\\n    two\";\n",
        "const A: &str = \"a \\\" b\";\n",
        "const A: char = '\"';\n",
        "const A: &str = \"\\\\\";\n",
        "// One \" is no literal.\n",
    ] {
        assert_eq!(literal(text), Ok(format!("\npub mod own {{\n\t{}}}\n", text.replace("    ", "\t\t"))));
    }
    let error = literal("const A: &str = \"one\n    two\";\n").unwrap_err();
    assert!(
        error.to_string().contains("cannot have a literal that spans several lines: `const A: &str = \"one`"),
        "{error}"
    );
}

#[test]
fn a_missing_file_is_reported() {
    let error = own(&[("own.rs", "mod x;\n".to_string())]).err().unwrap();
    assert_eq!(error.to_string(), "the source of the module `own/x` is missing");
}

#[test]
fn comments_and_indentation_are_removed_if_necessary() {
    let program = |comments: usize, code: usize| {
        let comments = "// A line that explains nothing.\n".repeat(comments);
        let code = format!("fn f() {{\n{}}}\n", "        {\n        }\n".repeat(code));
        entry(&folder(&[("own.rs", format!("{comments}{code}"))]))
    };
    let note = "comments in the modules were omitted, because the source would otherwise be too large";
    for (comments, code, notes, indent) in
        [(10, 10, &[] as &[&str], "\t\t\t"), (4000, 10, &[note], "\t\t\t"), (10, 15_000, &[note], "")]
    {
        let program = program(comments, code).unwrap();
        assert_eq!(program.notes, notes);
        assert_eq!(program.source.contains("explains"), notes.is_empty());
        assert!(program.source.len() <= LARGEST && program.source.contains(&format!("\n{indent}{{\n{indent}}}\n")));
    }
    let error = program(0, 40_000).unwrap_err();
    assert!(error.to_string().contains("contests accept 100000"), "{error}");
}

#[test]
fn only_used_shared_modules_are_included() {
    let program = entry(&folder(&[("own.rs", "use policy::words::Words;\n".to_string())])).unwrap().source;
    for part in
        ["\nextern crate self as policy;\n", "\npub mod clock {\n", "\npub mod words {\n", "from_micros(1750000)"]
    {
        assert!(program.contains(part), "{part} in\n{program}");
    }
    assert!(!program.contains("pub mod random") && !program.contains("pub mod weights"));
}

#[test]
fn texts_cannot_end_the_header() {
    let hostile = "ok\nfn evil() {}\r\u{2028}*/ \u{202e}\0 \\u{a}\u{85}end";
    let text = constants::header(&[hostile.to_string(), String::new()]);
    assert_eq!(text.lines().count(), 2);
    assert!(text.lines().all(|line| line.starts_with("//!")));
    assert!(
        text.contains("fn evil() {}") && !text.chars().any(|letter| letter != '\n' && letter.is_control()),
        "{text}"
    );
}

#[test]
fn weights_are_exact() {
    use policy::king_rook::weights::Weights;
    let mut values = Weights::DEFAULT.values();
    for (value, exact) in values.iter_mut().zip([0.1 + 0.2, -0.0, 1e-300, f64::MAX, 5e-324, -7.0]) {
        *value = exact;
    }
    let default = Weights::DEFAULT.values();
    let text = literal("Weights", Weights::DECLARED, &values, (&default, "DEFAULT"), "").unwrap();
    for (weight, value) in Weights::DECLARED.iter().zip(values).take(6) {
        let start = text.find(&format!("\t{}: ", weight.name)).unwrap() + 3 + weight.name.len();
        let written = text[start..].split(',').next().unwrap();
        assert_eq!(written.parse::<f64>().unwrap().to_bits(), value.to_bits());
    }
    assert_eq!(
        literal("Weights", Weights::DECLARED, &default, (&default, "DEFAULT"), ""),
        Ok("Weights::DEFAULT".into())
    );
    values[2] = f64::NAN;
    assert!(
        literal("Weights", Weights::DECLARED, &values, (&default, "DEFAULT"), "")
            .unwrap_err()
            .to_string()
            .contains("is NaN")
    );
}
