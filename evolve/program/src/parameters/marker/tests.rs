use super::*;

#[test]
fn markers_of_many_languages() {
    for (line, parameter, value) in [
        ("const int K = 5; // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
        (
            "static constexpr double TEMP=1e1; // evolve: [1e-3, 1e3] log",
            Parameter::float("TEMP", 1e-3, 1e3, 10.0).log(),
            "1e1",
        ),
        ("float x = -2.5f; /* evolve: [-5, 5] */", Parameter::float("x", -5.0, 5.0, -2.5), "-2.5"),
        ("long n = 100'000; // evolve: [1, 1000000] log", Parameter::int("n", 1, 1_000_000, 100_000).log(), "100'000"),
        ("MOVE = '2opt'  # evolve: [\"swap\", \"2opt\"]", Parameter::choice("MOVE", ["swap", "2opt"], 1), "'2opt'"),
        ("GREEDY = False  # evolve: bool", Parameter::switch("GREEDY", false), "False"),
        ("pub const WIDTH: usize = 30; // evolve: [1, 100]", Parameter::int("WIDTH", 1, 100, 30), "30"),
        ("const double K{5}; // evolve: [1, 20]", Parameter::float("K", 1.0, 20.0, 5.0), "5"),
        ("#define K 5 // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
        ("  \"k\": 5, // evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
        ("(defvar k 5) ;; evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
        ("k :: Int; k = 5 -- evolve: [1, 20]", Parameter::int("k", 1, 20, 5), "5"),
        ("let k: f64 = 5.0; // evolve: [1, 20]", Parameter::float("k", 1.0, 20.0, 5.0), "5.0"),
        (
            "double SHARE = 0.3; // evolve: [0.1, 0.95] step 0.1",
            Parameter::float("SHARE", 0.1, 0.95, 0.3).step(0.1).unwrap(),
            "0.3",
        ),
        (
            "int N = 26; /* evolve: [1, 100] unit 50 step 25 */",
            Parameter::int("N", 1, 100, 26).step(25.0).unwrap().unit(50.0),
            "26",
        ),
        ("N = 30  # evolve: [1, 100], log, unit 0.5", Parameter::int("N", 1, 100, 30).log().unit(0.5), "30"),
        // The declared type decides.
        ("double RANGE = 60; // evolve: [2, 200] log", Parameter::float("RANGE", 2.0, 200.0, 60.0).log(), "60"),
        ("RANGE: float = 60  # evolve: [2, 200]", Parameter::float("RANGE", 2.0, 200.0, 60.0), "60"),
        ("f(double x); int n = 1e5; // evolve: [1, 1000000]", Parameter::int("n", 1, 1_000_000, 100_000), "1e5"),
        ("void f(double x, int n = 5 // evolve: [1, 20]", Parameter::int("n", 1, 20, 5), "5"),
        // The value is the default of the call that reads it.
        ("const int K = param<int>(\"K\", 5); // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
        (
            "static K: Tuned<f64> = Tuned::new(|| evolve_param(\"EVOLVE_K\", 5.0)); // evolve: [1, 20]",
            Parameter::float("K", 1.0, 20.0, 5.0),
            "5.0",
        ),
        ("const int K{param<int>(\"EVOLVE_K\", 5)}; // evolve: [1, 20]", Parameter::int("K", 1, 20, 5), "5"),
        // Elements of lists, and fields.
        (
            "    evolve_param<double>(\"EVOLVE_W_0\", 5), // evolve: [1, 20]",
            Parameter::float("W_0", 1.0, 20.0, 5.0),
            "5",
        ),
        ("    super::evolve_param(\"EVOLVE_W_1\", 5) // evolve: [1, 20]", Parameter::int("W_1", 1, 20, 5), "5"),
        (
            "    min_k: evolve_param(\"EVOLVE_MIN_K\", 5.), // evolve: [1, 20]",
            Parameter::float("min_k", 1.0, 20.0, 5.0),
            "5.",
        ),
        (
            "    .min_k = evolve_param<int>(\"EVOLVE_MIN_K\", 5) // evolve: [1, 20]",
            Parameter::int("min_k", 1, 20, 5),
            "5",
        ),
        ("k = float(os.environ.get('AHC_K', 5))  # evolve: [1, 20]", Parameter::float("k", 1.0, 20.0, 5.0), "5"),
    ] {
        let found = find(line, Language::Other).unwrap();
        assert_eq!(found.len(), 1, "{line}");
        assert_eq!(found[0].parameter, parameter, "{line}");
        assert_eq!(&line[found[0].places[0].clone()], value, "{line}");
    }
    assert_eq!(find("int k = 5; // no evolve here\n", Language::Cpp).unwrap(), []);
}

#[test]
fn values_without_a_name_are_refused() {
    for line in [
        "int x = y -1; // evolve: [-9, 9]",
        "int k = c ? A : 5; // evolve: [1, 20]",
        "K = 3 if x else 5  # evolve: [1, 20]",
        "return 5; // evolve: [1, 9]",
    ] {
        let faults = find(line, Language::Other).unwrap_err();
        assert!(faults[0].message.starts_with("write a marker after a name"), "{line}: {faults:?}");
    }
    let found = find("größe = 2.5  # evolve: [1, 9]\nK 5 # evolve: [1, 9]", Language::Other).unwrap();
    assert_eq!(found.iter().map(|marker| &*marker.parameter.name).collect::<Vec<_>>(), ["größe", "K"]);
}

#[test]
fn switches_keep_their_notation() {
    for (line, placeholder) in [
        ("int G = P(\"EVOLVE_G\", 1); // evolve: bool", "{G:d}"),
        ("bool G = P(\"EVOLVE_G\", true); // evolve: bool", "{G}"),
        ("int G = P(\"EVOLVE_G\", 1); // evolve: [0, 1]", "{G}"),
    ] {
        assert_eq!(find(line, Language::Cpp).unwrap()[0].placeholder(), placeholder, "{line}");
    }
}

#[test]
fn expressions_after_by_stay_whole() {
    for line in [
        "double t = 30; // evolve: [1, 1000] log by n=v.size(), m=f(K)",
        "double t = 30; /* evolve: [1, 1000] log by n=v.size(), m=f(K) */",
    ] {
        let pair = |name: &str, own: &str| (name.to_string(), own.to_string());
        assert_eq!(find(line, Language::Cpp).unwrap()[0].by, [pair("n", "v.size()"), pair("m", "f(K)")]);
    }
}

/// Code in comments and strings declares no parameter and is not rewritten.
#[test]
fn markers_in_comments_and_strings_do_not_count() {
    for (language, text) in [
        (Language::Cpp, "// int K = 5; // evolve: [1, 20]\n"),
        (Language::Cpp, "/*\nint K = 5; // evolve: [1, 20]\n*/\n"),
        (Language::Cpp, "auto help = R\"(\nint K = 5; // evolve: [1, 20]\n)\";\n"),
        (Language::Cpp, "puts(\"int K = 5; // evolve: [1, 20]\");\n"),
        (Language::Rust, "let help = r#\"\nK = 5; // evolve: [1, 20]\n\"#;\n"),
        (Language::Python, "# K = 5  # evolve: [1, 20]\n"),
        (Language::Python, "\"\"\"\nK = 5  # evolve: [1, 20]\n\"\"\"\n"),
        (Language::Slashes, "help = `\nK = 5; // evolve: [1, 20]\n`;\n"),
        (Language::Other, "; (defvar k 5) ; evolve: [1, 20]\n"),
    ] {
        assert_eq!(find(text, language).unwrap(), [], "{text}");
        let both =
            format!("{text}int L = 5; {} evolve: [1, 20]", if language == Language::Python { "#" } else { "//" });
        let found = find(&both, language).unwrap();
        assert_eq!(found.len(), 1, "{both}");
        assert_eq!(&both[found[0].places[0].clone()], "5");
    }
}

#[test]
fn invalid_markers_are_reported_with_their_lines() {
    let text = "int a = 1; // evolve: [0, 9]\nint b; // evolve: [1, 2]\nint c = 3; // evolve: 3\nint d = 3; // \
        evolve: [0, 9.5]\nint e = 0x10; // evolve: [0, 20]\nint f = 1; // evolve: [0, 9223372036854775807]\nint g \
        = 010; // evolve: [1, 20]\nint h = 1.5; // evolve: [1, 20]\n";
    let faults = find(text, Language::Cpp).unwrap_err();
    assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8]);
    assert!(faults[5].message.contains("octal"), "{faults:?}");
    for (marker, said) in [
        ("int a = 1; // evolve: [0, 9] step", "write `[1, 20]`"),
        ("int a = 1; // evolve: [0, 9] steps 2", "write `[1, 20]`"),
        ("int a = 1; // evolve: [0, 9] step 0.5", "`a`: a whole number has a whole step, not 0.5"),
        ("int a = 1; // evolve: [1, 9] log step 2", "`a`: a logarithmic parameter has no step"),
        (
            "int a = 1; // evolve: [0, 9] step 2",
            "not a whole number from 0 to 8 in steps of 2; the nearest are 0 and 2",
        ),
        ("int a = 1; // evolve: [0, 9] unit 0", "the unit of `a` must be from"),
    ] {
        let faults = read(marker, Language::Cpp, &mut Parameters::default()).unwrap_err();
        assert!(faults[0].message.contains(said), "{faults:?}");
    }
    let twice = "int a = 1; // evolve: [0, 9]\nint a = 10; // evolve: [0, 9]\n";
    let fault = LineFault { line: 2, message: "`a` is marked on line 1 already".to_string() };
    assert_eq!(find(twice, Language::Cpp).unwrap_err(), [fault]);
    let reserved = "\nint seed = 1; // evolve: [0, 9]\n";
    assert_eq!(read(reserved, Language::Cpp, &mut Parameters::default()).unwrap_err()[0].line, 2);
}
