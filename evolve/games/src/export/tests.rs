use super::*;
use evolve_core::export::Exportable;
use evolve_core::policy_file::Policy;
use evolve_core::problem::Problem;
use evolve_core::setup::{Given, PlayerChoice, Setup, Values};
use evolve_core::source::Source;

/// A crate `own` with these files.
fn own(files: &[(&str, &str)]) -> Sources {
    Sources::new("own", files.iter().copied())
}

/// All that is kept of a crate `own` for a program with this text.
fn kept_with(style: Style, entry: &str, files: &[(&str, &str)]) -> Result<String, String> {
    let sources = own(files);
    let code = Code::read(entry, &[&sources])?;
    Ok(write(&code, &Kept::of(&code)?, style))
}

fn kept(entry: &str, files: &[(&str, &str)]) -> Result<String, String> {
    kept_with(Style { nests: true, explains: true }, entry, files)
}

#[test]
fn modules_nest_and_what_is_not_used_stays_out() {
    let text = kept(
        "fn main() {\n    own::outer::f();\n}\n",
        &[
            ("lib.rs", "//! The crate.\n\npub mod outer;\npub mod never;\n"),
            ("never.rs", "pub fn never() {}\n"),
            (
                "outer/mod.rs",
                "//! Outer.\n\npub mod inner;\nmod flat;\nuse self::inner::{g, Unused};\nuse super::never;\n\n\
                 /// Does it.\npub fn f() {\n    // Now.\n    g(flat::ONE);\n}\n\n/// Not this.\nfn h() {\n}\n\n\
                 #[cfg(test)]\nmod tests {\n    use super::*;\n}\n",
            ),
            ("outer/flat.rs", "pub const ONE: u8 = 1; // The first.\npub const TWO: u8 = 2; // The second.\n"),
            ("outer/inner.rs", "pub struct Unused;\n\nimpl Unused {\n    pub fn new() {}\n}\n\npub fn g(_: u8) {}\n"),
        ],
    );
    let expected = "\
fn main() {
\tcrate::outer::f();
}

pub mod outer {
\t//! Outer.

\tpub mod inner {
\t\tpub fn g(_: u8) {}
\t}

\tmod flat {
\t\tpub const ONE: u8 = 1; // The first.
\t}
\tuse self::inner::g;

\t/// Does it.
\tpub fn f() {
\t\t// Now.
\t\tg(flat::ONE);
\t}
}
";
    assert_eq!(text.unwrap(), expected);
}

#[test]
fn types_bring_what_is_used_of_them() {
    let text = kept(
        "use own::{Shape, Square};\nfn main() {\n    let square = Square::new(2);\n    println!(\"{} {MOST}\", square.area());\n}\n\
         use own::MOST;\n",
        &[(
            "lib.rs",
            "use std::fmt::{self, Display};\nuse std::time::Duration;\n\npub trait Shape {\n    fn area(&self) -> u32;\n}\n\n\
             pub struct Square(u32);\n\nimpl Square {\n    pub fn new(side: u32) -> Self {\n        Square(side)\n    }\n\n    \
             #[cfg(test)]\n    fn area_twice(&self) {}\n\n    /// Never asked for.\n    pub fn grow(&mut self) -> Duration {\n        \
             Duration::ZERO\n    }\n}\n\nimpl Shape for Square {\n    fn area(&self) -> u32 {\n        self.0 * self.0\n    }\n}\n\n\
             impl Display for Square {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n        write!(f, \"square\")\n    \
             }\n}\n\npub struct Circle;\n\nimpl Shape for Circle {\n    fn area(&self) -> u32 {\n        3\n    }\n}\n\n\
             pub const MOST: u32 = 7;\n",
        )],
    )
    .unwrap();
    for part in ["trait Shape", "struct Square", "fn new", "for Square", "use std::fmt::{self, Display}", "MOST: u32"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    for part in ["Circle", "grow", "Duration", "area_twice"] {
        assert!(!text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn a_crate_of_its_own_stands_beside_policy() {
    let sources = own(&[
        (
            "main.rs",
            "use evolve::Job;\n\nmod tuned;\n#[path = \"plays.rs\"]\npub mod game;\n\npub trait Twice {\n    fn twice(&self) -> u32;\n}\n",
        ),
        ("tuned.rs", "use evolve::Game;\n\nimpl Game for Mine {}\n"),
        (
            "plays.rs",
            "use policy::words::{Words, LONGEST};\nuse std::io::{BufRead, Write};\n\npolicy::weights! {\n    /// Mine.\n    \
             pub struct Weights {\n        a: \"b\", 0.0..=1.0, 1.0, 0.5;\n    }\n}\n\nimpl crate::Twice for Weights {\n    \
             fn twice(&self) -> u32 {\n        2\n    }\n}\n\npub fn play<I: BufRead>(\n    input: I,\n    mut output: impl Write,\n    \
             _: &policy::clock::Clock,\n    weights: Weights,\n) -> Result<(), String> {\n    let word = Words::new(input).next()?;\n    \
             writeln!(output, \"{word:?} {}\", weights.twice()).map_err(|error| error.to_string())\n}\n",
        ),
    ]);
    let entry = Entry {
        game: "mine",
        about: Vec::new(),
        play: "game::play",
        player: "game::Weights::DEFAULT",
        items: "use crate::Twice;\n".to_string(),
        time_limit: Some(Duration::from_secs(2)),
    };
    let source = entry.program(&[Sources::policy(), &sources]).unwrap().source;
    for part in ["use crate::words::Words;", "crate::weights! {", "_: &crate::clock::Clock", "from_micros(1750000)"] {
        assert!(source.contains(part), "{part} in\n{source}");
    }
    for part in ["evolve::", "policy::", "LONGEST,", "mod tuned"] {
        assert!(!source.contains(part), "{part} in\n{source}");
    }
    syn::parse_file(&source).unwrap();
}

#[test]
fn literals_stay_as_they_are() {
    let strings = "pub const A: &str = \"one\n    two\n        /// three\n\n\n    four\";\n    pub const B: &str = r#\"\n    \
                   pub mod x;\n#[cfg(test)]\n}\n\"#;\npub const C: &[u8] = b\"    \\\n    x\";\n";
    for style in [Style { nests: true, explains: true }, Style { nests: false, explains: false }] {
        let text = kept_with(
            style,
            "fn main() {\n    println!(\"{}{}{:?}\", own::m::A, own::m::B, own::m::C);\n}\n",
            &[("lib.rs", "pub mod m;"), ("m.rs", strings)],
        )
        .unwrap();
        for literal in
            ["\"one\n    two\n        /// three\n\n\n    four\"", "r#\"\n    pub mod x;\n#[cfg(test)]\n}\n\"#"]
        {
            assert!(text.contains(literal), "{text}");
        }
        assert!(text.contains("b\"    \\\n    x\""));
        syn::parse_file(&text).unwrap();
    }
}

#[test]
fn comments_that_explain_go_if_they_have_to() {
    let files =
        [("lib.rs", "/// Doc of `f`.\n#[inline]\npub fn f() {\n    // Why.\n    let _ = \"/// no comment\";\n}\n")];
    let text = kept_with(Style { nests: false, explains: false }, "fn main() {\n    own::f();\n}\n", &files).unwrap();
    assert!(text.contains("\n\n#[inline]\npub fn f() {\n\t// Why.\n\tlet _ = \"/// no comment\";\n}"), "{text}");

    let long: String =
        (0..200).map(|i| format!("/// {i}: {}\npub const C{i}: u32 = {i};\n", "long ".repeat(100))).collect();
    let sum: String = (0..200).map(|i| format!("    let _ = own::C{i};\n")).collect();
    let entry = |items: String| Entry {
        game: "nothing",
        about: Vec::new(),
        play: "play",
        player: "()",
        items: format!(
            "fn play<A, B, C>(_: A, _: B, _: &Clock, _: C) -> Result<(), String> {{\n{items}    Ok(())\n}}\n"
        ),
        time_limit: None,
    };
    let program = entry(sum.clone()).program(&[Sources::policy(), &own(&[("lib.rs", &long)])]).unwrap();
    assert!(program.notes.len() == 1 && program.notes[0].contains("without the comments"), "{:?}", program.notes);
    assert!(program.source.len() <= LARGEST && !program.source.contains("/// 0: long"));
    let longer = long.replace("///", "//");
    let error = entry(sum).program(&[Sources::policy(), &own(&[("lib.rs", &longer)])]).unwrap_err();
    assert!(error.contains("contests accept 100000"), "{error}");
}

#[test]
fn what_leads_nowhere_is_told() {
    let main = "fn main() {\n    own::f();\n}\n";
    for (files, message) in [
        (&[("lib.rs", "pub mod x;\n")][..], "own/lib.rs:1: the source of `mod x;` is not there (x/mod.rs)"),
        (&[("lib.rs", "\npub fn f() {\n    crate::x::g();\n}\n")], "own/lib.rs:3: `crate::x::g` leads nowhere"),
        (
            &[("lib.rs", "mod x;\nuse x::gone;\npub fn f() {\n    gone();\n}\n"), ("x.rs", "")],
            "own/lib.rs:2: `x::gone` leads nowhere",
        ),
        (
            &[("lib.rs", "mod x;\npub fn f() {\n    x::gone();\n}\n"), ("x.rs", "")],
            "own/lib.rs:3: `x::gone` leads nowhere",
        ),
        (&[("lib.rs", "use rand::random;\npub fn f() {\n    random();\n}\n")], "`rand::random` leads nowhere"),
        (&[("lib.rs", "pub fn g() {}\n")], "the program:2: `own::f` leads nowhere: there is no `f` at the root"),
        (&[("lib.rs", "pub fn f() {\n    include_str!(\"x\");\n}\n")], "own/lib.rs:2: `include_str!` takes in"),
        (&[("lib.rs", "pub fn f() {\n    crate::tell!();\n}\n")], "own/lib.rs:2: there is no macro `crate::tell!`"),
        (&[("lib.rs", "pub fn f() {\n    super::g();\n}\n")], "nothing is around the root"),
        (&[("lib.rs", "pub fn f( {}\n")], "own/lib.rs:1: "),
        (&[("lib.rs", "extern \"C\" {}\npub fn f() {}\n")], "own/lib.rs:1: an exported program cannot have"),
        (&[("x.rs", "")], "the sources of `own` have no `lib.rs`"),
    ] {
        let error = kept(main, files).unwrap_err();
        assert!(error.contains(message), "{error}\nis not\n{message}");
    }
    // What is not used may lead anywhere.
    kept(main, &[("lib.rs", "use rand::random;\npub fn f() {}\npub fn g() {\n    random();\n}\n")]).unwrap();
}

#[test]
fn no_line_leaves_the_header() {
    let hostile = "ok\nfn evil() {}\r\u{2028}*/ \u{202e}\0 \\u{a}\u{85}end";
    let text = constants::header(&[hostile.to_string(), String::new()]);
    assert_eq!(text.lines().count(), 2);
    assert!(text.lines().all(|line| line.starts_with("//!")));
    assert!(
        text.contains("fn evil() {}") && !text.chars().any(|letter| letter != '\n' && letter.is_control()),
        "{text}"
    );
    let file = syn::parse_file(&format!("{text}fn main() {{}}")).unwrap();
    assert_eq!(file.items.len(), 1);
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
        let start = text.find(&format!("    {}: ", weight.name)).unwrap() + 6 + weight.name.len();
        let written = text[start..].split(',').next().unwrap();
        assert_eq!(written.parse::<f64>().unwrap().to_bits(), value.to_bits());
    }
    assert_eq!(
        literal("Weights", Weights::DECLARED, &default, (&default, "DEFAULT"), ""),
        Ok("Weights::DEFAULT".into())
    );
    values[2] = f64::NAN;
    assert!(literal("Weights", Weights::DECLARED, &values, (&default, "DEFAULT"), "").unwrap_err().contains("is NaN"));
}

#[test]
fn a_greedy_program_has_no_beam() {
    let program = |name: &str| {
        let problem = &crate::solitaire_chess::SolitaireChess;
        let player = PlayerChoice::check("", problem.players(), name, []).unwrap();
        let group = ("group".to_string(), Given::Number(3));
        let options = Values::check("", problem.options(), [group]).unwrap();
        let values = problem.parameters().iter().map(|parameter| parameter.start).collect();
        let setup = Setup { options, player: player.clone() };
        let source = Source { problem, setup, declaration: String::new() };
        let policy = Policy { source, submission: player, values, run: None, verdict: None };
        problem.export(&[policy.tuned()], None).unwrap().source
    };
    let greedy = program("greedy");
    for absent in ["mod beam", "mod sampled", "mod random", "mod search", "mod playout", "mod gomoku", "mod expectimax"]
    {
        assert!(!greedy.contains(absent), "{absent}");
    }
    let beam = program("beam");
    assert!(beam.contains("mod beam") && !beam.contains("mod expectimax") && greedy.len() < beam.len());
}
