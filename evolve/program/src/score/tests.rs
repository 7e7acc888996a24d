use super::*;

const DEFAULT: Option<&str> = None;

fn find<'f>(form: impl Into<Option<&'f str>>, stdout: &str, stderr: &str) -> Result<f64, NoScore> {
    Score::parse(form.into(), &[]).unwrap().find(stdout.as_bytes(), stderr.as_bytes()).map(|measured| measured.score)
}

#[test]
fn scores_are_found() {
    assert_eq!(find(DEFAULT, "1 2\n", "score: 3\nScore = -12.5\n"), Ok(-12.5));
    assert_eq!(find(DEFAULT, "Score = 7\n", "Score = 8\n"), Ok(7.0), "standard output first");
    assert_eq!(find(DEFAULT, "Score = 1\nScore = 2\n", ""), Ok(2.0), "the last one");
    assert_eq!(find("last-line", "a\n 12 \n\n", ""), Ok(12.0));
    assert_eq!(find("json:result.score", "{\"result\": {\"score\": 3}}", ""), Ok(3.0));
    assert_eq!(find("json:score", "log\n{\"score\": 3}\n", ""), Ok(3.0));
    assert_eq!(find(r"(?m)^cost (\d+)$", "cost 3\r\n", ""), Ok(3.0), "a line of Windows");
    assert_eq!(find("last-line", "a\r\n12\r\n", ""), Ok(12.0));
    assert_eq!(find("json:score", "log\r\n{\"score\": 3}\r\n", ""), Ok(3.0));
    assert_eq!(find(DEFAULT, "score: 5, moves: 3\n", ""), Ok(5.0));
    assert!(find(DEFAULT, "", "").is_err());
    assert!(find("last-line", "12 points\n", "").is_err());
    assert!(find("json:score", "{\"score\": \"3\"}", "").is_err());
}

#[test]
fn the_last_claim_decides() {
    let message = |form: Option<&str>, stdout: &str| find(form, stdout, "Score = 5\n").unwrap_err().0;
    for (last, said) in [
        ("nan", r#""Score = nan" is not a number"#),
        ("inf", r#""Score = inf" is not a number"#),
        ("None", r#""Score = None" is not a number"#),
        ("", r#""Score =" is not a number"#),
        ("1e999", r#""Score = 1e999" is out of range: numbers lie within plus or minus 1e150"#),
        ("12k", r#""Score = 12k" is not only a number: print a space or a line end after its last digit"#),
        ("1 234 565", r#""Score = 1 234 565" has separators between its digits: print 1234565"#),
    ] {
        assert_eq!(message(None, &format!("Score = 10\nScore = {last}\n")), said);
    }
    let pattern = Some(r"Score = (\d+)");
    assert_eq!(message(pattern, "Score = 10\nScore = nan\n"), r#""Score = nan" is not a number"#);
    assert_eq!(message(Some("last-line"), "10\nnan\n"), r#"its last line, "nan", is not a number"#);
    assert!(message(Some("last-line"), "12 points\n").contains("is not only a number"));
    let json = Some("json:score");
    assert!(message(json, "{\"score\": 3}\n{\"score\": NaN}\n").contains(r#"the last line is "{\"score\": NaN}""#));
    let text = r#"its JSON has "\"3\"" as `score`, which is not a number"#;
    assert_eq!(message(json, "{\"score\": \"3\"}"), text);
    assert_eq!(message(json, "{\"score\": null}"), "its JSON has no number `score`");
    assert_eq!(
        message(json, "{\"score\": 1e200}"),
        "its JSON has \"1e+200\" as `score`, which is out of range: numbers lie within plus or minus 1e150"
    );
}

#[test]
fn metrics_are_read_as_scores_are() {
    let patterns = IndexMap::from([("nodes".to_string(), r"nodes: (\d+)".to_string())]);
    let score = Score::parse(None, &[]).unwrap().beside(&patterns).unwrap();
    let find = |stdout: &str| score.find(stdout.as_bytes(), b"").map(|scored| scored.metrics);
    assert_eq!(find("nodes: 3\nnodes: 12\nScore = 1\n"), Ok(vec![12.0]));
    assert_eq!(find("Score = 1\n"), Ok(vec![0.0]));
    for (nodes, said) in [("12k", "is not only a number"), ("1,234", "print 1234"), ("nan", "is not a number")] {
        let message = find(&format!("nodes: 3\nnodes: {nodes}\nScore = 1\n")).unwrap_err().0;
        assert!(message.starts_with("the metric `nodes`: \"nodes: ") && message.contains(said), "{message}");
    }
    for form in [None, Some("last-line"), Some("time")] {
        let listed = Score::parse(form, &["nodes".to_string(), "n.k".to_string()]).unwrap();
        let find = |stdout: &str| match form {
            Some("time") => listed.of_time(Duration::from_secs(1), stdout.as_bytes(), b""),
            _ => listed.find(stdout.as_bytes(), b""),
        };
        let metrics = |stdout: &str| find(&format!("{stdout}\nScore = 1\n1")).map(|scored| scored.metrics);
        assert_eq!(metrics("nodes = 3, n.k: -1.5e2\nmore-nodes = 4\nsubnodes: 5"), Ok(vec![3.0, -150.0]));
        assert_eq!(metrics("nodes 3"), Ok(vec![0.0, 0.0]));
        for wrong in ["12k", "nan"] {
            assert!(metrics(&format!("nodes = 3\nnodes = {wrong}")).unwrap_err().0.starts_with("the metric `nodes`"));
        }
    }
    assert!(Score::parse(Some(r"cost=(\d+)"), &["nodes".to_string()]).is_err());
    let json = Score::parse(Some("json:score"), &["n".to_string()]).unwrap();
    let find = |n: &str| json.find(format!("{{\"score\": 1{n}}}").as_bytes(), b"").map(|scored| scored.metrics);
    assert_eq!(find(", \"n\": 3"), Ok(vec![3.0]));
    assert_eq!((find(", \"n\": null"), find("")), (Ok(vec![0.0]), Ok(vec![0.0])));
    assert!(find(", \"n\": \"3\"").unwrap_err().0.contains("as `n`, which is not a number"));
    let metrics = BTreeMap::from([("n".to_string(), f64::NAN)]);
    assert!(json.of_host(1.0, &metrics).is_err() && json.of_host(f64::INFINITY, &BTreeMap::new()).is_err());
}

#[test]
fn named_groups_are_metrics() {
    let score = Score::parse(Some(r"n=(?<n>\d+) cost=(?<score>\d+)(?: t=(?<t>\d+))?"), &[]).unwrap();
    assert_eq!(score.metrics(), ["n", "t"]);
    let measured = score.find(b"n=3 cost=17", b"").unwrap();
    assert_eq!(measured, Scored { score: 17.0, metrics: vec![3.0, 0.0] });
    assert!(Score::parse(Some(r"Score = \d+"), &[]).is_err());
    assert!(Score::parse(Some("("), &[]).is_err());
}

#[test]
fn workers_answer_numbers_or_json() {
    let score = Score::parse(None, &[]).unwrap();
    assert_eq!(score.of_answer(b"12\r").unwrap().score, 12.0);
    assert_eq!(score.of_answer(b"{\"score\": 1.5}\r").unwrap().score, 1.5);
    assert_eq!(score.of_answer(b"{\"score\": 1.5}").unwrap().score, 1.5);
    for (line, said) in [
        (&b"debug: \x1b[1m\xff"[..], r#"it answered "debug: \u{1b}[1m\xff", which is neither a number nor JSON"#),
        (b"1,234", r#"it answered "1,234", which has separators between its digits: print 1234"#),
        (b"12 points", r#"it answered "12 points", which is not only a number"#),
        (b"nan", r#"it answered "nan", which is neither"#),
        (b"[1]", r#"it answered "[1]", which is neither"#),
        (b"{\"n\": 1}", r#"it answered "{\"n\": 1}", which has no number `score`"#),
        (b"{\"score\": \"x\"}", r#"which has "\"x\"" as `score`, which is not a number"#),
    ] {
        let message = score.of_answer(line).unwrap_err().0;
        assert!(message.contains(said), "{message}");
    }
    assert_eq!(score.of_answer(b"{\"error\": \"no tour\"}"), Err(NoScore("no tour".to_string())));
}
